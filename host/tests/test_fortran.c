#include "host/fortran/declaration.h"

#include "common/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A source as it is read. */
struct reading {
    struct source *source;
    struct host_text host;
    struct fortran_text text;
};

static struct reading *read_source(const char *name, const char *text)
{
    struct reading *r = alloc_zeroed(1, sizeof *r);
    r->source = source_from_text(name, text, strlen(text));
    assert_true(host_text_read(&r->host, r->source));
    fortran_text_read(&r->text, &r->host);
    return r;
}

static void free_reading(struct reading *r)
{
    fortran_text_free(&r->text);
    host_text_free(&r->host);
    source_destroy(r->source);
    free(r);
}

static void print_words(FILE *out, const struct host_text *host, struct host_range range)
{
    for (size_t i = range.first; i < range.end; i++)
        fprintf(out, "%s%.*s", i > range.first ? " " : "", (int)host->tokens[i].n, host->text + host->tokens[i].at);
}

static const char *kind_name(enum fortran_kind kind)
{
    static const char *const names[] = {
        [FORTRAN_EXECUTES] = "executes", [FORTRAN_DECLARES] = "declares", [FORTRAN_DATA] = "data",
        [FORTRAN_FORMAT] = "format", [FORTRAN_INCLUDE] = "include", [FORTRAN_ENTRY] = "entry", [FORTRAN_DO] = "do",
        [FORTRAN_CONCURRENT] = "concurrent", [FORTRAN_IF] = "if", [FORTRAN_SELECT] = "select", [FORTRAN_MASK] = "mask",
        [FORTRAN_CONSTRUCT] = "construct", [FORTRAN_BLOCK] = "block", [FORTRAN_DEFINITION] = "definition",
        [FORTRAN_REGION] = "region", [FORTRAN_END] = "end", [FORTRAN_END_REGION] = "end region",
        [FORTRAN_PART] = "part", [FORTRAN_UNIT] = "unit", [FORTRAN_SEPARATE] = "separate",
        [FORTRAN_CONTAINS] = "contains", [FORTRAN_END_UNIT] = "end unit", [FORTRAN_CONDITION] = "condition",
        [FORTRAN_PREFIX] = "prefix", [FORTRAN_END_PREFIX] = "end prefix"};
    return names[kind];
}

/* Statements by their numbers: "KIND[ LABEL] in OUTER[ to LAST]: words"; - for none. */
static char *statements_of(const char *name, const char *text)
{
    struct reading *r = read_source(name, text);
    char *got;
    size_t length;
    FILE *out = open_memstream(&got, &length);
    for (size_t i = 0; i < r->text.n; i++) {
        const struct fortran_statement *s = &r->text.list[i];
        fprintf(out, "%zu %s", i, kind_name(s->kind));
        if (s->label != 0)
            fprintf(out, " %ld", s->label);
        if (s->outer != FORTRAN_NONE)
            fprintf(out, " in %zu", s->outer);
        if (s->last == FORTRAN_NONE)
            fputs(" to -", out);
        else if (s->last != i)
            fprintf(out, " to %zu", s->last);
        fputs(": ", out);
        print_words(out, &r->host, (struct host_range){s->first, s->end});
        putc('\n', out);
    }
    fclose(out);
    free_reading(r);
    return got;
}

static void expect_statements(const char *name, const char *text, const char *right)
{
    char *got = statements_of(name, text);
    assert_string_equal(got, right);
    free(got);
}

static void test_lines(void **state)
{
    (void)state;
    expect_statements("a.f90", "x = 'a;b' ! c\ncall f(1, & ! more\n\n  & 2); y = 3\n10 continue\nloop: do i = 1, 2\nend do loop\n",
                      "0 executes: x = '   '\n1 executes: call f ( 1 , 2 )\n2 executes: y = 3\n3 executes 10: continue\n"
                      "4 do to 5: do i = 1 , 2\n5 end in 4: end do loop\n");
    expect_statements("a.f", "C     x = 1\n      x =\n     &    2 ! c\n*\n     1  + 3\n 7    y = 4\n",
                      "0 executes: x = 2 + 3\n1 executes 7: y = 4\n");
}

static void test_no_word_is_reserved(void **state)
{
    (void)state;
    expect_statements("a.f90", "if(i) = 1\ndo = 2\nend = 3\nmodule%x = 4\ndata(1) = 5\nuse => p\ninteger = 6\n",
                      "0 executes: if ( i ) = 1\n1 executes: do = 2\n2 executes: end = 3\n3 executes: module % x = 4\n"
                      "4 executes: data ( 1 ) = 5\n5 executes: use => p\n6 executes: integer = 6\n");
}

static void test_nesting(void **state)
{
    (void)state;
    expect_statements("a.f90",
                      "do i = 1, 2\nif (i > 1) then\ncall f\nelse\nwhere (a > 0)\na = 1\nend where\nendif\nenddo\n"
                      "select case (i)\ncase (1)\nend select\nif (i > 1) return\n",
                      "0 do to 8: do i = 1 , 2\n1 if in 0 to 7: if ( i > 1 ) then\n2 executes in 1: call f\n"
                      "3 part in 1: else\n4 mask in 1 to 6: where ( a > 0 )\n5 executes in 4: a = 1\n"
                      "6 end in 4: end where\n7 end in 1: endif\n8 end in 0: enddo\n9 select to 11: select case ( i )\n"
                      "10 part in 9: case ( 1 )\n11 end in 9: end select\n12 executes: if ( i > 1 ) return\n");
    expect_statements("a.f", "      do 10 i = 1, 2\n      do 10 j = 1, 2\n 10   x = 1\n      do20k=1,3\n 20   continue\n",
                      "0 do to 2: do 10 i = 1 , 2\n1 do in 0 to 2: do 10 j = 1 , 2\n2 executes 10 in 1: x = 1\n"
                      "3 do to 4: do20k = 1 , 3\n4 executes 20 in 3: continue\n");
    expect_statements("a.f90", "!$omp parallel\nif (n > 1) then\n!$omp parallel do\ndo i = 1, n\nend do\nend if\n!$omp end parallel\n",
                      "0 region to 6: \n1 if in 0 to 5: if ( n > 1 ) then\n2 prefix in 1: \n"
                      "3 do in 1 to 4: do i = 1 , n\n4 end in 3: end do\n5 end in 1: end if\n6 end region in 0: \n");
}

/* Both sides of conditional compilation are read, so an `end` may be one too many or too few. */
static void test_ends_close_their_own(void **state)
{
    (void)state;
    expect_statements("a.F90", "if (a) then\n#ifdef A\ndo i = 1, 2\n#else\ndo i = 1, 3\n#endif\nend do\nend if\nb = 1\n",
                      "0 if to 7: if ( a ) then\n1 condition in 0: # ifdef a\n2 do in 0 to -: do i = 1 , 2\n"
                      "3 condition in 2: # else\n4 do in 2 to 6: do i = 1 , 3\n5 condition in 4: # endif\n"
                      "6 end in 4: end do\n7 end in 2: end if\n8 executes: b = 1\n");
    expect_statements("a.F90", "do i = 1, 2\nif (a) then\n#ifdef A\nend if\n#else\nend if\n#endif\nb = 1\nend do\n",
                      "0 do to 8: do i = 1 , 2\n1 if in 0 to 3: if ( a ) then\n2 condition in 1: # ifdef a\n"
                      "3 end in 1: end if\n4 condition in 0: # else\n5 end in 0: end if\n6 condition in 0: # endif\n"
                      "7 executes in 0: b = 1\n8 end in 0: end do\n");
}

/* Units: "NAME[ headless][ module][ pure][ interface] in OUTER, FIRST to LAST". */
static void expect_units(const char *text, const char *right)
{
    struct reading *r = read_source("a.f90", text);
    char *got;
    size_t length;
    FILE *out = open_memstream(&got, &length);
    for (size_t u = 0; u < r->text.n_units; u++) {
        const struct fortran_unit *unit = &r->text.units[u];
        if (unit->name != FORTRAN_NONE)
            print_words(out, &r->host, (struct host_range){unit->name, unit->name + 1});
        fprintf(out, "%s%s%s%s", unit->headless ? " headless" : "", unit->procedure ? "" : " module",
                unit->pure ? " pure" : "", unit->interface ? " interface" : "");
        if (unit->outer != FORTRAN_NONE)
            fprintf(out, " in %zu", unit->outer);
        fprintf(out, ", %zu to %zd\n", unit->first, (ssize_t)unit->last);
    }
    fclose(out);
    assert_string_equal(got, right);
    free(got);
    free_reading(r);
}

static void test_units(void **state)
{
    (void)state;
    expect_units("module m\ninterface\nsubroutine s(x)\nend subroutine\nmodule procedure t\nend interface\ncontains\n"
                 "pure real(kind=k) function f(x) result(y)\nend function f\nend module m\n"
                 "submodule (m) n\ncontains\nmodule procedure u\nend procedure\nend submodule\nblock data\nend\n",
                 "m module, 0 to 9\ns interface in 0, 2 to 3\nf pure in 0, 7 to 8\n module, 10 to 14\nu in 3, 12 to 13\n"
                 " module, 15 to 16\n");
    expect_units("use m\nx = 1\ncontains\nsubroutine s\nend\nend\nrecursive subroutine t\n",
                 " headless, 0 to 5\ns in 0, 3 to 4\nt, 6 to -1\n");
}

static void test_what_a_token_is_in(void **state)
{
    (void)state;
    struct reading *r = read_source("a.f90", "x = 1\ncontains\nsubroutine s\ny = 2\nend\nend\nsubroutine t\nend\nz = 3\n");
    size_t y = 6; /* x = 1 \n contains \n subroutine s \n y */
    while (!host_token_is(&r->host, y, "y"))
        y++;
    assert_int_equal(fortran_unit_at(&r->text, 0), FORTRAN_NONE);
    assert_int_equal(fortran_unit_at(&r->text, y), 1);
    assert_int_equal(fortran_unit_around(&r->text, 1), FORTRAN_NONE);
    assert_int_equal(fortran_unit_named(&r->text, 0), FORTRAN_NONE);
    assert_true(host_token_is(&r->host, fortran_unit_end(&r->text, 1), "end"));
    assert_int_equal(fortran_unit_at(&r->text, r->host.n - 2), FORTRAN_NONE);
    const size_t length = r->source->length, contains = (size_t)(strstr(r->source->text, "contains") - r->source->text);
    assert_int_equal(fortran_procedure_end(&r->text, 0, length), contains);
    assert_int_equal(fortran_procedure_end(&r->text, 0, 5), 5);
    free_reading(r);
}

/* All names that statements declare: "NAME[ TYPE][ array][ procedure][ constant][ = value]". */
static void expect_entities(const char *name, const char *text, const char *right)
{
    static const char *const types[] = {"", " integer", " real", " other"};
    struct reading *r = read_source(name, text);
    char *got;
    size_t length;
    FILE *out = open_memstream(&got, &length);
    for (size_t i = 0; i < r->text.n; i++) {
        struct fortran_entities entities;
        struct fortran_entity entity;
        fortran_entities_begin(&entities, &r->text, i);
        while (fortran_entities_next(&entities, &entity)) {
            print_words(out, &r->host, (struct host_range){entity.name, entity.name + 1});
            fprintf(out, "%s%s%s%s", types[entity.type], entity.array ? " array" : "",
                    entity.procedure ? " procedure" : "", entity.constant ? " constant" : "");
            if (entity.value.first < entity.value.end)
                fputs(" = ", out);
            print_words(out, &r->host, entity.value);
            putc('\n', out);
        }
    }
    fclose(out);
    assert_string_equal(got, right);
    free(got);
    free_reading(r);
}

static void test_types(void **state)
{
    (void)state;
    expect_entities("a.f90", "integer, parameter :: n = 2*(3 + m), k(2) = [1, 2]\nreal(8) x, y(n)\ndouble precision z\n"
                    "double complex c\ncharacter*(*) s\ninteger*4 i4, j*8\nreal, dimension(3) :: a, b = 1.0d-1\n"
                    "type(t), pointer :: p => null()\nreal, external :: f\nprocedure(g), pointer :: h\n",
                    "n integer constant = 2 * ( 3 + m )\nk integer array constant = [ 1 , 2 ]\nx real\ny real array\n"
                    "z real\nc other\ns other\ni4 integer\nj integer\na real array\nb real array = 1.0d-1\np other\n"
                    "f real procedure\nh other procedure\n");
    expect_entities("a.F90", "integer, parameter :: &\n#ifdef A\n  n = 1, &\n#else\n  n = 2, &\n#endif\n  m = 3\n",
                    "n integer constant = 1\nn integer constant = 2\nm integer constant = 3\n");
    expect_entities("a.f90", "integer(8) function f(x)\nimplicit integer (a-h)\nprivate :: x\nx = 1\nend\n", "");
}

static void test_other_statements(void **state)
{
    (void)state;
    expect_entities("a.f", "      dimension a(2), b(n, m)\n      common c, d(3) /blk/ e /other/ g, h // i\n      save /blk/, j\n"
                    "      external f\n      parameter (k = 5, l = (1+k)*2)\n",
                    "a array\nb array\nc\nd array\ne\ng\nh\ni\nj\nf procedure\nk constant = 5\nl constant = ( 1 + k ) * 2\n");
    expect_entities("a.f90", "enum, bind(c)\nenumerator :: red = 4, blue\nend enum\n", "red integer = 4\nblue integer\n");
}

static void test_data(void **state)
{
    (void)state;
    expect_entities("a.f", "      data n, x /1, -2.5/, s, t / 2*7 /\n      data (g(i), i = 1, 3), u /4*0/\n"
                    "      data grid(2), v /1, 'a/b'/, w /k*1/\n",
                    "n = 1\nx = - 2.5\ns = 7\nt = 7\nu\ngrid array = 1\nv = '   '\nw\n");
}

/* What a name of the place is in the module; NULL: it gives none. */
static void expect_used(const char *statement, const char *name, const char *right)
{
    struct reading *r = read_source("a.f90", statement);
    struct fortran_use use;
    size_t n = strlen(name);
    const char *word = name;
    assert_true(fortran_use_read(&r->text, 0, &use));
    assert_true(host_token_is(&r->host, use.module, "m"));
    assert_int_equal(fortran_use_name(&r->host, &use, &word, &n), right != NULL);
    if (right) {
        assert_int_equal(n, strlen(right));
        assert_memory_equal(word, right, n);
    }
    free_reading(r);
}

static void test_uses(void **state)
{
    (void)state;
    struct fortran_use use;
    expect_used("use m", "a", "a");
    expect_used("use, non_intrinsic :: m, only: a, b => c", "a", "a");
    expect_used("use m, only: a, b => c", "b", "c");
    expect_used("use :: m, only: a, b => c", "c", NULL);
    expect_used("use m, only:", "a", NULL);
    expect_used("use m, b => c", "b", "c");
    expect_used("use m, b => c", "c", NULL);
    expect_used("use m, b => c", "d", "d");
    struct reading *r = read_source("a.f90", "use, intrinsic :: iso_c_binding\nuse m n\nuse(1) = 2\nsubmodule (m:k) l\n");
    assert_true(fortran_use_read(&r->text, 0, &use));
    assert_true(use.intrinsic);
    assert_false(fortran_use_read(&r->text, 1, &use));
    assert_false(fortran_use_read(&r->text, 2, &use));
    assert_true(fortran_use_read(&r->text, 3, &use));
    assert_true(use.inherits);
    assert_true(host_token_is(&r->host, use.module, "m"));
    free_reading(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),           cmocka_unit_test(test_no_word_is_reserved),
        cmocka_unit_test(test_nesting),         cmocka_unit_test(test_ends_close_their_own),
        cmocka_unit_test(test_units),           cmocka_unit_test(test_what_a_token_is_in),
        cmocka_unit_test(test_types),           cmocka_unit_test(test_other_statements),
        cmocka_unit_test(test_data),            cmocka_unit_test(test_uses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
