/**
 * The Fleet Overview: its text, and its figures compared with the rows at the edges of their
 * windows (docs/product.md §2, §9).
 */
import { beforeEach, describe, expect, it } from "vitest";
import { ROWS_READ } from "../support/budgets.ts";
import { CAST, type CastName, idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo, describeDate, describePeriod, midnight } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const approved = { status: "approved", decided_at: 1, decided_by: idOf("ada") };

beforeEach(async () => {
	for (const table of ["fund_requests", "mileage_logs", "uber_fees"])
		await sql(`delete from ${table}`);
});

/** The text of a part of the page, its pieces separated by bars. */
const words = (html: string) =>
	html
		.replace(/<[^>]+>/g, "|")
		.replace(/(\|\s*)+/g, "|")
		.replace(/^\||\|$/g, "");
const section = (html: string, id: string) =>
	new RegExp(`<section aria-labelledby="${id}"[\\s\\S]*?</section>`).exec(html)?.[0] ?? "";
const pieces = (html: string, pattern: RegExp) =>
	[...html.matchAll(pattern)].map(([, piece = ""]) => words(piece));
/** The four cards of docs/product.md §2: label, figure, note. */
const cards = (html: string) =>
	pieces(html.slice(0, html.indexOf('aria-labelledby="spend"')), /<dt[^>]*>([\s\S]*?)<\/dd>/g);
const status = (html: string) => pieces(section(html, "status"), /<li[^>]*>([\s\S]*?)<\/li>/g);
const spend = (html: string) =>
	pieces(section(html, "spend").split("border-t")[0] ?? "", /<dt[^>]*>([\s\S]*?)<\/dd>/g);
const weeks = (html: string) =>
	pieces(section(html, "spend"), /<tr>(<th scope="row"[\s\S]*?)<\/tr>/g);
const top = (html: string) => pieces(section(html, "top-drivers"), /<li[^>]*>([\s\S]*?)<\/li>/g);
/** The widths of a section's bars, each after its track's. */
const bars = (html: string, id: string) =>
	(section(html, id).match(/<rect[^>]*>/g) ?? []).join("").match(/width="\d+%"/g);
const period = (from: number, to: number) => describePeriod(daysAgo(from), daysAgo(to));

describe("a fleet without activity", () => {
	it("shows zeros, a message for each empty list, and no chart", async () => {
		const { text } = await ada.get("/");
		expect(text).toContain(`Week of ${describeDate(daysAgo(0))}`);
		expect(cards(text)).toEqual([
			"Total Drivers|4|Active and approved",
			"Pending Requests|0|Awaiting a decision",
			"Total Uber Fees|$0.00|All time",
			"Total Miles|0|All time",
		]);
		expect(status(text)).toEqual([
			"All systems running normally|No alerts at this time",
			"1 driver application awaiting review|New drivers don&#x27;t have access until they&#x27;re approved.|Review applications",
		]);
		expect(spend(text)).toEqual([
			`Total Spend|$0.00|Same as the previous 7 days (${period(13, 7)})`,
			"Fuel Expenses|$0.00|0% of total",
			"Uber Fees|$0.00|0% of total",
		]);
		expect(text).toContain("No driver data available");
		expect(text).toContain("No spending in these weeks.");
		expect(text).not.toContain("data-island");
		expect(text).not.toContain("Loading chart data");
		expect(weeks(text)).toHaveLength(1);
	});

	it("has the weeks since its first entry", async () => {
		await insertRequest(sql, 1, "dana", {
			...approved,
			amount_cents: 5000,
			requested_on: daysAgo(27),
		});
		const { text } = await ada.get("/");
		expect(text).toContain("Last 4 weeks");
		expect(weeks(text)).toHaveLength(4);
	});
});

describe("the week and the weeks before it", () => {
	it("cover their dates exactly to the millisecond, and show them", async () => {
		const at = (ago: number, more = 0) => ({
			...approved,
			created_at: midnight(daysAgo(ago)) + more,
		});
		// Within the week: its first and last millisecond. Outside it: the millisecond before, and the
		// first one of tomorrow.
		await insertRequest(sql, 1, "dana", { ...at(6), amount_cents: 50_000 });
		await insertRequest(sql, 2, "omar", { ...at(-1, -1), amount_cents: 20_000 });
		await insertRequest(sql, 3, "dana", { ...at(6, -1), amount_cents: 1 });
		await insertRequest(sql, 4, "dana", { ...at(-1), amount_cents: 2 });
		await insertRequest(sql, 5, "dana", { ...at(3), amount_cents: 4, type: "maintenance" });
		await insertRequest(sql, 6, "dana", { ...at(3), amount_cents: 8, status: "rejected" });
		await insertRequest(sql, 7, "dana", { created_at: midnight(daysAgo(3)), amount_cents: 16 });
		await insertFee(sql, 1, "dana", daysAgo(6), { amount_cents: 10_000, category: "service_fee" });
		await insertFee(sql, 2, "omar", daysAgo(0), { amount_cents: 20_000, category: "other" });
		await insertFee(sql, 3, "omar", daysAgo(7), { amount_cents: 32 });
		await insertFee(sql, 4, "omar", daysAgo(1), {
			amount_cents: 64,
			deleted_at: 1,
			deleted_by: idOf("ada"),
		});
		// The first day of the twelve weeks, and the day before it.
		await insertFee(sql, 5, "lena", daysAgo(83), { amount_cents: 123_456 });
		await insertFee(sql, 6, "lena", daysAgo(84), { amount_cents: 128 });
		const { text } = await ada.get("/");
		expect(section(text, "spend")).toContain(`<p class="text-quiet">${period(6, 0)}</p>`);
		expect(spend(text)).toEqual([
			`Total Spend|$1,000.00|$999.67 more than the previous 7 days (${period(13, 7)})`,
			"Fuel Expenses|$700.00|70% of total",
			"Uber Fees|$300.00|30% of total",
		]);
		expect(bars(text, "spend")).toEqual([
			'width="100%"',
			'width="70%"',
			'width="100%"',
			'width="30%"',
		]);
		const rows = weeks(text);
		expect(rows[0]).toBe(`${period(6, 0)}|$700.00|$300.00|$1,000.00`);
		expect(rows[1]).toBe(`${period(13, 7)}|$0.01|$0.32|$0.33`);
		expect(rows.slice(2, 11)).toEqual(
			Array.from(
				{ length: 9 },
				(_, position) => `${period(20 + 7 * position, 14 + 7 * position)}|$0.00|$0.00|$0.00`,
			),
		);
		expect(rows[11]).toBe(`${period(83, 77)}|$0.00|$1,234.56|$1,234.56`);
		const props = /data-props="([^"]*)"/.exec(text)?.[1]?.replaceAll("&quot;", '"') ?? "";
		const drawn = (
			JSON.parse(props) as { weeks: { dates: string; fuelCents: number; feeCents: number }[] }
		).weeks;
		expect(drawn.map(({ dates, fuelCents, feeCents }) => [dates, fuelCents, feeCents])).toEqual([
			[period(83, 77), 0, 123_456],
			...Array.from({ length: 9 }, (_, position) => [
				period(76 - 7 * position, 70 - 7 * position),
				0,
				0,
			]),
			[period(13, 7), 1, 32],
			[period(6, 0), 70_000, 30_000],
		]);
		expect(text).toContain("Loading chart data...");
		expect(cards(text)[1]).toBe("Pending Requests|1|Awaiting a decision");
		const fees = 10_000 + 20_000 + 32 + 123_456 + 128;
		expect(cards(text)[2]).toBe(
			`Total Uber Fees|$${(fees / 100).toLocaleString("en-US")}|All time`,
		);
	});

	it("say when less was spent than the week before", async () => {
		await insertFee(sql, 1, "dana", daysAgo(7), { amount_cents: 150 });
		await insertFee(sql, 2, "dana", daysAgo(6), { amount_cents: 50 });
		expect(spend((await ada.get("/")).text)[0]).toBe(
			`Total Spend|$0.50|$1.00 less than the previous 7 days (${period(13, 7)})`,
		);
	});
});

describe("Top Drivers This Week", () => {
	it("are the top three by miles of the last 7 days, with cost per mile and its label", async () => {
		await insertLog(sql, 1, "dana", daysAgo(6), 100);
		await insertLog(sql, 2, "omar", daysAgo(0), 1200);
		await insertLog(sql, 3, "lena", daysAgo(3), 90);
		await insertLog(sql, 4, "lena", daysAgo(2), 11);
		await insertLog(sql, 5, "ines", daysAgo(3), 99);
		// None of these count: the day before, tomorrow, a voided trip, a person who isn't an approved
		// driver.
		await insertLog(sql, 6, "dana", daysAgo(7), 1900);
		await insertLog(sql, 7, "ines", daysAgo(-1), 1900);
		await insertLog(sql, 8, "ines", daysAgo(1), 1900, { voided_at: 1, voided_by: idOf("ada") });
		await insertLog(sql, 9, "rex", daysAgo(1), 1900);
		// 99.50 / 100 is 0.995, which rounds to 1.00; 1,193.99 / 1,200 is just below 0.995.
		await insertRequest(sql, 1, "dana", { ...approved, amount_cents: 9950 });
		await insertRequest(sql, 2, "omar", { ...approved, amount_cents: 119_399 });
		await insertRequest(sql, 3, "lena", {
			...approved,
			amount_cents: 100_000,
			created_at: midnight(daysAgo(6)) - 1,
		});
		await insertRequest(sql, 4, "lena", { ...approved, amount_cents: 100_000, type: "other" });
		const { text } = await ada.get("/");
		expect(top(text)).toEqual([
			"OO|Omar Okafor|DRV-0002|1,200 mi|$0.99 per mile|Efficient",
			"ŁN|Łena Nguyễn|DRV-0003|101 mi|$0.00 per mile|Efficient",
			"DD|Dana Driver|DRV-0001|100 mi|$1.00 per mile|Average",
		]);
		expect(words(section(text, "top-drivers"))).toContain(
			`Ranked by miles, last 7 days (${period(6, 0)}).`,
		);
		expect(cards(text)[3]).toBe("Total Miles|7,200|All time");
	});

	it("are sorted by name when their miles are equal", async () => {
		const names: readonly CastName[] = ["omar", "ines", "lena", "dana"];
		for (const [position, name] of names.entries())
			await insertLog(sql, position + 1, name, daysAgo(1), 50);
		const byName = names
			.map((name) => CAST[name])
			.sort((one, other) => (one.lastName < other.lastName ? -1 : 1));
		const shown = top((await ada.get("/")).text).map((each) => each.split("|")[1]);
		expect(shown).toEqual(
			byName.slice(0, 3).map(({ firstName, lastName }) => `${firstName} ${lastName}`),
		);
		expect(shown).toEqual(["Dana Driver", "Inès Invited", "Łena Nguyễn"]);
	});
});

describe("the other charts", () => {
	/** The rows of a section's table, which has the data of its chart. */
	const table = (html: string, id: string) =>
		pieces(section(html, id), /<tr>(<th scope="row"[\s\S]*?)<\/tr>/g);
	const month = (ago: number, more: Record<string, string | number>) => ({
		...approved,
		created_at: midnight(daysAgo(ago)),
		...more,
	});

	it("show miles by week, cost per mile by driver and requests by type, each with a table", async () => {
		await insertLog(sql, 1, "dana", daysAgo(0), 100);
		await insertLog(sql, 2, "omar", daysAgo(7), 200);
		await insertLog(sql, 3, "lena", daysAgo(83), 900);
		await insertLog(sql, 4, "lena", daysAgo(3), 50);
		await insertLog(sql, 5, "lena", daysAgo(84), 900);
		await insertFee(sql, 1, "dana", daysAgo(7), { amount_cents: 1000 });
		await insertRequest(sql, 1, "dana", month(1, { amount_cents: 5000 }));
		await insertRequest(sql, 2, "omar", month(8, { amount_cents: 40_000 }));
		await insertRequest(sql, 3, "lena", month(8, { amount_cents: 2000 }));
		await insertRequest(sql, 4, "lena", month(60, { amount_cents: 700, type: "maintenance" }));
		await insertRequest(sql, 5, "lena", month(2, { amount_cents: 300, type: "other" }));
		await insertRequest(sql, 6, "lena", month(2, { amount_cents: 99, status: "rejected" }));
		await insertRequest(sql, 7, "lena", month(90, { amount_cents: 99_900 }));
		const { text, headers } = await ada.get("/");
		expect(costOf({ headers }).trips).toBe(1);
		const rows = table(text, "miles");
		expect(rows).toHaveLength(12);
		expect(rows.slice(0, 2)).toEqual([
			`${period(6, 0)}|150|$50.00|$0.33`,
			`${period(13, 7)}|200|$430.00|$2.15`,
		]);
		expect(rows[11]).toBe(`${period(83, 77)}|900|$0.00|$0.00`);
		// 1,250 miles; $470 of fuel and $10 of fees.
		expect(words(section(text, "miles"))).toContain(
			"1,250 mi|in 12 weeks, at $0.38 of fuel and fees per mile",
		);
		expect(words(section(text, "miles"))).toContain("|200 mi, $2.15 per mile|");
		expect(words(section(text, "miles"))).not.toContain("Cut off");
		expect(table(text, "cost-by-driver")).toEqual([
			"Łena Nguyễn|$20.00|50|$0.40",
			"Dana Driver|$50.00|100|$0.50",
			"Omar Okafor|$400.00|200|$2.00",
		]);
		expect(bars(text, "cost-by-driver")).toEqual(
			["100%", "20%", "100%", "25%", "100%", "100%"].map((width) => `width="${width}"`),
		);
		expect(words(section(text, "cost-by-driver"))).toMatch(
			/Lowest\|.*Most over the \$0\.85 target\|Omar/,
		);
		expect(table(text, "requests-by-type")).toEqual([
			"Gas/Fuel|3|$470.00",
			"Vehicle Maintenance|1|$7.00",
			"Other|1|$3.00",
		]);
	});

	it("cut off a week that would make the others unreadable, and say what it stands for", async () => {
		for (const ago of [1, 8, 15, 22])
			await insertLog(sql, ago, "dana", daysAgo(ago), ago === 8 ? 1900 : 100);
		const { text } = await ada.get("/");
		// Without the year that a week over New Year has.
		const [day] = period(13, 7).split(/,| to /);
		expect(words(section(text, "miles"))).toContain(`Cut off: ${day} (1,900 mi).`);
		expect(section(text, "miles").match(/height="\d+"/g)).toContain('height="96"');
	});

	it("say so when there is nothing to draw", async () => {
		const { text } = await ada.get("/");
		expect(words(section(text, "miles"))).toContain(
			"No miles in these weeks. Drivers' miles".replace("'", "&#x27;"),
		);
		expect(words(section(text, "requests-by-type"))).toContain(
			"No requests were approved in this period.",
		);
		expect(words(section(text, "cost-by-driver"))).toContain(
			"No driver has both miles and approved fuel in this period.",
		);
		expect(table(text, "requests-by-type")).toHaveLength(3);
	});
});

describe("System Status", () => {
	const pendingAlert = (count: number) =>
		`Pending requests|${count} fund requests pending approval. Average processing time should be under 2 days.|Review requests`;
	const feeAlert =
		"Uber fees|Total Uber fees of $1,500.01 are above typical range. Review fee management.|Typical = up to $1,500.00|Review fees";
	const calm = "All systems running normally|No alerts at this time";
	const waiting = (count: number) =>
		`${count} fund request${count === 1 ? "" : "s"} awaiting a decision|Up to 5 is within the normal range.|Review requests`;

	it.each([
		[0, 150_000, [calm]],
		[0, 150_001, [feeAlert]],
		[1, 1, [waiting(1)]],
		[5, 150_000, [waiting(5)]],
		[5, 150_001, [feeAlert, waiting(5)]],
		[6, 150_000, [pendingAlert(6)]],
		[6, 150_001, [pendingAlert(6), feeAlert]],
	])("has %i pending requests and %i cents of fees", async (count, cents, expected) => {
		for (let each = 1; each <= count; each++)
			await insertRequest(sql, each, "dana", { created_at: midnight(daysAgo(300)) + each });
		await insertFee(sql, 1, "dana", daysAgo(400), { amount_cents: cents });
		const { text } = await ada.get("/");
		expect(status(text)).toEqual([
			...expected,
			expect.stringContaining("1 driver application awaiting review"),
		]);
		const links = [...section(text, "status").matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
		const wanted = {
			requests: "/fund-requests?status=pending",
			fees: "/uber-fees",
			applications: "/drivers",
		};
		expect(links).toEqual([
			...expected.flatMap((line) =>
				line.includes("Review requests")
					? [wanted.requests]
					: line === feeAlert
						? [wanted.fees]
						: [],
			),
			wanted.applications,
		]);
		// Only alerts are amber.
		const tones = pieces(section(text, "status"), /<li class="[^"]*border-(wait|good|line) /g);
		expect(tones).toEqual([
			...expected.map((line) =>
				line === calm ? "good" : line.includes("normal range") ? "line" : "wait",
			),
			"line",
		]);
		for (const href of new Set(links)) expect((await ada.get(href ?? "")).status).toBe(200);
	});
});

describe("its cost", () => {
	it("is one round trip, and at most 300 rows and 60 per driver, however long the history", async () => {
		const drivers = 150;
		await sql(`insert into users (id, role, first_name, last_name, email, driver_number, approval_status, is_active, created_at, approved_at)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < ${drivers})
			select printf('80000000-0000-4000-8000-%012d', i), 'driver', 'A', 'B' || i, 'b' || i || '@x.test', 100 + i, 'approved', 1, 1, 1 from n`);
		const drive = (from: number, days: number) =>
			sql(
				`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < ${drivers}),
			d(k) as (select ? union all select k + 1 from d where k < ?)
			select printf('90000000-0000-4000-8000-%06d%06d', k, i), printf('80000000-0000-4000-8000-%012d', i), date(?, '-' || k || ' days'),
			1000000 - k * 300, 1000000 - k * 300 + i, 'seed', 1, 'x' from n, d`,
				from,
				from + days - 1,
				daysAgo(0),
			);
		// Figures per driver cover a month at most: of single days as well, 29 to 53 rows, which depends on
		// how far today is from the last block of 16 days (app/domain/analytics/blocks.ts).
		await drive(0, 35);
		for (let ago = 0; ago < 84; ago++) await insertFee(sql, ago + 1, "dana", daysAgo(ago));
		const young = await ada.get("/");
		await drive(35, 40);
		const old = await ada.get("/");
		const [before, after] = [costOf(young), costOf(old)];
		console.log(
			`Fleet Overview with ${drivers} more drivers: ${before.rows} rows read, ${after.rows} with twice the history`,
		);
		expect(before.trips).toBe(1);
		expect(after).toEqual(before);
		expect(before.rows).toBeGreaterThan(drivers);
		expect(before.rows).toBeLessThanOrEqual(ROWS_READ.list + 60 * (drivers + 5));
		expect(top(old.text)[0]).toBe(
			`AB|A B${drivers}|DRV-0${100 + drivers}|${(7 * drivers).toLocaleString("en-US")} mi|$0.00 per mile|Efficient`,
		);
	});
});
