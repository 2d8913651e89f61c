/** The outbox on a driver's page: what is waiting, sending, sent or needs action. */

import { TONES } from "../class-names.ts";
import { announce } from "./announcements.ts";
import type { Entry } from "./database.ts";
import { appendTo, button, buttonLink, element } from "./elements.ts";
import { describeEntry } from "./entry-labels.ts";
import { isAging, isInUse, outboxRow } from "./outbox-row.ts";
import { ANSWER_HOLD_MS, type End, isOver, isToSend } from "./sending.ts";
import { deleteEntries } from "./store.ts";

type Actions = {
	readonly send: () => void;
	readonly signInAddress: string;
	/** The fleet's. */
	readonly timeZone: string;
	/** Where the page shows what has been sent since it was opened; '' if nothing has. */
	readonly here: string;
	/** How many entries are hidden until the person whose session has ended signs in again. */
	readonly hidden: number;
};

/** `2 entries waiting on this phone.`, and what will send them; '' if none is waiting. */
function waitingNote(end: End, waiting: number): string {
	if (waiting === 0) return "";
	const what = waiting === 1 ? "1 entry waiting" : `${waiting} entries waiting`;
	if (end === "sign-in")
		return `${what} on this phone. Sign in to send ${waiting === 1 ? "it" : "them"}.`;
	if (end === "other")
		return `${what} on this phone for the account that filled ${waiting === 1 ? "it" : "them"} out.`;
	const which = waiting === 1 ? "It" : "They";
	const when = end === "busy" ? "soon" : end === "some" ? "later" : "when you're back online";
	return `${what} on this phone. ${which} will be sent ${when}.`;
}

/** The note about the listed entries, or about the hidden ones. */
const noteOf = (end: End, entries: readonly Entry[], { hidden }: Actions): string =>
	hidden > 0 ? waitingNote("sign-in", hidden) : waitingNote(end, entries.filter(isToSend).length);

/** What was drawn last; it isn't redrawn if it hasn't changed, to keep focus and touches. */
let drawn = "";
/** The rows on the page, and the entry that each was drawn for. */
const rows = new Map<
	number,
	{ readonly row: HTMLElement; readonly entry: Entry; readonly picture: string }
>();
/** What a row shows: the entry, and whether it has waited for long. */
const pictureOf = (entry: Entry) => JSON.stringify([entry, isAging(entry)]);

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
		({ state, heldUntil }) =>
			isOver(heldUntil, ANSWER_HOLD_MS) || state === "needs-you" || state === "sent",
	);
	const isSeen = document.visibilityState === "visible";
	const picture = JSON.stringify([end, shown.map(pictureOf), actions.here, actions.hidden, isSeen]);
	if (picture === drawn) return;
	drawn = picture;
	const focused = place.contains(document.activeElement)
		? nameInOutbox(document.activeElement)
		: undefined;
	place.hidden = shown.length + actions.hidden === 0;
	const sent = shown.filter(({ state }) => state === "sent");
	const unsent = shown.filter(({ state }) => state !== "sent");
	announce([
		...sent.map((entry) => sentHeading(entry) + sentNote(entry)),
		...unsent
			.filter(({ state }) => state === "needs-you")
			.map((entry) => `${describeEntry(entry)}: ${entry.message}`),
		noteOf(end, unsent, actions),
	]);
	// Messages about success don't take up space on the page.
	place.classList.toggle("absolute", unsent.length + actions.hidden === 0);
	place.querySelector("[data-sent]")?.remove();
	if (sent.length > 0) place.insertBefore(notice(sent, actions, isSeen), place.firstChild);
	drawCard(place, unsent, end, actions);
	if (focused !== undefined && !place.contains(document.activeElement)) focusAgain(place, focused);
}

/** What identifies a control of the outbox once it is redrawn. */
const nameInOutbox = (control: Element | null) =>
	`${control?.closest("li")?.id ?? ""} ${control?.textContent}`;

/** Focuses what was focused before it was redrawn, else the heading, else the page. */
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
			"data-sent": true,
			class: `${isSeen ? "toast toast-slow " : ""}fixed inset-x-3 top-18 z-40 mx-auto grid max-h-80 max-w-md gap-1 overflow-auto rounded-md border p-3 ${TONES.good}`,
		},
		element("h2", { class: "sr-only", tabindex: "-1" }, "Sent"),
		element("ul", { class: "grid gap-1" }, ...sent.map(sentItem)),
		element(
			"div",
			{ class: "-ms-4 flex flex-wrap gap-2" },
			button("ghost", "Clear sent", clear),
			...(here ? [buttonLink("ghost", "Show sent", here)] : []),
		),
	);
	place.addEventListener("animationend", clear);
	return place;
}

/** `Mileage`, and when the server received it. */
const sentItem = (entry: Entry): HTMLElement =>
	element(
		"li",
		{ "data-entry": entry.state, class: "wrap-anywhere" },
		element("b", {}, sentHeading(entry)),
		sentNote(entry),
	);

const sentHeading = (entry: Entry) => `${describeEntry(entry)} sent. `;
const sentNote = ({ message }: Entry) =>
	/^Already received/.test(message) ? message : `Received: ${message}`;

/** Draws what is waiting or needs action. A row in use stays as it is, with what is typed into it. */
function drawCard(place: HTMLElement, entries: readonly Entry[], end: End, actions: Actions): void {
	for (const [id, { row }] of rows)
		if (!entries.some((entry) => entry.id === id)) {
			row.remove();
			rows.delete(id);
		}
	const known = place.querySelector("[data-unsent]");
	const isEmpty = entries.length + actions.hidden === 0;
	if (isEmpty) known?.remove();
	if (isEmpty) return;
	const card = known ?? newCard(place);
	const [note, list, buttons] = ["p", "ul", "[data-buttons]"].map((part) =>
		card.querySelector(`:scope > ${part}`),
	);
	const hasButton = entries.some(isToSend) || actions.hidden > 0;
	note?.replaceChildren(noteOf(end, entries, actions));
	list?.toggleAttribute("hidden", entries.length === 0);
	buttons?.replaceChildren(...(hasButton ? [sendButton(end, actions)] : []));
	for (const entry of entries) {
		const known = rows.get(entry.id);
		const isSame = known && known.picture === pictureOf(entry);
		const stays = known && isInUse(known.row) && isToSend(known.entry) === isToSend(entry);
		if (isSame || stays) continue;
		const row = outboxRow(entry, actions.timeZone, actions.send);
		if (known) known.row.replaceWith(row);
		else list?.appendChild(row);
		rows.set(entry.id, { row, entry, picture: pictureOf(entry) });
	}
}

function newCard(place: HTMLElement): HTMLElement {
	const card = element(
		"div",
		{ "data-unsent": true, class: "grid gap-3 surface p-4" },
		element("h2", { class: "text-lg font-semibold", tabindex: "-1" }, "Outbox"),
		element("p", { class: "empty:hidden" }),
		element("ul", { class: "-mx-4 divide-y divide-line border-y border-line" }),
		element("div", { "data-buttons": true, class: "flex flex-wrap gap-2 empty:hidden" }),
	);
	appendTo(place, card);
	return card;
}

/** What sends the waiting entries: signing in, or trying now. */
const sendButton = (end: End, actions: Actions): HTMLElement =>
	end === "sign-in" || actions.hidden > 0
		? buttonLink("default", "Sign In", actions.signInAddress)
		: button("outline", "Send now", actions.send);
