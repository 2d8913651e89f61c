/**
 * Every table of Milepost on one page.
 *
 * Laws: money is whole cents, days are `YYYY-MM-DD`, moments are UTC milliseconds. Rows are never
 * deleted by the application, except expired sessions and sign-in attempts, receipts never attached
 * to a request or of a pseudonymized driver, statements that waited under a preview, and the sweeper's own notes. The migrations add what drizzle-kit cannot say: STRICT
 * on every table, and the triggers that keep the audit append-only and the totals true.
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
export const MEDIA_TYPES = ["image/jpeg", "image/png", "image/webp", "application/pdf"] as const;
export const PAYOUT_STATUSES = ["open", "paid", "cancelled"] as const;
export const STANDING_STATES = ["building", "built", "live", "over"] as const;
export const MAIL_STATUSES = ["queued", "sending", "sent", "failed", "cancelled"] as const;
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
 * Drivers and administrators. `role` 'none' is an account that kept its history and lost its role:
 * it gets no routes.
 */
export const users = sqliteTable(
	"users",
	{
		id: id().primaryKey(),
		role: text({ enum: ROLES }).notNull(),
		firstName: text().notNull().default(""),
		lastName: text().notNull().default(""),
		/**
		 * Lower-case. Given by an administrator or verified by a trusted issuer; one live account per
		 * address.
		 */
		email: text(),
		/**
		 * What an issuer said without proof: shown as unverified, gets no mail, reserves nothing,
		 * identifies nobody.
		 */
		unverifiedEmail: text(),
		/** The 1 of DRV-0001; counted up, never reused. */
		driverNumber: integer(),
		approvalStatus: text({ enum: APPROVAL_STATUSES }).notNull(),
		isActive: flag().notNull().default(true),
		createdAt: moment().notNull(),
		createdBy: id(),
		/** Set when the name was completed: only then is it an application an administrator sees. */
		appliedAt: moment(),
		approvedAt: moment(),
		decidedBy: id(),
		deactivatedAt: moment(),
		/** An account made by an administrator is invited until its first sign-in claims it. */
		invitedAt: moment(),
		inviteExpiresAt: moment(),
		claimedAt: moment(),
		/** A cancelled invitation: the row stays, the address is free again. */
		deletedAt: moment(),
		/**
		 * The random id of the last change, so that the audit row of the same batch is written only if
		 * the change happened.
		 */
		lastChangeId: id(),
		/**
		 * What the administrator who made the account sent with it; null for people who signed up
		 * themselves.
		 */
		submissionKey: text(),
		payloadHash: text(),
		/** Which reminders they want; null follows the fleet's setting of the same name. */
		remindOfMiles: flag(),
		remindOfReceipts: flag(),
		weeklyDigest: flag(),
		/** Set when a former driver's name and texts were replaced; it can't be taken back. */
		pseudonymizedAt: moment(),
		/** Set once the audit's texts about them are gone as well, which takes until it is sealed. */
		auditErasedAt: moment(),
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
		// A name is looked for from either end, whatever its capitals.
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
 * What each letter of a name is compared as, so that the database can fold names itself: the
 * migration holds what `foldLetter` says.
 */
export const letters = sqliteTable("letters", {
	letter: text().primaryKey().notNull(),
	folded: text().notNull(),
});

/**
 * What a person is found by, kept by triggers: the folded name, beginning with each of its words and
 * going on with each of the others, and the address after an @.
 */
export const personNames = sqliteTable(
	"person_names",
	{
		userId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		name: text().notNull(),
		/** 2: a driver at work; 1: a former one; 0: anybody else. */
		circle: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.userId, table.name] }),
		check("person_names_circle", sql`${table.circle} in (0, 1, 2)`),
		index("person_names_by_name").on(table.circle, table.name, table.userId),
	],
);

/**
 * Who a person is: (issuer, subject) from OpenID Connect. One identity per account, one account per
 * identity.
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
 * run out.
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
		/** The idle limit, moved on as the session is used. */
		expiresAt: moment().notNull(),
		/** The absolute limit, fixed at sign-in. */
		endsAt: moment().notNull(),
		endedAt: moment(),
		endedReason: text({ enum: SESSION_ENDS }),
		/** The browser and the system that signed in, such as 'Chrome on Android'. */
		device: text(),
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

/** Answers of an OpenID provider already taken: a state works once. */
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
		/** When the server received it, and when the phone captured it if that was earlier. */
		createdAt: moment().notNull(),
		capturedAt: moment(),
		/** Miles between the last ending before this trip and its start; null when they meet. */
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
		uniqueIndex("mileage_same_trip")
			.on(table.driverId, table.drivenOn, table.startMiles, table.endMiles)
			.where(sql`voided_at is null`),
		uniqueIndex("mileage_submission")
			.on(table.driverId, table.submissionKey)
			.where(sql`submission_key is not null`),
		index("mileage_by_driver_day").on(table.driverId, table.drivenOn, table.endMiles, table.id),
		index("mileage_by_driver_reading")
			.on(table.driverId, table.startMiles)
			.where(sql`voided_at is null`),
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
	],
);

/**
 * Years whose trips are closed: nothing is logged or voided up to the end of the latest one. Their
 * trips are in the archive, or on their way into it while `finishedAt` is empty.
 */
export const archivedYears = sqliteTable(
	"archived_years",
	{
		year: integer().primaryKey(),
		closedAt: moment().notNull(),
		finishedAt: moment(),
		/** How many trips were moved, voided ones included. */
		entries: total(),
	},
	(table) => [
		check("archived_years_year", between(table.year, 2000, 2999)),
		check("archived_years_entries", sql`${table.entries} >= 0`),
	],
);

/**
 * What the trips in the archive come to, by driver and date: totals are recalculated from it as from
 * the trips themselves.
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

/** Receipt files in R2, told apart by their leading bytes when they came in. */
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
		/** SHA-256 of the stored bytes, hex: the same receipt on two requests shows here. */
		sha256: text().notNull(),
		/** The name the file had, made harmless; shown, never used as a path. */
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
 * Objects of the file store that no receipt stands for: a file on its way in, which counts in its
 * owner's quota for the day, or one whose receipt was swept, which has no owner. A receipt's row
 * takes its object out of here, by a trigger.
 */
export const looseObjects = sqliteTable(
	"loose_objects",
	{
		objectKey: text().primaryKey(),
		ownerId: id().references(() => users.id, { onDelete: "restrict" }),
		byteSize: integer().notNull(),
		createdAt: moment().notNull(),
		/**
		 * Set while the sweeper deletes the object: nobody may store under its key until that is done.
		 */
		condemnedAt: moment(),
	},
	(table) => [
		check("loose_objects_byte_size", between(table.byteSize, 0, 8 * 1024 * 1024)),
		index("loose_objects_by_owner").on(table.ownerId, table.createdAt),
		index("loose_objects_by_time").on(table.createdAt),
		index("loose_objects_condemned").on(table.condemnedAt).where(sql`condemned_at is not null`),
	],
);

/** How far today's run of a daily task has come. One row for each task. */
export const dailyTasks = sqliteTable(
	"daily_tasks",
	{
		name: text().primaryKey(),
		/** The last calendar date, in the fleet's zone, on which it was finished. */
		finishedOn: calendarDay(),
		/** Where the next step goes on; null at the beginning. */
		cursor: text(),
		/** What the steps so far have done, as JSON. */
		counts: text().notNull().default("{}"),
		/** No other step may run before this time. */
		claimedUntil: moment().notNull().default(0),
	},
	(table) => [check("daily_tasks_counts", sql`json_valid(${table.counts})`)],
);

/**
 * Approved requests that are paid together. `number` is the 1 of PO-000001. What it adds up to is
 * final: a payout that is wrong is cancelled, and another one is made.
 */
export const payouts = sqliteTable(
	"payouts",
	{
		id: id().primaryKey(),
		number: integer().notNull(),
		status: text({ enum: PAYOUT_STATUSES }).notNull(),
		totalCents: cents().notNull(),
		driverCount: integer().notNull(),
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
	],
);

/**
 * The requests of a payout with what each came to, kept when it is cancelled. Those of one driver
 * are one line of it.
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
	},
	(table) => [
		primaryKey({
			columns: [table.payoutId, table.driverId, table.requestId],
			name: "payout_requests_key",
		}),
		check("payout_requests_amount", between(table.amountCents, 1, 10_000_000)),
		uniqueIndex("payout_requests_once").on(table.requestId, table.payoutId),
		index("payout_requests_by_driver").on(table.driverId, table.payoutId),
	],
);

/** Worked out from the row's other columns when it is read or indexed; it takes no room. */
const derived = (expression: SQL) =>
	integer({ mode: "number" }).generatedAlwaysAs((): SQL => expression, { mode: "virtual" });
type StandingWindow = "week" | "month" | "quarter";
/** A window's fuel cents per mile, rounded half up as `costPerMile` does; null without miles. */
const perMile = (window: StandingWindow) =>
	sql.raw(
		`iif(${window}_miles > 0, (2 * ${window}_fuel_cents + ${window}_miles) / (2 * ${window}_miles), null)`,
	);
/** Cents of fuel beyond the target, below zero so that the most comes first; null within it. */
const overTarget = (window: StandingWindow) =>
	sql.raw(
		`iif(${window}_per_mile > target_cents, target_cents * ${window}_miles - ${window}_fuel_cents, null)`,
	);
/** Cents per mile of who paid for fuel and kept within the target. */
const withinTarget = (window: StandingWindow) =>
	sql.raw(
		`iif(${window}_fuel_cents > 0 and ${window}_per_mile <= target_cents, ${window}_per_mile, null)`,
	);

/**
 * The windows that end on one calendar date, and what all drivers in them come to
 * (docs/decisions/0056). Days are Julian day numbers.
 */
export const standingSets = sqliteTable(
	"standing_sets",
	{
		endDay: integer({ mode: "number" }).primaryKey(),
		/** The first days of the windows; `thirty` are the 30 days of Reports & Analytics. */
		weekFrom: integer({ mode: "number" }).notNull(),
		monthFrom: integer({ mode: "number" }).notNull(),
		quarterFrom: integer({ mode: "number" }).notNull(),
		thirtyFrom: integer({ mode: "number" }).notNull(),
		/**
		 * Filled page by page, then complete apart from the drivers in `standing_marks`, then kept by
		 * triggers, then being cleared away.
		 */
		state: text({ enum: STANDING_STATES }).notNull().default("building"),
		/** The last person whom the filling has reached. */
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

/** What each approved driver's windows come to that end on one calendar date. */
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
		weekLessMiles: derived(sql`-week_miles`),
		weekLessFuel: derived(sql`-week_fuel_cents`),
		weekPerMile: derived(perMile("week")),
		weekOver: derived(overTarget("week")),
		weekBest: derived(withinTarget("week")),
		monthMiles: total(),
		monthFuelCents: total(),
		monthFuelRequests: total(),
		monthLessMiles: derived(sql`-month_miles`),
		monthLessFuel: derived(sql`-month_fuel_cents`),
		monthPerMile: derived(perMile("month")),
		monthOver: derived(overTarget("month")),
		monthBest: derived(withinTarget("month")),
		quarterMiles: total(),
		quarterFuelCents: total(),
		quarterFuelRequests: total(),
		quarterLessMiles: derived(sql`-quarter_miles`),
		quarterLessFuel: derived(sql`-quarter_fuel_cents`),
		quarterPerMile: derived(perMile("quarter")),
		quarterOver: derived(overTarget("quarter")),
		quarterBest: derived(withinTarget("quarter")),
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

/** Drivers whose standings in a set that is being built have to be worked out again. */
export const standingMarks = sqliteTable("standing_marks", { driverId: id().primaryKey() });

/**
 * What approved requests come to, by where they stand: in no payout, in an open one, in a paid one.
 * Kept by triggers; the driver '' is the whole fleet.
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
		index("payout_totals_ready_first")
			.on(table.readyCents, table.driverId)
			.where(sql`ready_requests > 0 and driver_id <> ''`),
	],
);

/** 0, 1 and 2 for the bands of the administrator's filter. */
const band = sql`(amount_cents > 5000) + (amount_cents > 10000)`;
/** An index with an expression before the moments is preferred to one of the moments alone. */
const isOutOfPayouts = sql`(payout_id is null)`;

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
		/** A bare file name sent as JSON: shown as the receipt's name, nothing to open. */
		receiptName: text(),
		status: text({ enum: REQUEST_STATUSES }).notNull(),
		source: text({ enum: SOURCES }).notNull(),
		createdAt: moment().notNull(),
		/** The date of `createdAt` in the fleet's zone: the day the totals count it on. */
		requestedOn: calendarDay().notNull(),
		capturedAt: moment(),
		/** The same type, amount and description came from this driver shortly before. */
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
		 * What was approved, at most what was asked for; null until then, and for requests approved in
		 * full before amounts could be lowered. A trigger clears it with the approval.
		 */
		approvedAmountCents: cents(),
		/**
		 * Whose turn it is in the thread below; null without one. Triggers keep it: a message of an
		 * administrator asks, one of the driver answers, and so does the receipt of a pending request.
		 */
		question: text({ enum: QUESTION_STATES }),
		/**
		 * The open or paid payout it stands in: one at most, whatever races. Triggers hold its status
		 * and amount while it does.
		 */
		payoutId: id(),
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
		index("requests_by_driver").on(table.driverId, table.createdAt, table.id),
		index("requests_by_time").on(table.createdAt, table.id),
		index("requests_by_status").on(table.status, table.createdAt, table.id),
		index("requests_by_type").on(table.type, table.createdAt, table.id),
		// By band: a range of amounts could not keep the order of time.
		index("requests_by_band").on(band, table.createdAt, table.id),
		// One for each combination of the filters: a page of any is found without walking past what it
		// leaves out.
		index("requests_by_status_type").on(table.status, table.type, table.createdAt, table.id),
		index("requests_by_status_band").on(table.status, band, table.createdAt, table.id),
		index("requests_by_type_band").on(table.type, band, table.createdAt, table.id),
		index("requests_by_status_type_band").on(
			table.status,
			table.type,
			band,
			table.createdAt,
			table.id,
		),
		// What is approved and in no payout, the oldest first: of the fleet, and of a driver.
		index("requests_unpaid").on(table.number).where(sql`status = 'approved' and payout_id is null`),
		index("requests_unpaid_by_driver")
			.on(table.driverId, table.number)
			.where(sql`status = 'approved' and payout_id is null`),
		index("requests_by_driver_status").on(table.driverId, table.status, table.createdAt, table.id),
		// In the order of what was asked for, of all and of a status.
		index("requests_by_amount").on(table.amountCents, table.createdAt, table.id),
		index("requests_by_status_amount").on(
			table.status,
			table.amountCents,
			table.createdAt,
			table.id,
		),
		// The rarer things that requests are looked for by (docs/decisions/0052).
		index("requests_by_question")
			.on(table.question, table.createdAt, table.id)
			.where(sql`question is not null and status = 'pending'`),
		index("requests_duplicate")
			.on(table.isPossibleDuplicate, table.createdAt, table.id)
			.where(sql`is_possible_duplicate = 1`),
		index("requests_without_receipt")
			.on(table.receiptId, table.createdAt, table.id)
			.where(sql`receipt_id is null and amount_cents > 7500`),
		index("requests_not_in_payout")
			.on(table.status, table.payoutId, table.createdAt, table.id)
			.where(sql`status = 'approved' and payout_id is null`),
		index("requests_in_payout")
			.on(isOutOfPayouts, table.createdAt, table.id)
			.where(sql`payout_id is not null`),
		index("requests_by_decision")
			.on(table.decidedBy, table.decidedAt)
			.where(sql`decided_at is not null`),
	],
);

/**
 * What an administrator asks about a pending request and what its driver answers, in the order of
 * their positions. A message is final, until its driver is pseudonymized.
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
		/** What the author was when writing it. */
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
		/** How the file was read; null where that wasn't noted yet. */
		format: text({ enum: STATEMENT_FORMATS }),
		/** Whose statement it is; null for chosen columns. */
		platform: text(),
		/** The period that the statement covers, both ends included. */
		periodFrom: calendarDay(),
		periodTo: calendarDay(),
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
 * Whom a ride platform means by one of its driver ids. It is remembered when an administrator
 * matches the two, and kept under the driver once it is removed.
 */
export const platformDrivers = sqliteTable(
	"platform_drivers",
	{
		id: id().primaryKey(),
		driverId: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		platform: text().notNull(),
		/** The platform's own id; the folded name where its files have none. */
		platformId: text().notNull(),
		/** The name that stood beside it in the statement. */
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
 * Statements that wait under their previews, for an hour: what is known of a file, and what was
 * answered so far. The file itself is in the file store.
 */
export const statementFiles = sqliteTable(
	"statement_files",
	{
		id: id().primaryKey(),
		addedBy: id()
			.notNull()
			.references(() => users.id, { onDelete: "restrict" }),
		fileName: text().notNull(),
		/** What the file store calls its content: the same file has the same one. */
		contentTag: text().notNull(),
		/** What the reader found, as JSON. */
		facts: text().notNull(),
		/** Whom the administrator chose for a platform's drivers, and the rest, as JSON. */
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
 * Lines of statements that were imported, by what tells them apart. A line is live in one import at
 * most; in a staged import, and in one that was undone, it counts for nothing.
 */
export const statementLines = sqliteTable(
	"statement_lines",
	{
		importId: id().notNull(),
		lineKey: text().notNull(),
		isLive: flag().notNull().default(false),
	},
	(table) => [
		primaryKey({ columns: [table.importId, table.lineKey], name: "statement_lines_key" }),
		check("statement_lines_line_key", length(table.lineKey, 1, 400)),
		check("statement_lines_is_live", isFlag(table.isLive)),
		uniqueIndex("statement_lines_once").on(table.lineKey).where(sql`is_live = 1`),
	],
);

/** Imports whose lines and fees are being written: what is left of a broken one is swept. */
export const stagedImports = sqliteTable(
	"staged_imports",
	{ id: id().primaryKey(), createdAt: moment().notNull() },
	(table) => [index("staged_imports_by_time").on(table.createdAt)],
);

/** Fees of an import that has yet to be activated. They count for nothing. */
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
	},
	(table) => [
		primaryKey({ columns: [table.importId, table.feeId], name: "staged_fees_key" }),
		check("staged_fees_category", oneOf(table.category, FEE_CATEGORIES)),
		check("staged_fees_amount", between(table.amountCents, 1, 10_000_000)),
		check("staged_fees_is_credit", isFlag(table.isCredit)),
		check("staged_fees_charged_on", realDay(table.chargedOn)),
	],
);

/** Which columns were chosen for a file with these column names: offered again next time. */
export const columnChoices = sqliteTable(
	"column_choices",
	{
		/** SHA-256 of the folded column names, hex. */
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
		/** The fee that this one replaces: edit is delete and re-add, in one step. */
		replacesId: id(),
		importId: id().references(() => feeImports.id, { onDelete: "restrict" }),
		submissionKey: text(),
		payloadHash: text().notNull(),
		lastChangeId: id(),
		/** Money that the platform gave back: the amount is subtracted in every total. */
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
		index("fees_by_import").on(table.importId),
		index("fees_by_reference")
			.on(table.referenceNumber)
			.where(sql`deleted_at is null and reference_number is not null`),
		index("fees_by_driver").on(table.driverId, table.chargedOn, table.createdAt, table.id),
		index("fees_by_day")
			.on(table.chargedOn, table.createdAt, table.id)
			.where(sql`deleted_at is null`),
		index("fees_by_replaced").on(table.replacesId).where(sql`replaces_id is not null`),
	],
);

/**
 * What live trips, approved and pending requests and live fees add up to, by driver and by block of
 * calendar dates, kept by triggers in the statement that changes one of them. The driver '' is the
 * whole fleet.
 *
 * A block is `days` dates long (1, 4, 16, 64, 256 or 1024) and begins on a multiple of its length,
 * `firstDay`, a Julian day number; the block of 0 days is all time. So any window is a few blocks
 * put together, however many rows lie under it (docs/decisions/0012).
 */
export const driverTotals = sqliteTable(
	"driver_totals",
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
		 * Credits, apart from the fees that they are subtracted from, so that no column can be below
		 * zero (docs/decisions/0044).
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
			name: "driver_totals_key",
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
 * What administrators have set, as JSON by the names in app/domain/settings/definitions.ts. There is
 * one row at most; a name that it does not hold has its default.
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
 * Who did what to what, when. Append-only: triggers refuse UPDATE and DELETE, but for a text that is
 * replaced by its digest while a former driver is pseudonymized.
 */
export const auditEvents = sqliteTable(
	"audit_events",
	{
		id: integer().primaryKey({ autoIncrement: true }),
		at: moment().notNull(),
		/** Null for the command line and the machine itself. */
		actorId: id().references(() => users.id, { onDelete: "restrict" }),
		actorRole: text().notNull(),
		/** First 16 digits of the session's hash: tells sessions apart, opens nothing. */
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
		index("audit_by_time").on(table.at, table.id),
		index("audit_by_actor").on(table.actorId, table.at, table.id),
		index("audit_by_action").on(table.action, table.at, table.id),
		index("audit_by_entity").on(table.entity, table.entityId, table.at, table.id),
	],
);

/**
 * Seals over the audit: each covers the entries after the one before it and that seal's own hash, so
 * that no entry can be changed, removed or slipped in without breaking those that follow.
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
 * Random text that goes into the digests of an entry's texts: once it is deleted, nobody can tell a
 * text that was replaced by its digest by trying likely ones.
 */
export const auditSalts = sqliteTable(
	"audit_salts",
	{ eventId: integer().primaryKey(), salt: text().notNull() },
	(table) => [check("audit_salts_salt", length(table.salt, 32, 32))],
);

/** The outbox of mail: written in the batch of the change it tells of, sent after the answer. */
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
		 * What it is about: a request, a user. A decision that is undone cancels the mail waiting under
		 * the same subject.
		 */
		aboutId: id().notNull(),
		status: text({ enum: MAIL_STATUSES }).notNull(),
		createdAt: moment().notNull(),
		sendAfter: moment().notNull(),
		attempts: integer().notNull().default(0),
		lastError: text(),
		sentAt: moment(),
		/** The same mail is queued once, however often its cause is replayed. */
		dedupeKey: text().notNull(),
		/** The payout whose mail tells this one's news as well; it is sent alone if that is undone. */
		carriedBy: id(),
		/** When a provider was first given it. */
		firstTriedAt: moment(),
		/** It failed in a way that leaves open whether the provider took it. */
		mayHaveBeenSent: flag().notNull().default(false),
		/** What the provider calls it, by which its bounce is found. */
		providerId: text(),
		bouncedAt: moment(),
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
	],
);

/**
 * What administrators hear of: one row for each thing, however many administrators there are. It
 * goes into the next digest of each of them.
 */
export const notices = sqliteTable(
	"notices",
	{
		/** The same thing is told once, however often its cause is replayed. */
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

/** Addresses that mail did not reach, until some does. */
export const bounces = sqliteTable(
	"bounces",
	{
		address: text().primaryKey(),
		/** In the provider's words. */
		reason: text().notNull(),
		at: moment().notNull(),
	},
	(table) => [index("bounces_by_time").on(table.at)],
);
