#include "models/machine/whole.h"

#include "models/machine_write.h"

#include <string.h>

static struct place place_of_end(const char *name, const char *text, size_t length)
{
    struct place place = {.file = name, .line = 1, .column = 1, .width = 1};
    for (size_t i = 0; i < length; i++) {
        place.line += text[i] == '\n';
        place.column = text[i] == '\n' ? 1 : place.column + 1;
    }
    return place;
}

size_t whole_end(const char *text, size_t length)
{
    const size_t last = strlen(MACHINE_LAST_LINE);
    return length >= last && memcmp(text + length - last, MACHINE_LAST_LINE, last) == 0 ? length - last : length;
}

/* Whether one of the lines is MACHINE_LAST_LINE. */
static bool has_end(const char *text, size_t length)
{
    static const char end[] = "\n" MACHINE_LAST_LINE;
    return memmem(text, length, end, strlen(end)) != NULL;
}

bool whole_is_cut(const char *name, const char *text, size_t length, struct diags *diags)
{
    const size_t told = strlen(MACHINE_FIRST_LINE);
    if (length < told || memcmp(text, MACHINE_FIRST_LINE, told) != 0 || has_end(text, length))
        return false;
    diag_error(diags, place_of_end(name, text, length),
               "the file is cut off here: its first line says that `# end of the machine file` follows, and it does not; copy it "
               "again, or measure again (is a disk full?)");
    return true;
}

bool whole_error_is_last(const char *text, size_t length, const struct diags *diags)
{
    if (diags->n == 0 || diag_severity(diags, diags->n - 1) != SEVERITY_ERROR)
        return false;
    const int line = diag_line(diags, diags->n - 1);
    return line > 0 && line >= place_of_end(NULL, text, length).line;
}

void whole_doubt(const char *name, const char *text, size_t length, struct diags *diags)
{
    if (length > 0 && text[length - 1] != '\n')
        diag_warning(diags, place_of_end(name, text, length),
                     "the file seems to be cut off here: nothing ends its last line; compare it with what it was copied from (is a disk "
                     "full?)");
}
