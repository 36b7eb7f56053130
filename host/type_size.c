#include "host/type_size.h"

#include <string.h>

/* X(bytes, type); the sizes of the LP64 systems that clusters run, and MPI's own where a standard fixes
 * them. */
#define TYPE_LIST(X)                                                                                                 \
    X(1, "char") X(1, "signed char") X(1, "unsigned char") X(1, "bool") X(2, "short") X(2, "short int")              \
    X(2, "unsigned short") X(4, "int") X(4, "unsigned") X(4, "unsigned int") X(8, "long") X(8, "long int")           \
    X(8, "unsigned long") X(8, "long long") X(8, "long long int") X(8, "unsigned long long") X(8, "size_t")          \
    X(4, "float") X(8, "double") X(16, "long double") X(1, "int8_t") X(2, "int16_t") X(4, "int32_t")                 \
    X(8, "int64_t") X(1, "uint8_t") X(2, "uint16_t") X(4, "uint32_t") X(8, "uint64_t")                               \
    X(1, "MPI_CHAR") X(1, "MPI_SIGNED_CHAR") X(1, "MPI_UNSIGNED_CHAR") X(1, "MPI_BYTE") X(1, "MPI_PACKED")           \
    X(4, "MPI_WCHAR") X(2, "MPI_SHORT") X(2, "MPI_UNSIGNED_SHORT") X(4, "MPI_INT") X(4, "MPI_UNSIGNED")              \
    X(8, "MPI_LONG") X(8, "MPI_UNSIGNED_LONG") X(8, "MPI_LONG_LONG") X(8, "MPI_LONG_LONG_INT")                       \
    X(8, "MPI_UNSIGNED_LONG_LONG") X(4, "MPI_FLOAT") X(8, "MPI_DOUBLE") X(16, "MPI_LONG_DOUBLE")                     \
    X(1, "MPI_INT8_T") X(2, "MPI_INT16_T") X(4, "MPI_INT32_T") X(8, "MPI_INT64_T") X(1, "MPI_UINT8_T")               \
    X(2, "MPI_UINT16_T") X(4, "MPI_UINT32_T") X(8, "MPI_UINT64_T") X(1, "MPI_C_BOOL") X(1, "MPI_CXX_BOOL")           \
    X(8, "MPI_C_COMPLEX") X(8, "MPI_C_FLOAT_COMPLEX") X(16, "MPI_C_DOUBLE_COMPLEX") X(8, "MPI_AINT")                 \
    X(8, "MPI_OFFSET") X(8, "MPI_COUNT") X(4, "MPI_INTEGER") X(4, "MPI_REAL") X(8, "MPI_DOUBLE_PRECISION")           \
    X(8, "MPI_COMPLEX") X(16, "MPI_DOUBLE_COMPLEX") X(4, "MPI_LOGICAL") X(1, "MPI_CHARACTER")                        \
    X(1, "MPI_INTEGER1") X(2, "MPI_INTEGER2") X(4, "MPI_INTEGER4") X(8, "MPI_INTEGER8") X(4, "MPI_REAL4")            \
    X(8, "MPI_REAL8") X(8, "MPI_FLOAT_INT") X(12, "MPI_DOUBLE_INT") X(12, "MPI_LONG_INT") X(8, "MPI_2INT")           \
    X(6, "MPI_SHORT_INT")
static const struct {
    int bytes;
    const char *name;
} types[] = {
#define X(bytes, name) {bytes, name},
    TYPE_LIST(X)
#undef X
};

_Static_assert(sizeof types / sizeof *types <= TYPE_NAMES_MOST, "room");

int type_bytes(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0)
            return types[i].bytes;
    return 0;
}

size_t type_names(const char *names[TYPE_NAMES_MOST])
{
    size_t n = sizeof types / sizeof *types;
    for (size_t i = 0; i < n; i++)
        names[i] = types[i].name;
    return n;
}
