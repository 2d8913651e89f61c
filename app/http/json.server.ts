/**
 * The JSON API: bodies through the same schemas as the forms, and responses as in docs/product.md,
 * 'The JSON API'.
 */
import { json } from "@remix-run/cloudflare";
import * as v from "valibot";
import type { CalendarDate } from "../values/calendar-date.ts";
import { queryDate } from "../values/date-input.ts";
import {
	fieldNames,
	type InputSchema,
	isNumeral,
	maxLengthOf,
	truncateForSchema,
} from "../values/fields.ts";
import { MAX_NAME_LENGTH } from "./form-body.server.ts";
import { findRepeatedKey } from "./json-keys.ts";
import { apiRefusal } from "./refusal.ts";
import type { RequestBody } from "./request-body.ts";

/**
 * The body's known fields, checked by the command's schema.
 * @throws a 400 answer with `message` and `fields`
 */
export function parseJson<S extends InputSchema>(
	body: RequestBody,
	schema: S,
	more: Readonly<Record<string, string | undefined>> = {},
): v.InferOutput<S> {
	return checkFields(toFormFields({ ...bodyObject(body), ...more }, schema), schema);
}

/**
 * Likewise from a multipart body, such as one with a file.
 * @throws a 400 answer with `message` and `fields`
 */
export async function parseMultipart<S extends InputSchema>(
	body: RequestBody,
	schema: S,
	more: Readonly<Record<string, string | undefined>> = {},
): Promise<v.InferOutput<S>> {
	const form = await body.form();
	const sent: Record<string, unknown> = {};
	for (const name of fieldNames(schema)) {
		const values = form.getAll(name);
		if (values.length > 1)
			throw apiRefusal(400, `The field ${name} was sent twice`, { [name]: ["was sent twice"] });
		if (values.length === 1) sent[name] = values[0];
	}
	return checkFields(toFormFields({ ...sent, ...more }, schema), schema);
}

function checkFields<S extends InputSchema>(
	fields: Record<string, string>,
	schema: S,
): v.InferOutput<S> {
	const result = v.safeParse(schema, fields);
	if (result.success) return result.output as v.InferOutput<S>;
	const faults: Record<string, string[]> = {};
	for (const issue of result.issues) {
		const name = v.getDotPath(issue) ?? "";
		faults[name] = [...(faults[name] ?? []), issue.message];
	}
	throw apiRefusal(400, result.issues[0].message, faults);
}

/**
 * The body as it is, including lists, checked by a schema; unknown fields are left out.
 * @throws a 400 answer with `message` and `fields`
 */
export function parseJsonAs<S extends v.GenericSchema>(
	body: RequestBody,
	schema: S,
): v.InferOutput<S> {
	const given = Object.entries(bodyObject(body)).filter(([, value]) => value !== null);
	const result = v.safeParse(schema, Object.fromEntries(given));
	if (result.success) return result.output as v.InferOutput<S>;
	const [issue] = result.issues;
	const name = v.getDotPath(issue)?.split(".")[0];
	throw apiRefusal(400, issue.message, name ? { [name]: [issue.message] } : undefined);
}

function bodyObject(body: RequestBody): Record<string, unknown> {
	let text: string;
	let parsed: unknown;
	try {
		text = body.bodyText(true);
		parsed = JSON.parse(text);
	} catch {
		throw apiRefusal(400, "The body isn't valid JSON in UTF-8");
	}
	if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
		throw apiRefusal(400, "The body must be a JSON object");
	const twice = findRepeatedKey(text);
	if (twice !== undefined) {
		const name = twice.slice(0, MAX_NAME_LENGTH);
		throw apiRefusal(400, `The field ${name} was sent twice`, { [name]: ["was sent twice"] });
	}
	return parsed as Record<string, unknown>;
}

const refuseField = (name: string, fault: string) =>
	apiRefusal(400, `${name} ${fault}`, { [name]: [fault] });

/**
 * JSON may send a reading or an amount as a number and omit a field with null; internally both are
 * text or absent, as in a form.
 */
function toFormFields(body: Record<string, unknown>, schema: InputSchema): Record<string, string> {
	const fields: Record<string, string> = {};
	for (const name of fieldNames(schema)) {
		const value = Object.hasOwn(body, name) ? body[name] : undefined;
		if (value === undefined || value === null) continue;
		if (typeof value === "string")
			fields[name] = truncateForSchema(value, maxLengthOf(schema, name));
		else if (typeof value === "number" && isNumeral(schema, name)) {
			// Beyond this, JavaScript didn't read the number that was sent.
			if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
				throw refuseField(name, "must be text: a number with so many digits is rounded");
			fields[name] = String(value);
		} else
			throw refuseField(
				name,
				isNumeral(schema, name) ? "must be text or a number" : "must be text",
			);
	}
	return fields;
}

/**
 * The `Idempotency-Key` of a creation, if it has one.
 * @throws a 400 answer when it is malformed
 */
export function idempotencyKey(request: Request): string | undefined {
	const key = request.headers.get("Idempotency-Key");
	if (key === null || key === "") return undefined;
	const bare = key.replace(/^"(.*)"$/, "$1");
	if (!/^[\x21-\x7e]{1,255}$/.test(bare))
		throw apiRefusal(400, "The Idempotency-Key must be 1 to 255 visible characters");
	return bare;
}

/** 201 with the created entity; a replay is marked by a header. */
export function createdResponse(entity: object, isReplay = false): Response {
	return json(entity, {
		status: 201,
		...(isReplay ? { headers: { "Idempotency-Replayed": "true" } } : {}),
	});
}

/** 204, as for deletes. */
export function noContent(): Response {
	return new Response(null, { status: 204 });
}

/** The names of a list's first and last date in its URL. */
type RangeNames = readonly [from: string, to: string];
const DATES: RangeNames = ["startDate", "endDate"];

/**
 * The calendar dates of a request; either may be open. Nothing is refused here, because this runs
 * before the guard: an invalid date counts as open, and `checkRange` refuses it afterwards.
 */
export function parseDateRange(request: Request): {
	from: CalendarDate | undefined;
	to: CalendarDate | undefined;
} {
	const query = new URL(request.url).searchParams;
	return { from: queryDate(query.get(DATES[0])), to: queryDate(query.get(DATES[1])) };
}

/**
 * Checks the dates of a request once the guard has admitted the caller.
 * @throws a 400 answer for an invalid date, or a start after the end
 */
export function checkRange(request: Request, names = DATES): void {
	const query = new URL(request.url).searchParams;
	for (const name of names)
		if (query.get(name) && !queryDate(query.get(name)))
			throw apiRefusal(400, `${name} must be a date as YYYY-MM-DD`, {
				[name]: ["must be a date as YYYY-MM-DD"],
			});
	const [from, to] = names.map((name) => queryDate(query.get(name)));
	if (from && to && from > to)
		throw apiRefusal(400, `${names[0]} must be on or before ${names[1]}`, {
			[names[0]]: [`must be on or before ${names[1]}`],
		});
}
