/** The administrators' list: which index finds a page, and what its totals are. */
import { beforeEach, describe, expect, it } from "vitest";
import { insertAgreement } from "../../../tests/support/agreements.ts";
import { ROWS_READ } from "../../../tests/support/budgets.ts";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRequest, requestId } from "../../../tests/support/requests.ts";
import { Database } from "../../db/client.server.ts";
import { parseCalendarDate, startOfDay } from "../../values/calendar-date.ts";
import {
	MAX_COUNTED,
	MAX_SEARCHED,
	selectCounts,
	selectKeptTotals,
	selectPage,
	selectSearchedUpTo,
	toListTotals,
} from "./listing.server.ts";
import { chooseIndex } from "./narrow.server.ts";
import { findRequests } from "./queries.server.ts";
import { isLateRequest } from "./rules.ts";
import { FILTER_NAMES, parseSearch } from "./search.ts";

const bench = await openDatabase();
const sql = (query: string, ...values: unknown[]) => bench.rows(query, ...values);
const dana = idOf("dana");
const NOON = startOfDay(ZONE, parseCalendarDate("2026-11-20")) + 43_200_000;

beforeEach(async () => {
	await sql("delete from fund_requests");
	await sql("delete from receipts");
});

type Text = { readonly sql: string; readonly params: unknown[] };
type Query = { readonly toSQL: () => Text } | { readonly getQuery: () => Text };
async function planOf(query: Query): Promise<string> {
	const { sql: text, params } = "toSQL" in query ? query.toSQL() : query.getQuery();
	const plan = await bench.rows<{ detail: string }>(`explain query plan ${text}`, ...params);
	return plan.map(({ detail }) => detail).join("\n");
}

const AFTER = `after=${NOON}_30000000-0000-4000-8000-000000000001`;
const VALUES: Readonly<Record<(typeof FILTER_NAMES)[number], string>> = {
	status: "approved",
	type: "gas",
	amount: "100%2B",
	driver: dana,
	startDate: "2026-11-01",
	endDate: "2026-11-20",
	question: "asked",
	flag: "no-receipt",
	payment: "unpaid",
};
/** Each filter alone, each pair of them, and all at once. */
const combinations = [
	...FILTER_NAMES.flatMap((one, position) => [
		[one],
		...FILTER_NAMES.slice(position + 1).map((other) => [one, other]),
	]),
	[...FILTER_NAMES],
].map((names) => names.map((name) => `${name}=${VALUES[name]}`).join("&"));

describe("the plan of a page", () => {
	it.each([
		["", "requests_by_time"],
		["status=pending", "requests_by_status"],
		["type=gas", "requests_by_type"],
		["amount=0-50", "requests_by_band"],
		["status=pending&type=gas&amount=100%2B", "requests_by_status_type_band"],
		["startDate=2026-11-01&endDate=2026-11-20", "requests_by_time"],
		["status=approved&startDate=2026-11-01", "requests_by_status"],
		[`driver=${dana}`, "requests_by_driver"],
		[`driver=${dana}&status=pending`, "requests_by_driver_status"],
		["question=asked", "requests_by_question"],
		["flag=duplicate", "requests_duplicate"],
		["flag=duplicate&startDate=2026-11-01", "requests_duplicate"],
		["flag=no-receipt", "requests_without_receipt"],
		["flag=late", "requests_late"],
		["flag=late&startDate=2026-11-01", "requests_late"],
		["payment=unpaid", "requests_not_in_payout"],
		["payment=unpaid&endDate=2026-11-20", "requests_not_in_payout"],
		["payment=paid", "requests_in_payout"],
		["payment=open&startDate=2026-11-01", "requests_in_payout"],
		["order=largest", "requests_by_amount"],
		["order=smallest&amount=50-100", "requests_by_amount"],
		["order=largest&status=pending", "requests_by_status_amount"],
		["order=largest&status=pending&amount=100%2B", "requests_by_status_amount"],
	])("'%s' is found by %s, in the order of the list", async (query, index) => {
		const { build } = (await bench.admin("ada")).db;
		const orders = query.includes("order=") ? [""] : ["", "&order=oldest"];
		const cursor = query.includes("order=") ? AFTER.replace("=", "=5001_") : AFTER;
		for (const order of orders)
			for (const place of ["", `&${cursor}`, `&${cursor.replace("after", "before")}`]) {
				const search = parseSearch(new URLSearchParams(query + order + place));
				const plan = await planOf(selectPage(build, search, ZONE, 51, MAX_SEARCHED));
				expect(plan, query).toMatch(new RegExp(`INDEX ${index}\\b`));
				// The rows found by a named index, at most a page, are sorted once more.
				if (!chooseIndex(search, ZONE).index)
					expect(plan, query).not.toContain("TEMP B-TREE FOR ORDER BY");
				expect(await planOf(selectCounts(build, search, ZONE)), query).toMatch(
					new RegExp(`INDEX ${index}\\b`),
				);
			}
	});

	it.each(combinations)("'%s' looks at a bounded part of one index", async (query) => {
		const { build } = (await bench.admin("ada")).db;
		for (const more of ["", "&order=oldest", `&${AFTER}`]) {
			const search = parseSearch(new URLSearchParams(query + more));
			const plan = await planOf(selectPage(build, search, ZONE, 51, MAX_SEARCHED));
			// Only the default view reads an index from its end; filters search in one.
			expect(plan).not.toMatch(/SCAN (?!json_each|\(subquery|counted)/);
			expect(await planOf(selectSearchedUpTo(build, search, ZONE))).not.toContain("TEMP B-TREE");
			expect(await planOf(selectCounts(build, search, ZONE))).not.toMatch(
				/SCAN fund_requests(?! USING)|FOR ORDER BY/,
			);
		}
	});
});

/** What the screen would say about a filter. */
async function totalsOf(query: string) {
	const { db } = await bench.admin("ada");
	const search = parseSearch(new URLSearchParams(query));
	const { counts, kept } = await db.batch({
		counts: selectCounts(db.build, search, ZONE),
		kept: selectKeptTotals(db.build, search),
	});
	return toListTotals(search, counts[0], kept[0], chooseIndex(search, ZONE).rest !== undefined);
}

it("finds the late requests, and no others", async () => {
	const days = [null, "2026-11-20", "2026-09-21", "2026-09-20", "2026-03-01"];
	for (const [each, spent_on] of days.entries())
		await insertRequest(sql, each + 1, "dana", { created_at: NOON - each, spent_on });
	const { db } = await bench.admin("ada");
	for (const query of ["flag=late", `flag=late&driver=${dana}`, "flag=late&type=gas&amount=0-50"]) {
		const search = parseSearch(new URLSearchParams(query));
		const { rows } = await db.batch({
			rows: selectPage(db.build, search, ZONE, 100, MAX_SEARCHED),
		});
		expect(rows.map(({ request }) => request.number)).toEqual([4, 5]);
		expect(rows.every(({ request }) => isLateRequest(request))).toBe(true);
	}
});

it("says which pending fuel the agreement of its day pays with the miles", async () => {
	await sql("delete from agreements");
	await insertAgreement(sql, 1, "dana", "2026-06-01");
	await insertAgreement(sql, 2, "dana", "2026-11-09", { per_mile_mills: 725 });
	await insertAgreement(sql, 3, "dana", "2026-11-16");
	await insertAgreement(sql, 4, "dana", "2026-11-16", { per_mile_mills: 1 });
	await insertAgreement(sql, 5, "dana", "2026-11-30");
	const decided = { status: "rejected", decided_at: 1, decided_by: idOf("ada") };
	const requests = [
		["on the day of the rate", true, { spent_on: "2026-11-09" }],
		["on the day before", false, { spent_on: "2026-11-08" }],
		["before the first agreement", false, { spent_on: "2026-05-31" }],
		["asked while the last made of one day is in force", true, {}],
		["spent once the next one is", false, { spent_on: "2026-11-30" }],
		["of another type", false, { type: "maintenance" }],
		["decided", false, decided],
	] as const;
	for (const [each, [description, , more]] of requests.entries())
		await insertRequest(sql, each + 1, "dana", { created_at: NOON - each, description, ...more });
	await insertRequest(sql, 8, "omar", { created_at: NOON - 8, description: "without agreements" });
	const { db } = await bench.admin("ada");
	const search = parseSearch(new URLSearchParams());
	const flagged = async () => {
		const { rows, listed } = await db.batch({
			rows: selectPage(db.build, search, ZONE, 100, MAX_SEARCHED),
			listed: findRequests(db.build, "number", [1, 2, 3, 4, 5, 6, 7, 8]),
		});
		const [flags, same] = [rows, listed].map((found) =>
			Object.fromEntries(found.map(({ request, isPaidByMile }) => [request.number, isPaidByMile])),
		);
		expect(same).toEqual(flags);
		return flags;
	};
	const said = Object.fromEntries(requests.map(([, isPaid], each) => [each + 1, isPaid]));
	expect(await flagged()).toEqual({ ...said, 8: false });
	// One that is made later and starts in the past applies to what was asked before, too.
	await insertAgreement(sql, 6, "dana", "2026-11-02", { per_mile_mills: 700 });
	expect(await flagged()).toEqual({ ...said, 2: true, 8: false });
	await insertAgreement(sql, 7, "dana", "2026-11-16");
	expect(await flagged()).toEqual({ ...said, 2: true, 4: false, 8: false });
	const beyond = { threshold_miles: 100, thereafter_mills: 250, tax_year_start: "01-01" };
	await insertAgreement(sql, 8, "dana", "2026-11-16", beyond);
	expect(await flagged()).toEqual({ ...said, 2: true, 4: true, 8: false });
});

describe("the totals of a filter", () => {
	it("agree with the rows of every combination of two filters", async () => {
		const statuses = ["pending", "approved", "rejected", "withdrawn"];
		for (let number = 1; number <= 48; number++) {
			const status = statuses[number % 4] ?? "";
			await insertRequest(sql, number, number % 3 ? "dana" : "omar", {
				status,
				type: ["gas", "maintenance", "other"][number % 3] ?? "",
				amount_cents: number * 457,
				created_at: NOON - number * 40_000_000,
				is_possible_duplicate: number % 5 === 0 ? 1 : 0,
				...(status === "withdrawn" ? { withdrawn_at: 1 } : {}),
				...(status === "approved" || status === "rejected"
					? { decided_at: 1, decided_by: idOf("ada") }
					: {}),
				...(status === "approved" ? { approved_amount_cents: number * 400 } : {}),
			});
		}
		const { db } = await bench.admin("ada");
		const differing: string[] = [];
		let found = 0;
		for (const query of combinations) {
			const search = parseSearch(new URLSearchParams(query));
			const { rows } = await db.batch({
				rows: selectPage(db.build, search, ZONE, 100, MAX_SEARCHED),
			});
			const { count, cents } = await totalsOf(query);
			const sum = rows.reduce(
				(total, { request }) => total + (request.approvedAmountCents ?? request.amountCents),
				0,
			);
			found += rows.length;
			if (count !== rows.length || cents !== sum)
				differing.push(`${query}: ${count}, ${cents}; ${rows.length}, ${sum}`);
		}
		expect(differing).toEqual([]);
		expect(found).toBeGreaterThan(200);
	});

	it("say how many stand before a page, and stop at 500", async () => {
		await insertRequest(sql, 1, "dana", { created_at: NOON });
		const copy = (from: number, to: number) =>
			sql(
				`with recursive n(k) as (select ? union all select k + 1 from n where k < ?)
				insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash)
				select substr(id, 1, 24) || printf('%012d', k), k, driver_id, type, 100, description, status, source, created_at - k * 1000, requested_on, payload_hash
				from n, fund_requests where number = 1`,
				from,
				to,
			);
		await copy(2, MAX_COUNTED);
		const sum = 1250 + (MAX_COUNTED - 1) * 100;
		expect(await totalsOf("type=gas")).toEqual({
			count: MAX_COUNTED,
			cents: sum,
			earlier: 0,
			isSearchCut: false,
		});
		const cursor = `${NOON - 50_000}_${requestId(50)}`;
		expect(await totalsOf(`type=gas&after=${cursor}`)).toMatchObject({ earlier: 50 });
		expect(await totalsOf(`type=gas&before=${cursor}`)).toMatchObject({ earlier: 49 });
		await copy(MAX_COUNTED + 1, MAX_COUNTED + 1);
		expect(await totalsOf("type=gas")).toMatchObject({ count: undefined, cents: undefined });
		// Kept totals know how many are pending, however many there are.
		expect(await totalsOf("status=pending")).toMatchObject({
			count: MAX_COUNTED + 1,
			cents: sum + 100,
		});
		expect(await totalsOf(`driver=${dana}&type=maintenance`)).toMatchObject({
			count: undefined,
			isSearchCut: true,
		});
		// A page that can't read all of them says where it stopped.
		await copy(MAX_COUNTED + 2, MAX_SEARCHED + 1);
		const { db } = await bench.admin("ada");
		const search = parseSearch(new URLSearchParams(`driver=${dana}&type=maintenance`));
		const { rows, upTo } = await db.batch({
			rows: selectPage(db.build, search, ZONE, 51, MAX_SEARCHED),
			upTo: selectSearchedUpTo(db.build, search, ZONE),
		});
		expect(rows).toEqual([]);
		expect(upTo).toEqual([{ createdAt: NOON - MAX_SEARCHED * 1000, id: requestId(MAX_SEARCHED) }]);
	});
});

describe("a page of a long history between two dates", () => {
	const REQUESTS = 3000;
	const MINUTE = 60_000;
	const FIRST = startOfDay(ZONE, parseCalendarDate("2026-11-01"));
	beforeEach(() =>
		bench.rows(
			`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${REQUESTS})
			insert into fund_requests (id, number, driver_id, type, amount_cents, description, status,
				source, created_at, requested_on, payload_hash)
			select printf('30000000-0000-4000-8000-%012d', i), i, ?, 'gas', 1000, 'Gas', 'pending', 'form',
				${FIRST} + i * ${MINUTE}, '2026-11-01', 'x' from n`,
			dana,
		),
	);

	it.each(["newest", "oldest"])("reads no more on either way, %s first", async (order) => {
		const dates = "startDate=2026-11-01&endDate=2026-11-30";
		for (const filter of ["", `&driver=${dana}`, "&status=pending"])
			for (const way of ["after", "before"])
				for (const number of [200, 2800]) {
					const place = `${FIRST + number * MINUTE}_30000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
					const query = `${dates}${filter}&order=${order}&${way}=${place}`;
					const search = parseSearch(new URLSearchParams(query));
					const db = new Database(bench.d1);
					const { rows } = await db.batch({ rows: selectPage(db.build, search, ZONE, 50, 200) });
					expect(rows, query).toHaveLength(50);
					expect(db.cost.rows, query).toBeLessThanOrEqual(ROWS_READ.list + 50);
				}
	});
});
