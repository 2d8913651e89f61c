/** Forms: the posted fields, allow-listed, through conform and the command's one schema. */
import type { Submission, SubmissionResult } from "@conform-to/react";
import { parseWithValibot } from "@conform-to/valibot";
import type * as v from "valibot";
import {
	fieldNames,
	type InputSchema,
	maxLengthOf,
	truncate,
	truncateForSchema,
} from "../values/fields.ts";
import { refusal } from "./refusal.ts";
import type { RequestBody } from "./request-body.ts";

/**
 * The submitted form as conform reports it: `status` 'success' with the value, or a `reply()` that
 * keeps what was typed.
 * @param settled what stands for a field whatever the form says, such as the one person that a
 * typed name means
 * @throws a 400 refusal when a field is sent twice
 */
export async function parseForm<S extends InputSchema>(
	body: RequestBody,
	schema: S,
	settled: Readonly<Record<string, string>> = {},
): Promise<Submission<v.InferOutput<S>>> {
	const form = await body.form();
	const known = new FormData();
	for (const name of fieldNames(schema)) {
		const values = Object.hasOwn(settled, name) ? [settled[name]] : form.getAll(name);
		if (values.length > 1)
			throw refusal({ kind: "bad-request", message: `The field ${name} was sent twice.` }, 400);
		// What is empty is absent, as in JSON.
		if (typeof values[0] === "string" && values[0] !== "")
			known.append(name, truncateForSchema(values[0], mostIn(body, schema, name)));
	}
	// The schemas take text and give their own defaults; conform's coercion would empty the default
	// of a required text again.
	const submission = parseWithValibot(known, {
		schema: schema as never,
		disableAutoCoercion: true,
	}) as Submission<v.InferOutput<S>>;
	return { ...submission, reply: (options) => shortened(submission.reply(options), schema) };
}

/**
 * Characters that a schema allows its field.
 * @throws Error when the body would have been cut shorter than that: the schema then belongs into
 * routing/field-limits.ts
 */
function mostIn(body: RequestBody, schema: InputSchema, name: string): number {
	const most = maxLengthOf(schema, name);
	if (most > body.mostFor(name))
		throw new Error(`the field ${name} would be cut before its schema has seen it`);
	return most;
}

/** A refused form never shows more of a field than it can hold. */
function shortened(result: SubmissionResult, schema: InputSchema): SubmissionResult {
	const initialValue = Object.entries(result.initialValue ?? {}).map(([name, value]) => [
		name,
		typeof value === "string" ? truncate(value, maxLengthOf(schema, name)) : value,
	]);
	return {
		...result,
		...(result.initialValue ? { initialValue: Object.fromEntries(initialValue) } : {}),
	};
}

/** The first file under one of these names; a field in which nothing was chosen holds none. */
export async function uploadedFile(
	body: RequestBody,
	names: readonly string[],
): Promise<File | undefined> {
	const form = await body.form();
	for (const name of names) {
		for (const value of form.getAll(name)) {
			if (typeof value !== "string" && (value.size > 0 || value.name !== "")) return value;
		}
	}
	return undefined;
}

/** True when a field is repeated or sent as a file, so that its value is ambiguous. */
export async function isAmbiguous(body: RequestBody, name: string): Promise<boolean> {
	const values = (await body.form()).getAll(name);
	return values.length > 1 || values.some((value) => typeof value !== "string");
}

/** One text field of the form, such as the intent of a row's form; absent or repeated it is ''. */
export async function textField(body: RequestBody, name: string): Promise<string> {
	const values = (await body.form()).getAll(name);
	return values.length === 1 && typeof values[0] === "string" ? values[0] : "";
}
