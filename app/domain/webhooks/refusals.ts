/** Why a webhook wasn't added, changed or resent to, and the messages. */
import { SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import type { AddWebhookRefusal } from "./commands/add.server.ts";
import type { ChooseRefusal } from "./commands/choose-events.server.ts";
import type { RotateRefusal } from "./commands/rotate-secret.server.ts";
import type { DeliverAgainRefusal } from "./commands/send-again.server.ts";
import type { TestRefusal } from "./commands/send-test.server.ts";
import { MAX_WEBHOOKS } from "./rules.ts";

const GONE = { status: 404, message: "Webhook not found." } as const;
const OFF = { status: 409, message: "This webhook is switched off. Switch it on first." } as const;

export const whyNotAdded = answersIn<ReasonsOf<AddWebhookRefusal>>({
	"sign-in-again": () => ({
		status: 403,
		message:
			"Sign in again to add a webhook. It has been more than 15 minutes since you signed in.",
	}),
	"too-many": () => ({
		status: 409,
		message: `There are ${MAX_WEBHOOKS} webhooks already. Remove one that isn't used.`,
	}),
	"added-before": () => ({
		status: 409,
		message:
			"This webhook was added the first time you sent the form, and its secret shown then. If you didn't copy it, replace it.",
	}),
	"key-reused": () => ({ status: 422, message: SENT_WITH_OTHER_VALUES }),
});

export const whyNotChanged = answersIn<ReasonsOf<ChooseRefusal | RotateRefusal | TestRefusal>>({
	"not-found": () => GONE,
	"chosen-since": () => ({
		status: 409,
		message:
			"Someone has chosen other events since you opened the page. Nothing was changed: check yours and save them again.",
	}),
	"sign-in-again": () => ({
		status: 403,
		message:
			"Sign in again to replace a secret. It has been more than 15 minutes since you signed in.",
	}),
	"replaced-before": () => ({
		status: 409,
		message:
			"The secret was replaced after this page was opened, and the new one was shown then. If no one copied it, replace it again.",
	}),
	"switched-off": () => OFF,
});

export const whyNotSentAgain = answersIn<ReasonsOf<DeliverAgainRefusal>>({
	"not-found": () => ({ status: 404, message: "Delivery not found." }),
	"under-way": () => ({ status: 409, message: "This event is already waiting to be sent." }),
	"switched-off": () => OFF,
});
