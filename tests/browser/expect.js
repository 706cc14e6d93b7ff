// SPDX-License-Identifier: GPL-2.0-only
// The sums of a profile as text (tests/unit/profiles.h), computed without the tool.
"use strict";

function name_of(frame) {
	const at = frame.lastIndexOf("@");
	return at < 0 ? frame.replaceAll("_", " ") : frame.slice(0, at);
}

function object_of(frame) {
	const at = frame.lastIndexOf("@");
	return at < 0 ? name_of(frame) : frame.slice(at + 1);
}

function full_name(frame) {
	return frame.includes("@") ? frame : name_of(frame);
}

function count(map, key, hits) {
	map.set(key, (map.get(key) ?? 0) + hits);
}

// Functions as FUNCTION@OBJECT, marks by their name alone; calls by the functions' names.
function expect_of(text) {
	const sums = {
		all: 0,
		lost: 0,
		other: 0,
		stacks: [],
		self: new Map(),
		total: new Map(),
		objects: new Map(),
		processes: new Map(),
		programs: new Map(),
		calls: new Map(),
	};
	for (const line of text.split("\n")) {
		const words = line.split(" ");
		if (!line || line[0] === "#") continue;
		const hits = Number(words[words.length - 1]);
		sums.all += hits;
		if (words[0] === "lost" || words[0] === "other") {
			sums[words[0]] += hits;
			continue;
		}
		const frames = words[3].split(";"),
			names = frames.map(name_of);
		sums.stacks.push({ program: words[0], names, hits });
		count(sums.processes, words[0] + " " + words[1], hits);
		count(sums.programs, words[0], hits);
		count(sums.self, full_name(frames[frames.length - 1]), hits);
		count(sums.objects, object_of(frames[frames.length - 1]), hits);
		for (const name of new Set(frames.map(full_name))) count(sums.total, name, hits);
		for (const call of new Set(
			names.slice(1).map((name, i) => names[i] + " > " + name)
		))
			count(sums.calls, call, hits);
	}
	return sums;
}

// Wilson's bounds lie Z standard errors from the share: found by bisection.
function wilson(share, n) {
	const Z = 1.959963984540054;
	const bound = (inside, outside) => {
		for (let i = 0; i < 200; i++) {
			const p = (inside + outside) / 2;
			if (Math.abs(share - p) <= Z * Math.sqrt((p * (1 - p)) / n)) inside = p;
			else outside = p;
		}
		return inside;
	};
	return [bound(share, 0), bound(share, 1)];
}

module.exports = { expect_of, wilson };
