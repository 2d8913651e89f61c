/** Someone who was rejected, or never decided about, can be erased 30 days later. */
import { beforeEach, describe, expect, it } from "vitest";
import { CAST, type CastName, idOf, ZONE } from "../../../tests/support/cast.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { findRemains } from "../../../tests/support/remains.ts";
import { Database } from "../../db/client.server.ts";
import { sealAudit } from "../audit/seal.server.ts";
import { completeProfile } from "../people/commands/complete-profile.server.ts";
import { rejectDriver } from "../people/commands/reject.server.ts";
import { whyNotChanged } from "../people/refusals.ts";
import { eraseAuditTexts } from "./commands/erase-audit.server.ts";
import { pseudonymizeDriver } from "./commands/pseudonymize.server.ts";

const DAY = 86_400_000;
const NOW = currentTime();
const bench = await openDatabase("everyone", NOW);
const db = new Database(bench.batches);
const archive = new Database(bench.archive);
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
