/* fuzz_machine.c - libFuzzer's entry: any bytes as a machine file. A file that is read is written, read and written
 * again, which gives the same bytes; then each model is opened on it, and what a message costs is a time.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined ...
 *     ./fuzz_machine -dict=models/tests/fuzz_machine.dict models/tests/corpus */
#include "models/machine.h"
#include "models/machine_write.h"
#include "models/model_list.h"
#include "models/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct machine *machine_from(const char *text, size_t size)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine = NULL;
    enum status status = machine_read_text(&machine, "m.yaml", text, size, &diags);
    if ((status == STATUS_OK) != (machine != NULL) || (status == STATUS_OK) != (diags.n_errors == 0))
        abort(); /* an error without a diagnostic, or the other way round */
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        abort();
    diags_print(&diags, out);
    fclose(out);
    diags_free(&diags);
    return machine;
}

static char *machine_text(const struct machine *machine, size_t *size)
{
    char *text;
    FILE *out = open_memstream(&text, size);
    if (!out)
        abort();
    machine_write_stream(machine, NULL, out);
    if (fclose(out) != 0)
        abort();
    return text;
}

static void check_written(const struct machine *machine)
{
    size_t size, size_again;
    char *text = machine_text(machine, &size);
    struct machine *again = machine_from(text, size);
    if (!again)
        abort();
    char *text_again = machine_text(again, &size_again);
    if (size != size_again || memcmp(text, text_again, size) != 0)
        abort();
    free(text_again);
    machine_destroy(again);
    free(text);
}

/* Numbers of a file may be anything up to the largest double, so that sums of them are infinite. */
static void check_time(double t)
{
    if (isnan(t) || t < 0)
        abort();
}

static void check_mix(const struct mix *mix)
{
    struct quantile q;
    quantile_build(&q, mix);
    check_time(quantile_at(&q, 0));
    check_time(quantile_at(&q, UINT32_MAX));
    quantile_free(&q);
}

/* A process of the node that is on that socket of it. */
static struct seat seat_on(const struct machine *machine, int process, int node, int socket)
{
    return (struct seat){process, node, machine->sockets > 1 ? node * machine->sockets + socket : SEAT_NO_SOCKET};
}

static void check_message(const struct machine *machine, const struct cost_model *model, enum transport transport, int64_t bytes)
{
    const int to_node = transport == TRANSPORT_network;
    const struct seat from = seat_on(machine, 0, 0, 0),
                      to = seat_on(machine, transport != TRANSPORT_self, to_node, transport == TRANSPORT_node);
    uint32_t pair = model->pair_class(model, transport, 0, to_node);
    struct mix mix;
    model->transit(model, pair, SEND_BLOCKING, bytes, 2, &mix);
    check_mix(&mix);
    model->overhead(model, pair, SIDE_SEND, SEND_NONBLOCKING, bytes, &mix);
    check_mix(&mix);
    struct port_cost ports;
    model->ports_for(model, pair, bytes, &ports);
    check_time(ports.out_gap);
    check_time(ports.in_gap);
    struct path_hop hop[PATH_MOST];
    int n_hops = model->path ? model->path(model, transport, from, to, hop) : 0;
    for (int h = 0; h < n_hops; h++) {
        struct hop_cost cost = {0};
        double acknowledgements;
        model->hop_for(model, hop[h].resource, bytes, &cost, &acknowledgements);
        check_time(cost.work);
    }
}

static void check_model(const struct machine *machine, const char *name, enum contention contention)
{
    static const int64_t sizes[] = {0, 1000, 1 << 20};
    struct diags diags = DIAGS_EMPTY;
    struct cost_model *model = NULL;
    enum status status = cost_model_open(
        &model, machine, &(struct cost_options){.model = name, .contention = contention, .ppn = 2}, &diags);
    if ((status == STATUS_OK) != (model != NULL) || (status == STATUS_OK) != (diags.n_errors == 0))
        abort();
    for (size_t s = 0; model && s < sizeof sizes / sizeof *sizes; s++) {
        check_message(machine, model, TRANSPORT_self, sizes[s]);
        check_message(machine, model, TRANSPORT_node, sizes[s]);
        if (machine->sockets > 1)
            check_message(machine, model, TRANSPORT_socket, sizes[s]);
        if (machine->nodes > 1)
            check_message(machine, model, TRANSPORT_network, sizes[s]);
    }
    cost_model_close(model);
    diags_free(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine *machine = machine_from((const char *)data, size);
    if (!machine)
        return 0;
    check_written(machine);
#define X(name, has, collective)                          \
    check_model(machine, #name, CONTENTION_scoreboard);   \
    check_model(machine, #name, CONTENTION_ports);
    MODEL_LIST(X)
#undef X
    machine_destroy(machine);
    return 0;
}
