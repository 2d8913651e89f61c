/** Agreements and charges inserted directly into a test's database. */
import type { NewAgreement } from "../../app/domain/agreements/input.ts";
import type { NewCharge } from "../../app/domain/charges/input.ts";
import { parseCalendarDate } from "../../app/values/calendar-date.ts";
import { type CastName, idOf } from "./cast.ts";
import { currentTime } from "./clock.ts";
import { insertRow, type Row, type Sql } from "./rows.ts";

const numbered = (digit: number, number: number) =>
	`${digit}0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
/** Ids that sort by their number. */
const agreementId = (number: number) => numbered(7, number);
export const chargeId = (number: number) => numbered(8, number);

/**
 * Inserts an agreement on 60% of net fares and all of the rest from a day on, made by Ada, unless
 * given otherwise.
 * @param number of the row, and of the driver's agreement
 * @returns its id
 */
export async function insertAgreement(
	sql: Sql,
	number: number,
	owner: CastName,
	startsOn: string,
	more: Row = {},
): Promise<string> {
	const id = agreementId(number);
	await insertRow(sql, "agreements", {
		id,
		driver_id: idOf(owner),
		number,
		starts_on: startsOn,
		base: "net",
		fares_basis_points: 6000,
		tips_basis_points: 10_000,
		promotions_basis_points: 10_000,
		tolls_to: "driver",
		weekly_rent_cents: 0,
		weekly_fee_cents: 0,
		fleet_basis_points: 0,
		per_mile_mills: 0,
		created_at: currentTime(),
		created_by: idOf("ada"),
		payload_hash: "x",
		...more,
	});
	return id;
}

/**
 * Inserts $250.00 of damage against a driver in one instalment, added by Ada, unless given
 * otherwise.
 * @returns its id
 */
export async function insertCharge(
	sql: Sql,
	number: number,
	owner: CastName,
	more: Row = {},
): Promise<string> {
	const id = chargeId(number);
	await insertRow(sql, "charges", {
		id,
		driver_id: idOf(owner),
		kind: "damage",
		charged_on: "2026-11-02",
		amount_cents: 25_000,
		direction: "against",
		instalments: 1,
		created_at: currentTime(),
		created_by: idOf("ada"),
		payload_hash: "x",
		...more,
	});
	return id;
}

/** Valid input of a new agreement. */
export const agreementOf = (driverId: string, more: Partial<NewAgreement> = {}): NewAgreement => ({
	driverId,
	from: parseCalendarDate("2026-11-16"),
	base: "net",
	faresPercent: 6000,
	tipsPercent: 10_000,
	promotionsPercent: 10_000,
	tollsTo: "driver",
	weeklyRent: 12_000,
	weeklyFee: 0,
	fleetPercent: 0,
	perMileMills: 0,
	thresholdMiles: undefined,
	thereafterMills: undefined,
	taxYearStart: undefined,
	key: undefined,
	...more,
});

/** Valid input of a new charge. */
export const chargeOf = (driverId: string, more: Partial<NewCharge> = {}): NewCharge => ({
	driverId,
	kind: "damage",
	date: parseCalendarDate("2026-11-18"),
	amount: 25_000,
	direction: "against",
	instalments: 4,
	note: undefined,
	key: undefined,
	...more,
});
