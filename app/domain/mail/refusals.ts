/** What an administrator is told when an email isn't queued again. */
import { answersIn, type ReasonsOf } from "../refusal-table.ts";
import type { SendAgainRefusal } from "./commands/send-again.server.ts";

export const whyNotSentAgain = answersIn<ReasonsOf<SendAgainRefusal>>({
	"not-found": () => ({ status: 404, message: "There is no such email." }),
	"not-failed": () => ({
		status: 409,
		message: "Only an email that could not be sent is sent again.",
	}),
});
