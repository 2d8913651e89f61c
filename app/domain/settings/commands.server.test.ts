/** Settings on real D1: what is stored, what isn't, and who changed it. */
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { Database } from "../../db/client.server.ts";
import { DEFAULT_SETTINGS, toFleetSettings } from "../kernel/fleet-settings.ts";
import { changeSettings } from "./commands/change.server.ts";
import { selectSettings } from "./queries.server.ts";

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
			taxType: "Tax Exempt (0%)",
			quickbooksTaxCode: "",
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
