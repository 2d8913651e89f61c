/** The migration on a database from before payouts. */
import { expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openBefore } from "../../../tests/support/database.ts";

it("earlier approved requests are unpaid at their approved amount, and can still be undone", async () => {
	const { bench, applyRest } = await openBefore("payouts");
	await bench.rows(
		`insert into users (id, role, approval_status, created_at) values ('${idOf("dana")}', 'driver', 'approved', 1), ('${idOf("omar")}', 'driver', 'approved', 1)`,
	);
	const insert = (
		number: number,
		owner: "dana" | "omar",
		status: string,
		approved: number | null,
	) =>
		bench.rows(
			"insert into fund_requests (id, number, driver_id, type, amount_cents, approved_amount_cents, description, status, source, created_at, requested_on, decided_at, decided_by, payload_hash) values (?, ?, ?, 'gas', 1000, ?, 'x', ?, 'seed', 1, '2026-11-01', ?, ?, 'x')",
			`r${number}`,
			number,
			idOf(owner),
			approved,
			status,
			status === "pending" ? null : 1,
			status === "pending" ? null : idOf("omar"),
		);
	await insert(1, "dana", "approved", null);
	await insert(2, "dana", "approved", 400);
	await insert(3, "omar", "approved", null);
	await insert(4, "omar", "rejected", null);
	await insert(5, "omar", "pending", null);
	await applyRest();
	const ready = () =>
		bench.rows("select driver_id, ready_cents, ready_requests from payout_totals order by 1");
	expect(await ready()).toEqual([
		{ driver_id: "", ready_cents: 2400, ready_requests: 3 },
		{ driver_id: idOf("dana"), ready_cents: 1400, ready_requests: 2 },
		{ driver_id: idOf("omar"), ready_cents: 1000, ready_requests: 1 },
	]);
	// As a release without payouts or lower amounts does it.
	await bench.rows(
		"update fund_requests set status = 'pending', decided_at = null, decided_by = null where id = 'r2'",
	);
	expect(await ready()).toMatchObject([{ ready_cents: 2000 }, { ready_cents: 1000 }, {}]);
});
