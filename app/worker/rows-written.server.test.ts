/**
 * The exact rows that the four most common changes write: what D1 bills and a driver waits for.
 * Today's standings are kept, so a trip and a fuel request change those as well.
 */
import { expect, it } from "vitest";
import { ROWS_WRITTEN } from "../../tests/support/budgets.ts";
import { idOf, ZONE } from "../../tests/support/cast.ts";
import { openDatabase } from "../../tests/support/database.ts";
import { Database } from "../db/client.server.ts";
import { keepStandings } from "../domain/analytics/keep-standings.server.ts";
import { processRequests } from "../domain/fund-requests/commands/process.server.ts";
import { submitRequest } from "../domain/fund-requests/commands/submit.server.ts";
import { logMileage } from "../domain/mileage/commands/log.server.ts";
import { addFee } from "../domain/uber-fees/commands/add.server.ts";
import { addDays } from "../values/calendar-date.ts";

const NOW = Date.UTC(2026, 10, 25, 17);
const MINUTE = 60_000;
const bench = await openDatabase("everyone", NOW);

it("a trip, a request, its approval with its email, and a fee", async () => {
	for (const before of [90, 60, 1])
		await keepStandings(
			{ role: "system", db: new Database(bench.batches), now: NOW - before * MINUTE },
			ZONE,
		);
	const dana = await bench.driver("dana");
	const ada = await bench.admin("ada");
	const today = ada.today;
	const db = () => new Database(bench.batches);
	const written: Record<string, number> = {};
	async function note<T extends { readonly ok: boolean }>(
		what: string,
		act: (db: Database) => Promise<T>,
	): Promise<T> {
		const each = db();
		const outcome = await act(each);
		expect(outcome.ok, what).toBe(true);
		written[what] = each.cost.written;
		return outcome;
	}
	// The first of a day adds blocks to the totals, which the second finds.
	for (const place of [1, 2]) {
		const name = place === 1 ? "first " : "";
		await note(`${name}trip`, (each) =>
			logMileage(
				{ ...dana, db: each },
				{
					date: addDays(today, -1),
					startOdometer: 900_000 + 30 * place,
					endOdometer: 900_020 + 30 * place,
					notes: undefined,
					key: `trip-${place}-of-dana`,
					confirm: undefined,
					correctsId: undefined,
				},
				"form",
			),
		);
		const made = await note(`${name}request`, (each) =>
			submitRequest(
				{ ...dana, db: each },
				{
					type: "gas",
					amount: 4_000 + place,
					description: "Fuel",
					receiptUrl: undefined,
					replacesId: undefined,
					confirm: undefined,
					key: `request-${place}-of-dana`,
				},
				"form",
			),
		);
		const id = made.ok ? made.value.request.id : "";
		await note(`${name}approval`, async (each) => {
			await processRequests({ ...ada, db: each }, [id], {
				status: "approved",
				adminNotes: undefined,
			});
			return { ok: true };
		});
		await note(`${name}fee`, (each) =>
			addFee(
				{ ...ada, db: each },
				{
					driverId: idOf("dana"),
					category: "service_fee",
					amount: 1_250,
					date: addDays(today, -1),
					description: "Airport pickups",
					referenceNumber: undefined,
					key: `fee-${place}-of-ada`,
				},
			),
		);
	}
	expect(written).toEqual(ROWS_WRITTEN);
});
