/**
 * Keeps what is typed into a driver's form on the phone until it is sent or cleared, or the driver
 * signs out.
 */
import { phoneNow } from "./clock.ts";
import type { Draft, Fields, FormName } from "./database.ts";
import {
	draftId,
	forgetDraft,
	readDraft,
	readLastSent,
	removeDraft,
	saveDraft,
} from "./draft-store.ts";
import { button, element } from "./elements.ts";
import { showMoment } from "./entry-labels.ts";
import { untilReleased } from "./press.ts";
import { listEntries } from "./store.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
/** Delay between the last keystroke and saving, in milliseconds. */
const PAUSE = 300;
/** Where a form leads once it is accepted. */
const TAKEN: Readonly<Record<FormName, (form: HTMLFormElement) => string>> = {
	mileage: () => "#log-",
	requests: () => "#request-",
	answers: (form) => `#request-${new FormData(form).get("requestId")}`,
};

const isControl = (each: unknown): each is Control =>
	(each instanceof HTMLInputElement &&
		!["hidden", "file", "submit"].includes(each.type) &&
		!each.readOnly &&
		each.name !== "") ||
	((each instanceof HTMLSelectElement || each instanceof HTMLTextAreaElement) && each.name !== "");
const controlsOf = (form: HTMLFormElement): Control[] =>
	([...form.elements] as unknown[]).filter(isControl);
const hiddenFields = (form: HTMLFormElement): Fields =>
	[...form.querySelectorAll<HTMLInputElement>("input[type=hidden]")].map(
		({ name, value }) => [name, value] as const,
	);
const fileFields = (form: HTMLFormElement) => [
	...form.querySelectorAll<HTMLInputElement>("input[type=file]"),
];
const keyField = (form: HTMLFormElement) => form.querySelector<HTMLInputElement>("input[name=key]");

/** A control's value as it loaded. */
const initialValue = (control: Control): string =>
	control instanceof HTMLSelectElement
		? (([...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0])
				?.value ?? "")
		: control.defaultValue;

const isTyped = (control: Control): boolean => control.value !== initialValue(control);
/** Whether a form is as it loaded. */
export const isUntouched = (form: HTMLFormElement): boolean => !controlsOf(form).some(isTyped);

/** Sets a control's value and dispatches the events of typing it. */
function setValue(control: Control, value: string): void {
	control.value = value;
	for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, { bubbles: true }));
}

/** Puts text into a form's controls and dispatches their events. */
export function fill(form: HTMLFormElement, fields: Fields): void {
	for (const control of controlsOf(form)) {
		const value = fields.find(([name]) => name === control.name)?.[1];
		if (value === undefined || value === control.value) continue;
		// Make the restored text visible.
		control.closest("details")?.setAttribute("open", "");
		setValue(control, value);
	}
}

/** Whether a form has come back with errors or a question. */
export const isAnswered = (form: HTMLFormElement): boolean =>
	form.querySelector("[role=alert], #questions, [aria-invalid=true]") !== null;

/**
 * Whether this page is where a submitted form leads once it is accepted.
 * @param before the URL's fragment when it was submitted; an answer's may be the same afterwards
 */
function isAccepted(form: HTMLFormElement, name: FormName, before: string | undefined): boolean {
	const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
	const isNew = name === "answers" ? visit?.type === "navigate" : before !== location.hash;
	return isNew && location.hash.startsWith(TAKEN[name](form));
}

/**
 * Keeps a form's text from now on, and restores what was kept.
 * @param timeZone the fleet's
 */
export async function keepDraft(
	form: HTMLFormElement,
	name: FormName,
	userId: string,
	timeZone: string,
): Promise<void> {
	const id = draftId(userId, name, hiddenFields(form));
	let timer: ReturnType<typeof setTimeout> | undefined;
	let isOver = false;
	const save = (isSent: boolean): Promise<void> => {
		clearTimeout(timer);
		timer = undefined;
		const fields = controlsOf(form).map((control) => [control.name, control.value] as const);
		// A full phone loses only the draft.
		return saveDraft({
			id,
			userId,
			key: keyField(form)?.value ?? "",
			fields,
			typedAt: phoneNow(),
			isSent,
			hash: location.hash,
			hasFile: fileFields(form).some(({ files }) => files?.length),
		}).catch(() => undefined);
	};
	// The page that a form leads to may have a draft of its own.
	const last = name === "answers" ? undefined : await readLastSent(userId, name);
	if (last && isAccepted(form, name, last.hash)) await removeDraft(last.id);
	const draft = await readDraft(id);
	// The outbox keeps its own entries.
	const isKept =
		draft?.isSent === true && (await listEntries(userId)).some(({ key }) => key === draft.key);
	if (isKept) await removeDraft(id);
	const known = isKept ? undefined : draft;
	if (known) await untilReleased();
	// What was refused or asked about is in the form again, and nowhere else once its entry is
	// removed.
	if (isAnswered(form)) await save(false);
	else if (name === "answers" && known?.isSent && isAccepted(form, name, known.hash))
		await removeDraft(id);
	else if (known)
		restoreDraft(form, known, showMoment(known.typedAt, timeZone), () => {
			clearTimeout(timer);
			timer = undefined;
			return forgetDraft(id);
		});

	form.addEventListener("input", (event) => {
		// Text that this module restored doesn't count as typed.
		if (!event.isTrusted) return;
		clearTimeout(timer);
		timer = setTimeout(save, PAUSE, false);
	});
	form.addEventListener("submit", (event) => {
		if (event.defaultPrevented) return;
		isOver = true;
		void save(true);
	});
	document.addEventListener("visibilitychange", () => {
		if (document.visibilityState === "hidden" && timer !== undefined && !isOver) void save(false);
	});
	window.addEventListener("pageshow", () => {
		isOver = false;
	});
}

/** Says that a file has to be chosen again, until one is. */
function fileNote(form: HTMLFormElement): HTMLElement {
	const note = element("p", {}, "The photo or file isn't kept: choose it again.");
	for (const field of fileFields(form)) field.addEventListener("change", () => note.remove());
	return note;
}

/** The text and the key it was typed under, so that it is recognized if it was sent after all. */
function restoreDraft(
	form: HTMLFormElement,
	{ fields, key, hasFile = false }: Draft,
	when: string,
	forget: () => Promise<void>,
): void {
	const before = controlsOf(form).map(({ value }) => value);
	const newKey = keyField(form)?.value ?? "";
	const setKey = (value: string) => {
		const field = keyField(form);
		if (field && value !== "") field.value = value;
	};
	// On a slow connection a driver may be typing by now: that stays.
	const typed = controlsOf(form).filter(isTyped);
	fill(
		form,
		fields.filter(([name]) => !typed.some((control) => control.name === name)),
	);
	setKey(key);
	const isSame = controlsOf(form).every(({ value }, position) => value === before[position]);
	if (isSame && !hasFile) return;
	const note = element(
		"div",
		{
			role: "status",
			class:
				"flex flex-wrap items-center justify-between gap-2 rounded-md border-s-4 border-accent bg-accent-soft p-3",
		},
		element(
			"div",
			{},
			...(isSame ? [] : [element("p", {}, `Restored what you typed on ${when}.`)]),
			...(hasFile ? [fileNote(form)] : []),
		),
		button("outline", "Clear", () => {
			// The note stays as long as the phone has the text.
			void forget().then(() => note.remove());
			setKey(newKey);
			controlsOf(form).forEach((control, position) => {
				setValue(control, before[position] ?? "");
			});
			// The focus moves on from the button.
			controlsOf(form)[0]?.focus();
		}),
	);
	form.insertBefore(note, form.firstChild);
}
