/* fuzz_recording.c - libFuzzer's entry: any bytes as a recording; one that is read becomes a template, and one with collective
 * operations joined. */
#include "record/recording.h"
#include "record/template.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diags diags = DIAGS_EMPTY;
    struct recording recording;
    struct template template, joined;
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        abort();
    enum status status = recording_read_text(&recording, "x.rec", (const char *)data, size, &diags);
    if ((status == STATUS_OK) != (diags.n_errors == 0))
        abort(); /* an error without a diagnostic, or the other way round */
    if (status == STATUS_OK && recording.ranks <= 16) {
        status = template_begin(&template, 1, &recording, &diags);
        if (status == STATUS_OK)
            template_make(&template, NULL);
        if (status == STATUS_OK && template_begin_joined(&joined, &template)) {
            template_make(&joined, NULL);
            template_free(&joined);
        }
        if ((status == STATUS_OK) != (diags.n_errors == 0))
            abort();
        template_free(&template);
    }
    diags_print(&diags, out);
    recording_free(&recording);
    diags_free(&diags);
    fclose(out);
    return 0;
}
