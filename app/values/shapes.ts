/** The values in the API's answers, for the answers' schemas. */
import * as v from "valibot";
import { ROW_ID } from "./row-id.ts";

export const id = v.pipe(v.string(), v.regex(ROW_ID));
/** ISO 8601 in UTC. */
export const moment = v.pipe(v.string(), v.isoTimestamp());
export const date = v.pipe(v.string(), v.isoDate());
/** A decimal with two places, possibly negative. */
export const amount = v.pipe(v.string(), v.regex(/^-?\d+\.\d{2}$/));
export const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
export const count = v.pipe(v.number(), v.integer());
/** A code such as `DRV-0001`, or null. */
export const driverCode = v.nullable(v.pipe(v.string(), v.regex(/^DRV-\d{4,}$/)));
export const person = v.strictObject({ firstName: v.string(), lastName: v.string() });

/** Every refusal of the API (docs/product.md, 'The JSON API'). */
export const errorShape = v.strictObject({
	message: v.pipe(v.string(), v.description("What is wrong, in a sentence for people.")),
	fields: v.optional(
		v.pipe(
			v.record(v.string(), v.array(v.string())),
			v.description("What is wrong with each field, by its name."),
		),
	),
	requests: v.optional(
		v.pipe(
			v.array(
				v.strictObject({
					id: v.string(),
					requestNumber: v.nullable(v.string()),
					reason: v.string(),
				}),
			),
			v.description("The fund requests that prevent it."),
		),
	),
	settlements: v.optional(
		v.pipe(
			v.array(
				v.strictObject({ id: v.string(), number: v.nullable(v.string()), reason: v.string() }),
			),
			v.description("The settlements that prevent it."),
		),
	),
	reason: v.optional(
		v.pipe(
			v.picklist(["nothing-to-amend", "file-later", "other-account"]),
			v.description("What a phone's outbox does about it."),
		),
	),
});
