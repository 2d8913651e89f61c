/**
 * Driver Management's emails. Each is queued in the batch of its change, by the change id: no
 * change, no email.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";
import { dateIn, formatDate, formatTime } from "../../values/calendar-date.ts";
import type { AdminContext } from "../kernel/context.ts";
import { driverCodeOf, roleIn } from "../kernel/shown-in-sql.server.ts";
import { INVITATION_TTL_MS } from "../kernel/time-limits.ts";
import { administrators, hello, queueMail, type Site } from "../mail/queue.server.ts";
import { displayName } from "./rules.ts";

/** What every email needs: who changed what, and where people sign in. */
type EmailContext = {
	readonly admin: AdminContext;
	readonly site: Site;
	/** Matches the person in `users`, if the change was made. */
	readonly person: SQL;
	readonly personId: string;
	readonly changeId: string;
};

function recipient(
	build: Builder,
	{ admin, person, personId, changeId }: EmailContext,
	kind: string,
	subject: string,
	body: SQL,
) {
	return queueMail(
		build,
		{ kind, subject, body, aboutId: personId, dedupeKey: `${kind}:${changeId}`, now: admin.now },
		person,
	);
}

/** To the applicant: approved. */
export function queueApprovalEmail(build: Builder, occasion: EmailContext) {
	const { fleetName } = occasion.admin.settings;
	return recipient(
		build,
		occasion,
		"driver-approved",
		`Your ${fleetName} application has been approved`,
		sql`${hello} || 'Your driver application has been approved. Your driver ID is ' || ${driverCodeOf(users.driverNumber)} || ${`.\n\nSign in to log mileage and request funds: ${occasion.site.origin}`}`,
	);
}

/** To the applicant: not approved. */
export function queueRejectionEmail(build: Builder, occasion: EmailContext) {
	const { fleetName } = occasion.admin.settings;
	return recipient(
		build,
		occasion,
		"driver-rejected",
		`Your ${fleetName} application`,
		sql`${hello} || ${`Your driver application was not approved.\n\nIf you think this is a mistake, please contact your fleet's admin team.`}`,
	);
}

const INVITED_AS = {
	admin: "an administrator",
	viewer: "an accountant, who can see everything and change nothing",
	driver: "a driver",
} as const;

/** To the invited person: what to do, and until when. */
export function queueInvitationEmail(build: Builder, occasion: EmailContext) {
	const { admin, site } = occasion;
	const words = (role: keyof typeof INVITED_AS) => {
		const until = admin.now + INVITATION_TTL_MS[role];
		const deadline = `${formatDate(dateIn(admin.timeZone, until))}, ${formatTime(admin.timeZone, until)} (${admin.timeZone.replaceAll("_", " ")})`;
		return [
			`${displayName(admin.user)} has invited you to join ${admin.settings.fleetName} as ${INVITED_AS[role]}.`,
			`Sign in with this email address by ${deadline}:\n${site.origin}`,
			"If you weren't expecting this invitation, you can ignore this email.",
		].join("\n\n");
	};
	return recipient(
		build,
		occasion,
		"invitation",
		`You're invited to ${admin.settings.fleetName}`,
		sql`${hello} || case ${roleIn("users")} when 'admin' then ${words("admin")}
			when 'viewer' then ${words("viewer")} else ${words("driver")} end`,
	);
}

const NEW_ROLES = {
	admin: { name: "administrator", access: "an administrator with full access" },
	viewer: { name: "accountant", access: INVITED_AS.viewer },
} as const;

/** To every other administrator: someone is being given access to everything. */
export function queueNewAdminEmail(
	build: Builder,
	occasion: EmailContext,
	name: string,
	email: string,
	role: keyof typeof NEW_ROLES,
) {
	const { admin, site, person, personId, changeId } = occasion;
	return queueMail(
		build,
		{
			kind: "new-admin",
			subject: `New ${NEW_ROLES[role].name}: ${name}`,
			body: sql`${hello} || ${`${displayName(admin.user)} has invited ${name} (${email}) to ${admin.settings.fleetName} as ${NEW_ROLES[role].access}.\n\nIf this is a mistake, cancel the invitation in Driver Management: ${site.origin}/drivers`}`,
			aboutId: personId,
			dedupeKey: `new-admin:${changeId}`,
			now: admin.now,
		},
		sql`${administrators} and ${users.id} <> ${personId} and exists (select 1 from ${users} where ${person})`,
	);
}

/**
 * To every other administrator: the command line has given someone access to everything.
 * @param made matches the person in `users`, if the change was made
 */
export function queueNewRoleEmail(
	build: Builder,
	role: keyof typeof NEW_ROLES,
	made: SQL,
	changeId: string,
	now: number,
) {
	const { name, access } = NEW_ROLES[role];
	const id = sql`(select id from ${users} where ${made})`;
	const who = sql`(select coalesce(nullif(trim(first_name || ' ' || last_name), ''), email,
		unverified_email) from ${users} where ${made})`;
	return queueMail(
		build,
		{
			kind: "new-admin",
			subject: sql`${`New ${name}: `} || ${who}`,
			body: sql`${hello} || ${who} || ${` is now ${access}, by a change of role from the command line.\n\nIf this is a mistake, deactivate them in Driver Management.`}`,
			aboutId: id,
			dedupeKey: `new-admin:${changeId}`,
			now,
		},
		sql`${administrators} and ${users.id} <> ${id}`,
	);
}
