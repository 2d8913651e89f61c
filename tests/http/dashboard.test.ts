/**
 * The driver's dashboard: its figures at the edges of their windows, and recent activity
 * (docs/product.md §2, §9, 'Numbers, money and dates').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { ROWS_READ } from "../support/budgets.ts";
import { idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { dayOf, daysAgo, describeDate, midnight } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { deletePayouts, gather, insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const dana = await fleet.as("dana");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

beforeEach(async () => {
	for (const table of ["fund_requests", "mileage_logs"]) await sql(`delete from ${table}`);
});

const plain = (html: string) =>
	html
		.replace(/<[^>]+>/g, "|")
		.replace(/\|+/g, "|")
		.replace(/^\||\|$/g, "");
/** The stat cards of a page: label, figure and window. */
const cards = (html: string) =>
	[...html.matchAll(/<dt[^>]*>([\s\S]*?)<\/dd>/g)].map(([, card = ""]) => plain(card).split("|"));
const activity = (html: string) => {
	const list = /id="recent"[\s\S]*?<ul[^>]*>([\s\S]*?)<\/ul>/.exec(html)?.[1] ?? "";
	return [...list.matchAll(/<li[^>]*>([\s\S]*?)<\/li>/g)].map(([, item = ""]) => plain(item));
};
const decided = (status: string) => ({ status, decided_at: 1, decided_by: idOf("ada") });

describe("the figures", () => {
	it("are 0 for a driver without activity, with a message", async () => {
		const { text, headers } = await dana.get("/");
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		expect(cards(text).map(([label, figure]) => [label, figure])).toEqual([
			["This Week", "0 mi"],
			["Pending Requests", "0"],
			["This Month", "$0.00"],
			["Avg per Mile", "$0.00"],
		]);
		expect(text).toContain("No recent activity");
		const today = new Date(`${daysAgo(0)}T00:00:00Z`);
		const long = { weekday: "long", month: "long", day: "numeric", year: "numeric" } as const;
		expect(text).toContain(today.toLocaleDateString("en-US", { ...long, timeZone: "UTC" }));
		for (const path of ["/mileage", "/requests#submit", "/history"])
			expect(text).toContain(`href="${path}"`);
	});

	it("count the driver's own entries within their windows, to the day and the millisecond", async () => {
		// Counted: the first and last of the seven days. Not counted: the day before, tomorrow, a
		// voided trip, another driver's.
		await insertLog(sql, 1, "dana", daysAgo(6), 100);
		await insertLog(sql, 2, "dana", daysAgo(0), 20);
		await insertLog(sql, 3, "dana", daysAgo(7), 1000);
		await insertLog(sql, 4, "dana", daysAgo(-1), 1001);
		await insertLog(sql, 5, "dana", daysAgo(1), 1002, { voided_at: 1, voided_by: idOf("dana") });
		await insertLog(sql, 6, "omar", daysAgo(1), 1003);
		const [first, end] = [midnight(daysAgo(29)), midnight(daysAgo(-1))];
		await insertRequest(sql, 1, "dana", {
			...decided("approved"),
			created_at: first,
			amount_cents: 100_000,
		});
		await insertRequest(sql, 2, "dana", {
			...decided("approved"),
			created_at: end - 1,
			amount_cents: 23_450,
		});
		await insertRequest(sql, 3, "dana", {
			...decided("approved"),
			created_at: first - 1,
			amount_cents: 1,
		});
		await insertRequest(sql, 4, "dana", {
			...decided("approved"),
			created_at: end,
			amount_cents: 2,
		});
		await insertRequest(sql, 5, "dana", { ...decided("rejected"), amount_cents: 4 });
		await insertRequest(sql, 6, "dana", { status: "withdrawn", withdrawn_at: 1, amount_cents: 8 });
		await insertRequest(sql, 7, "omar", { ...decided("approved"), amount_cents: 16 });
		await insertRequest(sql, 8, "dana", { amount_cents: 32 });
		await insertRequest(sql, 9, "dana", { amount_cents: 64, created_at: first - 1 });
		await insertRequest(sql, 10, "omar", {});
		// Both dates are shown without a year.
		const window = (days: number) =>
			[daysAgo(days - 1), daysAgo(0)]
				.map((day) => describeDate(day).replace(/, \d+$/, ""))
				.join(" – ");
		const [week, month] = [window(7), window(30)];
		expect(cards((await dana.get("/")).text)).toEqual([
			["This Week", "120 mi", week],
			["Pending Requests", "2", "Awaiting a decision"],
			["This Month", "$1,234.50", `Approved, ${month}`],
			// 1,234.50 / 120 is 10.2875.
			["Avg per Mile", "$10.29", "Approved $ (30 days) ÷ miles (7 days)"],
		]);
	});

	it("round the average half up, and show 0 without miles this week", async () => {
		await insertRequest(sql, 1, "dana", { ...decided("approved"), amount_cents: 1001 });
		await insertLog(sql, 1, "dana", daysAgo(10), 50);
		expect(cards((await dana.get("/")).text)[3]?.[1]).toBe("$0.00");
		// 10.01 / 2 is 5.005.
		await insertLog(sql, 2, "dana", daysAgo(1), 2);
		expect(cards((await dana.get("/")).text)[3]?.[1]).toBe("$5.01");
	});
});

describe("days without a trip", () => {
	const weekdays = Array.from({ length: 14 }, (_, each) => daysAgo(each + 1)).filter(
		(day) => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0,
	);
	const listed = async () => {
		const { text } = await dana.get("/");
		return [...text.matchAll(/href="\/mileage\?date=([\d-]+)"[^>]*>Log it/g)].map(([, day]) => day);
	};
	const dayOff = (date: string) => dana.post("/mileage", { intent: "day-off", date });

	it("are the last five of Monday to Friday, from the driver's first trip on", async () => {
		expect(await listed()).toEqual([]);
		await insertLog(sql, 1, "dana", weekdays[3] ?? "", 10);
		expect(await listed()).toEqual(weekdays.slice(0, 3));
		await insertLog(sql, 2, "dana", daysAgo(20), 10);
		await insertLog(sql, 3, "dana", daysAgo(0), 10);
		await insertLog(sql, 4, "dana", weekdays[1] ?? "", 10, {
			voided_at: 1,
			voided_by: idOf("dana"),
		});
		expect(await listed()).toEqual(weekdays.toSpliced(3, 1).slice(0, 5));
	});

	it("can be days off, until a trip is logged", async () => {
		await sql("update users set days_off = null where id = ?", idOf("dana"));
		await insertLog(sql, 1, "dana", daysAgo(20), 10);
		const [day = "", next = ""] = weekdays;
		for (const each of [day, day]) {
			const answer = await dayOff(each);
			expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
		}
		expect(await listed()).toEqual(weekdays.slice(1, 6));
		const noted = await sql("select after from audit_events where action = 'mileage.day-off'");
		expect(noted).toEqual([{ after: JSON.stringify({ date: day }) }]);

		const log = { date: day, startOdometer: "9000000", endOdometer: "9000010" };
		const logged = await dana.post("/mileage", log);
		expect(logged.status).toBe(303);
		const id = /log-(.*)/.exec(logged.headers.get("Location") ?? "")?.[1] ?? "";
		expect((await dana.post("/mileage", { intent: "void", id })).status).toBe(303);
		expect((await listed())[0]).toBe(day);

		// On a shared phone, the day may be off for someone who has signed out since.
		expect((await dana.get("/")).text).toContain(`name="asUser" value="${idOf("dana")}"`);
		const others = { intent: "day-off", date: next, asUser: idOf("omar") };
		expect((await dana.post("/mileage", others)).status).toBe(409);
		expect(await listed()).toContain(next);

		// Days that aren't offered are forgotten, and refused.
		await sql("update users set days_off = ? where id = ?", `{"2020-01-02":1}`, idOf("dana"));
		expect((await dayOff(next)).status).toBe(303);
		const [kept] = await sql("select days_off from users where id = ?", idOf("dana"));
		expect(Object.keys(JSON.parse(String(kept?.days_off)))).toEqual([next]);
		for (const other of [daysAgo(0), daysAgo(15), daysAgo(20), "x", ""])
			expect((await dayOff(other)).status, other).toBe(409);
	});
});

describe("money", () => {
	const lines = async () =>
		[...(await dana.get("/")).text.matchAll(/>((?:To be paid|Paid) \$[^<]*)</g)].map(
			([, line]) => line,
		);

	it("says what is to be paid, and what was paid last", async () => {
		const ada = await fleet.as("ada");
		await deletePayouts(sql);
		expect(await lines()).toEqual([]);
		const requests = [6985, 4000, 5437, 100].map((cents, each) =>
			insertApproved(sql, each + 1, each === 3 ? "omar" : "dana", cents, {
				requested_on: daysAgo(9),
				created_at: midnight(daysAgo(9)),
			}),
		);
		const [first = "", second = "", , others = ""] = await Promise.all(requests);
		expect(await lines()).toEqual(["To be paid $164.22 (3)"]);
		const { id } = await gather(ada, { requestIds: [first, others] });
		await gather(ada, { requestIds: [second] });
		expect(await lines()).toEqual(["To be paid $164.22 (3)"]);
		await ada.call("PUT", `/api/payouts/${id}`, { status: "paid", paidOn: daysAgo(2) });
		const day = describeDate(daysAgo(2)).replace(
			daysAgo(2).slice(0, 4) === daysAgo(0).slice(0, 4) ? /, \d+$/ : /$^/,
			"",
		);
		expect(await lines()).toEqual(["To be paid $94.37 (2)", `Paid $69.85 on ${day}`]);
		// With its statement, as long as it is the only payout of that day.
		const paidLink = async () =>
			/href="([^"]*)"[^>]*>Paid \$/.exec((await dana.get("/")).text)?.[1];
		expect(await paidLink()).toBe(`/history/payouts/${id}.pdf`);
		await ada.call("PUT", `/api/payouts/${id}`, { status: "open", reason: "x" });
		expect(await lines()).toEqual(["To be paid $164.22 (3)"]);
		await deletePayouts(sql);
	});
});

describe("recent activity", () => {
	it("shows the newest three requests and two trips, newest first", async () => {
		const noon = (day: string) => midnight(day) + 43_200_000;
		const at = [8, 5, 3, 1].map((days) => noon(daysAgo(days)));
		await insertRequest(sql, 1, "dana", { created_at: at[0] ?? 0 });
		await insertRequest(sql, 2, "dana", {
			created_at: at[1] ?? 0,
			...decided("rejected"),
			type: "other",
			amount_cents: 5,
		});
		await insertRequest(sql, 3, "dana", {
			created_at: at[2] ?? 0,
			...decided("approved"),
			type: "maintenance",
			amount_cents: 123_450,
		});
		await insertRequest(sql, 4, "dana", { created_at: at[3] ?? 0 });
		await insertRequest(sql, 5, "omar", {});
		await insertLog(sql, 1, "dana", daysAgo(6), 11);
		await insertLog(sql, 2, "dana", daysAgo(4), 1250);
		await insertLog(sql, 3, "dana", daysAgo(2), 33, { voided_at: 1, voided_by: idOf("dana") });
		const { text } = await dana.get("/");
		expect(activity(text)).toEqual([
			`Fund request pending|$12.50 for gas request|${describeDate(daysAgo(1))}|Pending`,
			`Mileage logged|33 miles logged|${describeDate(daysAgo(2))}|Voided`,
			`Fund request approved|$1,234.50 for maintenance request|${describeDate(daysAgo(3))}|Approved`,
			`Mileage logged|1,250 miles logged|${describeDate(daysAgo(4))}|Logged`,
			`Fund request rejected|$0.05 for other request|${describeDate(daysAgo(5))}|Rejected`,
		]);
		const toneOf = (word: string) => new RegExp(`tone-(\\w+)">${word}<`).exec(text)?.[1];
		expect(["Approved", "Pending", "Logged", "Rejected"].map(toneOf)).toEqual([
			"good",
			"wait",
			"info",
			"bad",
		]);
	});

	it("shows a corrected trip rather than the voided one it replaces", async () => {
		const day = daysAgo(1);
		await insertLog(sql, 1, "dana", day, 10, {
			start_miles: 150,
			end_miles: 160,
			created_at: 1000,
		});
		// The voided trip has the higher id, as happens half the time with random ids.
		const wrong = { start_miles: 100, end_miles: 150, created_at: 2000 };
		await insertLog(sql, 3, "dana", day, 50, { ...wrong, voided_at: 1, voided_by: idOf("dana") });
		await insertLog(sql, 2, "dana", day, 45, {
			start_miles: 105,
			end_miles: 150,
			created_at: 3000,
		});
		expect(activity((await dana.get("/")).text)).toEqual([
			`Mileage logged|10 miles logged|${describeDate(day)}|Logged`,
			`Mileage logged|45 miles logged|${describeDate(day)}|Logged`,
		]);
	});

	it("dates a request in the fleet's time zone", async () => {
		await insertRequest(sql, 1, "dana", { created_at: midnight(daysAgo(2)) - 1 });
		expect(activity((await dana.get("/")).text)).toEqual([
			`Fund request pending|$12.50 for gas request|${describeDate(daysAgo(3))}|Pending`,
		]);
		expect(dayOf(midnight(daysAgo(2)) - 1)).toBe(daysAgo(3));
	});

	it("reads only a few rows, however long the history", async () => {
		await sql(`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash, decided_at, decided_by)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
			select printf('30000000-0000-4000-8000-%012d', i), i, '${idOf("dana")}', 'gas', 100, 'x', 'approved', 'seed', i, '1969-12-31', 'x', 1, '${idOf("ada")}' from n`);
		await sql(`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
			select printf('40000000-0000-4000-8000-%012d', i), '${idOf("dana")}', '2020-01-02', i * 2, i * 2 + 1, 'seed', i, 'x' from n`);
		const answer = await dana.get("/");
		expect(activity(answer.text)).toHaveLength(5);
		const { rows } = costOf(answer);
		expect(rows).toBeGreaterThan(0);
		expect(rows).toBeLessThan(ROWS_READ.dashboard);
	});
});
