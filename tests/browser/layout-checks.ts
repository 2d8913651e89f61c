/** Layout faults of a page, in words; runs in the page. */
export function findMisplaced(): string[] {
	const faults = new Set<string>();
	const box = (element: Element) => element.getBoundingClientRect();
	const called = (element: Element) =>
		`'${(element.textContent || element.getAttribute("name") || element.tagName).trim().slice(0, 30)}'`;
	// Text for screen readers only is one pixel large.
	const isHidden = (element: Element | null): boolean =>
		element !== null &&
		element !== document.body &&
		((box(element).width <= 1 && box(element).height <= 1) || isHidden(element.parentElement));
	// Sticky elements are meant to cover what scrolls past.
	const isSticky = (element: Element | null): boolean =>
		element !== null &&
		(["sticky", "fixed"].includes(getComputedStyle(element).position) ||
			isSticky(element.parentElement));
	// Text with an ellipsis, in a closed section, or in a line that scrolls sideways is cut on purpose.
	const isCut = (element: Element | null): boolean =>
		element !== null &&
		element !== document.body &&
		(getComputedStyle(element).overflow === "hidden" ||
			element.matches("details:not([open]) > :not(summary), .sideways") ||
			isCut(element.parentElement));
	const isOutside = (inner: DOMRect, outer: DOMRect) =>
		inner.left < outer.left - 1 || inner.right > outer.right + 1;

	const { scrollWidth, clientWidth } = document.documentElement;
	if (scrollWidth > clientWidth) faults.add(`the page is ${scrollWidth - clientWidth} too wide`);

	// No text overflows its cell, card or control.
	for (const holder of document.querySelectorAll(
		"td, th, dd, dt, li, label, legend, button, summary, h1, h2, h3, p, dialog a, td a, th a",
	)) {
		const words = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
		const outer = box(holder);
		while (words.nextNode()) {
			const text = words.currentNode;
			if (!text.nodeValue?.trim() || isHidden(text.parentElement) || isCut(text.parentElement))
				continue;
			const range = document.createRange();
			range.selectNodeContents(text);
			for (const inner of range.getClientRects()) {
				const isTooHigh =
					holder.matches("td, th") &&
					(inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1);
				if (isOutside(inner, outer) || isTooHigh)
					faults.add(
						`${holder.tagName} ${called(holder)} does not hold '${text.nodeValue.trim().slice(0, 30)}'`,
					);
			}
		}
	}

	// No space between words is lost, as beside an element in a row that is laid out as boxes.
	for (const row of document.querySelectorAll("*")) {
		const { display, columnGap, flexDirection } = getComputedStyle(row);
		if (!/^(inline-)?flex$/.test(display) || flexDirection !== "row" || parseFloat(columnGap) > 0)
			continue;
		for (const text of row.childNodes) {
			if (text.nodeType !== Node.TEXT_NODE || !text.nodeValue?.trim()) continue;
			const isNext = (node: Node | null) =>
				node instanceof HTMLElement && getComputedStyle(node).position === "static";
			const isLost =
				(/\s$/.test(text.nodeValue) && isNext(text.nextSibling)) ||
				(/^\s/.test(text.nodeValue) && isNext(text.previousSibling));
			if (isLost) faults.add(`${called(row)} has lost the space beside '${text.nodeValue.trim()}'`);
		}
	}

	// No name written from right to left moves to the other edge, as in a box of its own.
	for (const name of document.querySelectorAll(":is(a, div, li, span) > bdi")) {
		const { display } = getComputedStyle(name);
		if (!/^inline|contents/.test(display)) faults.add(`${called(name)} is a box of its own`);
	}

	// No control is cut off by the page or a scrolling container.
	const controls = [
		...document.querySelectorAll(
			"main a, main button, main input, main select, main textarea, main summary, dialog a",
		),
	].filter((control) => box(control).width > 1 && !isHidden(control) && !isCut(control));
	for (const control of controls)
		for (let around = control.parentElement; around; around = around.parentElement) {
			const isClip = around === document.body || getComputedStyle(around).overflowX !== "visible";
			if (isClip && isOutside(box(control), box(around)))
				faults.add(`${called(control)} is cut off`);
		}

	// No control in a form or row overlaps another or sticks out.
	for (const group of document.querySelectorAll("form, tr")) {
		const own = controls.filter((control) => group.contains(control) && !isSticky(control));
		for (const [position, control] of own.entries()) {
			const at = box(control);
			if (isOutside(at, box(group))) faults.add(`${called(control)} sticks out`);
			for (const other of own.slice(position + 1)) {
				const to = box(other);
				if (control.contains(other) || other.contains(control)) continue;
				if (
					at.left < to.right - 1 &&
					to.left < at.right - 1 &&
					at.top < to.bottom - 1 &&
					to.top < at.bottom - 1
				)
					faults.add(`${called(control)} and ${called(other)} overlap`);
			}
		}
	}

	// No number, including its sign, is broken over two lines.
	const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const isOnTwoLines = (text: Node, from: number, to: number) => {
		const range = document.createRange();
		range.setStart(text, from);
		range.setEnd(text, to);
		const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
		return new Set(tops).size > 1;
	};
	const numbers = /-?(?:\$|[A-Z]{3}\u00a0)?\d{1,3}(?:,\d{3})+(?:\.\d\d)?|-?\$\d+\.\d\d/g;
	while (texts.nextNode()) {
		const text = texts.currentNode;
		for (const { index, 0: number } of (text.nodeValue ?? "").matchAll(numbers))
			if (isOnTwoLines(text, index, index + number.length) && !isHidden(text.parentElement))
				faults.add(`'${number}' is broken over two lines`);
	}

	// No text in a row or an item lies over another.
	for (const holder of document.querySelectorAll("td, th, dd, li")) {
		const lines: (readonly [words: string, at: DOMRect])[] = [];
		const words = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
		while (words.nextNode()) {
			const { currentNode: text } = words;
			const said = text.nodeValue?.trim();
			if (!said || isHidden(text.parentElement) || isCut(text.parentElement)) continue;
			if (isSticky(text.parentElement)) continue;
			const range = document.createRange();
			range.selectNodeContents(text);
			for (const at of range.getClientRects()) {
				const other = lines.find(
					([, to]) =>
						Math.min(at.right, to.right) - Math.max(at.left, to.left) > 4 &&
						Math.min(at.bottom, to.bottom) - Math.max(at.top, to.top) > 4,
				);
				if (other) faults.add(`'${said.slice(0, 30)}' lies over '${other[0].slice(0, 30)}'`);
				lines.push([said, at]);
			}
		}
	}

	// The buttons of an open dialog are in the window, where it is as high as a phone.
	if (innerHeight >= 36 * rem)
		for (const button of document.querySelectorAll("dialog[open] .sheet-foot :is(a, button)")) {
			const { top, bottom } = box(button);
			if (top < 0 || bottom > innerHeight) faults.add(`${called(button)} is out of sight`);
		}

	// No navigation link breaks its name over two lines.
	for (const place of document.querySelectorAll("nav[aria-label=Main] :is(a, summary)")) {
		const words = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
		while (words.nextNode()) {
			const { currentNode: text } = words;
			if (isHidden(text.parentElement) || isCut(text.parentElement)) continue;
			if (isOnTwoLines(text, 0, text.nodeValue?.length ?? 0))
				faults.add(`${called(place)} is on two lines`);
		}
	}
	return [...faults];
}

/** Rows whose actions aren't on one line; runs in the page. */
export function findWrappedActions(): string[] {
	return [...document.querySelectorAll("tbody tr")]
		.filter((row) => {
			const controls = [...(row.lastElementChild?.querySelectorAll("a, button") ?? [])];
			const middles = controls
				.map((control) => control.getBoundingClientRect())
				.map(({ top, bottom }) => Math.round((top + bottom) / 2));
			return middles.some((middle) => Math.abs(middle - (middles[0] ?? 0)) > 2);
		})
		.map((row) => row.querySelector("th")?.textContent ?? "");
}
