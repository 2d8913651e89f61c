/** When pseudonymizing a former driver is refused, and the messages. */
import { describe, expect, it } from "vitest";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { findRemains } from "../../../tests/support/remains.ts";
import { insertWholePerson, MARK } from "../../../tests/support/whole-person.ts";
import { whyNotChanged } from "../people/refusals.ts";
import { pseudonymizeDriver } from "./commands/pseudonymize.server.ts";

const NOW = currentTime();
const YEAR = 365.25 * 86_400_000;
const IVAN = idOf("ivan");
const bench = await openDatabase("everyone", NOW);
const left = () => findRemains(bench.rows, MARK);
const pseudonymize = async (id = IVAN, code = "DRV-0004", years = 7) =>
	pseudonymizeDriver(await bench.admin("ada"), id, code, years);
await insertWholePerson(bench.rows, "ivan", { since: NOW - 9 * YEAR, first: 500 });
await bench.rows("update users set deactivated_at = ? where id = ?", NOW - 8 * YEAR, IVAN);

describe("pseudonymizing is refused", () => {
	const withChange = async (change: string, undo: string, act: () => Promise<void>) => {
		await bench.rows(change);
		await act();
		await bench.rows(undo);
	};
	const setRequest = (more: string) =>
		`update fund_requests set ${more} where id = '30000000-0000-4000-8000-000000000502'`;
	const withdrawn = "status = 'withdrawn', withdrawn_at = 5, decided_at = null, decided_by = null";
	const decided = `decided_at = 1, decided_by = '${idOf("ada")}', withdrawn_at = null`;
	const ivan = (more: string) => `update users set ${more} where id = '${IVAN}'`;
	const former = `is_active = 0, deactivated_at = ${NOW - 8 * YEAR}`;

	it.each([
		["still-active", ivan("is_active = 1, deactivated_at = null"), ivan(former), "is still active"],
		[
			"too-early",
			ivan(`deactivated_at = ${NOW - 6.5 * YEAR}`),
			ivan(former),
			"can't be pseudonymized before",
		],
		[
			"pending-requests",
			setRequest("status = 'pending', withdrawn_at = null"),
			setRequest(withdrawn),
			"has pending fund requests",
		],
		[
			"unpaid-requests",
			setRequest(`status = 'approved', ${decided}`),
			setRequest(withdrawn),
			"has approved requests or published settlements that aren't paid",
		],
		[
			"unpaid-requests",
			`insert into settlements (id, number, driver_id, week_from, status, created_at, created_by,
					carried_in_cents, result_cents, published_at, published_by)
				values ('week', 9000, '${IVAN}', '2020-02-03', 'published', 1, '${idOf("ada")}', 0, 5, 1,
					'${idOf("ada")}')`,
			"delete from settlements where id = 'week'",
			"has approved requests or published settlements that aren't paid",
		],
		[
			"open-payout",
			"update payouts set status = 'open', paid_on = null, paid_at = null, paid_by = null, reference = null where id = '500-payout'",
			`update payouts set status = 'paid', paid_on = '2020-01-01', paid_at = 1, paid_by = '${idOf("ada")}', reference = 'Bank 77' where id = '500-payout'`,
			"is part of PO-000500, which is still open",
		],
		[
			"wrong-name",
			ivan("approval_status = 'rejected'"),
			ivan("approval_status = 'approved'"),
			"to confirm. Nothing was changed",
		],
		["not-found", ivan("deleted_at = 1"), ivan("deleted_at = null"), "Person not found"],
	])("(%s)", async (reason, change, undo, words) => {
		const before = await left();
		await withChange(change, undo, async () => {
			const outcome = await pseudonymize();
			if (outcome.ok) throw new Error("not refused");
			expect(outcome.reason).toBe(reason);
			expect(whyNotChanged(outcome, { timeZone: ZONE }).message).toContain(words);
		});
		expect(await left()).toEqual(before);
	});

	it("(another driver ID, an administrator, oneself, nobody)", async () => {
		const before = await left();
		expect(await pseudonymize(IVAN, "DRV-0001")).toMatchObject({ reason: "wrong-code" });
		expect(await pseudonymize(IVAN, "Ivan")).toMatchObject({ reason: "wrong-code" });
		expect(await pseudonymize(idOf("ben"))).toMatchObject({ reason: "administrator" });
		expect(await pseudonymize(idOf("ada"))).toMatchObject({ reason: "own-data" });
		expect(await pseudonymize("nobody")).toMatchObject({ reason: "not-found" });
		expect(await pseudonymize(IVAN, "DRV-0004", 9)).toMatchObject({ reason: "too-early" });
		expect(await left()).toEqual(before);
	});

	it("(without a driver ID, any name but theirs)", async () => {
		await bench.rows("update users set driver_number = null where id = ?", IVAN);
		const before = await left();
		for (const typed of ["DRV-0004", "N/A", "Ivan"])
			expect(await pseudonymize(IVAN, typed)).toMatchObject({ reason: "wrong-name" });
		expect(await left()).toEqual(before);
	});
});

it("pseudonymizes a driver from before driver IDs by their name", async () => {
	await bench.rows(
		"update users set driver_number = null, first_name = 'Ivan', last_name = 'Inactive' where id = ?",
		IVAN,
	);
	expect(await pseudonymize(IVAN, "ivan inactive")).toMatchObject({
		value: { firstName: "Former driver", lastName: "", email: null, deletedAt: null },
	});
});
