# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: timeout=300
# rig: arch=arm64
# Return addresses are signed by pointer authentication of arm64.
# Stacks of programs whose return addresses are signed and whose jumps have marked targets are those of the same programs
# without: no signature is left in an address, and after the first moments no stack lacks main, whatever instruction is
# sampled. With frame records, and with tables. One of the shares is too far off by chance once in 500,000 runs.
. /test/guest-lib.sh
grep -q "${pauth:-Features.* paca}" /proc/cpuinfo || fail "another processor: $(grep Features /proc/cpuinfo)"
! grep -q "${without:-none at all}" /proc/cpuinfo || fail "this processor signs addresses"

# frames PROGRAM SHAPE OPTION...: stacks of two seconds, in the file folded, and the number of samples in $all.
frames() {
	program=$1 shape=$2
	shift 2
	background "$program" "$shape"
	sleep 0.2
	expect 0 probe flat -sec 2 -rate 2000 -seed 1 -user -task "$program" "$@" -folded folded
	kill $last_pid
	wait $last_pid 2>/dev/null
	all=$(awk '{ n += $NF } END { print n + 0 }' folded)
	# A signature would make an address of no file, and so no name.
	! grep -E '0x[0-9a-f]{13,}' folded || fail "$program: addresses with signatures"
}
# samples PATTERN: of the file folded.
samples() { awk -v pattern="$1" '$0 ~ pattern { n += $NF } END { print n + 0 }' folded; }
likely() {
	holds "$all > 3000 && ($1 - $all * $2) * ($1 - $all * $2) < 25 * $all * $2 * (1 - $2)" "$program: $1 of $all ($3)"
}

for way in 'calls fp' 'calls-signed fp' 'calls-frameless tables' 'calls-frameless-signed tables'; do
	frames "${way% *}" diamond -unwind "${way#* }"
	likely "$(samples ';main;top;left;leaf ')" 0.6 "leaf by left"
	likely "$(samples ';main;top;right;leaf ')" 0.3 "leaf by right"
	# With frame records alone, the caller is missing at a function's first and last instructions.
	[ "${way#* }" = tables ] || continue
	frames "${way% *}" brief -unwind tables
	lacking=$((all - $(samples ';main[; ]')))
	holds "$all > 3000 && $lacking < 250" "$program: $lacking of $all samples without main"
done
