#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# stress.sh [SERIES...]: run the guest tests that depend on time (with a line "# rig: timed" in
# their heads) ROUNDS times (10) in each kernel, while LOAD programs (two for each processor)
# compute on the host. No verdict may depend on the load. An interrupted run continues where it
# stopped, as long as the sources are unchanged. TESTS="name ..." selects other tests. The last line
# is "N passed, M failed".
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
state=$top/build/stress/$("$top/tests/rows.sh" tree)
rounds=${ROUNDS:-10} load=${LOAD:-$((2 * $(nproc)))}
mkdir -p "$state"
if [ -z "${TESTS:-}" ]; then
	TESTS=$(cd "$top/tests/guest" && grep -l '^# rig: timed$' ./*.sh | sed 's|^\./||; s|\.sh$||' | tr '\n' ' ')
fi
export TESTS

busy=()
end_load() { kill "${busy[@]}" 2>/dev/null; }
trap end_load EXIT
for _ in $(seq "$load"); do
	while :; do :; done &
	busy+=($!)
done

passed=0 failed=0
for round in $(seq "$rounds"); do
	[ -e "$state/$round" ] || : >"$state/$round"
	began=$SECONDS
	PASSED=$state/$round "$top/tests/rig/guest-tests.sh" "$@" >"$state/$round.log" 2>&1
	grep -a '^FAIL\|^#\|^logcheck' "$state/$round.log" | sed "s/^/round $round: /"
	counts=$(tail -n 1 "$state/$round.log")
	echo "round $round: $counts, $((SECONDS - began)) s"
	passed=$((passed + ${counts%% *}))
	counts=${counts#*, }
	failed=$((failed + ${counts%% *}))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
