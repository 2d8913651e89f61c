/** People as the screen shows them: flat rows, with dates in the fleet's time zone. */
import { roleOf, type ShownRole } from "../../domain/kernel/standing.ts";
import type { ListedPerson } from "../../domain/people/queries.server.ts";
import { displayName, formatDriverCode } from "../../domain/people/rules.ts";
import { dateIn, formatDate } from "../../values/calendar-date.ts";

export type Person = {
	readonly id: string;
	readonly role: ShownRole;
	readonly name: string;
	readonly firstName: string;
	readonly lastName: string;
	/** Whether both parts of the name are known; what is missing is for them to give. */
	readonly hasName: boolean;
	readonly email: string;
	/** Whether the email is unverified, and may be someone else's. */
	readonly isUnverified: boolean;
	/** Why mail couldn't be delivered; null if it was, or none was sent. */
	readonly bounce: string | null;
	/** `DRV-0001`, if there is one. */
	readonly code: string | null;
	readonly isActive: boolean;
	/** Whether they are pseudonymized: nothing can be done about them any more. */
	readonly isPseudonymized: boolean;
	/**
	 * Until when an open invitation can be claimed; '' once it has expired, null for everyone who has
	 * signed in or whose invitation was canceled.
	 */
	readonly invitedUntil: string | null;
	readonly appliedOn: string | null;
	readonly approvedOn: string | null;
};

/**
 * @param now when the page was requested, UTC milliseconds
 * @param bounce why their email couldn't be delivered
 */
export function toPerson(
	user: ListedPerson & { readonly deletedAt?: number | null },
	timeZone: string,
	now: number,
	bounce: string | null,
): Person {
	const day = (momentMs: number | null) =>
		momentMs === null ? null : formatDate(dateIn(timeZone, momentMs));
	const isInvited = user.invitedAt !== null && user.claimedAt === null && !user.deletedAt;
	const isOpen = isInvited && user.inviteExpiresAt !== null && user.inviteExpiresAt > now;
	const email = user.email ?? user.unverifiedEmail;
	return {
		id: user.id,
		role: roleOf(user),
		name: displayName({ ...user, email }),
		firstName: user.firstName,
		lastName: user.lastName,
		hasName: user.firstName !== "" && user.lastName !== "",
		email: email ?? "Not provided",
		isUnverified: user.email === null && user.unverifiedEmail !== null,
		bounce,
		code: formatDriverCode(user.driverNumber),
		isActive: user.isActive,
		isPseudonymized: user.pseudonymizedAt !== null,
		invitedUntil: isInvited ? ((isOpen ? day(user.inviteExpiresAt) : null) ?? "") : null,
		appliedOn: day(user.appliedAt),
		approvedOn: day(user.approvedAt),
	};
}
