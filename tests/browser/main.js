// SPDX-License-Identifier: GPL-2.0-only
// main.js DIRECTORY [WORD]: test the pages in DIRECTORY, known.html and others; see
// tests/browser.sh.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { expect_of } = require("./expect.js");
const rig = require("./rig.js");

async function main() {
	const folder = path.resolve(process.argv[2]);
	const file = (name) => path.join(folder, name + ".html");
	const expect = expect_of(fs.readFileSync(path.join(__dirname, "known.txt"), "utf8"));
	const files = {
		known: file("known"),
		large: file("large"),
		empty: file("empty"),
		idle: file("idle"),
	};
	console.log("     chromium " + (await rig.start()));
	const [passed, failed] = await rig.run(
		{
			...require("./numbers.js")(rig.with_page, files.known, expect),
			...require("./clicks.js")(rig.with_page, files.known, expect),
			...require("./looks.js").looks(rig.with_page, files, folder),
			...require("./reports.js").reports(rig.with_page, folder),
			...require("./instructions.js")(rig.with_page, folder),
			...require("./timeline.js")(rig.with_page, folder),
		},
		process.argv[3] ?? ""
	);
	await rig.stop();
	console.log(passed + " passed, " + failed + " failed");
	process.exitCode = failed ? 1 : 0;
}

main();
