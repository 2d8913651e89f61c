/** Keyboard shortcuts of a page, and closing menus by a tap outside. */

/** The space bar presses links that are called buttons. */
export function watchLinkButtons(): void {
	document.addEventListener("keydown", (event) => {
		const { key, target } = event;
		if (key !== " " || !(target instanceof HTMLElement) || !target.matches("a[role=button]"))
			return;
		event.preventDefault();
		target.click();
	});
}

/** `details[data-menu]` closes like a menu: on a tap outside it, and on Escape. */
export function watchMenus(): void {
	const close = (except?: Node) => {
		for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]")) {
			if (except && menu.contains(except)) continue;
			const hadFocus = menu.contains(document.activeElement);
			menu.open = false;
			if (hadFocus) menu.querySelector("summary")?.focus();
		}
	};
	document.addEventListener("click", ({ target }) => close(target as Node));
	document.addEventListener("keydown", ({ key }) => {
		if (key === "Escape") close();
	});
}

/** The / key focuses the first visible search box, unless someone is typing. */
export function watchFindKey(): void {
	document.addEventListener("keydown", (event) => {
		const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
		if (key !== "/" || ctrlKey || metaKey || altKey || defaultPrevented) return;
		if (target instanceof Element && target.closest("input, textarea, select, dialog")) return;
		const boxes = document.querySelectorAll<HTMLInputElement>("input[data-find]");
		const box = [...boxes].find((each) => each.offsetParent !== null);
		if (!box) return;
		event.preventDefault();
		box.focus();
		box.select();
	});
}
