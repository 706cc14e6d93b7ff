// SPDX-License-Identifier: GPL-2.0-only
// A browser that watches the page: any console output, request or exception is a failure.
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const { chromium } = require(path.join(process.env.NODE_LIBRARY, "playwright-core"));

const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

let browser;

async function start() {
	browser = await chromium.launch({
		executablePath: process.env.BROWSER,
		args: ["--no-sandbox"],
	});
	return browser.version();
}

function stop() {
	return browser.close();
}

// with_page(FILE, { width, height, colorScheme, ... }, async (page) => ...)
async function with_page(file, options, test) {
	const { width = 1280, height = 900, ...more } = options;
	const context = await browser.newContext({ viewport: { width, height }, ...more });
	context.setDefaultTimeout(120000); // allows for a busy machine
	const page = await context.newPage(),
		trouble = [],
		url = "file://" + file;
	page.on("console", (message) => trouble.push("console: " + message.text()));
	page.on("pageerror", (error) => trouble.push("error: " + error.message));
	page.on(
		"dialog",
		(dialog) => trouble.push("dialog: " + dialog.message()) && dialog.dismiss()
	);
	page.on(
		"request",
		(request) =>
			request.url().split("#")[0] === url ||
			request.url() === "data:," ||
			trouble.push("request: " + request.url())
	);
	try {
		await page.goto(url);
		await page.waitForSelector("#calls-view > *, #steps > *, #processes-table tfoot, #timeline-legend > *", {
			state: "attached",
		});
		await test(page);
	} finally {
		await context.close();
	}
	assert.deepEqual(trouble, []);
}

// Nothing on the page is wider than the phone, and no table is wider than its section.
async function assert_fits_phone(page) {
	assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
	await assert_tables_fit(page);
}

async function assert_tables_fit(page) {
	for (const table of await page.$$(".scroll"))
		assert.ok(await table.evaluate((one) => one.scrollWidth <= one.clientWidth));
}

// Run tests, an object of functions by name: all, or those with a word in their name. Returns
// the counts [passed, failed].
async function run(tests, word) {
	let passed = 0,
		failed = 0;
	for (const [name, test] of Object.entries(tests)) {
		if (!name.includes(word)) continue;
		try {
			await test();
			console.log("ok   " + name.replaceAll("_", " "));
			passed++;
		} catch (error) {
			console.log("FAIL " + name.replaceAll("_", " ") + "\n" + error.stack);
			failed++;
		}
	}
	return [passed, failed];
}

module.exports = { PHONE, start, stop, with_page, assert_fits_phone, assert_tables_fit, run };
