#include "common/status.h"

int status_exit_code(enum status status)
{
    static const int code[] = {
#define X(name, exit_code, text) [STATUS_##name] = exit_code,
        STATUS_LIST(X)
#undef X
    };
    return code[status];
}

const char *status_name(enum status status)
{
    static const char *const name_of[] = {
#define X(name, exit_code, text) [STATUS_##name] = #name,
        STATUS_LIST(X)
#undef X
    };
    return name_of[status];
}
