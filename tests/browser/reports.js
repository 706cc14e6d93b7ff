// SPDX-License-Identifier: GPL-2.0-only
// The pages of `probe proc` and `probe sys`: numbers against -tsv, clicks, hostile names, looks.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { wilson } = require("./expect.js");
const { least_contrast } = require("./looks.js");
const { PHONE, assert_fits_phone, assert_tables_fit } = require("./rig.js");

const FOREIGN = [
	"</script><script>alert(1)</script>",
	"</script><script>alert(2)</script>",
	"<img src=x onerror=alert(3)>",
	"</script ><!--<script >alert(4)</script >",
	"<b>filler_15421</b>",
	"<i>not markup</i>",
];

// Rows of the -tsv output, by title.
function tsv(file) {
	const [titles, ...rows] = fs
		.readFileSync(file, "utf8")
		.trimEnd()
		.split("\n")
		.filter((line) => line.includes("\t"))
		.map((line) => line.split("\t"));
	return rows.map((row) =>
		Object.fromEntries(row.map((value, at) => [titles[at], value]))
	);
}

// Rows of a table as text, by the key of their column; headings have one cell.
function rows_of(page, table) {
	return page.$$eval(table + " tbody tr, " + table + " tfoot tr", (rows) =>
		rows.map((row) => ({
			line: row.className,
			...Object.fromEntries(
				[...row.children].map((cell) => [
					/of-(?:cpu of-)?(\S+)/.exec(cell.className)[1],
					(cell.querySelector(".name > span:first-child") ?? cell)
						.textContent,
				])
			),
		}))
	);
}

function slots_of(rows) {
	return rows.filter((row) => row.line !== "group" && row.line !== "rest").slice(0, -1);
}

function number(text) {
	return Number(text.replaceAll(",", ""));
}

function percent(value) {
	return Number(value).toFixed(1);
}

// The ends of a bar's fill and of its error line, as shares of the bar's length.
function bars_of(page, table) {
	return page.$$eval(table + " tbody td .bar:has(.error)", (bars) =>
		bars.map((bar) => {
			const all = bar.getBoundingClientRect(),
				at = (x) => (x - all.left) / all.width;
			const error = bar.querySelector(".error").getBoundingClientRect();
			const fills = [...bar.querySelectorAll(".fill")];
			return [
				at(fills[fills.length - 1].getBoundingClientRect().right),
				at(error.left),
				at(error.right),
			];
		})
	);
}

const reports = (with_page, folder) => {
	const file = (name) => folder + "/" + name + ".html";
	const slots = tsv(folder + "/proc.tsv"),
		processes = tsv(folder + "/sys.tsv");
	const all = 24813; // samples of proc.txt
	const tell = (share) => "<" + (share * 100).toPrecision(1);

	return {
		async slots_match_the_report() {
			await with_page(file("proc"), {}, async (page) => {
				await page.click("#histogram .more");
				const rows = await rows_of(page, "#histogram");
				const shown = slots_of(rows);
				assert.equal(shown.length, slots.length);
				shown.forEach((row, at) => {
					const slot = slots[at];
					assert.equal(
						BigInt(row.name),
						BigInt(slot.address),
						"order of addresses"
					);
					assert.equal(number(row.hits), Number(slot.hits));
					assert.equal(
						row.share,
						slot.hits < 5
							? tell(wilson(slot.hits / all, all)[1])
							: percent(slot.share)
					);
					const [low, high] = row["share-interval"].split("\u2013");
					assert.equal(low, percent(slot.lo));
					assert.ok(Math.abs(high - slot.hi) <= 0.05, high);
				});
				assert.deepEqual(
					[rows.at(-1).name, rows.at(-1).share, rows.at(-1).hits],
					["Total", "85.0", "21,087"]
				);
			});
		},

		async error_bars_show_the_intervals() {
			for (const [name, table, expect] of [
				["proc", "#histogram", slots],
				["sys", "#processes-table", null],
			])
				await with_page(file(name), {}, async (page) => {
					const bars = await bars_of(page, table);
					const rows = expect
						? slots_of(await rows_of(page, table)).map((row) =>
								expect.find(
									(slot) =>
										BigInt(slot.address) ===
										BigInt(row.name)
								)
							)
						: processes
								.filter(
									(row) =>
										![
											"IDLE",
											"(lost)",
										].includes(row.name)
								)
								.sort((a, b) => b.total - a.total)
								.map((row) => ({
									...row,
									share: row.total,
								}));
					const full = Math.max(...rows.map((row) => row.hi));
					assert.equal(bars.length, rows.length);
					bars.forEach((bar, at) =>
						["share", "lo", "hi"].forEach((key, end) =>
							assert.ok(
								Math.abs(
									bar[end] -
										rows[at][key] / full
								) < 0.01,
								rows[at].name + " " + key
							)
						)
					);
				});
		},

		async functions_precede_their_slots() {
			await with_page(file("proc"), {}, async (page) => {
				const lines = (await rows_of(page, "#histogram")).map((row) => row.name);
				assert.deepEqual(lines.slice(0, 6), [
					"0x001129-work_six",
					"0x00112e",
					"0x001130",
					"0x001133-work_three",
					"0x001138",
					"0x00113a",
				]);
				assert.ok(lines.includes("0x001160-__proto__"));
				assert.equal(lines.at(-2), "5 slots too small to draw");
				assert.ok(!lines.includes("0x001170-constructor"));
				await page.click("#histogram .more");
				const more = (await rows_of(page, "#histogram")).map((row) => row.name);
				const at = more.indexOf("0x001170-constructor");
				assert.deepEqual(more.slice(at + 1, at + 3), ["0x001170", "0x001171"]);
				assert.equal(await page.locator("#histogram .more").count(), 0);
				const [first, second] = await page.$$eval(
					"#histogram tr:has(.address)",
					(rows) => rows.map((row) => row.className)
				);
				assert.deepEqual([first, second], ["", "gap"]);
			});
		},

		async titles_sort_slots() {
			await with_page(file("proc"), {}, async (page) => {
				const hits = async () =>
					slots_of(await rows_of(page, "#histogram")).map((row) =>
						number(row.hits)
					);
				const by_address = await hits();
				await page.locator("#histogram th button", { hasText: "Hits" }).click();
				assert.deepEqual(
					await hits(),
					by_address.toSorted((a, b) => b - a)
				);
				assert.equal(await page.locator("#histogram tr.group").count(), 0);
				assert.equal(
					await page.locator("#histogram .where").first().textContent(),
					"work_six"
				);
				await page
					.locator("#histogram th button", { hasText: "Address" })
					.click();
				assert.deepEqual(await hits(), by_address);
				assert.ok(await page.locator("#histogram tr.group").count());
			});
		},

		async picture_of_the_range_has_each_slot_in_its_place() {
			await with_page(file("proc"), {}, async (page) => {
				const found = await page.$$eval("#range .slot", (all_slots) => {
					const box = all_slots[0].parentElement;
					return all_slots.map((slot) => [
						slot.offsetLeft / box.clientWidth,
						slot.offsetHeight / box.clientHeight,
					]);
				});
				const full = Math.max(...slots.map((slot) => slot.hi));
				assert.equal(found.length, slots.length);
				found.forEach(([left, height], at) => {
					const place = (slots[at].address - 0x1129) / (0x1200 - 0x1129);
					assert.ok(Math.abs(left - place) < 0.002, slots[at].address);
					assert.ok(Math.abs(height - slots[at].share / full) < 0.01);
				});
				const errors = await page.$$eval("#range .error", (lines) => {
					const box = lines[0].parentElement.getBoundingClientRect();
					return lines.map((line) => {
						const at = line.getBoundingClientRect();
						const inside = box.height - 1; // except the border
						return [
							1 - (at.top - box.top) / inside,
							1 - (at.bottom - box.top) / inside,
						];
					});
				});
				assert.equal(errors.length, slots.length);
				errors.forEach(([top, bottom], at) => {
					assert.ok(Math.abs(top - slots[at].hi / full) < 0.01);
					assert.ok(Math.abs(bottom - slots[at].lo / full) < 0.01);
				});
			});
		},

		async functions_add_up_their_slots() {
			await with_page(file("proc"), {}, async (page) => {
				const rows = await rows_of(page, "#functions-table");
				const sums = new Map(rows.map((row) => [row.name, number(row.hits)]));
				for (const [name, hits] of [
					["work_six", 12082],
					["work_three", 5900],
					["work_one", 1921],
					["__proto__", 120],
					["constructor", 10],
					["Total", 21087],
				])
					assert.equal(sums.get(name), hits, name);
				const [lo, hi] = wilson(5900 / all, all);
				const three = rows.find((row) => row.name === "work_three");
				assert.equal(three.share, percent((5900 / all) * 100));
				assert.equal(
					three["share-interval"],
					percent(lo * 100) + "\u2013" + percent(hi * 100)
				);
			});
		},

		// No function gets the hits of a slot that it shares with others.
		async functions_share_slots() {
			await with_page(file("proc-wide"), {}, async (page) => {
				const rows = await rows_of(page, "#functions-table");
				assert.deepEqual(
					rows.map((row) => [row.name, row.share, row.hits]),
					[
						["third", "40.0", "80"],
						["(in slots of several functions)", "50.0", "100"],
						["Total", "90.0", "180"],
					]
				);
				assert.equal(
					(await rows_of(page, "#histogram"))[0].name,
					"0x001000-first 0x001002-second"
				);
			});
		},

		async header_shows_samples_elsewhere() {
			await with_page(file("proc"), {}, async (page) => {
				const part = (hits) => {
					const [lo, hi] = wilson(hits / all, all);
					return (
						percent((hits / all) * 100) +
						"% (95%: " +
						percent(lo * 100) +
						"\u2013" +
						percent(hi * 100) +
						")"
					);
				};
				assert.deepEqual(
					await page.$$eval("#parts li", (items) =>
						items.map((item) => item.textContent)
					),
					[
						"in the range, user mode " + part(21087),
						"out of range " + part(1240),
						"other modes " + part(321),
						"another executable " + part(45),
						"other processes " + part(2120),
					]
				);
				const notes = await page.innerText("#notes");
				assert.match(notes, /for 21087 of 24813 samples \(85%\)/);
				assert.match(notes, /1240 out of range, 321 other modes, 2120 other/);
				assert.match(notes, /0x001129, slot size 0x1/);
				assert.match(await page.textContent("#account"), /2 more missed/);
				assert.match(
					await page.textContent("#receipt"),
					/^Receipt: 1000 Hz asked.*<b>4dc76e4aacd1<\/b>/
				);
				assert.match(await page.textContent("#verdict"), /^Hottest instruction/);
			});
		},

		async steps_show_how_the_range_narrowed() {
			await with_page(file("proc"), {}, async (page) => {
				const rows = await rows_of(page, "#steps");
				assert.deepEqual(
					rows.map((row) => [row.slot, row.outside, row.hits]),
					[
						["262,144", "0.0", "204"],
						["16,384", "14.1", "171"],
						["1", "5.6", "21,087"],
					]
				);
				const [lo, hi] = wilson(28 / 199, 199);
				assert.equal(
					rows[1]["outside-interval"],
					percent(lo * 100) + "\u2013" + percent(hi * 100)
				);
				const zoom = await page.$$eval("#steps .zoom", (bars) =>
					bars.map((bar) => {
						const fill = bar.querySelector(".fill");
						return fill && fill.offsetLeft / bar.clientWidth;
					})
				);
				assert.ok(Math.abs(zoom[0] - (0x3c40000 - 0x1000) / 0x6405015) < 0.01);
				assert.equal(zoom[2], null);
			});
		},

		async processes_match_the_table() {
			await with_page(file("sys"), {}, async (page) => {
				const rows = await rows_of(page, "#processes-table");
				const total = rows.pop();
				assert.equal(total.total, "100.0");
				assert.equal(number(total.samples), 20045);
				assert.equal(rows.length, processes.length);
				for (const row of rows) {
					const given = processes.find((one) => one.name === row.name);
					const hits = ["kernel", "softirq", "guest", "user"].reduce(
						(sum, mode) => sum + Number(given[mode + "_hits"]),
						0
					);
					assert.equal(number(row.samples), hits, row.name);
					for (const mode of ["kernel", "softirq", "guest", "user"])
						assert.equal(row[mode], percent(given[mode]), row.name);
					if (hits >= 5)
						assert.equal(row.total, percent(given.total), row.name);
					assert.equal(
						row["total-interval"].split("\u2013")[0],
						percent(given.lo)
					);
				}
				assert.deepEqual(
					rows.slice(-2).map((row) => row.name),
					["IDLE", "(lost)"]
				);
				const parts = await page.$$eval("#parts li", (items) =>
					items.map((item) => item.textContent)
				);
				assert.ok(parts[0].startsWith("user 66.0% (95%: 65.3\u201366.7)"));
				assert.ok(parts[1].startsWith("kernel 5.1%"));
				assert.ok(parts[4].startsWith("idle 17.5%"));
			});
		},

		async titles_sort_processes() {
			await with_page(file("sys"), {}, async (page) => {
				await page
					.locator("#processes-table th button", { hasText: "Kernel" })
					.click();
				const kernel = (await rows_of(page, "#processes-table"))
					.filter((row) => !row.line)
					.slice(0, -1)
					.map((row) => Number(row.kernel));
				assert.deepEqual(
					kernel,
					kernel.toSorted((a, b) => b - a)
				);
				assert.equal(kernel[0], 3.1);
			});
		},

		async page_follows_the_options_of_the_report() {
			await with_page(file("sys-cpu"), {}, async (page) => {
				const rows = await rows_of(page, "#processes-table");
				const total = rows.find((row) => row.name === "Total");
				assert.equal(total.total, "200.0");
				const cpus = Number(total.cpu0) + Number(total.cpu1);
				assert.ok(Math.abs(cpus - 200) < 0.2);
				assert.equal(rows[0].name, "(softirq)"); // -sort name
				assert.match(
					await page.textContent("footer"),
					/^Intervals are the paper's/
				);
				assert.ok(!/NaN|undefined|null/.test(await page.innerText("body")));
			});
			await with_page(file("proc-plain"), {}, async (page) => {
				assert.equal(await page.locator("#histogram tr.group").count(), 0);
				assert.ok(await page.isHidden("#functions"));
				assert.ok(await page.isHidden("nav a[href='#functions']"));
				assert.equal(await page.locator("#histogram .more").count(), 0);
				assert.equal(
					slots_of(await rows_of(page, "#histogram")).length,
					0x1200 - 0x1129
				);
			});
		},

		async foreign_names_do_nothing() {
			for (const name of ["proc", "sys"])
				await with_page(file(name), {}, async (page) => {
					const text = await page.textContent("body > main");
					if (name === "proc")
						for (const foreign of FOREIGN)
							assert.ok(
								text.includes(foreign) ||
									(
										await page.textContent(
											"header"
										)
									).includes(foreign),
								foreign
							);
					else assert.ok(text.includes("<img src=x onerror=alert"));
					const strange = await page.$$eval("body *", (elements) =>
						elements
							.filter(
								(element) =>
									["IMG", "B", "IFRAME"].includes(
										element.tagName
									) ||
									[
										...element.attributes,
									].some((attribute) =>
										/^on|^src$/.test(
											attribute.name
										)
									)
							)
							.map((element) => element.outerHTML)
					);
					assert.deepEqual(strange, []);
					assert.equal((await page.$$("script")).length, 2);
				});
		},

		async reports_can_be_read_in_every_light() {
			for (const name of ["proc", "sys"])
				for (const colorScheme of ["light", "dark"])
					await with_page(file(name), { colorScheme }, async (page) => {
						await page.screenshot({
							path: folder + "/" + name + "-" + colorScheme + ".png",
							fullPage: true,
						});
						const [least, where] = await page.evaluate(least_contrast);
						assert.ok(least >= 4.5, least + " " + where);
					});
		},

		async reports_fit_a_phone_and_paper() {
			for (const name of ["proc", "sys", "sys-cpu"]) {
				await with_page(file(name), PHONE, async (page) => {
					await assert_fits_phone(page);
					await page.screenshot({
						path: folder + "/" + name + "-phone.png",
						fullPage: true,
					});
				});
				const paper = { width: 794, height: 1123, colorScheme: "dark" };
				await with_page(file(name), paper, async (page) => {
					await page.emulateMedia({ media: "print", colorScheme: "dark" });
					for (const control of await page.$$("nav, .more"))
						assert.ok(!(await control.isVisible()));
					await assert_tables_fit(page);
					await page.screenshot({
						path: folder + "/" + name + "-print.png",
						fullPage: true,
					});
				});
			}
		},

		async empty_ranges_have_a_note() {
			await with_page(file("proc-empty"), {}, async (page) => {
				assert.ok(await page.isHidden("#histogram"));
				assert.match(await page.innerText("#notes"), /for 0 of 50 samples/);
				assert.ok(!/NaN|undefined|Infinity/.test(await page.innerText("body")));
			});
		},

		// The paper's formula gives no interval then.
		async a_single_sample_makes_a_page() {
			await with_page(file("proc-one"), {}, async (page) => {
				assert.equal((await rows_of(page, "#histogram")).at(-1).hits, "1");
				assert.ok(!/NaN|undefined|null/.test(await page.innerText("body")));
			});
		},

		// The sizes of the pages; main.js prints them, so that the documents can cite them.
		async pages_are_small() {
			for (const name of ["proc", "sys"]) {
				const bytes = fs.statSync(file(name)).size;
				console.log("     page of " + name + ": " + (bytes / 1e3).toFixed(1) + " kB");
				assert.ok(bytes < 60e3);
			}
		},
	};
};

module.exports = { bars_of, number, reports, rows_of, tsv };
