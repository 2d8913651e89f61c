/** Weeks whose many lines are longer than the 2 MB that D1 takes as one value. */
import { expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertLargeWeek, numbered } from "../../../tests/support/large-week.ts";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { draftWeek } from "./commands/draft.server.ts";
import { publishSettlements } from "./commands/publish.server.ts";
import { MAX_AT_ONCE } from "./rules.ts";

const NOW = Date.UTC(2026, 10, 25, 6);
const WEEK = { from: parseCalendarDate("2026-11-16"), to: parseCalendarDate("2026-11-22") };
/** Tolls and fines that a driver has to pay in the week. */
const CHARGES = 52;

it("publishes as many as may be at once, each with dozens of charges", async () => {
	const bench = await openDatabase("everyone", NOW, { isLarge: true });
	await insertLargeWeek(bench.d1, [1, MAX_AT_ONCE], WEEK.from);
	await bench.d1.batch([
		bench.d1.prepare(`insert into charges (id, driver_id, kind, charged_on, amount_cents, direction,
				instalments, created_at, created_by, payload_hash)
			${numbered(1, MAX_AT_ONCE * CHARGES)}
			select printf('ea000000-0000-4000-8000-%012d', i),
				printf('a0000000-0000-4000-8000-%012d', 1 + i % ${MAX_AT_ONCE}), 'toll', '${WEEK.from}',
				125 + i % 7, 'against', 1, 1, '${idOf("ada")}', 'x' from n`),
	]);
	const admin = await bench.admin("ada", NOW);
	expect(await draftWeek(admin, WEEK)).toEqual({ ok: true, value: { made: MAX_AT_ONCE } });
	const drafts = await bench.rows<{ id: string }>("select id from settlements order by number");
	const ids = drafts.map(({ id }) => id);
	expect(await publishSettlements(admin, ids, {})).toMatchObject({ ok: true });
	const [told] = await bench.rows(`select
		(select count(*) from settlement_lines where kind = 'charge') as charges,
		(select count(*) from charges where settled_instalments = 1) as settled,
		(select count(*) from mails where kind = 'settlement-published') as emails,
		(select sum(amount_cents) from settlement_lines) + (select sum(carried_in_cents) from settlements)
			- (select sum(result_cents) from settlements) as difference`);
	const charges = MAX_AT_ONCE * CHARGES + MAX_AT_ONCE / 4;
	expect(told).toEqual({ charges, settled: charges, emails: MAX_AT_ONCE, difference: 0 });
});
