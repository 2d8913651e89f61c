import { describe, expect, it } from "vitest";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { weekView } from "./week-view.server.ts";

const bench = await openDatabase();
const NOTHING = { agreements: [], inForce: [], charges: [], removed: [] };

describe("the week on a driver's page", () => {
	const shown = async (dialog: string, pseudonymizedAt: number | null) => {
		const { user, today } = await bench.admin("ada");
		const driver = { ...user, id: idOf("dana"), role: "driver" as const, pseudonymizedAt };
		const query = new URLSearchParams({ dialog });
		const place = { user: driver, today, now: 1, query, timeZone: ZONE, startsOn: 1 };
		return weekView(NOTHING, { ...place, mayChange: true, receiptMegabytes: 8 });
	};

	it.each(["agreement", "charge"])("offers to record a new %s", async (dialog) => {
		expect(await shown(dialog, null)).toMatchObject({ mayAdd: true, dialog });
	});

	it.each(["agreement", "charge"])("offers no new %s of a pseudonymized driver", async (dialog) => {
		const week = await shown(dialog, 1);
		expect([week.isDriver, week.mayAdd, week.dialog]).toEqual([true, false, undefined]);
	});

	it("still takes back a charge of theirs", async () => {
		expect(await shown("remove-charge", 1)).toMatchObject({ dialog: "remove-charge" });
	});
});
