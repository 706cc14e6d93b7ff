# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# rig: not=debug,kcsan
# `probe doctor` on a machine without problems, and on one with each problem.
. /test/guest-lib.sh
folder=/lib/modules/$(uname -r)
kernel=$(uname -r | sed "s|[+.]|\\\\&|g")	# in patterns
clock=/sys/devices/system/clocksource/clocksource0/current_clocksource
all='kernel module signatures bpf container access symbols timers clocksource rate cpus host'

doctor() {	# doctor STATUS [COMMAND...]: run `probe doctor` and check the form of its output
	status=$1
	shift
	expect "$status" "$@" probe doctor
	[ ! -s err ] || fail "unexpected output on standard error: $(cat err)"
	[ "$(awk 'length > 80' out | wc -l)" = 0 ] || { cat out; fail "wider than 80 columns"; }
	# a hint follows each finding that is not ok, and no other finding
	awk '/^(ok  |warn|FAIL)  [a-z]+: ./ { if (want) exit 1; want = !/^ok/; next }
		/^hint: ./ { if (!want) exit 1; want = 0; next }
		!/^[^ ]/ { exit 1 } END { if (want) exit 1 }' out || { cat out; fail "wrong form"; }
	grep -q '^FAIL' out
	[ $? != "$status" ] || { cat out; fail "the exit status contradicts the findings"; }
}

install() {
	mkdir -p "$folder/updates"
	: >"$folder/modules.order"
	: >"$folder/modules.builtin"
	cp "$1" "$folder/updates/cpuprobe.ko"
	depmod
}

# no problem, in three formats
doctor 0
for check in $all; do finds ok "$check" ''; done
! grep -q '^warn' out || { cat out; fail "warnings on a machine without problems"; }
finds ok module 'loaded, release 0[0-9.a-z-]*, version [0-9]+ of the interface$'
finds ok kernel "$kernel, $(uname -m)\$"
finds ok clocksource '(tsc|arch_sys_counter), read in [0-9]+ ns$'
finds ok host 'a virtual machine'
expect 0 probe doctor -json
[ "$(json ok)" -ge 11 ] && [ "$(json failed)" = 0 ] && [ "$(json warned)" = 0 ] || fail "counts in JSON"
[ "$(grep -c '"result": "ok", "check": ' out)" = "$(json ok)" ] || fail "rows in JSON"
expect 0 probe doctor -tsv
[ "$(head -n 1 out)" = "$(printf 'result\tcheck\tfinding\thint')" ] || fail "titles"
[ "$(awk -F '\t' 'NF != 4' out | wc -l)" = 0 ] || fail "columns"
expect 2 probe doctor now
one_line_error "doctor: unexpected argument 'now'"

# clocks (arm64 has one only), symbols
if [ $machine = x86 ]; then
	echo acpi_pm >$clock
	doctor 0
	finds warn clocksource 'acpi_pm, read in [0-9]+ ns' 'write tsc into .*/current_clocksource'
	echo tsc >$clock
fi
echo 2 >/proc/sys/kernel/kptr_restrict
doctor 0
finds warn symbols 'hidden by kernel.kptr_restrict=2' 'sysctl kernel.kptr_restrict=1'
echo 1 >/proc/sys/kernel/kptr_restrict

# users, namespaces
chmod 777 .
doctor 1 su nobody -s /bin/sh -c 'probe doctor' --
finds FAIL access '/dev/cpuprobe does not open without CAP_PERFMON' 'gid=GROUP'
finds warn symbols hidden CAP_SYSLOG
finds ok module 'loaded, release 0'
doctor 1 unshare -f -p
finds FAIL container 'in a pid namespace' 'outside the container'
if unshare -U true 2>/dev/null; then
	doctor 1 unshare -U
	finds FAIL container 'in a user namespace' 'outside the container'
fi
echo 0 >/proc/sys/kernel/kptr_restrict

# another tool's module
expect 1 env LD_PRELOAD=/bin/liboldmodule.so probe doctor
finds FAIL module 'the loaded module speaks version 1 of the interface, this tool' 'sudo rmmod cpuprobe'

# not loaded: not installed, of another kernel, of another interface, no module, the right one
rmmod cpuprobe
doctor 1
finds FAIL module "not loaded, and not installed for kernel $kernel\$" 'sudo make install'
sed 's/vermagic=[0-9]/vermagic=9/' /lib/modules/cpuprobe.ko >other.ko
install other.ko
doctor 1
finds FAIL module 'the installed module is for kernel 9' 'make clean'
sed 's/interface=[0-9]/interface=9/' /lib/modules/cpuprobe.ko >other.ko
install other.ko
doctor 1
finds FAIL module 'the installed module speaks version 9[0-9]+ of the interface, this tool' 'same sources'
head -c 5000 /lib/modules/cpuprobe.ko >other.ko
install /lib/modules/cpuprobe.ko
cp other.ko "$folder/updates/cpuprobe.ko"
doctor 1
finds FAIL module '/lib/modules/.*/cpuprobe.ko: not( a( kernel)?)?$' 'make clean'
install /lib/modules/cpuprobe.ko
doctor 0
finds ok module 'installed for this kernel, not loaded: the first run loads it$'
doctor 1 su nobody -s /bin/sh -c 'probe doctor' --
finds FAIL access 'the module is not loaded, and only root can load it$' 'sudo modprobe cpuprobe'
! lsmod | grep -q cpuprobe || fail "the doctor loads the module"

# the user's permissions
insmod /lib/modules/cpuprobe.ko max_rate=500 max_overhead_pct=50 gid=65534
doctor 0
finds warn rate '[0-9.]+ us a sample, 500 Hz permitted; with stacks [0-9.]+ us, 500 Hz' 'use -rate 500, .*max_rate'
doctor 0 su nobody -s /bin/sh -c 'probe doctor' --
finds warn access 'only to the system table and the user code of your own programs' 'CAP_PERFMON'
rm -rf "$folder"
