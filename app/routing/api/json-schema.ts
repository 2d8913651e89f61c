/** Valibot schemas as JSON Schema, for the document that describes the API. */
import type * as v from "valibot";
import { ROW_ID } from "../../values/row-id.ts";

export type JsonSchema = { readonly [name: string]: unknown };
/** The parts of a schema of any kind. */
type Part = {
	readonly kind?: string;
	readonly type?: string;
	readonly pipe?: readonly Part[];
	readonly wrapped?: Part;
	readonly entries?: Readonly<Record<string, Part>>;
	readonly item?: Part;
	readonly value?: Part;
	readonly options?: readonly unknown[];
	readonly literal?: unknown;
	readonly requirement?: unknown;
	readonly description?: string;
	readonly metadata?: Readonly<Record<string, unknown>>;
};

/** What a schema accepts. What only code can check is left out. */
export const toJsonSchema = (schema: v.GenericSchema): JsonSchema => convert(schema as Part);

function convert(part: Part): JsonSchema {
	const steps = part.pipe?.filter((step) => step !== part) ?? [];
	return Object.assign({}, baseOf(part), ...steps.map(refine));
}

function baseOf(part: Part): JsonSchema {
	switch (part.type) {
		case "string":
		case "number":
		case "boolean":
			return { type: part.type };
		case "picklist":
			return { type: "string", enum: part.options?.filter((option) => option !== "") };
		case "literal":
			return { const: part.literal };
		case "optional":
			return convert(part.wrapped ?? {});
		case "nullable": {
			const { description, ...inner } = convert(part.wrapped ?? {});
			const value =
				typeof inner.type === "string" && !inner.enum
					? { ...inner, type: [inner.type, "null"] }
					: { anyOf: [inner, { type: "null" }] };
			return description ? { ...value, description } : value;
		}
		case "array":
			return { type: "array", items: convert(part.item ?? {}) };
		case "record":
			return { type: "object", additionalProperties: convert(part.value ?? {}) };
		case "object":
		case "strict_object": {
			const entries = Object.entries(part.entries ?? {});
			return {
				type: "object",
				properties: Object.fromEntries(entries.map(([name, entry]) => [name, convert(entry)])),
				required: entries.flatMap(([name, entry]) => (isOptional(entry) ? [] : [name])),
			};
		}
		default:
			return {};
	}
}

const isOptional = (part: Part) => part.type === "optional";

/** Whether it checks what code made of the value, not the value itself. */
const isOfOutput = ({ type, wrapped }: Part): boolean =>
	type === "number" || type === "custom" || (type === "optional" && isOfOutput(wrapped ?? {}));

/** What a step of a pipe adds: a limit, a format, a description. */
function refine(step: Part): JsonSchema {
	if (step.kind === "schema") return isOfOutput(step) ? {} : convert(step);
	switch (step.type) {
		case "max_length":
			return { maxLength: step.requirement };
		case "integer":
			return { type: "integer" };
		case "iso_date":
			return { format: "date" };
		case "iso_timestamp":
			return { format: "date-time" };
		case "regex":
			return step.requirement === ROW_ID
				? { format: "uuid" }
				: { pattern: (step.requirement as RegExp).source };
		case "description":
			return { description: step.description };
		case "metadata":
			return step.metadata?.isNumeral ? { type: ["string", "number"] } : { ...step.metadata };
		default:
			return {};
	}
}

/**
 * The fields of a body. A field is required if the schema refuses a valid body without it, however
 * it treats absent fields otherwise.
 * @param bodies valid ones, each with what it requires
 */
export function toBodySchema(
	schema: v.GenericSchema,
	bodies: readonly object[],
	isValid: (body: object) => boolean,
): JsonSchema {
	const whole = convert(schema as Part) as { properties?: Readonly<Record<string, JsonSchema>> };
	const { key: _, confirm: __, ...properties } = whole.properties ?? {};
	const required = Object.keys(properties).filter((name) =>
		bodies.every(
			(body) =>
				name in body &&
				!isValid(Object.fromEntries(Object.entries(body).filter(([each]) => each !== name))),
		),
	);
	return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}
