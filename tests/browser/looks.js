// SPDX-License-Identifier: GPL-2.0-only
// Contrast, narrow screens, paper, size and speed; pictures of each go to build/browser.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { PHONE, assert_fits_phone } = require("./rig.js");

// The lowest contrast (WCAG 2) of text with its background, and its position.
function least_contrast() {
	const light = (colour) => {
		const [r, g, b] = colour
			.match(/[\d.]+/g)
			.map((value) => value / 255)
			.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const behind = (element) => {
		for (; element; element = element.parentElement)
			if (!/, 0\)$/.test(getComputedStyle(element).backgroundColor))
				return getComputedStyle(element).backgroundColor;
		return "rgb(255, 255, 255)";
	};
	let least = [99, ""];
	for (const element of document.querySelectorAll("body *")) {
		const has_text = [...element.childNodes].some(
			(node) => node.nodeType === 3 && node.data.trim()
		);
		if (!has_text || !element.offsetParent || element.disabled) continue;
		const [a, b] = [
			light(getComputedStyle(element).color),
			light(behind(element)),
		].sort((x, y) => y - x);
		if ((a + 0.05) / (b + 0.05) < least[0])
			least = [(a + 0.05) / (b + 0.05), element.outerHTML.slice(0, 200)];
	}
	return least;
}

const looks = (with_page, files, pictures) => {
	const picture = (page, name, more = {}) =>
		page.screenshot({ path: pictures + "/" + name + ".png", fullPage: true, ...more });
	const scheme = (colorScheme) =>
		with_page(files.known, { colorScheme }, async (page) => {
			await picture(page, colorScheme);
			await page.fill("#find", "memcpy");
			await page.locator(".box.wanted").last().hover();
			await picture(page, colorScheme + "-search", { fullPage: false });
			const [least, where] = await page.evaluate(least_contrast);
			assert.ok(least >= 4.5, least + " " + where);
			await page.fill("#find", "");
			await page
				.locator(".box")
				.filter({ hasText: /^ngx_http_gzip_body$/ })
				.first()
				.click();
			const [zoomed, place] = await page.evaluate(least_contrast);
			assert.ok(zoomed >= 4.5, zoomed + " " + place);
			await page
				.locator(".box")
				.filter({ hasText: /^deflate$/ })
				.hover();
			await picture(page, colorScheme + "-zoom", { fullPage: false });
		});

	return {
		light_page_has_contrast: () => scheme("light"),
		dark_page_has_contrast: () => scheme("dark"),

		async phone_shows_everything_in_its_width() {
			await with_page(files.known, PHONE, async (page) => {
				await assert_fits_phone(page);
				await picture(page, "phone", {
					clip: { x: 0, y: 0, width: 390, height: 2400 },
				});
				await page
					.locator(".box")
					.filter({ hasText: /^node$/ })
					.tap();
				assert.match(await page.textContent("#shown"), /^node /);
			});
		},

		async paper_has_the_page_without_its_controls() {
			await with_page(
				files.known,
				{ width: 794, height: 1123, colorScheme: "dark" },
				async (page) => {
					await page.emulateMedia({
						media: "print",
						colorScheme: "dark",
					});
					for (const control of [
						"nav",
						"#find",
						"#reset",
						".more",
						"#tip",
					])
						assert.ok(
							await page
								.locator(control)
								.first()
								.isHidden(),
							control
						);
					assert.equal(
						await page.evaluate(
							() =>
								getComputedStyle(document.body)
									.backgroundColor
						),
						"rgb(255, 255, 255)"
					);
					const [least, where] = await page.evaluate(least_contrast);
					assert.ok(least >= 4.5, least + " " + where);
					const flame = await page
						.locator("#flame-boxes")
						.boundingBox();
					const body = await page.locator("main").boundingBox();
					assert.ok(Math.abs(flame.width - body.width) < 1);
					assert.ok(
						await page.$eval(
							"#flame-scroll",
							(one) =>
								one.scrollHeight <= one.clientHeight
						)
					);
					await picture(page, "print");
					await page.pdf({
						path: pictures + "/print.pdf",
						format: "A4",
					});
				}
			);
		},

		async empty_and_idle_profiles_have_a_note() {
			await with_page(files.empty, {}, async (page) => {
				assert.equal(
					await page.textContent("#account"),
					"No sample was taken."
				);
				assert.equal(
					await page.textContent("#calls-view"),
					"No function was sampled."
				);
				assert.ok(
					!/NaN|undefined|Infinity/.test(await page.innerText("body"))
				);
			});
			await with_page(files.idle, {}, async (page) => {
				assert.equal(
					await page.textContent("#calls-view"),
					"No function was sampled."
				);
				await page.check("#busy");
				assert.equal(await page.locator(".box").count(), 1);
				assert.ok(
					!/NaN|undefined|Infinity/.test(await page.innerText("body"))
				);
			});
		},

		// The limits allow for a busy machine; the printed line has the figures.
		async twenty_thousand_stacks_are_quick() {
			await with_page(files.large, {}, async (page) => {
				const bytes = fs.statSync(files.large).size;
				const times = await page.evaluate(() => ({
					paint: performance.getEntriesByName(
						"first-contentful-paint"
					)[0].startTime,
					drawn: performance.getEntriesByType("navigation")[0]
						.domContentLoadedEventStart,
					boxes: document.querySelectorAll(".box").length,
				}));
				const zoom = await page.evaluate(() => {
					const began = performance.now();
					flame.zoom_to(1);
					document.body.offsetHeight;
					return performance.now() - began;
				});
				console.log(
					"     " +
						(bytes / 1e6).toFixed(2) +
						" MB, first paint after " +
						times.paint.toFixed() +
						" ms, all drawn after " +
						times.drawn.toFixed() +
						" ms, " +
						times.boxes +
						" boxes, zoom in " +
						zoom.toFixed() +
						" ms"
				);
				assert.ok(
					bytes < 4e6 &&
						times.paint < 5000 &&
						times.drawn < 5000 &&
						zoom < 2000
				);
				await page.click("#reset");
				await picture(page, "large", { fullPage: false });
			});
		},
	};
};

module.exports = { least_contrast, looks };
