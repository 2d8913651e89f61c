/** Why a change to a person was refused, and with which words. */
import { dateIn, formatDate } from "../../values/calendar-date.ts";
import { KEY_REUSED, SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import type { Refused } from "../../values/outcome.ts";
import { answersIn, type ReasonsOf } from "../refusal-table.ts";

/** Why a change to a person was refused. Every detail is what an administrator may see anyway. */
export type PeopleRefusal =
	| Refused<"not-found">
	| Refused<
			"already-decided",
			{
				readonly name: string;
				readonly status: "approved" | "rejected";
				readonly decidedBy: string | null;
				/** UTC milliseconds; an approval's only. */
				readonly decidedAt: number | null;
			}
	  >
	| Refused<"not-applied", { readonly name: string }>
	| Refused<"not-approved", { readonly name: string }>
	| Refused<"unchanged", { readonly name: string; readonly isActive: boolean }>
	| Refused<"oneself">
	| Refused<"not-invited", { readonly name: string }>
	| Refused<"email-taken", { readonly email: string; readonly name: string }>
	| Refused<"sign-in-again">
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
	"email-taken": ({ email, name }) => ({
		status: 409,
		message: `${email} already belongs to ${name}.`,
	}),
	"sign-in-again": () => ({
		status: 403,
		message:
			"Sign in again to add an administrator. It has been more than 15 minutes since you signed in.",
	}),
	"key-reused": () => ({
		status: 422,
		message: `${KEY_REUSED}.`,
		onForm: { message: SENT_WITH_OTHER_VALUES },
	}),
});
