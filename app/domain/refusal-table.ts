/**
 * Each refusal has one entry, in the `refusals.ts` of its domain, and pages, calls and the phone's
 * outbox all answer from it. A reason without an entry doesn't compile.
 */
import type { RefusalAnswer, Refused } from "../values/outcome.ts";

/** The answer to a call, and what is different for a person at a form or with a phone. */
export type Answers = RefusalAnswer & {
	readonly onForm?: Partial<RefusalAnswer>;
	readonly onPhone?: Partial<RefusalAnswer>;
};

/** Who reads the answer: dates are dates in the fleet's zone. */
type Reader = { readonly timeZone: string };

/** The details of each reason. */
export type ReasonsOf<R extends Refused<string, unknown>> = {
	readonly [Each in R as Each["reason"]]: Each["details"];
};
type Table<Reasons> = {
	readonly [Reason in keyof Reasons]: (details: Reasons[Reason], reader: Reader) => Answers;
};
/** A refusal for one of the reasons, as a command answers it. */
type RefusedFor<Reasons, Reason extends keyof Reasons> = {
	[Each in Reason]: { readonly reason: Each; readonly details: Reasons[Each] };
}[Reason];

/** Makes the lookup in a table: the answers to a refusal, whatever its reason. */
export function answersIn<Reasons>(table: Table<Reasons>) {
	return <Reason extends keyof Reasons>(
		{ reason, details }: RefusedFor<Reasons, Reason>,
		reader: Reader,
	): Answers => table[reason](details, reader);
}

/** The answer as a form shows it. */
export const onForm = ({ onForm, onPhone: _, ...answer }: Answers): RefusalAnswer => ({
	...answer,
	...onForm,
});

/** The answer for a phone's outbox: someone reads it long after they pressed the button. */
export const onPhone = ({ onPhone, onForm: _, ...answer }: Answers): RefusalAnswer => ({
	...answer,
	...onPhone,
});
