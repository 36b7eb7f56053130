#include "host/libclang.h"

#ifdef PEVPM_LIBCLANG

#include <dlfcn.h>
#include <string.h>

bool libclang_built(void)
{
    return true;
}

bool libclang_load(struct libclang *libclang)
{
    void *library = dlopen(PEVPM_LIBCLANG, RTLD_LAZY | RTLD_LOCAL); /* stays, as unloading it takes long */
    bool all = library != NULL;
    void *found = NULL;
#define X(name)                                                     \
    found = all ? dlsym(library, "clang_" #name) : NULL;            \
    memcpy(&libclang->name, &found, sizeof found);                  \
    all = all && found;
    LIBCLANG_LIST(X)
#undef X
    return all;
}

#else

bool libclang_built(void)
{
    return false;
}

#endif
