/** Fund requests in the API (docs/product.md §3, 'Names on the wire'). */
import type * as v from "valibot";
import { toDecimal } from "../../values/money.ts";
import { toWire } from "../kernel/record.ts";
import type { ThreadMessage } from "../messages/rules.ts";
import { formatDriverCode } from "../people/rules.ts";
import type { PayoutOfRequest } from "./payment.ts";
import { payoutOfRequestJson } from "./payment.ts";
import { REQUEST } from "./record.ts";
import type { ShownRequest } from "./rows.server.ts";
import { effectiveAmount, isLateRequest, requestNumber } from "./rules.ts";
import type { messageShape } from "./shape.server.ts";

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

/** A message of a request, in its thread and in the response that creates it. */
export const messageJson = (
	message: Omit<ThreadMessage, "position">,
): v.InferOutput<typeof messageShape> => ({
	id: message.id,
	by: { firstName: message.firstName, lastName: message.lastName, role: message.authorRole },
	text: message.text,
	createdAt: new Date(message.createdAt).toISOString(),
});

/** Amounts are decimal strings with two places, moments ISO 8601 in UTC. */
export function requestJson({ request, driver, decider, thread, payout }: RequestWithPeople) {
	return {
		...toWire(REQUEST, request),
		requestNumber: requestNumber(request.number),
		driverIdCode: formatDriverCode(driver.driverNumber),
		driver: { firstName: driver.firstName, lastName: driver.lastName },
		approvedAmount: request.status === "approved" ? toDecimal(effectiveAmount(request)) : null,
		receiptUrl: request.receiptId ? `/api/receipts/${request.receiptId}` : request.receiptName,
		isLate: isLateRequest(request),
		decidedBy: decider ? { firstName: decider.firstName, lastName: decider.lastName } : null,
		messages: (thread ?? []).map(messageJson),
		payout: payoutOfRequestJson(payout),
	};
}
