#include "timing/tests/records.h"

#include "common/alloc.h"
#include "timing/instrument.h"

/* Instruments the first of some files, given as pairs of name and text up to NULL; files whose names end in .inc are
 * included by the first. */
static char *timed_of(struct diags *diags, const char *const files[])
{
    struct source *first = NULL, **next = &first, **included = NULL;
    for (size_t i = 0; files[i]; i += 2) {
        struct source *file = source_from_text(files[i], files[i + 1], strlen(files[i + 1]));
        size_t n = strlen(files[i]);
        if (n > 4 && strcmp(files[i] + n - 4, ".inc") == 0) {
            file->host = first->host;
            *included = file;
            included = &file->next;
        } else {
            *next = file;
            next = &file->next;
            included = included ? included : &file->included;
        }
    }
    char *timed;
    assert_int_equal(instrument_source(first, first, &timed, diags), STATUS_OK);
    source_destroy(first);
    return timed;
}

/* What becomes of `text` in a file of that name, and that a diagnostic says `message` (NULL: none but notes). */
static void file_becomes(const char *name, const char *text, const char *wanted, const char *message)
{
    struct diags diags = DIAGS_EMPTY;
    char *timed = timed_of(&diags, (const char *const[]){name, text, NULL});
    assert_string_equal(timed, wanted);
    free(timed);
    if (!message)
        assert_int_equal(diags.n_warnings, 0);
    assert_said(&diags, message ? message : "timed");
}

/* The same of the statements of a program; in `wanted` BEGIN(a) and END(a) stand for the calls. */
static void becomes(const char *body, const char *wanted, const char *message)
{
    char *text = alloc_format("program p\n  implicit none\n  integer :: n, i\n%send\n", body), *expected;
    size_t length;
    FILE *out = open_memstream(&expected, &length);
    fprintf(out, "program p\n%s  implicit none\n  integer :: n, i\n", strstr(wanted, "BEGIN")
            ? "  use pevpm_time, only: pevpm_time_begin, pevpm_time_end\n" : "");
    for (const char *at = wanted; *at; at++) {
        bool begin = strncmp(at, "BEGIN(", 6) == 0, end = strncmp(at, "END(", 4) == 0;
        if (begin || end) {
            at += begin ? 6 : 4;
            fprintf(out, "call pevpm_time_%s('%.*s')", begin ? "begin" : "end", (int)strcspn(at, ")"), at);
            at += strcspn(at, ")");
        } else {
            fputc(*at, out);
        }
    }
    fputs("end\n", out);
    fclose(out);
    file_becomes("t.f90", text, expected, message);
    free(expected);
    free(text);
}

static void test_statements(void **state)
{
    (void)state;
    becomes("  ! PEVPM Serial time = measured(a)\n  call x('! \"', & ! more\n    n) ! end if\n  n = 1\n",
            "  ! PEVPM Serial time = measured(a)\n  BEGIN(a)\n  call x('! \"', & ! more\n    n) ! end if\n  n = 1\n"
            "  END(a)\n", NULL);
    becomes("! PEVPM Serial time = measured(a)\nn = 1; i = 2; if (n > 0) then\n! PEVPM Serial time = 3\nend if\n",
            "! PEVPM Serial time = measured(a)\nBEGIN(a)\nn = 1; i = 2\nEND(a); if (n > 0) then\n"
            "! PEVPM Serial time = 3\nend if\n", NULL);
    becomes("! PEVPM Serial on m time = 2\n! PEVPM Serial time = measured(a)\nend_do = 1\nif(i) = 2\ndo = 3\nreturn = 1\n",
            "! PEVPM Serial on m time = 2\n! PEVPM Serial time = measured(a)\nBEGIN(a)\nend_do = 1\nif(i) = 2\ndo = 3\n"
            "return = 1\nEND(a)\n", NULL);
    becomes("n = 1 ! PEVPM Serial time = measured(a)\nn = 2 ! PEVPM Serial time = measured(b)\nn = 3\n",
            "n = 1 ! PEVPM Serial time = measured(a)\nBEGIN(a)\nn = 2 ! PEVPM Serial time = measured(b)\nEND(a)\n"
            "BEGIN(b)\nn = 3\nEND(b)\n", NULL);
}

/* Every construct is one statement. */
static void test_constructs(void **state)
{
    (void)state;
    static const char *const constructs[] = {
        "do i = 1, n\nx = 1\nend do\n", "do\nexit\nenddo\n", "do while (n > 1)\ncycle\nend do\n",
        "do concurrent (i = 1:n)\nx = 1\nend do\n", "a: do\ndo\nexit a\nend do\nend do a\n",
        "a: if (n > 1) then\nexit a\nend if a\n", "if (n > 1) then\nelse if (n > 2) then\nelse\nendif\n",
        "select case (n)\ncase (1)\ncase default\nend select\n", "select type (x)\ntype is (t)\nclass default\nend select\n",
        "select rank (x)\nrank (1)\nrank default\nend select\n", "where (v > 1)\nv = 1\nelsewhere\nv = 2\nend where\n",
        "forall (i = 1:n)\nv(i) = 1\nend forall\n", "associate (k => n)\nend associate\n",
        "block\nuse m\ninteger :: k\nk = 1\nend block\n", "critical\nend critical\n", "change team (t)\nend team\n",
        "where (v > 1) v = 1\n", "if (n > 1) stop\n", "do 10 i = 1, n\nif (i > 3) goto 10\n10 continue\n",
        "do 20 i = 1, n\ndo 20 k = 1, n\n20 v(i) = 1\n", "do i = 1, n\nif (i > 2) go to 30\n30 v(i) = 1\nend do\n",
        "call MPI_Comm_rank(c, n, i)\nt = MPI_Wtime()\n", "40 format (i0)\nprint 40, n\n",
        "do i = 1, n\nread (5, *, err=50) k\n50 k = 1\nif (k - 1) 50, 60, 60\n60 goto (50, 60), k\nend do\n",
        "!$omp parallel do &\n!$omp private(k)\ndo i = 1, n\nend do\n!$omp end parallel do\n",
        "!$omp parallel\n!$omp do\ndo i = 1, n\nend do\n!$omp end do\n!$omp end parallel\n", "!dir$ ivdep\ndo i = 1, n\nend do\n",
        "!$omp barrier\nn = 1\n!$omp taskwait\n", "!$acc update host(v)\n",
        "!$omp atomic\nn = n + 1\n", "if (n > 1) then\n!$omp parallel\nn = 1\nend if\n", "!$omp parallel\n!$omp atomic\nn = 1\n!$omp end atomic\n!$omp end parallel\n",
        "!$omp target enter data map(v)\n!$omp critical (x)\nn = 1\n!$omp endcritical\n", "!$acc data copy(v)\nn = 1\n!$acc end data\n",
    };
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
        char *from = alloc_format("! PEVPM Serial time = measured(a)\n%s", constructs[i]);
        char *to = alloc_format("! PEVPM Serial time = measured(a)\nBEGIN(a)\n%sEND(a)\n", constructs[i]);
        becomes(from, to, NULL);
        free(from);
        free(to);
    }
}

/* The end of a compiler's directive stays at its loop. */
static void test_end_behind_directive(void **state)
{
    (void)state;
    becomes("! PEVPM Serial time = measured(a)\n!$omp do\ndo i = 1, n\nend do\n! PEVPM Serial time = measured(b)\n!$omp end do\n"
            "n = 1\n",
            "! PEVPM Serial time = measured(a)\nBEGIN(a)\n!$omp do\ndo i = 1, n\nend do\n! PEVPM Serial time = measured(b)\n"
            "!$omp end do\nEND(a)\nBEGIN(b)\nn = 1\nEND(b)\n", NULL);
}

/* The block, or a statement that holds further directives, ends what is timed. */
static void test_ends(void **state)
{
    (void)state;
    static const char *const around[][2] = {
        {"do i = 1, n", "end do"}, {"if (n > 1) then", "else\nn = 3\nend if"}, {"select case (n)\ncase (1)", "case (2)\nend select"},
        {"block", "end block"}, {"do 10 i = 1, n", "10 continue"}, {"!$omp parallel", "!$omp end parallel"},
        {"!$omp parallel\n!$omp barrier", "!$omp end parallel"},
        {"!$omp sections\n!$omp section", "!$omp section\n!$omp end sections"},
    };
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        char *from = alloc_format("%s\n! PEVPM Serial time = measured(a)\nn = 1\n%s\nn = 2\n", around[i][0], around[i][1]);
        char *to = alloc_format("%s\n! PEVPM Serial time = measured(a)\nBEGIN(a)\nn = 1\nEND(a)\n%s\nn = 2\n",
                                around[i][0], around[i][1]);
        becomes(from, to, NULL);
        free(from);
        free(to);
        from = alloc_format("! PEVPM Serial time = measured(a)\nn = 0\n%s\n! PEVPM Serial time = 3\n%s\n", around[i][0],
                            around[i][1]);
        to = alloc_format("! PEVPM Serial time = measured(a)\nBEGIN(a)\nn = 0\nEND(a)\n%s\n! PEVPM Serial time = 3\n%s\n",
                          around[i][0], around[i][1]);
        becomes(from, to, NULL);
        free(from);
        free(to);
    }
}

static void test_left(void **state)
{
    (void)state;
    static const char *const ends[][2] = {
        {"if (n > 1) return\n", "t.f90:6:12: warning: from here on nothing of this block is timed: this leaves the block"},
        {"if (n > 1) exit\n", "t.f90:6:12: warning: from here on"}, {"cycle\n", "this leaves the block"},
        {"do\ncycle a\nend do\n", "t.f90:7:1: warning: from here on"}, {"goto 10\n", "this leaves the block"},
        {"go to 10\n", "this leaves the block"}, {"if (n) 10, 20, 30\n", "this leaves the block"},
        {"goto (10, 20), n\n", "this leaves the block"}, {"read (5, *, end=10) n\n", "this leaves the block"},
        {"call x(n, *10)\n", "this leaves the block"}, {"do\nreturn\nend do\n", "this leaves the block"},
        {"stop 'x'\n", "this leaves the block"}, {"10 n = 1\n", "t.f90:6:1: warning: from here on nothing of this block is timed: "
        "this label is jumped to"}, {"do\ncall MPI_Send(n)\nend do\n", "t.f90:7:1: warning: from here on nothing of this block is "
        "timed: an MPI call is no Serial time"}, {"if (n > 1) call mpi_bcast(n)\n", "an MPI call is no Serial time"},
        {"include 'x.inc'\n", "what is included here is not read"}, {"entry other\n", "the procedure is also entered here"},
        {"#ifdef X\n#endif\n", "conditional compilation starts or ends"},
        {"do i = 1, n\n#ifdef X\nn = 3\n#endif\nend do\n", "t.f90:7:1: warning: from here on nothing of this block is timed: conditional"},
        {"n = &\n#ifdef X\n3\n#endif\n", "conditional compilation starts or ends"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char *from = alloc_format("! PEVPM Serial time = measured(a)\nn = 2\n%s", ends[i][0]);
        char *to = alloc_format("! PEVPM Serial time = measured(a)\nBEGIN(a)\nn = 2\nEND(a)\n%s", ends[i][0]);
        becomes(from, to, ends[i][1]);
        free(from);
        free(to);
    }
    becomes("10 continue\n! PEVPM Serial time = measured(a)\nn = 2\nif (n > 1) goto 10\n",
            "10 continue\n! PEVPM Serial time = measured(a)\nBEGIN(a)\nn = 2\nEND(a)\nif (n > 1) goto 10\n",
            "t.f90:7:12: warning: from here on nothing of this block is timed: this leaves the block");
}

static void test_not_timed(void **state)
{
    (void)state;
    static const char *const bodies[][2] = {
        {"! PEVPM Serial time = measured(a)\n", "t.f90:4:32: warning: not timed: no whole statement stands between this and the next"},
        {"! PEVPM Serial time = measured(a)\nreturn\n", "t.f90:5:1: warning: not timed: this leaves the block"},
        {"! PEVPM Serial time = measured(a)\nreal :: x\nn = 1\n", "t.f90:5:1: warning: not timed: declarations stand here"},
        {"! PEVPM Serial time = measured(a)\ndata n /3/\nreal :: x\n", "t.f90:6:1: warning: not timed: declarations stand here"},
        {"! PEVPM Serial time = measured(a)\nf(i) = 2*i\nreal :: x\n", "t.f90:5:1: warning: not timed: declarations stand here"},
        {"interface\nsubroutine s\n! PEVPM Serial time = measured(a)\nn = 1\nend subroutine\nend interface\n",
         "t.f90:6:32: warning: not timed: the code stands outside any procedure"},
        {"! PEVPM Serial time = measured(a)\nn(i) = 2*i\n", "t.f90:5:1: warning: not timed: declarations stand here"},
        {"type t\n! PEVPM Serial time = measured(a)\nn = 1\nend type\n", "t.f90:5:32: warning: not timed: the code stands outside any procedure"},
        {"! PEVPM Serial time = measured(a)\n!$omp threadprivate(i)\nn = 1\n",
         "t.f90:5:1: warning: not timed: declarations stand here"},
        {"where (v > 1)\n! PEVPM Serial time = measured(a)\nv = 1\nend where\n", "t.f90:6:1: warning: not timed: no call may stand in where"},
        {"do concurrent (i=1:3)\nif (n > 1) then\n! PEVPM Serial time = measured(a)\nn = 1\nend if\nend do\n", "no call may stand in where"},
        {"!$omp parallel do\n! PEVPM Serial time = measured(a)\ndo i = 1, n\nend do\n", "t.f90:6:1: warning: not timed: no statement starts here"},
        {"do 10 i = 1, n\n! PEVPM Serial time = measured(a)\n10 n = 1\n", "t.f90:6:1: warning: not timed: a loop ends with this statement"},
        {"do 10 i = 1, n\n! PEVPM Serial time = measured(a)\ndo 10 k = 1, n\n10 continue\n",
         "t.f90:6:1: warning: not timed: the loop around this one ends with the same statement"},
        {"select case (n)\n! PEVPM Serial time = measured(a)\ncase (1)\nend select\n", "no whole statement stands between"},
        {"contains\n! PEVPM Serial time = measured(a)\npure subroutine s\nn = 1\nend subroutine\n", "no whole statement stands between"},
        {"contains\nelemental subroutine s(n)\n! PEVPM Serial time = measured(a)\nn = 1\nend subroutine\n",
         "t.f90:6:32: warning: not timed: the procedure is pure or elemental, and may call no timer"},
        {"contains\n! PEVPM Serial time = measured(a)\nn = 1\n", "the code stands outside any procedure"},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        becomes(bodies[i][0], bodies[i][0], bodies[i][1]);
    file_becomes("t.F90", "#ifdef A\nsubroutine s(n)\n#else\nsubroutine s(n, k)\n#endif\n! PEVPM Serial time = measured(a)\n"
                 "n = 1\nend\n", "#ifdef A\nsubroutine s(n)\n#else\nsubroutine s(n, k)\n#endif\n"
                 "! PEVPM Serial time = measured(a)\nn = 1\nend\n",
                 "not timed: the first statement of this procedure is compiled on another condition");
}

#define USE "use pevpm_time, only: pevpm_time_begin, pevpm_time_end\n"
#define A "! PEVPM Serial time = measured(a)\n"
#define BEGIN_A "call pevpm_time_begin('a')\n"
#define END_A "call pevpm_time_end('a')\n"

/* `use` goes behind the statement that begins the innermost unit, once. */
static void test_use(void **state)
{
    (void)state;
    file_becomes("t.f90", "subroutine s(n, & ! of n\n  k) ! of k\n  use m\n  implicit none\n" A "n = 1\n" A "n = 2\nend\n",
                 "subroutine s(n, & ! of n\n  k) ! of k\n  " USE "  use m\n  implicit none\n" A BEGIN_A "n = 1\n" END_A
                 A BEGIN_A "n = 2\n" END_A "end\n", NULL);
    file_becomes("t.f90", "! no first statement\nuse m\n" A "n = 1\nend\n",
                 "! no first statement\n" USE "use m\n" A BEGIN_A "n = 1\n" END_A "end\n", NULL);
    file_becomes("t.f90", A "n = 1\nend\n", A USE BEGIN_A "n = 1\n" END_A "end\n", NULL);
    file_becomes("t.f90", "program p; use m\n" A "n = 1\nend",
                 "program p\n    " "use pevpm_time, only: pevpm_time_begin, pevpm_time_end; use m\n" A BEGIN_A "n = 1\n"
                 END_A "end", NULL);
    file_becomes("t.f90", "module m\ncontains\n  real(kind(1d0)) recursive function f(x)\n" A "x = 1\n  end function\n"
                 "  subroutine s\n  call t\n  end\nend module\n",
                 "module m\ncontains\n  real(kind(1d0)) recursive function f(x)\n" USE A BEGIN_A "x = 1\n" END_A
                 "  end function\n  subroutine s\n  call t\n  end\nend module\n", NULL);
    file_becomes("t.f90", "submodule (m) n\ncontains\n  module procedure f\n" A "x = 1\n  end procedure\nend submodule\n",
                 "submodule (m) n\ncontains\n  module procedure f\n" USE A BEGIN_A "x = 1\n" END_A
                 "  end procedure\nend submodule\n", NULL);
    file_becomes("t.f90", "program p\n  interface\n    subroutine s(n)\n    integer :: n\n    end subroutine\n"
                 "    module procedure g\n  end interface\n" A "n = 1\ncontains\nend\n",
                 "program p\n  " USE "  interface\n    subroutine s(n)\n    integer :: n\n    end subroutine\n"
                 "    module procedure g\n  end interface\n" A BEGIN_A "n = 1\n" END_A "contains\nend\n", NULL);
    file_becomes("t.F90", "subroutine s(n, &\n#include \"names.h\"\n  , k)\n  integer :: n\n" A "n = 1\nend\n",
                 "subroutine s(n, &\n#include \"names.h\"\n  , k)\n  " USE "  integer :: n\n" A BEGIN_A "n = 1\n" END_A "end\n",
                 NULL);
    file_becomes("t.f90", "program p\n  type t\n  contains\n    procedure :: f\n  end type\n" A "n = 1\nend\n",
                 "program p\n  " USE "  type t\n  contains\n    procedure :: f\n  end type\n" A BEGIN_A "n = 1\n" END_A
                 "end\n", NULL);
    file_becomes("t.f90", "program p\r\n" "! PEVPM Serial time = measured(a)\r\n" "\tn = 1\r\nend\r\n",
                 "program p\r\n\t" USE "! PEVPM Serial time = measured(a)\r\n" "\t" BEGIN_A "\tn = 1\r\n\t" END_A "end\r\n",
                 NULL);
}

static void test_fixed_form(void **state)
{
    (void)state;
    file_becomes("t.f", "C     A program\n      n = 1\nC PEVPM Serial time = measured(a)\n      DO10I=1,3\n      IF(I.EQ.2)GOTO10\n"
                 "      n = n +\n     &  i ! and more\n   10 CONTINUE\nc$omp parallel do\nc$omp+ private(k)\n      do k = 1, 2\n"
                 "      enddo\n* PEVPM Serial time = 3\n      END\n",
                 "C     A program\n      " USE "      n = 1\nC PEVPM Serial time = measured(a)\n      " BEGIN_A "      DO10I=1,3\n"
                 "      IF(I.EQ.2)GOTO10\n      n = n +\n     &  i ! and more\n   10 CONTINUE\nc$omp parallel do\n"
                 "c$omp+ private(k)\n      do k = 1, 2\n      enddo\n      " END_A "* PEVPM Serial time = 3\n      END\n",
                 NULL);
    file_becomes("t.f", "C PEVPM Serial time = measured(a)\nc$omp parallel do\n      do i = 1, 2\n      enddo\n      end\n",
                 "C PEVPM Serial time = measured(a)\n      " USE "      " BEGIN_A "c$omp parallel do\n      do i = 1, 2\n"
                 "      enddo\n      " END_A "      end\n", NULL);
    file_becomes("t.f", "! PEVPM Serial time = measured(a, first_number + second_number * third_number)\n"
                 "      first_number = second_number + third_number\n      end\n",
                 "! PEVPM Serial time = measured(a, first_number + second_number * third_number)\n      " USE
                 "      call pevpm_time_begin('a', dble(first_number + second_number * thi\n     &rd_number))\n"
                 "      first_number = second_number + third_number\n      " END_A "      end\n", NULL);
}

/* Lines that would be too long go on in further ones. */
static void test_long_lines(void **state)
{
    (void)state;
    char sum[400] = "n";
    for (size_t i = 0; i < 60; i++)
        strcat(sum, " + n");
    struct diags diags = DIAGS_EMPTY;
    char *text = alloc_format("! PEVPM Serial time = measured(a, %s)\nn = 1\nend\n", sum);
    char *timed = timed_of(&diags, (const char *const[]){"t.f90", text, NULL});
    for (const char *line = strstr(timed, "call pevpm_time_begin"); *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 132);
    assert_non_null(strstr(timed, "&\n    &"));
    assert_int_equal(diags.n_warnings, 0);
    diags_free(&diags);
    free(timed);
    free(text);
    file_becomes("t.f", A "                                                 n = 1\n      end\n",
                 A "                                                 " "use pevpm_time, only: p\n"
                 "     &evpm_time_begin, pevpm_time_end\n"
                 "                                                 " "call pevpm_time_begin('\n     &a')\n"
                 "                                                 n = 1\n"
                 "                                                 " "call pevpm_time_end('a'\n     &)\n      end\n", NULL);
    file_becomes("t.f", A "                                                           n = 1\n      end\n",
                 A "      " USE "      " BEGIN_A "                                                           n = 1\n      "
                 END_A "      end\n", NULL);
}

/* What the argument `expr` becomes in a procedure with `declarations`; NULL: not timed, and a diagnostic says `message`. */
static void argument_is(const char *before, const char *declarations, const char *expr, bool timed, const char *message)
{
    struct diags diags = DIAGS_EMPTY;
    char *text = alloc_format("subroutine s(array, n)\n%sinteger :: n, array(n)\n! PEVPM Serial time = measured(a, %s)\n"
                              "n = n + k\nend subroutine\n%s", declarations, expr, before);
    char *call = alloc_format("call pevpm_time_begin('a', dble(%s))\n", expr);
    char *out = timed_of(&diags, (const char *const[]){
        "t.f90", text, "x.inc", "integer nx, ny(3)\ninclude 'z.inc'\n", "d/z.inc", "integer nz\n", "other.f90",
        "module other\ninteger :: far = 3, three(3)\nlogical :: off\nend module\nmodule above\nuse other, near => far\nend module\n",
        "other.c", "int far;\n", NULL});
    if (!!strstr(out, call) != timed)
        fail_msg("%s, %s: %s", declarations, expr, said_by(&diags));
    assert_int_equal(diags.n_warnings, !timed);
    assert_said(&diags, message ? message : "timed");
    free(out);
    free(call);
    free(text);
}

static void test_arguments(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"", "(n + 1)*2 - n/3"}, {"", "k"}, {"implicit real(8) (a-h, o-z)\n", "k"}, {"", "max(n, abs(-k))"},
        {"integer, parameter :: nx = 3\n", "nx"}, {"integer nx\nparameter (nx = 3)\n", "nx/n"},
        {"double precision x, y\n", "y"}, {"integer*8 nx\n", "nx"}, {"real(kind=kind(1d0)), intent(in) :: a = 3/n, b\n", "b"},
        {"common /c/ nx(3), ny\ninteger :: nx, ny\n", "ny"}, {"enum, bind(c)\nenumerator :: one, two = 2\nend enum\n", "two"},
        {"external half\ninteger :: half\n", "half(n)"}, {"include 'x.inc'\nimplicit none\n", "nx"},
        {"include 'x.inc'\nimplicit none\n", "nz"},
        {"use other\nimplicit none\n", "far"}, {"use other, only: here => far\nimplicit none\n", "here"},
        {"use above\nimplicit none\n", "near"}, {"integer, pointer :: p\n", "p"}, {"implicit none\nINTEGER K\n", "K"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        argument_is("", pairs[i][0], pairs[i][1], true, NULL);
}

static void test_arguments_refused(void **state)
{
    (void)state;
    static const char *const triples[][3] = {
        {"", "n/numprocs", "t.f90:3:37: warning: not timed: `numprocs` is not declared here; say what the program calls"},
        {"implicit none\n", "k", "`k` is not declared here"}, {"implicit logical (k)\n", "k", "`k` is not declared here"},
        {"", "n*array", "`array` is an array, a structure or no number here"},
        {"integer x\ndimension x(3)\n", "x", "`x` is an array, a structure"},
        {"integer, dimension(3) :: x, y\n", "y", "`y` is an array"}, {"common /c/ x(3)\ninteger :: x\n", "x", "`x` is an array"},
        {"logical :: on\n", "on", "`on` is an array, a structure or no number"}, {"character*8 x\n", "x", "or no number"},
        {"complex x\n", "x", "or no number"}, {"type(t) :: x\n", "x", "`x` is an array, a structure"},
        {"type t\ninteger :: x\nend type\nimplicit none\n", "x", "`x` is not declared here"},
        {"external half\n", "half", "`half` is a function here"}, {"", "s", "`s` is a function here"},
        {"", "ilog2(n)", "`ilog2` is no function that is declared here"}, {"", "n(3)", "`n` is no function"},
        {"include 'x.inc'\n", "ny", "`ny` is an array"}, {"include 'y.inc'\nimplicit none\n", "nx", "`nx` is not declared"},
        {"use other\nimplicit none\n", "three", "`three` is an array"}, {"use other\n", "off", "or no number here"},
        {"use other, only: three\nimplicit none\n", "far", "`far` is not declared here"},
        {"use above\nimplicit none\n", "far", "`far` is not declared here"},
        {"use nowhere\nimplicit none\n", "far", "`far` is not declared here"},
        {"", "sizeof(double)*n", "`sizeof` is no function of Fortran"}, {"", "n%3", "`%` does not mean this in Fortran"},
        {"", "n > 3 ? n : 3", "`>` does not mean this in Fortran"}, {"", "n*-1", "`-` does not mean this in Fortran"},
        {"", "n*0.1", "`0.1` has another precision in Fortran"}, {"", "n/1e5", "`1e5` is an integer in a directive and none in Fortran"},
        {"", "n*3000000000", "`3000000000` is no default integer in Fortran"},
    };
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++)
        argument_is("", triples[i][0], triples[i][1], false, triples[i][2]);
    file_becomes("t.f90", "integer half\n! PEVPM Serial time = measured(a, half)\nn = half(3)\nend\n",
                 "integer half\n! PEVPM Serial time = measured(a, half)\nn = half(3)\nend\n", "`half` is a function here");
    argument_is("subroutine t\ninteger :: size\nend subroutine\n", "implicit none\n", "size", false, "`size` is not declared here");
}

/* Names of what is around: of a block, of an associate, of the program that contains a procedure. */
static void test_names_around(void **state)
{
    (void)state;
    static const char *const triples[][3] = {
        {"block\ninteger :: near\n", "end block\n", NULL}, {"block\ninteger :: near(3)\n", "end block\n", "`near` is an array"},
        {"associate (near => far)\n", "end associate\n", "`near` is an array, a structure"},
        {"contains\nsubroutine s\n", "end subroutine\n", NULL}, {"contains\nfunction near()\n", "end function\n", "is a function here"},
        {"contains\nsubroutine s\nlogical :: near\n", "end subroutine\n", "or no number here"},
    };
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++) {
        struct diags diags = DIAGS_EMPTY;
        char *text = alloc_format("program p\nimplicit none\ninteger :: near\n%s! PEVPM Serial time = measured(a, near)\n"
                                  "far = 1\n%send program\n", triples[i][0], triples[i][1]);
        char *timed = timed_of(&diags, (const char *const[]){"t.f90", text, NULL});
        assert_int_equal(diags.n_warnings, triples[i][2] != NULL);
        assert_said(&diags, triples[i][2] ? triples[i][2] : "timed");
        free(timed);
        free(text);
    }
}

/* Forty modules, each of which uses the two before it: 10^8 ways lead to the first. */
static void test_many_ways(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs("module m0\ninteger :: n\nend module\nmodule m1\nuse m0\nend module\n", out);
    for (int i = 2; i < 40; i++)
        fprintf(out, "module m%d\nuse m%d\nuse m%d\nend module\n", i, i - 1, i - 2);
    fputs("program p\nuse m39\nimplicit none\n! PEVPM Serial time = measured(a, n)\nn = 1\n"
          "! PEVPM Serial time = measured(b, none)\nn = 1\nend\n", out);
    fclose(out);
    char *timed = timed_of(&diags, (const char *const[]){"t.f90", text, NULL});
    assert_int_equal(diags.n_warnings, 1);
    assert_non_null(strstr(timed, "pevpm_time_begin('a', dble(n))"));
    assert_said(&diags, "`none` is not declared here");
    free(timed);
    free(text);
}

/* `code` goes into the call as it stands. */
static void test_code(void **state)
{
    (void)state;
    file_becomes("t.f90", "! PEVPM Serial time = measured(a.b, (atoms+1)/2) us, &\n! PEVPM & code = s%atoms(1)%n + f('a  )')\n"
                 "n = 1\nend\n",
                 "! PEVPM Serial time = measured(a.b, (atoms+1)/2) us, &\n! PEVPM & code = s%atoms(1)%n + f('a  )')\n" USE
                 "call pevpm_time_begin('a.b', dble(s%atoms(1)%n + f('a  )')))\nn = 1\ncall pevpm_time_end('a.b')\nend\n",
                 NULL);
}

/* What the program times itself, in any file and language, is left as it is. */
static void test_by_hand(void **state)
{
    (void)state;
    const char *const text = A "CALL PEVPM_TIME_BEGIN(\"a\", dble(n))\nn = 1\ncall pevpm_time_end('a')\nend\n";
    file_becomes("t.f90", text, text, "note: timed by hand in line 2: nothing is added");
    static const char *const others[][2] = {
        {"t.c", "\nvoid f(void) { PEVPM_TIME_BEGIN(a); PEVPM_TIME_END(a); }\n"},
        {"u.f90", "\ncall pevpm_time_begin('a')\nend\n"}, {"u.f90", "\ncall pevpm_time_begin('ab')\nend\n"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct diags diags = DIAGS_EMPTY;
        char *timed = timed_of(&diags, (const char *const[]){"t.f90", A "n = 1\nend\n", others[i][0], others[i][1], NULL});
        assert_true((strstr(timed, "call pevpm_time_begin") == NULL) == (i < 2));
        char *message = alloc_format("timed by hand in line 2 of %s: nothing is added", others[i][0]);
        assert_said(&diags, i < 2 ? message : "line 2 is timed");
        free(message);
        free(timed);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const triples[][3] = {
        {"t.f90", "! PEVPM Serial time = 3 ms\n", "no Serial directive says measured(NAME)"},
        {"t.f90", "! PEVPM & size = 3\n", "t.f90:1:"}, {"t.py", "# PEVPM Serial time = measured(a)\n",
        "this is Python: only C, C++ and Fortran can be instrumented"}};
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++) {
        struct diags diags = DIAGS_EMPTY;
        struct source *source = source_from_text(triples[i][0], triples[i][1], strlen(triples[i][1]));
        char *timed;
        assert_int_equal(instrument_source(source, source, &timed, &diags), STATUS_SYNTAX);
        assert_null(timed);
        assert_said(&diags, triples[i][2]);
        source_destroy(source);
    }
}

/* A program that is cut off anywhere, or lacks a line, comes out with what is timed, or not, and is as it was but for the
 * timing calls. */
static void test_damaged(void **state)
{
    (void)state;
    static const char program[] =
        "module m\ninteger :: far\nend module\nprogram p\nuse m, only: here => far\nimplicit none\ntype t\ninteger :: n\n"
        "end type\ninterface g\nsubroutine s(n)\nend subroutine\nend interface\nassociate (q => far)\n#if X\n" A "block\n"
        "integer :: k(3)\nend block\n#endif\nend associate\nouter: do 10 i = 1, n\n!$omp parallel do &\n!$omp private(k)\n"
        "do 10 k = 1, &\n n; exit outer; goto 10\n10 continue\n! PEVPM Serial time = measured(b, here + i*far) & code = q%n\n"
        "if (n > 1) then; where (v) v = 'a''b'; else\nselect type (n)\ntype is (t)\nend select; end if\nread (5, *, end=20) n\n"
        "20 call f(*20, n)\nif (n) 20, 20, 20\ngoto (20, 20), n\n" A "call s(n)\ncontains\npure function f(n)\n"
        A "f = n\nend function\nend program\n";
    static const char *const names[] = {"t.f90", "t.f"};
    for (size_t i = 0; i < 2 * sizeof program; i++)
        for (size_t which = 0; which < 2; which++) {
            struct diags diags = DIAGS_EMPTY;
            size_t cut = i / 2, n = sizeof program - 1, length = i % 2 ? cut : n;
            char *text = alloc_string_n(program, length), *timed;
            if (i % 2 == 0 && cut < n) /* without the rest of a line */
                memmove(text + cut, text + cut + strcspn(text + cut, "\n"), strlen(text + cut + strcspn(text + cut, "\n")) + 1);
            struct source *source = source_from_text(names[which], text, strlen(text));
            enum status status = instrument_source(source, source, &timed, &diags);
            assert_true((status == STATUS_OK) == (timed != NULL) && (status == STATUS_OK) == (diags.n_errors == 0));
            diags_free(&diags);
            source_destroy(source);
            free(timed);
            free(text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements), cmocka_unit_test(test_constructs), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_end_behind_directive),
        cmocka_unit_test(test_left), cmocka_unit_test(test_not_timed), cmocka_unit_test(test_use),
        cmocka_unit_test(test_fixed_form), cmocka_unit_test(test_long_lines), cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_arguments_refused), cmocka_unit_test(test_names_around), cmocka_unit_test(test_many_ways),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_refused), cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
