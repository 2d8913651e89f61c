/** The messages when an email isn't resent. */
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import type { SendAgainRefusal } from "./commands/send-again.server.ts";

export const whyNotSentAgain = answersIn<ReasonsOf<SendAgainRefusal>>({
	"not-found": () => ({ status: 404, message: "Email not found." }),
	"not-failed": () => ({
		status: 409,
		message: "You can resend only emails that couldn't be sent.",
	}),
	outdated: () => ({
		status: 409,
		message: "This email no longer applies, so it can't be resent.",
	}),
});
