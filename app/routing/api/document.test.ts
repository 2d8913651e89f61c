/** The API's document: every call has an entry, and every example matches its schema. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../domain/webhooks/rules.ts";
import { API_CALLS, describeApi, EXAMPLE_DAY } from "./document.ts";
import type { JsonSchema } from "./json-schema.ts";
import { SHAPES } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";

const document = describeApi("Milepost", "https://fleet.example");

it("has every call of the route table, and no other", () => {
	expect(Object.keys(OPERATIONS).sort()).toEqual([...API_CALLS].sort());
	const ids = Object.values(document.paths).flatMap((methods) =>
		Object.values(methods as Record<string, { operationId: string }>).map(
			({ operationId }) => operationId,
		),
	);
	expect(ids).toHaveLength(API_CALLS.length);
	expect(new Set(ids).size).toBe(ids.length);
});

it("says what is required, limited and chosen as the schemas do", () => {
	const body = (path: string, method: string) =>
		(
			document.paths as never as Record<
				string,
				Record<string, { requestBody: { content: Record<string, { schema: object }> } }>
			>
		)[path]?.[method]?.requestBody.content["application/json"]?.schema;
	expect(body("/api/mileage", "post")).toMatchObject({
		required: ["startOdometer", "endOdometer", "date"],
		properties: {
			startOdometer: { type: ["string", "number"] },
			notes: { type: "string", maxLength: 1000 },
			correctsId: { type: "string", format: "uuid" },
		},
	});
	expect(body("/api/fund-requests", "post")).toMatchObject({
		required: ["type", "amount", "description"],
		properties: { type: { type: "string", enum: ["gas", "maintenance", "other"] } },
	});
	expect(body("/api/mileage", "post")).toMatchObject({
		properties: { personalMiles: { type: ["string", "number"] } },
	});
});

it("requires of a body only what every valid one has", () => {
	const required = (path: string, method: string, type = "application/json") => {
		const { requestBody } = (
			document.paths as never as Record<
				string,
				Record<string, { requestBody: { content: Record<string, { schema: JsonSchema }> } }>
			>
		)[path]?.[method] ?? { requestBody: { content: {} } };
		return requestBody.content[type]?.schema.required;
	};
	expect(required("/api/payouts", "post")).toBeUndefined();
	expect(required("/api/payouts/{id}", "put")).toEqual(["status"]);
	expect(required("/api/reports/generate", "post")).toEqual(["type", "format"]);
	expect(required("/api/receipts", "post", "multipart/form-data")).toEqual(["receipt"]);
	expect(required("/api/statements", "post", "multipart/form-data")).toBeUndefined();
});

it("has no status that a call can't answer", () => {
	const statuses = (path: string, method: string) =>
		Object.keys(
			(document.paths as Record<string, Record<string, { responses: object }>>)[path]?.[method]
				?.responses ?? {},
		);
	// One too many per day is 429.
	expect(statuses("/api/receipts", "post")).not.toContain("409");
	// Public calls aren't counted, unless they say so.
	expect(statuses("/healthz", "get")).toEqual(["200", "414", "500", "503"]);
	expect(statuses("/api/openapi.json", "get")).not.toContain("429");
	expect(statuses("/api/csp-reports", "post")).toContain("429");
});

it("has an entry for each event of webhooks, with an example that its schema accepts", () => {
	expect(Object.keys(document.webhooks)).toEqual(EVENT_NAMES);
	for (const { post } of Object.values(document.webhooks)) {
		const { example, schema } = post.requestBody.content["application/json"];
		expect(schema).toEqual({ $ref: "#/components/schemas/Event" });
		expect(v.safeParse(SHAPES.Event, example).issues).toBeUndefined();
	}
});

describe.each(Object.entries(OPERATIONS))("%s", (_, { body, answer }) => {
	it("has examples that its schemas accept", () => {
		for (const one of body ? [body.example, ...(body.others ?? [])] : []) {
			const typed = Object.entries(one).map(([name, value]) => [
				name,
				typeof value === "number" ? String(value) : value,
			]);
			const { issues } = v.safeParse(
				body?.schema(EXAMPLE_DAY) ?? v.never(),
				Object.fromEntries(typed),
			);
			expect(issues?.map(({ message }) => message)).toBeUndefined();
		}
		if (!("shape" in answer)) return;
		const shape = SHAPES[answer.shape];
		const { issues } = v.safeParse(answer.isList ? v.array(shape) : shape, answer.example);
		expect(issues?.map((issue) => [v.getDotPath(issue), issue.message])).toBeUndefined();
	});
});
