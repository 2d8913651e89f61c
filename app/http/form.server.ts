/**
 * Forms: allow-lists the posted fields and parses them with conform and the command's only schema.
 */
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
 * @param settled values that replace the form's, such as the person that a typed name was resolved
 * to
 * @throws a 400 refusal if a field is repeated
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
		// Empty means absent, as in JSON.
		if (typeof values[0] === "string" && values[0] !== "")
			known.append(name, truncateForSchema(values[0], mostIn(body, schema, name)));
	}
	// The schemas accept text and set their own defaults; conform's coercion would clear the default
	// of a required text.
	const submission = parseWithValibot(known, {
		schema: schema as never,
		disableAutoCoercion: true,
	}) as Submission<v.InferOutput<S>>;
	return {
		...submission,
		reply: (options) => truncateInitialValues(submission.reply(options), schema),
	};
}

/**
 * The maximum length that a schema allows a field.
 * @throws Error if the body would have been cut to less; the field then has to be listed in
 * routing/field-limits.ts
 */
function mostIn(body: RequestBody, schema: InputSchema, name: string): number {
	const most = maxLengthOf(schema, name);
	if (most > body.mostFor(name))
		throw new Error(`the field ${name} would be cut before its schema has seen it`);
	return most;
}

/** A refused form shows no more of a field than the field can hold. */
function truncateInitialValues(result: SubmissionResult, schema: InputSchema): SubmissionResult {
	const initialValue = Object.entries(result.initialValue ?? {}).map(([name, value]) => [
		name,
		typeof value === "string" ? truncate(value, maxLengthOf(schema, name)) : value,
	]);
	return {
		...result,
		...(result.initialValue ? { initialValue: Object.fromEntries(initialValue) } : {}),
	};
}

/** The messages of all fields and of the form as a whole, each once. */
export const messagesOf = ({
	error,
}: {
	readonly error?: SubmissionResult["error"] | null;
}): string[] => [...new Set(Object.values(error ?? {}).flatMap((messages) => messages ?? []))];

/** The first file under one of these names; a field without a chosen file has none. */
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

/** Whether a field is repeated or sent as a file, which makes its value ambiguous. */
export async function isAmbiguous(body: RequestBody, name: string): Promise<boolean> {
	const values = (await body.form()).getAll(name);
	return values.length > 1 || values.some((value) => typeof value !== "string");
}

/**
 * One text field of the form, such as the intent of a row's form; '' if it is absent or repeated.
 */
export async function textField(body: RequestBody, name: string): Promise<string> {
	const values = (await body.form()).getAll(name);
	return values.length === 1 && typeof values[0] === "string" ? values[0] : "";
}

/** When what a form was shown for was made, in UTC milliseconds; undefined without its field `seen`. */
export const seenMoment = async (body: RequestBody): Promise<number | undefined> =>
	Number(await textField(body, "seen")) || undefined;
