/** Someone who was rejected, or never decided about, can be erased 30 days later. */
import { beforeEach, describe, expect, it } from "vitest";
import { insertCharge } from "../../../tests/support/agreements.ts";
import { CAST, type CastName, idOf, ZONE } from "../../../tests/support/cast.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { findRemains } from "../../../tests/support/remains.ts";
import { insertSettlement, published } from "../../../tests/support/settlements.ts";
import { Database } from "../../db/client.server.ts";
import { sealAudit } from "../audit/seal.server.ts";
import { cancelInvitation } from "../people/commands/cancel-invitation.server.ts";
import { completeProfile } from "../people/commands/complete-profile.server.ts";
import { rejectDriver } from "../people/commands/reject.server.ts";
import { whyNotChanged } from "../people/refusals.ts";
import { dailySweep } from "../upkeep/sweep.server.ts";
import { eraseAuditTexts } from "./commands/erase-audit.server.ts";
import { pseudonymizeDriver } from "./commands/pseudonymize.server.ts";

const DAY = 86_400_000;
const NOW = currentTime();
const bench = await openDatabase("everyone", NOW);
const db = new Database(bench.batches);
const archive = new Database(bench.archive);
const store = await openFileStore();
const SITE = { origin: "https://fleet.example.net" } as never;
const erase = async (name: CastName, typed: string, at: number) =>
	pseudonymizeDriver(await bench.admin("ada", at), idOf(name), typed, 7);
const personOf = async (name: CastName) =>
	(await bench.rows<Record<string, unknown>>("select * from users where id = ?", idOf(name)))[0];

async function settle(now: number): Promise<void> {
	for (let minute = 0; minute < 30; minute++)
		if (await sealAudit({ role: "system", db, now: now + minute * 60_000 }, ZONE)) break;
	for (let run = 0; run < 10; run++)
		await eraseAuditTexts({ role: "system", db, now: now + DAY }, archive);
}

describe("an applicant who was rejected", () => {
	beforeEach(async () => {
		const names = { firstName: "Zqxapplicant", lastName: "Zqxlast" };
		await bench.rows(
			"update users set created_at = ?, applied_at = ? where id = ?",
			NOW - 90 * DAY,
			NOW - 90 * DAY,
			idOf("nora"),
		);
		await completeProfile(await bench.self("nora"), names);
		const rejected = await rejectDriver(await bench.admin("ada"), idOf("nora"), SITE);
		expect(rejected.ok).toBe(true);
	});

	it("can't be erased within 30 days of the decision, nor without their name", async () => {
		const early = await erase("nora", "Zqxapplicant Zqxlast", NOW + 29 * DAY);
		if (early.ok) throw new Error("erased too early");
		expect(early.reason).toBe("too-early");
		expect(whyNotChanged(early, { timeZone: ZONE }).message).toContain(
			"can't be pseudonymized before",
		);
		const wrong = await erase("nora", "DRV-0001", NOW + 31 * DAY);
		expect(wrong).toMatchObject({ ok: false, reason: "wrong-name" });
		expect(await personOf("nora")).toMatchObject({
			first_name: "Zqxapplicant",
			pseudonymized_at: null,
		});
	});

	it("is erased from every table, and from the audit once it is sealed", async () => {
		expect(Object.keys(await findRemains(bench.rows, "zqx")).length).toBeGreaterThan(2);
		expect(await erase("nora", " zqxapplicant  ZQXLAST", NOW + 31 * DAY)).toMatchObject({
			ok: true,
		});
		expect(await personOf("nora")).toMatchObject({
			first_name: "Former applicant",
			last_name: "",
			email: null,
			unverified_email: null,
			approval_status: "rejected",
			is_active: 0,
		});
		await settle(NOW + 32 * DAY);
		expect(await findRemains(bench.rows, "zqx")).toEqual({});
		expect(await findRemains(bench.rows, CAST.nora.email)).toEqual({});
		expect(
			await bench.rows("select entity_id from audit_events where action = 'applicant.erase'"),
		).toEqual([{ entity_id: idOf("nora") }]);
		expect(await erase("nora", "Former applicant", NOW + 90 * DAY)).toMatchObject({
			reason: "pseudonymized",
		});
	});
});

describe.each([
	["driver", "role = 'driver'"],
	["administrator", "role = 'admin', driver_number = null"],
])("a %s whose invitation was canceled", (role, set) => {
	const sweepOn = async (days: number) =>
		dailySweep({ role: "system", db, now: NOW + days * DAY }, store, ZONE);

	it("is erased 30 days later, unless they are still owed something", async () => {
		const [guest] = await bench.rows<{ id: string }>(
			"select id from users where invited_at is not null and claimed_at is null and role = 'driver' limit 1",
		);
		const id = guest?.id ?? expect.unreachable();
		await bench.rows(
			`update users set first_name = 'Zqxguest', last_name = 'Zqxlast', email = 'zqx@milepost.test', driver_number = 77, ${set} where id = ?`,
			id,
		);
		expect(await cancelInvitation(await bench.admin("ada", NOW), id)).toMatchObject({ ok: true });
		await insertCharge(bench.rows, 1, "dana", { driver_id: id, note: "Zqxwords" });
		const week = published(100, { driver_id: id });
		const owed = await insertSettlement(bench.rows, 1, "dana", "2026-01-05", week);
		await sweepOn(29);
		await sweepOn(31);
		expect(Object.keys(await findRemains(bench.rows, "zqx"))).toContain("users");
		await bench.rows(
			"update settlements set status = 'void', voided_at = 1, voided_by = ? where id = ?",
			idOf("ada"),
			owed,
		);
		await sweepOn(32);
		expect(
			(await bench.rows("select first_name, last_name, email from users where id = ?", id))[0],
		).toEqual({
			first_name: "Canceled invitation",
			last_name: role === "driver" ? "DRV-0077" : "",
			email: null,
		});
		await settle(NOW + 33 * DAY);
		expect(await findRemains(bench.rows, "zqx")).toEqual({});
	});
});

describe("someone who was never decided about", () => {
	it("is erased 30 days after they signed in, by their email where they gave no name", async () => {
		await bench.rows(
			"update users set created_at = ?, first_name = '', last_name = '', email = null, unverified_email = 'zqy@milepost.test' where id = ?",
			NOW - 10 * DAY,
			idOf("nina"),
		);
		expect(await erase("nina", "zqy@milepost.test", NOW + 19 * DAY)).toMatchObject({
			reason: "too-early",
		});
		expect(await erase("nina", "zqy@milepost.test", NOW + 21 * DAY)).toMatchObject({ ok: true });
		await settle(NOW + 40 * DAY);
		expect(await findRemains(bench.rows, "zqy")).toEqual({});
	});

	it("isn't an approved driver, who follows the fleet's years", async () => {
		expect(
			await erase("dana", `${CAST.dana.firstName} ${CAST.dana.lastName}`, NOW + 90 * DAY),
		).toMatchObject({
			reason: "still-active",
		});
	});
});
