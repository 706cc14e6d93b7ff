// SPDX-License-Identifier: GPL-2.0-only
// Instructions on the page of `probe proc -asm`: numbers against -tsv, marks, hostile names, looks.
"use strict";
const assert = require("node:assert/strict");
const { least_contrast } = require("./looks.js");
const { bars_of, number, rows_of, tsv } = require("./reports.js");
const { PHONE, assert_fits_phone, assert_tables_fit } = require("./rig.js");

const EVIL = "</script><script>alert(2)</script>";
const SOURCE = "<img src=x onerror=alert(5)>.c";

// Cells whose content is wider than the cell.
function cells_too_small(page) {
	return page.$$eval("#listing td", (cells) =>
		cells
			.filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
			.map((cell) => cell.textContent)
	);
}

module.exports = (with_page, folder) => {
	const file = (name) => folder + "/" + name + ".html";
	const given = (name) => tsv(folder + "/" + name + ".tsv");
	const instructions_of = async (page) =>
		(await rows_of(page, "#listing")).filter((row) => "offset" in row && row.offset);

	// Compare a number of -tsv with the one shown on the page, which has fewer digits.
	function assert_number(shown, all, digits, what) {
		assert.equal(shown, Number(all).toFixed(digits), what);
	}

	return {
		async instructions_match_the_report() {
			for (const [name, least] of [
				["asm", 5],
				["asm-wide", 1], // -ci paper gives intervals for few hits too
			])
				await with_page(file(name), {}, async (page) => {
					const rows = await instructions_of(page),
						listed = given(name).filter((row) => row.address);
					assert.equal(rows.length, listed.length);
					rows.forEach((row, at) => {
						const one = listed[at];
						assert.equal(row.name, one.instruction);
						assert.equal(
							row.hits,
							one.joint === "1" || one.joint === "true"
								? '"'
								: Number(one.hits)
									? Number(one.hits).toLocaleString(
											"en-US"
										)
									: ""
						);
						if (!Number(one.hits)) return assert.equal(row.share, "");
						if (one.hits < least) {
							const bound = Math.ceil(one.hi * 10) / 10;
							assert.equal(row.share, "<" + bound.toFixed(1));
							return assert.equal(row.error, "");
						}
						assert_number(row.share, one.share, 1, one.address);
						assert_number(row.error, one.error, 2, one.address);
					});
					const all = given(name).reduce(
						(sum, row) => sum + (Number(row.hits) || 0),
						0
					);
					const total = (await rows_of(page, "#listing")).at(-1);
					assert.deepEqual(
						[total.name, total.share, number(total.hits)],
						["Total", "100.0", all]
					);
				});
		},

		async instructions_have_their_functions_lines_and_sums() {
			await with_page(file("asm"), {}, async (page) => {
				const rows = await rows_of(page, "#listing");
				const heads = rows.filter((row) => row.line === "group");
				assert.deepEqual(
					heads.slice(0, 2).map((row) => row.name),
					["0x401000-" + EVIL, "0x401020-constructor"]
				);
				assert.equal(rows.indexOf(heads[0]), 0);
				assert.equal(rows[1].offset, "+0x0");
				assert.equal(
					rows[1].source,
					SOURCE + ':10asm("mov $7, %ecx");  /* 401000: <script>alert(6)</script> */'
				);
				// Three instructions of one line: the line is named at the first.
				const at = rows.findIndex((row) => row.name === "sti");
				assert.ok(rows[at].source.startsWith(SOURCE + ":21"));
				assert.deepEqual(
					rows.slice(at + 1, at + 3).map((row) => row.source),
					["", ""]
				);
				assert.deepEqual(
					rows
						.filter((row) => row.line === "rest")
						.map((row) => [row.name, row.hits, row.share]),
					[["(where no code was read)", "7", "0.1"]]
				);
			});
			await with_page(file("asm-wide"), {}, async (page) => {
				const rows = await rows_of(page, "#listing");
				assert.equal(rows[0].name, "12 instructions left out");
				assert.equal(rows[1].name, "0x001000-slide");
				assert.equal(rows.at(-2).line, "rest");
				assert.match(rows.at(-2).name, /^\(\d+ other instructions\)$/);
				assert.ok(!("source" in rows[2]));
				assert.match(await page.textContent("#findings"), /A slot is 2 bytes/);
			});
			await with_page(file("asm-all"), {}, async (page) => {
				const rows = await rows_of(page, "#listing");
				assert.equal(rows.at(-2).name, "9 more instructions");
				await page.click("#listing .more");
				assert.equal((await instructions_of(page)).length, 1009);
				assert.equal(await page.locator("#listing .more").count(), 0);
			});
		},

		async error_bars_of_instructions_show_their_intervals() {
			await with_page(file("asm"), {}, async (page) => {
				const bars = await bars_of(page, "#listing");
				const hit = given("asm").filter((row) => row.address && Number(row.hits));
				const full = Math.max(...hit.map((row) => row.hi));
				assert.equal(bars.length, hit.length);
				bars.forEach((bar, at) =>
					["share", "lo", "hi"].forEach((key, end) =>
						assert.ok(
							Math.abs(bar[end] - hit[at][key] / full) < 0.015,
							hit[at].address + " " + key
						)
					)
				);
			});
		},

		async marks_show_the_loop_and_slips() {
			await with_page(file("asm"), {}, async (page) => {
				const rows = await instructions_of(page);
				const marks = rows.map((row) => row.mark.replaceAll(" ", ""));
				assert.deepEqual(marks.slice(0, 10), [
					"", ">", "", "!", "", "?", "", "", "", "",
				]);
				assert.deepEqual(
					rows.slice(0, 9).map((row) => row.line),
					[
						"",
						"loop loop-top",
						"loop", "loop", "loop", "loop", "loop",
						"loop loop-end",
						"",
					]
				);
				// The bracket spans from the middle of its first row to the middle
				// of its last.
				const [top, bottom, colour] = await page.evaluate(() => {
					const cell = (name) => document.querySelector(name + " .of-mark");
					const style = (name) => getComputedStyle(cell(name), "::before");
					return [
						parseFloat(style(".loop-top").top) / cell(".loop-top").clientHeight,
						parseFloat(style(".loop-end").bottom) /
							cell(".loop-end").clientHeight,
						getComputedStyle(document.querySelector("tr.loop"))
							.backgroundColor,
					];
				});
				assert.ok(Math.abs(top - 0.5) < 0.1 && Math.abs(bottom - 0.5) < 0.1);
				assert.notEqual(colour, "rgba(0, 0, 0, 0)");
				assert.match(
					await page.getAttribute(
						"#listing .loop .slip[title^='the previous']",
						"title"
					),
					/^the previous instruction is slow/
				);
				const legend = await page.$$eval("#slips li", (items) =>
					items.map((item) => item.textContent)
				);
				assert.deepEqual(
					legend.map((text) => text[0]).toSorted(),
					["!", "#", "?", "@"]
				);
				assert.match(
					await page.textContent("#instructions"),
					/may\s+belong\s+to\s+the\s+instruction\s+before\s+it/
				);
				const findings = await page.innerText("#findings");
				assert.match(
					findings,
					/The hottest instruction follows divl %ecx, which is slow/
				);
				assert.match(findings, /Hottest loop: .*\+0x5, 20 bytes, 7 instructions/);
			});
		},

		async titles_sort_instructions_and_match_the_columns() {
			await with_page(file("asm"), {}, async (page) => {
				const title = (name) =>
					page.locator("#listing th button", { hasText: name });
				const order = async () =>
					(await instructions_of(page)).map((row) => row.name);
				const by_address = await order();
				assert.equal(
					await page.getAttribute("#listing th.of-error", "title"),
					"margin of error of the share, at 95%"
				);
				assert.match(
					await page.getAttribute("#listing th.of-hits", "title"),
					/^samples with this instruction next to run/
				);
				await title("Hits").click();
				const hits = (await instructions_of(page)).map((row) => number(row.hits));
				assert.deepEqual(
					hits,
					hits.toSorted((a, b) => b - a)
				);
				assert.equal(await page.locator("#listing tr.group").count(), 0);
				assert.equal(await page.locator("#listing .loop-top").count(), 0);
				assert.equal(await page.locator("#listing tr.loop").count(), 7);
				assert.equal(
					await page.locator("#listing .where").first().textContent(),
					EVIL
				);
				await title("Offset").click();
				assert.deepEqual(await order(), by_address);
			});
		},

		async names_in_a_listing_do_nothing() {
			await with_page(file("asm"), {}, async (page) => {
				const strange = await page.$$eval("body *", (elements) =>
					elements
						.filter(
							(element) =>
								["IMG", "IFRAME"].includes(element.tagName) ||
								[...element.attributes].some((attribute) =>
									/^on|^src$/.test(attribute.name)
								)
						)
						.map((element) => element.outerHTML)
				);
				assert.deepEqual(strange, []);
				assert.equal((await page.$$("script")).length, 2);
				assert.ok(!/NaN|undefined|null/.test(await page.innerText("body")));
			});
		},

		async no_instructions_without_asm() {
			for (const name of ["proc", "proc-empty"])
				await with_page(file(name), {}, async (page) => {
					assert.ok(await page.isHidden("#instructions"));
					assert.ok(await page.isHidden("nav a[href='#instructions']"));
				});
		},

		async listings_can_be_read_in_every_light_and_width() {
			const picture = (page, name) =>
				page.screenshot({ path: folder + "/" + name + ".png", fullPage: true });
			for (const name of ["asm", "asm-wide"]) {
				for (const colorScheme of ["light", "dark"])
					await with_page(file(name), { colorScheme }, async (page) => {
						await picture(page, name + "-" + colorScheme);
						const [least, where] = await page.evaluate(least_contrast);
						assert.ok(least >= 4.5, least + " " + where);
						await assert_tables_fit(page);
					});
				await with_page(file(name), PHONE, async (page) => {
					await assert_fits_phone(page);
					await picture(page, name + "-phone");
					for (const title of ["Offset", "Hits"]) {
						await page
							.locator("#listing th button", { hasText: title })
							.click();
						assert.deepEqual(await cells_too_small(page), []);
					}
					await picture(page, name + "-phone-by-hits");
				});
				const paper = { width: 794, height: 1123, colorScheme: "dark" };
				await with_page(file(name), paper, async (page) => {
					await page.emulateMedia({ media: "print", colorScheme: "dark" });
					await assert_tables_fit(page);
					await picture(page, name + "-print");
				});
			}
		},
	};
};
