// SPDX-License-Identifier: GPL-2.0-only
// Whether the page shows the numbers of the profile.
"use strict";
const assert = require("node:assert/strict");
const { wilson } = require("./expect.js");

// Rows of a table as text, by the key of their column.
function rows_of(page, table) {
	return page.$$eval(table + " tbody tr, " + table + " tfoot tr", (rows) =>
		rows.map((row) =>
			Object.fromEntries(
				[...row.children].map((cell) => [
					/of-(\S+)/.exec(cell.className)[1],
					(
						cell.querySelector(
							".link, .name > span:first-child"
						) ?? cell
					).textContent,
				])
			)
		)
	);
}

async function show_all(page, table) {
	while (await page.$(table + " .more")) await page.click(table + " .more");
}

function number(text) {
	return Number(text.replaceAll(",", ""));
}

// Every row's samples, share and interval, against the counts made here.
function assert_rows(rows, counts, all, key) {
	for (const [name, hits] of counts) {
		const row = rows.find((one) => one.name === name);
		assert.ok(row, "no row of " + name);
		const [lo, hi] = wilson(hits / all, all);
		assert.equal(number(row.samples), hits, name);
		assert.equal(
			row[key],
			hits < 5 ? "<" + (hi * 100).toFixed(1) : ((hits / all) * 100).toFixed(1),
			name
		);
		assert.equal(
			row[key + "-interval"],
			(lo * 100).toFixed(1) + "\u2013" + (hi * 100).toFixed(1),
			name
		);
	}
}

function assert_total(rows, all) {
	const total = rows.pop();
	assert.equal(total.name, "Total");
	assert.equal(total.self, "100.0");
	assert.equal(number(total.samples), all);
	assert.equal(
		rows.reduce((sum, row) => sum + number(row.samples), 0),
		all
	);
}

module.exports = (with_page, known, expect) => ({
	async functions_add_up_and_match_the_profile() {
		await with_page(known, {}, async (page) => {
			assert_total(await rows_of(page, "#functions-table"), expect.all);
			await show_all(page, "#functions-table");
			const rows = await rows_of(page, "#functions-table");
			assert_total(rows, expect.all);
			for (const row of rows) row.name += row.object && "@" + row.object;
			assert_rows(rows, expect.self, expect.all, "self");
			assert_rows(
				rows,
				[
					["[lost]", expect.lost],
					["[other processes]", expect.other],
				],
				expect.all,
				"self"
			);
			for (const [name, hits] of expect.total)
				assert.equal(
					rows.find((row) => row.name === name).total,
					hits < 5
						? "<" +
								(
									wilson(
										hits / expect.all,
										expect.all
									)[1] * 100
								).toFixed(1)
						: ((hits / expect.all) * 100).toFixed(1),
					name
				);
			const unseen = rows.find((row) => row.name === "ExecutorRun@postgres");
			assert.match(unseen.self, /^<0\.0[1-9]$/);
		});
	},

	async objects_and_processes_add_up() {
		await with_page(known, {}, async (page) => {
			const objects = await rows_of(page, "#objects-table");
			assert_total(objects, expect.all);
			assert_rows(objects, expect.objects, expect.all, "self");
			const processes = await rows_of(page, "#processes-table");
			assert_total(processes, expect.all);
			assert_rows(
				processes.map((row) => ({
					...row,
					name: row.name + " " + (row.pid || 0),
				})),
				expect.processes,
				expect.all,
				"self"
			);
		});
	},

	async page_and_tool_use_one_formula() {
		await with_page(known, {}, async (page) => {
			const pairs = await page.evaluate(() =>
				functions
					.flatMap((f) => [f.self, f.total])
					.map((sum) => [
						sum.slice(2),
						wilson(sum[1] / data.all[1], data.all[0]),
					])
			);
			for (const [tool, own] of pairs)
				for (const end of [0, 1])
					assert.ok(
						Math.abs(tool[end] - own[end]) < 1e-6,
						tool + " " + own
					);
			for (const [share, n] of [
				[0, 10],
				[1, 10],
				[0.5, 1],
				[0.001, 100000],
				[1 / 3, 7],
			]) {
				const own = await page.evaluate(
					([m, nr]) => wilson(m, nr),
					[share, n]
				);
				wilson(share, n).forEach((bound, end) =>
					assert.ok(
						Math.abs(bound - own[end]) < 1e-9,
						share + " of " + n
					)
				);
			}
			assert.deepEqual(await page.evaluate(() => wilson(0.3, 0)), [0, 1]);
		});
	},

	async header_shows_losses_and_marks() {
		await with_page(known, {}, async (page) => {
			const account = await page.textContent("#account");
			assert.match(account, /^9,996 samples taken: 100%\. 7 of them lost/);
			const cut = await page.textContent("#cut");
			for (const mark of ["no frame pointer", "too deep", "kernel stack broken"])
				assert.ok(cut.includes("[" + mark + "] "), mark);
			assert.ok(!cut.includes("softirq"));
			assert.match(
				await page.textContent("#receipt"),
				/^Receipt: 1000 Hz asked.*<b>4dc76e4aacd1<\/b>/
			);
			const parts = await page.$$eval("#parts li", (items) =>
				items.map((item) => item.textContent)
			);
			const sum = parts.reduce(
				(all, part) => all + Number(/ ([\d.]+)%/.exec(part)[1]),
				0
			);
			assert.ok(Math.abs(sum - 100) < 0.5, parts.join());
			assert.ok(parts.some((part) => part.startsWith("idle 31.0%")));
		});
	},

	// Names appear letter by letter, as text only; with_page() notices alerts and requests.
	async hostile_names_do_nothing() {
		await with_page(known, {}, async (page) => {
			await show_all(page, "#functions-table");
			const shown = (await rows_of(page, "#functions-table")).map(
				(row) => row.name
			);
			for (const name of [
				"</script><script>alert(1)</script>",
				"<img/src=x/onerror=alert(2)>",
				'"onmouseover="alert(3)',
				"<!--<script>",
				"\\u003cb\\u003e",
				"emoji_🔥_é_漢字",
				"constructor",
				"__proto__",
				"toString",
			])
				assert.ok(shown.includes(name), name);
			for (const box of await page.$$(".box"))
				await box.dispatchEvent("mousemove", {
					clientX: 5,
					clientY: 5,
					bubbles: true,
				});
			for (const text of [
				"<script>",
				"constructor",
				"__proto__",
				'"',
				'@"quoted',
				"(",
				"\\",
			])
				await page.fill("#find", text);
			await page.evaluate(() =>
				functions.forEach((f) => {
					location.hash = "#call-" + f.id;
					calls.show();
				})
			);
			for (const hash of [
				"#call-99999",
				"#call--1",
				"#call-constructor",
				"#<img src=x>",
			])
				await page.evaluate((address) => {
					location.assign(address);
					calls.show(); // as the event does later
				}, hash);
			const foreign = await page.$$eval("body *", (all) =>
				all
					.filter(
						(element) =>
							![
								"HEADER",
								"H1",
								"H2",
								"P",
								"DIV",
								"UL",
								"LI",
								"I",
								"NAV",
								"A",
								"MAIN",
								"SECTION",
								"FORM",
								"LABEL",
								"INPUT",
								"BUTTON",
								"TABLE",
								"THEAD",
								"TBODY",
								"TFOOT",
								"TR",
								"TH",
								"TD",
								"SPAN",
								"B",
								"FOOTER",
								"SCRIPT",
								"NOSCRIPT",
							].includes(element.tagName) ||
							[...element.attributes].some((attribute) =>
								/^on|^src$/.test(attribute.name)
							)
					)
					.map((element) => element.outerHTML)
			);
			assert.deepEqual(foreign, []);
			assert.equal((await page.$$("script")).length, 2);
		});
	},
});
