// SPDX-License-Identifier: GPL-2.0-only
// The head of every page: the run, and the account of all samples.

function show_run(title) {
	document.title = title + data.began;
	by_id("run").textContent = [
		data.began,
		data.seconds.toFixed(data.seconds < 100 ? 1 : 0) +
			" s on " +
			plural(data.cpus, "CPU"),
		data.event || Number(data.rate.toPrecision(6)) + " Hz a CPU",
		...(data.others ?? []),
	].join(", ");
	show_account();
	by_id("receipt").hidden = !data.receipt;
	by_id("receipt").textContent = [data.receipt, ...(data.receipts_beside ?? [])].join(" ");
	if (data.ci === "paper") by_id("formula").textContent = "Intervals are the paper's";
}

function show_account() {
	const all = data.all[HITS];
	by_id("account").textContent = !all
		? "No sample was taken."
		: plural(all, "sample") +
			" taken: 100%. " +
			count_text(data.lost[HITS]) +
			" of them lost (no room), " +
			count_text(data.missed) +
			" more missed (none could be taken in " +
			"time). Code that takes less than " +
			Number((data.least * 100).toPrecision(2)) +
			(data.event ? "% of the events" : "% of the time") +
			" may have no sample.";
}

// All samples at a glance, as parts: [class, title, sum].
function show_parts(parts) {
	for (const [name, title, sum] of parts) {
		if (!sum[HITS]) continue;
		const part = make("span", "part-" + name);
		part.style.flexGrow = share_of(sum).share;
		by_id("strip").append(part);
		by_id("parts").append(
			make(
				"li",
				"",
				make("i", "swatch part-" + name),
				title + " " + phrase(share_of(sum))
			)
		);
	}
}
