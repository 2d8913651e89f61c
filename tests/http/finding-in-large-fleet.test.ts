/** Finding people in a fleet of 50,000 costs no more than in a small one. */
import { expect, it } from "vitest";
import { ROWS_READ } from "../support/budgets.ts";
import { costOf } from "../support/cost.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");

it("costs a search among 50,000 drivers at most 300 rows and one trip", async () => {
	await fleet.sql(`insert into users (id, role, first_name, last_name, approval_status, driver_number, email, created_at)
		with recursive n(k) as (select 1 union all select k + 1 from n where k < 50000)
		select printf('70000000-0000-4000-8000-%012d', k), 'driver', iif(k % 2, 'Jürgen', 'Anna'), iif(k % 3, 'Müller', 'García') || k,
			'approved', k + 1000, printf('many%d@fleet.test', k), 1 from n`);
	for (const q of [
		"muller",
		"jur mul",
		"Jurgen Muller4",
		"a",
		"many",
		"qwertz uiop",
		"51000",
		"xx yy zz ww",
	])
		for (const path of [
			`/api/people?${new URLSearchParams({ search: q, among: "everybody" })}`,
			`/find?${new URLSearchParams({ q })}`,
		]) {
			const { trips, rows } = costOf(await ada.get(path));
			expect([trips, rows <= ROWS_READ.list], `${path}: ${rows} rows`).toEqual([1, true]);
		}
	const found = await ada.get(`/find?${new URLSearchParams({ q: "Jürgen MÜLLER4999" })}`);
	expect([found.status, found.headers.get("Location")]).toEqual([
		302,
		"/drivers/70000000-0000-4000-8000-000000004999",
	]);
});
