/** The demo fleet's agreements, and three charges: damage in instalments, a toll and a bonus. */
import { addDays } from "../app/values/calendar-date.ts";
import { idOf } from "../tests/support/cast.ts";
import { type Clock, DRIVERS, demoId, driverId, type Row, WEEKS, weekAgo } from "./demo-cast.ts";
import type { UseReceipt } from "./demo-receipts.ts";

/** A driver keeps 60% of net fares, unless these terms say otherwise. */
const TERMS: Readonly<Record<string, Row>> = {
	Dana: { weekly_rent_cents: 4500 },
	Omar: { fares_basis_points: 5000, weekly_fee_cents: 2500, tolls_to: "fleet" },
	Łena: { fares_basis_points: 10_000, fleet_basis_points: 800, weekly_rent_cents: 17_000 },
	Grace: { base: "gross", fares_basis_points: 5500, per_mile_mills: 725, tax_year_start: "01-01" },
};

/** Every driver's agreement since their first week, and the one that follows Dana's. */
export function agreementRows(clock: Clock): Row[] {
	const { now, at } = clock;
	const { from: first } = weekAgo(clock, WEEKS);
	const { from: next } = weekAgo(clock, 4);
	const row = (driver: string, number: number, startsOn: Row[string], more: Row = {}): Row => ({
		id: demoId(6, 0),
		driver_id: driver,
		number,
		starts_on: startsOn ?? null,
		base: "net",
		fares_basis_points: 6000,
		tips_basis_points: 10_000,
		promotions_basis_points: 10_000,
		tolls_to: "driver",
		weekly_rent_cents: 0,
		weekly_fee_cents: 0,
		fleet_basis_points: 0,
		per_mile_mills: 0,
		threshold_miles: null,
		thereafter_mills: null,
		tax_year_start: null,
		created_at: Math.min(now, at(first, 9)),
		created_by: idOf("ada"),
		payload_hash: "seed",
		...more,
	});
	return [
		...DRIVERS.map(({ id, firstName }) => row(id, 1, first, TERMS[firstName])),
		row(driverId("Dana"), 2, next, {
			fares_basis_points: 6500,
			weekly_rent_cents: 3500,
			created_at: Math.min(now, at(next, 10)),
		}),
	].map((made, number) => ({ ...made, id: demoId(6, number) }));
}

/** Each is added on its day, the damage with the garage's bill. `demoSettlements` counts the instalments that are settled. */
export function chargeRows(clock: Clock, use: UseReceipt): Row[] {
	const charge = (driver: string, week: number, weekday: number, more: Row, file?: string): Row => {
		const chargedOn = addDays(weekAgo(clock, week).from, weekday);
		const at = clock.at(chargedOn, 15);
		return {
			driver_id: driverId(driver),
			charged_on: chargedOn,
			instalments: 1,
			direction: "against",
			...more,
			settled_instalments: 0,
			created_at: at,
			created_by: idOf("ada"),
			payload_hash: "seed",
			receipt_id: file ? use(file, driverId(driver), at) : null,
		};
	};
	return [
		charge("Priya", 2, 1, {
			kind: "toll",
			amount_cents: 1450,
			note: "Bridge toll by plate, billed to the fleet",
		}),
		charge(
			"Marcus",
			2,
			3,
			{
				kind: "damage",
				amount_cents: 36_000,
				instalments: 6,
				note: "Left mirror, the garage's bill of $360.00",
			},
			"mirror.pdf",
		),
		charge("Dana", 1, 4, {
			kind: "bonus",
			amount_cents: 5000,
			direction: "for",
			note: "No complaint in three months",
		}),
	].map((made, number) => ({ id: demoId(7, number), ...made }));
}
