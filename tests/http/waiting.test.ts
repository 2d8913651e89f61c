/** How the navigation on every page shows a person's pending items. */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays } from "../../app/values/calendar-date.ts";
import { ROWS_READ } from "../support/budgets.ts";
import { idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { daysAgo, midnight } from "../support/fleet-days.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

const PAGES = [
	"/",
	"/fund-requests",
	"/mileage-reports",
	"/uber-fees",
	"/uber-fees/import",
	"/drivers",
	`/drivers/${idOf("dana")}`,
	"/reports",
	"/payouts",
	"/find",
	"/audit",
	"/email",
	"/settings",
	"/account",
];

/** The navigation's links, including 'More', that show a number of pending items. */
const waiting = ({ text }: Answer) => {
	const nav = /<nav aria-label="Main"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? "";
	const words = new Map(
		[...nav.matchAll(/<span hidden="" id="([^"]*)">([^<]*)</g)].map(([, id, said]) => [id, said]),
	);
	return [...nav.matchAll(/<(?:a href="([^"]*)"|summary) aria-describedby="([^"]*)"/g)].map(
		([, path = "More", id]) => `${path}: ${words.get(id)}`,
	);
};
const shown = ({ text }: Answer) =>
	[...text.matchAll(/rounded-full bg-accent px-1 [^>]*>([^<]*)</g)].map(([, count]) => count);
const apply = (count: number) =>
	sql(`insert into users (id, role, first_name, last_name, approval_status, is_active, created_at, applied_at)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
		select printf('70000000-0000-4000-8000-%012d', i), 'driver', 'A', 'B' || i, 'pending', 1, 1, i from n`);

beforeEach(async () => {
	for (const table of ["request_messages", "fund_requests", "mails"])
		await sql(`delete from ${table}`);
	await sql("delete from person_names where user_id like '70000000-%'");
	await sql("delete from users where id like '70000000-%'");
	await sql("update users set approval_status = 'rejected' where id = ?", idOf("nora"));
});

describe("the counts in the navigation", () => {
	it("are absent when nothing is pending", async () => {
		for (const path of PAGES) expect(waiting(await ada.get(path)), path).toEqual([]);
	});

	it("are on every administrator's page, without a further round trip", async () => {
		for (let each = 1; each <= 3; each++)
			await insertRequest(sql, each, "dana", { created_at: midnight(daysAgo(2)) + each });
		await insertRequest(sql, 4, "dana", {
			status: "approved",
			decided_at: 1,
			decided_by: idOf("ada"),
		});
		await sql("update users set approval_status = 'pending' where id = ?", idOf("nora"));
		for (const path of PAGES) {
			const answer = await ada.get(path);
			// The link itself appears twice: in the sidebar and under 'More' on phones.
			expect(waiting(answer), path).toEqual([
				"/fund-requests: 3 waiting",
				"/drivers: 1 waiting",
				"More: 1 waiting",
				"/drivers: 1 waiting",
			]);
			expect(shown(answer), path).toEqual(["3", "1", "1", "1"]);
			expect(costOf(answer).trips, path).toBe(1);
		}
	});

	it("are on the page after a refused form", async () => {
		await insertRequest(sql, 1, "dana", {});
		const refused = await ada.post("/drivers", { intent: "add-driver", email: "nobody" });
		expect(refused.status).toBe(400);
		expect(waiting(refused)).toEqual(["/fund-requests: 1 waiting"]);
	});

	it("stop at 99 without reading more rows", async () => {
		await apply(101);
		const hundred = await ada.get("/settings");
		expect(waiting(hundred)[0]).toBe("/drivers: more than 99 waiting");
		expect(shown(hundred)[0]).toBe("99+");
		await sql("update users set approval_status = 'rejected' where last_name = 'B1'");
		await sql("update users set approval_status = 'rejected' where last_name = 'B2'");
		const under = await ada.get("/settings");
		expect(waiting(under)[0]).toBe("/drivers: 99 waiting");
		await sql("delete from person_names where user_id like '70000000-%'");
		await sql("delete from users where id like '70000000-%'");
		await apply(1000);
		expect(costOf(await ada.get("/settings")).rows).toBe(costOf(hundred).rows);
		expect(costOf(hundred).rows).toBeLessThanOrEqual(ROWS_READ.list);
	});

	it("show drivers on every page how many questions they haven't answered", async () => {
		await insertRequest(sql, 1, "dana", { requested_on: addDays(daysAgo(0), -1) });
		await insertRequest(sql, 2, "omar", {});
		const dana = await fleet.as("dana");
		const pages = ["/", "/mileage", "/requests", "/history", "/earnings", "/help", "/account"];
		for (const path of pages) expect(waiting(await dana.get(path)), path).toEqual([]);
		const ask = (number: number) =>
			ada.call("POST", `/api/fund-requests/${requestId(number)}/messages`, { text: "Which van?" });
		expect([(await ask(1)).status, (await ask(2)).status]).toEqual([201, 201]);
		for (const path of pages) {
			const answer = await dana.get(path);
			expect(waiting(answer), path).toEqual(["/requests: 1 waiting"]);
			expect(shown(answer), path).toEqual(["1"]);
			expect(costOf(answer).trips, path).toBe(1);
		}
		expect((await dana.get("/")).text).toContain("1 request needs your answer");
		await dana.call("POST", `/api/fund-requests/${requestId(1)}/messages`, {
			text: "The white one",
		});
		expect(waiting(await dana.get("/"))).toEqual([]);
		expect((await dana.get("/")).text).not.toContain("needs your answer");
	});

	it("don't count a question on a decided request", async () => {
		await insertRequest(sql, 1, "dana", {});
		await ada.call("POST", `/api/fund-requests/${requestId(1)}/messages`, { text: "Which van?" });
		await ada.call("PUT", `/api/fund-requests/${requestId(1)}`, { status: "rejected" });
		expect(waiting(await (await fleet.as("dana")).get("/"))).toEqual([]);
	});

	it("cost API calls nothing", async () => {
		const dana = await fleet.as("dana");
		// The session, the settings and the unanswered questions.
		expect(costOf(await dana.get("/help")).statements).toBe(3);
		expect(costOf(await dana.get("/api/auth/user")).statements).toBe(2);
		expect(costOf(await ada.get("/find")).statements - 1).toBe(
			costOf(await ada.get("/api/auth/user")).statements,
		);
	});
});
