/**
 * What can't be seen when the system's forced colors replace our backgrounds and text colors, in
 * words; runs in the page. Only borders and outlines are left to tell things apart.
 */
export function findHidden(): string[] {
	const faults = new Set<string>();
	const called = (element: Element) =>
		`${element.tagName} '${(element.getAttribute("aria-label") || element.textContent || element.getAttribute("name") || "").trim().replace(/\s+/g, " ").slice(0, 40)}'`;
	const isShown = (element: Element) => {
		const { width, height } = element.getBoundingClientRect();
		return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
	};
	const isPaint = (color: string) => color !== "transparent" && !/^rgba\(.*, 0\)$/.test(color);
	const hasOutline = (element: Element, least = 1) => {
		const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
		return (
			outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= least && isPaint(outlineColor)
		);
	};
	const hasBorder = (element: Element) => {
		const style = getComputedStyle(element);
		return (
			style.borderBottomStyle !== "none" &&
			Number.parseFloat(style.borderBottomWidth) >= 1 &&
			isPaint(style.borderBottomColor)
		);
	};
	const all = (selector: string) => [...document.querySelectorAll(selector)].filter(isShown);

	// Checkboxes, radio buttons and sliders are drawn by the browser in the forced colors.
	for (const field of all(
		"input:not([type=checkbox], [type=radio], [type=range]), select, textarea",
	))
		if (!hasBorder(field) && !field.matches(":is(label, [data-picker]) input"))
			faults.add(`${called(field)} has no border`);
	for (const badge of all(".badge, .rounded-full"))
		if (!badge.matches("svg") && !hasBorder(badge) && !hasOutline(badge))
			faults.add(`${called(badge)} has no shape`);
	for (const chosen of all("[aria-current], [aria-selected=true]"))
		if (chosen.closest("nav, [role=listbox], li") && !hasOutline(chosen, 2))
			faults.add(`${called(chosen)} isn't marked`);
	for (const control of all("a[href], button:enabled, input:enabled, select, textarea, summary")) {
		if (!(control instanceof HTMLElement)) continue;
		control.focus({ preventScroll: true });
		if (document.activeElement !== control) continue;
		// A label shows the focus of the field hidden inside it.
		const around = [control, control.parentElement, control.nextElementSibling];
		if (!around.some((each) => each && hasOutline(each, 2)))
			faults.add(`${called(control)} doesn't show its focus`);
	}
	return [...faults];
}
