// SPDX-License-Identifier: GPL-2.0-only
// The head of the page of a trace, and the start of the page.

function show_trace() {
	const part = data.to - data.from < data.end;
	document.title = "Trace of " + data.began;
	by_id("title").textContent = "Trace of calls";
	by_id("strip").hidden = true;
	by_id("run").textContent = [
		data.began,
		time_text(data.end) + " on " + plural(data.cpus, "CPU"),
		plural(data.events, "event"),
	].join(", ");
	by_id("account").textContent = data.lost
		? plural(data.lost, "event") + " lost: calls open in these gaps have no duration."
		: data.gaps
			? "Events are missing in " + plural(data.gaps, "place") + "."
			: "No event was lost.";
	by_id("cut").hidden = !(part || data.task);
	by_id("cut").textContent =
		(part
			? "This is a part of the trace, from " + time_text(data.from) + " to " + time_text(data.to) + ". "
			: "") +
		(data.is_cut
			? "A page has at most " +
				count_text(data.limit) +
				" spans and instants: -from, -to and -task choose others. "
			: "") +
		(data.task ? "It has only calls by " + data.task + ", and those of interrupts." : "");
	by_id("receipt").hidden = true;
	document.querySelector("footer").textContent =
		"Elapsed is time on a CPU, net without traced callees; both without the cost of tracing. " +
		"Written by cpuprobe's probe.";
}

function show_trace_legend() {
	const texts = [
		"kernel function",
		"function of a module",
		"system call",
		"interrupt or softirq",
		"task on a CPU",
		"idle or unknown task",
		"events lost",
	];
	texts.forEach((text, at) => {
		const swatch = make("i", "swatch");
		swatch.style.background = "var(--" + COLOURS[at] + ")";
		by_id("timeline-legend").append(make("li", "", swatch, text));
	});
}

show_trace();
show_trace_legend();
timeline.start();
