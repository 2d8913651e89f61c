/** Threads and the badges of requests, for both sides. */
import {
	QUESTION_LABELS,
	QUESTION_TONES,
	type QuestionState,
	type RequestStatus,
	type ThreadMessage,
} from "./rules.ts";
import { showMoment } from "./status-messages.ts";

/** @param timeZone the fleet's */
export function describeThread(
	{ thread }: { readonly thread: readonly ThreadMessage[] | null },
	timeZone: string,
) {
	return (thread ?? []).map((message) => ({
		id: message.id,
		who: `${message.firstName} ${message.lastName}`.trim(),
		isDriver: message.authorRole === "driver",
		when: showMoment(timeZone, message.createdAt),
		text: message.text,
	}));
}

export type ThreadView = ReturnType<typeof describeThread>;

/** The badge of a pending request that was asked about; a decided one has none. */
export function questionBadge({
	status,
	question,
}: {
	readonly status: RequestStatus;
	readonly question?: QuestionState | null;
}) {
	return status === "pending" && question
		? { label: QUESTION_LABELS[question], tone: QUESTION_TONES[question] }
		: undefined;
}
