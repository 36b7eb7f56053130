#include "common/infile.h"

#include "common/alloc.h"
#include "common/suggest.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The end of the first part of the path that does not exist; NULL: all exist. A link exists, whatever it points to. */
static const char *missing_end(const char *path)
{
    for (const char *at = path; *at;) {
        const char *end = at + strspn(at, "/");
        end += strcspn(end, "/");
        char *so_far = alloc_string_n(path, (size_t)(end - path));
        struct stat there;
        const bool exists = lstat(so_far, &there) == 0;
        free(so_far);
        if (!exists)
            return end;
        at = end + strspn(end, "/");
    }
    return NULL;
}

static int is_visible(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

/* How long a name is without its ending: heat of heat.c. */
static size_t stem_length(const char *name, size_t n)
{
    for (size_t at = n; at > 1; at--)
        if (name[at - 1] == '.')
            return at - 1;
    return n;
}

/* Which of the names is near to this one; NULL: none. An ending that two have in common makes them no more alike, so of
 * those with the same ending only what stands before it counts. They come first. */
static const char *near_of(const char *name, size_t n, int found, struct dirent *entries[])
{
    const size_t stem = stem_length(name, n), ending = n - stem;
    char **stems = alloc_zeroed((size_t)found, sizeof *stems);
    const char **others = alloc_zeroed((size_t)found, sizeof *others), *near = NULL;
    for (int i = 0; i < found; i++) {
        const char *entry = entries[i]->d_name;
        const size_t own = stem_length(entry, strlen(entry));
        if (strlen(entry) - own == ending && memcmp(entry + own, name + stem, ending) == 0)
            stems[i] = alloc_string_n(entry, own);
        else
            others[i] = entry;
    }
    const char *of_stems = suggest_name(name, stem, (const char *const *)stems, (size_t)found);
    for (int i = 0; i < found && of_stems; i++)
        near = stems[i] == of_stems ? entries[i]->d_name : near;
    near = near ? near : suggest_name(name, n, others, (size_t)found);
    for (int i = 0; i < found; i++)
        free(stems[i]);
    free(stems);
    free(others);
    return near;
}

/* The same of a folder's names, in the order of the alphabet; the caller frees it. */
static char *near_in(const char *folder, const char *name, size_t n)
{
    struct dirent **entries;
    int found = scandir(folder, &entries, is_visible, alphasort);
    if (found < 0)
        return NULL;
    const char *near = near_of(name, n, found, entries);
    char *copy = near ? alloc_string(near) : NULL;
    for (int i = 0; i < found; i++)
        free(entries[i]);
    free(entries);
    return copy;
}

/* The path with its first missing part replaced by what there is: with the parts behind it where that exists, too. The
 * caller frees it; NULL: nothing is similar. */
static char *meant(const char *path)
{
    const char *end = missing_end(path), *name = end;
    if (!end)
        return NULL;
    while (name > path && name[-1] != '/')
        name--;
    char *before = alloc_string_n(path, (size_t)(name - path));
    char *near = near_in(*before ? before : ".", name, (size_t)(end - name));
    char *part = near ? alloc_format("%s%s", before, near) : NULL;
    char *whole = near ? alloc_format("%s%s", part, end) : NULL;
    const bool exists = whole && access(whole, F_OK) == 0;
    free(before);
    free(near);
    free(exists ? part : whole);
    return exists ? whole : part;
}

enum status infile_refuse(const char *path, int reason, struct diags *diags)
{
    char *near = reason == ENOENT ? meant(path) : NULL;
    diag_error(diags, place_of_file(*path ? path : "''"), "cannot open: %s%s%s%s", strerror(reason),
               near ? ", did you mean `" : "", near ? near : "", near ? "`?" : "");
    free(near);
    return STATUS_IO;
}
