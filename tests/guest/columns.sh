# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# -o chooses the columns of each command's table, in each format, live and from a saved run, and
# refuses columns that a table does not have.
. /test/guest-lib.sh

usage() { expect 2 probe "$@"; one_line_error "$wanted_text"; }
keys() { head -n 1 out | tr '\t' ' '; }

background proportions; pid=$last_pid
sleep 0.3

expect 0 probe sys -sec 1 -save sys.run
expect 0 probe sys -sec 1 -o name,total,lo,hi
says out '^Task Name +Total +95% interval$'
says out '^proportions +[0-9.]+ +[0-9.]+ +[0-9.]+$'
expect 0 probe sys -sec 1 -percpu -o total,name
says out '^ +Total +Task Name +CPU0$'
expect 0 probe sys -repeat 0.5 -sec 1 -tsv -o +kind,-pid
[ "$(keys)" = "name kernel softirq guest user total error charged lo hi kernel_hits softirq_hits guest_hits user_hits missed deferred kind time" ] ||
	fail "keys: $(keys)"
expect 0 probe show -json -o name,missed sys.run
says out '^    \{"name": "proportions", "missed": [0-9]+\},?$'
expect 0 probe show -o name,cpus sys.run
says out '^Task Name +CPU0$'

expect 0 probe proc -sec 1 -save proc.run -o address,hits,name $pid
says out '^Address +Hits +Name$'
says out '^0x[0-9a-f]+ +[0-9]+ +work_(six|three|one)$'
expect 0 probe show -tsv -o name,hits proc.run
[ "$(keys)" = "name hits" ] || fail "keys: $(keys)"
expect 0 probe show -o +lo,+hi -all proc.run
says out '^Address +Hits +Share +\+- +Name +95% interval$'

expect 0 probe flat -sec 1 -save flat.run -o name,share,path
says out '^Function +% +Path$'
expect 0 probe show -tsv -o share,name flat.run
[ "$(keys)" = "share name" ] || fail "keys: $(keys)"

expect 0 probe late -sec 1 -tsv -o landed,max_ns,error
[ "$(keys)" = "landed max_ns error" ] || fail "keys: $(keys)"
expect 0 probe diff -o name,difference,significant sys.run sys.run
says out '^Name +B - A$'
says out '^proportions +\+0\.00$'

# Lines keep to the width of the terminal, whichever columns are chosen.
expect 0 probe sys -sec 1 -o name,total
[ -z "$(awk 'length > 80' out)" ] || fail "wider than 80 columns"

for command in sys late "proc $pid" "flat flat.run" "show sys.run" "show proc.run" "show flat.run" \
	"diff sys.run sys.run"; do
	wanted_text="option -o: unknown column 'nosuch'"
	# shellcheck disable=SC2086 # a command and its arguments
	usage ${command%% *} -o nosuch ${command#"${command%% *}"}
	says err '^hint: there are '
done
wanted_text="option -o: unknown column 'totl'"; usage sys -o name,totl
says err '^hint: did you mean total\? There are name, '
wanted_text="option -o: unknown column 'address'"; usage show -o address sys.run
wanted_text="option -o: unknown column 'pid'"; usage show -o pid proc.run
wanted_text="option -o: 'pid' has no . or -"; usage sys -o +kind,pid
wanted_text="option -o: empty column name"; usage sys -o name,
wanted_text="option -o needs a value"; usage sys -o
wanted_text="-bars cannot be combined with -o"; usage flat -bars -o name flat.run
