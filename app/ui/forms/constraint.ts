/** A schema's constraints, as conform passes them to a form's controls. */
import { getValibotConstraint } from "@conform-to/valibot";
import * as v from "valibot";
import type { InputSchema } from "../../values/fields.ts";

type Constraint = ReturnType<typeof getValibotConstraint>[string];

/** By schema; determining them takes as long as rendering the form. */
const known = new WeakMap<InputSchema, Record<string, Constraint>>();

/** What a schema allows, determined once per schema, which should be a constant. */
export function constraintOf(schema: InputSchema): Record<string, Constraint> {
	const found = known.get(schema) ?? readConstraint(schema);
	known.set(schema, found);
	return found;
}

/**
 * The lengths that conform reads from the schema. Our schemas give an absent field a default before
 * they check it, so conform considers every field optional; a field is required if refused when
 * absent.
 */
function readConstraint(schema: InputSchema): Record<string, Constraint> {
	const read = getValibotConstraint(schema);
	const fields = Object.entries(schema.entries).map(([name, entry]) => [
		name,
		{ ...read[name], required: !v.is(entry, undefined) },
	]);
	return Object.fromEntries(fields);
}
