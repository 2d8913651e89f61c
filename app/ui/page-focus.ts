/** Where focus goes when a page loads. */

/** Runs something after the browser has scrolled to the URL's fragment, if there is one. */
function afterJump(work: () => void): void {
	if (location.hash.length <= 1) return;
	const afterFrames = () => requestAnimationFrame(() => requestAnimationFrame(work));
	if (document.readyState === "complete") afterFrames();
	else window.addEventListener("load", afterFrames, { once: true });
}

/** What the URL's fragment names; nothing for a fragment that can't be decoded. */
function namedByUrl(): HTMLElement | null {
	try {
		return document.getElementById(decodeURIComponent(location.hash.slice(1)));
	} catch {
		return null;
	}
}

/**
 * The control that someone went to before the page's scripts ran, as on a slow connection: it keeps
 * the focus. What the page focuses by itself doesn't count.
 */
export function reachedControl(): HTMLElement | undefined {
	const now = document.activeElement;
	if (!(now instanceof HTMLElement)) return undefined;
	if (!now.matches("input, select, textarea, button, summary, a")) return undefined;
	const isTyped =
		(now instanceof HTMLInputElement || now instanceof HTMLTextAreaElement) &&
		now.value !== now.defaultValue;
	return isTyped || now !== document.querySelector("[autofocus]") ? now : undefined;
}

/**
 * Focuses the first invalid field, else the row or section in the URL.
 * @param reached the control that has the focus, if someone went to it
 */
export function placeFocus(reached: HTMLElement | undefined): void {
	if (reached && document.activeElement === reached) return;
	const wrong = document.querySelector<HTMLElement>("[aria-invalid=true]");
	const opened = document.querySelector<HTMLElement>("[data-opened]");
	const row = namedByUrl();
	if (wrong) {
		wrong.focus();
		// The jump to the fragment happens in a later frame, and would lose the focus.
		afterJump(() => {
			if (document.activeElement === document.body) wrong.focus();
		});
	} else if (row?.matches("button")) {
		row.focus({ preventScroll: true });
	} else if (opened && !document.querySelector("dialog[open]")) {
		// The opened request gets it; its row is beside it.
		document.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
		opened.focus({ preventScroll: true });
	} else if (row?.matches("tr, li, h2") && !document.querySelector("dialog[open]")) {
		row.tabIndex = -1;
		row.focus({ preventScroll: true });
	}
}

/** Where the last submitted form is remembered until the next page has loaded. */
const PRESSED = "pressed";

const nameOf = (form: HTMLFormElement, button: HTMLElement | null) =>
	`${form.getAttribute("action")?.split(/[?#]/)[0]} ${button?.textContent}`;

/** Remembers the button that submitted a form. */
export function rememberPressedButton(form: HTMLFormElement, button: HTMLElement | null): void {
	try {
		sessionStorage.setItem(PRESSED, nameOf(form, button));
	} catch {
		// Without storage the next page starts at its top.
	}
}

/**
 * After a form, focuses what the page itself focuses, which the browser may not have done yet; else
 * the same button again, else the page's main part.
 */
export function focusAfterForm(): void {
	let pressed: string | null = null;
	try {
		pressed = sessionStorage.getItem(PRESSED);
		sessionStorage.removeItem(PRESSED);
	} catch {
		return;
	}
	if (pressed === null || document.activeElement !== document.body) return;
	const own = document.querySelector<HTMLElement>("[autofocus]");
	if (own) {
		own.focus();
		return;
	}
	const button = [...document.querySelectorAll<HTMLButtonElement>("main button")].find(
		(each) => each.form && !each.disabled && nameOf(each.form, each) === pressed,
	);
	(button ?? document.querySelector<HTMLElement>("main"))?.focus({ preventScroll: true });
}
