/** The OpenAPI document, made from the route table and the schemas that the code uses. */
import * as v from "valibot";
import { type CalendarDate, parseCalendarDate } from "../../values/calendar-date.ts";
import { errorShape } from "../../values/shapes.ts";
import { type Method, ROUTES, type RouteRule } from "../routes.ts";
import { audienceOf } from "./audience.ts";
import { ERROR } from "./examples.ts";
import { type JsonSchema, toBodySchema, toJsonSchema } from "./json-schema.ts";
import { listOf } from "./lists.ts";
import { type Body, GROUPS, type Operation, SHAPES, type Shown } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { STATUS_HEADERS, STATUSES } from "./statuses.ts";
import { describeWebhooks, WEBHOOKS_GROUP } from "./webhook-events.ts";

/** The date on which the examples of bodies are valid. */
export const EXAMPLE_DAY: CalendarDate = parseCalendarDate("2026-11-21");

/** The statuses of a call's refusals. */
function refusalsOf(rule: RouteRule, method: Method, operation: Operation): number[] {
	const isWrite = method !== "GET";
	const isList = listOf(rule.path) !== undefined && !isWrite;
	const { statuses, scopes, isOpen } = audienceOf(rule, method);
	return [
		...statuses,
		...(scopes.length > 0 && !isOpen ? [429] : []),
		...(isWrite ? [400, 403, 413, 415] : []),
		...(operation.query || isList || rule.path.includes(":") ? [400] : []),
		...(isList ? [304, 429] : []),
		...(rule.limits || rule.isSigned ? [429] : []),
		...(operation.isOnce ? [422] : []),
		...Object.keys(operation.refusals ?? {}).map(Number),
		...[414, 500, 503],
	];
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemaOf = ({ shape, isList }: Shown) =>
	isList ? { type: "array", items: ref(shape) } : ref(shape);

function answersOf(rule: RouteRule, method: Method, operation: Operation) {
	const { answer, also = [] } = operation;
	const content =
		"shape" in answer
			? {
					"application/json": {
						schema: schemaOf(answer),
						example: answer.example,
					},
				}
			: "mediaTypes" in answer
				? Object.fromEntries(answer.mediaTypes.map((type) => [type, {}]))
				: undefined;
	const headers =
		listOf(rule.path) && method === "GET"
			? { headers: LIST_HEADERS }
			: operation.isOnce
				? { headers: ONCE_HEADERS }
				: {};
	const done = {
		[answer.status]: {
			description: answer.status === 204 ? "Done." : answer.status === 201 ? "Created." : "OK.",
			...(content ? { content } : {}),
			...headers,
		},
		...Object.fromEntries(
			also.map(({ status, text, orError, ...shown }) => {
				const schema = orError ? { anyOf: [schemaOf(shown), ref("Error")] } : schemaOf(shown);
				return [status, { description: text, content: { "application/json": { schema } } }];
			}),
		),
	};
	const refused = [...new Set(refusalsOf(rule, method, operation))].sort();
	return {
		...done,
		...Object.fromEntries(
			refused
				.filter((status) => !(status in done))
				.map((status) => [
					status,
					{
						description: operation.refusals?.[status] ?? STATUSES[status] ?? "",
						...(status in STATUS_HEADERS ? { headers: STATUS_HEADERS[status] } : {}),
						...(status === 304 ? headers : {}),
						...(status === 304
							? {}
							: { content: { "application/json": { schema: ref("Error") } } }),
					},
				]),
		),
	};
}

const LIST_HEADERS = {
	Link: {
		description: 'The next page: <…>; rel="next". Absent on the last one.',
		schema: { type: "string" },
	},
	ETag: {
		description: "For If-None-Match. An answer that is longer than a page of 2,500 rows has none.",
		schema: { type: "string" },
	},
};

const ONCE_HEADERS = {
	"Idempotency-Replayed": {
		description: "true, if it is the first result of the same Idempotency-Key again.",
		schema: { type: "string" },
	},
};

const parameter = (
	name: string,
	schema: JsonSchema,
	description: string,
	place: "query" | "header" | "path" = "query",
) => ({ name, in: place, required: place === "path", description, schema });

function parametersOf(rule: RouteRule, method: Method, operation: Operation) {
	const list = method === "GET" ? listOf(rule.path) : undefined;
	const query = Object.entries(operation.query ?? {});
	return [
		...[...rule.path.matchAll(/:(\w+)/g)].map(([, name = ""]) =>
			parameter(name, { type: "string", format: "uuid" }, "The row's id.", "path"),
		),
		...query.map(([name, [schema, text]]) => parameter(name, toJsonSchema(schema), text)),
		...(list
			? [
					parameter(
						"limit",
						{ type: "integer", minimum: 1, maximum: 500 },
						"How many rows; without it, all of them.",
					),
					parameter("cursor", { type: "string" }, "Continues a list, as its Link header says."),
					parameter("If-None-Match", { type: "string" }, "An ETag of an earlier answer.", "header"),
				]
			: []),
		...(list?.hasChanges
			? [
					parameter(
						"updatedSince",
						{ type: "string", format: "date-time" },
						"Only what has changed since, in that order; deleted and voided rows too. Names that other rows have of an administrator don't count as their changes. A page may be empty and have a next one.",
					),
				]
			: []),
		...(operation.isOnce
			? [
					parameter(
						"Idempotency-Key",
						{ type: "string", maxLength: 255 },
						"The same key with the same values answers the first result again, with Idempotency-Replayed.",
						"header",
					),
				]
			: []),
	];
}

/** Whether a call accepts a body. */
const isValid = ({ schema }: Body) => {
	const parsed = schema(EXAMPLE_DAY);
	return (body: object) =>
		v.is(
			parsed,
			Object.fromEntries(
				Object.entries(body).map(([name, value]) => [
					name,
					typeof value === "number" ? String(value) : value,
				]),
			),
		);
};

function bodyOf(rule: RouteRule, body: Body) {
	const { others = [] } = body;
	const bodies = [body.example, ...others];
	const fields = toBodySchema(body.schema(EXAMPLE_DAY), bodies, isValid(body));
	const isOutbox = rule.path.startsWith("/api/outbox/");
	const file = body.file ? { [body.file]: { type: "string", format: "binary" } } : {};
	const properties = {
		...(body.isAlsoJson ? {} : file),
		...(fields.properties as object),
		...(isOutbox ? { key: { type: "string" }, asUser: { type: "string", format: "uuid" } } : {}),
	};
	const required = [
		...((fields.required as string[] | undefined) ?? []),
		...(isOutbox ? ["key", "asUser"] : []),
		...(body.file && body.needsFile ? [body.file] : []),
	];
	const schema = {
		...fields,
		properties,
		...(required.length > 0 ? { required } : {}),
		...(others.length > 0 ? { examples: others } : {}),
	};
	const { example, jsonExample } = body;
	const form = { ...schema, properties: { ...file, ...properties } };
	const json = jsonExample
		? { schema: { ...schema, required: Object.keys(jsonExample) }, example: jsonExample }
		: { schema, example };
	const isForm = body.file !== undefined || body.isForm;
	const content = {
		...(!isForm || body.isAlsoJson ? { "application/json": json } : {}),
		...(isForm ? { "multipart/form-data": { schema: form, example } } : {}),
	};
	return { required: true, content };
}

function operationOf(rule: RouteRule, method: Method, operation: Operation) {
	const { who, isOpen, scopes } = audienceOf(rule, method);
	const parameters = parametersOf(rule, method, operation);
	return {
		operationId: `${method.toLowerCase()}${rule.path.replace(/^\/(api\/)?/, "/").replace(/[/:.-]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
		tags: [operation.group],
		summary: operation.summary,
		description: [
			`${who}.`,
			isOpen ? "" : scopes.length > 0 ? `Tokens: ${scopes.join(", ")}.` : "No tokens.",
			operation.note,
		]
			.filter(Boolean)
			.join(" "),
		...(parameters.length > 0 ? { parameters } : {}),
		...(operation.body ? { requestBody: bodyOf(rule, operation.body) } : {}),
		responses: answersOf(rule, method, operation),
		...(isOpen ? { security: [] } : scopes.length > 0 ? {} : { security: [{ session: [] }] }),
	};
}

/** The document's lines of the route table. */
const API_ROUTES = ROUTES.filter(({ kind }) => kind === "api");

/** Calls of the route table, as the operations name them. */
export const API_CALLS = API_ROUTES.flatMap(({ path, methods }) =>
	Object.keys(methods).map((method) => `${method} ${path}`),
);

/** @param title the product's name */
export function describeApi(title: string, server: string) {
	const paths = Object.fromEntries(
		API_ROUTES.map((rule) => [
			rule.path.replace(/:(\w+)/g, "{$1}"),
			Object.fromEntries(
				Object.keys(rule.methods).flatMap((method) => {
					const operation = OPERATIONS[`${method} ${rule.path}`];
					return operation
						? [[method.toLowerCase(), operationOf(rule, method as Method, operation)]]
						: [];
				}),
			),
		]),
	);
	return {
		openapi: "3.1.0",
		info: {
			title: `${title} API`,
			version: "1",
			description:
				"Bodies are JSON, and in a body amounts, readings and reference numbers may be numbers or text; beyond 9007199254740991 they must be text. A length is in UTF-16 units, as browsers count. Amounts in answers are decimal strings, dates YYYY-MM-DD, moments ISO 8601 in UTC. Fields may be added to answers. A method that a path doesn't have is answered 405 with Allow. To keep a copy, read a list whole, note the moment before you began, and from then on ask with updatedSince for what has changed since a minute before you last asked.",
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: [{ url: server }],
		tags: [...GROUPS, WEBHOOKS_GROUP].map((name) => ({ name })),
		security: [{ session: [] }, { token: [] }],
		paths,
		webhooks: describeWebhooks(),
		components: {
			securitySchemes: {
				token: {
					type: "http",
					scheme: "bearer",
					description: "An administrator's token from /settings/tokens. It needs no Origin.",
				},
				session: {
					type: "apiKey",
					in: "cookie",
					name: server.startsWith("https:") ? "__Host-sid" : "sid",
					description:
						"Signing in at /api/login sets it. A change needs the Origin of this server.",
				},
			},
			schemas: {
				...Object.fromEntries(
					Object.entries(SHAPES).map(([name, shape]) => [name, toJsonSchema(shape)]),
				),
				Error: { ...toJsonSchema(errorShape), examples: [ERROR] },
			},
		},
	};
}
