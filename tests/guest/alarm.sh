# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1,6.12
# rig: quick=6.12
# Alarms of `probe sys -repeat`: a share past its limit ends the run or starts a command, a share
# within it does neither; wrong limits and combinations.
. /test/guest-lib.sh
background spin 60
# The program takes nearly all of the only CPU.
expect 3 probe sys -repeat 1 -sec 60 -alarm 'proportions>10' -alarm 'spin>50'
# The kernel's own work after the boot may take part of the first intervals.
[ "$(grep -c '^Percentage CPU' out)" -lt 20 ] || { cat out; fail "not ended by an alarm"; }
says out '^Receipt: '
says err '^probe: alarm: spin: [0-9.]+% \(95% interval [0-9.]+ to [0-9.]+\) is above 50%, since [-0-9]+ [0-9:]{8}$'
[ "$(grep -c '^probe: alarm' err)" = 1 ] || { cat err; fail "another alarm"; }
expect 0 probe sys -repeat 1 -sec 3 -alarm 'spin<50' -alarm 'IDLE>50' -tsv
! grep '^probe: alarm' err || fail "an alarm within the limits"
# a program that does not run is below its limit
expect 3 probe sys -repeat 1 -sec 60 -alarm 'proportions<5' -json
says err '^probe: alarm: proportions: 0\.00% \(95% interval 0\.00 to [0-9.]+\) is below 5%, since '

# the command has the row in its environment and no terminal; the run goes on
# shellcheck disable=SC2016 # for the command
expect 0 probe sys -repeat 1 -sec 4 -alarm 'spin>50' -alarm-run '
	echo "$PROBE_ALARM_NAME $PROBE_ALARM_PCT $PROBE_ALARM_LO $PROBE_ALARM_HI" >>alarms
	echo "stdin: $(readlink /proc/self/fd/0)"; exit 5' -tsv
[ "$(grep -c '^probe: alarm: spin: ' err)" -ge 2 ] || { cat err; fail "not an alarm in each interval"; }
says alarms '^spin [0-9.]+ [0-9.]+ [0-9.]+$'
read -r _ pct lo hi <alarms
holds "50 < $lo && $lo < $pct && $pct <= $hi && $hi <= 100"
says err '^stdin: /dev/null$'
says err '^probe: the command of an alarm ended with status 5$'
! grep stdin out || fail "output of the command among the rows"
# a slow command is not started twice, and nobody waits for it
began=$(now)
expect 0 probe sys -repeat 1 -sec 4 -alarm 'spin>50' -alarm-run 'echo started; sleep 1000'
holds "$(now) - $began < 60"
[ "$(grep -c '^started' err)" = 1 ] || { cat err; fail "not started once"; }
says err '^probe: the command of the previous alarm is still running$'

for bad in spin 'spin>x' '>5' 'spin>101'; do
	expect 2 probe sys -repeat 1 -alarm "$bad"
	one_line_error 'option -alarm: '
done
expect 2 probe sys -alarm 'spin>5'
one_line_error '-alarm needs -repeat'
expect 2 probe sys -repeat 1 -alarm-run true
one_line_error '-alarm-run needs -alarm'
expect 2 probe sys -repeat 1 -alarm 'spin>5' -- true
one_line_error '-alarm cannot be combined with a COMMAND'
expect 2 probe sys -repeat 1 -alarm 'spin>5' -of cpu
one_line_error '-alarm cannot be combined with -of cpu'
expect 2 probe sys -repeat 1 -alarm 'spin>5' -save run
one_line_error '-save cannot be combined with -repeat'
expect 2 probe show -alarm 'spin>5' run
one_line_error "unknown option '-alarm'"
