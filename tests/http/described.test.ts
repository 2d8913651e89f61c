/** The API's document is served to everyone, and what the API really answers is what it says. */

import * as v from "valibot";
import { expect, it } from "vitest";
import { EVENT_NAMES } from "../../app/domain/webhooks/rules.ts";
import { SHAPES, type ShapeName } from "../../app/routing/api/operation.ts";
import { OPERATIONS } from "../../app/routing/api/operations.ts";
import { errorShape } from "../../app/values/shapes.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();

type Document = {
	readonly openapi: string;
	readonly webhooks: object;
	readonly paths: Readonly<
		Record<string, Readonly<Record<string, { responses: Readonly<Record<string, unknown>> }>>>
	>;
};

it("is served to everyone, as a document and as a page without a script", async () => {
	const visitor = fleet.client();
	const answer = await visitor.call("GET", "/api/openapi.json");
	expect(answer.status).toBe(200);
	const document = JSON.parse(answer.text) as Document;
	expect(document.openapi).toBe("3.1.0");
	const refs = [...answer.text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
		([, name]) => name,
	);
	for (const name of refs) expect(answer.text).toContain(`"${name}":{`);
	const page = await visitor.get("/api/docs");
	expect(page.status).toBe(200);
	const text = page.text.replaceAll("<!-- -->", "");
	for (const [call, { summary }] of Object.entries(OPERATIONS)) {
		const [method = "", path = ""] = call.split(" ");
		const isNamed = text.includes(`${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
		expect(isNamed, call).toBe(true);
		expect(text.includes(summary.replaceAll("'", "&#x27;")), summary).toBe(true);
	}
	// Each way to send a body, such as a statement with its file and by its id.
	for (const type of ["application/json", "multipart/form-data"])
		expect(text.match(new RegExp(`Body, ${type}`, "g"))).toHaveLength(
			answer.text.split(`"${type}":{"schema":{"type":"object"`).length - 1,
		);
	expect(Object.keys(document.webhooks)).toEqual(EVENT_NAMES);
	for (const event of EVENT_NAMES) expect(text).toContain(`POST ${event}`);
});

it("says what every call answers, success and refusal alike", async () => {
	const document = JSON.parse(
		(await fleet.client().call("GET", "/api/openapi.json")).text,
	) as Document;
	const [ada, dana] = [await fleet.as("ada"), await fleet.as("dana")];
	const visitor = fleet.client();
	const checked = new Set<string>();
	/** Makes a call, and compares its answer with the document and the shape. */
	const call = async (client: typeof ada, name: string, body?: object, id = "") => {
		const [method = "", template = ""] = name.split(" ");
		const query = template.includes("?") ? `?${template.split("?")[1]}` : "";
		const path = template.split("?")[0] ?? "";
		const answer = await client.call(method, path.replace(":id", id) + query, body);
		const described = document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
		expect(
			Object.keys(described?.responses ?? {}),
			`${name} ${answer.text.slice(0, 200)}`,
		).toContain(String(answer.status));
		const operation = OPERATIONS[`${method} ${path}`] ?? expect.unreachable(name);
		if (answer.status >= 400) {
			const { issues } = v.safeParse(errorShape, JSON.parse(answer.text));
			expect(issues, name).toBeUndefined();
			return { id: "" };
		}
		checked.add(`${method} ${path}`);
		if (answer.text === "" || !("shape" in operation.answer)) return { id: "" };
		const shape: v.GenericSchema = SHAPES[operation.answer.shape as ShapeName];
		const found: unknown = JSON.parse(answer.text);
		const { issues } = v.safeParse(operation.answer.isList ? v.array(shape) : shape, found);
		expect(
			issues?.map((issue) => [v.getDotPath(issue), issue.message]),
			name,
		).toBeUndefined();
		return found as { readonly id: string };
	};

	const trip = { date: daysAgo(0), startOdometer: 700_000, endOdometer: 700_012 };
	await call(dana, "POST /api/mileage", trip);
	await call(dana, "POST /api/mileage", trip);
	await call(dana, "POST /api/mileage", {});
	const request = { type: "gas", amount: "42.50", description: "Fuel" };
	const { id } = await call(dana, "POST /api/fund-requests", request);
	await call(ada, "POST /api/fund-requests/:id/messages", { text: "Which car?" }, id);
	await call(dana, "POST /api/fund-requests/:id/messages", { text: "The van" }, id);
	await call(
		ada,
		"PUT /api/fund-requests/:id",
		{ status: "approved", approvedAmount: "40.00" },
		id,
	);
	await call(ada, "PUT /api/fund-requests/:id", { status: "approved" }, id);
	const payout = await call(ada, "POST /api/payouts", { requestIds: [id] });
	await call(ada, "PUT /api/payouts/:id", { status: "paid", paidOn: daysAgo(0) }, payout.id);
	await call(ada, "GET /api/payouts/:id", undefined, payout.id);
	const fee = { driverId: idOf("dana"), category: "other", amount: "3.10", date: daysAgo(0) };
	const added = await call(ada, "POST /api/uber-fees", fee);
	await call(ada, "DELETE /api/uber-fees/:id", undefined, added.id);
	await call(ada, "DELETE /api/uber-fees/:id", undefined, added.id);
	const agreement = { driverId: idOf("dana"), from: "2026-11-02", perMileMills: 725 };
	await call(ada, "POST /api/agreements", agreement);
	await call(ada, "POST /api/agreements", {
		...agreement,
		...{ thresholdMiles: 10_000, thereafterMills: 250, taxYearStart: "04-06" },
	});
	await call(ada, "POST /api/agreements", { ...agreement, from: "2026-11-03" });
	const charge = { driverId: idOf("dana"), kind: "toll", amount: "3.10", date: daysAgo(0) };
	const charged = await call(ada, "POST /api/charges", charge);
	await call(ada, "GET /api/agreements");
	await call(ada, `GET /api/charges?driverId=${idOf("dana")}`);
	const week = { week: "2026-11-04" };
	await call(ada, "POST /api/agreements", { ...agreement, weeklyRent: "20.00" });
	const drafts = (await call(ada, "POST /api/settlements", week)) as unknown;
	const [draft] = drafts as readonly { readonly id: string }[];
	await call(ada, "POST /api/settlements", week);
	await call(ada, "POST /api/payouts", { settlementIds: [draft?.id, charged.id] });
	await call(ada, "POST /api/payouts", { requestIds: [id] });
	await call(ada, "POST /api/settlements", { week: "2126-11-04" });
	await call(ada, "GET /api/settlements/:id", undefined, draft?.id);
	await call(ada, "GET /api/settlements/:id", undefined, charged.id);
	const publish = { status: "published", result: "0.01" };
	await call(ada, "PUT /api/settlements/:id", publish, draft?.id);
	await call(ada, "PUT /api/settlements", { ids: [draft?.id], status: "published" });
	await call(dana, "POST /api/settlements/:id/messages", { text: "Why?" }, draft?.id);
	await call(ada, "POST /api/settlements/:id/messages", { text: "Because" }, draft?.id);
	await call(ada, "POST /api/settlements/:id/messages", {}, draft?.id);
	await call(ada, "PUT /api/settlements/:id", { status: "void" }, draft?.id);
	await call(ada, "POST /api/settlements/:id/messages", { text: "Void" }, draft?.id);
	await call(ada, `GET /api/settlements?week=2026-11-04&driverId=${idOf("dana")}`);
	await call(ada, "DELETE /api/charges/:id", undefined, charged.id);
	await call(ada, "DELETE /api/charges/:id", undefined, charged.id);
	const person = { email: "described@milepost.test", firstName: "Des", lastName: "Cribed" };
	const driver = await call(ada, "POST /api/drivers", person);
	await call(ada, "POST /api/drivers", person);
	await call(ada, "PUT /api/drivers/:id/toggle", undefined, driver.id);
	await call(ada, "PUT /api/drivers/:id/approve", undefined, driver.id);
	const applicant = await fleet.client().signIn("applies@milepost.test");
	const self = await call(applicant, "PUT /api/profile", {
		firstName: "Al",
		lastName: "Applicant",
	});
	await call(ada, "GET /api/drivers/pending");
	await call(ada, "PUT /api/drivers/:id/reject", undefined, self.id);
	await call(ada, "GET /api/people?search=dana");
	const since = "updatedSince=1970-01-01T00:00:00Z";
	for (const path of [
		"/api/auth/user",
		"/api/mileage",
		`/api/mileage?${since}`,
		"/api/fund-requests",
		`/api/fund-requests?${since}`,
		"/api/uber-fees",
		`/api/uber-fees?${since}`,
		"/api/payouts",
		"/api/settlements",
		`/api/settlements?${since}`,
		"/api/drivers",
		"/api/drivers/all",
		`/api/drivers/all?${since}`,
		"/api/analytics/weekly-summary",
		"/api/analytics/driver-efficiency",
		"/api/mileage?limit=0",
		"/api/uber-fees?cursor=x",
	])
		for (const client of [ada, dana, visitor, applicant]) await call(client, `GET ${path}`);
	await call(visitor, "GET /healthz");
	const reads = Object.keys(OPERATIONS).filter(
		(name) => name.startsWith("GET ") && !/:id|receipts|openapi/.test(name),
	);
	expect(reads.filter((name) => !checked.has(name))).toEqual([]);
});
