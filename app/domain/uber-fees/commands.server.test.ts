import { describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { AccessLost, openDatabase } from "../../../tests/support/database.ts";
import { blocksOf, countedRows, storedBlocks } from "../../../tests/support/totals.ts";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { addFee } from "./commands/add.server.ts";
import { deleteFee } from "./commands/delete.server.ts";
import type { AddFee } from "./input.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOON);

const charge = (more: Partial<AddFee> = {}): AddFee => ({
	driverId: idOf("dana"),
	category: "service_fee",
	amount: 1250,
	date: parseCalendarDate("2026-11-20"),
	referenceNumber: "UB-2026-001",
	description: undefined,
	key: undefined,
	replacesId: undefined,
	...more,
});
const totals = () => storedBlocks(bench.rows);
const recomputed = async () => blocksOf(await countedRows(bench.rows));
const events = (id: string) =>
	bench.rows<{
		action: string;
		actor_id: string;
		before: string | null;
		after: string;
		reason: string | null;
	}>(
		"select action, actor_id, before, after, reason from audit_events where entity = 'uber-fee' and entity_id = ? order by id",
		id,
	);

async function added(more: Partial<AddFee> = {}): Promise<string> {
	const outcome = await addFee(await bench.admin("ada"), charge(more));
	if (!outcome.ok) throw new Error(outcome.reason);
	return outcome.value.row.fee.id;
}

describe("addFee", () => {
	it("stores the fee in the administrator's own name, its audit row and the totals", async () => {
		const outcome = await addFee(await bench.admin("ben"), charge());
		expect(outcome).toMatchObject({
			ok: true,
			value: {
				isReplay: false,
				row: {
					fee: {
						driverId: idOf("dana"),
						category: "service_fee",
						amountCents: 1250,
						chargedOn: "2026-11-20",
						addedBy: idOf("ben"),
					},
					driver: { firstName: "Dana", driverNumber: 1 },
				},
			},
		});
		if (!outcome.ok) throw new Error(outcome.reason);
		const [event] = await events(outcome.value.row.fee.id);
		expect(event).toMatchObject({ action: "fee.add", actor_id: idOf("ben"), before: null });
		expect(JSON.parse(event?.after ?? "")).toEqual({
			driverId: idOf("dana"),
			category: "service_fee",
			amountCents: 1250,
			date: "2026-11-20",
			referenceNumber: "UB-2026-001",
		});
		expect(
			await bench.rows(
				"select driver_id, service_fee_cents as cents, service_fee_fees as fees from block_totals where days = 1 and service_fee_fees > 0 order by 1",
			),
		).toEqual([
			{ driver_id: "", cents: 1250, fees: 1 },
			{ driver_id: idOf("dana"), cents: 1250, fees: 1 },
		]);
	});

	it("accepts a fee of a driver who is inactive or only invited", async () => {
		for (const name of ["ivan", "ines"] as const) await added({ driverId: idOf(name) });
		expect(await totals()).toEqual(await recomputed());
	});

	it.each([
		["is not there", "90000000-0000-4000-8000-000000000000"],
		["is an administrator", idOf("ben")],
		["is pending", idOf("nora")],
		["was rejected", idOf("rex")],
	])("refuses a driver who %s", async (_, driverId) => {
		const before = await bench.rows("select count(*) as n from uber_fees");
		expect(await addFee(await bench.admin("ada"), charge({ driverId }))).toMatchObject({
			ok: false,
			reason: "no-such-driver",
		});
		expect(await bench.rows("select count(*) as n from uber_fees")).toEqual(before);
	});

	it("refuses a driver who was deleted", async () => {
		await bench.d1.prepare("update users set deleted_at = 1 where id = ?").bind(idOf("ines")).run();
		expect(
			await addFee(await bench.admin("ada"), charge({ driverId: idOf("ines") })),
		).toMatchObject({ reason: "no-such-driver" });
		await bench.d1
			.prepare("update users set deleted_at = null where id = ?")
			.bind(idOf("ines"))
			.run();
	});

	it("returns the first result for a resubmission, and refuses its key with other values", async () => {
		const ada = await bench.admin("ada");
		const first = await addFee(ada, charge({ key: "submission-1" }));
		const again = await addFee(ada, charge({ key: "submission-1" }));
		if (!first.ok || !again.ok) throw new Error("refused");
		expect(again.value).toEqual({ row: first.value.row, isReplay: true });
		for (const other of [
			{ amount: 1251 },
			{ description: "x" },
			{ category: "other" },
			{ driverId: idOf("omar") },
		] as const)
			expect(await addFee(ada, charge({ key: "submission-1", ...other }))).toMatchObject({
				ok: false,
				reason: "key-reused",
			});
		expect(
			(await addFee(await bench.admin("ben"), charge({ key: "submission-1", amount: 1 }))).ok,
		).toBe(true);
		expect(
			await bench.rows("select 1 from uber_fees where submission_key = 'submission-1'"),
		).toHaveLength(2);
		expect(await totals()).toEqual(await recomputed());
	});

	it("stores one of twenty simultaneous posts of the same form", async () => {
		const ada = await bench.admin("ada");
		const outcomes = await Promise.all(
			Array.from({ length: 20 }, () => addFee(ada, charge({ key: "at-once-1" }))),
		);
		expect(outcomes.filter((each) => each.ok && !each.value.isReplay)).toHaveLength(1);
		expect(outcomes.filter((each) => each.ok)).toHaveLength(20);
	});

	it("refuses an administrator deactivated after the guard admitted them", async () => {
		const ben = await bench.admin("ben");
		const id = await added();
		await bench.d1.prepare("update users set is_active = 0 where id = ?").bind(idOf("ben")).run();
		await expect(addFee(ben, charge())).rejects.toThrow(AccessLost);
		await expect(addFee(ben, charge({ replacesId: id }))).rejects.toThrow(AccessLost);
		await expect(deleteFee(ben, id)).rejects.toThrow(AccessLost);
		await bench.d1.prepare("update users set is_active = 1 where id = ?").bind(idOf("ben")).run();
		expect(
			await bench.rows("select 1 from uber_fees where id = ? and deleted_at is null", id),
		).toHaveLength(1);
	});
});

describe("replacing", () => {
	it("deletes the old fee and adds the new one in one step, audited as two", async () => {
		const old = await added({ amount: 9000 });
		const fresh = await added({ amount: 900, replacesId: old });
		expect(
			await bench.rows("select deleted_at, deleted_by from uber_fees where id = ?", old),
		).toEqual([{ deleted_at: NOON, deleted_by: idOf("ada") }]);
		expect(
			await bench.rows("select replaces_id, amount_cents from uber_fees where id = ?", fresh),
		).toEqual([{ replaces_id: old, amount_cents: 900 }]);
		expect((await events(old)).map(({ action, reason }) => [action, reason])).toEqual([
			["fee.add", null],
			["fee.delete", "Replaced"],
		]);
		expect(await totals()).toEqual(await recomputed());
	});

	it("happens once when two do it at the same time", async () => {
		const old = await added();
		const outcomes = await Promise.all(
			(["ada", "ben"] as const).map(async (name) =>
				addFee(await bench.admin(name), charge({ amount: 777, replacesId: old })),
			),
		);
		expect(outcomes.filter((each) => each.ok)).toHaveLength(1);
		expect(outcomes.find((each) => !each.ok)).toMatchObject({ reason: "not-to-replace" });
		expect(await bench.rows("select 1 from uber_fees where replaces_id = ?", old)).toHaveLength(1);
	});

	it("leaves the old fee alone when the new one is refused", async () => {
		const old = await added();
		expect(
			await addFee(await bench.admin("ada"), charge({ driverId: idOf("nora"), replacesId: old })),
		).toMatchObject({
			reason: "no-such-driver",
		});
		expect(
			await bench.rows("select 1 from uber_fees where id = ? and deleted_at is null", old),
		).toHaveLength(1);
		expect(await events(old)).toHaveLength(1);
	});

	it("adds nothing for a fee that is deleted already", async () => {
		const ada = await bench.admin("ada");
		const old = await added();
		expect((await deleteFee(ada, old)).ok).toBe(true);
		expect(await addFee(ada, charge({ replacesId: old }))).toMatchObject({
			ok: false,
			reason: "not-to-replace",
		});
		expect(await bench.rows("select 1 from uber_fees where replaces_id = ?", old)).toHaveLength(0);
	});
});

describe("deleteFee", () => {
	it("keeps the row, removes it from the totals, is audited, and happens once", async () => {
		const id = await added({ amount: 4321 });
		const ben = await bench.admin("ben");
		expect(await deleteFee(ben, id)).toMatchObject({
			ok: true,
			value: { fee: { id, deletedBy: idOf("ben"), deletedAt: NOON } },
		});
		expect(await deleteFee(ben, id)).toMatchObject({ ok: false, reason: "not-found" });
		expect(await deleteFee(ben, crypto.randomUUID())).toMatchObject({
			ok: false,
			reason: "not-found",
		});
		const deletions = (await events(id)).filter(({ action }) => action === "fee.delete");
		expect(deletions).toHaveLength(1);
		expect(JSON.parse(deletions[0]?.before ?? "")).toMatchObject({ amountCents: 4321 });
		expect(await totals()).toEqual(await recomputed());
	});
});
