/** One entry of the outbox on a driver's page. */
import type { Tone } from "../class-names.ts";
import { dateIn, formatDay } from "../values/calendar-date.ts";
import { phoneNow } from "./clock.ts";
import type { Entry, EntryState } from "./database.ts";
import { appendTo, badge, button, element } from "./elements.ts";
import { describeEntry, showMoment } from "./entry-labels.ts";
import { fixForm } from "./fix-form.ts";
import { LOCK } from "./sending.ts";
import { deleteEntries, isStillUnsent } from "./store.ts";

const STATES: Readonly<Record<EntryState, { readonly words: string; readonly tone: Tone }>> = {
	waiting: { words: "Waiting", tone: "wait" },
	sending: { words: "Sending", tone: "info" },
	sent: { words: "Sent", tone: "good" },
	"needs-you": { words: "Action needed", tone: "bad" },
};

/**
 * Discards an entry, unless the server has it.
 * @param onWait called if it is on its way, which has to end first
 */
async function discardEntry(id: number, onWait: () => void): Promise<void> {
	await deleteEntries([id], ["sending", "sent"]);
	if (!(await isStillUnsent(id))) return;
	onWait();
	await navigator.locks.request(LOCK, () => deleteEntries([id], ["sent"]));
}

/** Asks for confirmation, in place, before anything is discarded. */
function discardButton(entry: Entry): HTMLElement {
	// The first button has no border, so its text aligns with the others.
	const place = element("span", { class: "flex flex-wrap gap-2 not-data-asks:-ms-4" });
	const discard = button("ghost", "Discard", () => {
		place.dataset.asks = "";
		place.replaceChildren(
			button("destructive", "Discard permanently", () => void discardEntry(entry.id, wait)),
			keep,
		);
		// Not the other: a held key presses twice.
		keep.focus();
	});
	const keep = button("outline", "Keep", () => {
		delete place.dataset.asks;
		place.replaceChildren(discard);
		discard.focus();
	});
	const wait = () => {
		const note = "Already being sent. Waiting for the answer...";
		const line = element("span", { tabindex: "-1" }, note);
		place.replaceChildren(line);
		line.focus();
	};
	appendTo(place, discard);
	return place;
}

/** Whether someone is correcting the entry or is being asked about it. */
export const isInUse = (row: HTMLElement): boolean =>
	row.querySelector("details[open], [data-asks]") !== null;

const DAY = 86_400_000;
/** When a driver is told that an entry isn't safe on the phone. */
const AGING_AFTER = 2 * DAY;
/** How long browsers keep what a site stored if nobody uses it: Safari's seven days of use. */
const KEPT_FOR = 7 * DAY;

/** Whether an entry has waited so long that its driver is told. */
export const isAging = ({ state, capturedAt }: Entry): boolean =>
	state !== "sent" && phoneNow() - capturedAt >= AGING_AFTER;

const agingNote = ({ capturedAt }: Entry, timeZone: string) =>
	`Your phone may delete this after ${formatDay(dateIn(timeZone, capturedAt + KEPT_FOR))}. Open Milepost with a connection before then.`;

/**
 * An entry's row.
 * @param timeZone the fleet's
 */
export function outboxRow(entry: Entry, timeZone: string, send: () => void): HTMLElement {
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
	if (isAging(entry)) appendTo(row, element("p", {}, agingNote(entry, timeZone)));
	if (entry.state === "needs-you")
		appendTo(row, element("p", { class: "font-semibold text-bad" }, entry.message));
	if (entry.state === "waiting" && entry.message !== "")
		appendTo(row, element("p", {}, entry.message));
	if (entry.state === "needs-you") appendTo(row, fixForm(entry, send));
	if (entry.state === "needs-you" || entry.state === "waiting") appendTo(row, discardButton(entry));
	return row;
}
