/** Settings on real D1: what is stored, what isn't, and who changed it. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { insertAgreement, insertCharge } from "../../../tests/support/agreements.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { insertRow, insertTrips } from "../../../tests/support/rows.ts";
import { insertSettlement } from "../../../tests/support/settlements.ts";
import { Database } from "../../db/client.server.ts";
import { refused } from "../../values/outcome.ts";
import { DEFAULT_SETTINGS, toFleetSettings } from "../kernel/fleet-settings.ts";
import { changeSettings } from "./commands/change.server.ts";
import { chooseUnits } from "./commands/choose-units.server.ts";
import { chooseWeekStart } from "./commands/choose-week-start.server.ts";
import { selectSettings } from "./queries.server.ts";

/** What the migration runs: a fleet that has amounts may choose once. */
const OPENING = readFileSync("migrations/0043_fleet_units.sql", "utf8");
const NAMED = { fleetName: "Milepost" };
const bench = await openDatabase("everyone");
const inForce = async () => {
	const db = new Database(bench.batches);
	const { settings } = await db.batch({ settings: selectSettings() });
	return toFleetSettings(settings, NAMED);
};
const stored = async () =>
	(await bench.rows<{ chosen: string }>("select chosen from settings")).map(({ chosen }) =>
		JSON.parse(chosen),
	);
const entries = async () =>
	(
		await bench.rows<{ before: string; after: string; entity_id: string }>(
			"select * from audit_events where action = 'settings.change' order by id",
		)
	).map(({ before, after }) => ({ before: JSON.parse(before), after: JSON.parse(after) }));
let earlier = 0;

beforeEach(async () => {
	await bench.rows("delete from settings");
	earlier = (await entries()).length;
});

describe("the settings", () => {
	it("have their defaults until somebody changes one", async () => {
		expect(await inForce()).toEqual({
			fleetName: "Milepost",
			currency: "USD",
			distanceUnit: "mi",
			unitsOpen: false,
			excellentUnderCents: 85,
			goodUnderCents: 100,
			targetCents: 85,
			aboveTargetOverCents: 100,
			fuelTargetPercent: 70,
			pendingAlertOver: 5,
			feeAlertOverCents: 150_000,
			longTripMiles: 1500,
			sameRequestMinutes: 10,
			receiptMegabytes: 8,
			remindOfMiles: false,
			remindOfReceipts: true,
			weeklyDigest: true,
			accountCode: "449",
			settlementAccountCode: "310",
			taxType: "Tax Exempt (0%)",
			quickbooksTaxCode: "",
			weekStartsOn: "monday",
			setupDismissed: false,
			keepDriverYears: 7,
		});
		expect(await stored()).toEqual([]);
	});

	it("keep what is set, and record old and new values in the audit", async () => {
		const admin = await bench.admin("ada");
		const changed = await changeSettings(admin, { remindOfMiles: true, weeklyDigest: true }, NAMED);
		expect(changed).toEqual({ ...DEFAULT_SETTINGS, remindOfMiles: true });
		await changeSettings(admin, { accountCode: "Cars: fuel", taxType: "" }, NAMED);
		expect(await inForce()).toEqual({
			...DEFAULT_SETTINGS,
			remindOfMiles: true,
			accountCode: "Cars: fuel",
			taxType: "",
		});
		expect((await entries()).slice(earlier)).toEqual([
			{
				before: { remindOfMiles: false, weeklyDigest: true },
				after: { remindOfMiles: true, weeklyDigest: true },
			},
			{
				before: { accountCode: "449", taxType: "Tax Exempt (0%)" },
				after: { accountCode: "Cars: fuel", taxType: "" },
			},
		]);
	});

	it("write nothing when nothing changes", async () => {
		const admin = await bench.admin("ada");
		await changeSettings(admin, { weeklyDigest: true }, NAMED);
		await changeSettings(admin, { weeklyDigest: false }, NAMED);
		await changeSettings(admin, { weeklyDigest: false }, NAMED);
		expect((await entries()).slice(earlier)).toHaveLength(1);
	});

	it("follow their default again once set to it", async () => {
		const admin = await bench.admin("ada");
		const variable = { fleetName: "Northside Cars" };
		await changeSettings(admin, { fleetName: "Milepost" }, variable);
		expect(await stored()).toEqual([{ fleetName: "Milepost" }]);
		expect(await changeSettings(admin, variable, variable)).toMatchObject(variable);
		expect(await stored()).toEqual([{}]);
		expect((await entries()).slice(earlier)).toEqual([
			{ before: { fleetName: "Northside Cars" }, after: { fleetName: "Milepost" } },
			{ before: { fleetName: "Milepost" }, after: { fleetName: "Northside Cars" } },
		]);
	});

	it("lose nothing when two administrators change different ones at once", async () => {
		for (let round = 0; round < 20; round++) {
			const [ada, ben] = await Promise.all([bench.admin("ada"), bench.admin("ben")]);
			await Promise.all([
				changeSettings(ada, { remindOfMiles: round % 2 === 0 }, NAMED),
				changeSettings(ben, { taxType: `Rate ${round}` }, NAMED),
			]);
			expect(await inForce()).toMatchObject({
				remindOfMiles: round % 2 === 0,
				taxType: `Rate ${round}`,
			});
		}
	});

	it("keep the day that weeks start on once a week was settled", async () => {
		const admin = await bench.admin("ada");
		expect(await chooseWeekStart(admin, "sunday", NAMED)).toMatchObject({ ok: true });
		await insertSettlement(bench.rows, 1, "dana", "2026-11-15");
		expect(await chooseWeekStart(admin, "monday", NAMED)).toEqual(refused("settled"));
		expect(await chooseWeekStart(admin, "sunday", NAMED)).toMatchObject({ ok: true });
		expect(await inForce()).toMatchObject({ weekStartsOn: "sunday" });
	});

	it("take agreements along to the nearest first day of a week", async () => {
		const admin = await bench.admin("ada");
		await insertAgreement(bench.rows, 1, "dana", "2026-11-16");
		await insertAgreement(bench.rows, 2, "dana", "2026-11-15");
		const starts = async () =>
			(
				await bench.rows<{ starts_on: string }>("select starts_on from agreements order by number")
			).map((row) => row.starts_on);
		await chooseWeekStart(admin, "sunday", NAMED);
		expect(await starts()).toEqual(["2026-11-15", "2026-11-15"]);
		await chooseWeekStart(admin, "monday", NAMED);
		expect(await starts()).toEqual(["2026-11-16", "2026-11-16"]);
		const told = "select before, after from audit_events where action = 'agreement.move'";
		expect((await bench.rows<{ before: string; after: string }>(told))[0]).toEqual({
			before: '{"from":"2026-11-16"}',
			after: '{"from":"2026-11-15"}',
		});
		await insertSettlement(bench.rows, 1, "dana", "2026-11-16");
		const back = "update agreements set starts_on = '2026-11-09'";
		await expect(bench.rows(back)).rejects.toThrow("an agreement is final");
	});

	it("aren't affected by a stored value that a release doesn't know or can't read", async () => {
		await insertRow(bench.rows, "settings", {
			id: "fleet",
			chosen: '{"fleetName":"","weeklyDigest":"maybe","someday":3,"taxType":"20%"}',
		});
		expect(await inForce()).toEqual({ ...DEFAULT_SETTINGS, taxType: "20%" });
		await changeSettings(await bench.admin("ada"), { remindOfMiles: true }, NAMED);
		expect(await stored()).toEqual([
			{ fleetName: "", weeklyDigest: "maybe", someday: 3, taxType: "20%", remindOfMiles: true },
		]);
	});
});

describe("the currency and the distance", () => {
	const choose = async (currency: string, distanceUnit: "mi" | "km") =>
		chooseUnits(await bench.admin("ada"), { currency, distanceUnit }, NAMED);
	const clear = async () => {
		const recorded = ["fund_requests", "mileage_logs", "uber_fees", "agreements", "charges"];
		for (const table of [...recorded, "archived_years"]) await bench.rows(`delete from ${table}`);
	};
	const firsts: readonly (readonly [string, () => Promise<unknown>])[] = [
		["trip", () => insertTrips(bench.rows, idOf("dana"), "2026-11-02", 1)],
		["request", () => insertRequest(bench.rows, 900_777, "dana")],
		["agreement", () => insertAgreement(bench.rows, 1, "dana", "2026-11-02")],
		["charge", () => insertCharge(bench.rows, 1, "dana")],
		[
			"fee",
			() =>
				insertRow(bench.rows, "uber_fees", {
					id: "00000000-0000-4000-8000-00000000fee1",
					driver_id: idOf("dana"),
					category: "commission",
					amount_cents: 100,
					charged_on: "2026-11-02",
					added_by: idOf("ada"),
					created_at: 1,
					payload_hash: "x",
				}),
		],
	];

	beforeEach(clear);

	it("are chosen as often as one likes until the first amount or trip", async () => {
		expect((await choose("EUR", "km")).ok).toBe(true);
		expect((await choose("PLN", "km")).ok).toBe(true);
		expect(await inForce()).toMatchObject({ currency: "PLN", distanceUnit: "km" });
		expect((await choose("USD", "mi")).ok).toBe(true);
		expect(await stored()).toEqual([{}]);
	});

	it.each(firsts)("are fixed with the first %s, but may be saved unchanged", async (_, insert) => {
		expect((await choose("EUR", "km")).ok).toBe(true);
		await insert();
		expect(await choose("EUR", "mi")).toMatchObject({ ok: false, reason: "fixed" });
		expect(await choose("USD", "km")).toMatchObject({ ok: false, reason: "fixed" });
		expect((await choose("EUR", "km")).ok).toBe(true);
		expect(await stored()).toEqual([{ currency: "EUR", distanceUnit: "km" }]);
	});

	it.each(["GBP", "USD"])(
		"may be chosen once by a fleet that had amounts before: %s",
		async (own) => {
			await insertTrips(bench.rows, idOf("dana"), "2026-11-02", 1);
			await bench.rows(OPENING);
			expect(await stored()).toEqual([{ unitsOpen: true }]);
			expect((await choose(own, "mi")).ok).toBe(true);
			expect(await stored()).toEqual([own === "USD" ? {} : { currency: own }]);
			expect(await choose("EUR", "km")).toMatchObject({ ok: false, reason: "fixed" });
		},
	);

	it("aren't open to a fleet without amounts by the migration, which keeps what is chosen", async () => {
		await changeSettings(await bench.admin("ada"), { weeklyDigest: false }, NAMED);
		await bench.rows(OPENING);
		expect(await stored()).toEqual([{ weeklyDigest: false }]);
		await insertTrips(bench.rows, idOf("dana"), "2026-11-02", 1);
		await bench.rows(OPENING);
		expect(await stored()).toEqual([{ weeklyDigest: false, unitsOpen: true }]);
	});

	it("keep a fleet's own targets, even where they are the numbers of dollars and miles", async () => {
		await choose("EUR", "km");
		await changeSettings(await bench.admin("ada"), { targetCents: 85, pendingAlertOver: 5 }, NAMED);
		expect(await stored()).toEqual([{ currency: "EUR", distanceUnit: "km", targetCents: 85 }]);
		// Otherwise the entry would show no change.
		expect((await entries()).at(-1)).toEqual({
			before: { targetCents: null, pendingAlertOver: 5 },
			after: { targetCents: 85, pendingAlertOver: 5 },
		});
	});
});
