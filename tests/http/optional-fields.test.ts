/** What a driver may add: a trip's purpose and personal miles, and when money was spent. */
import { describe, expect, it } from "vitest";
import { formatDate } from "../../app/values/calendar-date.ts";
import { idOf } from "../support/cast.ts";
import { textOf } from "../support/drivers.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const today = daysAgo(0);
const dana = await fleet.as("dana");
const ada = await fleet.as("ada");
const made = async (client: Client, path: string, body: object) => {
	const answer = await client.call("POST", path, body);
	expect(answer.status, answer.text).toBe(201);
	return JSON.parse(answer.text);
};
const tripFrom = (startOdometer: number, more: object = {}) => ({
	date: today,
	startOdometer,
	endOdometer: startOdometer + 50,
	...more,
});
const spending = (description: string, more: object = {}) => ({
	type: "gas",
	amount: "45.50",
	description,
	...more,
});

describe("a trip's purpose and personal miles", () => {
	it("are typed into the form, kept in a correction, and shown wherever the trip is", async () => {
		const { fields } = formWith((await dana.get("/mileage")).text, "Log Mileage");
		const typed = { startOdometer: "61000", endOdometer: "61050", purpose: "Airport run" };
		const logged = await dana.post("/mileage", { ...fields, ...typed, personalMiles: "a dozen" });
		expect(logged.status).toBe(400);
		expect(logged.text).toContain("Personal miles must be a whole number from 0 to the trip");
		const answer = await dana.post("/mileage", { ...fields, ...typed, personalMiles: "12" });
		expect(answer.status).toBe(303);
		const id = answer.headers.get("Location")?.split("log-")[1] ?? "";
		const page = await dana.get("/mileage");
		expect(page.headers.get("Server-Timing")).toContain("1 trip,");
		const row = (text: string) => textOf(text.split(`id="log-${id}"`)[1]?.split("</tr>")[0] ?? "");
		for (const words of ["12 miles personal", "Airport run"])
			expect(row(page.text)).toContain(words);
		// The next trip's choices, also without a script.
		expect(page.text).toMatch(/<datalist id="purpose-list"><option value="Airport run"/);
		const correction = formWith((await dana.get(`/mileage?correct=${id}`)).text, "Save correction");
		expect(correction.fields).toMatchObject({ purpose: "Airport run", personalMiles: "12" });
		expect(correction.html).toContain("<details open");
		const details = await dana.get(`/history?open=mileage-${id}`);
		expect(textOf(details.text)).toMatch(/Personal 12 Purpose Airport run/);
		const list = await ada.get(`/mileage-reports?driver=${idOf("dana")}`);
		for (const words of ["12 miles personal", "Airport run"])
			expect(row(list.text)).toContain(words);
		const dialog = await ada.get(`/mileage-reports?dialog=void&id=${id}`);
		expect(textOf(dialog.text)).toContain("Purpose Airport run Personal 12 miles personal");
		const totals = JSON.parse((await dana.get("/api/mileage?limit=1")).text);
		expect(totals[0]).toMatchObject({ id, calculatedMiles: 50, personalMiles: 12 });
	});

	it("are in JSON, null if not said", async () => {
		expect(await made(dana, "/api/mileage", tripFrom(61_050))).toMatchObject({
			purpose: null,
			personalMiles: null,
		});
		const said = { purpose: " Depot\nrun ", personalMiles: 50 };
		expect(await made(dana, "/api/mileage", tripFrom(61_100, said))).toMatchObject({
			purpose: "Depot run",
			personalMiles: 50,
		});
		expect(
			await made(dana, "/api/mileage", tripFrom(61_150, { personalMiles: 0, purpose: "" })),
		).toMatchObject({ purpose: null, personalMiles: 0 });
	});

	const WHOLE = "Personal miles must be a whole number from 0 to the trip's miles";
	it.each([
		["purpose", "x".repeat(81), "Use 80 characters or fewer"],
		["personalMiles", 51, WHOLE],
		["personalMiles", -1, WHOLE],
		["personalMiles", 1.5, WHOLE],
		["personalMiles", "half", WHOLE],
	])("are refused: %s as %j", async (field, value, message) => {
		const body = tripFrom(61_200, { [field]: value });
		const { status, text } = await dana.call("POST", "/api/mileage", body);
		expect(status).toBe(400);
		expect(JSON.parse(text)).toEqual({ message, fields: { [field]: [message] } });
	});
});

describe("when money was spent", () => {
	it("is typed into the form, kept in a correction, and shown wherever the request is", async () => {
		const spentOn = daysAgo(61);
		const { fields } = formWith((await dana.get("/requests")).text, "Submit Request");
		const typed = { type: "gas", amount: "45.50", description: "Spent long ago", spentOn };
		const answer = await dana.post("/requests", { ...fields, ...typed });
		expect(answer.status).toBe(303);
		const id = answer.headers.get("Location")?.split("request-")[1] ?? "";
		const page = await dana.get("/requests");
		const row = textOf(page.text.split(`id="request-${id}"`)[1]?.split("</li>")[0] ?? "");
		for (const words of [`Spent on ${formatDate(spentOn)}`, "Late"]) expect(row).toContain(words);
		const correction = formWith((await dana.get(`/requests?correct=${id}`)).text, "Submit Request");
		expect(correction.fields).toMatchObject({ spentOn });
		const details = await dana.get(`/history?open=request-${id}`);
		expect(textOf(details.text)).toContain(`Spent on ${formatDate(spentOn)}`);
		const desk = await ada.get(`/fund-requests?open=${id}&flag=late`);
		const words = textOf(desk.text);
		expect(words).toContain(`Spent on ${formatDate(spentOn)}`);
		expect(words).toMatch(/Spent long ago/);
		expect(desk.text).toMatch(/<option value="late" selected="">Late</);
		const found = JSON.parse((await ada.get("/api/fund-requests?limit=1")).text);
		expect(found[0]).toMatchObject({ id, spentOn, isLate: true });
	});

	it("is in JSON, null if not said, and late after 60 days", async () => {
		expect(await made(dana, "/api/fund-requests", spending("a"))).toMatchObject({
			spentOn: null,
			isLate: false,
		});
		for (const [days, isLate] of [
			[0, false],
			[60, false],
			[61, true],
			[366, true],
		] as const)
			expect(
				await made(
					dana,
					"/api/fund-requests",
					spending(`${days} days ago`, { spentOn: `${daysAgo(days)}T00:00:00Z` }),
				),
			).toMatchObject({ spentOn: daysAgo(days), isLate });
	});

	it.each([
		[daysAgo(-1), "The date can't be in the future"],
		[daysAgo(367), "The date can't be more than 366 days ago"],
		["2026-02-30", "Enter a valid date (YYYY-MM-DD)"],
	])("is refused as %s", async (spentOn, message) => {
		const body = spending("refused", { spentOn });
		const { status, text } = await dana.call("POST", "/api/fund-requests", body);
		expect(status).toBe(400);
		expect(JSON.parse(text)).toEqual({ message, fields: { spentOn: [message] } });
	});
});
