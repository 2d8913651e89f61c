/** The texts when a thread accepts no more. */
import { KEY_REUSED, SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import type { Answers } from "../kernel/refusal-table.ts";
import { MAX_MESSAGES } from "./rules.ts";

type Numbered = { readonly number: number };

/** @param showNumber a request's or a settlement's number, as `FR-000001` */
export const threadRefusals = (showNumber: (number: number) => string) => ({
	full: ({ number }: Numbered): Answers => ({
		status: 409,
		message: `${showNumber(number)} already has ${MAX_MESSAGES} messages, and can't have more.`,
	}),
	"too-many": (): Answers => ({
		status: 429,
		message: "You've sent too many messages in the last hour. Try again later.",
		retryAfter: 600,
	}),
	"key-reused": (): Answers => ({
		status: 422,
		message: KEY_REUSED,
		onForm: { status: 409, message: SENT_WITH_OTHER_VALUES },
		onPhone: { status: 409, message: SENT_WITH_OTHER_VALUES },
	}),
});
