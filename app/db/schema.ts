/**
 * Every table of Milepost. Money is whole cents, days are `YYYY-MM-DD`, moments are UTC
 * milliseconds. The application never deletes rows, except expired sessions and sign-in attempts,
 * receipts that were never attached to a request or belong to a pseudonymized driver, waiting
 * statements, old webhook deliveries, and the sweeper's own notes. The migrations add what
 * drizzle-kit can't express: STRICT on every table, and the triggers that keep the audit
 * append-only, the totals correct, and webhooks told.
 */
import { type SQL, sql } from "drizzle-orm";
import {
	type AnySQLiteColumn,
	check,
	foreignKey,
	index,
	integer,
	primaryKey,
	sqliteTable,
	text,
	uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { calendarDay, cents, flag, id, miles, moment } from "./columns.ts";

export const ROLES = ["admin", "driver", "none"] as const;
export const APPROVAL_STATUSES = ["pending", "approved", "rejected"] as const;
export const REQUEST_TYPES = ["gas", "maintenance", "other"] as const;
export const REQUEST_STATUSES = ["pending", "approved", "rejected", "withdrawn"] as const;
export const FEE_CATEGORIES = ["commission", "service_fee", "booking_fee", "other"] as const;
export const QUESTION_STATES = ["asked", "answered"] as const;
export const MESSAGE_ROLES = ["admin", "driver"] as const;
export const SOURCES = ["form", "json", "outbox", "seed"] as const;
export const STATEMENT_FORMATS = [
	"uber-payments-order",
	"uber-payments-driver",
	"bolt-earnings-per-driver",
	"columns",
] as const;
export const MONEY_PROOFS = ["proven", "unproven", "unstated"] as const;
export const MEDIA_TYPES = ["image/jpeg", "image/png", "image/webp", "application/pdf"] as const;
export const PAYOUT_STATUSES = ["open", "paid", "cancelled"] as const;
export const SETTLEMENT_STATUSES = ["draft", "published", "paid", "void"] as const;
export const SETTLEMENT_LINE_KINDS = [
	"fares",
	"tips",
	"promotions",
	"tolls",
	"miles",
	"cash",
	"transfers",
	"rent",
	"fee",
	"charge",
	"correction",
] as const;
export const STANDING_STATES = ["building", "built", "live", "over"] as const;
export const MAIL_STATUSES = ["queued", "sending", "sent", "failed", "cancelled"] as const;
export const AGREEMENT_BASES = ["net", "gross"] as const;
export const TOLL_OWNERS = ["driver", "fleet"] as const;
export const TAX_YEAR_STARTS = ["01-01", "04-06"] as const;
export const CHARGE_KINDS = [
	"rent",
	"fuel-card",
	"toll",
	"fine",
	"damage",
	"advance",
	"deposit",
	"bonus",
	"other",
] as const;
export const CHARGE_DIRECTIONS = ["against", "for"] as const;
export const TOKEN_SCOPES = ["read", "import", "write"] as const;
export const DELIVERY_STATUSES = ["queued", "sending", "delivered", "failed"] as const;
export const SESSION_ENDS = [
	"signed-out",
	"rotated",
	"deactivated",
	"role-changed",
	"ended-by-admin",
	"too-many",
] as const;

const oneOf = (column: AnySQLiteColumn, values: readonly string[]) =>
	sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
const length = (column: AnySQLiteColumn, least: number, most: number) =>
	sql`length(${column}) between ${sql.raw(String(least))} and ${sql.raw(String(most))}`;
const between = (column: AnySQLiteColumn, least: number, most: number) =>
	sql`${column} between ${sql.raw(String(least))} and ${sql.raw(String(most))}`;
const realDay = (column: AnySQLiteColumn) => sql`${column} is date(${column})`;
const isFlag = (column: AnySQLiteColumn) => sql`${column} in (0, 1)`;

/** A count or sum that is never negative. */
const total = () => integer({ mode: "number" }).notNull().default(0);

/**
 * Drivers and administrators. `role` 'none' is an account that lost its role and kept its history;
 * no route admits it.
 */
export const users = sqliteTable(
	"users",
	{
		id: id().primaryKey(),
		role: text({ enum: ROLES }).notNull(),
		firstName: text().notNull().default(""),
		lastName: text().notNull().default(""),
		/**
		 * Lowercase. Entered by an administrator or verified by a trusted issuer; unique among live
		 * accounts.
		 */
		email: text(),
		/**
		 * What an issuer claimed without proof: shown as unverified, gets no mail, reserves nothing,
		 * identifies nobody.
		 */
		unverifiedEmail: text(),
		/** The 1 of DRV-0001: ascending and never reused. */
		driverNumber: integer(),
		approvalStatus: text({ enum: APPROVAL_STATUSES }).notNull(),
		isActive: flag().notNull().default(true),
		createdAt: moment().notNull(),
		createdBy: id(),
		/** When the name was completed, which makes it an application that administrators see. */
		appliedAt: moment(),
		approvedAt: moment(),
		decidedBy: id(),
		deactivatedAt: moment(),
		/** An account made by an administrator is invited until its first sign-in claims it. */
		invitedAt: moment(),
		inviteExpiresAt: moment(),
		claimedAt: moment(),
		/** When the invitation was cancelled: the row stays, and the email can be used again. */
		deletedAt: moment(),
		/**
		 * The random id of the last change. The audit row of the same batch is written only if it
		 * matches, so only if the change happened.
		 */
		lastChangeId: id(),
		/**
		 * The administrator's submission that made the account; null for people who signed up
		 * themselves.
		 */
		submissionKey: text(),
		payloadHash: text(),
		/** Which reminders they want; null follows the fleet's setting of the same name. */
		remindOfMiles: flag(),
		remindOfReceipts: flag(),
		weeklyDigest: flag(),
		/** When a former driver's name and texts were replaced, which can't be undone. */
		pseudonymizedAt: moment(),
		/** When the audit's texts about them were replaced as well, which has to wait for the seal. */
		auditErasedAt: moment(),
		/** A driver's days off among the last 14, as JSON: each date and when they said so. */
		daysOff: text(),
		/**
		 * Makes role 'none' an accountant, who reads what administrators read: the roles that a row may
		 * have can't be changed, and earlier releases refuse 'none' everything.
		 */
		isViewer: flag(),
	},
	(table) => [
		check("users_role", oneOf(table.role, ROLES)),
		check("users_approval_status", oneOf(table.approvalStatus, APPROVAL_STATUSES)),
		check("users_is_active", isFlag(table.isActive)),
		check("users_first_name", length(table.firstName, 0, 80)),
		check("users_last_name", length(table.lastName, 0, 80)),
		check(
			"users_email",
			sql`${table.email} is null or (${length(table.email, 3, 254)} and ${table.email} = lower(${table.email}))`,
		),
		check("users_driver_number", sql`${table.driverNumber} is null or ${table.driverNumber} > 0`),
		check(
			"users_no_code_for_admins",
			sql`${table.driverNumber} is null or ${table.role} <> 'admin'`,
		),
		foreignKey({
			columns: [table.createdBy],
			foreignColumns: [table.id],
			name: "users_created_by",
		}).onDelete("restrict"),
		foreignKey({
			columns: [table.decidedBy],
			foreignColumns: [table.id],
			name: "users_decided_by",
		}).onDelete("restrict"),
		uniqueIndex("users_live_email")
			.on(table.email)
			.where(sql`email is not null and deleted_at is null`),
		uniqueIndex("users_driver_number_once")
			.on(table.driverNumber)
			.where(sql`driver_number is not null`),
		index("users_by_standing").on(
			table.role,
			table.approvalStatus,
			table.isActive,
			table.lastName,
			table.firstName,
			table.id,
		),
		index("users_applications")
			.on(table.appliedAt, table.id)
			.where(sql`role = 'driver' and approval_status = 'pending' and applied_at is not null`),
		// Names are searched from either end, ignoring case.
		index("users_by_last_name")
			.on(
				table.role,
				table.approvalStatus,
				table.isActive,
				sql`(last_name || ' ' || first_name) collate nocase`,
			)
			.where(sql`deleted_at is null`),
		index("users_by_first_name")
			.on(
				table.role,
				table.approvalStatus,
				table.isActive,
				sql`(first_name || ' ' || last_name) collate nocase`,
			)
			.where(sql`deleted_at is null`),
		uniqueIndex("users_submissions")
			.on(table.createdBy, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("users_in_erasure")
			.on(table.pseudonymizedAt, table.id)
			.where(sql`pseudonymized_at is not null and audit_erased_at is null`),
	],
);

/**
 * What each letter of a name is compared as, so that the database can fold names itself. The
 * migration fills it with what `foldLetter` returns.
 */
export const letters = sqliteTable("letters", {
	letter: text().primaryKey().notNull(),
	folded: text().notNull(),
});

/**
 * The texts people are found by, kept by triggers: the folded name starting from each of its words,
 * and the email after an @.
 */
export const personNames = sqliteTable(
	"person_names",
	{
		userId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		name: text().notNull(),
		/** 2: an active driver; 1: a former one; 0: anyone else. */
		circle: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.userId, table.name] }),
		check("person_names_circle", sql`${table.circle} in (0, 1, 2)`),
		index("person_names_by_name").on(table.circle, table.name, table.userId),
	],
);

/**
 * A person's identity: (issuer, subject) from OpenID Connect. One identity per account and one
 * account per identity.
 */
export const identities = sqliteTable(
	"identities",
	{
		issuer: text().notNull(),
		subject: text().notNull(),
		userId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		createdAt: moment().notNull(),
	},
	(table) => [
		uniqueIndex("identities_once").on(table.issuer, table.subject),
		uniqueIndex("identities_one_per_user").on(table.userId),
		index("identities_by_issuer").on(table.issuer, table.createdAt),
	],
);

/**
 * Sessions by the SHA-256 of their token. An ended one keeps its row and reason until it would have
 * expired.
 */
export const sessions = sqliteTable(
	"sessions",
	{
		tokenHash: text().primaryKey(),
		userId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		createdAt: moment().notNull(),
		lastSeenAt: moment().notNull(),
		/** The idle limit, extended as the session is used. */
		expiresAt: moment().notNull(),
		/** The absolute limit, fixed at sign-in. */
		endsAt: moment().notNull(),
		endedAt: moment(),
		endedReason: text({ enum: SESSION_ENDS }),
		/** The browser and system that signed in, such as 'Chrome on Android'. */
		device: text(),
		/**
		 * When they proved their identity to the provider; 0 if at an unknown time before, null in
		 * sessions of earlier releases.
		 */
		authenticatedAt: moment(),
	},
	(table) => [
		check("sessions_token_hash", sql`length(${table.tokenHash}) = 64`),
		check(
			"sessions_ended_reason",
			sql`${table.endedReason} is null or ${oneOf(table.endedReason, SESSION_ENDS)}`,
		),
		check(
			"sessions_end_has_reason",
			sql`(${table.endedAt} is null) = (${table.endedReason} is null)`,
		),
		index("sessions_by_user").on(table.userId, table.createdAt),
		index("sessions_by_end").on(table.endsAt),
	],
);

/**
 * The keys of scripts, by the SHA-256 of their text. Each acts as its owner, within its scope, until
 * it expires, is revoked, or its owner's access ends.
 */
export const apiTokens = sqliteTable(
	"api_tokens",
	{
		id: id().primaryKey(),
		ownerId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		name: text().notNull(),
		scope: text({ enum: TOKEN_SCOPES }).notNull(),
		tokenHash: text().notNull(),
		createdAt: moment().notNull(),
		expiresAt: moment().notNull(),
		/** Not written again within an hour. */
		lastUsedAt: moment(),
		revokedAt: moment(),
		/** Null where the owner's access ended at the command line. */
		revokedBy: id().references(() => users.id, { onDelete: "restrict" }),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
	},
	(table) => [
		check("api_tokens_name", length(table.name, 1, 80)),
		check("api_tokens_scope", oneOf(table.scope, TOKEN_SCOPES)),
		check("api_tokens_hash", sql`length(${table.tokenHash}) = 64`),
		check("api_tokens_expiry", sql`${table.expiresAt} > ${table.createdAt}`),
		uniqueIndex("api_tokens_once").on(table.tokenHash),
		uniqueIndex("api_tokens_submissions")
			.on(table.ownerId, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("api_tokens_by_owner").on(table.ownerId, table.createdAt, table.id),
		index("api_tokens_by_time").on(table.createdAt, table.id),
		index("api_tokens_live").on(table.expiresAt, table.id).where(sql`revoked_at is null`),
	],
);

/** Where another program receives events; a removed one keeps no secret. */
export const webhooks = sqliteTable(
	"webhooks",
	{
		id: id().primaryKey(),
		addedBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		url: text().notNull(),
		/** The events that it wants, a JSON array. */
		events: text().notNull(),
		secret: text().notNull(),
		/** The replaced secret, which also signs for a while. */
		olderSecret: text(),
		olderSecretUntil: moment(),
		createdAt: moment().notNull(),
		/** Its first failed try since the last delivery. */
		failingSince: moment(),
		switchedOffAt: moment(),
		removedAt: moment(),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
	},
	(table) => [
		check("webhooks_url", length(table.url, 12, 500)),
		check("webhooks_events", sql`json_type(${table.events}) = 'array'`),
		check(
			"webhooks_secret",
			sql`iif(${table.removedAt} is null, length(${table.secret}) = 50, ${table.secret} = '')`,
		),
		check(
			"webhooks_older_secret",
			sql`(${table.olderSecret} is null) = (${table.olderSecretUntil} is null)`,
		),
		uniqueIndex("webhooks_submissions")
			.on(table.addedBy, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("webhooks_there").on(table.createdAt, table.id).where(sql`removed_at is null`),
	],
);

/**
 * An event for one webhook. A trigger on the audit queues it, so that no command has to remember
 * it.
 */
export const webhookDeliveries = sqliteTable(
	"webhook_deliveries",
	{
		id: id().primaryKey(),
		webhookId: id()
			.notNull()
			.references(() => webhooks.id, { onDelete: "restrict" }),
		/** The audit entry that it comes from: of one row, the lowest is delivered first. */
		sequence: integer().notNull(),
		event: text().notNull(),
		/** The row that the event is about. */
		rowId: id().notNull(),
		createdAt: moment().notNull(),
		status: text({ enum: DELIVERY_STATUSES }).notNull(),
		/** When it is tried next; while it is being sent, when it was claimed. */
		sendAfter: moment().notNull(),
		attempts: integer().notNull().default(0),
		lastError: text(),
		/** A try broke off, so the receiver may have it. */
		mayHaveArrived: flag().notNull().default(false),
		deliveredAt: moment(),
	},
	(table) => [
		check("webhook_deliveries_event", length(table.event, 1, 60)),
		check("webhook_deliveries_status", oneOf(table.status, DELIVERY_STATUSES)),
		check("webhook_deliveries_attempts", sql`${table.attempts} >= 0`),
		index("webhook_deliveries_due")
			.on(table.webhookId, table.sendAfter, table.sequence)
			.where(sql`status = 'queued'`),
		index("webhook_deliveries_of_row")
			.on(table.webhookId, table.rowId, table.sequence)
			.where(sql`status in ('queued', 'sending')`),
		index("webhook_deliveries_under_way").on(table.sendAfter).where(sql`status = 'sending'`),
		index("webhook_deliveries_by_time").on(table.createdAt, table.id),
	],
);

/** Answers of an OpenID provider that were already used: a state works once. */
export const signInAttempts = sqliteTable(
	"sign_in_attempts",
	{ stateHash: text().primaryKey(), usedAt: moment().notNull() },
	(table) => [index("sign_in_attempts_by_time").on(table.usedAt)],
);

/** One logged trip. Voided rows are kept but not counted. */
export const mileageLogs = sqliteTable(
	"mileage_logs",
	{
		id: id().primaryKey(),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		drivenOn: calendarDay().notNull(),
		startMiles: miles().notNull(),
		endMiles: miles().notNull(),
		miles: miles()
			.generatedAlwaysAs((): SQL => sql`end_miles - start_miles`, { mode: "stored" })
			.notNull(),
		notes: text(),
		source: text({ enum: SOURCES }).notNull(),
		/** When the server received it. */
		createdAt: moment().notNull(),
		/** When the phone captured it, if that was before the server received it. */
		capturedAt: moment(),
		/** Miles between the previous trip's end and this one's start; null when they match. */
		gapMiles: miles(),
		isOverlap: flag().notNull().default(false),
		isOutOfOrder: flag().notNull().default(false),
		isLong: flag().notNull().default(false),
		voidedAt: moment(),
		voidedBy: id().references(() => users.id, { onDelete: "restrict" }),
		voidReason: text(),
		/** The entry that this one corrects. */
		correctsId: id(),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
		purpose: text(),
		/** The miles of the trip that weren't business, from 0 to all of them; null if not said. */
		personalMiles: miles(),
	},
	(table) => [
		check("mileage_driven_on", realDay(table.drivenOn)),
		check("mileage_start", between(table.startMiles, 0, 9_999_999)),
		check("mileage_end", between(table.endMiles, 0, 9_999_999)),
		check("mileage_end_after_start", sql`${table.endMiles} > ${table.startMiles}`),
		check("mileage_notes", sql`${table.notes} is null or ${length(table.notes, 1, 1000)}`),
		check("mileage_source", oneOf(table.source, SOURCES)),
		check(
			"mileage_flags",
			sql`${isFlag(table.isOverlap)} and ${isFlag(table.isOutOfOrder)} and ${isFlag(table.isLong)}`,
		),
		check("mileage_gap", sql`${table.gapMiles} is null or ${table.gapMiles} > 0`),
		check("mileage_void", sql`(${table.voidedAt} is null) = (${table.voidedBy} is null)`),
		check(
			"mileage_void_reason",
			sql`${table.voidReason} is null or ${length(table.voidReason, 1, 500)}`,
		),
		foreignKey({
			columns: [table.correctsId],
			foreignColumns: [table.id],
			name: "mileage_corrects",
		}).onDelete("restrict"),
		uniqueIndex("mileage_submission")
			.on(table.driverId, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("mileage_by_driver_received").on(table.driverId, table.createdAt),
		index("mileage_by_day").on(table.drivenOn, table.id),
		index("mileage_long")
			.on(table.driverId, table.startMiles)
			.where(sql`is_long = 1 and voided_at is null`),
		index("mileage_flagged")
			.on(table.drivenOn, table.endMiles, table.id)
			.where(
				sql`voided_at is null and (gap_miles is not null or is_overlap = 1 or is_out_of_order = 1 or is_long = 1)`,
			),
		index("mileage_corrections").on(table.correctsId).where(sql`corrects_id is not null`),
		index("mileage_purposes")
			.on(table.driverId, table.createdAt, table.purpose)
			.where(sql`purpose is not null and voided_at is null`),
		index("mileage_personal")
			.on(table.driverId, table.drivenOn, table.personalMiles)
			.where(sql`personal_miles > 0 and voided_at is null`),
		// Without the id: a driver has at most a few trips of one day with the same end to sort.
		index("mileage_by_driver_day").on(table.driverId, table.drivenOn, table.endMiles),
		// Finds the readings around a trip as well.
		uniqueIndex("mileage_same_trip")
			.on(table.driverId, table.startMiles, table.endMiles, table.drivenOn)
			.where(sql`voided_at is null`),
	],
);

/**
 * Years whose trips are closed: nothing can be logged or voided up to the end of the latest one.
 * Their trips are in the archive, or are being moved while `finishedAt` is empty.
 */
export const archivedYears = sqliteTable(
	"archived_years",
	{
		year: integer().primaryKey(),
		closedAt: moment().notNull(),
		finishedAt: moment(),
		/** How many trips were moved, including voided ones. */
		entries: total(),
	},
	(table) => [
		check("archived_years_year", between(table.year, 2000, 2999)),
		check("archived_years_entries", sql`${table.entries} >= 0`),
	],
);

/**
 * The sums of the archived trips by driver and date: totals are recalculated from these as from the
 * trips themselves.
 */
export const archivedDays = sqliteTable(
	"archived_days",
	{
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		drivenOn: calendarDay().notNull(),
		miles: total(),
		trips: total(),
		voidedMiles: total(),
		voidedTrips: total(),
	},
	(table) => [
		primaryKey({ columns: [table.driverId, table.drivenOn] }),
		check("archived_days_driven_on", realDay(table.drivenOn)),
		check("archived_days_trips", sql`${table.trips} >= 0 and ${table.miles} >= ${table.trips}`),
		check(
			"archived_days_voided",
			sql`${table.voidedTrips} >= 0 and ${table.voidedMiles} >= ${table.voidedTrips}`,
		),
	],
);

/** Receipt files in R2, whose type is detected from their leading bytes. */
export const receipts = sqliteTable(
	"receipts",
	{
		id: id().primaryKey(),
		ownerId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		objectKey: text().notNull(),
		mediaType: text({ enum: MEDIA_TYPES }).notNull(),
		byteSize: integer().notNull(),
		/** SHA-256 of the stored bytes, hex; detects the same receipt on two requests. */
		sha256: text().notNull(),
		/** The file's original name, sanitized; shown, never used as a path. */
		fileName: text().notNull(),
		createdAt: moment().notNull(),
	},
	(table) => [
		check("receipts_media_type", oneOf(table.mediaType, MEDIA_TYPES)),
		check("receipts_byte_size", between(table.byteSize, 1, 8 * 1024 * 1024)),
		check("receipts_sha256", sql`length(${table.sha256}) = 64`),
		check("receipts_file_name", length(table.fileName, 1, 200)),
		uniqueIndex("receipts_object").on(table.objectKey),
		index("receipts_by_owner").on(table.ownerId, table.createdAt),
		index("receipts_by_content").on(table.sha256, table.id),
	],
);

/**
 * Objects in the file store without a receipt: a file being stored, which counts toward its owner's
 * daily quota, or one whose receipt was swept, which has no owner. A trigger removes the row when
 * the object's receipt is inserted.
 */
export const looseObjects = sqliteTable(
	"loose_objects",
	{
		objectKey: text().primaryKey(),
		ownerId: id().references(() => users.id, { onDelete: "restrict" }),
		byteSize: integer().notNull(),
		createdAt: moment().notNull(),
		/** Set while the sweeper deletes the object; nothing is stored under its key until then. */
		condemnedAt: moment(),
	},
	(table) => [
		check("loose_objects_byte_size", between(table.byteSize, 0, 8 * 1024 * 1024)),
		index("loose_objects_by_owner").on(table.ownerId, table.createdAt),
		index("loose_objects_by_time").on(table.createdAt),
		index("loose_objects_condemned").on(table.condemnedAt).where(sql`condemned_at is not null`),
	],
);

/** The progress of today's run of each daily task. */
export const dailyTasks = sqliteTable(
	"daily_tasks",
	{
		name: text().primaryKey(),
		/** The last calendar date, in the fleet's time zone, on which it was completed. */
		finishedOn: calendarDay(),
		/** Where the next step continues; null at the start. */
		cursor: text(),
		/** The counts of the steps so far, as JSON. */
		counts: text().notNull().default("{}"),
		/** No other step may run before this time. */
		claimedUntil: moment().notNull().default(0),
	},
	(table) => [check("daily_tasks_counts", sql`json_valid(${table.counts})`)],
);

/**
 * What a driver keeps of their weeks from a day on, until another one follows. None is ever changed
 * or deleted; of several for the same day the highest number is in force.
 */
export const agreements = sqliteTable(
	"agreements",
	{
		id: id().primaryKey(),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		/** Counted up for each driver. */
		number: integer().notNull(),
		/** The first day of a settlement week. */
		startsOn: calendarDay().notNull(),
		base: text({ enum: AGREEMENT_BASES }).notNull(),
		/** Hundredths of a percent. */
		faresBasisPoints: integer().notNull(),
		tipsBasisPoints: integer().notNull(),
		promotionsBasisPoints: integer().notNull(),
		tollsTo: text({ enum: TOLL_OWNERS }).notNull(),
		weeklyRentCents: cents().notNull(),
		weeklyFeeCents: cents().notNull(),
		fleetBasisPoints: integer().notNull(),
		/** Tenths of a cent for a business mile. */
		perMileMills: integer().notNull(),
		/** Business miles of a tax year at that rate; null for all of them. */
		thresholdMiles: miles(),
		thereafterMills: integer(),
		/** The month and day. */
		taxYearStart: text({ enum: TAX_YEAR_STARTS }),
		createdAt: moment().notNull(),
		createdBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
	},
	(table) => [
		check("agreements_number", sql`${table.number} > 0`),
		check("agreements_starts_on", realDay(table.startsOn)),
		check("agreements_base", oneOf(table.base, AGREEMENT_BASES)),
		check("agreements_fares", between(table.faresBasisPoints, 0, 10_000)),
		check("agreements_tips", between(table.tipsBasisPoints, 0, 10_000)),
		check("agreements_promotions", between(table.promotionsBasisPoints, 0, 10_000)),
		check("agreements_tolls_to", oneOf(table.tollsTo, TOLL_OWNERS)),
		check("agreements_weekly_rent", between(table.weeklyRentCents, 0, 10_000_000)),
		check("agreements_weekly_fee", between(table.weeklyFeeCents, 0, 10_000_000)),
		check("agreements_fleet", between(table.fleetBasisPoints, 0, 10_000)),
		check("agreements_per_mile", between(table.perMileMills, 0, 100_000)),
		check(
			"agreements_threshold",
			sql`(${table.thresholdMiles} is null or ${between(table.thresholdMiles, 1, 9_999_999)}) and (${table.thresholdMiles} is null) = (${table.thereafterMills} is null)`,
		),
		check(
			"agreements_thereafter",
			sql`${table.thereafterMills} is null or ${between(table.thereafterMills, 0, 100_000)}`,
		),
		check(
			"agreements_tax_year",
			sql`(${table.taxYearStart} is null or ${oneOf(table.taxYearStart, TAX_YEAR_STARTS)}) and (${table.thresholdMiles} is null or ${table.taxYearStart} is not null)`,
		),
		uniqueIndex("agreements_number_once").on(table.driverId, table.number),
		uniqueIndex("agreements_submission")
			.on(table.createdBy, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("agreements_by_start").on(table.driverId, table.startsOn, table.number),
		index("agreements_by_time").on(table.createdAt, table.id),
	],
);

/** Amounts beside a driver's earnings, in one or more weekly instalments. Voided ones are kept. */
export const charges = sqliteTable(
	"charges",
	{
		id: id().primaryKey(),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		kind: text({ enum: CHARGE_KINDS }).notNull(),
		/** The first instalment is due in the week of this day. */
		chargedOn: calendarDay().notNull(),
		amountCents: cents().notNull(),
		direction: text({ enum: CHARGE_DIRECTIONS }).notNull(),
		instalments: integer().notNull(),
		note: text(),
		/** How many instalments published settlements have. */
		settledInstalments: total(),
		createdAt: moment().notNull(),
		createdBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		voidedAt: moment(),
		voidedBy: id().references(() => users.id, { onDelete: "restrict" }),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
		/** The driver's own receipt, like their requests', but sent by an administrator. */
		receiptId: id().references(() => receipts.id, { onDelete: "restrict" }),
	},
	(table) => [
		check("charges_kind", oneOf(table.kind, CHARGE_KINDS)),
		check("charges_charged_on", realDay(table.chargedOn)),
		check("charges_amount", between(table.amountCents, 1, 10_000_000)),
		check("charges_direction", oneOf(table.direction, CHARGE_DIRECTIONS)),
		check(
			"charges_instalments",
			sql`${between(table.instalments, 1, 52)} and ${table.instalments} <= ${table.amountCents}`,
		),
		check("charges_note", sql`${table.note} is null or ${length(table.note, 1, 1000)}`),
		check(
			"charges_settled",
			sql`${table.settledInstalments} between 0 and ${table.instalments} and (${table.voidedAt} is null or ${table.settledInstalments} = 0)`,
		),
		check("charges_void", sql`(${table.voidedAt} is null) = (${table.voidedBy} is null)`),
		uniqueIndex("charges_submission")
			.on(table.createdBy, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("charges_by_driver").on(table.driverId, table.chargedOn, table.createdAt, table.id),
		index("charges_by_day")
			.on(table.chargedOn, table.createdAt, table.id)
			.where(sql`voided_at is null`),
		uniqueIndex("charges_receipt_once").on(table.receiptId).where(sql`receipt_id is not null`),
	],
);

/**
 * Approved requests that are paid together. `number` is the 1 of PO-000001. Its total never
 * changes: a wrong payout is cancelled and replaced.
 */
export const payouts = sqliteTable(
	"payouts",
	{
		id: id().primaryKey(),
		number: integer().notNull(),
		status: text({ enum: PAYOUT_STATUSES }).notNull(),
		totalCents: cents().notNull(),
		driverCount: integer().notNull(),
		/** Requests and settlements. */
		requestCount: integer().notNull(),
		createdAt: moment().notNull(),
		createdBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		/** The day the money was paid, and when and by whom that was recorded. */
		paidOn: calendarDay(),
		reference: text(),
		paidAt: moment(),
		paidBy: id().references(() => users.id, { onDelete: "restrict" }),
		cancelledAt: moment(),
		cancelledBy: id().references(() => users.id, { onDelete: "restrict" }),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
		/** How many of its `requestCount` parts are settlements. */
		settlementCount: total(),
	},
	(table) => [
		check("payouts_number", sql`${table.number} > 0`),
		check("payouts_status", oneOf(table.status, PAYOUT_STATUSES)),
		check("payouts_requests", between(table.requestCount, 1, 500)),
		check(
			"payouts_drivers",
			sql`${table.driverCount} >= 1 and ${table.driverCount} <= ${table.requestCount}`,
		),
		check("payouts_total", sql`${table.totalCents} >= ${table.requestCount}`),
		check(
			"payouts_payment",
			sql`(${table.status} = 'paid') = (${table.paidOn} is not null) and (${table.paidOn} is null) = (${table.paidAt} is null) and (${table.paidAt} is null) = (${table.paidBy} is null)`,
		),
		check("payouts_paid_on", sql`${table.paidOn} is null or ${realDay(table.paidOn)}`),
		check(
			"payouts_reference",
			sql`${table.reference} is null or (${table.status} = 'paid' and ${length(table.reference, 1, 100)})`,
		),
		check(
			"payouts_cancellation",
			sql`(${table.status} = 'cancelled') = (${table.cancelledAt} is not null) and (${table.cancelledAt} is null) = (${table.cancelledBy} is null)`,
		),
		uniqueIndex("payouts_number_once").on(table.number),
		uniqueIndex("payouts_submission")
			.on(table.createdBy, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("payouts_by_status").on(table.status, table.number),
		index("payouts_by_day").on(table.paidOn, table.number).where(sql`paid_on is not null`),
		index("payouts_by_reference")
			.on(sql`reference collate nocase`, table.number)
			.where(sql`reference is not null`),
	],
);

/**
 * A payout's requests with their amounts, kept when it is cancelled. One driver's form one line.
 */
export const payoutRequests = sqliteTable(
	"payout_requests",
	{
		payoutId: id()
			.notNull()
			.references(() => payouts.id, { onDelete: "restrict" }),
		requestId: id()
			.notNull()
			.references(() => fundRequests.id, { onDelete: "restrict" }),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		amountCents: cents().notNull(),
		/** The payout's, kept by triggers, so that an index finds what a driver was paid and when. */
		paidOn: calendarDay(),
	},
	(table) => [
		primaryKey({
			columns: [table.payoutId, table.driverId, table.requestId],
			name: "payout_requests_key",
		}),
		check("payout_requests_amount", between(table.amountCents, 1, 10_000_000)),
		uniqueIndex("payout_requests_once").on(table.requestId, table.payoutId),
		index("payout_requests_by_driver").on(table.driverId, table.payoutId),
		index("payout_requests_by_day").on(
			table.driverId,
			table.paidOn,
			table.payoutId,
			table.amountCents,
		),
	],
);

/** Computed from the row's other columns when read or indexed; takes no space. */
const generatedColumn = (expression: SQL) =>
	integer({ mode: "number" }).generatedAlwaysAs((): SQL => expression, { mode: "virtual" });
type StandingWindow = "week" | "month" | "quarter";
/** A window's fuel cents per mile, rounded half up like `costPerMile`; null without miles. */
const perMile = (window: StandingWindow) =>
	sql.raw(
		`iif(${window}_miles > 0, (2 * ${window}_fuel_cents + ${window}_miles) / (2 * ${window}_miles), null)`,
	);
/**
 * Cents of fuel over the target, negative so that the largest comes first; null within the target.
 */
const overTarget = (window: StandingWindow) =>
	sql.raw(
		`iif(${window}_per_mile > target_cents, target_cents * ${window}_miles - ${window}_fuel_cents, null)`,
	);
/** Cents per mile of drivers who paid for fuel and stayed within the target. */
const withinTarget = (window: StandingWindow) =>
	sql.raw(
		`iif(${window}_fuel_cents > 0 and ${window}_per_mile <= target_cents, ${window}_per_mile, null)`,
	);

/**
 * The windows that end on one calendar date, and their sums over all drivers (docs/decisions/0056).
 * Days are Julian day numbers.
 */
export const standingSets = sqliteTable(
	"standing_sets",
	{
		endDay: integer({ mode: "number" }).primaryKey(),
		/** The windows' first days; `thirty` are the 30 days of Reports & Analytics. */
		weekFrom: integer({ mode: "number" }).notNull(),
		monthFrom: integer({ mode: "number" }).notNull(),
		quarterFrom: integer({ mode: "number" }).notNull(),
		thirtyFrom: integer({ mode: "number" }).notNull(),
		/**
		 * Filled page by page, then complete except for the drivers in `standing_marks`, then kept by
		 * triggers, then being cleared.
		 */
		state: text({ enum: STANDING_STATES }).notNull().default("building"),
		/** The last person that filling has reached. */
		builtTo: id().notNull().default(""),
		excellentUnder: cents().notNull(),
		goodUnder: cents().notNull(),
		targetCents: cents().notNull(),
		/** Approved drivers who are active, and those with a trip in the 30 days. */
		active: total(),
		thirtyDriving: total(),
		weekMiles: total(),
		weekFuelCents: total(),
		weekListed: total(),
		weekExcellent: total(),
		weekGood: total(),
		weekPoor: total(),
		weekOver: total(),
		weekOverCents: total(),
		weekIdle: total(),
		weekIdleCents: total(),
		monthMiles: total(),
		monthFuelCents: total(),
		monthListed: total(),
		monthExcellent: total(),
		monthGood: total(),
		monthPoor: total(),
		monthOver: total(),
		monthOverCents: total(),
		monthIdle: total(),
		monthIdleCents: total(),
		quarterMiles: total(),
		quarterFuelCents: total(),
		quarterListed: total(),
		quarterExcellent: total(),
		quarterGood: total(),
		quarterPoor: total(),
		quarterOver: total(),
		quarterOverCents: total(),
		quarterIdle: total(),
		quarterIdleCents: total(),
	},
	(table) => [
		check("standing_sets_state", oneOf(table.state, STANDING_STATES)),
		index("standing_sets_by_state").on(table.state, table.endDay),
	],
);

/** The sums of each approved driver's windows that end on one calendar date. */
export const standings = sqliteTable(
	"standings",
	{
		endDay: integer({ mode: "number" }).notNull(),
		driverId: id().notNull(),
		isActive: flag().notNull(),
		lastName: text().notNull(),
		firstName: text().notNull(),
		targetCents: cents().notNull(),
		thirtyTrips: total(),
		weekMiles: total(),
		weekFuelCents: total(),
		weekFuelRequests: total(),
		weekLessMiles: generatedColumn(sql`-week_miles`),
		weekLessFuel: generatedColumn(sql`-week_fuel_cents`),
		weekPerMile: generatedColumn(perMile("week")),
		weekOver: generatedColumn(overTarget("week")),
		weekBest: generatedColumn(withinTarget("week")),
		monthMiles: total(),
		monthFuelCents: total(),
		monthFuelRequests: total(),
		monthLessMiles: generatedColumn(sql`-month_miles`),
		monthLessFuel: generatedColumn(sql`-month_fuel_cents`),
		monthPerMile: generatedColumn(perMile("month")),
		monthOver: generatedColumn(overTarget("month")),
		monthBest: generatedColumn(withinTarget("month")),
		quarterMiles: total(),
		quarterFuelCents: total(),
		quarterFuelRequests: total(),
		quarterLessMiles: generatedColumn(sql`-quarter_miles`),
		quarterLessFuel: generatedColumn(sql`-quarter_fuel_cents`),
		quarterPerMile: generatedColumn(perMile("quarter")),
		quarterOver: generatedColumn(overTarget("quarter")),
		quarterBest: generatedColumn(withinTarget("quarter")),
	},
	(table) => [
		primaryKey({ columns: [table.endDay, table.driverId], name: "standings_key" }),
		index("standings_week")
			.on(
				table.endDay,
				table.weekLessMiles,
				table.weekLessFuel,
				table.lastName,
				table.firstName,
				table.driverId,
			)
			.where(sql`is_active = 1 or week_miles > 0 or week_fuel_cents > 0`),
		index("standings_week_over")
			.on(
				table.endDay,
				table.weekOver,
				table.weekLessMiles,
				table.lastName,
				table.firstName,
				table.driverId,
			)
			.where(sql`week_over is not null`),
		index("standings_week_best")
			.on(
				table.endDay,
				table.weekBest,
				table.weekLessMiles,
				table.weekLessFuel,
				table.lastName,
				table.firstName,
				table.driverId,
			)
			.where(sql`week_best is not null`),
		index("standings_month")
			.on(
				table.endDay,
				table.monthLessMiles,
				table.monthLessFuel,
				table.lastName,
				table.firstName,
				table.driverId,
			)
			.where(sql`is_active = 1 or month_miles > 0 or month_fuel_cents > 0`),
		index("standings_month_over")
			.on(
				table.endDay,
				table.monthOver,
				table.monthLessMiles,
				table.lastName,
				table.firstName,
				table.driverId,
			)
			.where(sql`month_over is not null`),
		index("standings_month_best")
			.on(
				table.endDay,
				table.monthBest,
				table.monthLessMiles,
				table.monthLessFuel,
				table.lastName,
				table.firstName,
				table.driverId,
			)
			.where(sql`month_best is not null`),
		index("standings_quarter")
			.on(
				table.endDay,
				table.quarterLessMiles,
				table.quarterLessFuel,
				table.lastName,
				table.firstName,
				table.driverId,
			)
			.where(sql`is_active = 1 or quarter_miles > 0 or quarter_fuel_cents > 0`),
		index("standings_quarter_over")
			.on(
				table.endDay,
				table.quarterOver,
				table.quarterLessMiles,
				table.lastName,
				table.firstName,
				table.driverId,
			)
			.where(sql`quarter_over is not null`),
		index("standings_quarter_best")
			.on(
				table.endDay,
				table.quarterBest,
				table.quarterLessMiles,
				table.quarterLessFuel,
				table.lastName,
				table.firstName,
				table.driverId,
			)
			.where(sql`quarter_best is not null`),
	],
);

/** Drivers whose standings have to be recalculated in a set that is being built. */
export const standingMarks = sqliteTable("standing_marks", { driverId: id().primaryKey() });

/**
 * Sums of approved requests and of published settlements by where they are: in no payout, an open
 * one or a paid one. Kept by triggers; the driver '' is the whole fleet.
 */
export const payoutTotals = sqliteTable(
	"payout_totals",
	{
		driverId: id().primaryKey(),
		readyCents: total(),
		readyRequests: total(),
		openCents: total(),
		openRequests: total(),
		paidCents: total(),
		paidRequests: total(),
		readySettledCents: total(),
		readySettlements: total(),
		openSettledCents: total(),
		openSettlements: total(),
		paidSettledCents: total(),
		paidSettlements: total(),
	},
	(table) => [
		check(
			"payout_totals_ready",
			sql`${table.readyRequests} >= 0 and ${table.readyCents} >= ${table.readyRequests}`,
		),
		check(
			"payout_totals_open",
			sql`${table.openRequests} >= 0 and ${table.openCents} >= ${table.openRequests}`,
		),
		check(
			"payout_totals_paid",
			sql`${table.paidRequests} >= 0 and ${table.paidCents} >= ${table.paidRequests}`,
		),
		index("payout_totals_owed_first")
			.on(sql`(ready_cents + ready_settled_cents)`, table.driverId)
			.where(sql`ready_requests + ready_settlements > 0 and driver_id <> ''`),
	],
);

/** 0, 1 and 2 for the bands of the administrators' filter. */
const band = sql`(amount_cents > 5000) + (amount_cents > 10000)`;
/** SQLite prefers an index with an expression before the moments to one on only the moments. */
const isOutOfPayouts = sql`(payout_id is null)`;
const isLate = sql`(julianday(requested_on) - julianday(spent_on) > 60)`;

/** A driver's request for money. `number` is the 1 of FR-000001. */
export const fundRequests = sqliteTable(
	"fund_requests",
	{
		id: id().primaryKey(),
		number: integer().notNull(),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		type: text({ enum: REQUEST_TYPES }).notNull(),
		amountCents: cents().notNull(),
		description: text().notNull(),
		receiptId: id().references(() => receipts.id, { onDelete: "restrict" }),
		/** A bare file name sent as JSON: shown as the receipt's name, with nothing to open. */
		receiptName: text(),
		status: text({ enum: REQUEST_STATUSES }).notNull(),
		source: text({ enum: SOURCES }).notNull(),
		createdAt: moment().notNull(),
		/**
		 * The date of `createdAt` in the fleet's time zone, which is the day the totals count it on.
		 */
		requestedOn: calendarDay().notNull(),
		capturedAt: moment(),
		/** The driver sent the same type, amount and description shortly before. */
		isPossibleDuplicate: flag().notNull().default(false),
		adminNotes: text(),
		decidedAt: moment(),
		decidedBy: id().references(() => users.id, { onDelete: "restrict" }),
		withdrawnAt: moment(),
		/** The withdrawn request that this one replaces. */
		replacesId: id(),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
		/**
		 * The approved amount, at most the requested one; null until approval, and for requests
		 * approved in full before amounts could be lowered. A trigger clears it with the approval.
		 */
		approvedAmountCents: cents(),
		/**
		 * Whose turn it is in the thread; null without one. Kept by triggers: an administrator's
		 * message asks, and the driver's message or a receipt for the pending request answers.
		 */
		question: text({ enum: QUESTION_STATES }),
		/**
		 * The open or paid payout that includes it, never more than one. Triggers lock its status and
		 * amount meanwhile.
		 */
		payoutId: id(),
		/** The day the money was spent, if the driver said so. */
		spentOn: calendarDay(),
	},
	(table) => [
		check("requests_number", sql`${table.number} > 0`),
		check("requests_type", oneOf(table.type, REQUEST_TYPES)),
		check("requests_status", oneOf(table.status, REQUEST_STATUSES)),
		check("requests_source", oneOf(table.source, SOURCES)),
		check("requests_requested_on", realDay(table.requestedOn)),
		check("requests_amount", between(table.amountCents, 1, 10_000_000)),
		check("requests_description", length(table.description, 1, 2000)),
		check(
			"requests_receipt_name",
			sql`${table.receiptName} is null or ${length(table.receiptName, 1, 200)}`,
		),
		check(
			"requests_notes",
			sql`${table.adminNotes} is null or ${length(table.adminNotes, 1, 2000)}`,
		),
		check("requests_duplicate", isFlag(table.isPossibleDuplicate)),
		check(
			"requests_decision",
			sql`(${table.status} in ('approved', 'rejected')) = (${table.decidedAt} is not null) and (${table.decidedAt} is null) = (${table.decidedBy} is null)`,
		),
		check(
			"requests_withdrawal",
			sql`(${table.status} = 'withdrawn') = (${table.withdrawnAt} is not null)`,
		),
		foreignKey({
			columns: [table.replacesId],
			foreignColumns: [table.id],
			name: "requests_replaces",
		}).onDelete("restrict"),
		foreignKey({
			columns: [table.payoutId],
			foreignColumns: [payouts.id],
			name: "requests_payout",
		}).onDelete("restrict"),
		uniqueIndex("requests_number_once").on(table.number),
		uniqueIndex("requests_submission")
			.on(table.driverId, table.submissionKey)
			.where(sql`submission_key is not null`),
		uniqueIndex("requests_receipt_once").on(table.receiptId).where(sql`receipt_id is not null`),
		// Approved and in no payout, oldest first.
		index("requests_unpaid_by_driver")
			.on(table.driverId, table.number)
			.where(sql`status = 'approved' and payout_id is null`),
		index("requests_by_decision")
			.on(table.decidedBy, table.decidedAt)
			.where(sql`decided_at is not null`),
		index("requests_by_driver").on(table.driverId, table.createdAt, table.number),
		index("requests_by_time").on(table.createdAt, table.number),
		index("requests_by_status").on(table.status, table.createdAt, table.number),
		index("requests_by_type").on(table.type, table.createdAt, table.number),
		// By band: a range of amounts couldn't keep the order of time.
		index("requests_by_band").on(band, table.createdAt, table.number),
		// One index per combination of filters, so that no page walks past rows it leaves out.
		index("requests_by_status_type").on(table.status, table.type, table.createdAt, table.number),
		index("requests_by_status_band").on(table.status, band, table.createdAt, table.number),
		index("requests_by_type_band").on(table.type, band, table.createdAt, table.number),
		index("requests_by_status_type_band").on(
			table.status,
			table.type,
			band,
			table.createdAt,
			table.number,
		),
		index("requests_by_driver_status").on(
			table.driverId,
			table.status,
			table.createdAt,
			table.number,
		),
		// By requested amount, for all requests and for each status.
		index("requests_by_amount").on(table.amountCents, table.createdAt, table.number),
		index("requests_by_status_amount").on(
			table.status,
			table.amountCents,
			table.createdAt,
			table.number,
		),
		// The rarer filters (docs/decisions/0052).
		index("requests_by_question")
			.on(table.question, table.createdAt, table.number)
			.where(sql`question is not null and status = 'pending'`),
		index("requests_duplicate")
			.on(table.isPossibleDuplicate, table.createdAt, table.number)
			.where(sql`is_possible_duplicate = 1`),
		index("requests_not_in_payout")
			.on(table.status, table.payoutId, table.createdAt, table.number)
			.where(sql`status = 'approved' and payout_id is null`),
		index("requests_in_payout")
			.on(isOutOfPayouts, table.createdAt, table.number)
			.where(sql`payout_id is not null`),
		index("requests_without_receipt")
			.on(table.receiptId, table.createdAt, table.number)
			.where(sql`receipt_id is null`),
		index("requests_late").on(isLate, table.createdAt, table.number).where(isLate),
	],
);

/**
 * An administrator's questions about a pending request and the driver's answers, ordered by
 * position. A message never changes, unless its driver is pseudonymized.
 */
export const requestMessages = sqliteTable(
	"request_messages",
	{
		id: id().primaryKey(),
		requestId: id()
			.notNull()
			.references(() => fundRequests.id, { onDelete: "restrict" }),
		/** 1 for the question that opened the thread. */
		position: integer().notNull(),
		authorId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		/** The author's role when they wrote it. */
		authorRole: text({ enum: MESSAGE_ROLES }).notNull(),
		text: text().notNull(),
		source: text({ enum: SOURCES }).notNull(),
		createdAt: moment().notNull(),
		capturedAt: moment(),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
	},
	(table) => [
		check("messages_position", between(table.position, 1, 50)),
		check("messages_author_role", oneOf(table.authorRole, MESSAGE_ROLES)),
		check("messages_text", length(table.text, 1, 1000)),
		check("messages_source", oneOf(table.source, SOURCES)),
		uniqueIndex("messages_in_order").on(table.requestId, table.position),
		uniqueIndex("messages_submission")
			.on(table.authorId, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("messages_by_author").on(table.authorId, table.createdAt),
	],
);

/** One imported fee statement; undoing it soft-deletes its fees. */
export const feeImports = sqliteTable(
	"fee_imports",
	{
		id: id().primaryKey(),
		addedBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		fileName: text().notNull(),
		rowCount: integer().notNull(),
		createdAt: moment().notNull(),
		undoneAt: moment(),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
		/** How the file was read; null if that wasn't recorded yet. */
		format: text({ enum: STATEMENT_FORMATS }),
		/** The platform it came from; null if columns were chosen by hand. */
		platform: text(),
		/** The period that the statement covers, both ends included. */
		periodFrom: calendarDay(),
		periodTo: calendarDay(),
		/** Whether its rows are only drivers' money: its fees were imported before. */
		isMoneyOnly: flag(),
		/**
		 * How many drivers of the file it left out because nobody had matched them, and what the file
		 * says they are due or, in a file of only fees, their fees; null if that wasn't recorded yet.
		 */
		unmatchedDrivers: integer(),
		unmatchedCents: integer(),
	},
	(table) => [
		check("fee_imports_file_name", length(table.fileName, 1, 200)),
		check("fee_imports_rows", sql`${table.rowCount} > 0`),
		uniqueIndex("fee_imports_submission")
			.on(table.addedBy, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("fee_imports_by_time").on(table.createdAt),
		index("fee_imports_by_period")
			.on(table.platform, table.periodTo)
			.where(sql`undone_at is null and platform is not null`),
	],
);

/**
 * The driver behind a ride platform's driver id. It is remembered when an administrator matches the
 * two, and stays in the driver's history when it is removed.
 */
export const platformDrivers = sqliteTable(
	"platform_drivers",
	{
		id: id().primaryKey(),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		platform: text().notNull(),
		/** The platform's own id, or the folded name if its files have none. */
		platformId: text().notNull(),
		/** The name beside it in the statement. */
		name: text().notNull().default(""),
		addedBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		createdAt: moment().notNull(),
		removedAt: moment(),
		lastChangeId: id(),
	},
	(table) => [
		check("platform_drivers_platform", length(table.platform, 1, 40)),
		check("platform_drivers_platform_id", length(table.platformId, 1, 200)),
		check("platform_drivers_name", length(table.name, 0, 200)),
		uniqueIndex("platform_drivers_once")
			.on(table.platform, table.platformId)
			.where(sql`removed_at is null`),
		index("platform_drivers_by_driver").on(table.driverId, table.createdAt),
		index("platform_drivers_by_time").on(table.createdAt, table.id).where(sql`removed_at is null`),
	],
);

/**
 * Statements that wait up to an hour to be imported: what is known about a file, and the answers so
 * far. The file itself is in the file store.
 */
export const statementFiles = sqliteTable(
	"statement_files",
	{
		id: id().primaryKey(),
		addedBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		fileName: text().notNull(),
		/** The file store's hash of its content; identical files have the same one. */
		contentTag: text().notNull(),
		/** What the reader found, as JSON. */
		facts: text().notNull(),
		/** The drivers an administrator chose for a platform's ids, and the other answers, as JSON. */
		answers: text().notNull().default("{}"),
		createdAt: moment().notNull(),
		expiresAt: moment().notNull(),
	},
	(table) => [
		check("statement_files_file_name", length(table.fileName, 1, 200)),
		check("statement_files_facts", sql`json_valid(${table.facts})`),
		check("statement_files_answers", sql`json_valid(${table.answers})`),
		index("statement_files_by_end").on(table.expiresAt),
	],
);

/**
 * Imported statement lines, by what identifies them. A line is live in at most one import; in a
 * staged or undone import it doesn't count.
 */
export const statementLines = sqliteTable(
	"statement_lines",
	{
		importId: id().notNull(),
		lineKey: text().notNull(),
		isLive: flag().notNull().default(false),
		/** Its amount, a charge positive; null in imports from before it was kept. */
		cents: integer(),
		/** The fee that it is part of: the first one, if its sum became several. */
		feeId: id(),
		/** The amount that it corrects; null for a line that wasn't recorded before. */
		recordedCents: integer(),
		/** The import that corrected its fee; undoing that makes this line live again. */
		replacedBy: id(),
	},
	(table) => [
		primaryKey({ columns: [table.importId, table.lineKey], name: "statement_lines_key" }),
		check("statement_lines_line_key", length(table.lineKey, 1, 400)),
		check("statement_lines_is_live", isFlag(table.isLive)),
		uniqueIndex("statement_lines_once").on(table.lineKey).where(sql`is_live = 1`),
		index("statement_lines_replaced")
			.on(table.replacedBy, table.feeId)
			.where(sql`replaced_by is not null`),
	],
);

/**
 * What a statement's row says about a driver's money: cents of each kind, plus for the driver. Rows
 * of an import in progress aren't live.
 */
export const statementMoney = sqliteTable(
	"statement_money",
	{
		importId: id().notNull(),
		rowKey: text().notNull(),
		isLive: flag().notNull().default(false),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		platform: text().notNull(),
		format: text({ enum: STATEMENT_FORMATS }).notNull(),
		/** The row's number in its file. */
		rowNumber: integer().notNull(),
		/** The days that it counts in; a week without both doesn't count it. */
		countsFrom: calendarDay().notNull(),
		countsTo: calendarDay().notNull(),
		/** Whether its parts add up to what its file states. */
		proof: text({ enum: MONEY_PROOFS }).notNull(),
		fareCents: integer().notNull(),
		feeCents: integer().notNull(),
		tipCents: integer().notNull(),
		promotionCents: integer().notNull(),
		otherEarningCents: integer().notNull(),
		tollCents: integer().notNull(),
		taxCents: integer().notNull(),
		thirdPartyCents: integer().notNull(),
		cashCents: integer().notNull(),
		transferCents: integer().notNull(),
		/** The cents that it corrects, as a list in this order; null for a new row. */
		recorded: text(),
		/** The import that corrected it; undoing that makes this row live again. */
		replacedBy: id(),
	},
	(table) => [
		primaryKey({ columns: [table.importId, table.rowKey], name: "statement_money_key" }),
		check("statement_money_row_key", length(table.rowKey, 1, 400)),
		check("statement_money_is_live", isFlag(table.isLive)),
		check("statement_money_platform", sql`${table.platform} in ('uber', 'bolt')`),
		check("statement_money_format", oneOf(table.format, STATEMENT_FORMATS)),
		check("statement_money_proof", oneOf(table.proof, MONEY_PROOFS)),
		check("statement_money_counts_from", realDay(table.countsFrom)),
		check("statement_money_counts_to", realDay(table.countsTo)),
		check("statement_money_days", sql`${table.countsFrom} <= ${table.countsTo}`),
		uniqueIndex("statement_money_once").on(table.rowKey).where(sql`is_live = 1`),
		index("statement_money_by_driver").on(table.driverId, table.countsTo),
		index("statement_money_replaced").on(table.replacedBy).where(sql`replaced_by is not null`),
		index("statement_money_unproven")
			.on(table.countsTo)
			.where(sql`proof = 'unproven' and is_live = 1`),
		index("statement_money_of_days")
			.on(table.countsTo, table.countsFrom)
			.where(sql`counts_from <> counts_to and is_live = 1`),
	],
);

/**
 * What a driver is due for one of the fleet's weeks. `number` is the 1 of ST-000001. A draft is worked
 * out from the books whenever it is read; publishing stores its lines and sums for good.
 */
export const settlements = sqliteTable(
	"settlements",
	{
		id: id().primaryKey(),
		number: integer().notNull(),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		/** The week's first day. */
		weekFrom: calendarDay().notNull(),
		status: text({ enum: SETTLEMENT_STATUSES }).notNull(),
		createdAt: moment().notNull(),
		createdBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		/** What earlier weeks left below zero, and the sum of that and the lines; null in a draft. */
		carriedInCents: integer(),
		resultCents: integer(),
		publishedAt: moment(),
		publishedBy: id().references(() => users.id, { onDelete: "restrict" }),
		voidedAt: moment(),
		voidedBy: id().references(() => users.id, { onDelete: "restrict" }),
		/** The settlement that carries its result, if that is below zero. */
		carriedBy: id(),
		/** The live payout that it is in. */
		payoutId: id().references(() => payouts.id, { onDelete: "restrict" }),
		lastChangeId: id(),
		/**
		 * Whose turn it is in the thread; null without one. Kept by a trigger: the driver's message
		 * asks, and an administrator's answers.
		 */
		question: text({ enum: QUESTION_STATES }),
		/** 1 in a draft of a week that no agreement covers, for what to check; kept by triggers. */
		lacksAgreement: integer(),
	},
	(table) => [
		check("settlements_number", sql`${table.number} > 0`),
		check("settlements_week", realDay(table.weekFrom)),
		check("settlements_status", oneOf(table.status, SETTLEMENT_STATUSES)),
		check(
			"settlements_sums",
			sql`(${table.resultCents} is null) = (${table.publishedAt} is null) and (${table.carriedInCents} is null) = (${table.publishedAt} is null) and (${table.carriedInCents} is null or ${table.carriedInCents} <= 0)`,
		),
		check(
			"settlements_publication",
			sql`(${table.publishedAt} is null) = (${table.publishedBy} is null) and (${table.status} = 'void' or (${table.status} = 'draft') = (${table.publishedAt} is null))`,
		),
		check(
			"settlements_void",
			sql`(${table.status} = 'void') = (${table.voidedAt} is not null) and (${table.voidedAt} is null) = (${table.voidedBy} is null)`,
		),
		check("settlements_carried", sql`${table.carriedBy} is null or ${table.resultCents} < 0`),
		check("settlements_payout", sql`${table.payoutId} is null or ${table.resultCents} > 0`),
		uniqueIndex("settlements_number_once").on(table.number),
		uniqueIndex("settlements_once").on(table.driverId, table.weekFrom).where(sql`status <> 'void'`),
		index("settlements_by_week").on(table.weekFrom, table.number),
		index("settlements_by_driver").on(table.driverId, table.number),
		index("settlements_by_status").on(table.status, table.number),
		index("settlements_unpaid")
			.on(table.driverId, table.number)
			.where(sql`status = 'published' and payout_id is null and result_cents > 0`),
		index("settlements_to_carry")
			.on(table.driverId, table.weekFrom)
			.where(sql`result_cents < 0 and carried_by is null`),
		index("settlements_carriers").on(table.carriedBy).where(sql`carried_by is not null`),
		index("settlements_unpaid_first")
			.on(table.number)
			.where(sql`status = 'published' and payout_id is null and result_cents > 0`),
		index("settlements_asked")
			.on(table.question, table.number)
			.where(sql`question = 'asked' and status <> 'void'`),
		index("settlements_live_in_week").on(table.weekFrom, table.number).where(sql`status <> 'void'`),
		index("settlements_void_in_week").on(table.weekFrom, table.number).where(sql`status = 'void'`),
		index("settlements_without_agreement")
			.on(table.weekFrom, table.number)
			.where(sql`lacks_agreement = 1 and status = 'draft'`),
	],
);

/**
 * A driver's questions about a published settlement and the administrators' answers, ordered by
 * position. A message never changes, unless its driver is pseudonymized.
 */
export const settlementMessages = sqliteTable(
	"settlement_messages",
	{
		id: id().primaryKey(),
		settlementId: id()
			.notNull()
			.references(() => settlements.id, { onDelete: "restrict" }),
		/** 1 for the question that opened the thread. */
		position: integer().notNull(),
		authorId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		/** The author's role when they wrote it. */
		authorRole: text({ enum: MESSAGE_ROLES }).notNull(),
		text: text().notNull(),
		source: text({ enum: SOURCES }).notNull(),
		createdAt: moment().notNull(),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
	},
	(table) => [
		check("settlement_messages_position", between(table.position, 1, 50)),
		check("settlement_messages_author_role", oneOf(table.authorRole, MESSAGE_ROLES)),
		check("settlement_messages_text", length(table.text, 1, 1000)),
		check("settlement_messages_source", oneOf(table.source, SOURCES)),
		uniqueIndex("settlement_messages_in_order").on(table.settlementId, table.position),
		uniqueIndex("settlement_messages_submission")
			.on(table.authorId, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("settlement_messages_by_author").on(table.authorId, table.createdAt),
	],
);

/** The lines of a published settlement, in their order; cents are plus for the driver. */
export const settlementLines = sqliteTable(
	"settlement_lines",
	{
		settlementId: id()
			.notNull()
			.references(() => settlements.id, { onDelete: "restrict" }),
		place: integer().notNull(),
		kind: text({ enum: SETTLEMENT_LINE_KINDS }).notNull(),
		platform: text(),
		text: text().notNull(),
		amountCents: integer().notNull(),
		/** The first day of the week that a correction is about. */
		aboutWeek: calendarDay(),
		chargeId: id().references(() => charges.id, { onDelete: "restrict" }),
	},
	(table) => [
		primaryKey({ columns: [table.settlementId, table.place], name: "settlement_lines_key" }),
		index("settlement_lines_by_charge").on(table.chargeId).where(sql`charge_id is not null`),
		check("settlement_lines_kind", oneOf(table.kind, SETTLEMENT_LINE_KINDS)),
		check("settlement_lines_text", length(table.text, 1, 500)),
		check(
			"settlement_lines_about",
			sql`(${table.kind} = 'correction') = (${table.aboutWeek} is not null)`,
		),
	],
);

/** A payout's settlements with their amounts, kept when it is cancelled. */
export const payoutSettlements = sqliteTable(
	"payout_settlements",
	{
		payoutId: id()
			.notNull()
			.references(() => payouts.id, { onDelete: "restrict" }),
		settlementId: id()
			.notNull()
			.references(() => settlements.id, { onDelete: "restrict" }),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		amountCents: integer().notNull(),
		/** The payout's, kept by triggers, so that an index finds what a driver was paid and when. */
		paidOn: calendarDay(),
	},
	(table) => [
		primaryKey({
			columns: [table.payoutId, table.driverId, table.settlementId],
			name: "payout_settlements_key",
		}),
		check("payout_settlements_amount", sql`${table.amountCents} > 0`),
		uniqueIndex("payout_settlements_once").on(table.settlementId, table.payoutId),
		index("payout_settlements_by_driver").on(table.driverId, table.payoutId),
		index("payout_settlements_by_day").on(
			table.driverId,
			table.paidOn,
			table.payoutId,
			table.amountCents,
		),
	],
);

/**
 * Drivers whose books changed in a published week, and the earliest changed day; kept by triggers
 * until the next week is published. Only their weeks are worked out again.
 */
export const settlementMarks = sqliteTable(
	"settlement_marks",
	{ driverId: id().primaryKey(), since: calendarDay().notNull() },
	(table) => [
		check("settlement_marks_since", realDay(table.since)),
		index("settlement_marks_latest").on(table.since, table.driverId),
	],
);

/**
 * Imports whose lines and fees are still being written; what a failed one leaves behind is swept.
 */
export const stagedImports = sqliteTable(
	"staged_imports",
	{ id: id().primaryKey(), createdAt: moment().notNull() },
	(table) => [index("staged_imports_by_time").on(table.createdAt)],
);

/** Fees of an import that hasn't been activated. They don't count yet. */
export const stagedFees = sqliteTable(
	"staged_fees",
	{
		importId: id().notNull(),
		/** The id that the fee will have. */
		feeId: id().notNull(),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		category: text({ enum: FEE_CATEGORIES }).notNull(),
		amountCents: cents().notNull(),
		isCredit: flag().notNull(),
		chargedOn: calendarDay().notNull(),
		/** The recorded fee that it corrects. */
		replacesId: id(),
		/** For a file with custom columns. */
		referenceNumber: text(),
		description: text(),
	},
	(table) => [
		primaryKey({ columns: [table.importId, table.feeId], name: "staged_fees_key" }),
		check("staged_fees_category", oneOf(table.category, FEE_CATEGORIES)),
		check("staged_fees_amount", between(table.amountCents, 1, 10_000_000)),
		check("staged_fees_is_credit", isFlag(table.isCredit)),
		check("staged_fees_charged_on", realDay(table.chargedOn)),
	],
);

/** The columns chosen for a file with these headings, offered again next time. */
export const columnChoices = sqliteTable(
	"column_choices",
	{
		/** SHA-256 of the folded headings, hex. */
		headHash: text().primaryKey(),
		/** The fields of the form, as JSON. */
		mapping: text().notNull(),
		chosenAt: moment().notNull(),
	},
	(table) => [
		check("column_choices_head_hash", sql`length(${table.headHash}) = 64`),
		check("column_choices_mapping", sql`json_valid(${table.mapping})`),
	],
);

/** A ride-share fee of a driver. Deleted ones are kept but not counted. */
export const uberFees = sqliteTable(
	"uber_fees",
	{
		id: id().primaryKey(),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		category: text({ enum: FEE_CATEGORIES }).notNull(),
		amountCents: cents().notNull(),
		chargedOn: calendarDay().notNull(),
		referenceNumber: text(),
		description: text(),
		addedBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		createdAt: moment().notNull(),
		deletedAt: moment(),
		deletedBy: id().references(() => users.id, { onDelete: "restrict" }),
		/** The fee that this one replaces: an edit deletes and adds in one step. */
		replacesId: id(),
		importId: id().references(() => feeImports.id, { onDelete: "restrict" }),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
		/** A refund from the platform: totals subtract the amount. */
		isCredit: flag().notNull().default(false),
	},
	(table) => [
		check("fees_category", oneOf(table.category, FEE_CATEGORIES)),
		check("fees_amount", between(table.amountCents, 1, 10_000_000)),
		check("fees_charged_on", realDay(table.chargedOn)),
		check(
			"fees_reference",
			sql`${table.referenceNumber} is null or ${length(table.referenceNumber, 1, 100)}`,
		),
		check(
			"fees_description",
			sql`${table.description} is null or ${length(table.description, 1, 1000)}`,
		),
		check("fees_deletion", sql`(${table.deletedAt} is null) = (${table.deletedBy} is null)`),
		foreignKey({
			columns: [table.replacesId],
			foreignColumns: [table.id],
			name: "fees_replaces",
		}).onDelete("restrict"),
		uniqueIndex("fees_submission")
			.on(table.addedBy, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("fees_by_reference")
			.on(table.referenceNumber)
			.where(sql`deleted_at is null and reference_number is not null`),
		index("fees_by_driver").on(table.driverId, table.chargedOn, table.createdAt, table.id),
		index("fees_by_day")
			.on(table.chargedOn, table.createdAt, table.id)
			.where(sql`deleted_at is null`),
		index("fees_by_replaced").on(table.replacesId).where(sql`replaces_id is not null`),
		index("fees_by_import").on(table.importId).where(sql`import_id is not null`),
	],
);

/**
 * Sums of live trips, approved and pending requests and live fees, by driver and block of calendar
 * dates, kept by triggers in the statement that changes one of them. The driver '' is the whole
 * fleet.
 * A block is `days` dates long (1, 16 or 256; until migration 0051 also 4, 64 and 1024, until 0053 also
 * 0 for all time) and starts on a multiple of its length, `firstDay`, a Julian day number. Any window
 * is therefore a few blocks, however many rows it covers (docs/decisions/0012).
 */
export const blockTotals = sqliteTable(
	"block_totals",
	{
		driverId: id().notNull(),
		days: integer().notNull(),
		firstDay: integer().notNull(),
		miles: total(),
		trips: total(),
		gasCents: total(),
		gasRequests: total(),
		maintenanceCents: total(),
		maintenanceRequests: total(),
		otherCents: total(),
		otherRequests: total(),
		pendingCents: total(),
		pendingRequests: total(),
		commissionCents: total(),
		commissionFees: total(),
		serviceFeeCents: total(),
		serviceFeeFees: total(),
		bookingFeeCents: total(),
		bookingFeeFees: total(),
		otherFeeCents: total(),
		otherFeeFees: total(),
		/**
		 * Credits, kept apart from the fees they reduce, so that no column can be negative
		 * (docs/decisions/0044).
		 */
		commissionCreditCents: total(),
		commissionCredits: total(),
		serviceFeeCreditCents: total(),
		serviceFeeCredits: total(),
		bookingFeeCreditCents: total(),
		bookingFeeCredits: total(),
		otherFeeCreditCents: total(),
		otherFeeCredits: total(),
	},
	(table) => [
		primaryKey({
			columns: [table.driverId, table.days, table.firstDay],
			name: "block_totals_key",
		}),
		check(
			"totals_block",
			sql`${table.days} in (0, 1, 4, 16, 64, 256, 1024) and (${table.days} <> 0 or ${table.firstDay} = 0)`,
		),
		check("totals_trips", sql`${table.trips} >= 0 and ${table.miles} >= ${table.trips}`),
		check(
			"totals_gas",
			sql`${table.gasRequests} >= 0 and ${table.gasCents} >= ${table.gasRequests}`,
		),
		check(
			"totals_maintenance",
			sql`${table.maintenanceRequests} >= 0 and ${table.maintenanceCents} >= ${table.maintenanceRequests}`,
		),
		check(
			"totals_other",
			sql`${table.otherRequests} >= 0 and ${table.otherCents} >= ${table.otherRequests}`,
		),
		check(
			"totals_pending",
			sql`${table.pendingRequests} >= 0 and ${table.pendingCents} >= ${table.pendingRequests}`,
		),
		check(
			"totals_commission",
			sql`${table.commissionFees} >= 0 and ${table.commissionCents} >= ${table.commissionFees}`,
		),
		check(
			"totals_service_fee",
			sql`${table.serviceFeeFees} >= 0 and ${table.serviceFeeCents} >= ${table.serviceFeeFees}`,
		),
		check(
			"totals_booking_fee",
			sql`${table.bookingFeeFees} >= 0 and ${table.bookingFeeCents} >= ${table.bookingFeeFees}`,
		),
		check(
			"totals_other_fee",
			sql`${table.otherFeeFees} >= 0 and ${table.otherFeeCents} >= ${table.otherFeeFees}`,
		),
	],
);

/**
 * The settings that administrators have changed, as JSON by their names in
 * app/domain/kernel/fleet-settings.ts. There is at most one row; a missing name has its default.
 */
export const settings = sqliteTable(
	"settings",
	{
		id: id().primaryKey(),
		chosen: text().notNull().default("{}"),
		lastChangeId: id(),
	},
	(table) => [
		check("settings_one_row", sql`${table.id} = 'fleet'`),
		check(
			"settings_chosen",
			sql`json_valid(${table.chosen}) and json_type(${table.chosen}) = 'object'`,
		),
	],
);

/**
 * Who did what to what, and when. Append-only: triggers refuse UPDATE and DELETE, except for
 * replacing a text by its digest when a former driver is pseudonymized.
 */
export const auditEvents = sqliteTable(
	"audit_events",
	{
		id: integer().primaryKey(),
		at: moment().notNull(),
		/** Null for the command line and scheduled tasks. */
		actorId: id().references(() => users.id, { onDelete: "restrict" }),
		actorRole: text().notNull(),
		/**
		 * First 16 digits of the session's hash, enough to tell sessions apart but not to use one; or
		 * the id of the token that it was done by.
		 */
		sessionRef: text(),
		requestId: text(),
		action: text().notNull(),
		entity: text().notNull(),
		entityId: id().notNull(),
		/** JSON of the fields that changed, before and after. */
		before: text(),
		after: text(),
		reason: text(),
	},
	(table) => [
		check("audit_action", length(table.action, 1, 60)),
		check(
			"audit_json",
			sql`(${table.before} is null or json_valid(${table.before})) and (${table.after} is null or json_valid(${table.after}))`,
		),
		index("audit_by_time").on(table.at),
		index("audit_by_actor").on(table.actorId, table.at),
		index("audit_by_action").on(table.action, table.at),
		index("audit_by_entity").on(table.entity, table.entityId, table.at),
	],
);

/**
 * Seals over the audit. Each covers the entries since the previous seal and that seal's own hash,
 * so that changing, removing or inserting an entry breaks every seal after it.
 */
export const auditSeals = sqliteTable(
	"audit_seals",
	{
		/** The last entry that it covers. */
		lastEventId: integer().primaryKey(),
		entries: integer().notNull(),
		hash: text().notNull(),
		sealedAt: moment().notNull(),
	},
	(table) => [
		check("audit_seals_entries", sql`${table.entries} > 0`),
		check("audit_seals_hash", length(table.hash, 64, 64)),
	],
);

/**
 * Random text in the digests of an entry's texts. Once it is deleted, nobody can guess a replaced
 * text by trying likely ones.
 */
export const auditSalts = sqliteTable(
	"audit_salts",
	{ eventId: integer().primaryKey(), salt: text().notNull() },
	(table) => [check("audit_salts_salt", length(table.salt, 32, 32))],
);

/** The mail queue: written in the batch of the change it reports, sent after the response. */
export const mails = sqliteTable(
	"mails",
	{
		id: id().primaryKey(),
		kind: text().notNull(),
		recipientId: id().references(() => users.id, { onDelete: "restrict" }),
		address: text().notNull(),
		subject: text().notNull(),
		body: text().notNull(),
		/**
		 * What it is about: a request or a user. Undoing a decision cancels the unsent mail about it.
		 */
		aboutId: id().notNull(),
		status: text({ enum: MAIL_STATUSES }).notNull(),
		createdAt: moment().notNull(),
		sendAfter: moment().notNull(),
		attempts: integer().notNull().default(0),
		lastError: text(),
		sentAt: moment(),
		/** Keeps the same mail from being queued twice when its cause is replayed. */
		dedupeKey: text().notNull(),
		/** The payout whose mail includes this one, which is sent alone if that is undone. */
		carriedBy: id(),
		/** When it was first handed to a provider. */
		firstTriedAt: moment(),
		/** It failed in a way that leaves open whether the provider accepted it. */
		mayHaveBeenSent: flag().notNull().default(false),
		/** The provider's id, which matches a bounce to it. */
		providerId: text(),
		bouncedAt: moment(),
		/** When its key for the provider was made; without it the key is its id, from the first try. */
		keyAt: moment(),
		/** Since when it isn't known whether the provider accepted it under that key. */
		uncertainAt: moment(),
		/** The messages that are handed over in one call, under this key. */
		batchId: text(),
	},
	(table) => [
		check("mails_status", oneOf(table.status, MAIL_STATUSES)),
		check("mails_attempts", sql`${table.attempts} >= 0`),
		uniqueIndex("mails_once").on(table.dedupeKey),
		index("mails_waiting").on(table.status, table.sendAfter),
		index("mails_by_time").on(table.createdAt, table.id),
		index("mails_about").on(table.aboutId),
		// However many reminders wait, other mail is found without walking past them.
		index("mails_urgent")
			.on(table.sendAfter)
			.where(sql`status = 'queued' and substr(kind, 1, 9) <> 'reminder-'`),
		index("mails_reminders")
			.on(table.recipientId, table.createdAt)
			.where(sql`substr(kind, 1, 9) = 'reminder-'`),
		index("mails_provider_id").on(table.providerId).where(sql`provider_id is not null`),
		index("mails_by_recipient").on(table.recipientId, table.createdAt, table.id),
		index("mails_uncertain")
			.on(table.sendAfter)
			.where(sql`status = 'queued' and uncertain_at is not null`),
		index("mails_batch").on(table.batchId).where(sql`batch_id is not null`),
		// However many emails wait, those that a provider refused are found without walking past them.
		index("mails_refused")
			.on(table.sendAfter)
			.where(sql`status = 'queued' and first_tried_at is not null and last_error is not null`),
	],
);

/**
 * What administrators are notified about, one row each, however many administrators there are. Each
 * notice goes into everyone's next digest.
 */
export const notices = sqliteTable(
	"notices",
	{
		/** Keeps the same thing from being reported twice when its cause is replayed. */
		id: text().primaryKey(),
		subject: text().notNull(),
		body: text().notNull(),
		createdAt: moment().notNull(),
		/** When it went into a digest. */
		gatheredAt: moment(),
	},
	(table) => [
		index("notices_waiting").on(table.createdAt).where(sql`gathered_at is null`),
		index("notices_gathered").on(table.gatheredAt).where(sql`gathered_at is not null`),
	],
);

/** Email addresses that mail couldn't be delivered to, until it can. */
export const bounces = sqliteTable("bounces", {
	address: text().primaryKey(),
	/** The provider's reason. */
	reason: text().notNull(),
	at: moment().notNull(),
});
