# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: only=debug,kcsan
# rig: boot=module.sig_enforce=1
# A kernel that accepts signed modules only loads ours, signed with a key that it trusts, also through
# the tool. It refuses modules without a signature or altered after signing, and the error says so.
. /test/guest-lib.sh
signed=/lib/modules/cpuprobe.ko
updates=/lib/modules/$(uname -r)/updates
kernel=$(uname -r | sed "s|[+.]|\\\\&|g")	# in patterns
mkdir -p "$updates"
: >"${updates%/*}/modules.order"
: >"${updates%/*}/modules.builtin"
install() {
	cp "$1" "$updates/cpuprobe.ko"
	depmod
}
refused() {	# refused: check that the kernel refuses the module, and that the tool says why
	insmod "$updates/cpuprobe.ko" 2>/dev/null && fail "loaded"
	expect 1 probe sys -sec 1 -engine module
	one_line_error "load the module: kernel $kernel accepts only signed modules"
	says err '^hint: .*make install KEY=.*mokutil'
	! lsmod | grep -q cpuprobe || fail "the module is loaded"
}

[ "$(cat /sys/module/module/parameters/sig_enforce)" = Y ] || fail "the rig: signatures are not enforced"
lsmod | grep -q cpuprobe || fail "the signed module was not loaded"
rmmod cpuprobe
tail -c 28 $signed | grep -q '^~Module signature appended~$' || fail "the rig: not signed"

# without its signature, whose length is in the last four bytes before the mark
length=$(tail -c 32 $signed | head -c 4 | od -An -tu1 | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }')
cp $signed plain.ko
truncate -s $(($(stat -c %s $signed) - 40 - length)) plain.ko
tail -c 28 plain.ko | grep -q 'signature' && fail "the rig: still signed"
install plain.ko
refused
expect 1 probe doctor
finds FAIL signatures 'required \(module.sig_enforce\), but the module is not signed$' 'make install KEY'

# altered after signing
sed 's/CPU probes: where/CPU probes: There/' $signed >changed.ko
cmp -s changed.ko $signed && fail "the rig: nothing changed"
install changed.ko
refused

install $signed
expect 0 probe doctor
finds ok signatures 'required \(module.sig_enforce\), and the module is signed$'
expect 0 probe sys -sec 0.5 -rate 100
lsmod | grep -q cpuprobe || fail "not loaded"
rm -rf "${updates%/*}"
