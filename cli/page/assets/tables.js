// SPDX-License-Identifier: GPL-2.0-only
// Tables; a click on a title sorts by that column. A column has
//	title, key, kind ("text", "number", "bar"), value(row) to sort by, cell(row, table) to show,
//	adds: key of the sum that the column adds up in rows of sums; help: its description.
// Lost, idle and other samples are rows below the sorted rows. They have no bar, because their bar
// might be far longer than the other bars.

const ROWS_FIRST = 30,
	ROWS_MORE = 200;

// A bar from 0 to the share, possibly of parts [class, share], and a line over the interval.
function make_bar(of, full, parts = [["", of.share]]) {
	const at = (fraction) =>
		(full > 0 ? Math.min(Math.max(fraction / full, 0), 1) * 100 : 0) + "%";
	const bar = make("div", "bar"),
		error = make("span", "error");
	let left = 0;
	for (const [name, share] of parts) {
		const fill = make("span", ("fill " + name).trim());
		fill.style.left = at(left);
		fill.style.width = at(share);
		left += share;
		bar.append(fill);
	}
	error.style.left = at(of.lo);
	error.style.right = 100 - parseFloat(at(of.hi)) + "%";
	bar.append(error);
	bar.setAttribute("aria-hidden", "true");
	return bar;
}

// A name, as a button if there is an action; its object or process id, on narrow screens.
function name_cell(row, action, where) {
	const cell = make("div", "name");
	if (action && !row.is_unseen && !row.is_sum) {
		const button = make("button", "link", row.name);
		button.type = "button";
		button.addEventListener("click", () => action(row));
		cell.append(button);
	} else {
		cell.append(make("span", "", row.name));
	}
	if (where) cell.append(make("span", "where", where));
	cell.title = row.name;
	return cell;
}

// Title and help of a column, as in the report.
function named(key, columns = data.columns) {
	const [title, help] = columns[key];
	return { title, help, key };
}

function share_columns(title, key, base = () => data.all, help = "") {
	const of = (row) => share_of(row[key], base());
	return [
		{
			title: title + " %",
			help,
			key,
			kind: "number",
			adds: key,
			value: (row) => row[key][NS],
			cell: (row) => share_text(of(row), base()),
		},
		{
			title: "95%",
			key: key + "-interval",
			kind: "number interval",
			cell: (row) => interval_text(of(row), base()),
		},
	];
}

function bar_column(key, base = () => data.all) {
	return {
		title: "",
		key: "bar",
		kind: "bar",
		cell: (row, table) =>
			row[key][HITS] ? make_bar(share_of(row[key], base()), table.full) : "",
	};
}

function hits_column(key) {
	return {
		title: "Samples",
		key: "samples",
		kind: "number",
		adds: key,
		value: (row) => row[key][HITS],
		cell: (row) => count_text(row[key][HITS]),
	};
}

class Table {
	// name: noun for a row; rows; rest: rows that stay below; key: key of the sum that adds up to
	// 100%; more: base: sum that is 100%; sums: keys of all sums of a row; nr_shown: rows shown at
	// first; sorted: key of the column to sort by
	constructor(place, name, columns, key, rows, rest, more = {}) {
		Object.assign(this, {
			place,
			name,
			columns,
			key,
			rows,
			rest,
			base: data.all,
			sums: [key],
			nr_shown: ROWS_FIRST,
			sorted: key,
			...more,
		});
		const sorted = columns.find((column) => column.key === this.sorted);
		this.full = rows.reduce(
			(most, row) => Math.max(most, share_of(row[key], this.base).hi),
			0
		);
		this.sort_by(sorted, sorted.kind === "text" ? 1 : -1);
	}

	sort_by(column, direction) {
		const order = (a, b) => (a > b) - (a < b);
		this.sorted = column;
		this.direction = direction;
		this.rows.sort(
			(a, b) =>
				direction * order(column.value(a), column.value(b)) ||
				b[this.key][NS] - a[this.key][NS] ||
				order(a.name, b.name)
		);
		this.render();
	}

	make_head() {
		const row = make("tr");
		for (const column of this.columns) {
			const cell = make("th", column.kind + " of-" + column.key);
			cell.scope = "col";
			if (column.help) cell.title = column.help;
			if (column.value) {
				const button = make("button", "", column.title);
				button.type = "button";
				button.addEventListener("click", () => this.click(column));
				cell.append(button);
				if (column === this.sorted)
					cell.setAttribute(
						"aria-sort",
						this.direction > 0 ? "ascending" : "descending"
					);
			} else if (column.kind === "bar") {
				cell.append(
					make("span", "", "0"),
					make("span", "", bound_text(this.full, this.base) + "%")
				);
			} else {
				cell.append(column.title);
			}
			row.append(cell);
		}
		return make("thead", "", row);
	}

	click(column) {
		const first = column.kind === "text" ? 1 : -1;
		this.sort_by(column, column === this.sorted ? -this.direction : first);
		this.place.querySelector("th[aria-sort] button").focus();
	}

	make_row(row, class_name) {
		const line = make("tr", class_name);
		for (const column of this.columns) {
			const empty =
				(row.is_sum &&
					column.key !== "name" &&
					!this.sums.includes(column.adds)) ||
				(class_name && column.kind === "bar");
			line.append(
				make(
					"td",
					column.kind + " of-" + column.key,
					empty ? "" : column.cell(row, this)
				)
			);
		}
		return line;
	}

	// A row that sums several rows, so that the shown rows add up to the total.
	sum_row(name, rows, is_all) {
		const all = { name, is_sum: true, is_all };
		for (const key of this.sums) {
			const sum = (all[key] = [0, 0]);
			for (const row of rows) {
				sum[HITS] += row[key][HITS];
				sum[NS] += row[key][NS];
			}
		}
		return all;
	}

	shown() {
		return this.rows.slice(0, this.nr_shown);
	}

	hidden() {
		return this.rows.slice(this.nr_shown);
	}

	// Name of the row that sums the hidden rows.
	hidden_name(nr) {
		return plural(nr, "more " + this.name);
	}

	show_more() {
		this.nr_shown += ROWS_MORE;
	}

	// The lines of a row. Subclasses also get the row above; null: the row is the first.
	lines_of(row) {
		return [this.make_row(row)];
	}

	make_body() {
		const body = make("tbody"),
			hidden = this.hidden();
		let above = null;
		for (const row of this.shown()) {
			body.append(...this.lines_of(row, above));
			above = row;
		}
		if (hidden.length)
			body.append(
				this.make_row(
					this.sum_row(this.hidden_name(hidden.length), hidden),
					"rest"
				)
			);
		for (const row of this.rest) body.append(this.make_row(row, "rest"));
		return body;
	}

	render() {
		const foot = make(
			"tfoot",
			"",
			this.make_row(this.sum_row("Total", [...this.rows, ...this.rest], true))
		);
		this.place.replaceChildren(
			make(
				"div",
				"scroll",
				make("table", "", this.make_head(), this.make_body(), foot)
			)
		);
		if (this.hidden().length) {
			const more = make("button", "more controls", "Show more");
			more.type = "button";
			more.addEventListener("click", () => {
				this.show_more();
				this.render();
			});
			this.place.append(more);
		}
	}
}

// A table without sorting: titles as [text, kind], and rows.
function make_table(titles, rows) {
	const head = make("tr", "");
	for (const [text, kind] of titles) {
		const cell = make("th", kind, text);
		cell.scope = "col";
		head.append(cell);
	}
	return make(
		"div",
		"scroll",
		make("table", "", make("thead", "", head), make("tbody", "", ...rows))
	);
}
