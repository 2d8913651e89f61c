/**
 * Each refusal has one entry, in its domain's `refusals.ts`, and pages, the API and the phone's
 * outbox all answer from it. A reason without an entry doesn't compile.
 */
import type { RefusalAnswer, Refused } from "../../values/outcome.ts";

/** The API's answer, and what differs on a form or a phone. */
export type Answers = RefusalAnswer & {
	readonly onForm?: Partial<RefusalAnswer>;
	readonly onPhone?: Partial<RefusalAnswer>;
};

/** The reader's time zone: dates are the fleet's. */
type Reader = { readonly timeZone: string };

/** The details of each reason. */
export type ReasonsOf<R extends Refused<string, unknown>> = {
	readonly [Each in R as Each["reason"]]: Each["details"];
};
type Table<Reasons> = {
	readonly [Reason in keyof Reasons]: (details: Reasons[Reason], reader: Reader) => Answers;
};
/** A refusal for one of the reasons, as a command returns it. */
type RefusedFor<Reasons, Reason extends keyof Reasons> = {
	[Each in Reason]: { readonly reason: Each; readonly details: Reasons[Each] };
}[Reason];

/** Makes the lookup function of a table, which returns the answers to any refusal. */
export function answersIn<Reasons>(table: Table<Reasons>) {
	return <Reason extends keyof Reasons>(
		{ reason, details }: RefusedFor<Reasons, Reason>,
		reader: Reader,
	): Answers => table[reason](details, reader);
}

/** The answer on a form. */
export const onForm = ({ onForm, onPhone: _, ...answer }: Answers): RefusalAnswer => ({
	...answer,
	...onForm,
});

/** The answer for a phone's outbox, which someone reads long after they pressed the button. */
export const onPhone = ({ onPhone, onForm: _, ...answer }: Answers): RefusalAnswer => ({
	...answer,
	...onPhone,
});
