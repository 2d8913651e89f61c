/** The outbox on a driver's page: what is waiting, sending, sent or needs action. */

import { CONTROL, LINE, type Tone } from "../class-names.ts";
import { TYPE_LABELS } from "../domain/fund-requests/rules.ts";
import type { FormField } from "../values/form-field.ts";
import { appendTo, badge, button, element, submitButton } from "./elements.ts";
import { describeEntry, editableFields, fieldValue, showMoment } from "./entry-labels.ts";
import { type End, isToSend } from "./sending.ts";
import { deleteEntries, type Entry, type EntryState, updateEntry } from "./store.ts";

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
	/** Where the page shows what has been sent since it was opened; '' when nothing has. */
	readonly here: string;
};

/** Asks once more, in place, before anything is thrown away. */
function discardButton(entry: Entry): HTMLElement {
	const place = element("span", { class: "-ms-4 flex flex-wrap gap-2" });
	const ask = () =>
		place.replaceChildren(
			element("span", { class: "w-2" }),
			button("destructive", "Discard permanently", () => void deleteEntries([entry.id])),
			button("outline", "Keep", () => place.replaceChildren(button("ghost", "Discard", ask))),
		);
	appendTo(place, button("ghost", "Discard", ask));
	return place;
}

function control(entry: Entry, name: string, { kind }: FormField, id: string): Node {
	const value = fieldValue(entry.fields, name);
	if (kind === "long")
		return element("textarea", { id, name, rows: "2", class: `${CONTROL} ${LINE}` }, value);
	if (kind === "choice")
		return element(
			"select",
			{ id, name, class: `${CONTROL} ${LINE}` },
			...Object.entries(TYPE_LABELS).map(([type, label]) =>
				element("option", { value: type, selected: type === value }, label),
			),
		);
	return element("input", {
		id,
		name,
		value,
		type: kind === "date" ? "date" : "text",
		autocomplete: "off",
		class: `${CONTROL} ${LINE}`,
	});
}

/** The fields to correct and resend: under a new key, since what was refused was never stored. */
function mendForm(entry: Entry, send: () => void): HTMLElement {
	const form = element("form", { class: "grid max-w-md gap-3 pt-2" });
	for (const [name, field] of editableFields(entry.form)) {
		const id = `outbox-${entry.id}-${name}`;
		appendTo(
			form,
			element(
				"div",
				{ class: "grid gap-1" },
				element("label", { for: id, class: "font-semibold" }, field.label),
				control(entry, name, field, id),
			),
		);
	}
	appendTo(form, element("div", {}, submitButton("Send again")));
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		const typed = new FormData(form);
		const key = crypto.randomUUID();
		const mended = new Map<string, string>([
			...entry.fields,
			...[...typed].map(([name, value]) => [name, String(value)] as const),
		]);
		mended.set("key", key);
		// Corrected, and no longer being edited.
		form.closest("details")?.removeAttribute("open");
		void updateEntry(entry.id, {
			fields: [...mended],
			key,
			state: "waiting",
			message: "",
			failures: 0,
			heldUntil: 0,
		}).then(() => {
			send();
			// The form is gone: the keyboard goes on at the outbox, not at the top of the page.
			document.querySelector<HTMLElement>("[data-outbox] h2")?.focus();
		});
	});
	return element(
		"details",
		{},
		element(
			"summary",
			{ class: "min-h-11 content-center font-semibold text-accent" },
			"Fix and send",
		),
		form,
	);
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
		{ class: "grid gap-1 p-4", "data-entry": entry.state },
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
	if (entry.state === "sent")
		appendTo(
			row,
			element(
				"p",
				{},
				/^Already received/.test(entry.message) ? entry.message : `Received: ${entry.message}`,
			),
		);
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

/**
 * True while somebody types or has opened something in the outbox: then it isn't redrawn under
 * their hands.
 */
const isBusy = (place: HTMLElement) => place.querySelector("details[open]") !== null;

/**
 * What was drawn last: the same again is left alone, with the focus and the finger that may be on
 * it.
 */
let drawn = "";

/**
 * Draws the outbox, or hides it when there is nothing in it.
 * @param end how the last round of sending ended
 */
export function drawOutbox(
	place: HTMLElement,
	entries: readonly Entry[],
	end: End,
	actions: Actions,
): void {
	// What stands on a screen as an answer is dealt with there.
	const shown = entries.filter(
		({ shownTo, state }) => shownTo === "" || state === "needs-you" || state === "sent",
	);
	const picture = JSON.stringify([end, shown, actions.here]);
	if (picture === drawn) return;
	place.hidden = shown.length === 0;
	if (isBusy(place) && shown.some(({ state }) => state === "needs-you")) return;
	drawn = picture;
	const waiting = shown.filter(isToSend).length;
	const sent = shown.filter(({ state }) => state === "sent");
	// Quiet ones among themselves begin where the text does.
	const buttons = element("div", {
		class: waiting > 0 ? "flex flex-wrap gap-2" : "-ms-4 flex flex-wrap gap-2 empty:hidden",
	});
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
	if (sent.length > 0)
		appendTo(
			buttons,
			button("ghost", "Clear sent", () => void deleteEntries(sent.map(({ id }) => id))),
		);
	if (actions.here)
		appendTo(
			buttons,
			element(
				"a",
				{
					href: actions.here,
					class: "inline-flex min-h-11 items-center px-4 font-semibold text-accent",
				},
				"Show sent",
			),
		);
	place.replaceChildren(
		element(
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
		),
	);
}
