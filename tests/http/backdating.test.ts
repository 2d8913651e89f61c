/**
 * No way of adding an entry accepts a date before January 1 of the year before last, or after today
 * (except from a phone whose date is ahead of the fleet's).
 */

import { describe, expect, it } from "vitest";
import { addDays, dateIn, formatDate, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { textOf } from "../support/drivers.ts";
import { formWith, multipart } from "../support/forms.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const today = dateIn(ZONE, currentTime());
const first = parseCalendarDate(`${Number(today.slice(0, 4)) - 2}-01-01`);
const dana = await fleet.as("dana");
const ada = await fleet.as("ada");
const WORDS = `The date can't be before ${formatDate(first)}`;

let reading = 500_000;
const readings = () => ({
	startOdometer: String(++reading * 10),
	endOdometer: String(reading * 10 + 5),
});
const counts = () =>
	fleet.sql(
		"select (select count(*) from mileage_logs) as logs, (select count(*) from uber_fees) as fees",
	);

/** Each way to add an entry: how it answers a date, and whether it accepted it. */
const WAYS: readonly [
	string,
	(date: string) => Promise<{ status: number; text: string }>,
	taken: number,
][] = [
	[
		"the mileage form",
		async (date) => {
			const { fields } = formWith((await dana.get("/mileage")).text, "Log Mileage");
			const typed = { ...fields, ...readings(), date };
			const asked = await dana.post("/mileage", typed);
			// A trip dated before others needs confirming, which is the same form sent again.
			if (asked.status !== 409) return asked;
			return dana.post("/mileage", formWith(asked.text, "Log Mileage").fields);
		},
		303,
	],
	["POST /api/mileage", (date) => dana.call("POST", "/api/mileage", { date, ...readings() }), 201],
	[
		"the phone's outbox",
		async (date) => {
			const fields = { asUser: idOf("dana"), key: crypto.randomUUID(), date, ...readings() };
			return dana.request("/api/outbox/mileage", await multipart(fields, undefined));
		},
		200,
	],
	[
		"the fee form",
		async (date) => {
			const { fields } = formWith((await ada.get("/uber-fees?dialog=add")).text, 'name="amount"');
			return ada.post("/uber-fees", {
				...fields,
				driverId: idOf("dana"),
				category: "commission",
				amount: "5",
				date,
			});
		},
		303,
	],
	[
		"POST /api/uber-fees",
		(date) =>
			ada.call("POST", "/api/uber-fees", {
				driverId: idOf("dana"),
				category: "commission",
				amount: "5",
				date,
			}),
		201,
	],
];

describe.each(WAYS)("%s", (_, send, taken) => {
	it("refuses dates before January 1 of the year before last, and says so", async () => {
		const before = await counts();
		for (const date of [addDays(first, -1), "2000-01-01"]) {
			const { status, text } = await send(date);
			expect([status, textOf(text).includes(WORDS)]).toEqual([400, true]);
		}
		expect(await counts()).toEqual(before);
	});

	it("accepts that day", async () => {
		expect((await send(first)).status).toBe(taken);
	});
});

describe("the fee import", () => {
	it("names the row that is too old, and accepts the first allowed date", async () => {
		const preview = async (date: string) => {
			const bytes = new TextEncoder().encode(
				`Driver,Category,Amount,Date\nDRV-0001,other,1,${date}\n`,
			);
			const sent = await ada.request(
				"/uber-fees/import",
				await multipart({ intent: "upload" }, { bytes, name: "fees.csv" }, "file"),
			);
			return (await ada.get(sent.headers.get("Location") ?? "")).text;
		};
		const words = "Dated before January 1 of the year before last";
		expect(await preview(addDays(first, -1))).toContain(words);
		expect(await preview(first)).not.toContain(words);
	});
});

describe("a phone ahead of the fleet", () => {
	it("may log a trip dated tomorrow, while an administrator may not add a fee with that date", async () => {
		const fee = {
			driverId: idOf("dana"),
			category: "commission",
			amount: "5",
			date: addDays(today, 1),
		};
		expect(
			(await dana.call("POST", "/api/mileage", { date: addDays(today, 1), ...readings() })).status,
		).toBe(201);
		expect(
			(await dana.call("POST", "/api/mileage", { date: addDays(today, 2), ...readings() })).status,
		).toBe(400);
		expect((await ada.call("POST", "/api/uber-fees", fee)).status).toBe(400);
	});
});
