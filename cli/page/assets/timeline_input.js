// SPDX-License-Identifier: GPL-2.0-only
// Input of the timeline: pointer, keyboard and search.

// Show a part; at least 10 ns, and nothing outside of the trace.
timeline.show_part = function (from, to) {
	const length = Math.min(Math.max(to - from, 10), Math.max(data.to - data.from, 10));
	from = Math.max(Math.min((from + to - length) / 2, data.to - length), data.from);
	this.from = from;
	this.to = from + length;
	this.render();
};

timeline.zoom = function (factor, ns) {
	this.show_part(ns - (ns - this.from) * factor, ns + (this.to - ns) * factor);
};

timeline.move = function (share) {
	const length = (this.to - this.from) * share;
	this.show_part(this.from + length, this.to + length);
};

timeline.span_at = function (event) {
	const box = by_id("timeline-canvas").getBoundingClientRect();
	const x = event.clientX - box.left,
		y = event.clientY - box.top + by_id("timeline").scrollTop;
	const row = this.rows.find((one) => y >= one.top && y < one.top + one.height);
	if (!row || x < GUTTER || event.clientY - box.top < AXIS) return {};
	const level = row.levels[Math.floor((y - row.top) / LEVEL)] ?? [],
		at = first_after(level, this.ns_at(x));
	const pixel = (this.to - this.from) / (this.width - GUTTER);
	const instant = row.instants.find(({ ns }) => Math.abs(this.x_of(ns) - x) <= 2);
	const span = level[at];
	return { instant, span: span && span.begin <= this.ns_at(x) + pixel ? span : null };
};

// Choose a span, and move the view to it if it is outside.
timeline.choose = function (span) {
	const place = by_id("timeline");
	this.chosen = span;
	const y = span.row.top + span.level * LEVEL;
	if (y < place.scrollTop + AXIS) place.scrollTop = y - AXIS;
	if (y + LEVEL > place.scrollTop + place.clientHeight)
		place.scrollTop = y + 2 * LEVEL - place.clientHeight;
	if (span.end < this.from || span.begin > this.to) {
		const half = (this.to - this.from) / 2,
			middle = (span.begin + span.end) / 2;
		this.show_part(middle - half, middle + half);
	} else {
		this.render();
	}
	by_id("chosen").textContent = this.describe(span).join(", ");
};

timeline.zoom_to = function (span) {
	const margin = (span.end - span.begin) / 10;
	this.show_part(span.begin - margin, span.end + margin);
};

timeline.first_visible = function () {
	for (const row of this.rows)
		for (const level of row.levels) {
			const span = level[first_after(level, this.from)];
			if (span && span.begin <= this.to) return span;
		}
};

// The span that an arrow key leads to: neighbours horizontally, callers and callees vertically, and
// from the outermost one to the row above.
timeline.neighbour = function (key) {
	const { row, level, index, begin, end } = this.chosen;
	if (key === "ArrowLeft") return row.levels[level][index - 1];
	if (key === "ArrowRight") return row.levels[level][index + 1];
	const middle = (begin + end) / 2;
	const near = (spans, ns) => spans && spans[Math.min(first_after(spans, ns), spans.length - 1)];
	if (key === "ArrowUp" && level) return near(row.levels[level - 1], begin);
	if (key === "ArrowDown") {
		const callee = near(row.levels[level + 1], begin);
		if (callee && callee.begin >= begin && callee.end <= end) return callee;
	}
	const others = this.rows.filter((one) => one.nr),
		at = others.indexOf(row) + (key === "ArrowUp" ? -1 : 1);
	return others[at] && near(others[at].levels[0], middle);
};

timeline.on_key = function (event) {
	const middle = (this.from + this.to) / 2,
		place = by_id("timeline");
	if (event.ctrlKey || event.altKey || event.metaKey) return;
	if (event.key.startsWith("Arrow") && event.shiftKey) {
		this.move({ ArrowLeft: -0.2, ArrowRight: 0.2 }[event.key] ?? 0);
	} else if (event.key.startsWith("Arrow")) {
		const span = this.chosen ? this.neighbour(event.key) : this.first_visible();
		if (span) this.choose(span);
	} else if (event.key === "+" || event.key === "=") {
		this.zoom(0.5, middle);
	} else if (event.key === "-") {
		this.zoom(2, middle);
	} else if (event.key === "Enter" && this.chosen) {
		this.zoom_to(this.chosen);
	} else if (event.key === "Escape") {
		this.show_part(data.from, data.to);
	} else if (event.key === "PageDown" || event.key === "PageUp") {
		place.scrollTop += (event.key === "PageUp" ? -0.8 : 0.8) * place.clientHeight;
	} else {
		return;
	}
	event.preventDefault();
};

timeline.search = function (text) {
	const wanted = text.trim().toLowerCase();
	this.matches = wanted ? data.names.map(([name]) => name.toLowerCase().includes(wanted)) : null;
	this.found = [];
	for (const row of this.matches ? this.rows : [])
		for (const level of row.levels)
			for (const span of level) if (this.matches[span.name]) this.found.push(span);
	this.found.sort((a, b) => a.begin - b.begin || a.level - b.level);
	this.found_at = -1;
	by_id("found").textContent = this.matches ? plural(this.found.length, "match") + "." : "";
	this.render();
};

timeline.next_match = function () {
	if (!this.found?.length) return;
	this.found_at = (this.found_at + 1) % this.found.length;
	const span = this.found[this.found_at];
	this.choose(span);
	this.zoom_to(span);
	by_id("found").textContent =
		plural(this.found.length, "match") + "; this is number " + (this.found_at + 1) + ".";
};

timeline.start_pointer = function () {
	const canvas = by_id("timeline-canvas"),
		place = by_id("timeline");
	let drag = null;
	canvas.addEventListener(
		"wheel",
		(event) => {
			if (event.shiftKey) return; // scrolls
			event.preventDefault();
			const x = event.clientX - canvas.getBoundingClientRect().left;
			this.zoom(Math.pow(1.002, event.deltaY), this.ns_at(Math.max(x, GUTTER)));
		},
		{ passive: false }
	);
	canvas.addEventListener("pointerdown", (event) => {
		drag = { x: event.clientX, y: event.clientY, from: this.from, to: this.to, top: place.scrollTop };
		drag.is_click = true;
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (!drag) {
			const { span, instant } = this.span_at(event);
			if (instant) show_tip([instant.text, exact_text(instant.ns)], event.clientX, event.clientY);
			else if (span) show_tip(this.describe(span), event.clientX, event.clientY);
			else hide_tip();
			return;
		}
		const x = event.clientX - drag.x;
		drag.is_click = drag.is_click && Math.abs(x) + Math.abs(event.clientY - drag.y) < 4;
		if (drag.is_click) return;
		hide_tip();
		const ns = (x * (drag.to - drag.from)) / (this.width - GUTTER);
		place.scrollTop = drag.top - (event.clientY - drag.y);
		this.show_part(drag.from - ns, drag.to - ns);
	});
	canvas.addEventListener("pointerup", (event) => {
		const { span } = this.span_at(event);
		if (drag?.is_click && span) this.choose(span);
		drag = null;
	});
	canvas.addEventListener("pointercancel", () => (drag = null));
	canvas.addEventListener("pointerleave", hide_tip);
	canvas.addEventListener("dblclick", (event) => {
		const { span } = this.span_at(event);
		if (span) this.zoom_to(span);
	});
	place.addEventListener("scroll", () => this.render());
};

timeline.start = function () {
	this.place_rows();
	by_id("timeline-height").style.height = Math.max(this.height - 1, 0) + "px";
	by_id("timeline").style.height = "min(75vh, " + (this.height + GAP) + "px)";
	this.start_pointer();
	by_id("timeline-canvas").addEventListener("keydown", (event) => this.on_key(event));
	by_id("find").addEventListener("input", (event) => this.search(event.target.value));
	by_id("next").addEventListener("click", () => this.next_match());
	by_id("trace-controls").addEventListener("submit", (event) => {
		event.preventDefault();
		this.next_match();
	});
	by_id("reset").addEventListener("click", () => this.show_part(data.from, data.to));
	addEventListener("resize", () => this.render());
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.render());
	this.render();
};
