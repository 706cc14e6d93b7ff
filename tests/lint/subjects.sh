#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# subjects.sh: the subject of a commit reads "area: summary" and has at most 72 columns. Commits from before
# that was a rule stay as they are: by the date of the author, which a commit keeps when it is rebased.
set -u
since=1795370543	# 2026-11-22 18:02 UTC
git rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: no history"; exit 0; }
export LC_ALL=C.UTF-8
subjects=$(git log --no-merges --format='%at %h %s' | awk -v since=$since '$1 > since' | cut -d ' ' -f 2-)
[ -z "$subjects" ] || {
	! grep -vE '^[0-9a-f]+ [a-z][a-z0-9 ,./_-]*: .' <<<"$subjects" && ! grep -E '^[0-9a-f]+ .{73}' <<<"$subjects"
}
