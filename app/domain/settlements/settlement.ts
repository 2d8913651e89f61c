/** A settlement as it is shown: as it was published, or worked out from today's books. */
import { addDays } from "../../values/calendar-date.ts";
import type { Period } from "../../values/period.ts";
import type { PayoutOfRequest } from "../fund-requests/payment.ts";
import type { QuestionState, ThreadMessage } from "../messages/rules.ts";
import { type Draft, readDraft } from "./draft.ts";
import type { SettlementRow } from "./rows.server.ts";
import type { SettlementStatus } from "./rules.ts";
import { type Line, type Sums, sumUp, toSums, workOutCorrections, workOutLines } from "./week.ts";

export type Settlement = Sums & {
	readonly id: string;
	readonly number: number;
	readonly driverId: string;
	readonly driver: SettlementRow["driver"];
	readonly week: Period;
	readonly status: SettlementStatus;
	readonly lines: readonly Line[];
	readonly payout: PayoutOfRequest | null;
	/** Of a draft alone: what it follows from. */
	readonly draft: Draft | undefined;
	/** Whose turn it is in its thread; null if its driver hasn't asked. */
	readonly question: QuestionState | null;
	/** The newest last. */
	readonly thread: readonly ThreadMessage[] | null;
};

/** The lines and sums that today's books give a week. */
export function workOut({ facts, earlier, carried }: Draft): Sums & { readonly lines: Line[] } {
	const lines = [...workOutLines(facts), ...workOutCorrections(earlier)];
	const carriedInCents = carried.reduce((sum, [, cents]) => sum + cents, 0);
	return { lines, ...sumUp(carriedInCents, lines) };
}

/** Whether money came in for a week that no agreement covers. */
export const lacksAgreement = ({ facts }: Draft): boolean =>
	facts.terms === undefined && facts.money.some(({ cents }) => Object.values(cents).some(Boolean));

/**
 * Whether a driver has a settlement of a week: anything is due, carried or corrected, or money came
 * in. Rent and fees alone are due only from active drivers, and charges alone not from someone with
 * a canceled invitation.
 */
export function isDue(
	draft: Draft,
	{ isActive, isCanceled }: { readonly isActive: boolean; readonly isCanceled: boolean },
): boolean {
	const { lines, carriedInCents } = workOut(draft);
	const isOwed = ({ kind }: Line) =>
		kind === "rent" || kind === "fee" ? isActive : kind !== "charge" || !isCanceled;
	return carriedInCents !== 0 || draft.facts.money.length > 0 || lines.some(isOwed);
}

/** A row as it is shown. A draft that was voided has neither lines nor sums. */
export function toSettlement({
	settlement,
	driver,
	lines,
	payout,
	draft,
	thread,
}: SettlementRow): Settlement {
	const { id, number, driverId, weekFrom, status, carriedInCents, resultCents } = settlement;
	const { question } = settlement;
	const read = draft === null ? undefined : readDraft(draft, weekFrom);
	return {
		...{ id, number, driverId, driver, status, payout, draft: read, question, thread },
		week: { from: weekFrom, to: addDays(weekFrom, 6) },
		...(read ? workOut(read) : { lines, ...toSums(carriedInCents ?? 0, resultCents ?? 0) }),
	};
}
