#include "timing/put.h"

#include "timing/summary.h"

#include "common/outfile.h"

#include <stdlib.h>
#include <string.h>

static enum status put_timings(const struct put_request *request, const struct timings *timings, struct diags *diags)
{
    char *text = NULL;
    enum status status = STATUS_OK;
    if (request->machine)
        status = serial_merge(timings, request->nodes, request->machine, &text, diags);
    else
        text = serial_text(timings, request->nodes);
    if (status == STATUS_OK)
        status = outfile_store(request->output, text, diags);
    if (status == STATUS_OK && !request->quiet)
        summary_print(timings, request->nodes,
                      request->output && strcmp(request->output, "-") != 0 ? stdout : stderr);
    free(text);
    return status;
}

enum status put_records(const struct put_request *request, const struct record records[], size_t n, struct diags *diags)
{
    struct timings timings = {0};
    enum status status = timings_make(&timings, records, n, diags);
    if (status == STATUS_OK && request->nodes == SERIAL_AUTO) /* else the user has said it */
        timings_warn_nodes(&timings, diags);
    if (status == STATUS_OK)
        status = put_timings(request, &timings, diags);
    timings_free(&timings);
    return status;
}
