/** Settings that are numbers: how they change screens, files and API answers. */
import { beforeAll, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith, multipart } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { fill, large, send } from "../support/request-form.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const chosen = async () => {
	const rows = await fleet.sql<{ chosen: string }>("select chosen from settings");
	return rows.map((row) => JSON.parse(row.chosen));
};
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

beforeAll(async () => {
	const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
	await insertLog(sql, 901, "dana", daysAgo(2), 100);
	await insertRequest(sql, 900_901, "dana", {
		amount_cents: 40_000,
		requested_on: daysAgo(2),
		status: "approved",
		decided_at: 1,
		decided_by: idOf("ada"),
	});
	await insertRequest(sql, 900_902, "omar");
});

describe("targets and alerts", () => {
	const DEFAULTS = {
		intent: "thresholds",
		excellentUnderCents: "0.85",
		goodUnderCents: "1.00",
		targetCents: "0.85",
		aboveTargetOverCents: "1.00",
		fuelTargetPercent: "70",
		pendingAlertOver: "5",
		feeAlertOverCents: "1500.00",
	};
	const save = async (changes: Partial<typeof DEFAULTS>) =>
		(await fleet.as("ada")).post("/settings", { ...DEFAULTS, ...changes });
	const report = async (type: string) => {
		const ada = await fleet.as("ada");
		const { text } = await ada.call("POST", "/api/reports/generate", {
			type,
			format: "csv",
			startDate: daysAgo(20),
			endDate: daysAgo(0),
		});
		return text;
	};
	const tierOf = async () => {
		const { text } = await (await fleet.as("ada")).get("/mileage-reports/export.csv?range=month");
		return /DRV-0001,.*,([^,\r\n]*)\r?\n/.exec(text)?.[1];
	};

	it("have their defaults until changed", async () => {
		const ada = await fleet.as("ada");
		const page = await ada.get("/settings");
		expect(formWith(page.text, "Save targets").fields).toMatchObject(DEFAULTS);
		const reports = await ada.get("/mileage-reports");
		expect(textOf(reports.text)).toContain("under $0.85 per mile");
		expect(textOf(reports.text)).toContain("$0.85 to $0.99 per mile");
		expect(textOf(reports.text)).toContain("$1.00 or more per mile");
		expect(textOf((await ada.get("/reports")).text)).toContain("Target: 70:30");
		expect((await save({})).status).toBe(303);
		expect(await chosen()).toEqual([{}]);
	});

	it("apply to every screen, export and report", async () => {
		const ada = await fleet.as("ada");
		expect(await tierOf()).not.toBe("Needs Improvement");
		const saved = await save({
			excellentUnderCents: "0.01",
			goodUnderCents: "0,02",
			targetCents: "0.03",
			aboveTargetOverCents: "0.04",
			fuelTargetPercent: "55",
			pendingAlertOver: "0",
			feeAlertOverCents: "0.00",
		});
		expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/settings#thresholds"]);
		expect(await chosen()).toEqual([
			{
				excellentUnderCents: 1,
				goodUnderCents: 2,
				targetCents: 3,
				aboveTargetOverCents: 4,
				fuelTargetPercent: 55,
				pendingAlertOver: 0,
				feeAlertOverCents: 0,
			},
		]);
		const home = await ada.get("/");
		expect(home.headers.get("Server-Timing")).toContain("1 trip,");
		expect(textOf(home.text)).toContain("fund requests pending approval.");
		expect(textOf(home.text)).toContain("Efficient = under $0.02 of fuel per mile");
		expect(textOf(home.text)).toContain("Most over the $0.03 target");
		const reports = await ada.get("/mileage-reports?range=month");
		expect(textOf(reports.text)).toContain("under $0.01 per mile");
		expect(textOf(reports.text)).toContain("$0.01 to $0.01 per mile");
		expect(textOf(reports.text)).toContain("over the $0.03 target");
		const figures = await ada.get("/reports");
		expect(textOf(figures.text)).toContain("Target: 55:45");
		expect(textOf(figures.text)).toContain("Above target");
		expect(await tierOf()).toBe("Needs Improvement");
		const drivers = await report("driver");
		expect(drivers).toContain("under $0.01 Excellent, under $0.02 Good, $0.02 or more Needs");
		expect(drivers).toMatch(/DRV-0001,[^\n]*Needs Improvement/);
		expect(await report("expense")).toContain("Target: 55:45.");
		const { text } = await ada.get("/audit?kind=settings.change");
		expect(textOf(text)).toContain("Excellent under: $0.85 → $0.01");
		expect(textOf(text)).toContain("Pending requests alert: 5 → 0");
	});

	it("are refused under their fields when invalid", async () => {
		const before = await chosen();
		for (const [changes, field, message] of [
			[{ excellentUnderCents: "1.00" }, "goodUnderCents", "Good must be more than Excellent"],
			[{ excellentUnderCents: "" }, "excellentUnderCents", "Please fill in all required fields"],
			[{ targetCents: "0" }, "targetCents", "Enter $0.01 to $100.00"],
			[{ targetCents: "cheap" }, "targetCents", "Enter an amount such as 12.50"],
			[{ aboveTargetOverCents: "100.01" }, "aboveTargetOverCents", "Enter $0.01 to $100.00"],
			[{ fuelTargetPercent: "100" }, "fuelTargetPercent", "Enter a whole number from 1 to 99"],
			[{ fuelTargetPercent: "70.5" }, "fuelTargetPercent", "Enter a whole number from 1 to 99"],
			[{ pendingAlertOver: "-1" }, "pendingAlertOver", "Enter a whole number from 0 to 10,000"],
			[{ feeAlertOverCents: "1,500" }, "feeAlertOverCents", "is ambiguous"],
			[{ feeAlertOverCents: "1000000.01" }, "feeAlertOverCents", "Enter $0.00 to $1,000,000.00"],
		] as const) {
			const refused = await save(changes);
			expect(refused.status, message).toBe(400);
			const control = new RegExp(`<input[^>]*name="${field}"[^>]*>`).exec(refused.text)?.[0];
			expect(control, message).toContain('aria-invalid="true"');
			expect(textOf(refused.text)).toContain(message);
		}
		expect(await chosen()).toEqual(before);
	});
});

describe("the threshold for asking drivers to confirm", () => {
	const save = async (longTripMiles: string, sameRequestMinutes: string) =>
		(await fleet.as("ada")).post("/settings", {
			intent: "questions",
			longTripMiles,
			sameRequestMinutes,
		});

	it("is 1,500 miles and 10 minutes until changed", async () => {
		const page = await (await fleet.as("ada")).get("/settings");
		expect(formWith(page.text, "Save questions").fields).toEqual({
			intent: "questions",
			seen: expect.any(String),
			longTripMiles: "1500",
			sameRequestMinutes: "10",
		});
	});

	it("changes what is questioned, while a phone's entry is only flagged", async () => {
		expect((await save("150", "1")).status).toBe(303);
		const dana = await fleet.as("dana");
		const trip = { date: daysAgo(0), startOdometer: "800000", endOdometer: "800151" };
		const form = formWith((await dana.get("/mileage")).text, "Log Mileage").fields;
		const asked = await dana.post("/mileage", { ...form, ...trip });
		expect(asked.status).toBe(409);
		expect(textOf(asked.text)).toContain("151 miles is unusually long for one trip.");
		const sent = await dana.call("POST", "/api/mileage", {
			...trip,
			startOdometer: 800000,
			endOdometer: 800151,
		});
		expect(sent.status).toBe(201);
		const entries = await (await fleet.as("ada")).get("/mileage-reports");
		expect(textOf(entries.text)).toContain("Long trip");
		const request = { type: "gas", amount: "31.40", description: "Fuel on the way" };
		await dana.call("POST", "/api/fund-requests", request);
		const again = formWith((await dana.get("/requests")).text, "Submit Request").fields;
		const doubted = await dana.post("/requests", { ...again, ...request });
		expect(doubted.status).toBe(409);
		expect(textOf(doubted.text)).toContain("amount and description in the last minute.");
		expect(
			textOf((await (await fleet.as("ada")).get("/audit?kind=settings.change")).text),
		).toContain("Long trips over (miles): 1,500 → 150");
	});

	it("still names the other request of a duplicate once the number of minutes is lower", async () => {
		const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
		const same = { type: "gas", amount_cents: 7_777, description: "Twice" };
		await insertRequest(sql, 900_950, "omar", { ...same, created_at: 1_000_000 });
		await insertRequest(sql, 900_951, "omar", {
			...same,
			created_at: 1_000_000 + 30 * 60_000,
			is_possible_duplicate: 1,
		});
		const ada = await fleet.as("ada");
		const { text } = await ada.get("/fund-requests?open=FR-900951");
		expect(textOf(text)).toContain("Repeats FR-900950");
	});

	it("is refused when invalid", async () => {
		const before = await chosen();
		for (const [miles, minutes, message] of [
			["99", "10", "Enter a whole number from 100 to 3,000"],
			["3001", "10", "Enter a whole number from 100 to 3,000"],
			["1500", "0", "Enter a whole number from 1 to 60"],
			["1500", "ten", "Enter a whole number from 1 to 60"],
			["", "10", "Enter a whole number from 100 to 3,000"],
		] as const) {
			const refused = await save(miles, minutes);
			expect(refused.status).toBe(400);
			expect(textOf(refused.text)).toContain(message);
		}
		expect(await chosen()).toEqual(before);
	});
});

describe("the receipt limit", () => {
	const MEGABYTE = 1024 * 1024;
	const save = async (receiptMegabytes: string) =>
		(await fleet.as("ada")).post("/settings", { intent: "receipts", receiptMegabytes });

	it("is 8 MB until lowered, and can't be more", async () => {
		const ada = await fleet.as("ada");
		expect(formWith((await ada.get("/settings")).text, "Save receipts").fields).toEqual({
			intent: "receipts",
			seen: expect.any(String),
			receiptMegabytes: "8",
		});
		for (const typed of ["0", "9", "2.5", "", "-1"]) {
			const refused = await save(typed);
			expect(refused.status).toBe(400);
			expect(textOf(refused.text)).toContain("Enter a whole number from 1 to 8");
		}
	});

	it("applies to the form, the API and phones, and is named in hints and refusals", async () => {
		expect((await save("2")).status).toBe(303);
		const dana = await fleet.as("dana");
		const over = large(2 * MEGABYTE + 1);
		expect((await dana.get("/requests")).text).toContain("JPEG, PNG, WebP or PDF, up to 2 MB.");
		// Pages stored on a phone don't depend on settings.
		expect((await dana.get("/offline")).text).toContain("JPEG, PNG, WebP or PDF.");

		const sent = await send(dana, await fill(dana), over);
		expect(sent.status).toBe(303);
		const after = await dana.get((sent.headers.get("Location") ?? "").replace(/#.*/, ""));
		expect(textOf(after.text)).toContain("This file is over 2 MB. Upload a smaller image or PDF.");
		const typed = await send(dana, await fill(dana, { amount: "" }), over);
		expect(typed.status).toBe(400);
		expect(textOf(typed.text)).toContain("The receipt wasn&#x27;t saved. This file is over 2 MB.");

		const called = await dana.request("/api/receipts", await multipart({}, over));
		expect(called.status).toBe(413);
		expect(JSON.parse(called.text).message).toContain("over 2 MB");

		const entry = await dana.request(
			"/api/outbox/requests",
			await multipart({ ...(await fill(dana)), key: crypto.randomUUID() }, over),
		);
		expect(entry.text).toContain("The receipt wasn't saved: This file is over 2 MB.");
	});

	it("accepts exactly the limit", async () => {
		const dana = await fleet.as("dana");
		const exact = await dana.request("/api/receipts", await multipart({}, large(2 * MEGABYTE)));
		expect(exact.status).toBe(201);
		await save("8");
		const over = await dana.request("/api/receipts", await multipart({}, large(2 * MEGABYTE + 1)));
		expect(over.status).toBe(201);
	});
});
