/** Fund requests in the API (docs/product.md §3, 'Names on the wire'). */
import { toDecimal } from "../../values/money.ts";
import { formatDriverCode } from "../people/rules.ts";
import type { PayoutOfRequest } from "./payment.ts";
import { payoutOfRequestJson } from "./payment.ts";
import type { ShownRequest } from "./rows.server.ts";
import { effectiveAmount, requestNumber, type ThreadMessage } from "./rules.ts";

type Person = { readonly firstName: string; readonly lastName: string };
/** A request with its people, as the lists read it. */
export type RequestWithPeople = {
	readonly request: ShownRequest;
	readonly driver: Person & { readonly driverNumber: number | null };
	readonly decider: Person | null;
	/** Newest last; null if nobody has asked. */
	readonly thread: readonly ThreadMessage[] | null;
	/** The live payout it belongs to. */
	readonly payout: PayoutOfRequest | null;
};

const moment = (milliseconds: number | null) =>
	milliseconds === null ? null : new Date(milliseconds).toISOString();

/** A message of a request, in its thread and in the response that creates it. */
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
		/** How the thread ended, also after the decision. */
		question: request.question,
		messages: (thread ?? []).map(messageJson),
		payout: payoutOfRequestJson(payout),
	};
}
