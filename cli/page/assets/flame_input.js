// SPDX-License-Identifier: GPL-2.0-only
// Input of the flame graph: pointer, keyboard and controls.

flame.box_at = function (event) {
	const element = event.target.closest(".box");
	return element && this.boxes[element.dataset.index];
};

// The box that an arrow key leads to: callers and callees vertically, neighbours horizontally.
flame.neighbour = function (box, key) {
	const toward_callee = key === (this.is_icicle ? "ArrowDown" : "ArrowUp");
	if (key === "ArrowLeft" || key === "ArrowRight") {
		const row = this.boxes
			.filter((other) => other.level === box.level)
			.sort((a, b) => a.left - b.left);
		return row[row.indexOf(box) + (key === "ArrowLeft" ? -1 : 1)];
	}
	const level = box.level + (toward_callee ? 1 : -1),
		middle = box.left + box.width / 2;
	if (toward_callee)
		return this.boxes.find(
			(other) =>
				other.level === level &&
				other.left >= box.left - 1e-12 &&
				other.left < box.left + box.width
		);
	return this.boxes.find(
		(other) =>
			other.level === level &&
			other.left <= middle &&
			other.left + other.width > middle
	);
};

flame.on_key = function (event) {
	const box = this.box_at(event);
	if (!box) return;
	if (event.key === "Enter" || event.key === " ") {
		this.zoom_to(box.node);
	} else if (event.key.startsWith("Arrow")) {
		const next = this.neighbour(box, event.key);
		if (next) this.go_to(next, true);
	} else {
		return;
	}
	event.preventDefault();
};

// A box with the keyboard's focus has the same tip as a box below the pointer.
flame.on_focus = function (event) {
	const box = this.box_at(event),
		at = event.target.getBoundingClientRect();
	if (!box) return;
	const lines = this.describe(box);
	event.target.setAttribute("aria-label", lines.join(", "));
	if (event.target.matches(":focus-visible"))
		show_tip(lines, at.left, at.bottom - BOX_HEIGHT);
};

flame.start_controls = function () {
	by_id("find").addEventListener("input", (event) => {
		this.wanted = event.target.value.trim().toLowerCase();
		this.render();
	});
	by_id("icicle").addEventListener("change", (event) => {
		this.is_icicle = event.target.checked;
		this.render();
	});
	by_id("busy").addEventListener("change", (event) => {
		this.is_busy = event.target.checked;
		this.zoom = is_account(this.zoom) ? 0 : this.zoom;
		this.render();
	});
	by_id("busy-label").hidden = !data.programs.some((program) => program[1] >= TREE_IDLE);
	by_id("flame-controls").addEventListener("submit", (event) => event.preventDefault());
	by_id("reset").addEventListener("click", () => this.zoom_to(0));
	document.addEventListener("keydown", (event) => {
		if (event.key === "Escape" && this.zoom && event.target !== by_id("find"))
			this.zoom_to(0);
	});
};

flame.start = function () {
	const place = this.place;
	place.addEventListener("click", (event) => {
		const box = this.box_at(event);
		if (box) this.zoom_to(box.node);
	});
	place.addEventListener("mousemove", (event) => {
		const box = this.box_at(event);
		if (box) show_tip(this.describe(box), event.clientX, event.clientY);
		else hide_tip();
	});
	place.addEventListener("mouseleave", hide_tip);
	place.addEventListener("keydown", (event) => this.on_key(event));
	place.addEventListener("focusin", (event) => this.on_focus(event));
	place.addEventListener("focusout", hide_tip);
	this.start_controls();
	let width = place.clientWidth;
	window.addEventListener("resize", () => {
		if (place.clientWidth !== width) this.render();
		width = place.clientWidth;
	});
	this.render();
};
