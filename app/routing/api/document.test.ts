/** The API's document: every call has an entry, and every example is what its schema says. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../domain/webhooks/rules.ts";
import { API_CALLS, describeApi, EXAMPLE_DAY } from "./document.ts";
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
		properties: { type: { enum: ["gas", "maintenance", "other"] } },
	});
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
		if (body) {
			const typed = Object.entries(body.example).map(([name, value]) => [
				name,
				typeof value === "number" ? String(value) : value,
			]);
			const { issues } = v.safeParse(body.schema(EXAMPLE_DAY), Object.fromEntries(typed));
			expect(issues?.map(({ message }) => message)).toBeUndefined();
		}
		if (!("shape" in answer)) return;
		const shape = SHAPES[answer.shape];
		const { issues } = v.safeParse(answer.isList ? v.array(shape) : shape, answer.example);
		expect(issues?.map((issue) => [v.getDotPath(issue), issue.message])).toBeUndefined();
	});
});
