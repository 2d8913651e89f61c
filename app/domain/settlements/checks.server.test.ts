/** What to check about a week with more of a kind than is looked at. */
import { expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertDriver } from "../../../tests/support/drivers.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { insertMoney } from "../../../tests/support/settlements.ts";
import { addDays, parseCalendarDate } from "../../values/calendar-date.ts";
import { selectWithoutAgreement } from "./checks.server.ts";
import { MAX_WITHOUT_AGREEMENT } from "./rules.ts";

const NOW = Date.UTC(2026, 10, 25, 17);
const bench = await openDatabase("everyone", NOW);
const WEEK = parseCalendarDate("2026-11-16");
const DAYS = { from: WEEK, to: addDays(WEEK, 6) };

it("says that there are drafts beyond those whose money was looked for", async () => {
	const drivers: string[] = [];
	const add = async () => {
		const number = drivers.length + 1;
		const driver_id = await insertDriver(bench.rows, { driver_number: 7000 + number });
		await insertRow(bench.rows, "settlements", {
			...{ id: crypto.randomUUID(), number, driver_id, week_from: WEEK, status: "draft" },
			...{ created_at: NOW, created_by: idOf("ada") },
		});
		drivers.push(driver_id);
	};
	const pay = (at: number) =>
		insertMoney(
			bench.rows,
			`row ${at}`,
			"dana",
			DAYS,
			{ fare_cents: 5_000 },
			{
				driver_id: drivers[at] ?? "",
			},
		);
	const read = async () => {
		const { db } = await bench.admin("ada");
		const { found } = await db.batch({ found: selectWithoutAgreement(db.build, WEEK) });
		return found.map(({ driverId, isCut }) => [drivers.indexOf(driverId ?? ""), isCut]);
	};
	for (let each = 0; each < MAX_WITHOUT_AGREEMENT; each++) await add();
	await pay(7);
	expect(await read()).toEqual([[7, 0]]);
	await add();
	await pay(MAX_WITHOUT_AGREEMENT);
	expect(await read()).toEqual([
		[7, 0],
		[-1, 1],
	]);
	for (let each = 20; each < 41; each++) await pay(each);
	expect((await read()).map(([, isCut]) => isCut)).toEqual(Array(21).fill(0));
});
