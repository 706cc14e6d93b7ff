// SPDX-License-Identifier: GPL-2.0-only
// The tip beside the pointer.

function hide_tip() {
	by_id("tip").hidden = true;
}

// Places the tip beside the point, or where there is room.
function show_tip(lines, x, y) {
	const tip = by_id("tip");
	tip.replaceChildren(...lines.map((line, at) => make(at ? "div" : "b", "", line)));
	tip.hidden = false;
	const right = document.documentElement.clientWidth - tip.offsetWidth - 8;
	const below = y + 18 + tip.offsetHeight < document.documentElement.clientHeight;
	tip.style.left = Math.max(Math.min(x + 12, right), 8) + "px";
	tip.style.top = (below ? y + 18 : Math.max(y - tip.offsetHeight - 12, 0)) + "px";
}
