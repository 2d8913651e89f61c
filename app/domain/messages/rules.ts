/** Threads of messages, about a request or a settlement: their limits, words and badges. */
import type { MESSAGE_ROLES, QUESTION_STATES } from "../../db/schema.ts";
import { formatMoment } from "../../values/calendar-date.ts";

/** Whether a thread's question waits for its answer. */
export type QuestionState = (typeof QUESTION_STATES)[number];
export const QUESTION_FILTERS = ["asked", "answered"] as const satisfies readonly QuestionState[];
/** The label and color of a thread's badge. */
export const QUESTION_LABELS: Readonly<Record<QuestionState, string>> = {
	asked: "Question",
	answered: "Answered",
};
export const QUESTION_TONES = { asked: "wait", answered: "info" } as const satisfies Record<
	QuestionState,
	string
>;

/** A message with its author. */
export type ThreadMessage = {
	readonly id: string;
	/** 1 for the question that opened the thread. */
	readonly position: number;
	readonly authorRole: (typeof MESSAGE_ROLES)[number];
	readonly firstName: string;
	readonly lastName: string;
	readonly text: string;
	/** UTC milliseconds. */
	readonly createdAt: number;
};

/** The maximum number of messages in a thread. */
export const MAX_MESSAGES = 50;

/** @param timeZone the fleet's */
export function describeThread(
	{ thread }: { readonly thread: readonly ThreadMessage[] | null },
	timeZone: string,
) {
	return (thread ?? []).map((message) => ({
		id: message.id,
		who: `${message.firstName} ${message.lastName}`.trim(),
		isDriver: message.authorRole === "driver",
		when: formatMoment(timeZone, message.createdAt),
		text: message.text,
	}));
}

export type ThreadView = ReturnType<typeof describeThread>;
