/** The lists of the API: pages, what has changed since a moment, and answers that are known already. */
import { beforeAll, describe, expect, it } from "vitest";
import { insertAgreement, insertCharge } from "../support/agreements.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { costOf } from "../support/cost.ts";
import { daysAgo, monday } from "../support/fleet-days.ts";
import { insertSettlement, published } from "../support/settlements.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
let ada: Client;
let dana: Client;
let omar: Client;

type Row = { readonly id?: string; readonly driverId: string };
const rowsOf = ({ text }: Answer) => JSON.parse(text) as Row[];
const messageOf = ({ text }: Answer) => (JSON.parse(text) as { message: string }).message;
const nextOf = (answer: Answer) =>
	/^<([^>]+)>; rel="next"$/.exec(answer.headers.get("Link") ?? "")?.[1];
const made = async (client: Client, method: string, path: string, body?: object) => {
	const answer = await client.call(method, path, body);
	expect(answer.status, answer.text).toBeLessThan(300);
	return JSON.parse(answer.text || "{}") as Row & { readonly id: string };
};

beforeAll(async () => {
	[ada, dana, omar] = [await fleet.as("ada"), await fleet.as("dana"), await fleet.as("omar")];
	const ids: string[] = [];
	for (const [place, driver] of [dana, omar, dana, omar, dana].entries()) {
		const start = 800_000 + place * 10;
		await made(driver, "POST", "/api/mileage", {
			date: daysAgo(place % 2),
			startOdometer: start,
			endOdometer: start + 5,
		});
		const request = { type: "gas", amount: "12.50", description: `Fuel ${place}` };
		const { id } = await made(driver, "POST", "/api/fund-requests", request);
		ids.push(id);
		await made(ada, "PUT", `/api/fund-requests/${id}`, { status: "approved" });
		await made(ada, "POST", "/api/payouts", { requestIds: [id] });
		const email = `list${place}@milepost.test`;
		await made(ada, "POST", "/api/drivers", {
			email,
			firstName: "List",
			lastName: `_ Ünal ${place}`,
		});
		const applicant = await fleet.client().signIn(`applicant${place}@milepost.test`);
		await made(applicant, "PUT", "/api/profile", {
			firstName: "Al",
			lastName: `Applicant ${place}`,
		});
		await made(ada, "POST", "/api/uber-fees", {
			driverId: idOf(place % 2 ? "omar" : "dana"),
			category: "commission",
			amount: "3.10",
			date: daysAgo(place % 2),
		});
		const name = place % 2 ? "omar" : "dana";
		const week = monday(place + 1);
		await insertAgreement(sql, place + 1, name, week);
		await insertCharge(sql, place + 1, name);
		await insertSettlement(sql, place + 1, name, week, published(100));
	}
});

const LISTS = [
	"/api/mileage",
	`/api/mileage?startDate=${daysAgo(1)}&endDate=${daysAgo(0)}`,
	"/api/fund-requests",
	"/api/uber-fees",
	"/api/payouts",
	"/api/payouts?status=open",
	"/api/agreements",
	`/api/agreements?driverId=${idOf("dana")}`,
	"/api/charges",
	`/api/charges?driverId=${idOf("dana")}`,
	"/api/settlements",
	"/api/settlements?status=published",
	"/api/drivers",
	"/api/drivers/all",
	"/api/drivers/pending",
	"/api/analytics/driver-efficiency",
];
const withQuery = (path: string, query: string) =>
	`${path}${path.includes("?") ? "&" : "?"}${query}`;

/** Follows the links from a first page to the end. */
async function follow(client: Client, path: string): Promise<Row[]> {
	const rows: Row[] = [];
	for (let next: string | undefined = path; next; ) {
		const answer: Answer = await client.get(next);
		expect(answer.status, `${next} ${answer.text.slice(0, 200)}`).toBe(200);
		expect(costOf(answer).trips, next).toBe(1);
		rows.push(...rowsOf(answer));
		next = nextOf(answer);
	}
	return rows;
}

describe.each(LISTS)("%s", (path) => {
	it("has every row once on its pages, each of one trip, in the order of the whole list", async () => {
		const whole = await ada.get(path);
		expect(nextOf(whole)).toBeUndefined();
		expect(rowsOf(whole).length).toBeGreaterThan(2);
		expect(await follow(ada, withQuery(path, "limit=2"))).toEqual(rowsOf(whole));
		const page = await ada.get(withQuery(path, "limit=2"));
		const rest = nextOf(page)?.replace(/limit=2&?/, "") ?? expect.unreachable();
		expect(rowsOf(await ada.get(rest))).toEqual(rowsOf(whole).slice(2));
	});

	it("answers 304 as long as nothing has changed", async () => {
		const first = await ada.get(withQuery(path, "limit=2"));
		const tag = first.headers.get("ETag") ?? expect.unreachable();
		const known = await ada.call("GET", withQuery(path, "limit=2"), undefined, {
			headers: { "If-None-Match": `"other", W/${tag}` },
		});
		expect([known.status, known.text]).toEqual([304, ""]);
		expect(known.headers.get("ETag")).toBe(tag);
		expect(nextOf(known)).toBe(nextOf(first));
		const all = await ada.get(path);
		expect(all.headers.get("ETag")).not.toBe(tag);
	});

	it("refuses a cursor of another list or filter, or none at all, after it knows who asks", async () => {
		const other = path.startsWith("/api/mileage") ? "/api/uber-fees" : "/api/mileage";
		const cursorOf = async (list: string) =>
			new URL(nextOf(await ada.get(withQuery(list, "limit=1"))) ?? "", "http://x").searchParams.get(
				"cursor",
			);
		for (const cursor of ["", "x", "MQ", "%F0%9F%9A%97", await cursorOf(other)]) {
			const asked = withQuery(path, `limit=2&cursor=${cursor}`);
			const answer = await ada.get(asked);
			expect(answer.status, asked).toBe(400);
			expect(messageOf(answer)).toBe("cursor must be one that this list gave for the same filter");
			expect((await fleet.client().call("GET", asked)).status).toBe(401);
		}
		if (!path.includes("?")) return;
		const bare = path.split("?")[0] ?? "";
		expect((await ada.get(`${bare}?cursor=${await cursorOf(path)}`)).status).toBe(400);
	});
});

describe("updatedSince", () => {
	const since = async () => {
		const [{ at = 0 } = {}] = await fleet.sql<{ at: number }>(
			"select max(at) as at from audit_events",
		);
		while (currentTime() <= at) await new Promise((resolve) => setTimeout(resolve, 1));
		return new Date(at + 1).toISOString();
	};
	const changed = (client: Client, path: string, moment: string, limit = 2) =>
		follow(client, `${path}?updatedSince=${moment}&limit=${limit}`);

	it("finds what the audit says of a row: a new one, a message, a decision, its payout", async () => {
		let moment = await since();
		expect(await changed(ada, "/api/fund-requests", moment)).toEqual([]);
		const request = { type: "other", amount: "5.00", description: "Wash" };
		const { id } = await made(dana, "POST", "/api/fund-requests", request);
		await made(dana, "POST", "/api/fund-requests", { ...request, description: "Wax" });
		const wait = async (what: string) => {
			const rows = await changed(ada, "/api/fund-requests", moment);
			expect(
				rows.map((row) => row.id),
				what,
			).toContain(id);
			const whole = rowsOf(await ada.get("/api/fund-requests"));
			expect(rows).toContainEqual(whole.find((row) => row.id === id));
			moment = await since();
			return rows.length;
		};
		expect(await wait("new")).toBe(2);
		await made(ada, "POST", `/api/fund-requests/${id}/messages`, { text: "Which car?" });
		expect(await wait("asked")).toBe(1);
		await made(dana, "POST", `/api/fund-requests/${id}/messages`, { text: "The van" });
		expect(await wait("answered")).toBe(1);
		await made(ada, "PUT", `/api/fund-requests/${id}`, { status: "approved" });
		expect(await wait("approved")).toBe(1);
		const payout = await made(ada, "POST", "/api/payouts", { requestIds: [id] });
		expect(await wait("gathered")).toBe(1);
		await made(ada, "PUT", `/api/payouts/${payout.id}`, { status: "paid", paidOn: daysAgo(0) });
		expect((await changed(ada, "/api/payouts", moment)).map((row) => row.id)).toEqual([payout.id]);
		expect(await wait("paid")).toBe(1);
	});

	it("shows what was deleted or voided, and who left a list", async () => {
		const fee = { driverId: idOf("dana"), category: "other", amount: "1.00", date: daysAgo(0) };
		const { id } = await made(ada, "POST", "/api/uber-fees", fee);
		const trip = await made(dana, "POST", "/api/mileage", {
			date: daysAgo(0),
			startOdometer: 900_000,
			endOdometer: 900_007,
		});
		const email = "leaving@milepost.test";
		const person = await made(ada, "POST", "/api/drivers", {
			email,
			firstName: "Lea",
			lastName: "Leaving",
		});
		const moment = await since();
		await made(ada, "DELETE", `/api/uber-fees/${id}`);
		expect(await changed(ada, "/api/uber-fees", moment)).toEqual([
			expect.objectContaining({ id, deletedAt: expect.stringMatching(/Z$/) }),
		]);
		expect((await dana.post("/mileage", { intent: "void", id: trip.id })).status).toBe(303);
		const voided = await changed(dana, "/api/mileage", moment);
		expect(voided).toContainEqual(expect.objectContaining({ id: trip.id, status: "voided" }));
		await made(ada, "DELETE", `/api/drivers/${person.id}`);
		for (const path of ["/api/drivers", "/api/drivers/all"])
			expect(await changed(ada, path, moment)).toContainEqual(
				expect.objectContaining({ id: person.id, isActive: false }),
			);
	});

	it("shows a driver only their own rows, whatever others changed", async () => {
		const moment = new Date(0).toISOString();
		for (const path of ["/api/mileage", "/api/fund-requests", "/api/uber-fees"]) {
			const own = await changed(dana, path, moment, 3);
			expect(own.length, path).toBeGreaterThan(2);
			expect(new Set(own.map(({ driverId }) => driverId)), path).toEqual(new Set([idOf("dana")]));
		}
	});

	it("has every change once and in order, on pages and as a whole", async () => {
		const moment = new Date(0).toISOString();
		for (const path of [
			"/api/fund-requests",
			"/api/uber-fees",
			"/api/payouts",
			"/api/drivers/all",
		]) {
			const whole = rowsOf(await ada.get(`${path}?updatedSince=${moment}`));
			expect(new Set(whole.map(({ id }) => id)).size, path).toBe(whole.length);
			expect(await changed(ada, path, moment, 1), path).toEqual(whole);
		}
	});

	it("goes on after entries of the audit that are about other things", async () => {
		const moment = await since();
		const at = Date.parse(moment);
		await fleet.sql(
			`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1100)
			insert into audit_events (at, actor_id, actor_role, action, entity, entity_id)
			select ?, ?, 'admin', 'receipt.view', 'receipt', 'r' || i from n`,
			at,
			idOf("ada"),
		);
		const fee = { driverId: idOf("omar"), category: "other", amount: "2.00", date: daysAgo(0) };
		const { id } = await made(ada, "POST", "/api/uber-fees", fee);
		const first = await ada.get(`/api/uber-fees?updatedSince=${moment}&limit=5`);
		expect([rowsOf(first), nextOf(first)]).toEqual([[], expect.any(String)]);
		expect((await changed(ada, "/api/uber-fees", moment, 5)).map((row) => row.id)).toEqual([id]);
		expect(rowsOf(await ada.get(`/api/uber-fees?updatedSince=${moment}`))).toHaveLength(1);
	});

	it("must be a moment, and is bound to its cursors", async () => {
		for (const moment of ["", "yesterday", "2026-11-21", "2026-11-21T17:00:00"]) {
			const answer = await ada.get(`/api/uber-fees?updatedSince=${moment}`);
			expect([answer.status, messageOf(answer)], moment).toEqual([
				400,
				"updatedSince must be a moment such as 2026-11-21T17:00:00Z",
			]);
		}
		const first = await ada.get(`/api/uber-fees?updatedSince=${new Date(0).toISOString()}&limit=1`);
		const next = nextOf(first) ?? expect.unreachable();
		expect((await ada.get(next.replace("1970", "1971"))).status).toBe(400);
		expect((await ada.get(next.replace(/updatedSince=[^&]+&/, ""))).status).toBe(400);
	});
});
