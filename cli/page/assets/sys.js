// SPDX-License-Identifier: GPL-2.0-only
// The page of `probe sys`: the table of its JSON report.

const report = data.report;
// A mode that the engine does not tell apart is null in all rows.
const knows = (mode) => report.rows.every((row) => row[mode] !== null);
const MODES = ["kernel", "softirq", "guest", "user"].filter(knows);
// Events of a run that sampled several at the same time, and their rates.
const events = report.events ?? [];
const rates = report.rates ?? [];
data.all = [data.taken, 1];
data.lost = [report.lost, 1];

// A row of the report with its shares as sums; the shares of modes have no interval.
function row_of(given) {
	const hits = MODES.reduce((sum, mode) => sum + given[mode + "_hits"], 0);
	const row = {
		name: given.name,
		kind: given.kind,
		pid: given.pid,
		total: [hits, given.total / 100, given.lo / 100, given.hi / 100],
		charged: [hits, given.charged / 100],
	};
	for (const mode of MODES) row[mode] = [given[mode + "_hits"], given[mode] / 100];
	for (const cpu of cpus_of(given)) row[cpu] = [hits, given[cpu] / 100];
	for (const rate of rates) row[rate.key] = rate_of(given, rate, hits);
	return row;
}

// A rate of two events: its value and interval (null: unknown), and samples of both events.
function rate_of(given, rate, hits) {
	const hits_of = (event) => (event === 1 ? hits : given["hits" + event]);
	return {
		value: given[rate.key],
		lo: given[rate.key + "_lo"],
		hi: given[rate.key + "_hi"],
		hits: hits_of(rate.of),
		per: hits_of(rate.per),
	};
}

function cpus_of(given) {
	return Object.keys(given ?? {}).filter((key) => /^cpu\d+$/.test(key));
}

const rows = report.rows.map(row_of);

// The sum of several rows' shares, with its interval.
function together(some, keys) {
	const sum = [0, 0];
	for (const row of some)
		for (const key of keys) {
			sum[HITS] += row[key][HITS];
			sum[NS] += row[key][NS];
		}
	const bounds = interval(Math.min(sum[NS] / data.scale, 1), data.all[HITS]);
	return [...sum, ...bounds.map((bound) => bound * data.scale)];
}

function show_modes() {
	const busy = rows.filter((row) => !["idle", "lost"].includes(row.kind));
	const kind = (name) => rows.filter((row) => row.kind === name);
	show_parts([
		...["user", "kernel", "softirq", "guest"].filter(knows).map((mode) => [
			mode,
			mode,
			together(busy, [mode]),
		]),
		["idle", "idle", together(kind("idle"), ["total"])],
		["lost", "lost", together(kind("lost"), ["total"])],
	]);
}

function number_column(key) {
	return {
		...named(key),
		kind: "number",
		adds: key,
		value: (row) => row[key][NS],
		cell: (row) => percent(row[key][NS], data.all[HITS]),
	};
}

// The column of charged time is shown only if it differs from the total in a printed digit.
function has_charged() {
	const text = (sum) => percent(sum[NS], data.all[HITS]);
	return rows.some((row) => text(row.charged) !== text(row.total));
}

function stacked_bar(row, table) {
	if (!row.total[HITS]) return "";
	return make_bar(
		share_of(row.total),
		table.full,
		["user", "kernel", "softirq", "guest"].filter(knows).map((mode) => ["part-" + mode, row[mode][NS]])
	);
}

function cpu_column(cpu) {
	const { title, help } = named("cpus");
	return {
		title: title + cpu.slice(3),
		help,
		key: cpu,
		kind: "number of-cpu",
		adds: cpu,
		value: (row) => row[cpu][NS],
		cell: (row) => percent(row[cpu][NS], data.all[HITS]),
	};
}

// Three significant digits, as some events come a thousand times as often as others.
function rate_number(value) {
	const digits = value > 0 ? 2 - Math.floor(Math.log10(value)) : 2;
	return value.toFixed(Math.min(Math.max(digits, 0), 6));
}

function rate_text(rate) {
	if (rate.hits < 5 && rate.per && rate.hi !== null)
		return "<" + Number(rate.hi.toPrecision(2));
	return rate.value === null ? "" : rate_number(rate.value);
}

// The columns of a rate. Rates do not add up: rows of sums have none.
function rate_columns(rate) {
	const title = rate.key === "ipc" ? "IPC" : events[rate.of - 1].event;
	return [
		{
			title,
			help: rate.name,
			key: rate.key,
			kind: "number",
			value: (row) => row[rate.key].value ?? -1,
			cell: (row) => (row[rate.key] ? rate_text(row[rate.key]) : ""),
		},
		{
			title: "95%",
			key: rate.key + "-interval",
			kind: "number interval",
			cell: (row) => {
				const of = row[rate.key];
				if (!of || of.value === null || of.hi === null) return "";
				return rate_number(of.lo) + "\u2013" + rate_number(of.hi);
			},
		},
	];
}

function show_rates() {
	const total = (rate) =>
		rate.name + ": " + (rate.total === null ? "unknown" : Number(rate.total.toPrecision(4)));
	by_id("rates").hidden = !rates.length;
	by_id("rates").textContent = rates.map(total).join("; ") + " in all.";
}

// On wide screens modes are columns; on narrow screens they are a line below the name.
function modes_text(row, modes) {
	return modes
		.filter((mode) => row[mode][HITS])
		.map((mode) => mode + " " + percent(row[mode][NS], data.all[HITS]))
		.join(", ");
}

function make_columns(modes) {
	const columns = [
		{
			...named("name"),
			kind: "text",
			value: (row) => row.name,
			cell: (row) =>
				name_cell(row, null, row.is_all ? "" : modes_text(row, modes)),
		},
	];
	if (rows.some((row) => row.pid))
		columns.push({
			...named("pid"),
			kind: "number",
			value: (row) => row.pid,
			cell: (row) => (row.pid ? String(row.pid) : ""),
		});
	columns.push({ title: "", key: "bar", kind: "bar", cell: stacked_bar });
	columns.push(...share_columns(named("total").title, "total", undefined, named("total").help));
	columns.push(...modes.map(number_column));
	if (has_charged()) columns.push(number_column("charged"));
	for (const cpu of cpus_of(report.rows[0]))
		columns.push(cpu_column(cpu));
	for (const rate of rates) columns.push(...rate_columns(rate));
	columns.push(hits_column("total"));
	return columns;
}

function show_processes() {
	const is_rest = (row) => ["idle", "lost"].includes(row.kind);
	const modes = MODES.filter(
		(mode) => mode !== "guest" || rows.some((row) => row.guest[HITS])
	);
	new Table(
		by_id("processes-table"),
		"process",
		make_columns(modes),
		"total",
		rows.filter((row) => !is_rest(row)),
		rows.filter(is_rest),
		{
			sums: ["total", "charged", ...MODES, ...cpus_of(report.rows[0])],
			sorted: data.sort,
			nr_shown: data.nr_rows || ROWS_FIRST,
		}
	);
}

show_run((data.event ? "Events of " : "CPU utilization of "));
if (data.event) by_id("processes-title").textContent = "Percentage of events";
show_modes();
show_rates();
show_processes();
