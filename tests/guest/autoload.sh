# SPDX-License-Identifier: GPL-2.0-only
# rig: not=debug,kcsan
# rig: quick=6.12
# rig: alone
# rig: icount
# rig: shift=3
# The tool loads the module, or says why it cannot: the module is not installed, was built for
# another kernel or is of another version; the user is not root; the kernel is locked down.
. /test/guest-lib.sh
rmmod cpuprobe
folder=/lib/modules/$(uname -r)
kernel=$(uname -r | sed "s|[+.]|\\\\&|g")	# in patterns
updates=$folder/updates
mkdir -p "$updates"
: >"$folder/modules.order"
: >"$folder/modules.builtin"

refused() {	# refused MESSAGE HINT
	expect 1 probe sys -engine module -sec 1
	one_line_error "$1"
	says err "^hint: .*$2"
	! lsmod | grep -q cpuprobe || fail "the module is loaded"
}

depmod
expect 0 probe version
refused "load the module: it is not installed for kernel $kernel" 'sudo make install'
install() {
	cp "$1" "$updates/cpuprobe.ko"
	depmod
}
# built for another kernel: a release of the same length keeps the file valid
sed "s/ mod_unload / mod_unlOad /g" /lib/modules/cpuprobe.ko >foreign.ko
install foreign.ko
refused "load the module: it was built for another kernel than $kernel" 'make clean'

install /lib/modules/cpuprobe.ko
expect 1 su nobody -s /bin/sh -c 'probe sys -engine module -sec 1'
one_line_error 'open /dev/cpuprobe: the module is not loaded, and only root can load it'
expect 0 probe version
! lsmod | grep -q cpuprobe || fail "'probe version' loads the module"
expect 0 probe sys -sec 1
lsmod | grep -q cpuprobe || fail "not loaded"
expect 0 probe version
says out '^module .*, interface [0-9]+, [0-9]+ KB per CPU and session, [0-9.]+ us per interrupt$'
expect 1 env LD_PRELOAD=/bin/liboldmodule.so probe sys -engine module -sec 1
one_line_error 'the module speaks version 1 of the interface, this tool version'
says err '^hint: sudo rmmod cpuprobe'
rmmod cpuprobe

# Lockdown cannot be undone.
mount -t securityfs securityfs /sys/kernel/security
echo integrity >/sys/kernel/security/lockdown
refused "load the module: kernel $kernel is locked down and accepts only signed modules" 'mokutil'
echo 1 >/proc/sys/kernel/modules_disabled
expect 1 probe sys -engine module -sec 1
one_line_error 'load the module: loading modules is disabled until the next boot'
says err '^hint: load cpuprobe before kernel.modules_disabled is set'

# Without -engine the tool measures all the same, and says why in one line. Here nothing but BPF is left.
expect 0 probe sys -sec 1
one_line_error 'load the module: loading modules is disabled until the next boot; measuring with BPF'
