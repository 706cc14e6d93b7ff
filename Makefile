# SPDX-License-Identifier: GPL-2.0-only
#
# cpuprobe: `make help` lists the verbs. Everything is made in build/, except the module, which the kernel's
# build system makes where its sources are.

RELEASE := $(shell sed -n 's/^.define CPUPROBE_RELEASE "\(.*\)"/\1/p' kmod/release.h)
BUILD   := build
CC      ?= gcc
STRIP   ?= strip

# ARCH=arm64 on another machine: the tool and what tests need are made in build/arm64, by Debian's compiler and with
# its libraries for arm64, which are fetched to that directory.
ifeq ($(ARCH)$(filter aarch64,$(shell uname -m)),arm64)
BUILD         := build/arm64
CROSS_COMPILE ?= $(shell tests/rig/arm64-compiler.sh)
SYSROOT       := $(shell tests/rig/arm64-sysroot.sh)
CC            := $(CROSS_COMPILE)gcc-12 --sysroot=$(SYSROOT)
CXX           := $(CROSS_COMPILE)g++-12 --sysroot=$(SYSROOT)
STRIP         := $(CROSS_COMPILE)strip
# Headers of 6.12 want the compiler's name without its directory.
CROSS         := $(if $(findstring /,$(CROSS_COMPILE)),PATH="$(patsubst %/,%,$(dir $(CROSS_COMPILE))):$$PATH") \
	CROSS_COMPILE=$(notdir $(CROSS_COMPILE))
KDIR          ?= $(shell cat build/kernels/$(GUEST)/kdir)
GUEST         ?= 6.1-arm64
GUESTS        ?= 6.1-arm64 6.12-arm64
endif

# `make install` puts everything under PREFIX, except the module, which goes where depmod looks, and the agent's
# configuration, which goes to ETCDIR/cpuprobe.
PREFIX  ?= /usr/local
DESTDIR ?=
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
SYSDIR  ?= $(PREFIX)/lib
ETCDIR  ?= /etc

# Debian's name of this machine's processor.
DEB_ARCH := $(if $(filter aarch64,$(shell uname -m)),arm64,amd64)
# Headers to build the module against: the running kernel's, or else the newest installed.
KDIR ?= $(firstword $(wildcard /lib/modules/$(shell uname -r)/build) \
	$(shell ls -dv /usr/src/linux-headers-*-$(DEB_ARCH) /usr/src/linux-headers-*-generic \
		2>/dev/null | tail -n 1))
# The stock kernel that `make demo` and `make vm-shell` boot, and those that tests boot.
GUEST         ?= 6.1
GUESTS        ?= 6.1 6.12

# Flags that a distribution's build sets in the environment are added.
CPPFLAGS := -D_GNU_SOURCE -Icli -Isymbolizer -Ikmod -Ikmod/uapi $(CPPFLAGS)
CFLAGS   ?= -O2 -g
WERROR   ?= -Werror
CFLAGS   += -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR) \
	-Wno-format-truncation -Wno-missing-field-initializers
# The tool's own stacks can be followed, as it asks of other programs.
CFLAGS   += -fno-omit-frame-pointer
# Headers only: the tool loads libcurl when it pushes profiles.
CURL     := $(shell pkg-config --exists 'libcurl >= 7.85' 2>/dev/null && echo yes)
ifeq ($(CURL),yes)
CPPFLAGS += -DHAVE_CURL $(if $(SYSROOT),,$(shell pkg-config --cflags libcurl))
endif
LIBS     := -lcapstone -ldw -lelf -llzma -lz -liberty -lncursesw -ltinfo -lm -pthread

# Headers only: the tool loads libmicrohttpd for -listen. MICROHTTPD= builds without it.
MICROHTTPD ?= $(shell pkg-config --exists libmicrohttpd 2>/dev/null && echo yes)
ifeq ($(MICROHTTPD),yes)
CPPFLAGS += -DHAVE_MICROHTTPD
endif

# One list of sources: the tool is main.c and everything else, a unit test is itself and
# everything else.
COMMON_SRC := $(filter-out cli/main.c cli/completions/%,$(wildcard cli/*.c cli/*/*.c)) $(wildcard symbolizer/*.c) \
	kmod/grid.c kmod/meter.c kmod/pace.c kmod/credit.c kmod/table.c kmod/slots.c kmod/areas.c kmod/late.c kmod/stacks.c kmod/arcs.c \
	kmod/chain.c kmod/nodes.c kmod/cfi.c kmod/pool.c kmod/events.c
COMMON_OBJ := $(COMMON_SRC:%.c=$(BUILD)/obj/%.o)
MAN_PAGES  := $(patsubst docs/man/%.in,$(BUILD)/man/%,$(wildcard docs/man/*.1.in))
MANUAL     := $(wildcard docs/*.[1-8] docs/man/*.[1-8]) $(MAN_PAGES)

.PHONY: all tool man module completions demo-kernel sign install install-tool install-system install-source \
	install-module uninstall deb packages demo vm-shell clean help
all: module tool man completions

tool: $(BUILD)/probe

man: $(MAN_PAGES)

module:
	@test -d "$(KDIR)" || { echo "make: no kernel headers found; give KDIR=DIRECTORY" >&2; exit 1; }
	$(CROSS) $(MAKE) -C $(KDIR) M=$(CURDIR) modules

# For kernels that take signed modules only: Secure Boot, lockdown.
KEY  ?=
CERT ?=
sign: module
	@kmod/sign.sh "$(KDIR)" "$(KEY)" "$(CERT)" cpuprobe.ko

$(BUILD)/probe: $(BUILD)/obj/cli/main.o $(COMMON_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# The tool describes its own commands; the completions of the shells are made from that.
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

# Compiled again when the library comes or goes.
$(foreach dir,obj check fuzz/obj,$(BUILD)/$(dir)/cli/metrics/listen.o): $(BUILD)/microhttpd-$(MICROHTTPD)
$(BUILD)/microhttpd-$(MICROHTTPD):
	@mkdir -p $(@D) && rm -f $(BUILD)/microhttpd-* && : >$@

# The pages of -html are in the tool as they are in these files.
PAGE_ASSETS := $(wildcard cli/page/assets/*)
$(BUILD)/obj/cli/page/page.o: $(PAGE_ASSETS)

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

# The tables of docs/fleet.md.
$(BUILD)/fleet_figures: $(BUILD)/obj/docs/man/fleet_figures.o $(BUILD)/obj/cli/base/stat.o
	$(CC) $(CFLAGS) -o $@ $^ -lm

# The kernel that cpuprobe.ko is for.
MODULE_KERNEL = $$(modinfo -F vermagic ./cpuprobe.ko | cut -d ' ' -f 1)

install: all install-tool install-system install-module
	@test -n "$(DESTDIR)" || ! command -v systemd-sysusers >/dev/null || \
		systemd-sysusers $(SYSDIR)/sysusers.d/cpuprobe.conf

AGENT_UNIT = $(SYSDIR)/systemd/system/cpuprobe-agent.service
AGENT_CONF = $(ETCDIR)/cpuprobe/agent.conf

# The manual's pages name the version. A configuration that is there stays as it is.
install-tool: tool completions $(MAN_PAGES)
	install -D -m 755 $(BUILD)/probe $(DESTDIR)$(PREFIX)/bin/probe
	install -D -m 644 cli/runtime/cpuprobe_mark.h $(DESTDIR)$(PREFIX)/include/cpuprobe_mark.h
	install -D -m 644 $(BUILD)/completions/probe.bash $(DESTDIR)$(BASHDIR)/probe
	install -D -m 644 $(BUILD)/completions/probe.zsh $(DESTDIR)$(ZSHDIR)/_probe
	install -D -m 644 $(BUILD)/completions/probe.fish $(DESTDIR)$(FISHDIR)/probe.fish
	for page in $(MANUAL); do \
		sed '/^\.TH /s/"cpuprobe"/"cpuprobe $(RELEASE)"/' $$page | install -D -m 644 /dev/stdin \
			$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/} || exit 1; \
	done
	sed 's|@PREFIX@|$(PREFIX)|; s|@ETCDIR@|$(ETCDIR)|' debian/cpuprobe-agent.service | install -D -m 644 /dev/stdin \
		$(DESTDIR)$(AGENT_UNIT)
	test -e $(DESTDIR)$(AGENT_CONF) || install -D -m 644 debian/agent.conf $(DESTDIR)$(AGENT_CONF)

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
# Empty directories are removed. The group stays, as groups do: files may belong to it.
INSTALLED = $(PREFIX)/bin/probe $(PREFIX)/include/cpuprobe_mark.h $(BASHDIR)/probe $(ZSHDIR)/_probe $(FISHDIR)/probe.fish \
	$(foreach page,$(MANUAL),$(PREFIX)/share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
	$(foreach name,sysusers modprobe modules-load,$(SYSDIR)/$(name).d/cpuprobe.conf) \
	$(SYSDIR)/udev/rules.d/60-cpuprobe.rules $(AGENT_UNIT)
uninstall:
	@test -n "$(DESTDIR)" || ! grep -qs '^cpuprobe ' /proc/modules || rmmod cpuprobe
	rm -f $(INSTALLED:%=$(DESTDIR)%) $(wildcard $(DESTDIR)/lib/modules/*/updates/cpuprobe.ko)
	@! cmp -s debian/agent.conf $(DESTDIR)$(AGENT_CONF) || rm $(DESTDIR)$(AGENT_CONF)
	@for dir in $(DESTDIR)$(dir $(AGENT_CONF)) $(DESTDIR)$(SYSDIR)/systemd/system $(DESTDIR)$(SYSDIR)/systemd $(sort $(dir $(filter-out %/bin/probe,$(INSTALLED:%=$(DESTDIR)%)))) $(DESTDIR)$(SYSDIR)/udev \
			$(wildcard $(DESTDIR)/lib/modules/*/updates $(DESTDIR)/lib/modules/*); do \
		test ! -d $$dir || rmdir --ignore-fail-on-non-empty $$dir; done
	@test -n "$(DESTDIR)" || for kernel in $(wildcard /lib/modules/*/modules.dep); do \
		depmod -a $$(basename $$(dirname $$kernel)); done

# The tool for arm64 is compiled as Debian compiles packages.
deb:
	@tests/rig/packages.sh deb
ifeq ($(BUILD),build/arm64)
	@DEB_BUILD_MAINT_OPTIONS=hardening=+all dpkg-buildflags --export=cmdline >build/arm64/flags
	@sh -c "env $$(cat build/arm64/flags) $(MAKE) -s --no-print-directory ARCH=arm64 BUILD=build/arm64/deb-tool WERROR= tool"
	@$(STRIP) -o build/arm64/deb-tool/probe.stripped build/arm64/deb-tool/probe
	@debian/build-arm64.sh build/arm64/deb-tool/probe.stripped
else
	@debian/build.sh
endif

packages:
	@tests/rig/packages.sh

demo: packages
	@$(MAKE) -s --no-print-directory ARCH= tool
	@if [ -n "$$CMD" ]; then $(call make_for_guests,,$(GUEST)) && tests/rig/vm.sh run $(GUEST) -- "$$CMD"; \
		else $(call make_for_guests,,$(filter %-arm64,$(GUEST))) && \
			tests/rig/here.sh $(MAKE) -s --no-print-directory ARCH= workloads demo-kernel GUEST=$(GUEST) && \
			tests/rig/vm.sh demo $(GUEST); fi

demo-kernel:
	@tests/rig/kernel.sh $(GUEST) && tests/rig/module.sh $(GUEST)

vm-shell: packages
	@$(call make_for_guests,,$(GUEST))
	@tests/rig/vm.sh shell $(GUEST)

clean:
	rm -rf $(BUILD)
	@test ! -d "$(KDIR)" || $(MAKE) -s -C $(KDIR) M=$(CURDIR) clean

help:
	@echo "make              module (cpuprobe.ko) and tool (build/probe)"
	@echo "make module       the module; KDIR=DIRECTORY chooses the kernel headers"
	@echo "make sign         sign the module: KEY=private.pem CERT=certificate.der; make install takes them too"
	@echo "make tool         the tool"
	@echo "make man          the manual page of each command, in build/man"
	@echo "make install      both, the manual, completions; PREFIX=/usr/local DESTDIR= choose where"
	@echo "make uninstall    remove them again"
	@echo "make deb          Debian packages of both, in build/deb"
	@echo "make demo         see it measure this machine by BPF, and run in a stock kernel; CMD='probe sys -sec 60'"
	@echo "                  runs any command there"
	@echo "make vm-shell     a shell in that kernel, module loaded; GUEST=6.12 chooses another, GUEST=6.12-arm64 another"
	@echo "                  processor: emulated, with the tool built for it by ARCH=arm64"
	@echo "                  GUEST_PROGRAMS='FILE...' takes programs of yours along, to both"
	@echo "make layout       check the directories of the tool: no include leads up; draw docs/layout.svg"
	@echo "make lint         rules about the sources: shellcheck, sparse, words; RULES='shell words' chooses"
	@echo "make format       clang-format for the lines that differ from BASE=HEAD; CHECK=yes only shows; not for tables"
	@echo "make check        the tests, in minutes: unit tests, a minute of fuzzing, stock kernels"
	@echo "make check-ci     more guest tests: what continuous integration runs"
	@echo "make check-full   all of them, in hours: debug kernels too; goes on where it ended; PARTS='unit guests' chooses"
	@echo "make guest-check  guest tests only; TESTS='name ...' chooses, GUESTS='6.12' too"
	@echo "make new-test     begin a guest test with the example of CONTRIBUTING.md: NAME=example"
	@echo "make check-newer  some of them on the newest kernel that can be had; TESTS= chooses"
	@echo "make stress-tests those that are about time, ten times on a busy host; ROUNDS=, TESTS= choose"
	@echo "make rows         what the last full run is worth for these sources; make release-check: must be all"
	@echo "make tutorial     a bottleneck found and fixed, on a real kernel: the outputs in docs/tutorial.md"
	@echo "make pictures     the README's pictures of screens, from a real kernel: docs/pictures"
	@echo "make peers        the same functions by probe, perf and gprof: makes docs/peers.md"
	@echo "make hidden       probe and perf on programs that hide from samplers: docs/nothing-hides.md"
	@echo "make fleet-figures the tables of docs/fleet.md; MEASURE=-measure measures the sizes too, as root"
	@echo "make bench        what a sample costs, beside perf and bpftrace; BENCH='sample idle' chooses"
	@echo "make calibrate    do 95% intervals hold? Simulated in 4 minutes; CALIBRATE=quick: in seconds"
	@echo "make fuzz         hostile files for a minute; FUZZ_SECONDS=1800 for longer, FUZZ='elf save' chooses"
	@echo "make mutants      do the unit tests notice slips? LISTS='kmod symbolizer' chooses"
	@echo "make clean        remove everything made"

# Archives that packages are built from have no tests.
-include tests/tests.mk
export CMD BENCH TESTS DEPTH JOBS
-include $(COMMON_OBJ:.o=.d) $(addprefix $(BUILD)/obj/,cli/main.d cli/completions/describe.d \
	docs/man/make_man.d docs/man/precision.d docs/man/fleet_figures.d)
