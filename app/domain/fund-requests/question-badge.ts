/** The badge of a request that was asked about. */
import { QUESTION_LABELS, QUESTION_TONES, type QuestionState } from "../messages/rules.ts";
import type { RequestStatus } from "./rules.ts";

/** A decided request has none. */
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
