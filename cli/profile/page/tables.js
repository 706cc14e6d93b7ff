// SPDX-License-Identifier: GPL-2.0-only
// Tables that are sorted by a click on a title. A column is
//	title, key, kind ("text", "number", "bar"), value(row) to sort by, cell(row, table) to show.
// What was lost, of others or idle stands below the rows; it is not sorted among them, and has no
// bar, which might be far longer than theirs.

const ROWS_FIRST = 30,
	ROWS_MORE = 200;

// A bar from 0 to the share, and a line from end to end of its interval.
function make_bar(of, full) {
	const at = (fraction) => (full > 0 ? Math.min(fraction / full, 1) * 100 : 0) + "%";
	const fill = make("span", "fill"),
		error = make("span", "error");
	fill.style.width = at(of.share);
	error.style.left = at(of.lo);
	error.style.right = 100 - parseFloat(at(of.hi)) + "%";
	const bar = make("div", "bar", fill, error);
	bar.setAttribute("aria-hidden", "true");
	return bar;
}

function share_columns(title, key, base = () => data.all) {
	const of = (row) => share_of(row[key], base());
	return [
		{
			title: title + " %",
			key,
			kind: "number",
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

function bar_column(key) {
	return {
		title: "",
		key: "bar",
		kind: "bar",
		cell: (row, table) =>
			row[key][HITS] ? make_bar(share_of(row[key]), table.full) : "",
	};
}

function hits_column(key) {
	return {
		title: "Samples",
		key: "samples",
		kind: "number",
		value: (row) => row[key][HITS],
		cell: (row) => count_text(row[key][HITS]),
	};
}

class Table {
	// name: of what a row is; rows; rest: rows that stay below; key: of the sum that adds up to 100%
	constructor(place, name, columns, key, rows, rest) {
		Object.assign(this, {
			place,
			name,
			columns,
			key,
			rows,
			rest,
			nr_shown: ROWS_FIRST,
		});
		this.full = rows.reduce((most, row) => Math.max(most, share_of(row[key]).hi), 0);
		this.sort_by(
			columns.find((column) => column.key === key),
			-1
		);
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
					make("span", "", bound_text(this.full, data.all) + "%")
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
					!["name", this.key, "samples"].includes(column.key)) ||
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

	// A line that stands for several, so that what is shown adds up.
	sum_row(name, rows, is_all) {
		const sum = [0, 0];
		for (const row of rows) {
			sum[HITS] += row[this.key][HITS];
			sum[NS] += row[this.key][NS];
		}
		return { name, [this.key]: sum, is_sum: true, is_all };
	}

	make_body() {
		const body = make("tbody"),
			hidden = this.rows.slice(this.nr_shown);
		for (const row of this.rows.slice(0, this.nr_shown))
			body.append(this.make_row(row));
		if (hidden.length)
			body.append(
				this.make_row(
					this.sum_row(
						plural(hidden.length, "more " + this.name),
						hidden
					),
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
		if (this.rows.length > this.nr_shown) {
			const more = make("button", "more controls", "Show more");
			more.type = "button";
			more.addEventListener("click", () => {
				this.nr_shown += ROWS_MORE;
				this.render();
			});
			this.place.append(more);
		}
	}
}
