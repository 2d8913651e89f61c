/** The messages when one's own name or choices aren't changed. */
import { MAX_CHOICES_PER_HOUR, MAX_NAMES_PER_HOUR } from "../limits.ts";
import { answersIn, type ReasonsOf } from "../refusal-table.ts";
import type { ChoiceRefusal } from "./commands/choose-emails.server.ts";
import type { ProfileRefusal } from "./commands/complete-profile.server.ts";

export const whyNotCompleted = answersIn<ReasonsOf<ProfileRefusal>>({
	"too-many": () => ({
		status: 429,
		message: `You can change your name ${MAX_NAMES_PER_HOUR} times an hour. Please try again later.`,
		retryAfter: 600,
	}),
	decided: () => ({
		status: 409,
		message: "Your application has been reviewed, so your name can no longer be changed here",
	}),
});

export const whyNotChosen = answersIn<ReasonsOf<ChoiceRefusal>>({
	"too-many": () => ({
		status: 429,
		message: `You can change your reminders ${MAX_CHOICES_PER_HOUR} times an hour. Please try again later.`,
		retryAfter: 600,
	}),
});
