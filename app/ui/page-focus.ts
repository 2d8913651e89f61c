/** Where the keyboard goes on when a page comes. */

/**
 * Does something once the browser has gone to the place in the page that the address names, if it
 * names one.
 */
function afterJump(work: () => void): void {
	if (location.hash.length <= 1) return;
	const afterFrames = () => requestAnimationFrame(() => requestAnimationFrame(work));
	if (document.readyState === "complete") afterFrames();
	else window.addEventListener("load", afterFrames, { once: true });
}

/**
 * The keyboard goes on where the page points: the first field that is wrong, else the row or the
 * section of the address.
 */
export function placeFocus(): void {
	const wrong = document.querySelector<HTMLElement>("[aria-invalid=true]");
	const opened = document.querySelector<HTMLElement>("[data-opened]");
	const row =
		location.hash.length > 1
			? document.getElementById(decodeURIComponent(location.hash.slice(1)))
			: null;
	if (wrong) {
		wrong.focus();
		// The jump to what the address names comes with a later frame, and leaves the focus nowhere.
		afterJump(() => {
			if (document.activeElement === document.body) wrong.focus();
		});
	} else if (row?.matches("button")) {
		row.focus({ preventScroll: true });
	} else if (opened && !document.querySelector("dialog:modal")) {
		// What is read is the opened request; its row stands beside it.
		document.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
		opened.focus({ preventScroll: true });
	} else if (row?.matches("tr, li, h2") && !document.querySelector("dialog:modal")) {
		row.tabIndex = -1;
		row.focus({ preventScroll: true });
	}
}

/** Where the form that was sent last is remembered until the next page is there. */
const PRESSED = "pressed";

const nameOf = (form: HTMLFormElement, button: HTMLElement | null) =>
	`${form.getAttribute("action")?.split(/[?#]/)[0]} ${button?.textContent}`;

/** Remembers the button that a form was sent with. */
export function rememberPressed(form: HTMLFormElement, button: HTMLElement | null): void {
	try {
		sessionStorage.setItem(PRESSED, nameOf(form, button));
	} catch {
		// Without storage the next page begins at its top, as any page does.
	}
}

/** After a form the keyboard goes on at the same button, else in the page's main part. */
export function goOnAfterForm(): void {
	let pressed: string | null = null;
	try {
		pressed = sessionStorage.getItem(PRESSED);
		sessionStorage.removeItem(PRESSED);
	} catch {
		return;
	}
	if (pressed === null || document.activeElement !== document.body) return;
	const button = [...document.querySelectorAll<HTMLButtonElement>("main form button")].find(
		(each) => each.form && !each.disabled && nameOf(each.form, each) === pressed,
	);
	(button ?? document.querySelector<HTMLElement>("main"))?.focus({ preventScroll: true });
}
