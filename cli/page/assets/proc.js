// SPDX-License-Identifier: GPL-2.0-only
// The page of `probe proc`: its JSON report, with the headings and notes of the text report.

const report = data.report;
data.all = [report.samples - report.excluded, 1];
data.lost = [0, 0];

// A count as a sum with its interval.
function sum_of(hits, all = data.all[HITS], scale = data.scale) {
	const share = all ? hits / all : 0;
	return [
		hits,
		share * scale,
		...interval(share, all).map((bound) => bound * scale),
	];
}

// Rows from the report. The first row of a group has the heading that names the slot's functions.
function make_rows() {
	const headings = new Map(data.headings);
	let group = 0,
		heading = "";
	return report.rows.map((row, at) => {
		if (headings.has(at)) {
			heading = headings.get(at);
			group++;
		}
		return {
			at,
			group,
			heading,
			address: row.address,
			end: row.end,
			name: address_text(row.address),
			symbol: row.name,
			share: [row.hits, row.share / 100, row.lo / 100, row.hi / 100],
		};
	});
}

// Paragraphs of a text with one sentence per line.
function paragraphs(text) {
	return text
		.split("\n")
		.filter((line) => line)
		.map((line) => make("p", "", line));
}

function show_notes() {
	by_id("title").textContent = "CPU time of " + report.task;
	by_id("notes").append(...paragraphs(data.notes));
	by_id("verdict").hidden = !report.verdict;
	by_id("verdict").textContent = report.verdict ?? "";
}

function show_functions() {
	const rows = data.functions.map(([name, hits]) => ({ name, share: sum_of(hits) }));
	const shared = data.shared
		? [{ name: "(in slots of several functions)", share: sum_of(data.shared) }]
		: [];
	hide_part("functions", !rows.length && !shared.length);
	if (!rows.length && !shared.length) return;
	by_id("functions-note").textContent =
		"Hits of all slots that have a single function." +
		(data.shared ? " In a narrower range, fewer slots have several functions." : "");
	const columns = [
		{
			title: "Function",
			key: "name",
			kind: "text",
			value: (row) => row.name,
			cell: (row) => name_cell(row),
		},
		bar_column("share"),
		...share_columns("Share", "share"),
		{ ...hits_column("share"), title: "Hits", key: "hits" },
	];
	new Table(by_id("functions-table"), "function", columns, "share", rows, shared);
}

// Objects of the task's samples; 100% is all samples of the task.
function show_objects() {
	const all = [report.objects.reduce((sum, object) => sum + object.hits, 0), 1],
		base = () => all;
	const rows = report.objects.map(({ name, hits }) => ({
		name,
		share: [hits, hits / all[HITS]],
	}));
	hide_part("objects", !rows.length);
	if (!rows.length) return;
	by_id("objects-note").textContent =
		"100% is " +
		plural(all[HITS], "sample") +
		" of " +
		report.task +
		(report.steps?.length > 1 ? ", in all steps." : ".");
	const columns = [
		{
			title: "Object",
			key: "name",
			kind: "text",
			value: (row) => row.name,
			cell: (row) => name_cell(row),
		},
		bar_column("share", base),
		...share_columns("Share", "share", base),
		{ ...hits_column("share"), title: "Hits", key: "hits" },
	];
	new Table(by_id("objects-table"), "object", columns, "share", rows, [], { base: all });
}

// A range as a bar, with the next step's range inside.
function make_zoom(step, next) {
	const bar = make("div", "bar zoom"),
		fill = make("span", "fill");
	bar.setAttribute("aria-hidden", "true");
	if (next) {
		const low = BigInt(step.low),
			size = Number(BigInt(step.high) - low),
			at = (address) => (Number(BigInt(address) - low) / size) * 100;
		fill.style.left = at(next.low) + "%";
		fill.style.width = at(next.high) - at(next.low) + "%";
		bar.append(fill);
	}
	return bar;
}

function make_step(step, index, steps) {
	const all = [step.hits + step.outside, 1],
		outside = share_of([step.outside, all[HITS] ? step.outside / all[HITS] : 0], all),
		name = make(
			"div",
			"name",
			index + 1 + ". ",
			make("span", "address", address_text(step.low) + "\u2013" + address_text(step.high))
		);
	if (step.why) name.append(make("div", "why", step.why));
	return make(
		"tr",
		"",
		make("td", "text of-name", name),
		make("td", "bar of-bar", make_zoom(step, steps[index + 1])),
		make("td", "number of-slot", step.slot_bytes.toLocaleString("en-US")),
		make("td", "number of-seconds", step.seconds.toFixed(1)),
		make("td", "number of-outside", percent(outside.share, all[HITS])),
		make("td", "number interval of-outside-interval", interval_text(outside, all)),
		make("td", "number of-hits", count_text(step.hits))
	);
}

function show_steps() {
	const steps = report.steps ?? [];
	hide_part("search", !steps.length);
	by_id("steps").append(
		make_table(
			[
				["Step and addresses", "text of-name"],
				["", "bar of-bar"],
				["Slot, bytes", "number of-slot"],
				["Seconds", "number of-seconds"],
				["Outside %", "number of-outside"],
				["95%", "number interval of-outside-interval"],
				["Hits", "number of-hits"],
			],
			steps.map(make_step)
		)
	);
}

function hide_part(name, is_hidden) {
	by_id(name).hidden = is_hidden;
	document.querySelector("nav a[href='#" + name + "']").hidden = is_hidden;
}

function show_slots() {
	const rows = make_rows(),
		is_empty = !report.hits && !rows.length;
	for (const name of ["range", "range-ends", "histogram"]) by_id(name).hidden = is_empty;
	if (is_empty) return;
	const table = show_histogram(rows);
	show_range(rows, table.full || 1);
}

show_run("CPU time of " + report.task + ", ");
show_parts([
	[report.mode, "in the range, " + report.mode + " mode", sum_of(report.hits)],
	["outside", "out of range", sum_of(report.out_of_range)],
	["modes", "other modes", sum_of(report.other_modes)],
	["exes", "another executable", sum_of(report.other_executables)],
	["other", "other processes", sum_of(report.other_processes)],
]);
show_notes();
show_instructions();
show_slots();
show_functions();
show_steps();
show_objects();
