// SPDX-License-Identifier: GPL-2.0-only
// The flame graph. A box is an element of the document, placed in percent of the width, so that
// it fits paper and phone without being drawn again. Only boxes that can be seen are made.

const BOX_HEIGHT = 18, BOX_LEAST = 2;		// pixels; one of the width is the gap to the next
const NAME_LEAST = 30;				// pixels in which a name is worth beginning

const flame = {
	place: by_id("flame-boxes"),
	zoom: 0,		// the node that has the whole width
	is_icicle: false,
	is_busy: false,		// idle, lost and other are hidden
	wanted: "",		// what is looked for, in lower case
	boxes: [],		// as drawn: { node, level, left, width, element }, and rest
};

// The base of what is drawn.
flame.sum = function () {
	const sum = node_sum(this.zoom);
	for (let node = 1; this.is_busy && !this.zoom && node < tree.nr; node = tree.end[node])
		if (is_account(node)) {
			sum[HITS] -= tree.hits[node];
			sum[NS] -= tree.ns[node];
		}
	return sum;
};

flame.base_name = function () {
	if (this.zoom)
		return node_name(this.zoom);
	return this.is_busy ? "all but idle, lost and other" : "all samples";
};

// The children of a box. Those too narrow to be seen share one, which says how many they are.
flame.children_of = function (box, base_ns, least) {
	const children = [], rest = { nr: 0, hits: 0, ns: 0 };
	let left = box.left;
	const add = (node, ns, more) => {
		children.push({ node, level: box.level + 1, left, width: ns / base_ns, ...more });
		left += ns / base_ns;
	};
	for (let node = box.node + 1; node < tree.end[box.node]; node = tree.end[node]) {
		if (this.is_busy && is_account(node))
			continue;
		if (tree.ns[node] / base_ns >= least) {
			add(node, tree.ns[node]);
			continue;
		}
		rest.nr++;
		rest.hits += tree.hits[node];
		rest.ns += tree.ns[node];
	}
	if (rest.ns / base_ns >= least)
		add(box.node, rest.ns, { rest });
	return children;
};

// Callers of what is zoomed into over the whole width, then what stands on it.
flame.lay_out = function () {
	const least = BOX_LEAST / Math.max(this.place.clientWidth, 300), base_ns = this.sum()[NS];
	const path = [], boxes = [];
	for (let node = this.zoom; node >= 0; node = tree.parent[node])
		path.unshift(node);
	for (const node of path)
		boxes.push({ node, level: boxes.length, left: 0, width: 1, is_caller: node !== this.zoom });
	const open = base_ns > 0 ? boxes.slice(-1) : [];
	while (open.length)
		for (const child of this.children_of(open.pop(), base_ns, least)) {
			boxes.push(child);
			if (!child.rest)
				open.push(child);
		}
	return boxes;
};

flame.colour_of = function (node) {
	if (tree.level[node] > 1)
		return functions[tree.name[node]].colour;
	return node && is_account(node) ? "mark" : "program";
};

flame.is_wanted = function (node) {
	const text = this.wanted, is_object = text[0] === "@";
	if (!text || !node)
		return false;
	if (tree.level[node] === 1)
		return !is_object && node_name(node).toLowerCase().includes(text);
	const f = functions[tree.name[node]];
	return (is_object ? "@" + f.object[0] : f.name).toLowerCase().includes(text);
};

flame.make_box = function (box, index, levels) {
	const has_name = !box.rest && box.width * this.place.clientWidth >= NAME_LEAST;
	const element = make("div", "box", !has_name ? "" :
		box.node ? node_name(box.node) : this.base_name());
	element.classList.toggle("named", has_name);
	element.classList.add(box.rest ? "rest" : this.colour_of(box.node));
	element.classList.toggle("caller", Boolean(box.is_caller));
	element.classList.toggle("wanted", !box.rest && this.is_wanted(box.node));
	element.style.left = box.left * 100 + "%";
	element.style.width = "calc(" + box.width * 100 + "% - 1px)";
	element.style.top = (this.is_icicle ? box.level : levels - 1 - box.level) * BOX_HEIGHT + "px";
	element.dataset.index = index;
	element.setAttribute("role", "treeitem");
	element.setAttribute("aria-level", box.level + 1);
	element.tabIndex = -1;
	box.element = element;
	return element;
};

flame.render = function () {
	const had_focus = this.place.contains(document.activeElement);
	this.boxes = this.lay_out();
	const levels = this.boxes.reduce((most, box) => Math.max(most, box.level), 0) + 1;
	this.place.replaceChildren(...this.boxes.map((box, index) => this.make_box(box, index, levels)));
	this.place.style.height = levels * BOX_HEIGHT + "px";
	this.place.classList.toggle("searched", this.wanted !== "");
	this.place.parentElement.scrollTop = this.is_icicle ? 0 : levels * BOX_HEIGHT;
	this.go_to(this.boxes.find((box) => box.node === this.zoom), had_focus);
	this.tell_zoom();
	this.tell_found();
	hide_tip();
};

// Only one box is reached by Tab; from there arrows go on.
flame.go_to = function (box, has_focus) {
	if (this.current)
		this.current.element.tabIndex = -1;
	this.current = box;
	box.element.tabIndex = 0;
	if (has_focus)
		box.element.focus();
};

flame.zoom_to = function (node) {
	this.zoom = node;
	this.render();
};

flame.tell_zoom = function () {
	const shown = by_id("shown"), node = this.zoom;
	by_id("reset").disabled = !node;
	shown.replaceChildren();
	if (!node)
		return;
	shown.append(make("b", "", node_name(node)), " ", phrase(share_of(node_sum(node))),
		" of all samples, " + plural(tree.hits[node], "sample"));
	if (tree.level[node] > 1) {
		const button = make("button", "link controls", "in the call graph");
		button.type = "button";
		button.addEventListener("click", () => calls.go(tree.name[node]));
		shown.append(", ", button);
	}
};

// What matches counts once, however often it is in a stack.
flame.tell_found = function () {
	const sum = [0, 0], names = new Set(), base = this.sum();
	for (let node = tree.parent[this.zoom]; node > 0; node = tree.parent[node])
		if (this.is_wanted(node))
			names.add(node_name(node)) && sum.splice(0, 2, ...base);
	const end = names.size ? 0 : tree.end[this.zoom];
	for (let node = this.zoom; node < end; ) {
		const is_hidden = this.is_busy && is_account(node), is_wanted = this.is_wanted(node);
		if (is_wanted && !is_hidden) {
			names.add(tree.level[node] === 1 ? "@" + node : tree.name[node]);
			sum[HITS] += tree.hits[node];
			sum[NS] += tree.ns[node];
		}
		node = is_wanted || is_hidden ? tree.end[node] : node + 1;
	}
	by_id("found").textContent = !this.wanted ? "" : !names.size ? "Nothing matches." :
		phrase(share_of(sum, base), base) + " of " + this.base_name() + " in stacks with a match, " +
		plural(sum[HITS], "sample");
};

flame.describe = function (box) {
	const node = box.node, f = tree.level[node] > 1 ? functions[tree.name[node]] : null;
	const sum = box.rest ? [box.rest.hits, box.rest.ns] : node_sum(node), base = this.sum();
	const lines = [box.rest ? plural(box.rest.nr, "box") + " too narrow to draw" :
		node ? node_name(node) : this.base_name()];
	if (!node && !box.rest)
		return [...lines, plural(base[HITS], "sample")];
	if (!box.rest)
		lines.push(!f ? TREE_KINDS[data.programs[tree.name[node]][1]] :
			f.is_mark ? "no code: what is known of the stack here" : f.object[2] || f.object[0]);
	lines.push(phrase(share_of(sum)) + " of all samples");
	if ((this.zoom || this.is_busy) && !box.is_caller && node !== this.zoom)
		lines.push(phrase(share_of(sum, base), base) + " of " + this.base_name());
	lines.push(plural(sum[HITS], "sample"));
	if (!box.rest && tree.self_hits[node])
		lines.push("self " + phrase(share_of([tree.self_hits[node], tree.self_ns[node]])));
	return lines;
};

function hide_tip() {
	by_id("tip").hidden = true;
}

// Beside the point, or where there is room.
function show_tip(lines, x, y) {
	const tip = by_id("tip");
	tip.replaceChildren(...lines.map((line, at) => make(at ? "div" : "b", "", line)));
	tip.hidden = false;
	const right = document.documentElement.clientWidth - tip.offsetWidth - 8;
	const below = y + 18 + tip.offsetHeight < document.documentElement.clientHeight;
	tip.style.left = Math.max(Math.min(x + 12, right), 8) + "px";
	tip.style.top = (below ? y + 18 : Math.max(y - tip.offsetHeight - 12, 0)) + "px";
}

flame.box_at = function (event) {
	const element = event.target.closest(".box");
	return element && this.boxes[element.dataset.index];
};

// The box that an arrow leads to: above and below callers and callees, beside it its neighbours.
flame.neighbour = function (box, key) {
	const toward_callee = key === (this.is_icicle ? "ArrowDown" : "ArrowUp");
	if (key === "ArrowLeft" || key === "ArrowRight") {
		const row = this.boxes.filter((other) => other.level === box.level)
			.sort((a, b) => a.left - b.left);
		return row[row.indexOf(box) + (key === "ArrowLeft" ? -1 : 1)];
	}
	const level = box.level + (toward_callee ? 1 : -1), middle = box.left + box.width / 2;
	if (toward_callee)
		return this.boxes.find((other) => other.level === level && other.left >= box.left - 1e-12 &&
			other.left < box.left + box.width);
	return this.boxes.find((other) => other.level === level && other.left <= middle &&
		other.left + other.width > middle);
};

flame.on_key = function (event) {
	const box = this.box_at(event);
	if (!box)
		return;
	if (event.key === "Enter" || event.key === " ") {
		this.zoom_to(box.node);
	} else if (event.key.startsWith("Arrow")) {
		const next = this.neighbour(box, event.key);
		if (next)
			this.go_to(next, true);
	} else {
		return;
	}
	event.preventDefault();
};

// What the keyboard is at is told as what the pointer is at.
flame.on_focus = function (event) {
	const box = this.box_at(event), at = event.target.getBoundingClientRect();
	if (!box)
		return;
	const lines = this.describe(box);
	event.target.setAttribute("aria-label", lines.join(", "));
	if (event.target.matches(":focus-visible"))
		show_tip(lines, at.left, at.bottom - BOX_HEIGHT);
};

flame.start_controls = function () {
	by_id("find").addEventListener("input", (event) => {
		this.wanted = event.target.value.trim().toLowerCase();
		this.render();
	});
	by_id("icicle").addEventListener("change", (event) => {
		this.is_icicle = event.target.checked;
		this.render();
	});
	by_id("busy").addEventListener("change", (event) => {
		this.is_busy = event.target.checked;
		this.zoom = is_account(this.zoom) ? 0 : this.zoom;
		this.render();
	});
	by_id("busy-label").hidden = !data.programs.some((program) => program[1] >= TREE_IDLE);
	by_id("flame-controls").addEventListener("submit", (event) => event.preventDefault());
	by_id("reset").addEventListener("click", () => this.zoom_to(0));
	document.addEventListener("keydown", (event) => {
		if (event.key === "Escape" && this.zoom && event.target !== by_id("find"))
			this.zoom_to(0);
	});
};

flame.start = function () {
	const place = this.place;
	place.addEventListener("click", (event) => {
		const box = this.box_at(event);
		if (box)
			this.zoom_to(box.node);
	});
	place.addEventListener("mousemove", (event) => {
		const box = this.box_at(event);
		if (box)
			show_tip(this.describe(box), event.clientX, event.clientY);
		else
			hide_tip();
	});
	place.addEventListener("mouseleave", hide_tip);
	place.addEventListener("keydown", (event) => this.on_key(event));
	place.addEventListener("focusin", (event) => this.on_focus(event));
	place.addEventListener("focusout", hide_tip);
	this.start_controls();
	let width = place.clientWidth;
	window.addEventListener("resize", () => {
		if (place.clientWidth !== width)
			this.render();
		width = place.clientWidth;
	});
	this.render();
};
