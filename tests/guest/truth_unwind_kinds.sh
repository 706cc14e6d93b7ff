# SPDX-License-Identifier: GPL-2.0-only
# rig: icount
# rig: full
# rig: timeout=600
# Stacks by tables reach the outermost function however they came about: coroutines, signal handlers, threads,
# the vdso, children, exceptions, libraries that come and go, the dynamic linker, generated code. Shares are
# those by construction. The receipt accounts for each stack, with the reason where a stack ends early. One of
# the 14 shares is too far off by chance once in 100,000 runs.
. /test/guest-lib.sh
export LD_LIBRARY_PATH=/bin

sec=0.6
# measure PROGRAM ARGUMENTS: run it for a while; leaves the files folded and receipt.
measure() {
	background "$@"
	sleep 0.2
	expect 0 probe flat -json -sec $sec -rate 5000 -seed 1 -user -task "$1" -save run
	kill $last_pid
	wait $last_pid 2>/dev/null
	sed -n '/"user_stacks"/,$p' out >receipt
	expect 0 probe export -folded folded run
	now_measured=$*
}
# user NAME: print a number of the receipt.
user() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" receipt | head -n 1; }
# ends REASON...: check that each stack has an end; other reasons than these and "late" hardly occur. A debug
# kernel takes much of the time for work of its own, in which no program has a stack.
ends() {
	sed -n 's/.*"ended": {\(.*\)}.*/\1/p' receipt | tr ',' '\n' | tr -d ' "' >ended
	sum=$(awk -F : '{ sum += $2 } END { print sum }' ended)
	holds "$(user samples) > 1500 / $patience && $(user outermost) + $sum == $(user samples)" "($now_measured)"
	holds "$(user late) < 0.05 * $patience * $(user samples)" "($now_measured: $(user late) stacks before the tables)"
	odd=$(awk -F : -v named=" late $* " 'index(named, " " $1 " ") == 0 { sum += $2 } END { print sum + 0 }' ended)
	holds "$odd <= 0.003 * $(user samples)" "($now_measured: $(grep -v ':0$' ended | tr '\n' ' '); $(grep -F '[' folded | head -n 20))"
}
# hits PATTERN: print the samples of stacks that match.
hits() { awk -v p="$1" '{ n = $NF; sub(/ [0-9]+$/, ";") } $0 ~ p { sum += n } END { print sum + 0 }' folded; }
slack=0.01
# early: print how many samples may have come before the tables. A frame pointer may lead past callers then, and still
# reach the outermost function. So stacks with a step by frame pointer are added, up to 5% of all.
early() {
	awk -v late="$(user late)" -v by_pointer="$(user by_pointer)" -v most="$(user samples)" \
		'BEGIN { print late + (by_pointer < 0.05 * most ? by_pointer : 0.05 * most) }'
}
# under NAME PATTERN: check that stacks with the function match, all but the early ones.
under() {
	awk -v name=";$1;" -v p="$2" '{ n = $NF; line = $0; sub(/ [0-9]+$/, ";") }
		index($0, name) { sum += n; if ($0 !~ p) { lacking += n; print line >"lacking" } }
		END { print sum + 0, lacking + 0 }' folded >counts
	read -r found lacking <counts
	holds "$found > 20 && $lacking <= $(early) + $slack * $found" \
		"($now_measured: $lacking of $found samples of $1 are not in $2, $(early) early: $(head -n 5 lacking))"
}
# likely PART WHOLE SHARE: check to within 5 standard errors.
likely() {
	holds "$2 > 1000 / $patience && ($1 - $2 * $3) * ($1 - $2 * $3) < 25 * $2 * $3 * (1 - $3)" "($now_measured)"
}
# shared: check the shares of "more" and "less".
shared() { likely "$(hits ';more;')" "$(hits ';(more|less);')" 0.75; }

# On arm64 swapcontext() keeps its return address in a register while it makes a system call, which its rules do not say.
[ $machine = x86 ] && unsaid= || unsaid=unsupported
for shape in mapped heap; do
	measure kinds $shape
	ends "$unsaid"
	under more '^kinds;[^;]*;coroutine;more;'
	under less ';main;less;'
	shared
done
for program in kinds kinds-static kinds-static-pie; do
	measure $program alternate
	ends
	under more ';main;outer;fault;[^;]*;on_fault;more;'
	under less ';main;outer;less;'
	shared
	# The C library has no rules for the system call that makes a thread.
	measure $program thread
	ends no_rule no_table no_frame_pointer
	under more "^$program;[^;]*;[^;]*;thread;more;"
	shared
done
measure kinds handler
ends
under more ';main;outer;fault;[^;]*;on_fault;more;'
shared

measure kinds alarm
ends
under more ';main;([^;]*;)*on_alarm;more;'
holds "$(hits ';brief;([^;]*;)*on_alarm;') > 0" "no function of a few instructions was interrupted"

measure kinds clock
ends "$unsaid"
if [ $machine = x86 ]; then
	under read_clock ';main;read_clock;'
	under clock_gettime ';main;read_clock;clock_gettime;'
	holds "$(hits ';main;read_clock;clock_gettime;[^;]*clock_gettime;') > 20" "the vdso is not called"
else
	# The vdso has no rules: where it has a frame of its own, the stack pointer of its caller is unknown.
	holds "$(hits ';main;read_clock;') > 200" "$(cat folded)"
	holds "$(hits ';main;read_clock;[^;]*clock_gettime;') > 20" "the vdso is not called"
fi

# vfork() has its return address in a register, which no rule can say. The dynamic linker's first function
# has no rules; it is where the stack begins. A debug kernel is slow to begin a child and to end it.
[ $patience = 1 ] || sec=3
measure kinds children
sec=0.6
ends unsupported
under more ';main;run_children;begin_child;more;'
under less ';main;run_child;less;'
shared
# A child has no name yet in the moment of its exec; without names at all it would be most of the samples.
holds "$(hits 'object unknown') <= 0.01 * $(user samples)" "children lack names"

# On arm64 a frame record does not tell the caller's stack pointer, by which run_made finds its own; and the code
# without a frame leaves the pointer at main's caller's.
measure kinds made
ends generated "$unsaid"
if [ $machine = x86 ]; then
	likely "$(user generated)" "$(hits 'no symbol')" 0.25
	near "$(user by_pointer)" "$(user outermost)" "0.05 * $(user samples)"
else
	likely "$(user unsupported)" "$(hits 'no symbol')" 0.75
	near "$(user by_pointer)" "$(user samples)" "0.05 * $(user samples)"
fi

# The table is that of the library which is mapped. Two that have one address within a harvest get no names. The
# first harvest may see a library that stays for all of it.
measure loads 10
ends no_frame_pointer no_rule no_table unsupported
holds "$(hits ';call_once;object unknown .replaced.;') > 1000 / $patience"
holds "$(hits ';call_once;(one|three);') < 0.1 * $(user samples)"
under call_once ';main;call_once;'

# The function that binds others has its frame in a register that tables do not know, on x86. The section .init of a
# library has no rules. A debug kernel takes nine tenths of the time to load and unload the library.
measure loads lazy
ends unsupported no_rule no_table no_frame_pointer
[ $machine != x86 ] || {
	outside=$(($(hits .) - $(hits ';.kernel.;$')))
	holds "$outside > 20 && $(user unsupported) > 0.2 * $outside"
	holds "$(hits 'unsupported unwind rule') == $(hits 'unsupported unwind rule.;ld-linux[^;]*;')"
}
[ $machine = x86 ] || under call_all ';main;call_once;call_all;'
# On arm64 the stack pointer of call_once is unknown after a step by frame pointer.
[ $machine = x86 ] && caller=';main;call_once;' || caller=';call_once;'
under dlopen "${caller}dlopen;"
under dlclose "${caller}dlclose;"

# The rules of arm64's unwinder are about a frame that it has given up, where it leaves.
[ $machine = x86 ] || slack=0.1
for program in throws throws-framed; do
	measure $program
	ends
	under _Unwind_RaiseException ';main;outer;climb;climb;climb;__cxa_throw;_Unwind_RaiseException;'
	under _Unwind_Find_FDE ';main;outer;'
	under climb ';main;outer;climb;'
	likely "$(hits ';climb;$')" "$(hits ';(climb|outer);$')" 0.75
	# The unwinder replaces its own return address before it leaves: an instant in which climb is too often.
	awk 'match($0, /;main;outer(;climb)*/) { hits[substr($0, RSTART, RLENGTH)] += $NF; sum += $NF }
		END { for (calls in hits) if (hits[calls] > 0.01 * sum) print calls }' folded | sort >"calls.$program"
done
cmp calls.throws calls.throws-framed || fail "frame pointers change the calls: $(cat calls.*)"
