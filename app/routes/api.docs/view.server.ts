/** What the page about the API shows: the document, call by call. */
import { describeApi } from "../../routing/api/document.ts";
import type { JsonSchema } from "../../routing/api/json-schema.ts";

export type ShownField = {
	readonly name: string;
	readonly kind: string;
	readonly isRequired: boolean;
	readonly text: string;
};
export type ShownCall = {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	readonly summary: string;
	readonly about: string;
	readonly parameters: readonly ShownField[];
	/** What it takes, by the type of its body. */
	readonly bodies: readonly {
		readonly type: string;
		readonly fields: readonly ShownField[];
		readonly example: string;
	}[];
	readonly statuses: readonly { readonly status: string; readonly text: string }[];
	readonly answerExample: string;
};

type Content = Readonly<Record<string, { schema?: JsonSchema; example?: unknown }>>;
type Described = {
	readonly operationId: string;
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description: string;
	readonly parameters?: readonly {
		name: string;
		in: string;
		required: boolean;
		description: string;
		schema: JsonSchema;
	}[];
	readonly requestBody?: { readonly content: Content };
	readonly responses: Readonly<Record<string, { description: string; content?: Content }>>;
};

/** What a value is, in a few words. */
function kindOf(schema: JsonSchema): string {
	if (Array.isArray(schema.enum)) return schema.enum.join(", ");
	const { anyOf, type, format, items } = schema;
	if (Array.isArray(anyOf)) return anyOf.map((each) => kindOf(each as JsonSchema)).join(" or ");
	if (type === "array") return `list of ${kindOf((items ?? {}) as JsonSchema)}`;
	const name = Array.isArray(type) ? type.join(" or ") : String(type ?? schema.const ?? "any");
	return format ? `${name} (${format})` : name;
}

const example = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, null, 2));

function fieldsOf(schema: JsonSchema): ShownField[] {
	const required = (schema.required ?? []) as readonly string[];
	const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
	return Object.entries(properties).map(([name, field]) => ({
		name,
		kind: kindOf(field),
		isRequired: required.includes(name),
		text: String(field.description ?? ""),
	}));
}

function toCall(method: string, path: string, call: Described): ShownCall {
	const [answer] = Object.values(call.responses).flatMap(({ content }) =>
		Object.values(content ?? {}).flatMap((each) =>
			each.example === undefined ? [] : [each.example],
		),
	);
	return {
		id: call.operationId,
		method: method.toUpperCase(),
		path,
		summary: call.summary,
		about: call.description,
		parameters: (call.parameters ?? []).map(
			({ name, description, schema, required: isRequired }) => ({
				name,
				kind: kindOf(schema),
				isRequired,
				text: description,
			}),
		),
		bodies: Object.entries(call.requestBody?.content ?? {}).map(([type, body]) => ({
			type,
			fields: fieldsOf(body.schema ?? {}),
			example: example(body.example),
		})),
		statuses: Object.entries(call.responses).map(([status, { description }]) => ({
			status,
			text: description,
		})),
		answerExample: example(answer),
	};
}

/** The page's view. */
export function apiDocs(title: string, server: string) {
	const { info, tags, paths, webhooks } = describeApi(title, server);
	const calls = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
		Object.entries(methods as Readonly<Record<string, Described>>).map(([method, call]) => ({
			group: call.tags[0],
			call: toCall(method, path, call),
		})),
	);
	return {
		title: info.title,
		about: info.description,
		groups: tags.map(({ name }) => ({
			name,
			calls: calls.flatMap(({ group, call }) => (group === name ? [call] : [])),
		})),
	};
}
export type ApiDocsView = ReturnType<typeof apiDocs>;
