/** What happened to a request, for its History dialog. */

import type { RequestWithPeople } from "../../domain/fund-requests/json.ts";
import { payoutNumber } from "../../domain/fund-requests/payment.ts";
import type { selectTimeline } from "../../domain/fund-requests/queries.server.ts";
import { formatMoment } from "../../values/calendar-date.ts";
import { describeCapture } from "../../values/captured.ts";
import { formatDollars } from "../../values/money.ts";

type Event = Awaited<ReturnType<typeof selectTimeline>>[number];

const VERBS: Readonly<Record<string, string>> = {
	"request.add-receipt": "Receipt added",
	"request.withdraw": "Withdrawn",
	"request.approve": "Approved",
	"request.reject": "Rejected",
	"request.undo": "Decision undone",
	"request.reopen": "Reopened",
	"payout.make": "Added to",
	"payout.pay": "Paid in",
	"payout.cancel": "Unpaid again: canceled",
	"payout.reopen": "Payout reopened:",
};

const noteOf = ({ after }: Event): string | undefined => {
	const changed: unknown = after === null ? null : JSON.parse(after);
	const isNoted =
		typeof changed === "object" &&
		changed !== null &&
		"adminNotes" in changed &&
		typeof changed.adminNotes === "string";
	return isNoted ? (changed.adminNotes as string) : undefined;
};

const payoutOf = ({ payoutNumber: number }: Event) =>
	number === null ? "" : ` ${payoutNumber(number)}`;

/** An entry that waited on a phone has two moments. */
const receivedAt = ({ capturedAt, createdAt }: RequestWithPeople["request"], timeZone: string) =>
	capturedAt === null
		? formatMoment(timeZone, createdAt)
		: describeCapture(timeZone, capturedAt, createdAt);

/**
 * The submission, from the request itself, then the audit's entries, oldest first.
 * @param events newest first
 */
export function toTimelineView(
	{ request, driver, thread }: RequestWithPeople,
	events: readonly Event[],
	timeZone: string,
) {
	const person = ({
		firstName,
		lastName,
	}: {
		firstName: string | null;
		lastName: string | null;
	}) => (firstName || lastName ? ` by ${firstName ?? ""} ${lastName ?? ""}` : "");
	const submission = {
		key: "submission",
		what: `Submitted${person(driver)}`,
		when: receivedAt(request, timeZone),
		note: undefined,
		text: undefined,
	};
	const messages = (thread ?? []).map((message) => ({
		at: message.createdAt,
		key: message.id,
		what: `${message.authorRole === "admin" ? "Asked" : "Answered"}${person(message)}`,
		when: formatMoment(timeZone, message.createdAt),
		note: undefined,
		text: message.text,
	}));
	/** The approved amount, if it is less than the requested one. */
	const forLess = ({ action, after }: Event): string => {
		const { approvedAmountCents } =
			action === "request.approve" && after !== null
				? (JSON.parse(after) as { approvedAmountCents?: number })
				: {};
		return approvedAmountCents === undefined || approvedAmountCents === request.amountCents
			? ""
			: ` for ${formatDollars(approvedAmountCents)}`;
	};
	const later = events
		.toReversed()
		.filter(({ action }) => Object.hasOwn(VERBS, action))
		.map((event) => ({
			at: event.at,
			key: String(event.id),
			what: `${VERBS[event.action]}${forLess(event)}${payoutOf(event)}${person(event)}`,
			when: formatMoment(timeZone, event.at),
			note: noteOf(event) ?? event.reason ?? undefined,
			text: undefined,
		}));
	// An answer's text was stored before its receipt, at the same moment.
	return [submission, ...[...messages, ...later].sort((one, other) => one.at - other.at)];
}
