/**
 * Every limit on what someone can repeat. A route that writes names its limits
 * (app/routing/routes.ts), and docs/security.md lists both.
 */
/** A limit, who counts it, and for whom. */
type Limit = {
	/** How many; absent if each use consumes what it needs. */
	readonly count?: number;
	readonly per: string;
	readonly counted: "database" | "Cloudflare" | "entry" | "isolate";
};

/** How many changes and downloads one person may make in an hour: entries of the audit. */
export const CHANGES_PER_HOUR = {
	gated: 60,
	driver: 2000,
	viewer: 2000,
	admin: 20_000,
} as const;
/** How often people may change their own name in an hour. */
export const MAX_NAMES_PER_HOUR = 10;
/** How often people may choose their own reminders in an hour. */
export const MAX_CHOICES_PER_HOUR = 30;

/** How many entries a driver may log in an hour: enough for a month's backlog. */
export const MAX_TRIPS_PER_HOUR = 300;
/** How many requests a driver may send in an hour. */
export const MAX_REQUESTS_PER_HOUR = 60;
/** How many messages a driver may send in an hour. */
export const MAX_MESSAGES_PER_HOUR = 60;
/** How many receipt files a driver may send on one calendar date of the fleet. */
export const MAX_FILES_PER_DAY = 50;
/** The largest receipt that the setting can allow: 8 MB. */
export const MAX_RECEIPT_MEGABYTES = 8;

export const LIMITS = {
	/** Of everything that is audited, by role: `CHANGES_PER_HOUR`. */
	changes: { per: "by role, below", counted: "database" },
	names: { count: MAX_NAMES_PER_HOUR, per: "an hour for each person", counted: "database" },
	choices: { count: MAX_CHOICES_PER_HOUR, per: "an hour for each person", counted: "database" },
	trips: { count: MAX_TRIPS_PER_HOUR, per: "an hour for each driver", counted: "database" },
	requests: { count: MAX_REQUESTS_PER_HOUR, per: "an hour for each driver", counted: "database" },
	answers: { count: MAX_MESSAGES_PER_HOUR, per: "an hour for each driver", counted: "database" },
	receipts: { count: MAX_FILES_PER_DAY, per: "a day for each driver", counted: "database" },
	downloads: { count: 300, per: "a minute for each person", counted: "Cloudflare" },
	reports: {
		count: 30,
		per: "a minute for each administrator or accountant",
		counted: "Cloudflare",
	},
	statements: { count: 300, per: "a minute for each administrator", counted: "Cloudflare" },
	"sign-ins": { count: 10, per: "a minute from a network", counted: "Cloudflare" },
	callbacks: { per: "one for each sign-in begun", counted: "database" },
	"sign-outs": { per: "one for each sign-in", counted: "database" },
	"email events": { per: "only with the email provider's signature", counted: "entry" },
	"policy reports": { count: 20, per: "log lines a minute, nothing stored", counted: "isolate" },
} as const satisfies Readonly<Record<string, Limit>>;
export type LimitName = keyof typeof LIMITS;
