/** The messages when one's own name isn't changed. */
import { answersIn, type ReasonsOf } from "../refusal-table.ts";
import type { ProfileRefusal } from "./commands/complete-profile.server.ts";

export const whyNotCompleted = answersIn<ReasonsOf<ProfileRefusal>>({
	decided: () => ({
		status: 409,
		message: "Your application has been reviewed, so your name can no longer be changed here",
	}),
});
