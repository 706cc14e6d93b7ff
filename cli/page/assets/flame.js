// SPDX-License-Identifier: GPL-2.0-only
// The flame graph. A box is an element whose position is a percentage of the width, so that the
// graph fits paper and phones without a redraw. Boxes too narrow to be visible are not created.

const BOX_HEIGHT = 18; // pixels
const BOX_LEAST = 2; // pixels of width; one of them is the gap to the next box
const NAME_LEAST = 30; // pixels; narrower boxes have no name

const flame = {
	place: by_id("flame-boxes"),
	zoom: 0, // node with the full width
	is_icicle: false,
	is_busy: false, // idle, lost and other are hidden
	wanted: "", // text of the search, in lower case
	boxes: [], // drawn boxes: { node, level, left, width, element }, and rest
};

// The sum that is 100% of the drawn graph.
flame.sum = function () {
	const sum = node_sum(this.zoom);
	for (let node = 1; this.is_busy && !this.zoom && node < tree.nr; node = tree.end[node])
		if (is_account(node)) {
			sum[HITS] -= tree.hits[node];
			sum[NS] -= tree.ns[node];
		}
	return sum;
};

flame.name_of = function (node) {
	if (node) return node_name(node);
	return this.is_busy && !this.zoom ? "all except idle, lost and other" : "all samples";
};

// The children of a box. Children too narrow to be visible share one box, which has their number.
flame.children_of = function (box, base_ns, least) {
	const children = [],
		rest = { nr: 0, hits: 0, ns: 0 };
	let left = box.left;
	const add = (node, ns, more) => {
		children.push({ node, level: box.level + 1, left, width: ns / base_ns, ...more });
		left += ns / base_ns;
	};
	for (let node = box.node + 1; node < tree.end[box.node]; node = tree.end[node]) {
		if (this.is_busy && is_account(node)) continue;
		if (tree.ns[node] / base_ns >= least) {
			add(node, tree.ns[node]);
			continue;
		}
		rest.nr++;
		rest.hits += tree.hits[node];
		rest.ns += tree.ns[node];
	}
	if (rest.ns / base_ns >= least) add(box.node, rest.ns, { rest });
	return children;
};

// The callers of the zoomed node, at full width, then the node and its descendants.
flame.lay_out = function () {
	const least = BOX_LEAST / Math.max(this.place.clientWidth, 300),
		base_ns = this.sum()[NS];
	const path = [],
		boxes = [];
	for (let node = this.zoom; node >= 0; node = tree.parent[node]) path.unshift(node);
	for (const node of path)
		boxes.push({
			node,
			level: boxes.length,
			left: 0,
			width: 1,
			is_caller: node !== this.zoom,
		});
	const open = base_ns > 0 ? boxes.slice(-1) : [];
	while (open.length)
		for (const child of this.children_of(open.pop(), base_ns, least)) {
			boxes.push(child);
			if (!child.rest) open.push(child);
		}
	return boxes;
};

flame.colour_of = function (node) {
	if (tree.level[node] > 1) return functions[tree.name[node]].colour;
	return node && is_account(node) ? "mark" : "program";
};

flame.is_wanted = function (node) {
	const text = this.wanted,
		is_object = text[0] === "@";
	if (!text || !node) return false;
	if (tree.level[node] === 1)
		return !is_object && node_name(node).toLowerCase().includes(text);
	const f = functions[tree.name[node]];
	return (is_object ? "@" + f.object[0] : f.name).toLowerCase().includes(text);
};

flame.make_box = function (box, index, levels) {
	const has_name = !box.rest && box.width * this.place.clientWidth >= NAME_LEAST;
	const element = make("div", "box", has_name ? this.name_of(box.node) : "");
	element.classList.toggle("named", has_name);
	element.classList.add(box.rest ? "rest" : this.colour_of(box.node));
	element.classList.toggle("caller", Boolean(box.is_caller));
	element.classList.toggle("wanted", !box.rest && this.is_wanted(box.node));
	element.style.left = box.left * 100 + "%";
	element.style.width = "calc(" + box.width * 100 + "% - 1px)";
	element.style.top =
		(this.is_icicle ? box.level : levels - 1 - box.level) * BOX_HEIGHT + "px";
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
	this.place.replaceChildren(
		...this.boxes.map((box, index) => this.make_box(box, index, levels))
	);
	this.place.style.height = levels * BOX_HEIGHT + "px";
	this.place.classList.toggle("searched", this.wanted !== "");
	this.place.parentElement.scrollTop = this.is_icicle ? 0 : levels * BOX_HEIGHT;
	this.go_to(
		this.boxes.find((box) => box.node === this.zoom),
		had_focus
	);
	this.tell_zoom();
	this.tell_found();
	hide_tip();
};

// Tab reaches only one box; arrow keys move to the other boxes.
flame.go_to = function (box, has_focus) {
	if (this.current) this.current.element.tabIndex = -1;
	this.current = box;
	box.element.tabIndex = 0;
	if (has_focus) box.element.focus();
};

flame.zoom_to = function (node) {
	this.zoom = node;
	this.render();
};

flame.tell_zoom = function () {
	const shown = by_id("shown"),
		node = this.zoom;
	by_id("reset").disabled = !node;
	shown.replaceChildren();
	if (!node) return;
	shown.append(
		make("b", "", node_name(node)),
		" ",
		phrase(share_of(node_sum(node))),
		" of all samples, " + plural(tree.hits[node], "sample")
	);
	if (tree.level[node] > 1) {
		const button = make("button", "link controls", "in the call graph");
		button.type = "button";
		button.addEventListener("click", () => calls.go(tree.name[node]));
		shown.append(", ", button);
	}
};

// The sum of drawn stacks with a match. A stack with several matches counts once.
flame.find = function () {
	const sum = [0, 0];
	for (let node = tree.parent[this.zoom]; node > 0; node = tree.parent[node])
		if (this.is_wanted(node)) return this.sum();
	for (let node = this.zoom; node < tree.end[this.zoom];) {
		const is_hidden = this.is_busy && is_account(node);
		const is_wanted = !is_hidden && this.is_wanted(node);
		if (is_wanted) {
			sum[HITS] += tree.hits[node];
			sum[NS] += tree.ns[node];
		}
		node = is_wanted || is_hidden ? tree.end[node] : node + 1;
	}
	return sum;
};

flame.tell_found = function () {
	const sum = this.find(),
		base = this.sum();
	let text = this.wanted && "Nothing matches.";
	if (sum[HITS])
		text =
			phrase(share_of(sum, base), base) +
			" of " +
			this.name_of(this.zoom) +
			" in stacks with a match, " +
			plural(sum[HITS], "sample");
	by_id("found").textContent = text;
};

// The kind of a node, for the line below its name.
flame.kind_of = function (node) {
	if (tree.level[node] === 1) return TREE_KINDS[data.programs[tree.name[node]][1]];
	const f = functions[tree.name[node]];
	return f.is_mark ? "no code: a mark in the stack" : f.object[2] || f.object[0];
};

// The description of a box, as lines; the first line is the name.
flame.describe = function (box) {
	const node = box.node,
		base = this.sum(),
		lines = [];
	let sum = node_sum(node);
	if (box.rest) {
		sum = [box.rest.hits, box.rest.ns];
		lines.push(plural(box.rest.nr, "box") + " too narrow to draw");
	} else if (node) {
		lines.push(node_name(node), this.kind_of(node));
	} else {
		return [this.name_of(0), plural((this.zoom ? sum : base)[HITS], "sample")];
	}
	lines.push(phrase(share_of(sum)) + " of all samples");
	if ((this.zoom || this.is_busy) && !box.is_caller && node !== this.zoom)
		lines.push(phrase(share_of(sum, base), base) + " of " + this.name_of(this.zoom));
	lines.push(plural(sum[HITS], "sample"));
	if (!box.rest && tree.self_hits[node])
		lines.push("self " + phrase(share_of([tree.self_hits[node], tree.self_ns[node]])));
	return lines;
};
