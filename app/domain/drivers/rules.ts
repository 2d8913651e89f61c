/** How long an invitation lasts, how many people a list shows, and with which words a change to a person is refused. */
import { dateIn, showDate } from "../../values/calendar-date.ts";
import { KEY_REUSED } from "../../values/fields.ts";
import type { Refused } from "../../values/outcome.ts";

/** Milliseconds until an unclaimed invitation runs out. An administrator's opens everything, so it is short. */
export const INVITATION_LENGTH = { driver: 30 * 86_400_000, admin: 72 * 3_600_000 } as const;

/** Rows on one page of the active and of the inactive drivers. */
export const DRIVERS_PAGE = 50;
/** Applications shown at once; the oldest come first, so the rest moves up as they are decided. */
export const MOST_PENDING = 50;
/** Rejected applications, and administrators, shown at once. */
export const MOST_OTHERS = 100;

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
	| Refused<"key-reused">;

/**
 * A refusal in one plain sentence.
 * @param timeZone the fleet's: the date of a decision is a date there
 */
export function whyRefused(refusal: PeopleRefusal, timeZone: string): string {
	switch (refusal.reason) {
		case "not-found":
			return "There is no such person.";
		case "already-decided": {
			const { name, status, decidedBy, decidedAt } = refusal.details;
			return `${name} was already ${status}${decidedBy ? ` by ${decidedBy}` : ""}${decidedAt === null ? "" : ` on ${showDate(dateIn(timeZone, decidedAt))}`}.`;
		}
		case "not-applied":
			return `${refusal.details.name} has not completed the profile yet.`;
		case "not-approved":
			return `${refusal.details.name} is not an approved driver.`;
		case "unchanged":
			return `${refusal.details.name} is already ${refusal.details.isActive ? "active" : "inactive"}.`;
		case "oneself":
			return "Nobody can deactivate himself: ask another administrator.";
		case "not-invited":
			return `${refusal.details.name} has no open invitation.`;
		case "email-taken":
			return `${refusal.details.email} already belongs to ${refusal.details.name}.`;
		case "key-reused":
			return `${KEY_REUSED}.`;
	}
}
