#include "host/flags.h"

#include "common/alloc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void flags_add(struct flags *flags, char *word)
{
    flags->list = alloc_grow(flags->list, flags->n, &flags->capacity, sizeof *flags->list);
    flags->list[flags->n++] = word;
}

void flags_free(struct flags *flags)
{
    for (size_t i = 0; i < flags->n; i++)
        free(flags->list[i]);
    free(flags->list);
    *flags = (struct flags){0};
}

void flags_split(struct flags *flags, const char *command)
{
    while (*command) {
        while (isspace((unsigned char)*command))
            command++;
        if (!*command)
            return;
        char *word = alloc_array(strlen(command) + 1, 1), quote = '\0';
        size_t n = 0;
        for (; *command && (quote || !isspace((unsigned char)*command)); command++) {
            bool escapes = *command == '\\' && quote != '\'' && command[1] &&
                           (!quote || strchr("\"\\$`", command[1]));
            if (escapes)
                word[n++] = *++command;
            else if (quote ? *command == quote : *command == '"' || *command == '\'')
                quote = quote ? '\0' : *command;
            else
                word[n++] = *command;
        }
        word[n] = '\0';
        flags_add(flags, word);
    }
}

bool flags_say_cpp(const char *path, const char *flags)
{
    const char *dot = strrchr(path, '.');
    bool cpp = dot && strcasecmp(dot, ".c") != 0 && strcasecmp(dot, ".h") != 0;
    struct flags words = {0};
    flags_split(&words, flags ? flags : "");
    for (size_t i = 0; i + 1 < words.n; i++)
        if (strcmp(words.list[i], "-x") == 0)
            cpp = strncmp(words.list[i + 1], "c++", 3) == 0;
    flags_free(&words);
    return cpp;
}

/* What a command prints, up to 64 KiB; NULL: it failed. Allocated. */
static char *output_of(const char *command)
{
    char *text = NULL, buffer[1024];
    size_t length;
    FILE *in = popen(command, "r"), *out = open_memstream(&text, &length);
    for (size_t n, all = 0; in && all < 1 << 16 && (n = fread(buffer, 1, sizeof buffer, in)) > 0; all += n)
        fwrite(buffer, 1, n, out);
    fclose(out);
    if (in && pclose(in) == 0 && length > 0)
        return text;
    free(text);
    return NULL;
}

bool flags_add_mpi(struct flags *flags, bool cpp)
{
    static const char *const asked[2][2] = {
        {"mpicc --showme:compile 2>/dev/null", "mpicc -compile_info 2>/dev/null"},
        {"mpicxx --showme:compile 2>/dev/null", "mpicxx -compile_info 2>/dev/null"}};
    struct flags said = {0};
    char *text = output_of(asked[cpp][0]);
    if (!text)
        text = output_of(asked[cpp][1]);
    if (!text)
        return false;
    flags_split(&said, text);
    free(text);
    for (size_t i = 0; i < said.n; i++) {
        const char *word = said.list[i];
        if (strncmp(word, "-I", 2) == 0 && word[2])
            flags_add(flags, alloc_format("-isystem%s", word + 2));
        else if (strncmp(word, "-D", 2) == 0 && word[2])
            flags_add(flags, alloc_string(word));
    }
    flags_free(&said);
    return true;
}
