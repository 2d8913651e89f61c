/** Forms: the posted fields, allow-listed, through conform and the command's one schema. */
import type { Submission, SubmissionResult } from "@conform-to/react";
import { parseWithValibot } from "@conform-to/valibot";
import type * as v from "valibot";
import { refusal } from "../auth/refusal.ts";
import { cut, type InputSchema, namesOf, within } from "../values/fields.ts";
import type { RequestContext } from "./context.server.ts";
import { mostIn } from "./field-limits.server.ts";

/**
 * The submitted form as conform reports it: `status` 'success' with the value, or a `reply()` that keeps what was typed.
 * @param settled what stands for a field whatever the form says, such as the one person that a typed name means
 * @throws a 400 refusal when a field is sent twice
 */
export async function submitted<S extends InputSchema>(
	context: RequestContext,
	schema: S,
	settled: Readonly<Record<string, string>> = {},
): Promise<Submission<v.InferOutput<S>>> {
	const form = await context.form();
	const known = new FormData();
	for (const name of namesOf(schema)) {
		const values = Object.hasOwn(settled, name) ? [settled[name]] : form.getAll(name);
		if (values.length > 1) throw refusal({ kind: "bad-request", message: `The field ${name} was sent twice.` }, 400);
		// What is empty is absent, as in JSON.
		if (typeof values[0] === "string" && values[0] !== "") known.append(name, within(values[0], mostIn(schema, name)));
	}
	// The schemas take text and give their own defaults; conform's coercion would empty the default of a required text again.
	const submission = parseWithValibot(known, { schema: schema as never, disableAutoCoercion: true }) as Submission<v.InferOutput<S>>;
	return { ...submission, reply: (options) => shortened(submission.reply(options), schema) };
}

/** A refused form never shows more of a field than it can hold. */
function shortened(result: SubmissionResult, schema: InputSchema): SubmissionResult {
	const initialValue = Object.entries(result.initialValue ?? {}).map(([name, value]) => [
		name,
		typeof value === "string" ? cut(value, mostIn(schema, name)) : value,
	]);
	return { ...result, ...(result.initialValue ? { initialValue: Object.fromEntries(initialValue) } : {}) };
}

/** True when a field is there more than once, or as a file: which of its values counts, nobody could say. */
export async function isAmbiguous(context: RequestContext, name: string): Promise<boolean> {
	const values = (await context.form()).getAll(name);
	return values.length > 1 || values.some((value) => typeof value !== "string");
}

/** One text field of the form, such as the intent of a row's form; absent or repeated it is ''. */
export async function fieldOf(context: RequestContext, name: string): Promise<string> {
	const values = (await context.form()).getAll(name);
	return values.length === 1 && typeof values[0] === "string" ? values[0] : "";
}
