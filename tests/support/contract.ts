/** Requests that an OpenAPI document describes, and whether the answers match it. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import type { Answer } from "./worker.ts";

type Schema = {
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly format?: string;
	readonly maxLength?: number;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly examples?: readonly Readonly<Record<string, unknown>>[];
};
type Content = Readonly<
	Record<string, { readonly schema?: Schema; readonly example?: Readonly<Record<string, unknown>> }>
>;
export type DescribedOperation = {
	readonly parameters?: readonly {
		readonly name: string;
		readonly in: "path" | "query" | "header";
		readonly schema: Schema;
	}[];
	readonly requestBody?: { readonly content: Content };
	readonly responses: Readonly<
		Record<
			string,
			{
				readonly content?: Content;
				readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
			}
		>
	>;
};
export type ApiDocument = {
	readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
};

/** A request; a field or parameter that is undefined is left out. */
export type Played = {
	readonly path: Readonly<Record<string, string>>;
	readonly query: Readonly<Record<string, string | undefined>>;
	readonly headers: Readonly<Record<string, string | undefined>>;
	/** Fields, or a body without any. */
	readonly body: unknown;
};

/** Values of no known meaning, which every field must handle. */
const ODD: readonly unknown[] = [
	...[null, true, -1, 0, 1e21, "", " ", "\u0000", "💸".repeat(40), "0x10", "1e3", [], {}, ["a"]],
	...["'; drop table users; --", "2026-02-30", "9999-12-31", "../../etc/passwd"],
];
const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Other characters would make another path. */
const toSegment = (value: unknown) => String(value ?? "").replaceAll(/[^\w-]/g, "") || "none";

/** What a schema accepts, and what is just inside and outside its limits. */
function valuesOf(schema: Schema, ids: readonly string[], days: readonly string[]): unknown[] {
	const { format, maxLength, minimum, maximum } = schema;
	if (schema.enum) return [...schema.enum];
	if (format === "uuid") return [...ids, "00000000-0000-4000-8000-00000000ffff"];
	if (format === "date") return [...days];
	if (format === "date-time") return ["1970-01-01T00:00:00Z", "2126-01-01T00:00:00.000Z"];
	const types = [schema.type ?? []].flat();
	const numbers = [minimum, maximum, 0.01, 1, 12.5, 40, 1_000_000, minimum && minimum - 1].filter(
		(each) => each !== undefined,
	);
	return [
		...(types.includes("integer") ? numbers.filter(Number.isInteger) : []),
		...(types.includes("number") ? numbers : []),
		...(types.includes("string") ? ["Words", "12.50", "+4 %2B ä"] : []),
		...(maxLength === undefined ? [] : ["x".repeat(maxLength), "x".repeat(maxLength + 1)]),
		...(types.includes("boolean") ? [true, false] : []),
		...(types.includes("array") ? [[], [...ids]] : []),
	];
}

/**
 * Requests of an operation: mostly like its example, with some fields at their limits, beyond them or
 * absent.
 * @param type of the body
 * @param ids of rows that exist
 * @param days some dates near today
 * @param typical what a field usually is in this fleet, if the example's value isn't of it
 */
export function requestsOf(
	{ parameters = [], requestBody }: DescribedOperation,
	type: string,
	ids: readonly string[],
	days: readonly string[],
	typical: (name: string) => readonly unknown[] | undefined,
): fc.Arbitrary<Played> {
	const odd = fc.constantFrom(...ODD);
	const some = (schema: Schema): fc.Arbitrary<unknown> => {
		const values = valuesOf(schema, ids, days);
		return values.length > 0 ? fc.constantFrom(...values) : odd;
	};
	/** @param usual what it mostly is; undefined if it is mostly absent */
	const oneOf = (schema: Schema, usual: fc.Arbitrary<unknown> | undefined) =>
		fc.oneof(
			{ weight: 20, arbitrary: usual ?? fc.constant(undefined) },
			{ weight: 3, arbitrary: some(schema) },
			{ weight: 1, arbitrary: odd },
			{ weight: 1, arbitrary: fc.constant(undefined) },
		);
	const given = (place: string) =>
		fc.record(
			Object.fromEntries(
				parameters
					.filter((each) => each.in === place)
					.map(({ name, schema }) => [
						name,
						oneOf(
							schema,
							place === "path" ? fc.constantFrom(...(typical(name) ?? ids)) : undefined,
						).map((value) =>
							place === "path" ? toSegment(value) : value === undefined ? value : asText(value),
						),
					]),
			),
		) as fc.Arbitrary<Record<string, string>>;
	const { schema: { properties = {}, required = [] } = {}, example = {} } =
		requestBody?.content[type] ?? {};
	const usual = (name: string) => {
		if (!(name in example) && !required.includes(name)) return undefined;
		return fc.constantFrom(...(typical(name) ?? [example[name]]));
	};
	const body = fc.record(
		Object.fromEntries(
			Object.entries(properties).map(([name, schema]) => [name, oneOf(schema, usual(name))]),
		),
	);
	return fc.record({
		path: given("path"),
		query: given("query"),
		headers: given("header"),
		body: requestBody
			? fc.oneof({ weight: 12, arbitrary: body }, { weight: 1, arbitrary: odd })
			: fc.constant(undefined),
	});
}

/** Compares answers with a document. */
export class Contract {
	readonly #ajv = new Ajv2020({ strict: false });
	readonly #known = new Map<string, ValidateFunction>();

	constructor(private readonly document: ApiDocument) {
		addFormats.default(this.#ajv);
		this.#ajv.addSchema({ $id: "document", ...document });
	}

	/** The part of an answer that the document doesn't describe; undefined if there is none. */
	fault(path: string, method: string, { status, headers, text }: Answer): string | undefined {
		const answer = this.document.paths[path]?.[method]?.responses[status];
		if (!answer) return `status ${status}: ${text.slice(0, 200)}`;
		for (const [name, { required }] of Object.entries(answer.headers ?? {}))
			if (required && !headers.has(name)) return `${status} without ${name}`;
		const type = headers.get("Content-Type")?.split(";")[0] ?? "";
		if (!answer.content) return text === "" ? undefined : `a body with ${status}`;
		if (!(type in answer.content)) return `${type} with ${status}`;
		if (!answer.content[type]?.schema) return undefined;
		const place = ["paths", path, method, "responses", status, "content", type, "schema"]
			.map((part) => encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1")))
			.join("/");
		const validate = this.#known.get(place) ?? this.#ajv.compile({ $ref: `document#/${place}` });
		this.#known.set(place, validate);
		return validate(JSON.parse(text))
			? undefined
			: `${status}: ${this.#ajv.errorsText(validate.errors)}`;
	}
}
