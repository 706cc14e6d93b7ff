// SPDX-License-Identifier: GPL-2.0-only
// The functions and the tree of stacks in the page's data.

const KINDS = ["mark", "kernel", "module", "file", "vdso", "JIT", "anonymous", "unknown"];
const TREE_KINDS = ["program", "kernel thread", "softirq", "exiting", "idle", "other", "lost"];
const TREE_IDLE = 4; // this kind and later ones are not programs

const functions = data.functions.map(([name, object, self, total], id) => ({
	id,
	name,
	object: data.objects[object],
	self,
	total,
	is_mark: id < data.marks,
}));

// An object's colour depends on its kind. Files have three tints, so that neighbours differ.
function colour_of(object) {
	return object[1] === 3
		? "file" + (data.objects.indexOf(object) % 3)
		: ["mark", "kernel", "module", "", "vdso", "jit", "anon", "unknown"][object[1]];
}
for (const f of functions) f.colour = colour_of(f.object);

// The tree of stacks: nodes in preorder, children sorted by time, the longest first. end is the
// position after the last descendant.
const tree = (() => {
	const nr = data.node_level.length;
	const level = Uint32Array.from(data.node_level),
		name = Uint32Array.from(data.node_name);
	const hits = Float64Array.from(data.node_hits),
		ns = Float64Array.from(data.node_ns);
	const self_hits = hits.slice(),
		self_ns = ns.slice();
	const parent = new Int32Array(nr).fill(-1),
		end = new Uint32Array(nr);
	const path = [];
	for (let i = 0; i < nr; i++) {
		path[level[i]] = i;
		if (i) parent[i] = path[level[i] - 1];
		end[i] = i + 1;
	}
	for (let i = nr - 1; i > 0; i--) {
		hits[parent[i]] += hits[i];
		ns[parent[i]] += ns[i];
		end[parent[i]] = Math.max(end[parent[i]], end[i]);
	}
	return { nr, level, name, hits, ns, self_hits, self_ns, parent, end };
})();

function node_sum(node) {
	return [tree.hits[node], tree.ns[node]];
}

function node_name(node) {
	return tree.level[node] === 1
		? data.programs[tree.name[node]][0]
		: functions[tree.name[node]].name;
}

function is_account(node) {
	return tree.level[node] === 1 && data.programs[tree.name[node]][1] >= TREE_IDLE;
}
