/** What a schema allows its fields, as conform hands it on to a form's controls. */
import { getValibotConstraint } from "@conform-to/valibot";
import * as v from "valibot";
import type { InputSchema } from "../../values/fields.ts";

type Constraint = ReturnType<typeof getValibotConstraint>[string];

/**
 * The lengths that conform reads from the schema. Ours give an absent field a default before they
 * judge it, so that conform takes every field for an optional one: required is what is refused
 * when it is absent.
 */
export function constraintOf(schema: InputSchema): Record<string, Constraint> {
	const read = getValibotConstraint(schema);
	const fields = Object.entries(schema.entries).map(([name, entry]) => [
		name,
		{ ...read[name], required: !v.is(entry, undefined) },
	]);
	return Object.fromEntries(fields);
}
