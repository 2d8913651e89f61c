/** The outbox on a driver's page: what is waiting, sending, sent or needs action. */

import { TONES, type Tone } from "../class-names.ts";
import { phoneNow } from "./clock.ts";
import type { Entry, EntryState } from "./database.ts";
import { appendTo, badge, button, element } from "./elements.ts";
import { describeEntry, showMoment } from "./entry-labels.ts";
import { mendForm } from "./mend-form.ts";
import { type End, isToSend } from "./sending.ts";
import { deleteEntries } from "./store.ts";

const STATES: Readonly<Record<EntryState, { readonly words: string; readonly tone: Tone }>> = {
	waiting: { words: "Waiting", tone: "wait" },
	sending: { words: "Sending", tone: "info" },
	sent: { words: "Sent", tone: "good" },
	"needs-you": { words: "Action needed", tone: "bad" },
};

type Actions = {
	readonly send: () => void;
	readonly signInAddress: string;
	/** The fleet's. */
	readonly timeZone: string;
	/** Where the page shows what has been sent since it was opened; '' if nothing has. */
	readonly here: string;
};

/** Asks for confirmation, in place, before anything is discarded. */
function discardButton(entry: Entry): HTMLElement {
	const place = element("span", { class: "-ms-4 flex flex-wrap gap-2" });
	const discard = button("ghost", "Discard", () => {
		place.replaceChildren(
			element("span", { class: "w-2" }),
			button("destructive", "Discard permanently", () => void deleteEntries([entry.id])),
			keep,
		);
		// Not the other: a key held down presses twice.
		keep.focus();
	});
	const keep = button("outline", "Keep", () => {
		place.replaceChildren(discard);
		discard.focus();
	});
	appendTo(place, discard);
	return place;
}

function item(entry: Entry, { send, timeZone }: Actions): HTMLElement {
	const { words, tone } = STATES[entry.state];
	const files =
		entry.fileCount === 0
			? ""
			: entry.fileCount === 1
				? ", with a receipt"
				: `, with ${entry.fileCount} files`;
	const row = element(
		"li",
		{ id: `entry-${entry.id}`, class: "grid gap-1 p-4", "data-entry": entry.state },
		element(
			"div",
			{ class: "flex flex-wrap items-baseline justify-between gap-2" },
			element("h3", { class: "font-semibold wrap-anywhere" }, describeEntry(entry)),
			badge(tone, words),
		),
		element(
			"p",
			{ class: "text-sm text-quiet" },
			`Saved ${showMoment(entry.capturedAt, timeZone)}${files}`,
		),
	);
	if (entry.state === "needs-you")
		appendTo(row, element("p", { class: "font-semibold text-bad" }, entry.message));
	if (entry.state === "needs-you") appendTo(row, mendForm(entry, send));
	if (entry.state === "needs-you" || entry.state === "waiting") appendTo(row, discardButton(entry));
	return row;
}

function standing(end: End, waiting: number): string {
	if (waiting === 0) return "";
	const what = waiting === 1 ? "1 entry waiting" : `${waiting} entries waiting`;
	if (end === "sign-in")
		return `${what} on this phone. Sign in to send ${waiting === 1 ? "it" : "them"}.`;
	if (end === "other")
		return `${what} on this phone for the account that filled ${waiting === 1 ? "it" : "them"} out.`;
	return `${what} on this phone. ${waiting === 1 ? "It" : "They"} will be sent when you're back online.`;
}

/** Whether someone is typing or has opened something in the outbox: then it isn't redrawn. */
const isBusy = (place: HTMLElement) => place.querySelector("details[open]") !== null;

/** What was drawn last; it isn't redrawn if it hasn't changed, to keep focus and touches. */
let drawn = "";

/**
 * Draws the outbox, or hides it if it is empty.
 * @param end how the last round of sending ended
 */
export function drawOutbox(
	place: HTMLElement,
	entries: readonly Entry[],
	end: End,
	actions: Actions,
): void {
	// An answer shown on a screen is dealt with there.
	const shown = entries.filter(
		({ state, heldUntil }) => heldUntil <= phoneNow() || state === "needs-you" || state === "sent",
	);
	const isSeen = document.visibilityState === "visible";
	const focused = place.contains(document.activeElement)
		? nameInOutbox(document.activeElement)
		: undefined;
	const picture = JSON.stringify([end, shown, actions.here, isSeen]);
	if (picture === drawn) return;
	place.hidden = shown.length === 0;
	if (isBusy(place) && shown.some(({ state }) => state === "needs-you")) return;
	drawn = picture;
	const sent = shown.filter(({ state }) => state === "sent");
	const unsent = shown.filter(({ state }) => state !== "sent");
	// Messages about success don't take up space on the page.
	place.classList.toggle("absolute", unsent.length === 0);
	place.replaceChildren(
		...(sent.length > 0 ? [notice(sent, actions, isSeen)] : []),
		...(unsent.length > 0 ? [card(unsent, end, actions)] : []),
	);
	if (focused !== undefined) focusAgain(place, focused);
}

/** What identifies a control of the outbox when it has been drawn again. */
const nameInOutbox = (control: Element | null) =>
	`${control?.closest("li")?.id ?? ""} ${control?.textContent}`;

/** Focuses what was focused before it was drawn again, else the heading, else the page. */
function focusAgain(place: HTMLElement, name: string): void {
	const same = [...place.querySelectorAll<HTMLElement>("button, a, summary, h2")].find(
		(each) => nameInOutbox(each) === name,
	);
	(
		same ??
		place.querySelector<HTMLElement>("h2") ??
		document.querySelector<HTMLElement>("main")
	)?.focus({ preventScroll: true });
}

/**
 * Shows what has been sent, over the page, long enough to be read.
 * @param isSeen false in a hidden window, where it stays
 */
function notice(sent: readonly Entry[], { here }: Actions, isSeen: boolean): HTMLElement {
	const clear = () => void deleteEntries(sent.map(({ id }) => id));
	const place = element(
		"div",
		{
			class: `${isSeen ? "toast toast-slow " : ""}fixed inset-x-3 top-18 z-40 mx-auto grid max-h-80 max-w-md gap-1 overflow-auto rounded-md border p-3 ${TONES.good}`,
		},
		element("h2", { class: "sr-only", tabindex: "-1" }, "Sent"),
		element("ul", { role: "status", class: "grid gap-1" }, ...sent.map(sentItem)),
		element(
			"div",
			{ class: "-ms-4 flex flex-wrap gap-2" },
			button("ghost", "Clear sent", clear),
			...(here
				? [
						element(
							"a",
							{
								href: here,
								class: "inline-flex min-h-11 items-center px-4 font-semibold text-accent",
							},
							"Show sent",
						),
					]
				: []),
		),
	);
	place.addEventListener("animationend", clear);
	return place;
}

/** `Mileage`, and when the server received it. */
function sentItem(entry: Entry): HTMLElement {
	const { message } = entry;
	return element(
		"li",
		{ "data-entry": entry.state, class: "wrap-anywhere" },
		element("b", {}, `${describeEntry(entry)} ${STATES.sent.words.toLowerCase()}. `),
		/^Already received/.test(message) ? message : `Received: ${message}`,
	);
}

/** What is waiting, or needs action. */
function card(shown: readonly Entry[], end: End, actions: Actions): HTMLElement {
	const waiting = shown.filter(isToSend).length;
	const buttons = element("div", { class: "flex flex-wrap gap-2 empty:hidden" });
	if (waiting > 0 && end === "sign-in")
		appendTo(
			buttons,
			element(
				"a",
				{
					href: actions.signInAddress,
					class:
						"inline-flex min-h-11 items-center rounded-md bg-accent px-4 font-semibold text-on-accent no-underline",
				},
				"Sign In",
			),
		);
	else if (waiting > 0) appendTo(buttons, button("outline", "Send now", actions.send));
	return element(
		"div",
		{ class: "grid gap-3 rounded-lg border border-line bg-surface p-4" },
		element("h2", { class: "text-lg font-semibold", tabindex: "-1" }, "Outbox"),
		element("p", { role: "status", class: "empty:hidden" }, standing(end, waiting)),
		element(
			"ul",
			{ class: "-mx-4 divide-y divide-line border-y border-line" },
			...shown.map((entry) => item(entry, actions)),
		),
		buttons,
	);
}
