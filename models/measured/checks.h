/* checks.h - what a measured model (models/measured.h) cannot do with a machine file, and what is said of it. */
#ifndef PEVPM_MODELS_MEASURED_CHECKS_H
#define PEVPM_MODELS_MEASURED_CHECKS_H

#include "common/diag.h"
#include "common/status.h"
#include "models/measured/tables.h"

/* Has the file ports, and are all such as the engines know? STATUS_SCHEMA, STATUS_NOT_YET. */
enum status ports_check(const struct machine *machine, enum contention contention, struct diags *diags);

/* Are there times of the messages that a run has? STATUS_SCHEMA. A note where others stand in for those within a node. */
enum status servings_check(const struct measured_model *model, int ppn, struct diags *diags);

/* Do the engines know so long ways? STATUS_NOT_YET. */
enum status paths_check(const struct measured_model *model, struct diags *diags);

/* Are rails, and ports of one queue, such as the engines know? STATUS_NOT_YET. */
enum status node_ports_check(const struct measured_model *model, enum contention contention, struct diags *diags);

/* Is it known of all ports and trunks what a frame takes? STATUS_SCHEMA. A note where that is from short messages. */
enum status streams_check(const struct measured_model *model, const struct machine *machine, struct diags *diags);

/* Notes that frames are left out of account, where the file tells of them. */
void frames_note(const struct measured_model *model, const struct machine *machine, struct diags *diags);

/* Notes, once, that a demand was measured at one size. */
void gaps_check(const struct machine *machine, struct diags *diags);

#endif
