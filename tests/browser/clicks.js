// SPDX-License-Identifier: GPL-2.0-only
// Effects of clicks and keys.
"use strict";
const assert = require("node:assert/strict");
const { wilson } = require("./expect.js");

// The n-th box with a name, from the root on.
function box(page, name, nth = 0) {
	return page
		.locator(".box")
		.filter({ hasText: new RegExp("^" + name.replace(/[[\]]/g, "\\$&") + "$") })
		.nth(nth);
}

async function width_of(page, name) {
	const all = (await page.locator("#flame-boxes").boundingBox()).width;
	return ((await box(page, name).boundingBox()).width + 1) / all;
}

// Wait until the call graph has a function in focus: the address changes at once, the graph in a later event.
function until_focus(page, name) {
	return page
		.locator("#calls-view .focus b")
		.filter({ hasText: new RegExp(name + "$") })
		.waitFor();
}

function percent(hits, n) {
	const [lo, hi] = wilson(hits / n, n).map((bound) => (bound * 100).toFixed(1));
	return ((hits / n) * 100).toFixed(1) + "% (95%: " + lo + "\u2013" + hi + ")";
}

function matching(expect, text) {
	return expect.stacks.reduce(
		(sum, stack) =>
			sum +
			(stack.program.includes(text) ||
			stack.names.some((name) => name.includes(text))
				? stack.hits
				: 0),
		0
	);
}

module.exports = (with_page, known, expect) => ({
	async widths_are_shares() {
		await with_page(known, {}, async (page) => {
			for (const name of ["nginx", "node", "IDLE", "postgres"])
				assert.ok(
					Math.abs(
						(await width_of(page, name)) -
							expect.programs.get(name) / expect.all
					) < 0.002,
					name
				);
			assert.ok(Math.abs((await width_of(page, "all samples")) - 1) < 0.002);
		});
	},

	async click_zooms_and_reset_and_Escape_unzoom() {
		await with_page(known, {}, async (page) => {
			assert.ok(await page.isDisabled("#reset"));
			await box(page, "deflate").click();
			assert.ok(Math.abs((await width_of(page, "deflate")) - 1) < 0.002);
			assert.ok(Math.abs((await width_of(page, "main")) - 1) < 0.002);
			assert.equal(await box(page, "node").count(), 0);
			const hits = expect.total.get("deflate@libz.so.1");
			assert.ok(
				(await page.textContent("#shown")).startsWith(
					"deflate " +
						percent(hits, expect.all) +
						" of all samples, 2,422 samples"
				)
			);
			assert.ok(
				Math.abs((await width_of(page, "longest_match")) - 1480 / hits) <
					0.002
			);
			await box(page, "longest_match").hover();
			assert.ok(
				(await page.textContent("#tip")).includes(
					percent(1480, hits) + " of deflate"
				)
			);
			await page.click("#reset");
			assert.equal(await page.textContent("#shown"), "");
			await box(page, "node").click();
			assert.ok(Math.abs((await width_of(page, "node")) - 1) < 0.002);
			await page.keyboard.press("Escape");
			assert.ok((await width_of(page, "node")) < 0.2);
			await box(page, "node").click();
			await box(page, "all samples").click();
			assert.ok((await width_of(page, "node")) < 0.2);
		});
	},

	async tooltip_has_samples_share_and_interval() {
		await with_page(known, {}, async (page) => {
			await box(page, "longest_match").hover();
			const tip = await page.locator("#tip").innerText();
			assert.deepEqual(tip.split("\n"), [
				"longest_match",
				"/usr/lib/libz.so.1",
				percent(1480, expect.all) + " of all samples",
				"1,480 samples",
				"self " + percent(1480, expect.all),
			]);
			await page.mouse.move(5, 5);
			assert.ok(await page.isHidden("#tip"));
			await box(page, "[idle]").hover();
			assert.match(await page.locator("#tip").innerText(), /^\[idle\]\nno code/);
		});
	},

	async search_counts_each_stack_once() {
		await with_page(known, {}, async (page) => {
			for (const text of [
				"memcpy",
				"ngx_",
				"main",
				"nginx",
				"[no frame",
				"*walk",
			]) {
				await page.fill("#find", text.toUpperCase());
				const hits = matching(expect, text);
				assert.equal(
					await page.textContent("#found"),
					percent(hits, expect.all) +
						" of all samples in stacks with a match, " +
						hits.toLocaleString("en-US") +
						" samples"
				);
			}
			assert.equal(
				await page
					.locator(".box.wanted")
					.filter({ hasText: "LazyCompile:~" })
					.count(),
				0
			);
			assert.ok((await page.locator(".box.wanted").count()) > 1);
			await page.fill("#find", "@libz");
			assert.ok(
				(await page.textContent("#found")).startsWith(
					percent(2422, expect.all)
				)
			);
			await page.fill("#find", "no such thing");
			assert.equal(await page.textContent("#found"), "Nothing matches.");
			await page.fill("#find", "memcpy");
			await box(page, "node").click();
			const node = expect.programs.get("node");
			assert.ok(
				(await page.textContent("#found")).startsWith(
					percent(190, node) + " of node in stacks"
				)
			);
			await box(page, "v8::internal::Heap::CollectGarbage").click();
			await page.fill("#find", "JSEntry");
			assert.equal(await page.textContent("#found"), "Nothing matches.");
			await page.fill("#find", "_start");
			assert.ok((await page.textContent("#found")).startsWith(percent(190, 190)));
			await page.fill("#find", "");
			assert.equal(await page.textContent("#found"), "");
		});
	},

	async hidden_samples_are_not_in_the_base() {
		await with_page(known, {}, async (page) => {
			await page.check("#busy");
			assert.equal(await box(page, "IDLE").count(), 0);
			const base =
				expect.all -
				expect.lost -
				expect.other -
				expect.programs.get("IDLE");
			assert.ok(
				Math.abs(
					(await width_of(page, "nginx")) -
						expect.programs.get("nginx") / base
				) < 0.002
			);
			await box(page, "nginx").hover();
			const tip = await page.textContent("#tip");
			assert.ok(
				tip.includes(
					percent(expect.programs.get("nginx"), base) +
						" of all except idle"
				)
			);
			assert.ok(
				tip.includes(
					percent(expect.programs.get("nginx"), expect.all) +
						" of all samples"
				)
			);
		});
	},

	async root_goes_on_top() {
		await with_page(known, {}, async (page) => {
			const top = async (name) => (await box(page, name).boundingBox()).y;
			assert.ok((await top("all samples")) > (await top("nginx")));
			await page.check("#icicle");
			assert.ok((await top("all samples")) < (await top("nginx")));
		});
	},

	async keyboard_does_everything() {
		await with_page(known, {}, async (page) => {
			const at = () => page.evaluate(() => document.activeElement.textContent);
			await page.focus("#busy");
			await page.keyboard.press("Tab"); // the button is off while nothing is zoomed
			assert.equal(await at(), "all samples");
			const walk = [
				["ArrowUp", "nginx"],
				["ArrowRight", "node"],
				["ArrowLeft", "nginx"],
				["ArrowUp", "_start"],
				["ArrowUp", "main"],
				["ArrowDown", "_start"],
			];
			for (const [key, name] of walk) {
				await page.keyboard.press(key);
				assert.equal(await at(), name, key);
			}
			assert.ok(await page.isVisible("#tip"));
			assert.match(
				await page.evaluate(() => document.activeElement.ariaLabel),
				/^_start, .*nginx, .*% .* of all samples, 4,382 samples$/
			);
			await page.keyboard.press("Enter");
			assert.equal(await at(), "_start");
			assert.ok(Math.abs((await width_of(page, "_start")) - 1) < 0.002);
			await page.keyboard.press("Escape");
			assert.equal(await at(), "all samples");
			assert.equal(await page.locator(".box[tabindex='0']").count(), 1);
			assert.equal(
				await page.getByRole("tree", { name: "Flame graph" }).count(),
				1
			);
		});
	},

	async titles_sort() {
		await with_page(known, {}, async (page) => {
			const table = "#functions-table ";
			const title = (name) =>
				page.locator(table + "th button").filter({ hasText: name });
			const column = (key) =>
				page.$$eval(table + "tbody tr:not(.rest) .of-" + key, (cells) =>
					cells.map((cell) => cell.textContent)
				);
			const sorted = () =>
				page.$eval(table + "th[aria-sort]", (cell) => [
					cell.textContent,
					cell.ariaSort,
				]);
			assert.deepEqual(await sorted(), ["Self %", "descending"]);
			await title("Samples").click();
			const falling = (await column("samples")).map((text) =>
				Number(text.replace(",", ""))
			);
			assert.deepEqual(
				falling,
				falling.toSorted((a, b) => b - a)
			);
			assert.equal(falling[0], 1480);
			await title("Samples").click();
			assert.deepEqual(await sorted(), ["Samples", "ascending"]);
			assert.equal((await column("samples"))[0], "0");
			await title("Total %").click();
			assert.equal(
				(await column("total"))[0],
				((expect.total.get("main@nginx") / expect.all) * 100).toFixed(1)
			);
			await title("Object").click();
			const objects = await column("object");
			assert.deepEqual(objects, objects.toSorted());
			assert.ok(
				await page.evaluate(
					() => document.activeElement.textContent === "Object"
				)
			);
			assert.equal(
				await page
					.locator(table + "tfoot")
					.innerText()
					.then((text) => /100\.0/.test(text)),
				true
			);
		});
	},

	async call_graph_leads_from_function_to_function() {
		await with_page(known, {}, async (page) => {
			const rows = (which) =>
				page.$$eval(
					"#calls-view > .scroll:nth-of-type(" + which + ") tbody tr",
					(all) =>
						all.map(
							(row) =>
								(
									row.querySelector(
										".link"
									) ??
									row.querySelector(".name")
								).textContent +
								" " +
								row.lastElementChild.textContent.replace(
									",",
									""
								)
						)
				);
			const called = (caller) =>
				[...expect.calls]
					.filter(([call]) => call.startsWith(caller + " > "))
					.sort((a, b) => b[1] - a[1])
					.map(
						([call, hits]) =>
							call.slice(caller.length + 3) + " " + hits
					);
			await page
				.locator("#functions-table .link")
				.filter({ hasText: /^memcpy$/ })
				.click();
			await until_focus(page, "^memcpy");
			assert.deepEqual(await rows(1), [
				"ngx_http_static 205",
				"v8::internal::ScavengerCollector 190",
				"[no frame pointer] 118",
			]);
			assert.deepEqual(await rows(3), ["(itself) 513"]);
			await page
				.locator("#calls-view .link")
				.filter({ hasText: "ngx_http_static" })
				.click();
			await until_focus(page, "^ngx_http_static");
			await page
				.locator("#calls-view .link")
				.filter({ hasText: "ngx_http_handler" })
				.click();
			await until_focus(page, "^ngx_http_handler");
			assert.deepEqual(await rows(3), called("ngx_http_handler"));
			await page.goBack();
			await until_focus(page, "^ngx_http_static");
			await page.evaluate(() =>
				calls.go(functions.find((f) => f.name.endsWith("*walk")).id)
			);
			await until_focus(page, "\\*walk");
			assert.ok((await rows(1)).includes("LazyCompile:*walk 400"));
			assert.deepEqual((await rows(3)).toSorted(), [
				"(itself) 173",
				"LazyCompile:*escape 260",
				"LazyCompile:*walk 400",
			]);
			assert.ok(
				(await page.textContent("#calls-view .focus")).includes(
					"Total " + percent(433, expect.all)
				)
			);
			await page.locator("#calls-view .focus .link").click();
			assert.ok(
				(await page.textContent("#found")).startsWith(
					percent(433, expect.all)
				)
			);
		});
	},

	async calls_count_the_stacks_that_contain_them() {
		await with_page(known, {}, async (page) => {
			const arcs = await page.evaluate(() =>
				calls.arcs
					.filter((arc) => arc.caller >= 0)
					.map((arc) => [
						functions[arc.caller].name +
							" > " +
							functions[arc.callee].name,
						arc.sum[HITS],
					])
			);
			const found = new Map();
			for (const [call, hits] of arcs)
				found.set(call, (found.get(call) ?? 0) + hits);
			assert.deepEqual([...found].toSorted(), [...expect.calls].toSorted());
		});
	},

	async parts_of_the_page_lead_to_each_other() {
		await with_page(known, {}, async (page) => {
			await page
				.locator("#processes-table .link")
				.filter({ hasText: "postgres" })
				.click();
			assert.ok(Math.abs((await width_of(page, "postgres")) - 1) < 0.002);
			await box(page, "ExecSort").click();
			await page.locator("#shown .link").click();
			await until_focus(page, "^ExecSort");
		});
	},
});
