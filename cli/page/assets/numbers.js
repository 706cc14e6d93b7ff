// SPDX-License-Identifier: GPL-2.0-only
// The page's data, and the computation and formatting of its numbers. All names are untrusted:
// they reach the page only as text, never as markup.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const HITS = 0,
	NS = 1, // or any other quantity of which shares are computed
	LO = 2,
	HI = 3; // of a sum
const Z = 1.959963984540054; // two-sided 95% point of the normal distribution

// Wilson's score interval of a share of n samples, as in stat_wilson_share() of cli/base/stat.c. With an
// excess they tell as much as fewer independent ones.
function wilson(share, n) {
	if (!n) return [0, 1];
	n /= 1 + data.excess;
	share = Math.min(Math.max(share, 0), 1);
	const z2n = (Z * Z) / n;
	const centre = (share + z2n / 2) / (1 + z2n);
	const half = (Z / (1 + z2n)) * Math.sqrt((share * (1 - share) + z2n / 4) / n);
	return [
		share > 0 ? Math.max(centre - half, 0) : 0,
		share < 1 ? Math.min(centre + half, 1) : 1,
	];
}

// The paper's interval, as in stat_paper_halfwidth().
function paper(share, n) {
	const half = n > 1 ? 1.96 * Math.sqrt((share * (1 - share) * (1 + data.excess)) / (n - 1)) : 0;
	return [share - half, share + half];
}

function interval(share, n) {
	return (data.ci === "paper" ? paper : wilson)(share, n);
}

// The share of a sum in a base. If the base is all samples, the sum's own interval is used, if any.
function share_of(sum, base = data.all) {
	const share = base[NS] > 0 ? sum[NS] / base[NS] : 0;
	const [lo, hi] =
		base === data.all && sum.length > HI
			? [sum[LO], sum[HI]]
			: interval(share, base[HITS]);
	return { share, lo, hi, hits: sum[HITS] };
}

// A second digit is shown only if there are enough samples to give it meaning.
function percent(fraction, n) {
	return (fraction * 100).toFixed(n >= 100000 ? 2 : 1);
}

function share_text(of, base = data.all) {
	return of.hits < 5 && base[HITS] && data.ci !== "paper"
		? "<" + bound_text(of.hi, base)
		: percent(of.share, base[HITS]);
}

// An upper bound that would round to 0 is shown with its first significant digit.
function bound_text(fraction, base) {
	const text = percent(fraction, base[HITS]);
	return Number(text) || !fraction
		? text
		: Number((fraction * 100).toPrecision(1)).toString();
}

function interval_text(of, base = data.all) {
	return percent(of.lo, base[HITS]) + "\u2013" + bound_text(of.hi, base);
}

function count_text(n) {
	return n.toLocaleString("en-US");
}

function plural(n, word) {
	return count_text(n) + " " + word + (n === 1 ? "" : /(s|x)$/.test(word) ? "es" : "s");
}

// "12.3% (95%: 11.9-12.7)"
function phrase(of, base = data.all) {
	return share_text(of, base) + "% (95%: " + interval_text(of, base) + ")";
}

// Make an element with a class and children, which are elements or text.
function make(tag, class_name, ...children) {
	const element = document.createElement(tag);
	if (class_name) element.className = class_name;
	element.append(...children);
	return element;
}

function by_id(id) {
	return document.getElementById(id);
}
