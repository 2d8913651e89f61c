/** What the demo fleet's drivers keep of a week, and two charges: damage in instalments, and a bonus. */
import { settlementWeek } from "../app/domain/statements/settlement-week.ts";
import { addDays } from "../app/values/calendar-date.ts";
import { idOf } from "../tests/support/cast.ts";
import { type Clock, DRIVERS, demoId, driverId, type Row, WEEKS } from "./demo-cast.ts";

/** The weekday that weeks start on by default. */
const MONDAY = 1;

/** A driver keeps 60% of net fares, unless these terms say otherwise. */
const TERMS: Readonly<Record<string, Row>> = {
	Dana: { weekly_rent_cents: 12_000 },
	Omar: { fares_basis_points: 5000, weekly_fee_cents: 2500, tolls_to: "fleet" },
	Lena: { fares_basis_points: 10_000, fleet_basis_points: 800, weekly_rent_cents: 17_000 },
	Grace: { base: "gross", fares_basis_points: 5500, per_mile_mills: 725, tax_year_start: "01-01" },
};

/** Every driver's agreement since their first week, and the one that Dana's is followed by. */
export function agreementRows({ today, now, at }: Clock): Row[] {
	const first = addDays(settlementWeek(today, MONDAY).from, -WEEKS * 7);
	const next = addDays(settlementWeek(today, MONDAY).from, -28);
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
			weekly_rent_cents: 12_000,
			created_at: Math.min(now, at(next, 10)),
		}),
	].map((made, number) => ({ ...made, id: demoId(6, number) }));
}

export function chargeRows({ today, now, at }: Clock): Row[] {
	const { from } = settlementWeek(today, MONDAY);
	const charges: readonly Row[] = [
		{
			driver_id: driverId("Marcus"),
			kind: "damage",
			charged_on: addDays(from, -11),
			amount_cents: 36_000,
			direction: "against",
			instalments: 6,
			note: "Left mirror, the garage's bill of $360.00",
		},
		{
			driver_id: driverId("Dana"),
			kind: "bonus",
			charged_on: from,
			amount_cents: 5000,
			direction: "for",
			instalments: 1,
			note: "No complaint in three months",
		},
	];
	return charges.map((charge, number) => ({
		id: demoId(7, number),
		...charge,
		settled_instalments: 0,
		created_at: Math.min(now, at(from, 8 + number)),
		created_by: idOf("ada"),
		payload_hash: "seed",
	}));
}
