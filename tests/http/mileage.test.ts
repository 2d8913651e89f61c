/** Log Daily Mileage without JavaScript, and its API (docs/product.md §2, §5, §7, 'Mileage'). */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, formatDate } from "../../app/values/calendar-date.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { textOf } from "../support/drivers.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const today = daysAgo(0);

/** The form's fields, with some of them typed over. */
async function fill(client: Client, typed: Record<string, string>) {
	const { fields } = formWith((await client.get("/mileage")).text, "Log Mileage");
	return { ...fields, ...typed };
}

/** Logs today's trip with these readings. */
async function log(client: Client, startOdometer: number, endOdometer: number): Promise<void> {
	const trip = { date: today, startOdometer, endOdometer };
	expect((await client.call("POST", "/api/mileage", trip)).status).toBe(201);
}

describe("the form", () => {
	it("offers today, the driver's ID and the last ending reading", async () => {
		const client = await fleet.as("dana");
		const { text, status } = await client.get("/mileage");
		expect(status).toBe(200);
		expect(text).toContain(">Log Daily Mileage</h1>");
		const { fields } = formWith(text, "Log Mileage");
		const [last] = await fleet.sql<{ end_miles: number }>(
			"select max(end_miles) as end_miles from mileage_logs where driver_id = (select id from users where email = 'dana@milepost.test')",
		);
		expect(fields).toMatchObject({
			date: today,
			startOdometer: String(last?.end_miles),
			endOdometer: "",
			notes: "",
		});
		expect(fields.key).toMatch(/^[0-9a-f-]{36}$/);
		expect(text).toMatch(/readOnly="" value="DRV-0001"/i);
		expect(text).toContain("Calculated Miles");
		expect(text).toMatch(/inputMode="numeric"/i);
	});

	it("follows the date of its URL: the last ending before it, and the entries on both sides", async () => {
		const client = await fleet.as("lena");
		const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
		await fleet.sql("delete from mileage_logs where driver_id = ?", idOf("lena"));
		const readings = { start_miles: 1000, end_miles: 1040 };
		await insertLog(sql, 71, "lena", daysAgo(9), 40, readings);
		await insertLog(sql, 72, "lena", daysAgo(5), 50, { start_miles: 1100, end_miles: 1150 });
		const offered = async (path: string) => formWith((await client.get(path)).text, "Log Mileage");
		const { text } = await client.get(`/mileage?date=${daysAgo(7)}`);
		expect(formWith(text, "Log Mileage").fields).toMatchObject({
			date: daysAgo(7),
			startOdometer: "1040",
		});
		const moment = await offered(`/mileage?date=${daysAgo(7)}T00:00:00.000Z`);
		expect(moment.fields).toMatchObject({ date: daysAgo(7), startOdometer: "1040" });
		expect(text).toContain(
			`Between your entries of ${formatDate(daysAgo(9))} (1,000 to 1,040) and ${formatDate(daysAgo(5))} (1,100 to 1,150): at most 60 miles.`,
		);
		expect(text).toContain(`href="/mileage?date=${daysAgo(7)}"`);
		expect(text).not.toContain(`href="/mileage?date=${daysAgo(5)}"`);
		expect((await offered("/mileage")).fields).toMatchObject({
			date: today,
			startOdometer: "1150",
		});
		// Its own trips are named beside it.
		const own = `/mileage?date=${daysAgo(5)}`;
		expect((await offered(own)).fields.startOdometer).toBe("1040");
		await insertLog(sql, 73, "lena", daysAgo(7), 60, { start_miles: 1040, end_miles: 1100 });
		expect((await offered(own)).fields.startOdometer).toBe("1100");
		expect((await client.get(own)).text).toContain("Already logged for this date: 1,100 to 1,150.");
		expect((await offered(`/mileage?date=${daysAgo(12)}`)).fields.startOdometer).toBe("");
		for (const odd of ["2026-02-30", "x", addDays(today, 9), "1999-01-01"])
			expect((await offered(`/mileage?date=${odd}`)).fields.date).toBe(today);
	});

	it("lists what was recorded today apart from what is dated today", async () => {
		const client = await fleet.as("lena");
		await client.call("POST", "/api/mileage", {
			date: daysAgo(1),
			startOdometer: 1150,
			endOdometer: 1160,
		});
		const { text } = await client.get("/mileage");
		expect(text).toContain("Logged today");
		const rows = text.split('<tr id="log-').slice(1);
		expect(rows.find((row) => row.includes("1,160"))).not.toContain(">Today<");
		await client.call("POST", "/api/mileage", {
			date: today,
			startOdometer: 1160,
			endOdometer: 1170,
		});
		const dated = (await client.get("/mileage")).text.split('<tr id="log-').slice(1);
		expect(dated.find((row) => row.includes("1,170"))).toContain(">Today<");
	});

	it("logs the trip, says so, lists it, and offers an empty form", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client, {
			startOdometer: "46,500",
			endOdometer: "46,585",
			notes: "Airport <run>",
		});
		const answer = await client.post("/mileage", fields);
		expect(answer.status).toBe(303);
		expect(answer.headers.get("Location")).toMatch(/^\/mileage#log-/);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const page = await client.get("/mileage");
		expect(page.headers.get("Server-Timing")).toContain("1 trip,");
		expect(page.text).toContain("Mileage log created successfully");
		expect(page.text).toContain("Airport &lt;run&gt;");
		expect(page.text).toContain("46,585");
		const fresh = formWith(page.text, "Log Mileage").fields;
		expect(fresh).toMatchObject({ startOdometer: "46585", endOdometer: "", notes: "" });
		expect(fresh.key).not.toBe(fields.key);
		expect((await client.get("/mileage")).text).not.toContain("Mileage log created successfully");
	});

	it.each([
		[
			"a reading is missing",
			{ startOdometer: "46600", endOdometer: "" },
			"Please fill in both odometer readings",
		],
		[
			"both are missing",
			{ startOdometer: "", endOdometer: " " },
			"Please fill in both odometer readings",
		],
		[
			"the end isn't above the start",
			{ startOdometer: "46600", endOdometer: "46600" },
			"Ending odometer must be greater than starting odometer",
		],
		[
			"a reading has a fraction",
			{ startOdometer: "46600", endOdometer: "46600.5" },
			"whole numbers",
		],
		["a reading is negative", { startOdometer: "-5", endOdometer: "46600" }, "whole numbers"],
		[
			"a reading is too large",
			{ startOdometer: "46600", endOdometer: "10000000" },
			"whole numbers",
		],
		[
			"the date doesn't exist",
			{ date: "2026-02-30", startOdometer: "46600", endOdometer: "46700" },
			"Enter a valid date",
		],
		[
			"the date is in the future",
			{ date: addDays(today, 2), startOdometer: "46600", endOdometer: "46700" },
			"be in the future",
		],
	])("refuses when %s, keeps what was typed and stores nothing", async (_, typed, message) => {
		const client = await fleet.as("dana");
		const [before] = await fleet.sql("select count(*) as n from mileage_logs");
		const fields = await fill(client, { notes: "Kept notes", ...typed });
		const { status, text } = await client.post("/mileage", fields);
		expect(status).toBe(400);
		expect(text).toContain(message);
		expect(formWith(text, "Log Mileage").fields).toEqual(fields);
		expect(await fleet.sql("select count(*) as n from mileage_logs")).toEqual([before]);
	});

	it("accepts a trip dated tomorrow from a phone in a time zone further east", async () => {
		const client = await fleet.as("omar");
		expect(
			(
				await client.post(
					"/mileage",
					await fill(client, {
						date: addDays(today, 1),
						startOdometer: "90000",
						endOdometer: "90001",
					}),
				)
			).status,
		).toBe(303);
	});

	it("refuses an exact duplicate and keeps the form", async () => {
		const client = await fleet.as("dana");
		await log(client, 46_500, 46_585);
		const { status, text } = await client.post(
			"/mileage",
			await fill(client, { startOdometer: "46500", endOdometer: "46585" }),
		);
		expect(status).toBe(409);
		expect(text).toContain("This trip is already logged");
		expect(formWith(text, "Log Mileage").fields).toMatchObject({
			startOdometer: "46500",
			endOdometer: "46585",
		});
	});

	it("asks about a likely mistake, and accepts it when the same form is sent again", async () => {
		const client = await fleet.as("dana");
		await log(client, 46_500, 46_585);
		const { status, text } = await client.post(
			"/mileage",
			await fill(client, { startOdometer: "46550", endOdometer: "46590" }),
		);
		expect(status).toBe(409);
		expect(text).toContain("These readings overlap a trip");
		expect(text).toContain("below your last ending reading, 46,585");
		const page = await client.postAndFollow("/mileage", formWith(text, "Log Mileage").fields);
		expect(page.text).toContain("Mileage log created successfully");
		expect(page.text).toContain("Overlap");
	});

	it("returns the same entry for a resubmission", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client, { startOdometer: "47000", endOdometer: "47010" });
		const first = await client.post("/mileage", fields);
		const again = await client.post("/mileage", fields);
		expect(again.status).toBe(303);
		expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
		expect((await client.get("/mileage")).text).toMatch(
			/Already received: [A-Z][a-z]{2} \d+, \d{4}, 10 miles, \d{1,2}:\d\d [AP]M</,
		);
		const changed = await client.post("/mileage", { ...fields, endOdometer: "47011" });
		expect(changed.status).toBe(409);
		expect(changed.text).toContain("already submitted this form with different values");
		expect(formWith(changed.text, "Log Mileage").fields.key).not.toBe(fields.key);
		expect(await fleet.sql("select 1 from mileage_logs where start_miles = 47000")).toHaveLength(1);
	});
});

describe("a driver", () => {
	it("corrects an entry in one step", async () => {
		const client = await fleet.as("lena");
		await client.post(
			"/mileage",
			await fill(client, { startOdometer: "70000", endOdometer: "70900" }),
		);
		const link =
			/href="(\/mileage\?correct=[^"#]+)/.exec((await client.get("/mileage")).text)?.[1] ?? "";
		const page = await client.get(link);
		expect(page.text).toContain("re correcting an entry");
		// The last entry is the one being corrected.
		expect(textOf(page.text)).not.toContain("Your last entry ended at 70,900");
		expect(textOf(page.text)).toContain("Check your vehicle's odometer.");
		const fields = formWith(page.text, "Save correction").fields;
		expect(fields).toMatchObject({ startOdometer: "70000", endOdometer: "70900" });
		const after = await client.postAndFollow("/mileage", { ...fields, endOdometer: "70090" });
		expect(after.text).toContain("Mileage log corrected");
		expect(after.text).toContain("Corrected</span>");
		expect((await client.get(link)).text).toContain("You&#x27;ve corrected this entry already.");
		expect(formWith(after.text, "Log Mileage").fields.startOdometer).toBe("70090");
	});

	it("voids an entry after a confirmation; it stays visible but no longer counts in totals", async () => {
		const client = await fleet.as("lena");
		await log(client, 70_000, 70_090);
		const miles = async () =>
			(
				await fleet.sql<{ miles: number }>(
					"select miles from block_totals where driver_id = '' and days = 256",
				)
			)[0]?.miles ?? 0;
		const before = await miles();
		const link = (
			/href="(\/mileage\?dialog=void[^"]+)"/.exec((await client.get("/mileage")).text)?.[1] ?? ""
		).replaceAll("&amp;", "&");
		const dialog = await client.get(link);
		expect(dialog.text).toContain("Void this entry?");
		const answer = await client.post("/mileage", formWith(dialog.text, "Void entry").fields);
		expect(answer.status).toBe(303);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const page = await client.get("/mileage");
		expect(page.text).toContain("Entry voided");
		expect(page.text).toContain("Voided</span>");
		expect(before - (await miles())).toBe(90);
		const again = textOf((await client.get(link)).text);
		expect(again).toContain("This entry is already voided.");
		expect(again).not.toContain("Void this entry?");
	});

	it("is told why an entry can no longer be corrected", async () => {
		const client = await fleet.as("dana");
		const sql = fleet.sql.bind(fleet);
		const more = { created_at: currentTime() - 8 * 86_400_000 };
		const old = await insertLog(sql, 700, "dana", daysAgo(9), 10, more);
		const { text } = await client.get(`/mileage?correct=${old}`);
		expect(textOf(text)).toContain(
			"Entries can be corrected for 7 days. Ask an administrator to void this one before you log it again.",
		);
		expect(formWith(text, "Log Mileage").fields.correctsId).toBeUndefined();
		const voided = { voided_at: currentTime(), voided_by: idOf("ada"), void_reason: "Corrected" };
		const other = await insertLog(sql, 701, "dana", daysAgo(1), 10, voided);
		expect(textOf((await client.get(`/mileage?correct=${other}`)).text)).toContain(
			"This entry is voided, so it can no longer be corrected. The form below logs a new trip.",
		);
	});

	it("cannot void another driver's entry", async () => {
		const [log] = await fleet.sql<{ id: string }>(
			"select id from mileage_logs where driver_id = (select id from users where email = 'dana@milepost.test') and voided_at is null",
		);
		const client = await fleet.as("omar");
		const answer = await client.post("/mileage", { intent: "void", id: log?.id ?? "" });
		expect(answer.status).toBe(404);
		expect(answer.text).toContain("Entry not found.");
		expect((await client.post("/mileage", { intent: "void", id: "1' or 1=1" })).status).toBe(404);
	});
});

describe("the mileage API", () => {
	it("creates, lists newest first, and filters by date", async () => {
		const client = await fleet.as("omar");
		const made = await client.call("POST", "/api/mileage", {
			date: addDays(today, -1),
			startOdometer: 91_000,
			endOdometer: 91_040,
		});
		expect(made.status).toBe(201);
		expect(JSON.parse(made.text)).toMatchObject({
			date: addDays(today, -1),
			startOdometer: 91_000,
			endOdometer: 91_040,
			calculatedMiles: 40,
			notes: null,
			driverIdCode: "DRV-0002",
			status: "logged",
		});
		const all = JSON.parse((await client.get("/api/mileage")).text) as {
			date: string;
			driverIdCode: string;
		}[];
		expect(all.length).toBeGreaterThan(10);
		expect(all.map(({ date }) => date)).toEqual(
			all
				.map(({ date }) => date)
				.toSorted()
				.toReversed(),
		);
		expect(new Set(all.map(({ driverIdCode }) => driverIdCode))).toEqual(new Set(["DRV-0002"]));
		const some = JSON.parse(
			(
				await client.get(
					`/api/mileage?startDate=${addDays(today, -1)}&endDate=${addDays(today, -1)}`,
				)
			).text,
		) as {
			date: string;
		}[];
		expect(new Set(some.map(({ date }) => date))).toEqual(new Set([addDays(today, -1)]));
		expect(JSON.parse((await client.get("/api/mileage?limit=3")).text)).toHaveLength(3);
		const fleetwide = JSON.parse((await (await fleet.as("ada")).get("/api/mileage")).text) as {
			driverIdCode: string;
		}[];
		expect(new Set(fleetwide.map(({ driverIdCode }) => driverIdCode))).toEqual(
			new Set(["DRV-0001", "DRV-0002", "DRV-0003"]),
		);
	});

	it("accepts a date sent as a timestamp, and readings sent as text", async () => {
		const client = await fleet.as("omar");
		const made = await client.call("POST", "/api/mileage", {
			date: `${today}T00:00:00.000Z`,
			startOdometer: "91040",
			endOdometer: "91,050",
		});
		expect(made.status).toBe(201);
		expect(JSON.parse(made.text)).toMatchObject({ date: today, calculatedMiles: 10 });
	});

	it("uses the form's messages", async () => {
		const client = await fleet.as("omar");
		const missing = await client.call("POST", "/api/mileage", { date: today, startOdometer: 1 });
		expect(missing.status).toBe(400);
		expect(JSON.parse(missing.text)).toEqual({
			message: "Please fill in both odometer readings",
			fields: { endOdometer: ["Please fill in both odometer readings"] },
		});
		const lower = await client.call("POST", "/api/mileage", {
			date: today,
			startOdometer: 10,
			endOdometer: 5,
		});
		expect(JSON.parse(lower.text)).toEqual({
			message: "Ending odometer must be greater than starting odometer",
			fields: { endOdometer: ["Ending odometer must be greater than starting odometer"] },
		});
		const fraction = await client.call("POST", "/api/mileage", {
			date: today,
			startOdometer: 1.5,
			endOdometer: 5,
		});
		expect(fraction.status).toBe(400);
		await log(client, 91_000, 91_040);
		const twice = await client.call("POST", "/api/mileage", {
			date: today,
			startOdometer: 91_000,
			endOdometer: 91_040,
		});
		expect(twice.status).toBe(409);
		expect(JSON.parse(twice.text)).toEqual({ message: "This trip is already logged" });
		for (const query of [
			"startDate=2026-02-30",
			"startDate=2026-02-02&endDate=2026-02-01",
			"limit=0",
			"limit=501",
			"limit=x",
		])
			expect((await client.get(`/api/mileage?${query}`)).status, query).toBe(400);
	});

	it("returns the first result for the same Idempotency-Key, and refuses it with other values", async () => {
		const client = await fleet.as("omar");
		const headers = { "Idempotency-Key": "b7a4c2f0-call-1" };
		const body = { date: today, startOdometer: 92_000, endOdometer: 92_010 };
		const first = await client.call("POST", "/api/mileage", body, { headers });
		const again = await client.call("POST", "/api/mileage", body, { headers });
		expect(again.status).toBe(201);
		expect(again.text).toBe(first.text);
		expect(again.headers.get("Idempotency-Replayed")).toBe("true");
		expect(
			(await client.call("POST", "/api/mileage", { ...body, endOdometer: 92_011 }, { headers }))
				.status,
		).toBe(422);
		expect(
			(
				await client.call("POST", "/api/mileage", body, {
					headers: { "Idempotency-Key": "not one word" },
				})
			).status,
		).toBe(400);
	});

	it("ignores a driverId in the body: the owner is the session", async () => {
		const [dana] = await fleet.sql<{ id: string }>(
			"select id from users where email = 'dana@milepost.test'",
		);
		const client = await fleet.as("omar");
		const made = await client.call("POST", "/api/mileage", {
			date: today,
			startOdometer: 93_000,
			endOdometer: 93_001,
			driverId: dana?.id,
			id: dana?.id,
		});
		expect(JSON.parse(made.text).driverIdCode).toBe("DRV-0002");
	});
});

describe("when the database fails", () => {
	it.each([
		["users", "80000", "80010"],
		["mileage_logs", "80010", "80020"],
	])(
		"keeps what was typed, says so, and saves nothing (without %s)",
		async (table, startOdometer, endOdometer) => {
			const client = await fleet.as("lena");
			const fields = await fill(client, { startOdometer, endOdometer, notes: "Do not lose me" });
			await fleet.sql(`alter table ${table} rename to hidden`);
			const answer = await client.post("/mileage", fields, { mayFail: true });
			await fleet.sql(`alter table hidden rename to ${table}`);
			expect(answer.status).toBe(503);
			expect(answer.text).toContain("Failed to create mileage log");
			const { fields: kept, action } = formWith(answer.text, "Send again");
			expect(action).toBe("/mileage");
			expect(kept).toEqual(fields);
			expect(fleet.takeErrors()).toHaveLength(1);
			await client.post("/mileage", kept);
			expect(
				await fleet.sql("select 1 from mileage_logs where submission_key = ?", fields.key),
			).toHaveLength(1);
		},
	);
});

describe("trips of the last seven days", () => {
	const ids: string[] = [];
	beforeEach(async () => {
		ids.length = 0;
		for (let number = 0; number < 40; number++)
			ids.push(
				await insertLog(fleet.sql.bind(fleet), 4000 + number, "omar", daysAgo(2), 10, {
					created_at: currentTime() - 60_000 * Math.floor(number / 4),
				}),
			);
	});

	it("are offered for correction for seven days, page by page", async () => {
		const client = await fleet.as("omar");
		const found: string[] = [];
		for (let url: string | undefined = "/mileage"; url && found.length < 200; ) {
			const { text } = await client.get(url);
			found.push(
				...[...text.matchAll(/href="\/mileage\?correct=([0-9a-f-]+)["&]/g)].map(
					([, id = ""]) => id,
				),
			);
			url = /href="([^"]+)"[^>]*>Next page</.exec(text)?.[1]?.replaceAll("&amp;", "&");
		}
		expect(found).toEqual(expect.arrayContaining(ids));
		expect(new Set(found).size).toBe(found.length);
	});

	it("are voided without leaving their page, and can be kept as they are", async () => {
		const client = await fleet.as("omar");
		const toNext = /href="([^"]+)"[^>]*>Next page</;
		const [, next = ""] = toNext.exec((await client.get("/mileage")).text) ?? [];
		const page = next.replaceAll("&amp;", "&");
		expect(page).toMatch(/^\/mileage\?after=[^#]+#entries$/);
		const { text } = await client.get(page);
		expect(text).toContain('id="entries"');
		const [, correct = ""] = /href="([^"]+)"[^>]*>Correct</.exec(text) ?? [];
		const correcting = await client.get(correct.replaceAll("&amp;", "&"));
		const [, kept = ""] = /href="([^"]+)"[^>]*>Keep old entry</.exec(correcting.text) ?? [];
		const [, link = ""] = /href="([^"]+)"[^>]*>Void</.exec(text) ?? [];
		const dialog = await client.get(link.replaceAll("&amp;", "&"));
		const form = formWith(dialog.text, "Void entry");
		const row = page.replace("#entries", `#log-${form.fields.id}`);
		expect(kept.replaceAll("&amp;", "&")).toBe(row);
		const answer = await client.post(form.action, form.fields);
		expect(answer.headers.get("Location")).toBe(row);
	});
});

it("calls a trip of one mile '1 mile', wherever it is described", async () => {
	const client = await fleet.as("ines");
	const admin = await fleet.as("ada");
	const typed = await fill(client, { startOdometer: "8000000", endOdometer: "8000001" });
	// The second time it is described in the toast.
	for (const _ of [1, 2]) expect((await client.post("/mileage", typed)).status).toBe(303);
	const page = await client.get("/mileage");
	const id = /id="log-([^"]+)"/.exec(page.text)?.[1] ?? "";
	const short = await fill(client, { startOdometer: "8000002", endOdometer: "" });
	const period = `range=custom&startDate=${today}&endDate=${today}`;
	const pages = [
		page,
		await client.get(`/mileage?dialog=void&id=${id}`),
		await client.get("/history"),
		await client.post("/mileage", short),
		await admin.get(`/mileage-reports?${period}&dialog=void&id=${id}`),
	];
	for (const [position, { text }] of pages.entries()) {
		expect(text, `page ${position}`).toMatch(/\b1 mile\b/);
		expect(text).not.toMatch(/\b1 miles\b/);
	}
});

it("a driver may log 300 trips an hour, then gets 429 with Retry-After on screen and in the API, and keeps what was typed", async () => {
	const client = await fleet.as("ines");
	for (let number = 1; number <= 300; number++)
		await insertLog(fleet.sql.bind(fleet), 3000 + number, "ines", today, 10, {
			created_at: currentTime(),
		});
	const fields = await fill(client, {
		startOdometer: "9000000",
		endOdometer: "9000010",
		notes: "One too many",
	});
	const screen = await client.post("/mileage", fields);
	expect(screen.text).toContain("Too many trips logged in the last hour.");
	expect(formWith(screen.text, "Log Mileage").fields).toMatchObject({
		endOdometer: "9000010",
		notes: "One too many",
	});
	const call = await client.call("POST", "/api/mileage", {
		date: today,
		startOdometer: 9_000_000,
		endOdometer: 9_000_010,
	});
	for (const answer of [screen, call]) {
		expect(answer.status).toBe(429);
		expect(answer.headers.get("Retry-After")).toBe("600");
	}
	expect(await fleet.sql("select 1 from mileage_logs where notes = 'One too many'")).toEqual([]);
});
