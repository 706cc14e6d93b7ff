// SPDX-License-Identifier: GPL-2.0-only
// What the page begins with, and its start.

function show_run() {
	const began = data.began,
		all = data.all[HITS];
	document.title = "CPU profile of " + began;
	by_id("run").textContent = [
		began,
		data.seconds.toFixed(data.seconds < 100 ? 1 : 0) +
			" s on " +
			plural(data.cpus, "CPU"),
		Number(data.rate.toPrecision(6)) + " Hz a CPU",
	].join(", ");
	by_id("account").textContent = !all
		? "No sample was taken."
		: plural(all, "sample") +
			" taken: 100%. " +
			count_text(data.lost[HITS]) +
			" of them lost (no room), " +
			count_text(data.missed) +
			" more missed (none could be taken in " +
			"time). What takes less than " +
			Number((data.least * 100).toPrecision(2)) +
			"% of the time may have left no sample.";
	by_id("receipt").hidden = !data.receipt;
	by_id("receipt").textContent = data.receipt;
}

// The machine's time at a glance: modes, idle, and what has no stack.
function show_parts() {
	const parts = ["user", "kernel", "softirq", "guest", "idle", "other", "lost"].filter(
		(name) => data[name][HITS]
	);
	const names = { other: "other processes" };
	for (const name of parts) {
		const part = make("span", "part-" + name);
		part.style.flexGrow = share_of(data[name]).share;
		by_id("strip").append(part);
		by_id("parts").append(
			make(
				"li",
				"",
				make("i", "swatch part-" + name),
				names[name] || name,
				" ",
				phrase(share_of(data[name]))
			)
		);
	}
}

// What a stack may end with, though it goes on: the marks that stand for a caller.
function show_cut() {
	const cut = functions.filter(
		(f) =>
			f.is_mark &&
			!["[softirq]", "[irq]"].includes(f.name) &&
			f.total[HITS] > f.self[HITS]
	);
	by_id("cut").hidden = !cut.length;
	by_id("cut").textContent =
		"Stacks not followed to their end: " +
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

show_run();
show_parts();
show_cut();
flame.start();
show_legend();
show_functions((f) => calls.go(f.id));
show_objects();
show_processes(zoom_to_process);
calls.start();
