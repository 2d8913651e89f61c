/** Payouts in the API (docs/product.md, 'Payouts'). */
import type * as v from "valibot";
import type { payouts } from "../../db/schema.ts";
import { toDecimal } from "../../values/money.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import { requestNumber } from "../fund-requests/rules.ts";
import { displayName, formatDriverCode } from "../people/rules.ts";
import type { payoutShape } from "./shape.server.ts";

type Person = { readonly firstName: string; readonly lastName: string };

/** One request of a payout, with its driver, as every read selects it. */
export type PaidRequest = Person & {
	readonly driverId: string;
	readonly driverNumber: number | null;
	readonly requestId: string;
	readonly requestNumber: number;
	readonly amountCents: number;
};

/** A payout with who made it, its requests, and when its bills were first downloaded. */
export type PayoutWithRequests = {
	readonly payout: typeof payouts.$inferSelect;
	readonly creator: Person;
	readonly requests: readonly PaidRequest[];
	readonly billsDownloadedAt: number | null;
};

/** A driver's line: their requests and the sum. */
export type PayoutLine<Request extends PaidRequest = PaidRequest> = {
	readonly driverId: string;
	readonly driverIdCode: string | null;
	readonly name: string;
	readonly amountCents: number;
	readonly requests: readonly Request[];
};

/** One line per driver, by driver code, with requests in the order of their numbers. */
export function toLines<Request extends PaidRequest>(
	requests: readonly Request[],
): PayoutLine<Request>[] {
	const byDriver = new Map<string, Request[]>();
	const ordered = requests.toSorted(
		(one, other) =>
			(one.driverNumber ?? 0) - (other.driverNumber ?? 0) ||
			one.requestNumber - other.requestNumber,
	);
	for (const request of ordered) {
		const own = byDriver.get(request.driverId) ?? [];
		byDriver.set(request.driverId, own);
		own.push(request);
	}
	return [...byDriver].map(([driverId, own]) => ({
		driverId,
		driverIdCode: formatDriverCode(own[0]?.driverNumber ?? null),
		name: displayName({ firstName: "", lastName: "", ...own[0], email: null }),
		amountCents: own.reduce((sum, { amountCents }) => sum + amountCents, 0),
		requests: own,
	}));
}

/** Amounts are decimal strings with two places, dates `YYYY-MM-DD`, moments ISO 8601 in UTC. */
export function payoutJson({
	payout,
	creator,
	requests,
	billsDownloadedAt,
}: PayoutWithRequests): v.InferOutput<typeof payoutShape> {
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
		lines: toLines(requests).map(({ amountCents, requests: own, ...line }) => ({
			...line,
			amount: toDecimal(amountCents),
			requests: own.map(({ requestId, requestNumber: number, amountCents: cents }) => ({
				id: requestId,
				requestNumber: requestNumber(number),
				amount: toDecimal(cents),
			})),
		})),
	};
}
