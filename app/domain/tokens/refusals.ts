/** Why a token wasn't made or revoked, and the messages. */
import { SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import type { MakeTokenRefusal } from "./commands/make.server.ts";
import type { RevokeRefusal } from "./commands/revoke.server.ts";
import { MAX_LIVE } from "./rules.ts";

export const whyNotMade = answersIn<ReasonsOf<MakeTokenRefusal>>({
	"sign-in-again": () => ({
		status: 403,
		message:
			"Sign in again to create a token. It has been more than 15 minutes since you signed in.",
	}),
	"too-many": () => ({
		status: 409,
		message: `There are ${MAX_LIVE} tokens already. Revoke one that isn't used.`,
	}),
	"made-before": () => ({
		status: 409,
		message:
			"This token was made the first time you sent the form, and shown then. If you didn't copy it, revoke it and make another.",
	}),
	"key-reused": () => ({ status: 422, message: SENT_WITH_OTHER_VALUES }),
});

export const whyNotRevoked = answersIn<ReasonsOf<RevokeRefusal>>({
	"not-found": () => ({ status: 404, message: "Token not found." }),
	"revoked-before": () => ({ status: 409, message: "This token is already revoked." }),
});
