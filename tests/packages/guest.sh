# SPDX-License-Identifier: GPL-2.0-only
# In a clean Debian without a network: our packages installed, used, removed, purged.
fail() {
	echo "FAIL: $*"
	exit 1
}
step() { echo "== $(cut -d ' ' -f 1 /proc/uptime) s: $*"; }
files() { find / -xdev \( -path /rig -o -path /tmp \) -prune -o -print | sort; }
modules=/lib/modules/$(uname -r)
release=$(cat release)

# An emulated interrupt may cost more than the 5% of a CPU that are allowed.
echo 'options cpuprobe max_overhead_pct=50' >/etc/modprobe.d/emulated.conf
/lib/systemd/systemd-udevd --daemon
depmod
files >/rig/before

step "install"
dpkg -i ./*.deb >install.log 2>&1 || { cat install.log; fail "dpkg -i"; }
step "installed"
module=$(find "$modules/updates" -name 'cpuprobe.ko*')
[ -n "$module" ] || { cat install.log /var/lib/dkms/cpuprobe/*/build/make.log; fail "not built"; }
[ "$(modinfo -F version "$module")" = "$release" ] || fail "version $(modinfo -F version "$module")"
modinfo -F signer "$module" | grep -q 'DKMS' || fail "not signed by DKMS"
grep -q '^cpuprobe ' /proc/modules || fail "not loaded"
gid=$(getent group cpuprobe | cut -d : -f 3)
is_grouped() {
	udevadm settle
	[ "$(cat /sys/module/cpuprobe/parameters/gid)" = "$gid" ] || fail "the module's group is another"
	[ "$(cat /sys/module/cpuprobe/parameters/max_overhead_pct)" = 50 ] || fail "options are not obeyed"
	[ "$(stat -c '%a %G' /dev/cpuprobe)" = "666 cpuprobe" ] ||
		fail "the device: $(stat -c '%a %G' /dev/cpuprobe)"
}
is_grouped
# As at the next start.
rmmod cpuprobe
/lib/systemd/systemd-modules-load || fail "systemd-modules-load"
is_grouped

# An administrator's word is the last.
echo 'options cpuprobe gid=-1' >/etc/modprobe.d/local.conf
rmmod cpuprobe
modprobe cpuprobe
[ "$(cat /sys/module/cpuprobe/parameters/gid)" = -1 ] || fail "gid=-1 is not obeyed"
rm /etc/modprobe.d/local.conf
rmmod cpuprobe
modprobe cpuprobe
is_grouped

step "use"
probe version
probe version | grep -q "^module $release," || fail "probe version"
probe sys -sec 2 >out 2>&1 || { cat out; fail "probe sys"; }
cat out
grep -q '^Total .* 100\.0$' out || fail "the table has no sum of 100%"
useradd -G cpuprobe member
useradd other
runuser -u member -- probe sys -sec 1 >out 2>&1 || { cat out; fail "a member of the group may not"; }
! runuser -u other -- probe sys -sec 1 >out 2>&1 || fail "anybody may"
userdel member
userdel other
man -w 1 probe >/dev/null && man -w 4 cpuprobe >/dev/null || fail "no manual"
bash -c '. /usr/share/bash-completion/bash_completion
	_completion_loader probe
	complete -p probe' | grep -q 'F _probe' || fail "no completion"

step "remove"
# While it is in use it cannot be unloaded; without an argument for dkms the script does no more.
probe sys -sec 1000 >/dev/null 2>&1 &
used=$!
sleep 2
/var/lib/dpkg/info/cpuprobe-dkms.prerm failed-upgrade >remove.log 2>&1 ||
	{ cat remove.log; fail "not removed while it is in use"; }
grep -q '^cpuprobe is in use' remove.log || { cat remove.log; fail "nothing said of the module in use"; }
kill $used
wait $used || true
dpkg -r cpuprobe-dkms probe >remove.log 2>&1 || { cat remove.log; fail "dpkg -r"; }
! grep -q '^cpuprobe ' /proc/modules || fail "still loaded"
[ ! -e /dev/cpuprobe ] || fail "/dev/cpuprobe is still there"
[ ! -e "$modules/updates" ] || fail "$modules/updates is still there: $(ls -R "$modules/updates")"
dpkg -P cpuprobe-dkms probe >>remove.log 2>&1 || { cat remove.log; fail "dpkg -P"; }
files >/rig/after
# Files that dpkg, dkms, depmod and the tools for users write, whatever is installed, stay. The group
# stays, as groups of packages do: files may belong to it.
ours=$(diff before after | grep '^[<>]' | grep -vE \
	' (/var/lib/dpkg/|/var/log/|/var/cache/man|/var/lib/dkms/mok\.|/etc/(group|gshadow|passwd|shadow|sub[ug]id)-?$|/lib/modules/[^/]*/modules\.|/usr/lib/modules/[^/]*/modules\.)' || true)
[ -z "$ours" ] || fail "the purge left files: $ours"
[ -z "$(find /var/lib/dkms -mindepth 1 -not -name 'mok.*')" ] || fail "/var/lib/dkms has $(ls /var/lib/dkms)"
getent group cpuprobe
step "done"
