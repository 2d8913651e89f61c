/** A fund request as the API shows one (docs/product.md §3, 'Names on the wire'). */
import type { fundRequests } from "../../db/schema.ts";
import { toDecimal } from "../../values/money.ts";
import { payoutOfRequestJson } from "../payouts/json.ts";
import type { PayoutOfRequest } from "../payouts/rules.ts";
import { formatDriverCode } from "../users/rules.ts";
import { effectiveAmount, requestNumber, type ThreadMessage } from "./rules.ts";

type Person = { readonly firstName: string; readonly lastName: string };
/** A request with the people it concerns, as the lists read it. */
export type RequestWithPeople = {
	readonly request: typeof fundRequests.$inferSelect;
	readonly driver: Person & { readonly driverNumber: number | null };
	readonly decider: Person | null;
	/** The newest last; null where nobody has asked. */
	readonly thread: readonly ThreadMessage[] | null;
	/** The live payout it stands in. */
	readonly payout: PayoutOfRequest | null;
};

const moment = (milliseconds: number | null) =>
	milliseconds === null ? null : new Date(milliseconds).toISOString();

/** A message of a request, as its thread and its creation answer it. */
export const messageJson = (message: Omit<ThreadMessage, "position">) => ({
	id: message.id,
	by: { firstName: message.firstName, lastName: message.lastName, role: message.authorRole },
	text: message.text,
	createdAt: moment(message.createdAt),
});

/** Amounts are decimal strings with two places, moments ISO 8601 in UTC. */
export function requestJson({ request, driver, decider, thread, payout }: RequestWithPeople) {
	return {
		id: request.id,
		requestNumber: requestNumber(request.number),
		driverId: request.driverId,
		driverIdCode: formatDriverCode(driver.driverNumber),
		driver: { firstName: driver.firstName, lastName: driver.lastName },
		type: request.type,
		amount: toDecimal(request.amountCents),
		approvedAmount: request.status === "approved" ? toDecimal(effectiveAmount(request)) : null,
		description: request.description,
		receiptUrl: request.receiptId ? `/api/receipts/${request.receiptId}` : request.receiptName,
		status: request.status,
		isPossibleDuplicate: request.isPossibleDuplicate,
		createdAt: moment(request.createdAt),
		/** When the phone captured it, if it waited there for a signal. */
		capturedAt: moment(request.capturedAt),
		adminNotes: request.adminNotes,
		decidedAt: moment(request.decidedAt),
		decidedBy: decider ? { firstName: decider.firstName, lastName: decider.lastName } : null,
		/** What the thread came to, also once the request is decided. */
		question: request.question,
		messages: (thread ?? []).map(messageJson),
		payout: payoutOfRequestJson(payout),
	};
}
