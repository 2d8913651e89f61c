/** A form left open past midnight: its dates follow, as on a page just loaded. */
import { fleetToday } from "./clock.ts";
import { isAnswered, isUntouched } from "./drafts.ts";

/** How often a visible page checks the clock, in milliseconds. */
const LOOKS_MS = 60_000;

/** Does something when the page is looked at again, and periodically while it is visible. */
function whenLookedAt(look: () => void): void {
	document.addEventListener("visibilitychange", look);
	window.addEventListener("pageshow", look);
	setInterval(look, LOOKS_MS);
}

/**
 * Lets a receipt's day be today even after midnight, whatever was typed.
 * @param timeZone the fleet's
 */
export function followLatest(form: HTMLFormElement, timeZone: string): void {
	const day = form.elements.namedItem("spentOn");
	// A phone whose clock differs from the server's knows no better.
	if (!(day instanceof HTMLInputElement) || day.max !== fleetToday(timeZone)) return;
	whenLookedAt(() => {
		const today = fleetToday(timeZone);
		if (day.max < today) day.max = today;
	});
}

/**
 * Keeps the date of a form at the fleet's today, until something is typed into the form.
 * @param timeZone the fleet's
 */
export function followToday(form: HTMLFormElement, timeZone: string): void {
	const date = form.elements.namedItem("date");
	if (!(date instanceof HTMLInputElement)) return;
	let shown: string = fleetToday(timeZone);
	// A correction's or refused form's date isn't a default, and a phone whose clock differs from the
	// server's knows no better.
	const isDefault = !isAnswered(form) && form.elements.namedItem("correctsId") === null;
	if (!isDefault || date.defaultValue !== shown) return;
	const follow = () => {
		const today = fleetToday(timeZone);
		if (today === shown || document.visibilityState !== "visible" || !isUntouched(form)) return;
		if (date.max !== "" && date.max < today) date.max = today;
		date.defaultValue = today;
		date.value = today;
		shown = today;
	};
	whenLookedAt(follow);
}
