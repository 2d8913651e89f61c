/** Loads a page again when entries were sent beside it, so that it shows what they changed. */
import { isAnswered, isUntouched } from "./drafts.ts";
import { LOCK } from "./sending.ts";

/** Tells the next page that what it shows as sent is news. */
const NEWS = "outbox-news";
/** How long what was sent stays on the page, in milliseconds: it may be left just then. */
const READING_MS = 2000;
/** How long a page that was left may take to go, in milliseconds. */
const LEAVING_MS = 10_000;
let leaving = false;
/** Whether the page may be gone in a moment. */
export const isLeaving = (): boolean => leaving;

/** Notices when the driver follows a link or sends a form, which reloading would cancel. */
export function watchLeaving(): void {
	const leave = (event: Event) => {
		if (event.defaultPrevented) return;
		leaving = true;
		setTimeout(() => {
			leaving = false;
		}, LEAVING_MS);
	};
	document.addEventListener("submit", leave);
	document.addEventListener("click", (event) => {
		if (event.target instanceof Element && event.target.closest("a[href]")) leave(event);
	});
}

/** Whether the page has something half typed, chosen or asked, or is about to. */
const isInUse = (): boolean =>
	leaving ||
	// What the page focuses by itself doesn't count.
	document.activeElement?.matches(":is(input, select, textarea):not([autofocus])") === true ||
	document.querySelector("[data-entry] details[open], [data-asks]") !== null ||
	[...document.querySelectorAll<HTMLInputElement>("input[type=file]")].some(
		({ files }) => files?.length,
	) ||
	[...document.querySelectorAll<HTMLFormElement>("form:not([data-entry] *)")].some(
		(form) => isAnswered(form) || !isUntouched(form),
	);

let isAwaited = false;

/**
 * Loads the page again once nothing is being sent any more.
 * @param address of the page, without what only this visit was told
 */
export async function refresh(address: string): Promise<void> {
	if (isAwaited) return;
	isAwaited = true;
	await new Promise((resolve) => setTimeout(resolve, READING_MS));
	await navigator.locks.request(LOCK, () => undefined);
	isAwaited = false;
	if (isInUse()) return;
	try {
		sessionStorage.setItem(NEWS, "yes");
	} catch {
		// Without storage the news is shown but not read out.
	}
	location.replace(address);
}

/** Whether this page was loaded again because of what was sent; said once. */
export function takeNews(): boolean {
	try {
		const isNews = sessionStorage.getItem(NEWS) !== null;
		sessionStorage.removeItem(NEWS);
		return isNews;
	} catch {
		return false;
	}
}
