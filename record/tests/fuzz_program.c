/* fuzz_program.c - libFuzzer's entry: any bytes as a recording, whose calls are listed and of which a program is made. */
#include "record/calls.h"
#include "record/recording.h"
#include "record/template.h"
#include "record/writer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diags diags = DIAGS_EMPTY;
    struct recording recording;
    struct template template;
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        abort();
    enum status status = recording_read_text(&recording, "x.rec", (const char *)data, size, &diags);
    if (status == STATUS_OK && recording.ranks <= 4) {
        struct site_table sites;
        site_table_init(&sites);
        for (int i = 0; i < recording.ranks; i++) {
            struct calls calls = {0};
            calls_recorded(&calls, &recording.processes[i], &sites);
            calls_free(&calls);
        }
        site_table_free(&sites);
        status = template_begin(&template, 1, &recording, &diags);
        if (status == STATUS_OK) {
            template_make(&template, NULL);
            const char **where = calloc((size_t)template.sites.n + 1, sizeof *where);
            for (int i = 0; i < template.sites.n; i++)
                where[i] = "a.c:1";
            struct writer_request request = {0};
            struct writer_result result = {0};
            writer_write(&template, &request, where, out, &result, &diags);
            writer_result_free(&result);
            free(where);
        }
        template_free(&template);
    }
    diags_print(&diags, out);
    recording_free(&recording);
    diags_free(&diags);
    fclose(out);
    return 0;
}
