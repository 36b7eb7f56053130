#include "host/type.h"

#include "common/numerals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* X(word, kind, bits, unsigned): what it says of the type, on LP64 systems; bits 0: nothing. */
#define WORD_LIST(X)                                                                                                   \
    X("const", NONE, 0, 0) X("constexpr", NONE, 0, 0) X("static", NONE, 0, 0) X("inline", NONE, 0, 0)                  \
    X("extern", NONE, 0, 0) X("register", NONE, 0, 0) X("volatile", NONE, 0, 0) X("auto", NONE, 0, 0)                  \
    X("unsigned", INTEGER, 0, 1) X("signed", INTEGER, 0, 0) X("int", INTEGER, 0, 0) X("long", INTEGER, 64, 0)          \
    X("short", INTEGER, 16, 0) X("char", INTEGER, 8, 0) X("bool", INTEGER, 1, 1) X("_Bool", INTEGER, 1, 1)             \
    X("float", REAL, 0, 0) X("double", REAL, 0, 0) X("size_t", INTEGER, 64, 1) X("ssize_t", INTEGER, 64, 0)            \
    X("ptrdiff_t", INTEGER, 64, 0) X("int8_t", INTEGER, 8, 0) X("int16_t", INTEGER, 16, 0)                             \
    X("int32_t", INTEGER, 32, 0) X("int64_t", INTEGER, 64, 0) X("uint8_t", INTEGER, 8, 1)                              \
    X("uint16_t", INTEGER, 16, 1) X("uint32_t", INTEGER, 32, 1) X("uint64_t", INTEGER, 64, 1)                          \
    X("MPI_Aint", INTEGER, 64, 0) X("MPI_Offset", INTEGER, 64, 0) X("MPI_Count", INTEGER, 64, 0)
static const struct {
    const char *word;
    struct host_type type;
} words[] = {
#define X(word, kind, bits, is_unsigned) {word, {HOST_TYPE_##kind, bits, is_unsigned, false}},
    WORD_LIST(X)
#undef X
};

bool host_type_add(struct host_type *type, const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) != n || memcmp(words[i].word, word, n) != 0)
            continue;
        const struct host_type *said = &words[i].type;
        if (type->kind != HOST_TYPE_REAL && said->kind != HOST_TYPE_NONE)
            type->kind = said->kind;
        type->bits = said->bits > 0 ? said->bits : type->bits;
        type->is_unsigned = type->is_unsigned || said->is_unsigned;
        type->constant = type->constant || strncmp(word, "const", 5) == 0;
        return true;
    }
    return false;
}

struct value host_type_convert(const struct host_type *type, struct value value)
{
    static const struct value none = {VALUE_NONE, {0}};
    int bits = type->bits > 0 ? type->bits : 32;
    int64_t i;
    if (type->kind == HOST_TYPE_REAL)
        return value_real(value_as_real(value));
    if (type->kind == HOST_TYPE_NONE)
        return value;
    if (type->bits == 1)
        return value_int(value_is_true(value));
    if (value.kind == VALUE_REAL)
        value = value_real(trunc(value.r));
    if (!value_as_integer(value, &i) || (type->is_unsigned && i < 0))
        return none;
    bool fits = bits == 64 || (type->is_unsigned ? i >> bits == 0 : i >> (bits - 1) == 0 || i >> (bits - 1) == -1);
    return fits ? value_int(i) : none;
}

struct value host_fact_value(const struct fact *fact)
{
    char text[64];
    if (fact->value_length == 0 || fact->value_length >= sizeof text ||
        (fact->value_length == 1 && *fact->value == '-'))
        return (struct value){VALUE_NONE, {0}};
    memcpy(text, fact->value, fact->value_length);
    text[fact->value_length] = '\0';
    if (strpbrk(text, ".en"))
        return value_real(numerals_read(text, NULL));
    return value_int(strtoll(text, NULL, 10));
}
