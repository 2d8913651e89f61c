/** A week through the API: from a statement and an agreement to what is published. */
import { describe, expect, it } from "vitest";
import { addDays } from "../../app/values/calendar-date.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo, describePeriod, monday } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { callStatements } from "../support/statement-calls.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const DANA = "f1e1d000-0000-4000-8000-000000000003";

type Settlement = {
	readonly id: string;
	readonly number: string;
	readonly driverId: string;
	readonly week: { readonly from: string; readonly to: string };
	readonly status: string;
	readonly lines: readonly { readonly kind: string; readonly amount: string }[];
	readonly result: string;
};

const weekOf = (weeksAgo: number) => ({
	from: monday(weeksAgo),
	to: addDays(monday(weeksAgo), 6),
});
const compact = (day: string) => day.replaceAll("-", "");

/** A week's statement of Dana's money: total, fare, fee, tip, toll, cash. */
const statement = (weeksAgo: number, cells: readonly string[]) => ({
	name: `${compact(monday(weeksAgo))}-${compact(monday(weeksAgo - 1))}-payments_driver-Fleet.csv`,
	bytes: new TextEncoder().encode(
		[
			"Driver UUID,Driver first name,Driver surname,Paid to you,Paid to you:Your earnings:Fare:Fare,Paid to you:Your earnings:Service fee,Paid to you:Your earnings:Tip,Paid to you:Trip balance:Refunds:Toll,Paid to you:Trip balance:Payouts:Cash Collected",
			[DANA, "Dana", "Driver", ...cells].join(","),
			"",
		].join("\n"),
	),
});
const ada = await fleet.as("ada");
async function send(weeksAgo: number, cells: readonly string[], more = {}) {
	const fields = { mode: "ready", drivers: JSON.stringify({ [DANA]: idOf("dana") }), ...more };
	const answer = await callStatements(ada, fields, statement(weeksAgo, cells));
	expect(answer.status, answer.text).toBe(201);
	return answer.body.importId ?? "";
}
async function call<Body = Settlement>(method: string, path: string, body?: object, status = 200) {
	const answer = await ada.call(method, path, body);
	expect(answer.status, answer.text).toBe(status);
	return JSON.parse(answer.text) as Body;
}
const agree = (body: object) =>
	call("POST", "/api/agreements", { driverId: idOf("dana"), ...body }, 201);
const draft = (weeksAgo: number, status = 201) =>
	call<Settlement[]>("POST", "/api/settlements", { week: daysIn(weeksAgo) }, status);
/** Any day of the week. */
const daysIn = (weeksAgo: number) => addDays(monday(weeksAgo), 3);
const change = (id: string, body: object, status = 200) =>
	call("PUT", `/api/settlements/${id}`, body, status);

/** Drafts a week that isn't settled, and publishes it. */
async function settle(weeksAgo: number) {
	const [one] = await draft(weeksAgo);
	return change(one?.id ?? "", { status: "published" });
}

it("settles weeks as their statements, agreements and corrections say", async () => {
	await agree({ from: monday(4), faresPercent: 60, weeklyRent: "100.00" });
	const imported = await send(4, ["711.00", "1000.00", "-250.00", "50.00", "11.00", "-100.00"]);
	const [first] = await draft(4);
	expect(first).toEqual({
		id: first?.id,
		number: "ST-000001",
		driverId: idOf("dana"),
		driverIdCode: "DRV-0001",
		week: weekOf(4),
		status: "draft",
		carriedIn: "0.00",
		lines: [
			{
				...{ kind: "fares", platform: "uber", amount: "450.00" },
				text: "Fares after fees: 60% of $750.00",
			},
			{ kind: "tips", platform: "uber", text: "Tips: 100% of $50.00", amount: "50.00" },
			{ kind: "tolls", platform: "uber", text: "Tolls", amount: "11.00" },
			{ kind: "cash", platform: "uber", text: "Cash collected", amount: "-100.00" },
			{ kind: "rent", platform: null, text: "Weekly rent", amount: "-100.00" },
		],
		result: "311.00",
		carriedOut: "0.00",
		payable: "311.00",
		payout: null,
	});
	expect(await draft(4, 200)).toEqual([first]);
	const { id } = first as Settlement;
	for (const result of ["310.99", 310.9]) await change(id, { status: "published", result }, 409);
	await change(id, { status: "published", result: 310.999 }, 400);
	await change(id, { status: "paid" }, 400);
	expect(await change(id, { status: "published", result: 311 })).toMatchObject({
		...{ status: "published", result: "311.00", lines: first?.lines },
	});
	await change(id, { status: "published" }, 409);
	const undo = await ada.post("/uber-fees/import", { intent: "undo", id: imported });
	expect(undo.status).toBe(409);
	expect(undo.text).toContain("ST-000001");

	await send(4, ["721.00", "1000.00", "-250.00", "60.00", "11.00", "-100.00"], {
		changed: "replace",
	});
	const [second] = await draft(3);
	expect(second?.lines).toEqual([
		{ kind: "rent", platform: null, text: "Weekly rent", amount: "-100.00" },
		{
			...{ kind: "correction", platform: null, amount: "10.00" },
			text: `Correction of the week ${describePeriod(weekOf(4).from, weekOf(4).to)}`,
		},
	]);
	const [third] = await draft(2);
	const published = await call<Settlement[]>("PUT", "/api/settlements", {
		ids: [second?.id, third?.id],
		status: "published",
		results: { [second?.id ?? ""]: "-90.00" },
	});
	expect(published).toMatchObject([
		{ result: "-90.00", carriedOut: "-90.00", payable: "0.00" },
		{ carriedIn: "-90.00", result: "-190.00" },
	]);
	expect(await call("GET", `/api/settlements/${id}`)).toMatchObject({ result: "311.00" });
	await change(second?.id ?? "", { status: "void" }, 409);
	expect(await change(third?.id ?? "", { status: "void" })).toMatchObject({ status: "void" });
	expect(await draft(2)).toMatchObject([{ number: "ST-000004", status: "draft" }]);
});

it("lists them by week, driver and status, page by page and since a moment", async () => {
	const list = (query: string) => call<Settlement[]>("GET", `/api/settlements${query}`);
	await agree({ from: monday(4), weeklyRent: "100.00" });
	for (const weeksAgo of [4, 3]) await settle(weeksAgo);
	await change((await settle(2)).id, { status: "void" });
	await draft(2);
	const all = await list("");
	expect(all.map(({ number }) => number)).toEqual([
		...["ST-000004", "ST-000003", "ST-000002", "ST-000001"],
	]);
	expect((await list(`?week=${daysIn(2)}`)).map(({ status }) => status)).toEqual(["draft", "void"]);
	expect(await list(`?driverId=${idOf("omar")}`)).toEqual([]);
	expect(await list(`?driverId=${idOf("dana")}&status=published`)).toHaveLength(2);
	const page = await ada.call("GET", "/api/settlements?limit=3");
	expect(JSON.parse(page.text)).toEqual(all.slice(0, 3));
	const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1] ?? "";
	expect(JSON.parse((await ada.call("GET", next)).text)).toEqual(all.slice(3));
	const again = await ada.request("/api/settlements?limit=3", {
		headers: { "If-None-Match": page.headers.get("ETag") ?? "" },
	});
	expect(again.status).toBe(304);
	expect(await list("?updatedSince=2020-01-01T00:00:00Z")).toHaveLength(4);
	for (const query of ["week=today", "status=open", "driverId=1", "limit=0"])
		await call("GET", `/api/settlements?${query}`, undefined, 400);
});

describe("what is refused", () => {
	it("a week that hasn't begun, a driver who is none, and a week that isn't over", async () => {
		const drafts = (body: object, status: number) =>
			call<{ fields?: object }>("POST", "/api/settlements", body, status);
		expect(await drafts({ week: addDays(daysAgo(0), 7) }, 400)).toMatchObject({
			fields: { week: ["This week hasn't begun"] },
		});
		for (const week of [undefined, "", "soon", "9999-12-31", "1999-12-31"])
			await drafts({ week }, 400);
		await drafts({ week: daysAgo(0), driverIds: [idOf("ada")] }, 400);
		await drafts({ week: daysAgo(0), driverIds: [] }, 400);
		await agree({ from: monday(0), weeklyRent: "100.00" });
		const [current] = await draft(0);
		expect(await change(current?.id ?? "", { status: "published" }, 409)).toMatchObject({
			message: expect.stringContaining("the week isn't over"),
		});
		await change(idOf("dana"), { status: "published" }, 404);
		await call("GET", `/api/settlements/${idOf("dana")}`, undefined, 404);
		const several = { ids: [current?.id, idOf("dana")], status: "void" };
		await call("PUT", "/api/settlements", several, 404);
		await change(current?.id ?? "", { status: "void" });
	});

	it("another first day of the week, once one is settled", async () => {
		await agree({ from: monday(4), weeklyRent: "100.00" });
		await settle(4);
		const page = await ada.get("/settings");
		const { fields } = formWith(page.text, "Save week");
		expect(fields).toMatchObject({ intent: "week", weekStartsOn: "monday" });
		const refused = await ada.post("/settings", { ...fields, weekStartsOn: "sunday" });
		expect(refused.status).toBe(409);
		expect(refused.text).toContain("can&#x27;t be changed anymore");
		expect((await ada.post("/settings", fields)).status).toBe(303);
	});
});
