#include "report/judge_csv.h"

#include "report/report.h"

static void write_number(FILE *out, double value)
{
    char text[REPORT_NUMBER_BYTES];
    fprintf(out, ",%s", report_number(value, text));
}

static void write_run(FILE *out, const struct judge_run *run, const struct judged *judged)
{
    const double error = judged->predicted - judged->measured, communication = judged->measured - judged->serial;
    report_csv_text(out, run->program);
    fputc(',', out);
    report_csv_text(out, run->params);
    fprintf(out, ",%d,%d,%d,%zu,%s", run->at.numprocs, run->at.nodes, run->at.ppn, run->n,
            judged->drew ? "theirs" : run->draws ? "none" : "own");
    write_number(out, judged->measured);
    write_number(out, judged->predicted);
    write_number(out, error / judged->measured);
    if (communication > 0)
        write_number(out, error / communication);
    else
        fputc(',', out);
    for (int when = 0; when < 2; when++) {
        write_number(out, judged->low[when]);
        write_number(out, judged->high[when]);
        fprintf(out, ",%zu", judged->inside[when]);
    }
    fputc('\n', out);
}

void judge_csv_write(FILE *out, const struct judge_request *request, const struct judge_result *result)
{
    fputs("program,params,numprocs,nodes,ppn,launches,draws,measured_s,predicted_s,error,error_of_communication,p5_s,p95_s,inside,"
          "p5_then_s,p95_then_s,inside_then\n", out);
    for (size_t i = 0; i < result->n; i++)
        write_run(out, &request->runs[result->runs[i].run], &result->runs[i]);
}
