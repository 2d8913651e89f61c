/** What a page of those who are owed reads of a large fleet: D1 counts the rows. */
import { expect, it } from "vitest";
import { ROWS_READ } from "../../../tests/support/budgets.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { largeDriver, numbered } from "../../../tests/support/large-week.ts";
import { Database } from "../../db/client.server.ts";
import { listOwed } from "./unpaid.server.ts";

const DRIVERS = 3000;
const PAGE = 25;

it("reads no more on any page, either way", async () => {
	const bench = await openDatabase();
	for (const text of [
		`insert into users (id, role, first_name, last_name, driver_number, approval_status, created_at,
				applied_at, approved_at)
			${numbered(1, DRIVERS)} select printf('a0000000-0000-4000-8000-%012d', i), 'driver', 'Given',
				'Name', 1000 + i, 'approved', 1, 1, 1 from n`,
		`insert into payout_totals (driver_id, ready_cents, ready_requests)
			${numbered(1, DRIVERS)} select printf('a0000000-0000-4000-8000-%012d', i), 1000 + i, 1 from n`,
	])
		await bench.rows(text);
	for (const way of ["after", "before"] as const)
		for (const number of [100, 1500, 2900]) {
			const db = new Database(bench.d1);
			const cursor = { readyCents: 1000 + number, driverId: largeDriver(number) };
			const { owed } = await db.batch({ owed: listOwed(db.build, PAGE, { way, cursor }) });
			const next = way === "after" ? -1 : 1;
			expect(owed.map(({ readyCents }) => readyCents)).toEqual(
				Array.from({ length: PAGE }, (_, row) => 1000 + number + next * (row + 1)),
			);
			expect(db.cost.rows, `${way} ${number}`).toBeLessThanOrEqual(ROWS_READ.list);
		}
});
