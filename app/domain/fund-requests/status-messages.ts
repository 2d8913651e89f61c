/** Describes a request's status to someone who came too late to decide it. */
import { formatMoment } from "../../values/calendar-date.ts";
import type { RequestWithPeople } from "./json.ts";
import { payoutNumber } from "./payment.ts";
import { requestNumber } from "./rules.ts";

/** `FR-000001 was approved by Ben Backup on Nov 21, 2026 at 2:05 PM.`, or the payout it is in. */
export function describeStatus(
	{ request, decider, payout }: RequestWithPeople,
	timeZone: string,
): string {
	const number = requestNumber(request.number);
	if (payout) return `${number} is in ${payoutNumber(payout.number)}.`;
	if (request.status === "pending") return `${number} is pending.`;
	const at = formatMoment(timeZone, request.decidedAt ?? request.withdrawnAt ?? request.createdAt);
	if (request.status === "withdrawn") return `${number} was withdrawn by its driver on ${at}.`;
	return `${number} was ${request.status} by ${decider?.firstName ?? ""} ${decider?.lastName ?? ""} on ${at}.`;
}

/** @param number as `FR-000001` */
export const ownRequestMessage = (number: string) =>
	`${number} is your own request. Another administrator has to decide it.`;
