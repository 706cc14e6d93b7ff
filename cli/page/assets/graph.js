// SPDX-License-Identifier: GPL-2.0-only
// The call graph: one function with its callers and callees. The shown function is part of the
// page's address, so that the browser's Back button works.

const calls = {
	place: by_id("calls-view"),
	arcs: null, // { caller, callee, sum }; caller -1: none, the callee is the root of the stack
};

// For each call, the samples whose stacks contain the call. While the tree is walked, a call is
// open below its first frame. Only the first frame counts, so no sample counts twice in recursion.
calls.find_arcs = function () {
	const found = new Map(),
		open = [];
	for (let node = 1; node < tree.nr; node++) {
		while (open.length && open[open.length - 1].end <= node) open.pop().arc.nr_open--;
		if (tree.level[node] < 2) continue;
		const caller = tree.level[node] === 2 ? -1 : tree.name[tree.parent[node]];
		const callee = tree.name[node],
			key = (caller + 1) * functions.length + callee;
		let arc = found.get(key);
		if (!arc) found.set(key, (arc = { caller, callee, sum: [0, 0], nr_open: 0 }));
		if (!arc.nr_open++) {
			arc.sum[HITS] += tree.hits[node];
			arc.sum[NS] += tree.ns[node];
		}
		open.push({ arc, end: tree.end[node] });
	}
	return [...found.values()].sort((a, b) => b.sum[NS] - a.sum[NS]);
};

calls.go = function (id) {
	const address = "#call-" + id;
	if (location.hash === address) this.show();
	else location.hash = address;
};

// The function shown first: the one with the most time among functions with several callees or, if
// there is no such function, among all.
calls.first = function () {
	const nr_callees = new Uint32Array(functions.length);
	for (const arc of this.arcs) if (arc.caller >= 0) nr_callees[arc.caller]++;
	const found = functions
		.filter((f) => !f.is_mark && f.total[HITS])
		.sort(
			(a, b) =>
				(nr_callees[b.id] > 1) - (nr_callees[a.id] > 1) ||
				b.total[NS] - a.total[NS]
		);
	return found[0];
};

calls.make_row = function (id, sum, f, name) {
	const other = functions[id],
		cell = make("td", "text of-name");
	if (other) {
		const button = make("button", "link", other.name);
		button.type = "button";
		button.addEventListener("click", () => this.go(id));
		cell.append(
			make(
				"div",
				"name",
				button,
				make("span", "where", other.is_mark ? "" : other.object[0])
			)
		);
	} else {
		cell.append(make("div", "name", name));
	}
	const all = share_of(sum),
		part = share_of(sum, f.total);
	return make(
		"tr",
		"",
		cell,
		make("td", "bar of-bar", make_bar(part, 1)),
		make("td", "number", share_text(part, f.total)),
		make("td", "number interval", interval_text(part, f.total)),
		make("td", "number of-all", share_text(all)),
		make("td", "number interval of-all", interval_text(all)),
		make("td", "number of-samples", count_text(sum[HITS]))
	);
};

calls.make_group = function (title, rows) {
	return make_table(
		[
			[title, "text of-name"],
			["", "bar of-bar"],
			["% of function", "number"],
			["95%", "number interval"],
			["% of all", "number of-all"],
			["95%", "number interval of-all"],
			["Samples", "number of-samples"],
		],
		rows
	);
};

calls.make_focus = function (f) {
	const button = make("button", "link controls", "find in the flame graph");
	button.type = "button";
	button.addEventListener("click", () => {
		by_id("find").value = f.name;
		by_id("find").dispatchEvent(new Event("input"));
		by_id("flame").scrollIntoView();
	});
	return make(
		"div",
		"focus",
		make("b", "", f.name),
		make("span", "where", f.is_mark ? "" : f.object[2] || f.object[0]),
		make(
			"p",
			"",
			"Total " +
				phrase(share_of(f.total)) +
				", " +
				plural(f.total[HITS], "sample") +
				"; self " +
				phrase(share_of(f.self)) +
				", " +
				plural(f.self[HITS], "sample") +
				". ",
			button
		)
	);
};

calls.show = function () {
	const given = /^#call-(\d+)$/.exec(location.hash);
	this.arcs ??= this.find_arcs();
	const f = (given && functions[given[1]]) || this.first();
	if (!f) {
		this.place.replaceChildren(make("p", "", "No function was sampled."));
		return;
	}
	const callers = this.arcs
		.filter((arc) => arc.callee === f.id)
		.map((arc) =>
			this.make_row(arc.caller, arc.sum, f, "(none: root of the stack)")
		);
	const callees = this.arcs
		.filter((arc) => arc.caller === f.id)
		.map((arc) => this.make_row(arc.callee, arc.sum, f));
	if (f.self[HITS]) callees.push(this.make_row(-1, f.self, f, "(itself)"));
	this.place.replaceChildren(
		this.make_group("Called by", callers),
		this.make_focus(f),
		this.make_group("Calls", callees)
	);
	if (given) by_id("calls").scrollIntoView();
};

calls.start = function () {
	window.addEventListener("hashchange", () => {
		if (location.hash.startsWith("#call-")) this.show();
	});
	// The rest of the page is drawn first.
	setTimeout(() => this.show());
};
