// SPDX-License-Identifier: GPL-2.0-only
// The first part of the page of stacks, and the start of the page.

// Incomplete stacks: their root is a mark in place of the caller that was not found.
function show_cut() {
	const cut = functions.filter(
		(f) =>
			f.is_mark &&
			!["[softirq]", "[irq]"].includes(f.name) &&
			f.total[HITS] > f.self[HITS]
	);
	by_id("cut").hidden = !cut.length;
	by_id("cut").textContent =
		"Incomplete stacks: " +
		cut.map((f) => f.name + " " + phrase(share_of(f.total))).join(", ") +
		".";
}

function show_legend() {
	const names = [
		["program", "program"],
		["kernel", "kernel"],
		["module", "module"],
		["file0", "executable, library (three tints)"],
		["vdso", "vdso"],
		["jit", "JIT"],
		["anon", "anonymous code"],
		["unknown", "unknown object"],
		["mark", "no code: idle, lost, end of a stack"],
		["rest", "too narrow to draw one by one"],
	];
	const used = new Set(functions.filter((f) => f.total[HITS]).map((f) => f.colour));
	if ([...used].some((colour) => colour.startsWith("file"))) used.add("file0");
	for (const [colour, text] of names)
		if (used.has(colour) || colour === "program" || colour === "rest")
			by_id("flame-legend").append(
				make("li", "", make("i", "swatch " + colour), text)
			);
}

function zoom_to_process(row) {
	for (let node = 1; node < tree.nr; node = tree.end[node])
		if (node_name(node) === row.name) {
			flame.zoom_to(node);
			by_id("flame").scrollIntoView();
			return;
		}
}

show_run("CPU profile of ");
show_parts(
	["user", "kernel", "softirq", "guest", "idle", "other", "lost"].map((name) => [
		name,
		name === "other" ? "other processes" : name,
		data[name],
	])
);
show_cut();
flame.start();
show_legend();
show_functions((f) => calls.go(f.id));
show_objects();
show_processes(zoom_to_process);
calls.start();
