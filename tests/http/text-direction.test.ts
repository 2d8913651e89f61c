/**
 * Typed text can't reverse the text around it: direction overrides are refused in input and
 * isolated on screen.
 */

import { describe, expect, it } from "vitest";
import { dateIn } from "../../app/values/calendar-date.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const dana = await fleet.as("dana");
const ada = await fleet.as("ada");
const OVERRIDE = "\u202e00.999$ rof";
const WORDS = "change its direction";
const today = dateIn(ZONE, currentTime());

describe("an override", () => {
	it("is refused in names, descriptions, notes and reference numbers, and nothing is stored", async () => {
		const pending = await insertRequest(sql, 71, "omar");
		const nina = await fleet.as("nina");
		const before = await sql(
			"select (select count(*) from fund_requests) as r, (select count(*) from mileage_logs) as m, (select count(*) from uber_fees) as f, (select count(*) from users) as u",
		);
		const fee = { driverId: idOf("dana"), category: "other", amount: "5", date: today };
		const answers = [
			await dana.call("POST", "/api/fund-requests", {
				type: "gas",
				amount: "5",
				description: `Fuel ${OVERRIDE}`,
			}),
			await dana.call("POST", "/api/mileage", {
				date: today,
				startOdometer: 1,
				endOdometer: 2,
				notes: OVERRIDE,
			}),
			await dana.post("/requests", { type: "gas", amount: "5", description: `Fuel ${OVERRIDE}` }),
			await ada.call("POST", "/api/uber-fees", { ...fee, referenceNumber: OVERRIDE }),
			await ada.call("POST", "/api/uber-fees", { ...fee, description: OVERRIDE }),
			await ada.call("PUT", `/api/fund-requests/${pending}`, {
				status: "approved",
				adminNotes: OVERRIDE,
			}),
			await ada.call("POST", "/api/drivers", {
				email: "rtl@milepost.test",
				firstName: `D${OVERRIDE}`,
				lastName: "D",
			}),
			await nina.post("/profile", { firstName: `N${OVERRIDE}`, lastName: "N" }),
		];
		expect(answers.map(({ status, text }) => [status, text.includes(WORDS)])).toEqual(
			answers.map(() => [400, true]),
		);
		expect(
			await sql(
				"select (select count(*) from fund_requests) as r, (select count(*) from mileage_logs) as m, (select count(*) from uber_fees) as f, (select count(*) from users) as u",
			),
		).toEqual(before);
	});

	it("stored earlier affects only its own text in the decision dialog, the lists and the audit", async () => {
		await sql("update users set first_name = ? where id = ?", OVERRIDE, idOf("omar"));
		const id = await insertRequest(sql, 72, "omar", { description: `Fuel ${OVERRIDE}` });
		const name = `<bdi>${OVERRIDE} Okafor</bdi>`;
		const dialog = (await ada.get(`/fund-requests?dialog=approve&id=${id}`)).text;
		expect(dialog).toContain(name);
		expect(dialog).toContain(`<bdi>Fuel ${OVERRIDE}</bdi>`);
		expect((await ada.get("/drivers")).text).toContain(name);
		await ada.post("/fund-requests", { intent: "process", id, status: "approved" });
		const audit = (await ada.get("/audit?kind=request.approve")).text;
		expect(audit.replace(/ class="[^"]*"/g, "")).toContain(
			` for <a href="/drivers/${idOf("omar")}"><bdi>${OVERRIDE} Okafor`,
		);
	});
});

describe("right-to-left text", () => {
	it("is stored and returned as typed", async () => {
		const description = "דלק לנסיעה ל\u200fHaifa 42";
		const made = await dana.call("POST", "/api/fund-requests", {
			type: "gas",
			amount: "6",
			description,
		});
		expect(made.status).toBe(201);
		expect(JSON.parse(made.text).description).toBe(description);
	});
});
