// SPDX-License-Identifier: GPL-2.0-only
// The histogram of addresses: a row for each slot, below the functions in the slot.

const BAR_LEAST = 1 / 120; // of the longest bar: half a column of the text report

// Rows with addresses; .at is a row's number. Sorted by address, a function's first row follows a
// heading with its name.
class AddressTable extends Table {
	is_by_address() {
		return this.sorted.value === this.columns[0].value && this.direction > 0;
	}

	// A line with a single cell.
	make_wide(class_name, text) {
		const cell = make("td", class_name + " of-name", text);
		cell.colSpan = this.columns.length;
		return make("tr", "group", cell);
	}

	heading_of(row, above) {
		return row.heading && (!above || above.group !== row.group)
			? [this.make_wide("heading", row.heading)]
			: [];
	}
}

// The histogram of the report, sorted by address. Slots too small to draw are hidden until the
// reader asks for more.
class Histogram extends AddressTable {
	constructor(place, columns, rows, shows_all) {
		super(place, "slot", columns, "share", rows, [], {
			sorted: "name",
			shows_all,
		});
	}

	is_large(row) {
		return this.shows_all || share_of(row.share).share > this.full * BAR_LEAST;
	}

	shown() {
		return this.rows.filter((row) => this.is_large(row));
	}

	hidden() {
		return this.rows.filter((row) => !this.is_large(row));
	}

	hidden_name(nr) {
		return plural(nr, "slot") + " too small to draw";
	}

	show_more() {
		this.shows_all = true;
	}

	// A gap shows that slots are left out.
	lines_of(row, above) {
		const line = this.make_row(row);
		if (!this.is_by_address()) return [line];
		const heading = this.heading_of(row, above);
		line.classList.toggle(
			"gap",
			Boolean(above) && !heading.length && above.end !== row.address
		);
		return [...heading, line];
	}
}

// Addresses have up to 64 bits, so they need BigInt. All have as many digits as the longest.
function address_text(address) {
	const digits = Math.max(data.high.length - 2, 6);
	return "0x" + BigInt(address).toString(16).padStart(digits, "0");
}

function address_cell(row, table) {
	const cell = make("div", "name", make("span", row.is_sum ? "" : "address", row.name));
	if (row.address && !table.is_by_address())
		cell.append(make("span", "where", row.symbol));
	if (row.address) cell.title = row.symbol;
	return cell;
}

function show_histogram(rows) {
	const columns = [
		{
			...named("address"),
			key: "name",
			kind: "text",
			value: (row) => row.at,
			cell: address_cell,
		},
		bar_column("share"),
		...share_columns(named("share").title, "share", undefined, named("share").help),
		{ ...hits_column("share"), ...named("hits") },
	];
	return new Histogram(by_id("histogram"), columns, rows, data.shows_all);
}

// A picture of the whole range, each slot in its place.
function show_range(rows, full) {
	const low = BigInt(data.low),
		size = Number(BigInt(data.high) - low),
		at = (address) => (Number(BigInt(address) - low) / size) * 100;
	for (const row of rows) {
		const of = share_of(row.share),
			left = at(row.address),
			slot = make("div", "slot"),
			error = make("div", "error");
		slot.style.left = left + "%";
		slot.style.width = at(row.end) - left + "%";
		slot.style.height = (of.share / full) * 100 + "%";
		error.style.left = (left + at(row.end)) / 2 + "%";
		error.style.bottom = (Math.max(of.lo, 0) / full) * 100 + "%";
		error.style.top = (1 - of.hi / full) * 100 + "%";
		by_id("range").append(slot, error);
	}
	by_id("range-ends").append(
		make("span", "", address_text(data.low)),
		make("span", "", "share of each slot, up to " + bound_text(full, data.all) + "%"),
		make("span", "", address_text(data.high))
	);
}
