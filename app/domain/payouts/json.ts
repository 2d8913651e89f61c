/** Payouts in the API (docs/product.md, 'Payouts'). */
import type * as v from "valibot";
import type { payouts } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { toDecimal } from "../../values/money.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import { requestNumber } from "../fund-requests/rules.ts";
import { displayName, formatDriverCode } from "../people/rules.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import type { payoutShape } from "./shape.server.ts";

type Person = { readonly firstName: string; readonly lastName: string };

/** A part of a payout: what a driver gets. */
type Part = Person & {
	readonly driverId: string;
	readonly driverNumber: number | null;
	readonly amountCents: number;
};

/** One request of a payout, with its driver, as every read selects it. */
export type PaidRequest = Part & {
	readonly requestId: string;
	readonly requestNumber: number;
};

/** One settlement of a payout, with its driver. */
export type PaidSettlement = Part & {
	readonly settlementId: string;
	readonly settlementNumber: number;
	/** The first day of its week. */
	readonly weekFrom: CalendarDate;
};

/** What a payout pays. */
export type PaidParts<Request extends PaidRequest = PaidRequest> = {
	readonly requests: readonly Request[];
	readonly settlements: readonly PaidSettlement[];
};

/** A payout with who made it, what it pays, and when its bills were first downloaded. */
export type PayoutWithParts = PaidParts & {
	readonly payout: typeof payouts.$inferSelect;
	readonly creator: Person;
	readonly billsDownloadedAt: number | null;
};

/** A driver's line: their requests, their settlements and the sum. */
export type PayoutLine<Request extends PaidRequest = PaidRequest> = PaidParts<Request> & {
	readonly driverId: string;
	readonly driverIdCode: string | null;
	readonly name: string;
	readonly amountCents: number;
};

export const sumOf = (parts: readonly Part[]) =>
	parts.reduce((sum, { amountCents }) => sum + amountCents, 0);

/**
 * A driver's name, or the code of one who was invited without a name and hasn't signed in: to an
 * accounting program, people of the same name are one contact.
 */
const nameOf = (part: Part): string => displayName({ ...part, email: null });

/** One line per driver, by driver code, with requests and settlements in the order of their numbers. */
export function toLines<Request extends PaidRequest>({
	requests,
	settlements,
}: PaidParts<Request>): PayoutLine<Request>[] {
	type Own = { driver: Part; requests: Request[]; settlements: PaidSettlement[] };
	const byDriver = new Map<string, Own>();
	for (const part of [...requests, ...settlements].toSorted(
		(one, other) => (one.driverNumber ?? 0) - (other.driverNumber ?? 0),
	))
		byDriver.set(part.driverId, { driver: part, requests: [], settlements: [] });
	for (const request of requests.toSorted((one, other) => one.requestNumber - other.requestNumber))
		byDriver.get(request.driverId)?.requests.push(request);
	for (const settlement of settlements.toSorted(
		(one, other) => one.settlementNumber - other.settlementNumber,
	))
		byDriver.get(settlement.driverId)?.settlements.push(settlement);
	return [...byDriver].map(([driverId, { driver, ...own }]) => ({
		driverId,
		driverIdCode: formatDriverCode(driver.driverNumber),
		name: nameOf(driver),
		amountCents: sumOf(own.requests) + sumOf(own.settlements),
		...own,
	}));
}

/** Amounts are decimal strings with two places, dates `YYYY-MM-DD`, moments ISO 8601 in UTC. */
export function payoutJson({
	payout,
	creator,
	billsDownloadedAt,
	...parts
}: PayoutWithParts): v.InferOutput<typeof payoutShape> {
	return {
		id: payout.id,
		number: payoutNumber(payout.number),
		status: payout.status,
		total: toDecimal(payout.totalCents),
		createdAt: new Date(payout.createdAt).toISOString(),
		createdBy: { firstName: creator.firstName, lastName: creator.lastName },
		paidOn: payout.paidOn,
		reference: payout.reference,
		billsDownloadedAt:
			billsDownloadedAt === null ? null : new Date(billsDownloadedAt).toISOString(),
		lines: toLines(parts).map(({ amountCents, requests, settlements, ...line }) => ({
			...line,
			amount: toDecimal(amountCents),
			requests: requests.map(({ requestId, requestNumber: number, amountCents: cents }) => ({
				id: requestId,
				requestNumber: requestNumber(number),
				amount: toDecimal(cents),
			})),
			settlements: settlements.map(
				({ settlementId, settlementNumber: number, amountCents: cents }) => ({
					id: settlementId,
					number: settlementNumber(number),
					amount: toDecimal(cents),
				}),
			),
		})),
	};
}
