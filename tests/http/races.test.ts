/** Races in real D1, through the built Worker: one winner each, every time. */
import { expect, it } from "vitest";
import { addDays, dateIn } from "../../app/values/calendar-date.ts";
import { ZONE } from "../cast.ts";
import { openFleet } from "../worker.ts";

const fleet = await openFleet();
const ROUNDS = 100;
const today = dateIn(ZONE, Date.now());

it(`takes 50 parallel posts of one submission key once, ${ROUNDS} rounds`, async () => {
	const client = await fleet.as("dana");
	for (let round = 0; round < ROUNDS; round++) {
		const headers = { "Idempotency-Key": `race-of-keys-${round}` };
		const body = { date: addDays(today, -round), startOdometer: 100_000 + round * 10, endOdometer: 100_005 + round * 10 };
		const answers = await Promise.all(Array.from({ length: 50 }, () => client.call("POST", "/api/mileage", body, { headers })));
		expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
		expect(answers.filter(({ headers: got }) => got.get("Idempotency-Replayed") === null)).toHaveLength(1);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
	}
	expect(await fleet.sql("select count(*) as n from mileage_logs where submission_key like 'race-of-keys-%'")).toEqual([{ n: ROUNDS }]);
	expect(await fleet.sql("select count(*) as n from audit_events where action = 'mileage.log'")).toEqual([{ n: ROUNDS }]);
});
