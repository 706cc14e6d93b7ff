# SPDX-License-Identifier: GPL-2.0-only
# In a clean Debian of arm64 without a network: the tool's package installed, used with the rig's module, and purged.
fail() {
	echo "FAIL: $*"
	exit 1
}
step() { echo "== $(cut -d ' ' -f 1 /proc/uptime) s: $*"; }
files() { find / -xdev \( -path /rig -o -path /tmp \) -prune -o -print | sort; }
release=$(cat release)
files >/rig/before

step "install"
dpkg -i ./probe_*_arm64.deb >install.log 2>&1 || { cat install.log; fail "dpkg -i"; }
dpkg -s probe | grep -q '^Status: install ok installed$' || fail "dpkg does not know it"
[ "$(dpkg --print-architecture)" = arm64 ] || fail "not an arm64"
# Its dependencies are real: dpkg refuses to remove one.
! dpkg -r libelf1 >remove.log 2>&1 || fail "libelf1 can be removed"
grep -q 'probe depends on libelf1' remove.log || { cat remove.log; fail "dpkg sees no dependency"; }
debsums=$(cd / && md5sum -c /var/lib/dpkg/info/probe.md5sums 2>&1 | grep -v ': OK$' || true)
[ -z "$debsums" ] || fail "files differ: $debsums"

step "use"
insmod ./cpuprobe.ko max_overhead_pct=50 || fail "insmod"
probe version
probe version | grep -q "^module $release," || fail "probe version"
probe sys -sec 2 >out 2>&1 || { cat out; fail "probe sys"; }
cat out
grep -q '^Total .* 100\.0$' out || fail "the table has no sum of 100%"
probe flat -sec 1 -tsv >out 2>&1 || { cat out; fail "probe flat"; }
[ -s /usr/share/man/man1/probe.1.gz ] || fail "no manual"
[ -s /usr/share/bash-completion/completions/probe ] || fail "no completion"
rmmod cpuprobe

step "remove"
dpkg -P probe >remove.log 2>&1 || { cat remove.log; fail "dpkg -P"; }
[ ! -e /usr/bin/probe ] || fail "/usr/bin/probe is still there"
files >/rig/after
ours=$(diff before after | grep '^[<>]' | grep -vE ' (/var/lib/dpkg/|/var/log/|/var/cache/man)' || true)
[ -z "$ours" ] || fail "the purge left files: $ours"
step "done"
