// SPDX-License-Identifier: GPL-2.0-only
// Instructions and their hits, below their functions. 100% is all hits in the range.

const INSTRUCTIONS_FIRST = 1000; // a run lists 120 unless the user asks for all

class Listing extends AddressTable {
	constructor(place, columns, rows, rest, base) {
		super(place, "instruction", columns, "share", rows, rest, {
			base,
			sorted: "offset",
			nr_shown: INSTRUCTIONS_FIRST,
		});
	}

	// Sorted by address, the loop is a bracket; in any other order its rows only have a colour.
	lines_of(row, above) {
		const line = this.make_row(row);
		line.classList.toggle("loop", row.is_loop);
		if (!this.is_by_address()) return [line];
		line.classList.toggle("loop-top", row.is_loop && !above?.is_loop);
		line.classList.toggle("loop-end", row.is_loop_end);
		const left_out = row.skipped
			? [this.make_wide("left-out", plural(row.skipped, "instruction") + " left out")]
			: [];
		return [...left_out, ...this.heading_of(row, above), line];
	}
}

// Rows from the report. The first row of a group has the heading of the group.
function make_instructions(base) {
	const { offsets, marks, headings, skipped, quotes } = data.listing;
	const heading_at = new Map(headings),
		skipped_at = new Map(skipped),
		quote_of = new Map(quotes);
	let group = 0,
		heading = "";
	return report.instructions.map((given, at, all) => {
		const is_heading = heading_at.has(at);
		if (is_heading) {
			heading = heading_at.get(at);
			group++;
		}
		const share = [given.hits ?? 0, base[HITS] ? (given.hits ?? 0) / base[HITS] : 0];
		return {
			at,
			group,
			heading,
			address: given.address,
			symbol: given.name,
			offset: offsets[at],
			// Rows have no name: names would sort rows with equal hits, which keep their order.
			text: given.instruction,
			mark: marks[at],
			source: given.source ?? "",
			quote: quote_of.get(given.source) ?? "",
			is_line: is_heading || skipped_at.has(at) || given.source !== all[at - 1].source,
			is_joint: given.joint,
			is_loop: given.loop,
			is_loop_end: given.loop && !all[at + 1]?.loop,
			skipped: skipped_at.get(at) ?? 0,
			share,
		};
	});
}

// Hits without a row, so that the sum has all hits of the range.
function make_sums(base) {
	const { others, other_instructions, astray, unread } = report.listing;
	return [
		["(" + plural(other_instructions, "other instruction") + ")", others, other_instructions],
		["(where no instruction begins)", astray, astray],
		["(where no code was read)", unread, unread],
	]
		.filter(([, , is_there]) => is_there)
		.map(([name, hits]) => ({ name, share: [hits, base[HITS] ? hits / base[HITS] : 0] }));
}

function offset_cell(row) {
	const cell = make("span", "address", row.offset ?? "");
	if (row.offset) cell.title = (row.address + " " + row.symbol).trim();
	return cell;
}

// Marks of jump targets and of slips; the loop's bracket is between the two.
function mark_cell(row) {
	if (!row.mark) return "";
	const slip = make("span", "slip", row.mark[2]);
	slip.title = data.listing.slips.find((note) => note[0] === row.mark[2])?.slice(2) ?? "";
	return make("span", "address", row.mark[0] + " ", slip);
}

function source_cell(row, table) {
	if (!row.source || (table.is_by_address() && !row.is_line)) return "";
	const cell = make("div", "", row.source.slice(row.source.lastIndexOf("/") + 1));
	if (row.quote) cell.append(make("span", "quote address", row.quote));
	cell.title = row.source + (row.quote ? ": " + row.quote : "");
	return cell;
}

// Sums have names. Instructions have a text and, if no heading names the function, its name.
function instruction_cell(row, table) {
	if (row.text === undefined) return row.name;
	const cell = make("div", "name", make("span", "instruction address", row.text));
	if (!table.is_by_address()) cell.append(make("span", "where", row.symbol));
	return cell;
}

function listing_columns(base, has_source) {
	const called = (key) => named(key, data.listing_columns),
		of = (row) => share_of(row.share, base),
		has_bounds_only = (row) => row.share[HITS] < 5 && data.ci !== "paper",
		unless_none = (text) => (row) => (row.share[HITS] ? text(row) : "");
	const [share] = share_columns(called("share").title, "share", () => base, called("share").help);
	return [
		{ ...called("offset"), kind: "text", value: (row) => row.at, cell: offset_cell },
		{
			...called("hits"),
			kind: "number",
			adds: "share",
			value: (row) => row.share[HITS],
			cell: (row) =>
				row.is_joint ? '"' : unless_none((one) => count_text(one.share[HITS]))(row),
		},
		{
			...share,
			cell: unless_none((row) =>
				has_bounds_only(row) ? ceiling_text(of(row).hi) : share.cell(row)
			),
		},
		{
			...called("error"),
			kind: "number interval",
			cell: unless_none((row) => (has_bounds_only(row) ? "" : error_text(of(row)))),
		},
		bar_column("share", () => base),
		{ ...called("mark"), kind: "text", cell: mark_cell },
		{ ...called("instruction"), key: "name", kind: "text", cell: instruction_cell },
		...(has_source ? [{ ...called("source"), kind: "text", cell: source_cell }] : []),
	];
}

// Numbers as in the report: an upper bound is rounded up; an error is the farther end's distance.
function ceiling_text(hi) {
	return "<" + (Math.ceil(hi * 1000) / 10).toFixed(1);
}

function error_text(of) {
	return (Math.max(of.hi - of.share, of.share - of.lo) * 100).toFixed(2);
}

function show_instructions() {
	hide_part("instructions", !data.listing);
	if (!data.listing) return;
	const base = [report.listing.hits, 1],
		rows = make_instructions(base);
	by_id("findings").append(...paragraphs(data.listing.findings));
	by_id("slips").append(
		...data.listing.slips.map((note) =>
			make("li", "", make("span", "address", note[0]), note.slice(1))
		)
	);
	new Listing(
		by_id("listing"),
		listing_columns(
			base,
			rows.some((row) => row.source)
		),
		rows,
		make_sums(base),
		base
	);
}
