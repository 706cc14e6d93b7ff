#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# hidden.sh SERIES...: run the guest test truth_hidden and make docs/nothing-hides.md of its rows,
# and docs/nothing-hides.svg of the rows of the first kernel.
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
