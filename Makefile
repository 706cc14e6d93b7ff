# SPDX-License-Identifier: GPL-2.0-only
#
# cpuprobe: `make help` lists the verbs. Everything made goes under build/, but
# for the module, which the kernel's build system makes where its sources are.

RELEASE := $(shell sed -n 's/^.define CPUPROBE_RELEASE "\(.*\)"/\1/p' kmod/release.h)
BUILD   := build
CC      ?= gcc

# Where `make install` puts things: all under PREFIX, but the module where depmod looks.
PREFIX  ?= /usr/local
DESTDIR ?=
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
SYSDIR  ?= $(PREFIX)/lib

# Headers to build the module against: the running kernel's, or else the newest installed.
KDIR ?= $(firstword $(wildcard /lib/modules/$(shell uname -r)/build) \
	$(shell ls -dv /usr/src/linux-headers-*-amd64 /usr/src/linux-headers-*-generic \
		2>/dev/null | tail -n 1))
# The stock kernel that `make demo` and `make vm-shell` boot, and those that tests boot.
GUEST         ?= 6.1
GUESTS        ?= 6.1 6.12

# What a distribution's build sets in the environment comes along.
CPPFLAGS := -D_GNU_SOURCE -Icli -Isymbolizer -Ikmod -Ikmod/uapi $(CPPFLAGS)
CFLAGS   ?= -O2 -g
WERROR   ?= -Werror
CFLAGS   += -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR) \
	-Wno-format-truncation -Wno-missing-field-initializers
# What is asked of other programs: stacks that can be followed.
CFLAGS   += -fno-omit-frame-pointer
LIBS     := -lcapstone -ldw -lelf -llzma -lz -liberty -lncursesw -ltinfo -lm

# One list of sources: the tool is main.c and everything else, a unit test is itself and
# everything else.
COMMON_SRC := $(filter-out cli/main.c cli/completions/%,$(wildcard cli/*.c cli/*/*.c)) $(wildcard symbolizer/*.c) \
	kmod/grid.c kmod/table.c kmod/slots.c kmod/areas.c kmod/late.c kmod/stacks.c
COMMON_OBJ := $(COMMON_SRC:%.c=$(BUILD)/obj/%.o)
CHECK_OBJ  := $(COMMON_SRC:%.c=$(BUILD)/check/%.o)
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
MAN_PAGES  := $(patsubst docs/man/%.in,$(BUILD)/man/%,$(wildcard docs/man/*.1.in))
MANUAL     := $(wildcard docs/*.[1-8] docs/man/*.[1-8]) $(MAN_PAGES)
WORKLOADS  := $(patsubst tests/workloads/%,$(BUILD)/guest-bin/%,$(basename \
	$(wildcard tests/workloads/*.c tests/workloads/*.cc)))
BENCH_BIN  := $(patsubst tests/bench/%.c,$(BUILD)/bench/bin/%,$(filter-out %/symbols.c \
	%/graph.c,$(wildcard tests/bench/*.c)))
SANITIZE   := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

.PHONY: all tool man module completions sign install install-tool install-system install-source \
	install-module uninstall deb unit workloads workloads32 check check-full \
	guest-check check-newer stress-tests rows release-check peers hidden tutorial pictures fuzz fuzz-targets bench calibrate demo vm-shell \
	packages mutants clean help
all: module tool man completions

tool: $(BUILD)/probe

man: $(MAN_PAGES)

module:
	@test -d "$(KDIR)" || { echo "make: no kernel headers found; give KDIR=FOLDER" >&2; exit 1; }
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

# For kernels that take signed modules only: Secure Boot, lockdown.
KEY  ?=
CERT ?=
sign: module
	@kmod/sign.sh "$(KDIR)" "$(KEY)" "$(CERT)" cpuprobe.ko

$(BUILD)/probe: $(BUILD)/obj/cli/main.o $(COMMON_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# What the tool says of its own commands, and what shells complete by it.
$(BUILD)/describe: $(BUILD)/obj/cli/completions/describe.o $(COMMON_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/commands.tsv: $(BUILD)/describe
	$< >$@.new && mv $@.new $@

$(BUILD)/completions/probe.%: cli/completions/kinds.awk cli/completions/%.awk \
		cli/completions/probe.% $(BUILD)/commands.tsv
	@mkdir -p $(@D)
	awk -f cli/completions/kinds.awk -f cli/completions/$*.awk $(BUILD)/commands.tsv >$@.new
	cat cli/completions/probe.$* >>$@.new && mv $@.new $@

completions: $(BUILD)/completions/probe.bash $(BUILD)/completions/probe.zsh \
	$(BUILD)/completions/probe.fish

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/check/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

# The pages of -html are in the tool as they are in these files.
$(BUILD)/obj/cli/page/page.o $(BUILD)/check/cli/page/page.o $(BUILD)/fuzz/obj/cli/page/page.o \
$(BUILD)/mutants/obj/cli/page/page.o: $(wildcard cli/page/assets/*)

$(BUILD)/unit/%: tests/unit/%.c $(CHECK_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -MMD -MP -MF $@.d -o $@ $< $(CHECK_OBJ) $(LIBS) -lcmocka

# Kept runs made from text, to try what shows them.
$(BUILD)/make_run: tests/unit/make_run.c tests/unit/profiles.h $(CHECK_OBJ)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -o $@ $< $(CHECK_OBJ) $(LIBS)

$(BUILD)/make_report: tests/unit/make_report.c $(CHECK_OBJ)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -o $@ $< $(CHECK_OBJ) $(LIBS)

# The page of a kept run, for tests/browser.sh.
$(BUILD)/make_page: tests/unit/make_page.c $(CHECK_OBJ)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -o $@ $< $(CHECK_OBJ) $(LIBS)

# A manual page per command: what is written by hand, and what -help says.
$(BUILD)/make_man: $(BUILD)/obj/docs/man/make_man.o $(COMMON_OBJ)
	$(CC) $(CFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/man/probe-%.1: docs/man/probe-%.1.in $(wildcard docs/man/*.inc) $(BUILD)/make_man
	@mkdir -p $(@D)
	$(BUILD)/make_man $* $< >$@.new
	@mv $@.new $@

# The tables of docs/reading.md.
$(BUILD)/precision: $(BUILD)/obj/docs/man/precision.o $(BUILD)/obj/cli/base/stat.o
	$(CC) $(CFLAGS) -o $@ $^ -lm
-include $(BUILD)/obj/docs/man/precision.d

unit: $(UNIT_TESTS) $(BUILD)/make_run

# Do the unit tests notice slips? The sources are in a library here, so that a slip has one object
# compiled anew, one library linked, and the tests run as they are. Slips may leave things unused.
MUTANTS     := $(BUILD)/mutants
MUTANT_OBJ  := $(COMMON_SRC:%.c=$(MUTANTS)/obj/%.o)
MUTANT_UNIT := $(UNIT_TESTS:$(BUILD)/unit/%=$(MUTANTS)/unit/%)
MUTANT_CC    = $(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -g0 -w -fPIC

$(MUTANTS)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(MUTANT_CC) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

$(MUTANTS)/lib/libunit.so: $(MUTANT_OBJ)
	@mkdir -p $(@D)
	$(MUTANT_CC) -shared -Wl,-soname,libunit.so -o $@ $^ $(LIBS)

$(MUTANTS)/unit/%: tests/unit/%.c $(MUTANTS)/lib/libunit.so
	@mkdir -p $(@D)
	$(MUTANT_CC) -MMD -MP -MF $@.d -o $@ $^ $(LIBS) -lcmocka

mutants:
	@$(MAKE) -s --no-print-directory -j$(or $(JOBS),$(shell nproc)) $(MUTANT_UNIT)
	@COMPILE='$(MUTANT_CC)' LIBRARIES='$(LIBS)' JOBS='$(JOBS)' tests/mutants.sh $(LISTS)

# Programs whose truth is known: what is written is what runs. One of them is linked in every
# way there is, since load bias and symbols differ.
WORKLOAD_CFLAGS := -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Werror -O1 -g -fno-inline -fno-optimize-sibling-calls -pthread
LIBRARIES       := beside oldmodule onestart
VARIANTS        := nopie static static-pie stripped
LINK_nopie      := -no-pie -fno-pie
LINK_static     := -static -no-pie -fno-pie
LINK_static-pie := -static-pie -fPIE
LINK_stripped   := -s

$(BUILD)/guest-bin/%: tests/workloads/%.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -o $@ $<

$(BUILD)/guest-bin/%: tests/workloads/%.cc
	@mkdir -p $(@D)
	$(CXX) $(WORKLOAD_CFLAGS) -o $@ $<

$(BUILD)/guest-bin/proportions-%: tests/workloads/proportions.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) $(LINK_$*) -o $@ $<

$(BUILD)/guest-bin/lib%.so: tests/workloads/lib/%.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -shared -fPIC -o $@ $<

$(BUILD)/guest-bin/tiny: tests/workloads/lib/tiny.c
	@mkdir -p $(@D)
	$(CC) -nostdlib -static -s -Wl,--build-id=none,-z,noseparate-code -o $@ $<

# The tutorial's program, this tool, as it was and as it is; and the run that it is slow with.
$(BUILD)/guest-bin/report_before: $(BUILD)/obj/cli/main.o $(BUILD)/obj/docs/tutorial/forget.o \
		$(filter-out %/flat_memo.o,$(COMMON_OBJ))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,-S -o $@ $^ $(LIBS)

$(BUILD)/guest-bin/report_after: $(BUILD)/probe
$(BUILD)/guest-bin/big_run: $(BUILD)/bench/graph
$(BUILD)/guest-bin/report_after $(BUILD)/guest-bin/big_run:
	@mkdir -p $(@D)
	strip -g -o $@ $<

# The program that the manual shows.
$(BUILD)/guest-bin/man_example: docs/man/cpuprobe.4 kmod/uapi/cpuprobe.h
	@mkdir -p $(@D)
	sed -n '/^\.EX/,/^\.EE/{/^\.E[XE]/d;s/\\(dq/"/g;s/\\-/-/g;s/\\e/\\/g;p}' $< >$@.c
	$(CC) -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -Ikmod/uapi -o $@ $@.c
	@rm $@.c

# Its frames can be followed.
$(BUILD)/guest-bin/toll: WORKLOAD_CFLAGS += -fno-omit-frame-pointer

# An attacker who computes instants as the module does.
$(BUILD)/guest-bin/siege: WORKLOAD_CFLAGS += -Ikmod -Ikmod/uapi
$(BUILD)/guest-bin/siege: kmod/grid.c kmod/grid.h kmod/pure.h

# The interface by a 32-bit program, and a 32-bit program for the tool.
$(BUILD)/guest-bin/abi32: tests/workloads/abi.c kmod/uapi/cpuprobe.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -m32 -static -o $@ $<

$(BUILD)/guest-bin/abi_stacks32: tests/workloads/abi_stacks.c tests/workloads/abi.h \
		kmod/uapi/cpuprobe.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -m32 -static -o $@ $<

$(BUILD)/guest-bin/proportions-32: tests/workloads/proportions.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -m32 -static -o $@ $<

workloads32: $(BUILD)/guest-bin/abi32 $(BUILD)/guest-bin/abi_stacks32 $(BUILD)/guest-bin/proportions-32

# Programs that the peers test profiles, at the addresses of their files. Debian's library of
# Lua still has its symbols.
$(BUILD)/guest-bin/interpreter: tests/workloads/lib/interpreter.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -no-pie -o $@ $< -l:liblua5.4.a -lm

$(BUILD)/guest-bin/multiply: tests/workloads/lib/multiply.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -pg -no-pie -o $@ $<

# With the library's functions in it, which have no names else.
$(BUILD)/guest-bin/calls-pg: tests/workloads/calls.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -pg -static -no-pie -o $@ $<

# The fuzzer of the module's interface.
$(BUILD)/guest-bin/fuzz_abi: $(wildcard tests/fuzz/abi/*.c tests/fuzz/abi/*.h) kmod/uapi/cpuprobe.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wno-unused-parameter -Werror -pthread -o $@ $(filter %.c,$^)

# Who may do what, asked by everybody.
$(BUILD)/guest-bin/whomay: $(wildcard tests/workloads/whomay/*.c tests/workloads/whomay/*.h) \
	kmod/uapi/cpuprobe.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WORKLOAD_CFLAGS) -o $@ $(filter %.c,$^)

# 100 MB that compress to next to nothing.
$(BUILD)/guest-data/huge.gz: tests/workloads/lib/huge.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O1 -o $(@D)/huge $<
	gzip -f $(@D)/huge

# The rules that a test compares the module with are the manual's own.
$(BUILD)/guest-data/%.md: docs/%.md
	@mkdir -p $(@D)
	cp $< $@

$(WORKLOADS) $(patsubst %,$(BUILD)/guest-bin/%,abi32 abi_stacks32 fuzz_abi whomay): \
	$(wildcard tests/workloads/*.h) kmod/uapi/cpuprobe.h
$(LIBRARIES:%=$(BUILD)/guest-bin/lib%.so): kmod/uapi/cpuprobe.h
workloads: $(WORKLOADS) $(VARIANTS:%=$(BUILD)/guest-bin/proportions-%) \
	$(LIBRARIES:%=$(BUILD)/guest-bin/lib%.so) $(BUILD)/guest-bin/tiny $(BUILD)/guest-data/huge.gz \
	$(BUILD)/guest-data/privilege.md $(BUILD)/guest-bin/interpreter \
	$(BUILD)/guest-bin/multiply $(BUILD)/guest-bin/calls-pg $(BUILD)/guest-bin/fuzz_abi \
	$(BUILD)/guest-bin/whomay \
	$(BUILD)/guest-bin/man_example $(BUILD)/guest-bin/report_before \
	$(BUILD)/guest-bin/report_after $(BUILD)/guest-bin/big_run

# The kernel that cpuprobe.ko is for.
MODULE_KERNEL = $$(modinfo -F vermagic ./cpuprobe.ko | cut -d ' ' -f 1)

install: all install-tool install-system install-module
	@test -n "$(DESTDIR)" || ! command -v systemd-sysusers >/dev/null || \
		systemd-sysusers $(SYSDIR)/sysusers.d/cpuprobe.conf

# The manual's pages name the version.
install-tool: tool completions $(MAN_PAGES)
	install -D -m 755 $(BUILD)/probe $(DESTDIR)$(PREFIX)/bin/probe
	install -D -m 644 $(BUILD)/completions/probe.bash $(DESTDIR)$(BASHDIR)/probe
	install -D -m 644 $(BUILD)/completions/probe.zsh $(DESTDIR)$(ZSHDIR)/_probe
	install -D -m 644 $(BUILD)/completions/probe.fish $(DESTDIR)$(FISHDIR)/probe.fish
	for page in $(MANUAL); do \
		sed '/^\.TH /s/"cpuprobe"/"cpuprobe $(RELEASE)"/' $$page | install -D -m 644 /dev/stdin \
			$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/} || exit 1; \
	done

# The group of those who may use it, what tells the module of it, and that it is loaded at start.
install-system:
	install -D -m 644 kmod/system/sysusers.conf $(DESTDIR)$(SYSDIR)/sysusers.d/cpuprobe.conf
	install -D -m 644 kmod/system/modprobe.conf $(DESTDIR)$(SYSDIR)/modprobe.d/cpuprobe.conf
	install -D -m 644 kmod/system/modules-load.conf $(DESTDIR)$(SYSDIR)/modules-load.d/cpuprobe.conf
	install -D -m 644 kmod/system/60-cpuprobe.rules $(DESTDIR)$(SYSDIR)/udev/rules.d/60-cpuprobe.rules

# The module's sources, where DKMS looks for them.
SOURCE = $(DESTDIR)$(PREFIX)/src/cpuprobe-$(RELEASE)
install-source:
	install -d $(SOURCE)/kmod/uapi
	install -m 644 dkms.conf Kbuild LICENSE $(SOURCE)
	install -m 644 kmod/*.[ch] $(SOURCE)/kmod
	install -m 644 kmod/uapi/*.h $(SOURCE)/kmod/uapi

install-module: module $(if $(KEY),sign)
	install -D -m 644 cpuprobe.ko $(DESTDIR)/lib/modules/$(MODULE_KERNEL)/updates/cpuprobe.ko
	@test -n "$(DESTDIR)" || test ! -e /lib/modules/$(MODULE_KERNEL)/modules.dep || \
		depmod -a $(MODULE_KERNEL)

# The module of every kernel it was installed for. While it is in use this fails, all still there.
# Folders go that nothing else is in. The group stays, as groups do: its number may be elsewhere.
INSTALLED = $(PREFIX)/bin/probe $(BASHDIR)/probe $(ZSHDIR)/_probe $(FISHDIR)/probe.fish \
	$(foreach page,$(MANUAL),$(PREFIX)/share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
	$(foreach name,sysusers modprobe modules-load,$(SYSDIR)/$(name).d/cpuprobe.conf) \
	$(SYSDIR)/udev/rules.d/60-cpuprobe.rules
uninstall:
	@test -n "$(DESTDIR)" || ! grep -qs '^cpuprobe ' /proc/modules || rmmod cpuprobe
	rm -f $(INSTALLED:%=$(DESTDIR)%) $(wildcard $(DESTDIR)/lib/modules/*/updates/cpuprobe.ko)
	@for folder in $(sort $(dir $(filter-out %/bin/probe,$(INSTALLED:%=$(DESTDIR)%)))) $(DESTDIR)$(SYSDIR)/udev \
			$(wildcard $(DESTDIR)/lib/modules/*/updates $(DESTDIR)/lib/modules/*); do \
		test ! -d $$folder || rmdir --ignore-fail-on-non-empty $$folder; done
	@test -n "$(DESTDIR)" || for kernel in $(wildcard /lib/modules/*/modules.dep); do \
		depmod -a $$(basename $$(dirname $$kernel)); done

deb:
	@tests/rig/packages.sh deb
	@debian/build.sh

packages:
	@tests/rig/packages.sh

# All that several parts of the tests use is made before they begin, by all processors.
JOBS ?= $(shell nproc)
CHECKED = tool man completions unit $(BUILD)/make_report workloads workloads32 \
	$(if $(filter fuzz,$(or $(PARTS),fuzz)),fuzz-targets)
check check-full:
	@tests/rig/packages.sh check
	@tests/rig/packages.sh $(if $(filter fuzz-targets,$(CHECKED)),fuzz)
	@$(MAKE) -s --no-print-directory -j$(JOBS) $(CHECKED)
	@tests/run.sh $(if $(filter check,$@),quick,full) $(PARTS)

guest-check:
	@tests/rig/packages.sh check
	@$(MAKE) -s --no-print-directory -j$(JOBS) tool workloads workloads32
	@tests/rig/guest-tests.sh $(GUESTS)

# Tests that are about time, while the host is kept busy.
stress-tests:
	@tests/rig/packages.sh check
	@$(MAKE) -s --no-print-directory -j$(JOBS) tool workloads workloads32
	@tests/stress.sh $(GUESTS)

# The rows of the last full run: which are about these sources. For a release all must be.
rows:
	@tests/rows.sh show
release-check: tool
	@tests/release.sh
	@tests/rows.sh fresh

# A kernel newer than those supported: do the sources still build for it, and run in it?
NEWER_TESTS := load abi sys late truth_share doctor autoload compat32 who_pairs
check-newer:
	@tests/rig/packages.sh check
	@tests/rig/kernel.sh newer
	@$(MAKE) -s --no-print-directory tool workloads workloads32
	@TESTS="$${TESTS:-$(NEWER_TESTS)}" tests/rig/guest-tests.sh newer

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

demo: packages
	@$(MAKE) -s --no-print-directory tool workloads
	@if [ -n "$$CMD" ]; then tests/rig/vm.sh run $(GUEST) -- "$$CMD"; \
		else tests/rig/vm.sh demo $(GUEST); fi

# Programs of the bench; -O2 as the tool.
$(BUILD)/bench/bin/%: tests/bench/%.c tests/bench/meter.h
	@mkdir -p $(@D)
	$(CC) -D_GNU_SOURCE $(CFLAGS) -o $@ $<

# These two measure the tool on the host, with its own objects.
$(BUILD)/bench/symbols $(BUILD)/bench/graph: $(BUILD)/bench/%: tests/bench/%.c $(COMMON_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(LIBS)

# The parts graph and symbols take the tool alone, the others all that guests run.
BENCH_GUEST = $(filter-out graph symbols,$(or $(BENCH),all))
bench:
	@tests/rig/packages.sh $(if $(BENCH_GUEST),bench)
	@$(MAKE) -s --no-print-directory tool $(BUILD)/bench/graph $(BUILD)/bench/symbols \
		$(if $(BENCH_GUEST),workloads $(BENCH_BIN))
	@tests/bench/run.sh $(GUESTS)

# Simulation through the module's instants and the tool's intervals, as they are.
CALIBRATE_SRC := $(wildcard tests/calibrate/*.c) kmod/grid.c cli/base/stat.c
CALIBRATE_OBJ := $(CALIBRATE_SRC:%.c=$(BUILD)/obj/%.o)

$(BUILD)/calibrate: $(CALIBRATE_OBJ)
	$(CC) $(CFLAGS) -o $@ $^ -lm -pthread

calibrate: $(BUILD)/calibrate
	@$(BUILD)/calibrate $(CALIBRATE) >$(BUILD)/calibration.md; status=$$?; \
		cat $(BUILD)/calibration.md; test $$status = 0 || exit $$status; \
		test -n "$(CALIBRATE)" || cp $(BUILD)/calibration.md docs/calibration.md

# Files as strangers may make them: libFuzzer of clang, which has sanitizers of its own.
FUZZ_CC      ?= clang
FUZZ_SECONDS ?= 60
FUZZ_FLAGS   := -std=gnu11 -O1 -g -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -fno-omit-frame-pointer \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FUZZ_OBJ     := $(COMMON_SRC:%.c=$(BUILD)/fuzz/obj/%.o) $(BUILD)/fuzz/obj/tests/fuzz/fuzz.o
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/fuzz/bin/%,$(wildcard tests/fuzz/fuzz_*.c))

# Warnings are gcc's affair.
$(BUILD)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CPPFLAGS) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/fuzz/bin/%: $(BUILD)/fuzz/obj/tests/fuzz/fuzz_%.o $(FUZZ_OBJ)
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# These read kept runs.
$(BUILD)/fuzz/bin/save $(BUILD)/fuzz/bin/stacks: $(BUILD)/fuzz/obj/tests/fuzz/kept.o

.PRECIOUS: $(BUILD)/fuzz/obj/%.o
fuzz-targets: $(FUZZ_TARGETS)

fuzz:
	@tests/rig/packages.sh fuzz
	@$(MAKE) -s --no-print-directory -j2 fuzz-targets
	@tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ)

# Our shares beside those of perf and gprof, into the documentation.
peers:
	@TESTS='peers peers_calls' $(MAKE) -s --no-print-directory guest-check
	@tests/rig/peers.sh docs/peers.md peers $(GUESTS)
	@tests/rig/peers.sh docs/peers.md peers_calls $(GUESTS)

vm-shell: packages
	@$(MAKE) -s --no-print-directory tool workloads
	@tests/rig/vm.sh shell $(GUEST)

clean:
	rm -rf $(BUILD)
	@test ! -d "$(KDIR)" || $(MAKE) -s -C $(KDIR) M=$(CURDIR) clean

help:
	@echo "make              module (cpuprobe.ko) and tool (build/probe)"
	@echo "make module       the module; KDIR=FOLDER chooses the kernel headers"
	@echo "make sign         sign the module: KEY=private.pem CERT=certificate.der; make install takes them too"
	@echo "make tool         the tool"
	@echo "make man          the manual page of each command, in build/man"
	@echo "make install      both, the manual, completions; PREFIX=/usr/local DESTDIR= choose where"
	@echo "make uninstall    remove them again"
	@echo "make deb          Debian packages of both, in build/deb"
	@echo "make demo         see it run in a stock kernel; CMD='probe sys -sec 60' runs any command"
	@echo "make vm-shell     a shell in that kernel, module loaded; GUEST=6.12 chooses another"
	@echo "                  GUEST_PROGRAMS='FILE...' takes programs of yours along, to both"
	@echo "make check        the tests, in minutes: unit tests, a minute of fuzzing, stock kernels"
	@echo "make check-full   all of them, in hours: debug kernels too; goes on where it ended; PARTS='unit guests' chooses"
	@echo "make guest-check  guest tests only; TESTS='name ...' chooses, GUESTS='6.12' too"
	@echo "make check-newer  some of them on the newest kernel that can be had; TESTS= chooses"
	@echo "make stress-tests those that are about time, ten times on a busy host; ROUNDS=, TESTS= choose"
	@echo "make rows         what the last full run is worth for these sources; make release-check: must be all"
	@echo "make tutorial     a bottleneck found and mended, on a real kernel: the outputs in docs/tutorial.md"
	@echo "make pictures     the README's pictures of screens, from a real kernel: docs/pictures"
	@echo "make peers        the same functions by probe, perf and gprof: makes docs/peers.md"
	@echo "make hidden       programs that hide from samplers, beside perf: docs/nothing-hides.md"
	@echo "make bench        what a sample costs, beside perf and bpftrace; BENCH='sample idle' chooses"
	@echo "make calibrate    do 95% intervals hold? Simulated in 4 minutes; CALIBRATE=quick: in seconds"
	@echo "make fuzz         hostile files for a minute; FUZZ_SECONDS=1800 for longer, FUZZ='elf save' chooses"
	@echo "make mutants      do the unit tests notice slips? LISTS='kmod symbolizer' chooses"
	@echo "make clean        remove everything made"

export CMD BENCH TESTS DEPTH JOBS
-include $(COMMON_OBJ:.o=.d) $(CHECK_OBJ:.o=.d) $(BUILD)/obj/cli/main.d $(BUILD)/obj/docs/man/make_man.d \
	$(BUILD)/obj/cli/completions/describe.d \
	$(CALIBRATE_OBJ:.o=.d) $(UNIT_TESTS:%=%.d) $(MUTANT_OBJ:.o=.d) $(MUTANT_UNIT:%=%.d) \
	$(FUZZ_OBJ:.o=.d) \
	$(FUZZ_TARGETS:$(BUILD)/fuzz/bin/%=$(BUILD)/fuzz/obj/tests/fuzz/fuzz_%.d)
