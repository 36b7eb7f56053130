/* Private to the reader of machine files. */
#ifndef PEVPM_MODELS_MACHINE_SOURCE_IMPL_H
#define PEVPM_MODELS_MACHINE_SOURCE_IMPL_H

#include "models/machine_source.h"
#include "models/yaml_tree.h"

/* Keeps what stands under `provenance:`; anything but a map stands under the key `text`. */
void machine_source_keep_notes(struct machine_source *source, const struct yaml_node *node);

#endif
