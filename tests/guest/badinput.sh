# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# Errors in the command line, and a device that is missing or that the user may not open.
. /test/guest-lib.sh
usage() { expect 2 probe "$@"; one_line_error "$wanted_text"; }
wanted_text="option -rate: '0' is outside"; usage sys -rate 0
wanted_text="option -rate: '-5' is outside"; usage sys -rate -5
wanted_text="'1e9' is outside 1 to 20000"; usage sys -rate 1e9
wanted_text="'fast' is not a number"; usage sys -rate fast
wanted_text="'inf' is not a number"; usage sys -rate inf
wanted_text="option -sec: '0' is not above zero"; usage sys -sec 0
wanted_text="'10x' is not a duration"; usage sys -sec 10x
wanted_text="unknown option '-s'"; usage sys -s 5
says err '^hint: did you mean -sec'
wanted_text="unknown option '-sect'"; usage sys --sect=5
wanted_text="option -sec needs a value"; usage sys -sec
wanted_text="option -json takes no value"; usage sys -json=yes
wanted_text="'most' is not one of total"; usage sys -sort most
wanted_text="'0' is not above zero"; usage sys -n 0
wanted_text="'a-b' is not a list of CPUs"; usage sys -cpu a-b
wanted_text="unexpected argument 'gzip'"; usage sys gzip
wanted_text="no COMMAND after '--'"; usage sys --
wanted_text="unknown command 'sis'"; usage sis
says err "^hint: did you mean 'probe sys'"
expect 2 probe
says err '^Ready on this machine:'
says err '^ok    module: loaded'
says err '^  probe top '
expect 0 probe help
expect 0 probe sys -help
says out '^  -rate HZ'
for command in sys proc late show verify diff; do
	expect 0 probe help $command
	[ -z "$(awk 'length > 80' out)" ] || fail "help of $command is wider than 80 columns"
done
expect 0 probe --version
expect 1 probe sys -cpu 7 -sec 1
one_line_error "CPU 7: no such CPU"
expect 1 probe sys -sec 0.0001 -rate 1
one_line_error "no sample was taken"
expect 1 sh -c 'probe sys -sec 0.2 >/dev/full'
one_line_error "write standard output: No space left"
expect 1 sh -c 'probe sys -sec 0.2 >&-'
one_line_error "write standard output"
expect 1 su nobody -c "probe sys -engine module -sec 1"
one_line_error "open /dev/cpuprobe: not allowed"
rmmod cpuprobe
expect 1 probe sys -engine module -sec 1
one_line_error "load the module: it is not installed"
says err '^hint: .*sudo make install'
