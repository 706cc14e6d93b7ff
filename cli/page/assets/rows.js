// SPDX-License-Identifier: GPL-2.0-only
// The tables of functions, objects and processes.

// Rows of samples without a stack.
function unseen_rows(sums) {
	return [
		["[other processes]", data.other],
		["[lost]", data.lost],
	]
		.filter(([, sum]) => sum[HITS])
		.map(([name, sum]) => ({
			name,
			...Object.fromEntries(sums.map((key) => [key, sum])),
			is_unseen: true,
		}));
}

// Name of a function's object; marks and rows without a stack have no object.
function object_name(row) {
	return row.object && !row.is_mark ? row.object[0] : "";
}

function is_idle(f) {
	return f.is_mark && f.name === "[idle]";
}

function show_functions(go) {
	const rows = functions.filter((f) => f.total[HITS]);
	const columns = [
		{
			title: "Function",
			key: "name",
			kind: "text",
			value: (row) => row.name,
			cell: (row) => name_cell(row, go, object_name(row)),
		},
		{
			title: "Object",
			key: "object",
			kind: "text",
			value: object_name,
			cell: object_name,
		},
		bar_column("self"),
		...share_columns("Self", "self"),
		...share_columns("Total", "total"),
		hits_column("self"),
	];
	return new Table(
		by_id("functions-table"),
		"function",
		columns,
		"self",
		rows.filter((f) => !is_idle(f)),
		[...rows.filter(is_idle), ...unseen_rows(["self", "total"])]
	);
}

// Marks belong to no object: each mark is a row of its own.
function show_objects() {
	const objects = data.objects.slice(1).map(([name, kind, path, self, total]) => ({
		name,
		kind: KINDS[kind],
		path,
		self,
		total,
	}));
	const marks = functions
		.filter((f) => f.is_mark)
		.map((f) => ({
			name: f.name,
			kind: "mark",
			path: "",
			self: f.self,
			total: f.total,
			is_mark: true,
		}));
	const rows = [...objects, ...marks].filter((row) => row.total[HITS]);
	const columns = [
		{
			title: "Object",
			key: "name",
			kind: "text",
			value: (row) => row.name,
			cell: (row) => name_cell(row, null, row.path),
		},
		{
			title: "Kind",
			key: "kind",
			kind: "text",
			value: (row) => row.kind,
			cell: (row) => row.kind || "",
		},
		bar_column("self"),
		...share_columns("Self", "self"),
		...share_columns("Total", "total"),
		hits_column("self"),
	];
	return new Table(
		by_id("objects-table"),
		"object",
		columns,
		"self",
		rows.filter((row) => !is_idle(row)),
		[...rows.filter(is_idle), ...unseen_rows(["self", "total"])]
	);
}

function pid_text(row) {
	return row.pid ? String(row.pid) : "";
}

function show_processes(zoom) {
	const IDLE = 4; // CPUPROBE_KIND_IDLE
	const rows = data.processes
		.map(([name, kind, pid, self]) => ({ name, kind, pid, self }))
		.filter((row) => row.self[HITS]);
	const columns = [
		{
			title: "Process",
			key: "name",
			kind: "text",
			value: (row) => row.name,
			cell: (row) => name_cell(row, zoom, pid_text(row)),
		},
		{
			title: "Pid",
			key: "pid",
			kind: "number",
			value: (row) => row.pid,
			cell: pid_text,
		},
		bar_column("self"),
		...share_columns("Share", "self"),
		hits_column("self"),
	];
	return new Table(
		by_id("processes-table"),
		"process",
		columns,
		"self",
		rows.filter((row) => row.kind !== IDLE),
		[...rows.filter((row) => row.kind === IDLE), ...unseen_rows(["self"])]
	);
}
