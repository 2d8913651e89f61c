/** An export of a fleet in which somebody always logs a trip. */
import { expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { numbered } from "../../../tests/support/large-week.ts";
import { NOON, openExports } from "../../../tests/support/nightly-exports.ts";

/** More parts of four than a step rereads. */
const WEEKS = 600;

it("ends though a driver with years of settled weeks logs trips all night", async () => {
	const { bench, exportOn } = await openExports();
	const dana = idOf("dana");
	await bench.rows(`insert into settlements (id, number, driver_id, week_from, status, created_at,
			created_by)
		${numbered(1, WEEKS)} select printf('90000000-0000-4000-8000-%012d', i), 1000 + i, '${dana}',
			date('2010-01-04', '+' || (7 * i) || ' days'), 'draft', 1, '${idOf("ada")}' from n`);
	let trips = 0;
	const done = await exportOn(0, async () => {
		trips += 1;
		await bench.rows(
			`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id)
			values (${NOON + trips}, ?, 'driver', 'mileage.log', 'mileage-log', ?)`,
			...[dana, crypto.randomUUID()],
		);
	});
	expect(done.rows).toBeGreaterThan(WEEKS);
});
