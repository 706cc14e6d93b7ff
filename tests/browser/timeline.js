// SPDX-License-Identifier: GPL-2.0-only
// The page of a trace: tests/exports/trace.txt, whose times are known, and a large one.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { PHONE, assert_fits_phone } = require("./rig.js");

const text = (page, selector) => page.locator(selector).innerText();
const view = (page) => page.evaluate(() => [timeline.from, timeline.to]);

// The colour of the canvas at a time and level of a row, as [red, green, blue].
function colour_at(page, row_name, level, ns) {
	return page.evaluate(
		([name, at_level, at_ns]) => {
			const row = timeline.rows.find((one) => one.name === name);
			const scale = devicePixelRatio;
			const y = row.top - document.getElementById("timeline").scrollTop + at_level * LEVEL + 2;
			const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
			const x = timeline.x_of(at_ns);
			copy.drawImage(timeline.context.canvas, x * scale, y * scale, 1, 1, 0, 0, 1, 1);
			return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3);
		},
		[row_name, level, ns]
	);
}

async function search(page, word) {
	await page.locator("#find").fill(word);
	await page.locator("#find").press("Enter");
}

module.exports = function (with_page, folder) {
	const small = path.join(folder, "trace.html");
	const large = path.join(folder, "trace-large.html");
	const part = path.join(folder, "trace-part.html");
	return {
		trace_page_zooms_to_one_call: () =>
			with_page(small, {}, async (page) => {
				await search(page, "irq 24");
				const [from, to] = await view(page);
				assert.ok(from > 1400000 && from < 1500000 && to > 1700000 && to < 1800000);
				assert.match(
					await text(page, "#chosen"),
					/^irq 24, CPU 0, begins at 1.5 ms \(1,500,000 ns\), lasts 200 µs \(200,000 ns\), elapsed on a CPU 200 µs \(200,000 ns\), net 190 µs/
				);
				assert.equal(await text(page, "#found"), "1 match; this is number 1.");
				await page.locator("#timeline-canvas").focus();
				await page.keyboard.press("ArrowDown");
				assert.match(await text(page, "#chosen"), /^d, .*lasts 10 µs/);
				await page.keyboard.press("Enter");
				const [begin, end] = await view(page);
				assert.ok(Math.abs(end - begin - 12000) < 2);
				await page.keyboard.press("Escape");
				assert.deepEqual(await view(page), [0, 3000000]);
			}),
		trace_page_shows_blocked_time_clips_and_losses: () =>
			with_page(small, {}, async (page) => {
				await page.evaluate(() => timeline.choose(timeline.rows[2].levels[2].find((s) => timeline.span_name(s) === "a")));
				assert.match(
					await text(page, "#chosen"),
					/lasts 1.3 ms .* on a CPU 600 µs .*net 300 µs .*blocked 700 µs/
				);
				await search(page, "h (older)");
				assert.match(await text(page, "#chosen"), /began earlier: clipped/);
				await search(page, "lost");
				assert.match(await text(page, "#chosen"), /^lost 12, CPU 0, begins at 2.65 ms/);
				await search(page, "e");
				assert.match(await text(page, "#cut").catch(() => ""), /^$/);
				assert.match(await text(page, "#account"), /missing in 1 place/);
			}),
		trace_page_wheel_drag_and_hover: () =>
			with_page(small, {}, async (page) => {
				const box = await page.locator("#timeline-canvas").boundingBox();
				const [x, y] = await page.evaluate(() => [timeline.x_of(1400000), timeline.rows[2].top + 2 * LEVEL + 5]);
				await page.mouse.move(box.x + x, box.y + y);
				assert.match(await text(page, "#tip"), /^a\n/);
				await page.mouse.wheel(0, -500);
				await page.waitForFunction(() => timeline.to - timeline.from < 1500000);
				let [from, to] = await view(page);
				assert.ok(from < 1400000 && to > 1400000);
				await page.mouse.down();
				await page.mouse.move(box.x + x - 100, box.y + y);
				await page.mouse.up();
				const moved = await view(page);
				assert.ok(moved[0] > from && moved[1] > to);
			}),
		trace_page_draws_light_and_dark: async () => {
			const colours = [];
			for (const colorScheme of ["light", "dark"])
				await with_page(small, { colorScheme }, async (page) => {
					const call = await colour_at(page, 'a"b\\<i>/7', 2, 1500000),
						empty = await colour_at(page, 'a"b\\<i>/7', 2, 2900000);
					assert.notDeepEqual(call, empty);
					colours.push(call.join());
					await page.screenshot({ path: path.join(folder, "trace-" + colorScheme + ".png") });
				});
			assert.notEqual(colours[0], colours[1]);
		},
		trace_page_highlights_a_search: () =>
			with_page(small, {}, async (page) => {
				const before = await colour_at(page, 'a"b\\<i>/7', 3, 2250000);
				await page.locator("#find").fill("z");
				assert.equal(await text(page, "#found"), "1 match.");
				assert.notDeepEqual(await colour_at(page, 'a"b\\<i>/7', 3, 2250000), before);
			}),
		trace_page_merges_a_large_trace: () =>
			with_page(large, {}, async (page) => {
				const [nr, drawn] = await page.evaluate(() => [
					timeline.rows.reduce((sum, row) => sum + row.nr, 0),
					timeline.nr_drawn,
				]);
				assert.ok(nr >= 300000, "spans: " + nr);
				assert.ok(drawn < 5000, "drawn: " + drawn);
				const [calls, length] = await page.evaluate(() => [
					timeline.rows.flatMap((r) => r.levels.flat()).filter((s) => timeline.span_name(s) === "b").length,
					timeline.rows.flatMap((r) => r.levels.flat()).find((s) => timeline.span_name(s) === "b").end,
				]);
				assert.ok(calls > 200000 && length === 5000600);
				await search(page, "b");
				assert.match(await text(page, "#chosen"), /^b, \?\/7, begins at 5.0001 ms .*lasts 500 ns/);
				assert.match(await text(page, "#cut"), /at most 400,000 spans/);
			}),
		trace_page_of_a_part_says_so: () =>
			with_page(part, {}, async (page) => {
				assert.match(
					await text(page, "#cut"),
					/^This is a part of the trace, from 1.4 ms to 2.2 ms. It has only calls by 7, and those of interrupts\.$/
				);
				assert.deepEqual(await view(page), [1400000, 2200000]);
				await search(page, "a");
				assert.ok(!fs.readFileSync(part, "utf8").includes("e (older)"));
			}),
		trace_page_fits_a_phone: () =>
			with_page(small, PHONE, async (page) => {
				await assert_fits_phone(page);
			}),
	};
};
