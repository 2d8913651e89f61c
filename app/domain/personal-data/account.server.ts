/** A person's account, the emails to and about them, and what the audit says about them. */
import { type SQL, sql } from "drizzle-orm";
import { bounces, mails } from "../../db/schema.ts";
import { roleIn } from "../kernel/shown-in-sql.server.ts";
import { formatDriverCode } from "../people/rules.ts";
import {
	code,
	flag,
	moment,
	nameOf,
	type Part,
	plain,
	rowsOf,
	type Section,
} from "./section.server.ts";

const PROFILE: Section = {
	name: "profile",
	about: "Name, email, standing, which reminders and digests they chose, and recent days off.",
	columns: {
		id: plain(sql`person.id`),
		driverId: code(formatDriverCode)(sql`person.driver_number`),
		role: plain(roleIn("person")),
		firstName: plain(sql`person.first_name`),
		lastName: plain(sql`person.last_name`),
		email: plain(sql`person.email`),
		unverifiedEmail: plain(sql`person.unverified_email`),
		emailBounce: plain(sql`(select bounced.reason from ${bounces} as bounced
			where bounced.${sql.identifier(bounces.address.name)} = person.email)`),
		approvalStatus: plain(sql`person.approval_status`),
		isActive: flag(sql`person.is_active`),
		createdAt: moment(sql`person.created_at`),
		createdBy: nameOf(sql`person.created_by`),
		appliedAt: moment(sql`person.applied_at`),
		approvedAt: moment(sql`person.approved_at`),
		decidedBy: nameOf(sql`person.decided_by`),
		deactivatedAt: moment(sql`person.deactivated_at`),
		invitedAt: moment(sql`person.invited_at`),
		inviteExpiresAt: moment(sql`person.invite_expires_at`),
		claimedAt: moment(sql`person.claimed_at`),
		invitationCanceledAt: moment(sql`person.deleted_at`),
		remindOfMiles: flag(sql`person.remind_of_miles`),
		remindOfReceipts: flag(sql`person.remind_of_receipts`),
		weeklyDigest: flag(sql`person.weekly_digest`),
		daysOff: plain(sql`(select group_concat(key, ' ') from json_each(person.days_off))`),
		pseudonymizedAt: moment(sql`person.pseudonymized_at`),
	},
	parts: [rowsOf(sql`users as person`, sql`person.id`, sql`person.id`)],
};

const IDENTITIES: Section = {
	name: "identities",
	about: "The accounts at other services that they sign in with.",
	columns: {
		issuer: plain(sql`issuer`),
		subject: plain(sql`subject`),
		createdAt: moment(sql`created_at`),
	},
	parts: [rowsOf(sql`identities`, sql`user_id`, sql`user_id`)],
};

const SIGN_INS: Section = {
	name: "sign-ins",
	about: "Devices that signed in, as far back as sign-ins are kept; older ones are in the audit.",
	columns: {
		device: plain(sql`device`),
		signedInAt: moment(sql`created_at`),
		lastSeenAt: moment(sql`last_seen_at`),
		expiresAt: moment(sql`expires_at`),
		endsAt: moment(sql`ends_at`),
		endedAt: moment(sql`ended_at`),
		endedReason: plain(sql`ended_reason`),
	},
	parts: [rowsOf(sql`sessions`, sql`user_id`, sql`created_at`, sql`token_hash`)],
};

const TOKENS: Section = {
	name: "tokens",
	about: "The tokens that they made as an administrator, without what would let anyone use one.",
	columns: {
		name: plain(sql`token.name`),
		scope: plain(sql`token.scope`),
		createdAt: moment(sql`token.created_at`),
		expiresAt: moment(sql`token.expires_at`),
		lastUsedAt: moment(sql`token.last_used_at`),
		revokedAt: moment(sql`token.revoked_at`),
		revokedBy: nameOf(sql`token.revoked_by`),
	},
	parts: [
		rowsOf(
			sql`api_tokens as token indexed by api_tokens_by_owner`,
			sql`token.owner_id`,
			sql`token.created_at`,
			sql`token.id`,
		),
	],
};

/** Emails to others: administrators hear of an application, and of requests and answers. */
const toOthers = (id: string) => sql`mail.recipient_id is not ${id}`;

const EMAILS: Section = {
	name: "emails",
	about:
		"Emails to them, reminders included, and emails to administrators about them, as far back as emails are kept.",
	columns: {
		kind: plain(sql`mail.kind`),
		recipient: nameOf(sql`mail.recipient_id`),
		address: plain(sql`mail.address`),
		subject: plain(sql`mail.subject`),
		body: plain(sql`mail.body`),
		status: plain(sql`mail.status`),
		createdAt: moment(sql`mail.created_at`),
		sentAt: moment(sql`mail.sent_at`),
		bouncedAt: moment(sql`mail.bounced_at`),
		lastError: plain(sql`mail.last_error`),
	},
	parts: [
		rowsOf(
			sql`${mails} as mail indexed by mails_by_recipient`,
			sql`mail.recipient_id`,
			sql`mail.created_at`,
			sql`mail.id`,
		),
		{
			from: sql`${mails} as mail indexed by mails_about`,
			whose: (id) => sql`mail.about_id = ${id} and ${toOthers(id)}`,
			order: [sql`mail.created_at`, sql`mail.id`],
		},
		{
			from: sql`fund_requests as request
				cross join ${mails} as mail indexed by mails_about on mail.about_id = request.id`,
			whose: (id) => sql`request.driver_id = ${id} and ${toOthers(id)}`,
			order: [sql`request.created_at`, sql`request.id`, sql`mail.id`],
		},
		{
			from: sql`settlements as settled
				cross join ${mails} as mail indexed by mails_about on mail.about_id = settled.id`,
			whose: (id) => sql`settled.driver_id = ${id} and ${toOthers(id)}`,
			order: [sql`settled.number`, sql`mail.id`],
		},
	],
};

const NOTICES: Section = {
	name: "notices",
	about: "What administrators' digests say about them, as far back as notices are kept.",
	columns: {
		subject: plain(sql`notice.subject`),
		body: plain(sql`notice.body`),
		createdAt: moment(sql`notice.created_at`),
		gatheredAt: moment(sql`notice.gathered_at`),
	},
	parts: [
		{
			from: sql`users as person
				cross join notices as notice on notice.id = 'new-application:' || person.id`,
			whose: (id) => sql`person.id = ${id}`,
			order: [sql`person.id`],
		},
		{
			from: sql`fund_requests as request
				cross join notices as notice on notice.id = 'new-request:' || request.id`,
			whose: (id) => sql`request.driver_id = ${id}`,
			order: [sql`request.created_at`, sql`request.id`],
		},
	],
};

/** The audit's entries about one kind of a person's rows. */
const aboutTheir = (entity: string, rows: SQL, owner: SQL): Part => ({
	from: sql`${rows} cross join audit_events as entry indexed by audit_by_entity
		on entry.entity = ${entity} and entry.entity_id = thing.id`,
	whose: (id) => sql`${owner} = ${id} and entry.actor_id is not ${id}`,
	order: [sql`thing.id`, sql`entry.id`],
});

const EMAIL_ENTRIES = aboutTheir(
	"email",
	sql`${mails} as thing indexed by mails_by_recipient`,
	sql`thing.recipient_id`,
);

/** Entries about emails to someone, including emails that have been deleted since. */
const ABOUT_EMAILS: readonly Part[] = [
	{
		from: sql`audit_events as entry indexed by audit_by_action`,
		whose: (id) => sql`entry.action = 'email.send-again'
			and entry.after ->> 'recipientId' = ${id} and entry.actor_id is not ${id}`,
		order: [sql`entry.at`, sql`entry.id`],
	},
	// Entries of earlier releases don't say whose the email was.
	{
		...EMAIL_ENTRIES,
		whose: (id) => sql`${EMAIL_ENTRIES.whose(id)} and entry.after ->> 'recipientId' is null`,
	},
];

/** The audit of a person, in parts: by them, about them, and about each kind of their records. */
export const AUDIT: Section = {
	name: "audit",
	about: "What they did, and what was done to them and to their records.",
	columns: {
		id: plain(sql`entry.id`),
		at: moment(sql`entry.at`),
		actor: nameOf(sql`entry.actor_id`),
		actorRole: plain(sql`entry.actor_role`),
		action: plain(sql`entry.action`),
		entity: plain(sql`entry.entity`),
		entityId: plain(sql`entry.entity_id`),
		before: plain(sql`entry.before`),
		after: plain(sql`entry.after`),
		reason: plain(sql`entry.reason`),
	},
	parts: [
		rowsOf(
			sql`audit_events as entry indexed by audit_by_actor`,
			sql`entry.actor_id`,
			sql`entry.at`,
			sql`entry.id`,
		),
		{
			from: sql`audit_events as entry indexed by audit_by_entity`,
			whose: (id) =>
				sql`entry.entity = 'user' and entry.entity_id = ${id} and entry.actor_id is not ${id}`,
			order: [sql`entry.at`, sql`entry.id`],
		},
		aboutTheir("mileage-log", sql`mileage_logs as thing`, sql`thing.driver_id`),
		aboutTheir("fund-request", sql`fund_requests as thing`, sql`thing.driver_id`),
		aboutTheir(
			"request-message",
			sql`fund_requests as request
				cross join request_messages as thing on thing.request_id = request.id`,
			sql`request.driver_id`,
		),
		aboutTheir("receipt", sql`receipts as thing`, sql`thing.owner_id`),
		aboutTheir("uber-fee", sql`uber_fees as thing`, sql`thing.driver_id`),
		aboutTheir("agreement", sql`agreements as thing`, sql`thing.driver_id`),
		aboutTheir("charge", sql`charges as thing`, sql`thing.driver_id`),
		aboutTheir("settlement", sql`settlements as thing`, sql`thing.driver_id`),
		aboutTheir(
			"settlement-message",
			sql`settlements as settled
				cross join settlement_messages as thing on thing.settlement_id = settled.id`,
			sql`settled.driver_id`,
		),
		aboutTheir("platform-driver", sql`platform_drivers as thing`, sql`thing.driver_id`),
		...ABOUT_EMAILS,
	],
};

/** What is stored about the account, in the order of the index. */
export const ACCOUNT: readonly Section[] = [PROFILE, IDENTITIES, SIGN_INS, TOKENS];
/** What belongs to it, after the records. */
export const TRACES: readonly Section[] = [EMAILS, NOTICES, AUDIT];
