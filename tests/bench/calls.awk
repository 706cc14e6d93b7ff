# SPDX-License-Identifier: GPL-2.0-only
# The cost of a counted call, from the lines of the part "calls": instructions, since each takes a
# nanosecond. Exits with 1 if a limit of docs/bench.md is passed.
$1 == "=" && $2 == "calls" {
	if (!($3 in least) || $5 < least[$3]) { least[$3] = $5; counted[$3] = $7 }
}
$1 == "hooks" { hook_s = $2; unhook_s = $4 - $3 + 0.01 }

function show(what, value, limit, unit) {
	printf "%-6s %-46s %8.3f%s (at most %s)\n", series, what, value, unit, limit
	if (!(value > 0 && value <= limit)) failed = 1
}

END {
	calls = 300000
	one = (least["calls-one"] - least["none"]) / calls
	show("a call of one function, instructions", one, 66, "")
	show("a call, all functions hooked, instructions",
		(least["calls-all"] - least["none"]) / counted["calls-all"], 80, "")
	show("one function / function tracer", one * calls / (least["function"] - least["none"]), 0.125, "")
	show("one function / function_graph", one * calls / (least["function_graph"] - least["none"]), 0.05, "")
	show("all functions hooked", hook_s, 2, " s")
	show("all functions unhooked", unhook_s, 2, " s")
	exit failed
}
