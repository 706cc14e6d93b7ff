# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# probe sys -- COMMAND samples from before the command's exec to its end, and exits with its status.
. /test/guest-lib.sh
expect 7 probe sys -tsv -- sh -c 'sleep 1; exit 7'
expect 0 probe sys -tsv -- sh -c 'gzip -c /bin/openssl >/dev/null'
holds "$(tsv gzip user_hits) > 50"
expect 127 probe sys -- /no/such/program
one_line_error "run '/no/such/program': No such file"
expect 126 probe sys -- /etc/passwd
one_line_error "run '/etc/passwd': Permission denied"
expect 143 probe sys -- sh -c 'kill -TERM $$'
# -sec ends the measurement, not the command
expect 3 probe sys -sec 0.3 -json -- sh -c 'sleep 1; exit 3'
holds "$(json seconds) < 0.6"
# the task is the command's program, which is not in $PATH and does not run yet
cp /bin/gzip packer
cp /bin/openssl data
for words in 'proc packer' 'flat -task packer' 'graph -task packer'; do
	# shellcheck disable=SC2086 # words
	expect 0 probe $words -- ./packer -kf data
	grep -q packer out || fail "$words: not found"
	# shellcheck disable=SC2086
	expect 125 probe $words -- true
	one_line_error "find task 'packer': no running executable has that name"
done
# the task is a program that the command starts: found in $PATH, or given by its path
for task in gzip /bin/gzip; do
	for command in 'proc -tsv' 'flat -tsv -user -save run -task' 'graph -tsv -user -task'; do
		# shellcheck disable=SC2086 # words
		expect 5 probe $command $task -- sh -c 'openssl dgst /bin/openssl >/dev/null; gzip -c /bin/openssl >packed; exit 5'
		grep -q openssl out && { cat out; fail "$command $task: another child of the command"; }
	done
	expect 0 probe flat -tsv -by program run
	says out '^gzip	'
	holds "$(awk -F '\t' '$1 == "gzip" { sum += $12 } END { print sum }' out) > 50"
	! grep -Eq '^(sh|busybox|openssl)	' out || { cat out; fail "another child of the command"; }
done
for words in 'flat -task ./packer' 'graph -task ./packer'; do
	# shellcheck disable=SC2086
	expect 3 probe $words -- sh -c './packer -kf data; exit 3'
	grep -q packer out || { cat out; fail "$words: a child of the command is not found"; }
done
rmmod cpuprobe
expect 125 probe sys -engine module -- true
one_line_error "load the module: it is not installed"
# a COMMAND that waits for a recording that cannot begin
expect 125 timeout 60 probe trace -fn vfs_read -- true
says err 'load the module: it is not installed'
