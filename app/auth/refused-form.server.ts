/** Keeps what was typed into a refused form, so that its page can show it again. */

import { type FormFault, STATEMENT, TEXT_LIMIT } from "../http/form-body.server.ts";
import { renderPlainPage } from "../http/plain-page.ts";
import { apiRefusal, refusal, type TypedForm } from "../http/refusal.ts";
import { truncate } from "../values/fields.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * How many bytes of HTML the kept fields may take, so that the answer isn't much larger than a
 * page.
 */
const MAX_SHOWN = 120_000;
/**
 * The bytes of markup around a field: around the hidden one of a ticked row, and around any other.
 */
const ROW_MARKUP = 60;
const FIELD_MARKUP = 800;

/** The size of a text as escaped HTML, in bytes. */
const htmlSize = (text: string) =>
	new TextEncoder().encode(text).byteLength + 5 * (text.match(/[&<>"']/g)?.length ?? 0);

/** What a refused form contained, cut to the limits of its fields and of a page. */
export function typedValues(context: RequestContext): { typed?: TypedForm } {
	if (context.method !== "POST") return {};
	const { form, fault, isSenderKnown } = context.sent();
	const fields: [string, string][] = [];
	let left = MAX_SHOWN;
	let hadFile = fault === "left-out";
	for (const [name, value] of form) {
		if (typeof value !== "string") hadFile ||= value.size > 0;
		else if (name === STATEMENT && isSenderKnown) fields.push([name, value]);
		else {
			const kept = name === STATEMENT ? value : truncate(value, context.mostFor(name));
			const size =
				htmlSize(kept) + 4 * htmlSize(name) + (name === "ids" ? ROW_MARKUP : FIELD_MARKUP);
			if (size > left) continue;
			left -= size;
			fields.push([name, kept]);
		}
	}
	return { typed: { action: context.address, fields, hadFile } };
}

const WORDS: Readonly<Record<FormFault, (kilobytes: number) => string>> = {
	"too-many-fields": () => "This form has too many fields.",
	"too-much-text": (kilobytes) =>
		`This form is too long. The limit is ${kilobytes} KB of text. Nothing was saved.`,
	"left-out": () =>
		"The file couldn't be uploaded, so nothing was saved. Please submit the form again.",
};

/**
 * Refuses a form that was not read completely, and keeps what was typed as far as it fits. A file
 * is only left out if the database couldn't yet say whose session it was: that isn't the form's
 * fault, and a phone sends it again.
 */
export function refusedForm(context: RequestContext, fault: FormFault): Response {
	const message = WORDS[fault](TEXT_LIMIT / 1024);
	const [status, headers] = fault === "left-out" ? [503, { "Retry-After": "10" }] : [413, {}];
	if (context.rule.kind === "api") return apiRefusal(status, message, undefined, headers);
	if (context.rule.isFile)
		return renderPlainPage(status, "Request too large", message, context.requestId);
	return refusal({ kind: "bad-request", message, ...typedValues(context) }, status, headers);
}
