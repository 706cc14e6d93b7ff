#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# hidden.sh SERIES...: run the guest test truth_hidden for its rows, and make of them
# docs/nothing-hides.md and, of the first kernel, docs/nothing-hides.svg.
set -eu -o pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
out=$top/build/hidden
mkdir -p "$out"
raw=()
for series; do
	echo "hidden: kernel $series"
	"$top/tests/rig/vm.sh" hidden "$series" </dev/null | tr -d '\r' | tee "$out/$series.raw"
	raw+=("$out/$series.raw")
done
awk -v svg="$out/nothing-hides.svg" -f "$top/tests/hidden.awk" "${raw[@]}" >"$out/nothing-hides.md"
mv "$out"/nothing-hides.{md,svg} "$top/docs/"
