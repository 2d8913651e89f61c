/** Why a change to a person was refused, and the messages. */
import { type CalendarDate, dateIn, formatDate } from "../../values/calendar-date.ts";
import { KEY_REUSED, SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import type { Refused } from "../../values/outcome.ts";
import { MAX_CHOICES_PER_HOUR, MAX_NAMES_PER_HOUR } from "../kernel/limits.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import type { ChoiceRefusal } from "./commands/choose-emails.server.ts";
import type { ProfileRefusal } from "./commands/complete-profile.server.ts";

/**
 * Why a change to a person was refused. Every detail is something an administrator may see anyway.
 */
export type PeopleRefusal =
	| Refused<"not-found">
	| Refused<
			"already-decided",
			{
				readonly name: string;
				readonly status: "approved" | "rejected";
				readonly decidedBy: string | null;
				/** UTC milliseconds; only for an approval. */
				readonly decidedAt: number | null;
			}
	  >
	| Refused<"not-applied", { readonly name: string }>
	| Refused<"renamed", { readonly name: string }>
	| Refused<"not-approved", { readonly name: string }>
	| Refused<"unchanged", { readonly name: string; readonly isActive: boolean }>
	| Refused<"oneself">
	| Refused<"not-invited", { readonly name: string }>
	| Refused<
			"email-taken",
			{
				readonly email: string;
				readonly name: string;
				readonly advice?: string;
				/** Who has it. */
				readonly id?: string;
			}
	  >
	| Refused<"sign-in-again", { readonly role: "admin" | "viewer" }>
	| Refused<"own-data">
	| Refused<"administrator", { readonly name: string }>
	| Refused<"pseudonymized">
	| Refused<"still-active", { readonly name: string }>
	| Refused<"too-early", { readonly name: string; readonly end: CalendarDate }>
	| Refused<"pending-requests", { readonly name: string }>
	| Refused<"unpaid-requests", { readonly name: string }>
	| Refused<"open-payout", { readonly name: string; readonly payout: string }>
	| Refused<"wrong-code", { readonly name: string }>
	| Refused<"wrong-name", { readonly name: string }>
	| Refused<"key-reused">;

export const whyNotChanged = answersIn<ReasonsOf<PeopleRefusal>>({
	"not-found": () => ({ status: 404, message: "Person not found." }),
	"already-decided": ({ name, status, decidedBy, decidedAt }, { timeZone }) => {
		const by = decidedBy ? ` by ${decidedBy}` : "";
		const on = decidedAt === null ? "" : ` on ${formatDate(dateIn(timeZone, decidedAt))}`;
		return { status: 409, message: `${name} was already ${status}${by}${on}.` };
	},
	"not-applied": ({ name }) => ({
		status: 409,
		message: `${name} hasn't completed their profile yet.`,
	}),
	renamed: ({ name }) => ({
		status: 409,
		message: `Someone has corrected this name to ${name} since you opened the form. Nothing was changed.`,
	}),
	"not-approved": ({ name }) => ({ status: 409, message: `${name} isn't an approved driver.` }),
	unchanged: ({ name, isActive }) => ({
		status: 409,
		message: `${name} is already ${isActive ? "active" : "inactive"}.`,
	}),
	oneself: () => ({
		status: 409,
		message: "You can't deactivate your own account. Ask another administrator.",
	}),
	"not-invited": ({ name }) => ({ status: 409, message: `${name} has no pending invitation.` }),
	"email-taken": ({ email, name, advice }) => ({
		status: 409,
		message: `${email} already belongs to ${name}.${advice ? ` ${advice}` : ""}`,
	}),
	"sign-in-again": ({ role }) => ({
		status: 403,
		message: `Sign in again to add an ${role === "admin" ? "administrator" : "accountant"}. It has been more than 15 minutes since you signed in.`,
	}),
	"own-data": () => ({ status: 409, message: "You can't pseudonymize your own account." }),
	administrator: ({ name }) => ({
		status: 409,
		message: `${name} is an administrator. Only former drivers and applicants can be pseudonymized.`,
	}),
	pseudonymized: () => ({
		status: 409,
		message: "This person was pseudonymized, which can't be undone.",
	}),
	"still-active": ({ name }) => ({
		status: 409,
		message: `${name} is still active. Delete the driver first.`,
	}),
	"too-early": ({ name, end }) => ({
		status: 409,
		message: `${name} can't be pseudonymized before ${formatDate(end)}.`,
	}),
	"pending-requests": ({ name }) => ({
		status: 409,
		message: `${name} has pending fund requests. Decide them first.`,
	}),
	"unpaid-requests": ({ name }) => ({
		status: 409,
		message: `${name} has approved requests or published settlements that aren't paid. Pay or take them back first.`,
	}),
	"open-payout": ({ name, payout }) => ({
		status: 409,
		message: `${name} is part of ${payout}, which is still open. Mark it as paid or cancel it first.`,
	}),
	"wrong-code": ({ name }) => ({
		status: 409,
		message: `That isn't the driver ID of ${name}. Nothing was changed.`,
	}),
	"wrong-name": ({ name }) => ({
		status: 409,
		message: `Type ${name} to confirm. Nothing was changed.`,
	}),
	"key-reused": () => ({
		status: 422,
		message: `${KEY_REUSED}.`,
		onForm: { message: SENT_WITH_OTHER_VALUES },
	}),
});

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
