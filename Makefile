# pevpm - predict how an MPI program will run, before it runs. `make demo` and `make test` are all a new user needs.
#
#   make                the library, pevpm-sim                 make deps       install what is missing (Debian)
#   make demo           predict the paper's example            make bench      speed figures (docs/PERFORMANCE.md)
#   make test           all tests; with CI=true also under     make fuzz       random bytes for readers, FUZZ_SECONDS
#                       clang, sanitizers, and the fuzzer      make memcheck   the demo under valgrind
#   make validate       predictions against runs, WORLD=NAME  make install    PREFIX=/usr/local DESTDIR=
#   make examples       compile the example programs           make clean
#   make soak           SOAK_PROGRAMS programs made by chance, executed, checked and predicted; goes on where it stopped;
#                       then a million damaged recordings
#   make update-golden  rewrite expected outputs
#
# CC=clang, SAN=1 (address and undefined-behaviour sanitizers), DEBUG=1 and MPI=mpich build into folders of their own.

MAKEFLAGS += --no-builtin-rules $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))
# V=1 shows the commands.
say = @$(if $(V),,echo "  $(1)" &&)
ifeq ($(origin CC),default)
CC       := cc
endif
PREFIX   ?= /usr/local
VERSION  := 0.1.0
SOVERSION:= 0
comma    := ,
# MPI=mpich builds with MPICH where it stands beside Open MPI.
MPI      ?= ompi
compiler := $(if $(findstring clang,$(CC)),-clang)
BUILD    ?= build$(if $(filter-out ompi,$(MPI)),-$(MPI))$(compiler)$(if $(SAN),-san)$(if $(DEBUG),-debug)
FUZZ_SECONDS ?= 30
SOAK_PROGRAMS ?= 10000

# Flags that ask the machine are expanded when they are first used, and kept: asking takes longer than a small file's compiler.
# `make demo` may just have installed what they ask for, and make has begun anew then.
keep = $(eval $(1) := $(2))$($(1))
PKGS       := gsl yaml-0.1
WARN       := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Werror
# With sanitizers gcc no longer knows how long a formatted number can be, as its manual warns, and clang vectorizes no loop that checks
# its addresses (engine/lanes/kernel_isa.c).
WARN       += $(if $(SAN),$(if $(findstring clang,$(CC)),-Wno-pass-failed,-Wno-format-truncation))
SANITIZE   := -fsanitize=address$(comma)undefined -fno-omit-frame-pointer -fno-sanitize-recover=all
# With sanitizers, and in tests (below), compiling takes longer than running; their reports name lines, for which -g1 is enough. So
# it is under CI, where nobody debugs.
LEVEL      := $(if $(DEBUG),-Og,$(if $(SAN),-O1,-O3))
OPT         = $(LEVEL) $(if $(SAN)$(CI),-g1,-g) -ffp-contract=off -fno-math-errno $(if $(SAN),$(SANITIZE))
CPPFLAGS   += -I. -D_GNU_SOURCE -DPEVPM_VERSION='"$(VERSION)"' -DPEVPM_DATADIR='"$(PREFIX)/share/pevpm"'
pkg_cflags  = $(call keep,pkg_cflags,$(shell pkg-config --cflags $(PKGS)))
pkg_libs    = $(call keep,pkg_libs,$(shell pkg-config --libs $(PKGS) $(if $(otf2),otf2)))
ALL_CFLAGS  = -std=c11 $(WARN) $(OPT) -fopenmp -fPIC $(CPPFLAGS) $(pkg_cflags) $(CFLAGS)
# With sanitizers ld.gold links in half the time.
gold        = $(call keep,gold,$(if $(SAN),$(if $(shell command -v ld.gold),-fuse-ld=gold)))
ALL_LIBS    = $(gold) $(LDFLAGS) $(pkg_libs) -lm $(LDLIBS)
mpi_package := $(if $(filter ompi,$(MPI)),ompi-c,$(MPI))
has         = $(shell command -v pkg-config >/dev/null && pkg-config --exists $(1) && echo yes)
mpi         = $(call keep,mpi,$(if $(NO_MPI),,$(call has,$(mpi_package))))
MPI_CFLAGS  = $(call keep,MPI_CFLAGS,$(if $(mpi),-DPEVPM_HAVE_MPI $(shell pkg-config --cflags $(mpi_package))))
otf2        = $(call keep,otf2,$(if $(NO_OTF2),,$(call has,'otf2 >= 3')))
hwloc       = $(call keep,hwloc,$(if $(NO_HWLOC),,$(call has,hwloc)))
hwloc_libs  = $(if $(hwloc),$(shell pkg-config --libs hwloc))
MPI_LIBS    = $(call keep,MPI_LIBS,$(if $(mpi),$(shell pkg-config --libs $(mpi_package))))

# No MPI in the library: sim/spread.c, which spreads replications over ranks, belongs to the program.
rooms   := common host network directives collectives models engine invent estimate sim report cli
# A room may have shelves: folders of sources that only its own files know, or rooms to which they are open. The headers of the latter
# are doors, as those of rooms are.
open_shelves := host/fortran $(patsubst %,estimate/%,analytical machine)
shelves := $(open_shelves) host/clang $(patsubst %,directives/%,files honest lower parse print) $(patsubst %,models/%,analytical machine measured wrapped) $(patsubst %,engine/%,lanes reference timed timed/process timed/stream timed/way)
# directives/ and its shelves, for the fuzzers, which compile what they need with flags of their own.
directives := $(wildcard directives/*.[ch] $(patsubst %,%/*.[ch],$(filter directives/%,$(shelves))))
mains   := cli/pevpm-sim.c sim/spread.c
x86     := $(findstring x86_64,$(shell uname -m))
kernels := $(patsubst %,$(BUILD)/engine/lanes/kernel_isa-%.o,one $(if $(x86),avx2 avx512))
# What of coll/ has no MPI.
coll_plain := $(patsubst %,$(BUILD)/coll/%.o,branch choice table)
lib.o   := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(mains),$(wildcard $(rooms:%=%/*.c) $(shelves:%=%/*.c)))) $(kernels) $(coll_plain)
tests   := $(patsubst %.c,$(BUILD)/%,$(wildcard $(rooms:%=%/tests/test_*.c)))
scripts := $(wildcard $(rooms:%=%/tests/test_*.sh) examples/tests/test_*.sh)
# Those that start no MPI jobs, or only beside the default compiler, and are about what is compiled; rooms with MPI add theirs below.
plain_scripts := $(filter-out common/tests/% %/test_docs.sh %/test_traced.sh %/test_tutorial.sh,$(scripts))
sim     := $(BUILD)/pevpm-sim

# The rooms that measure and execute are made where MPI is: a library of their own, their programs, and tests that link
# with both libraries.
mpi_rooms := clock measure results bench executor run trial
mpi_shelves := $(patsubst %,bench/%,campaign find kinds report)
mpi_mains := bench/pevpm-bench.c run/pevpm-run.c
mpi.o     := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(mpi_mains),$(wildcard $(mpi_rooms:%=%/*.c) $(mpi_shelves:%=%/*.c))))
bench     := $(if $(mpi),$(BUILD)/pevpm-bench)
run       := $(if $(mpi),$(BUILD)/pevpm-run)
mpi_tests := $(if $(mpi),$(patsubst %.c,$(BUILD)/%,$(wildcard $(mpi_rooms:%=%/tests/test_*.c))))
programs  := $(if $(mpi),$(patsubst %.c,$(BUILD)/%,$(wildcard $(mpi_rooms:%=%/tests/*_program.c))))
scripts   += $(wildcard $(mpi_rooms:%=%/tests/test_*.sh) validation/tests/test_*.sh)

# The surveying room: experiments for estimate/, and pevpm-estimate.
survey.o     := $(patsubst %.c,$(BUILD)/%.o,$(filter-out survey/pevpm-estimate.c,$(wildcard survey/*.c)))
survey       := $(if $(mpi),$(BUILD)/pevpm-estimate)
survey_tests := $(if $(mpi),$(patsubst %.c,$(BUILD)/%,$(wildcard survey/tests/test_*.c)))
programs     += $(if $(mpi),$(patsubst %.c,$(BUILD)/%,$(wildcard survey/tests/*_program.c)))
scripts      += $(wildcard survey/tests/test_*.sh)

# The timing room: pevpm-time, and pevpm_time.h for programs to be timed; pevpm_time.c is compiled with those.
timing_shelves := timing/c timing/fortran
timing.o     := $(patsubst %.c,$(BUILD)/%.o,$(filter-out timing/pevpm%.c,$(wildcard timing/*.c $(timing_shelves:%=%/*.c))))
timing       := $(BUILD)/pevpm-time
timing_tests := $(patsubst %.c,$(BUILD)/%,$(wildcard timing/tests/test_*.c))
scripts      += $(wildcard timing/tests/test_*.sh)

# The recording rooms: a library for each MPI that is there, which is put before a program's own, and pevpm-record. The
# library runs in programs that know nothing of sanitizers, so it is built without; its tests are not.
record_shelves := $(patsubst %,record/%,fit hold template write)
record_sources := $(wildcard record/*.c $(record_shelves:%=%/*.c))
record.o      := $(patsubst %.c,$(BUILD)/%.o,$(filter-out record/pevpm-record.c,$(record_sources)))
record        := $(BUILD)/pevpm-record
record_tests  := $(patsubst %.c,$(BUILD)/%,$(wildcard record/tests/test_*.c recorder/tests/test_*.c))
scripts       += $(wildcard record/tests/test_*.sh)
recorded_mpis := $(if $(NO_MPI),,$(if $(call has,ompi-c),ompi) $(if $(call has,mpich),mpich))
recorders     := $(recorded_mpis:%=$(BUILD)/libpevpm-record-%.so)
# The library that carries out collectives as a machine file decides, for each MPI likewise.
colls         := $(recorded_mpis:%=$(BUILD)/libpevpm-coll-%.so)
coll_tests    := $(patsubst %.c,$(BUILD)/%,$(wildcard coll/tests/test_*.c))
scripts       += $(wildcard coll/tests/test_*.sh)
libdw          = $(if $(NO_LIBDW),,$(call has,libdw))

# The annotating room: directives into copies of the sources, by libclang and recordings.
annotate.o    := $(patsubst %.c,$(BUILD)/%.o,$(filter-out annotate/pevpm-annotate.c,$(wildcard annotate/*.c)))
annotate      := $(BUILD)/pevpm-annotate
annotate_tests := $(patsubst %.c,$(BUILD)/%,$(wildcard annotate/tests/test_*.c))
scripts       += $(wildcard annotate/tests/test_*.sh)

all: $(sim) $(BUILD)/default-machine.yaml $(bench) $(run) $(survey) $(timing) $(record) $(annotate) $(recorders) $(colls) $(BUILD)/libpevpm.a \
  $(BUILD)/libpevpm.so $(BUILD)/pevpm.pc $(if $(mpi),$(BUILD)/libpevpm-mpi.a $(BUILD)/pevpm-mpi.pc)

# What pevpm-sim uses when no machine file is named: beside it here, in share/pevpm once installed.
$(BUILD)/default-machine.yaml: examples/vcluster16/vcluster16.yaml
	@mkdir -p $(@D)
	@cp $< $@

# LIBRARY=FILE: one that another MPI's build has made. There is no MPI in it.
ifdef LIBRARY
$(BUILD)/libpevpm.a: $(LIBRARY)
	@mkdir -p $(@D)
	@cp $< $@
else
$(BUILD)/libpevpm.a: $(lib.o)
	@rm -f $@
	$(call say,AR $@) ar rcs $@ $^
endif

$(BUILD)/libpevpm.so: $(lib.o)
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -shared -Wl,-soname,libpevpm.so.$(SOVERSION) -o $@ $^ $(ALL_LIBS)

$(sim): $(patsubst %.c,$(BUILD)/%.o,$(mains)) $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(MPI_LIBS)

$(BUILD)/%.o: %.c | $(BUILD)/deps
	@mkdir -p $(@D)
	$(call say,CC $<) $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

all_tests := $(tests) $(mpi_tests) $(survey_tests) $(timing_tests) $(record_tests) $(coll_tests) $(annotate_tests)
# What gcc tells only where it optimizes has been told by its plain build.
$(all_tests:%=%.o): LEVEL := $(if $(DEBUG),-Og,$(if $(SAN)$(compiler),-O0,-O1))

$(BUILD)/libpevpm-mpi.a: $(mpi.o) $(survey.o)
	@rm -f $@
	$(call say,AR $@) ar rcs $@ $^

$(BUILD)/pevpm-bench: $(BUILD)/bench/pevpm-bench.o $(BUILD)/libpevpm-mpi.a $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(MPI_LIBS) $(hwloc_libs)

$(BUILD)/pevpm-run: $(BUILD)/run/pevpm-run.o $(BUILD)/libpevpm-mpi.a $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(MPI_LIBS)

$(BUILD)/pevpm-estimate: $(BUILD)/survey/pevpm-estimate.o $(BUILD)/libpevpm-mpi.a $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(MPI_LIBS)

$(survey_tests): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libpevpm-mpi.a $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(MPI_LIBS) -lcmocka

$(timing): $(BUILD)/timing/pevpm-time.o $(timing.o) $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS)

$(timing_tests): $(BUILD)/%: $(BUILD)/%.o $(timing.o) $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) -lcmocka

RECORDER_CFLAGS = -std=c11 $(WARN) -O2 -g -fPIC -fvisibility=hidden -fno-omit-frame-pointer -I. -D_GNU_SOURCE
package_ompi   := ompi-c
package_mpich  := mpich

$(BUILD)/libpevpm-record-%.so: $(wildcard recorder/*.c recorder/*.h) | $(BUILD)/deps
	$(call say,LD $@) $(CC) $(RECORDER_CFLAGS) $(shell pkg-config --cflags $(package_$*)) -shared -o $@ \
	  $(filter %.c,$^) -ldl -lpthread $(shell pkg-config --libs $(package_$*))

$(BUILD)/libpevpm-coll-%.so: $(wildcard coll/*.c coll/*.h) recorder/binding.h | $(BUILD)/deps
	$(call say,LD $@) $(CC) $(RECORDER_CFLAGS) $(shell pkg-config --cflags $(package_$*)) -shared -o $@ \
	  $(filter %.c,$^) -ldl $(shell pkg-config --libs $(package_$*))

$(coll_tests): $(BUILD)/%: $(BUILD)/%.o $(coll_plain)
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) -lcmocka

$(record): $(BUILD)/record/pevpm-record.o $(record.o) $(timing.o) $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(if $(libdw),-ldw -lelf)

$(annotate): $(BUILD)/annotate/pevpm-annotate.o $(annotate.o) $(record.o) $(timing.o) $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(if $(libdw),-ldw -lelf)

$(annotate_tests): $(BUILD)/%: $(BUILD)/%.o $(annotate.o) $(record.o) $(timing.o) $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(if $(libdw),-ldw -lelf) -lcmocka

$(record_tests): $(BUILD)/%: $(BUILD)/%.o $(record.o) $(timing.o) $(BUILD)/recorder/fold.o $(BUILD)/recorder/callpath.o $(BUILD)/recorder/outstanding.o \
  $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(if $(libdw),-ldw -lelf) -lcmocka

# libclang is loaded when a command asks a compiler; only its headers are needed here.
$(BUILD)/libclang.flags: host/clang/libclang.sh | $(BUILD)/deps
	@$(if $(NO_LIBCLANG),:,sh host/clang/libclang.sh '$(CC)') >$@
$(patsubst %.c,$(BUILD)/%.o,$(wildcard host/clang/*.c)): $(BUILD)/libclang.flags
$(BUILD)/host/clang/%.o: ALL_CFLAGS += $(shell cat $(BUILD)/libclang.flags)
$(BUILD)/record/resolve.o: ALL_CFLAGS += $(if $(libdw),-DPEVPM_HAVE_LIBDW)
$(BUILD)/recorder/callpath.o: ALL_CFLAGS += -fno-omit-frame-pointer
$(BUILD)/sim/spread.o $(mpi_rooms:%=$(BUILD)/%/%.o) $(BUILD)/survey/%.o: ALL_CFLAGS += $(MPI_CFLAGS)
$(BUILD)/measure/sockets.o: ALL_CFLAGS += $(if $(hwloc),-DPEVPM_HAVE_HWLOC $(shell pkg-config --cflags hwloc))
$(BUILD)/report/trace_otf2.o: ALL_CFLAGS += $(if $(otf2),-DPEVPM_HAVE_OTF2 $(shell pkg-config --cflags otf2))
$(BUILD)/engine/lanes/kernel.o: ALL_CFLAGS += $(if $(x86),-DPEVPM_KERNELS_X86)
$(kernels): $(BUILD)/engine/lanes/kernel_isa-%.o: engine/lanes/kernel_isa.c | $(BUILD)/deps
	@mkdir -p $(@D)
	$(call say,CC $< for $*) $(CC) $(ALL_CFLAGS) $(isa_$*) -DKERNELS=kernels_$* -DKERNELS_ISA='"$*"' -MMD -MP -c -o $@ $<
isa_one    := -DKERNELS_ONE
isa_avx2   := -march=x86-64-v3
isa_avx512 := -march=x86-64-v4 -mprefer-vector-width=512

$(tests): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) -lcmocka

$(mpi_tests): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libpevpm-mpi.a $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(MPI_LIBS) $(hwloc_libs) -lcmocka

$(programs): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libpevpm-mpi.a $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS) $(MPI_LIBS)

# Always anew: PREFIX may have changed since.
$(BUILD)/pevpm.pc: FORCE | $(BUILD)/deps
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include/pevpm' '' 'Name: pevpm' \
	  'Description: Predict how an MPI program will run' 'Version: $(VERSION)' \
	  'Requires.private: $(PKGS)$(if $(otf2), otf2)' \
	  'Libs: -L$${libdir} -lpevpm' 'Libs.private: -fopenmp -lm' 'Cflags: -I$${includedir}' >$@

# Of the MPI library that it is built for: the compiler wrapper of that adds its own.
$(BUILD)/pevpm-mpi.pc: FORCE | $(BUILD)/deps
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include/pevpm' '' 'Name: pevpm-mpi' \
	  'Description: Estimate models of messages in a running MPI program' 'Version: $(VERSION)' 'Requires: pevpm' \
	  'Libs: -L$${libdir} -lpevpm-mpi -lm' 'Cflags: -I$${includedir}' >$@

# ---- what the user calls ----

demo: $(sim) $(BUILD)/default-machine.yaml
	@sh examples/jacobi/demo.sh $(sim) $(BUILD)

test: check $(if $(CI),check-others)

check: all $(all_tests) $(programs)
	@BUILD=$(BUILD) CC='$(CC)' SAN='$(SAN)' sh common/tests/run.sh $(all_tests) $(scripts)

# The same tests as CI also wants them, but for scripts that start MPI jobs, which take most of their time (`make soak` has
# them, with sanitizers); each is a build of its own. Of what some tests try by the thousand the default compiler has tried
# all; these try a quarter, and with sanitizers, which make a case take ten times as long, an eighth
# (common/tests/share.h). Another compiler may make other numbers, and not other options and messages: of the scripts it has
# those of the examples. What is put before MPI's own library is built without sanitizers anyway, so not once more.
check-others: check
	$(MAKE) fuzz CI= FUZZ_SECONDS=10
	PEVPM_TEST_SHARE=4 $(MAKE) check CI= CC=clang CFLAGS=-g1 scripts='$(filter examples/%,$(plain_scripts))'
	PEVPM_TEST_SHARE=8 $(MAKE) check CI= SAN=1 scripts='$(plain_scripts)' recorded_mpis=

bench: all $(BUILD)/validation/speed
	@sh validation/speed.sh $(BUILD)

$(BUILD)/validation/speed: $(BUILD)/validation/speed.o $(BUILD)/validation/bare_kernel.o $(BUILD)/libpevpm.a
	$(call say,LD $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(ALL_LIBS)

# The example programs, into $(BUILD)/examples.
examples: $(patsubst %,$(BUILD)/%,$(basename $(wildcard examples/*/*.c examples/*/*.f90)))

$(BUILD)/examples/%: examples/%.c
	@mkdir -p $(@D)
	$(call say,MPICC $@) mpicc -std=gnu11 -O2 -I. -o $@ $< -lm

$(BUILD)/examples/%: examples/%.f90
	@mkdir -p $(@D)
	$(call say,MPIFORT $@) mpifort -O2 -J $(@D) -o $@ $<

# Predicted against measured, on a virtual cluster: half an hour, as root.
validate: all
	@validation/validate.sh --build $(BUILD) --world $(or $(WORLD),flat)

# All tests with sanitizers, and programs made by chance: an hour or so.
soak: all
	@PEVPM_TEST_SHARE=4 $(MAKE) check CI= SAN=1
	@SOAK=1 BUILD=$(BUILD) bash validation/tests/test_cluster.sh
	@MPIRUN=mpirun$(if $(filter-out ompi,$(MPI)),.$(MPI)) sh validation/soak.sh $(BUILD) $(SOAK_PROGRAMS)
	@mkdir -p $(BUILD)/corpus-recording
	@if command -v clang >/dev/null; then $(MAKE) --no-print-directory $(BUILD)/fuzz_recording && \
	  $(BUILD)/fuzz_recording -runs=1000000 -max_len=4096 -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
	  -artifact_prefix=$(BUILD)/ $(BUILD)/corpus-recording record/tests/corpus; else echo "no clang: recordings are not fuzzed"; fi

# The demo's predictions under valgrind.
memcheck: $(sim)
	valgrind --quiet --error-exitcode=9 --leak-check=full --suppressions=validation/valgrind.supp $(sim) \
	  -m examples/jacobi/perseus.yaml -n 2x1..128x1*2,1x2..64x2*2 \
	  -M distribution,average,minimum,average@2x1,minimum@2x1 -D iterations=1000 examples/jacobi/jacobi.c

fuzz: fuzz-tree fuzz-recording fuzz-program fuzz-machine
fuzz-tree: $(BUILD)/fuzz_tree
	@mkdir -p $(BUILD)/corpus
	$< $(FUZZ_FLAGS) $(BUILD)/corpus directives/tests/corpus
fuzz-recording: $(BUILD)/fuzz_recording
	@mkdir -p $(BUILD)/corpus-recording
	$< $(FUZZ_FLAGS) $(BUILD)/corpus-recording record/tests/corpus
fuzz-program: $(BUILD)/fuzz_program
	@mkdir -p $(BUILD)/corpus-recording
	$< $(FUZZ_FLAGS) $(BUILD)/corpus-recording record/tests/corpus
fuzz-machine: $(BUILD)/fuzz_machine
	@mkdir -p $(BUILD)/corpus-machine
	@cp models/tests/small.yaml coll/tests/table.yaml $(BUILD)/corpus-machine
	$< $(FUZZ_FLAGS) -dict=models/tests/fuzz_machine.dict $(BUILD)/corpus-machine models/tests/corpus models/tests/errors
# An input that is found stays with the build.
FUZZ_FLAGS = -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=10 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 \
  -artifact_prefix=$(BUILD)/

# All that a fuzzer links is compiled anew, with its counters and sanitizers, but once for all of them.
fuzz_common := $(filter %.c,$(directives) $(wildcard common/*.c host/*.c $(patsubst %,%/*.c,$(filter host/%,$(shelves)))))
fuzz_recording := record/tests/fuzz_recording.c $(patsubst %,record/%.c,recording among cancelled direction grid site) $(wildcard record/template/*.c)
# What asks files and libraries of their lines is not in it.
fuzz_program := record/tests/fuzz_program.c engine/operand.c engine/random.c \
  $(filter-out $(patsubst %,record/%.c,pevpm-record launch options resolve clone hold/hold hold/times),$(record_sources))
fuzz_tree := directives/tests/fuzz_tree.c
fuzz_machine := models/tests/fuzz_machine.c $(coll_plain:$(BUILD)/%.o=%.c) $(wildcard network/*.c collectives/*.c models/*.c $(patsubst %,%/*.c,$(filter models/%,$(shelves))))
fuzzers := tree recording program machine
FUZZ_SANITIZE := address,undefined

$(BUILD)/fuzz/%.o: %.c | $(BUILD)/deps
	@mkdir -p $(@D)
	$(call say,CLANG $<) clang -std=c11 -O1 -g1 -fsanitize=fuzzer-no-link$(comma)$(FUZZ_SANITIZE) $(CPPFLAGS) \
	  $(pkg_cflags) -MMD -MP -c -o $@ $<

define fuzzer
$(BUILD)/fuzz_$(1): $(patsubst %.c,$(BUILD)/fuzz/%.o,$(fuzz_$(1)) $(fuzz_common))
	$$(call say,LD $$@) clang -fsanitize=fuzzer$$(comma)$$(FUZZ_SANITIZE) -o $$@ $$^ $$(shell pkg-config --libs $$(PKGS)) -lm
endef
$(foreach name,$(fuzzers),$(eval $(call fuzzer,$(name))))

update-golden: all $(tests) $(programs)
	@UPDATE_GOLDEN=1 BUILD=$(BUILD) CC='$(CC)' sh common/tests/run.sh $(tests) $(scripts)

install: all
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin lib/pkgconfig share/pevpm share/man/man1 share/man/man5 share/man/man7)
	install $(sim) $(bench) $(run) $(survey) $(timing) $(record) $(annotate) $(DESTDIR)$(PREFIX)/bin
	$(if $(recorders),install -D -t $(DESTDIR)$(PREFIX)/lib/pevpm $(recorders) $(colls))
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include timing/pevpm_time.h
	install -m 644 timing/pevpm_time.c timing/pevpm_time.F90 LICENSES/MIT.txt $(DESTDIR)$(PREFIX)/share/pevpm
	install -m 644 $(BUILD)/libpevpm.a $(if $(mpi),$(BUILD)/libpevpm-mpi.a) $(DESTDIR)$(PREFIX)/lib
	install $(BUILD)/libpevpm.so $(DESTDIR)$(PREFIX)/lib/libpevpm.so.$(SOVERSION)
	ln -sf libpevpm.so.$(SOVERSION) $(DESTDIR)$(PREFIX)/lib/libpevpm.so
	install -m 644 $(BUILD)/pevpm.pc $(if $(mpi),$(BUILD)/pevpm-mpi.pc) $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 examples/jacobi/perseus.yaml $(DESTDIR)$(PREFIX)/share/pevpm
	install -m 644 examples/vcluster16/vcluster16.yaml $(DESTDIR)$(PREFIX)/share/pevpm/default-machine.yaml
	for section in 1 5 7; do install -m 644 docs/man/*.$$section $(DESTDIR)$(PREFIX)/share/man/man$$section; done
	for header in $(wildcard $(rooms:%=%/*.h) $(open_shelves:%=%/*.h)) coll/table.h coll/choice.h coll/branch.h $(if $(mpi),survey/estimating.h); do case $$header in *_impl.h) ;; \
	  *) to=$(DESTDIR)$(PREFIX)/include/pevpm/$$header; \
	     install -D -m 644 $$header $$to && awk -f common/for_cplusplus.awk $$header >$$to || exit 1;; esac; done

deps $(BUILD)/deps:
	@mkdir -p $(BUILD)
	@sh common/deps.sh
	@touch $(BUILD)/deps

# make reads itself again after this file was made, and then knows what has been installed.
ifneq ($(MAKECMDGOALS),clean)
-include $(BUILD)/deps
endif

clean:
	rm -rf build build-*

.PHONY: FORCE all demo examples test check check-others bench validate soak memcheck fuzz fuzz-tree fuzz-recording fuzz-program fuzz-machine update-golden install deps clean
.SECONDARY:
-include $(wildcard $(BUILD)/*/*.d $(patsubst %,$(BUILD)/%/*.d,$(shelves) $(mpi_shelves) $(record_shelves) $(timing_shelves)) $(BUILD)/*/tests/*.d \
  $(foreach depth,* */* */*/* */*/*/*,$(BUILD)/fuzz/$(depth).d))
