# SPDX-License-Identifier: GPL-2.0-only
#
# Part of the Makefile: all that tests, benchmarks and generated figures need, and their verbs.

# The sources with sanitizers are a library: inside each of the many unit tests they would take 20 MB of the disk.
CHECK_DIR  := $(BUILD)/check
CHECK_OBJ  := $(COMMON_SRC:%.c=$(CHECK_DIR)/%.o)
CHECK_LIB  := $(CHECK_DIR)/lib/libunit.so
CHECK_LINK  = $(CHECK_LIB) -Wl,--enable-new-dtags,-rpath,$(abspath $(dir $(CHECK_LIB))) $(LIBS) -lcmocka
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
SANITIZE   := -O1 -g -fPIC -fsanitize=address,undefined -fno-sanitize-recover=all

.PHONY: unit mutants workloads workloads32 layout lint format new-test check check-ci check-full guest-check \
	stress-tests rows release-check check-newer tutorial pictures peers hidden fleet-figures bench bench-programs calibrate \
	fuzz-targets fuzz

# --- Unit tests ---

$(CHECK_DIR)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

$(CHECK_DIR)/cli/page/page.o $(BUILD)/fuzz/obj/cli/page/page.o: $(PAGE_ASSETS)

$(CHECK_LIB): $(CHECK_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SANITIZE) -shared -Wl,-soname,$(@F) -o $@ $^ $(LIBS)

$(BUILD)/unit/%: tests/unit/%.c | $(CHECK_LIB)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -MMD -MP -MF $@.d -o $@ $(filter %.c %.o,$^) $(CHECK_LINK)
$(BUILD)/unit/test_section_mutator: $(CHECK_DIR)/tests/fuzz/section_mutator.o

# Saved runs made from text, and the page of a saved run.
RUN_MAKERS := $(addprefix $(BUILD)/,make_run make_report make_page make_trace make_windows)
$(RUN_MAKERS): $(BUILD)/%: tests/unit/%.c | $(CHECK_LIB)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -o $@ $< $(CHECK_LINK)
$(BUILD)/make_run $(BUILD)/make_windows: tests/unit/profiles.h
$(BUILD)/make_trace: tests/unit/trace_texts.h

unit: $(UNIT_TESTS) $(BUILD)/make_run

# Do the unit tests notice slips? For a slip, its objects are compiled, one library is linked, and the tests run
# unchanged. Slips may leave variables unused. Tests have debug information, because some read their own.
MUTANT_CC = $(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -g0 -w
mutants:
	@$(MAKE) -s --no-print-directory -j$(or $(JOBS),$(shell nproc)) unit
	@COMPILE='$(MUTANT_CC)' LIBRARIES='$(LIBS)' JOBS='$(JOBS)' tests/mutants.sh $(LISTS)

# Real programs, unwound by the tool's tables and by libdw.
$(BUILD)/unwind/compare: tests/unwind/compare.c $(COMMON_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(LIBS)

# --- Workloads: programs whose truth is known. The code that is written is the code that runs. ---

GUEST_BIN  := $(BUILD)/guest-bin
GUEST_DATA := $(BUILD)/guest-data
# About instructions and registers of the other processor.
OF_OTHER   := $(if $(filter %/arm64,$(BUILD)),dear edges vm,arm32 edges_arm64 mte)
WORKLOADS  := $(filter-out $(OF_OTHER:%=$(GUEST_BIN)/%),$(patsubst tests/workloads/%,$(GUEST_BIN)/%,$(basename \
	$(wildcard tests/workloads/*.c tests/workloads/*.cc))))
WORKLOAD_CFLAGS := -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Werror -O1 -g -fno-inline \
	-fno-optimize-sibling-calls -pthread

# One program is linked in every way, since load bias and symbols differ.
VARIANTS                      := nopie static static-pie stripped
FLAGS_proportions-nopie       := -no-pie -fno-pie
FLAGS_proportions-static      := -static -no-pie -fno-pie
FLAGS_proportions-static-pie  := -static-pie -fPIE
FLAGS_proportions-stripped    := -s
LIBRARIES                     := beside oldmodule onestart lazy twin-one twin-three
# Frames of this program can be followed.
FLAGS_toll                    := -fno-omit-frame-pointer
# An attacker who computes instants as the module does.
FLAGS_siege                   := -Ikmod -Ikmod/uapi
# A 32-bit program at the interface, and one as a target. No struct of the interface has padding in 32 or
# 64 bits, so their layouts are equal.
FLAGS_abi32                   := -m32 -static
FLAGS_abi_stacks32            := -m32 -static
FLAGS_proportions-32          := -m32 -static
# Programs that the peers test profiles, at the addresses of their files. Debian's library of Lua still
# has its symbols. Calls has the library's functions in it, which have no names otherwise.
FLAGS_interpreter             := -no-pie -l:liblua5.4.a -lm
FLAGS_multiply                := -pg -no-pie
FLAGS_calls-pg                := -pg -static -no-pie
# The same program without frame pointers, linked in two ways; its stacks need call frame information.
FRAMELESS                     := -O2 -fomit-frame-pointer -fno-builtin
FLAGS_calls-frameless         := -DFRAMELESS $(FRAMELESS)
FLAGS_calls-frameless-static  := -DFRAMELESS $(FRAMELESS) -static-pie -fPIE
# Return addresses are signed, and targets of indirect jumps marked.
FLAGS_calls-signed            := -mbranch-protection=standard
FLAGS_calls-frameless-signed  := -DFRAMELESS $(FRAMELESS) -mbranch-protection=standard

# Programs whose stacks need call frame information, and the same with frame pointers.
FLAGS_kinds                   := $(FRAMELESS)
FLAGS_kinds-static            := $(FRAMELESS) -static
FLAGS_kinds-static-pie        := $(FRAMELESS) -static-pie -fPIE
FLAGS_loads                   := $(FRAMELESS)
FLAGS_liblazy.so              := $(FRAMELESS) -Wl,-z,lazy
FLAGS_libtwin-one.so          := $(FRAMELESS) -DNAME=one -DINNER=one_inner -DROOM=0x200 -DTHOUSANDS=25
FLAGS_libtwin-three.so        := $(FRAMELESS) -DNAME=three -DINNER=three_inner -DROOM=0x400 -DTHOUSANDS=75
FLAGS_throws                  := $(FRAMELESS)
FLAGS_throws-framed           := -O2 -fno-omit-frame-pointer

define compile_workload
@mkdir -p $(@D)
$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -o $@ $< $(FLAGS_$(@F))
endef

$(GUEST_BIN)/%: tests/workloads/%.c
	$(compile_workload)
$(GUEST_BIN)/%: tests/workloads/lib/%.c
	$(compile_workload)
$(GUEST_BIN)/%32: tests/workloads/%.c
	$(compile_workload)
$(GUEST_BIN)/calls-pg: tests/workloads/calls.c
	$(compile_workload)
$(GUEST_BIN)/calls-frame%: tests/workloads/calls.c
	$(compile_workload)
$(GUEST_BIN)/calls-signed: tests/workloads/calls.c
	$(compile_workload)
$(GUEST_BIN)/proportions-%: tests/workloads/proportions.c
	$(compile_workload)
$(GUEST_BIN)/kinds-%: tests/workloads/kinds.c
	$(compile_workload)

define compile_workload_cc
@mkdir -p $(@D)
$(CXX) $(WORKLOAD_CFLAGS) -o $@ $< $(FLAGS_$(@F))
endef

$(GUEST_BIN)/%: tests/workloads/%.cc
	$(compile_workload_cc)
$(GUEST_BIN)/throws-framed: tests/workloads/throws.cc
	$(compile_workload_cc)

define compile_library
@mkdir -p $(@D)
$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -shared -fPIC -o $@ $< $(FLAGS_$(@F))
endef

$(GUEST_BIN)/lib%.so: tests/workloads/lib/%.c kmod/uapi/cpuprobe.h
	$(compile_library)
$(GUEST_BIN)/libtwin-%.so: tests/workloads/lib/twin.c tests/workloads/spend.h
	$(compile_library)

$(GUEST_BIN)/tiny: tests/workloads/lib/tiny.c
	@mkdir -p $(@D)
	$(CC) -nostdlib -static -s -Wl,--build-id=none,-z,noseparate-code -o $@ $<

# Every operation, tried by every identity.
$(GUEST_BIN)/whomay: $(wildcard tests/workloads/whomay/*.[ch]) kmod/uapi/cpuprobe.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -o $@ $(filter %.c,$^)

# The fuzzer of the module's interface.
$(GUEST_BIN)/fuzz_abi: $(wildcard tests/fuzz/abi/*.[ch]) kmod/uapi/cpuprobe.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wno-unused-parameter -Werror -pthread -o $@ $(filter %.c,$^)

# The tutorial's program is this tool, before and after the fix; and the run that makes it slow.
$(GUEST_BIN)/report_before: $(BUILD)/obj/cli/main.o $(BUILD)/obj/docs/tutorial/forget.o \
		$(filter-out %/flat_memo.o,$(COMMON_OBJ))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,-S -o $@ $^ $(LIBS)

$(GUEST_BIN)/report_after: $(BUILD)/probe
$(GUEST_BIN)/big_run: $(BUILD)/bench/bin-host/graph
$(GUEST_BIN)/report_after $(GUEST_BIN)/big_run:
	@mkdir -p $(@D)
	$(STRIP) -g -o $@ $<

# The program that the manual shows.
$(GUEST_BIN)/man_example: docs/man/cpuprobe.4 kmod/uapi/cpuprobe.h
	@mkdir -p $(@D)
	sed -n '/^\.EX/,/^\.EE/{/^\.E[XE]/d;s/\\(dq/"/g;s/\\-/-/g;s/\\e/\\/g;p}' $< >$@.c
	$(CC) -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -Ikmod/uapi -o $@ $@.c
	@rm $@.c

# 100 MB that compress to next to nothing.
$(GUEST_DATA)/huge.gz: tests/workloads/lib/huge.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O1 -o $(@D)/huge $<
	gzip -f $(@D)/huge

# The rules that a test compares the module with are the manual's own.
$(GUEST_DATA)/%.md: docs/%.md
	@mkdir -p $(@D)
	cp $< $@

$(WORKLOADS): $(wildcard tests/workloads/*.h) kmod/uapi/cpuprobe.h
$(GUEST_BIN)/siege: kmod/grid.c kmod/grid.h kmod/pure.h
workloads: $(WORKLOADS) $(VARIANTS:%=$(GUEST_BIN)/proportions-%) $(LIBRARIES:%=$(GUEST_BIN)/lib%.so) \
	$(addprefix $(GUEST_BIN)/,tiny interpreter multiply calls-pg calls-frameless calls-frameless-static kinds-static kinds-static-pie \
		throws-framed fuzz_abi whomay man_example $(if $(filter %/arm64,$(BUILD)),calls-signed calls-frameless-signed) \
		report_before report_after big_run) \
	$(GUEST_DATA)/huge.gz $(GUEST_DATA)/privilege.md

WORKLOADS32 := $(addprefix $(GUEST_BIN)/,abi32 abi_stacks32 proportions-32)
$(WORKLOADS32): $(wildcard tests/workloads/*.h) kmod/uapi/cpuprobe.h
workloads32: $(WORKLOADS32)

# --- Checks ---

# Which part of the tool uses which: checks the directories of cli/ and draws docs/layout.svg.
layout: tool
	@tests/layout.sh draw

# Rules about the sources themselves.
lint: completions
	@tests/rig/packages.sh lint
	@KDIR='$(KDIR)' tests/lint.sh $(RULES)

# Only lines that differ from the commit BASE: clang-format cannot keep tables as they are, and versions differ.
format:
	@tests/rig/packages.sh format
	@git clang-format -f --extensions c,h,cc $(if $(CHECK),--diff) $(or $(BASE),HEAD) || test $$? = 1

# Everything that several parts of the tests use is made before they begin, by all processors.
JOBS ?= $(shell nproc)
CHECKED = tool man completions unit $(BUILD)/make_report $(BUILD)/unwind/compare workloads workloads32 \
	$(if $(filter fuzz,$(or $(PARTS),fuzz)),fuzz-targets)
# `make check` has some tests of the module alone on arm64, by these programs, where packages for arm64 can be had.
# `make check-full` has all tests there, with the tool.
CHECKED_ARM64 = $(addprefix build/arm64/guest-bin/,abi abi_limits abi_unharmed man_example spin abi_unwind abi_events abi_calls \
	abi_times abi_trace)
OF_ARM64 = $(if $(filter check check-ci,$@),$(CHECKED_ARM64),tool workloads)
IS_ARM64_CHECKED = $(and $(filter guests,$(or $(PARTS),guests)), \
	$(if $(filter file,$(origin GUESTS)),yes,$(filter %-arm64,$(GUESTS))))
check check-ci check-full:
	@tests/rig/packages.sh check
	@tests/rig/packages.sh $(if $(filter fuzz-targets,$(CHECKED)),fuzz)
	@$(MAKE) -s --no-print-directory -j$(JOBS) $(CHECKED)
	@test -z "$(IS_ARM64_CHECKED)" || ! tests/rig/arm64-packages.sh list '^libc6$$' >/dev/null || \
		$(MAKE) -s --no-print-directory -j$(JOBS) ARCH=arm64 $(OF_ARM64)
	@tests/run.sh $(if $(filter check,$@),quick,$(patsubst check-%,%,$@)) $(PARTS)

# The tool and programs for guests, of each processor.
# $(1): options of make; $(2): the kernels; $(3): more targets for x86
define make_for_guests
$(if $(filter-out %-arm64,$(2)),$(MAKE) -s --no-print-directory $(1) ARCH= tool workloads $(3) &&) \
	$(if $(filter %-arm64,$(2)),$(MAKE) -s --no-print-directory $(1) ARCH=arm64 tool workloads,true)
endef

# A guest test that begins with the example of CONTRIBUTING.md.
new-test:
	@tests/new-test.sh "$(NAME)"

guest-check:
	@tests/rig/packages.sh check
	@$(call make_for_guests,-j$(JOBS),$(GUESTS),workloads32)
	@tests/rig/guest-tests.sh $(GUESTS)

# Tests that are about time, while the host is kept busy.
stress-tests:
	@tests/rig/packages.sh check
	@$(call make_for_guests,-j$(JOBS),$(GUESTS),workloads32)
	@tests/stress.sh $(GUESTS)

# The rows of the last full run: which are valid for these sources. A release needs all.
rows:
	@tests/rows.sh show
release-check: tool
	@tests/release.sh
	@tests/rows.sh fresh

# A kernel newer than those supported: do the sources still build for it, and run in it?
NEWER_TESTS := load abi sys late truth_share doctor autoload compat32 who_pairs engines engines_softirq abi_trace trace_deaths
check-newer:
	@tests/rig/packages.sh check
	@tests/rig/kernel.sh newer
	@$(MAKE) -s --no-print-directory tool workloads workloads32
	@TESTS="$${TESTS:-$(NEWER_TESTS)}" tests/rig/guest-tests.sh newer

# Hostile files: libFuzzer of clang, which has sanitizers of its own. Warnings are left to gcc.
FUZZ_CC      ?= clang
FUZZ_SECONDS ?= 60
FUZZ_FLAGS   := -std=gnu11 -O1 -g -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -fno-omit-frame-pointer \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FUZZ_OBJ     := $(COMMON_SRC:%.c=$(BUILD)/fuzz/obj/%.o) $(BUILD)/fuzz/obj/tests/fuzz/fuzz.o
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/fuzz/bin/%,$(wildcard tests/fuzz/fuzz_*.c))

$(BUILD)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CPPFLAGS) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/fuzz/bin/%: $(BUILD)/fuzz/obj/tests/fuzz/fuzz_%.o $(FUZZ_OBJ)
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# These read saved runs.
$(BUILD)/fuzz/bin/save $(BUILD)/fuzz/bin/stacks $(BUILD)/fuzz/bin/trace: $(addprefix $(BUILD)/fuzz/obj/tests/fuzz/,kept.o section_mutator.o)

.PRECIOUS: $(BUILD)/fuzz/obj/%.o
fuzz-targets: $(FUZZ_TARGETS)

fuzz:
	@tests/rig/packages.sh fuzz
	@$(MAKE) -s --no-print-directory -j2 fuzz-targets
	@tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ)

# --- Figures of the documentation ---

tutorial:
	@TESTS=tutorial $(MAKE) -s --no-print-directory guest-check GUESTS=$(GUEST)
	@tests/rig/tutorial.sh docs/tutorial.md $(GUEST)

pictures:
	@TESTS=pictures $(MAKE) -s --no-print-directory guest-check GUESTS=$(GUEST)
	@tests/rig/pictures.sh docs/pictures $(GUEST)

hidden:
	@tests/rig/packages.sh check
	@$(MAKE) -s --no-print-directory tool workloads
	@tests/hidden.sh $(GUESTS)

# The tables of docs/fleet.md; MEASURE=-measure also measures the sizes of windows, as root.
fleet-figures: tool $(BUILD)/fleet_figures
	@tests/fleet/figures.sh $(MEASURE)

# Our shares beside those of perf and gprof.
peers:
	@TESTS='peers peers_calls' $(MAKE) -s --no-print-directory guest-check
	@tests/rig/peers.sh docs/peers.md peers $(GUESTS)
	@tests/rig/peers.sh docs/peers.md peers_calls $(GUESTS)

# Programs of the benchmark are compiled with -O2, as the tool is.
BENCH_BIN := $(patsubst tests/bench/%.c,$(BUILD)/bench/bin/%,$(filter-out %/symbols.c \
	%/graph.c %/unwind.c %/traced.c,$(wildcard tests/bench/*.c))) $(BUILD)/bench/bin/loop-frameless

$(BUILD)/bench/bin/%: tests/bench/%.c tests/bench/meter.h
	@mkdir -p $(@D)
	$(CC) -D_GNU_SOURCE $(CFLAGS) -o $@ $<

$(BUILD)/bench/bin/loop-frameless: tests/bench/loop.c tests/bench/meter.h
	@mkdir -p $(@D)
	$(CC) -D_GNU_SOURCE $(CFLAGS) -DFRAMELESS -fomit-frame-pointer -o $@ $<

# These measure the tool on the host, with its own objects.
HOST_BENCH := $(addprefix $(BUILD)/bench/bin-host/,graph symbols unwind traced steady ticks)
$(HOST_BENCH): $(BUILD)/bench/bin-host/%: tests/bench/%.c $(COMMON_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(LIBS)

# The parts native, graph, symbols, unwind and traced need the tool alone, events programs of arm64, the others all
# programs of the guest.
BENCH_GUEST = $(filter-out native graph symbols unwind traced events,$(or $(BENCH),all))
BENCH_ARM64 = $(filter events all,$(or $(BENCH),all))
bench-programs: $(BENCH_BIN)
ifeq ($(BUILD),build/arm64)
bench:
	@$(MAKE) -s --no-print-directory tool workloads bench-programs
	@tests/bench/run.sh $(GUESTS)
else
bench:
	@tests/rig/packages.sh $(if $(BENCH_GUEST),bench)
	@$(MAKE) -s --no-print-directory tool $(HOST_BENCH) \
		$(if $(BENCH_GUEST),workloads $(BENCH_BIN))
	@$(if $(BENCH_ARM64),$(MAKE) -s --no-print-directory ARCH=arm64 tool bench-programs)
	@tests/bench/run.sh $(GUESTS)
endif

# Simulation through the shipped code: the instants of all three engines and the tool's intervals.
CALIBRATE_SRC := $(wildcard tests/calibrate/*.c) kmod/grid.c cli/bpf/comb.c cli/base/stat.c
CALIBRATE_OBJ := $(CALIBRATE_SRC:%.c=$(BUILD)/obj/%.o)

$(BUILD)/calibrate: $(CALIBRATE_OBJ)
	$(CC) $(CFLAGS) -o $@ $^ -lm -pthread

calibrate: $(BUILD)/calibrate
	@$(BUILD)/calibrate $(CALIBRATE) >$(BUILD)/calibration.md; status=$$?; \
		cat $(BUILD)/calibration.md; test $$status = 0 || exit $$status; \
		test -n "$(CALIBRATE)" || cp $(BUILD)/calibration.md docs/calibration.md

-include $(CHECK_OBJ:.o=.d) $(UNIT_TESTS:%=%.d) $(FUZZ_OBJ:.o=.d) $(FUZZ_TARGETS:$(BUILD)/fuzz/bin/%=$(BUILD)/fuzz/obj/tests/fuzz/fuzz_%.d) \
	$(CALIBRATE_OBJ:.o=.d)
