/** Races in real D1, through the built Worker: each has one winner. */
import { expect, it } from "vitest";
import { addDays } from "../../app/values/calendar-date.ts";
import { some } from "../../lab/torture/plan.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
/** `RACE_ROUNDS=100` runs the long form. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? some(25));
const today = daysAgo(0);

it(`stores 50 parallel posts of one submission key once, in ${ROUNDS} rounds`, async () => {
	const client = await fleet.as("dana");
	for (let round = 0; round < ROUNDS; round++) {
		const headers = { "Idempotency-Key": `race-of-keys-${round}` };
		const body = {
			date: addDays(today, -round),
			startOdometer: 100_000 + round * 10,
			endOdometer: 100_005 + round * 10,
		};
		const answers = await Promise.all(
			Array.from({ length: 50 }, () => client.call("POST", "/api/mileage", body, { headers })),
		);
		expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
		expect(
			answers.filter(({ headers: got }) => got.get("Idempotency-Replayed") === null),
		).toHaveLength(1);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
	}
	expect(
		await fleet.sql(
			"select count(*) as n from mileage_logs where submission_key like 'race-of-keys-%'",
		),
	).toEqual([{ n: ROUNDS }]);
	expect(
		await fleet.sql("select count(*) as n from audit_events where action = 'mileage.log'"),
	).toEqual([{ n: ROUNDS }]);
});

it(`has one winner among 50 parallel approvals of one driver, in ${ROUNDS} rounds`, async () => {
	const [ada, ben] = [await fleet.as("ada"), await fleet.as("ben")];
	const nora = idOf("nora");
	for (let round = 0; round < ROUNDS; round++) {
		await fleet.sql(
			"update users set approval_status = 'pending', approved_at = null, decided_by = null, driver_number = null where id = ?",
			nora,
		);
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, each) =>
				(each % 2 ? ada : ben).call("PUT", `/api/drivers/${nora}/approve`),
			),
		);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(409)]);
		expect(
			await fleet.sql(
				"select count(*) as n from audit_events where action = 'driver.approve' and entity_id = ?",
				nora,
			),
		).toEqual([{ n: round + 1 }]);
	}
});

it(`gives 50 drivers approved in parallel 50 different codes, in ${ROUNDS} rounds`, async () => {
	const ada = await fleet.as("ada");
	await fleet.sql(`insert into users (id, role, first_name, last_name, approval_status, created_at, applied_at)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < 50)
		select printf('20000000-0000-4000-8000-%012d', i), 'driver', 'Race', 'Of' || i, 'pending', 1, 1 from n`);
	const ids = (
		await fleet.sql<{ id: string }>("select id from users where first_name = 'Race' order by id")
	).map(({ id }) => id);
	expect(ids).toHaveLength(50);
	for (let round = 0; round < ROUNDS; round++) {
		const answers = await Promise.all(
			ids.map((id) => ada.call("PUT", `/api/drivers/${id}/approve`)),
		);
		expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
		expect(
			new Set(answers.map(({ text }) => (JSON.parse(text) as { driverId: string }).driverId)).size,
		).toBe(50);
		await fleet.sql(
			"update users set approval_status = 'pending', approved_at = null, decided_by = null, driver_number = null where first_name = 'Race'",
		);
	}
});

it(`never lets two administrators remove each other, in ${ROUNDS} rounds`, async () => {
	for (let round = 0; round < ROUNDS; round++) {
		await fleet.sql(
			"update users set is_active = 1, deactivated_at = null where id in (?, ?)",
			idOf("ada"),
			idOf("ben"),
		);
		const [ada, ben] = [await fleet.as("ada"), await fleet.as("ben")];
		const answers = await Promise.all([
			ada.call("DELETE", `/api/drivers/${idOf("ben")}`),
			ben.call("DELETE", `/api/drivers/${idOf("ada")}`),
		]);
		expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
		expect(
			await fleet.sql("select count(*) as n from users where role = 'admin' and is_active = 1"),
		).toEqual([{ n: 1 }]);
	}
});
