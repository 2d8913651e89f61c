/** 'Fix and send': the form of an entry that needs its driver. */
import { CONTROL, LINE } from "../class-names.ts";
import { CHOOSE_TYPE } from "../domain/fund-requests/fields.ts";
import { TYPE_LABELS } from "../domain/fund-requests/rules.ts";
import type { FormField } from "../values/form-field.ts";
import type { Entry } from "./database.ts";
import { appendTo, element, submitButton } from "./elements.ts";
import { editableFields, fieldValue } from "./entry-labels.ts";
import { mayBeStored } from "./sending.ts";
import { updateEntry } from "./store.ts";

function control(entry: Entry, name: string, { kind, keyboard }: FormField, id: string): Node {
	const value = fieldValue(entry.fields, name);
	if (kind === "long")
		return element("textarea", { id, name, rows: "2", class: `${CONTROL} ${LINE}` }, value);
	if (kind === "choice")
		return element(
			"select",
			{ id, name, class: `${CONTROL} ${LINE}` },
			...[
				...(value === "" ? [["", CHOOSE_TYPE] as const] : []),
				...Object.entries(TYPE_LABELS),
			].map(([type, label]) => element("option", { value: type, selected: type === value }, label)),
		);
	return element("input", {
		id,
		name,
		value,
		type: kind === "date" ? "date" : "text",
		autocomplete: "off",
		inputmode: keyboard ?? false,
		class: `${CONTROL} ${LINE}`,
	});
}

/** A line break as a form sends it and as a script reads it. */
const lines = (text: string) => text.replaceAll("\r\n", "\n");

/**
 * The fields to correct and resend: under a new key, since what was refused was never stored. What
 * may be stored keeps its key, so that it is stored once, unless it is changed.
 */
export function fixForm(entry: Entry, send: () => void): HTMLElement {
	const form = element("form", { class: "grid max-w-md gap-3 pt-2" });
	if (mayBeStored(entry))
		appendTo(
			form,
			element(
				"p",
				{},
				"It may have been saved after all. Sent unchanged, it's saved only once. Before you change it, check your history: it could end up there twice.",
			),
		);
	for (const [name, field] of editableFields(entry.form)) {
		const id = `outbox-${entry.id}-${name}`;
		appendTo(
			form,
			element(
				"div",
				{ class: "grid gap-1" },
				element(
					"span",
					{},
					element("label", { for: id, class: "font-semibold" }, field.label),
					...(field.missing === undefined
						? [element("span", { class: "text-quiet" }, " (optional)")]
						: []),
				),
				control(entry, name, field, id),
			),
		);
	}
	appendTo(form, element("div", {}, submitButton("Send again")));
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		const typed = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
		const isSame = typed.every(
			([name, value]) => lines(value) === lines(fieldValue(entry.fields, name)),
		);
		const key = mayBeStored(entry) && isSame ? entry.key : crypto.randomUUID();
		const fixed = new Map<string, string>([...entry.fields, ...(isSame ? [] : typed)]);
		fixed.set("key", key);
		// Corrected, and no longer being edited.
		form.closest("details")?.removeAttribute("open");
		void updateEntry(entry.id, {
			fields: [...fixed],
			key,
			state: "waiting",
			message: "",
			failures: 0,
			heldUntil: 0,
			version: crypto.randomUUID(),
		}).then(() => {
			send();
			// The form is gone, so focus goes to the outbox, not to the top of the page.
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
