/**
 * The Worker's settings, checked once when an isolate starts, with a message that names what is
 * wrong.
 */
import * as v from "valibot";
import { dateIn } from "./values/calendar-date.ts";

/** The bindings and variables as Cloudflare provides them. */
export type Env = {
	DB: D1Database;
	/** Has the entries of closed years; needed once a year has been archived. */
	ARCHIVE?: D1Database;
	RECEIPTS: R2Bucket;
	/** Where the nightly export goes; without it there is none. */
	BACKUPS?: R2Bucket;
	/** Gets one data point per request; without it there are only log lines. */
	METRICS?: AnalyticsEngineDataset;
	ASSETS: Fetcher;
	/** The limits are absent locally and in most tests: then nothing is limited. */
	SIGN_IN_LIMIT?: RateLimit;
	REPORT_LIMIT?: RateLimit;
	TRANSFER_LIMIT?: RateLimit;
	/** The live version, known only to Cloudflare. */
	CF_VERSION_METADATA?: WorkerVersionMetadata;
	APP_NAME?: string;
	APP_ORIGIN?: string;
	FLEET_TIME_ZONE?: string;
	/** Signs the toast and sign-in cookies; at least 32 characters. */
	COOKIE_SECRET?: string;
	/** JSON list of OpenID providers, see `Provider`. */
	OIDC_PROVIDERS?: string;
	SERVER_TIMING?: string;
	/** `on` reads drivers' pages from the nearest replica of D1, if replication is enabled. */
	READ_REPLICAS?: string;
	/**
	 * `off` removes the service worker from every phone; the outbox stays and is sent by the pages.
	 */
	SERVICE_WORKER?: string;
	/** `off` keeps the sweeper from deleting anything, while a database is restored. */
	SWEEPER?: string;
	/**
	 * `none` keeps mail in the queue, `binding` sends through EMAIL, `resend` through Resend's API.
	 */
	MAIL_PROVIDER?: string;
	/** The sender's address. */
	MAIL_FROM?: string;
	/** The provider's key; its URL only differs in tests. */
	MAIL_API_KEY?: string;
	MAIL_API_URL?: string;
	/** Signs Resend's webhooks at /api/mail/events. */
	MAIL_WEBHOOK_SECRET?: string;
	EMAIL?: EmailSender;
	/** How many days emails and ended sessions are kept. */
	MAIL_RETENTION_DAYS?: string;
	SESSION_RETENTION_DAYS?: string;
	/** Where faults are reported, at most once a minute each. */
	ERROR_WEBHOOK?: string;
};

/** Cloudflare's `send_email` binding, as far as we use it. */
export type EmailSender = {
	send(message: { from: string; to: string; subject: string; text: string }): Promise<unknown>;
};

const isHttps = (address: string) => address.startsWith("https://");
const isLoopback = (address: string) =>
	/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(address);

const providerSchema = v.strictObject({
	/** Short name in URLs: `/api/login?provider=google`. */
	id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/)),
	/** What the link says: `Continue with Google`. */
	name: v.pipe(v.string(), v.nonEmpty()),
	issuer: v.pipe(
		v.string(),
		v.url(),
		v.check((issuer) => isHttps(issuer) || isLoopback(issuer), "an issuer must use https"),
	),
	clientId: v.pipe(v.string(), v.nonEmpty()),
	/** Absent for a public client, which relies on PKCE alone. */
	clientSecret: v.optional(v.string()),
	scopes: v.optional(v.array(v.string()), ["openid", "email", "profile"]),
	/**
	 * Whether this issuer really verifies the emails it calls verified: only then can an invitation
	 * be claimed through it.
	 */
	trustsEmail: v.optional(v.boolean(), false),
});
/** One OpenID Connect provider, as configured. */
export type Provider = v.InferOutput<typeof providerSchema>;

/** A whole number of days. */
const days = (name: string, least: number, byDefault: string) =>
	v.optional(
		v.pipe(
			v.string(),
			v.regex(/^\d{1,4}$/, `${name} must be a whole number of days`),
			v.transform(Number),
			v.minValue(least, `${name} must be at least ${least}`),
		),
		byDefault,
	);

/** The fleet's default name. */
export const DEFAULT_APP_NAME = "Milepost";

const settingsSchema = v.object({
	APP_NAME: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(60)), DEFAULT_APP_NAME),
	APP_ORIGIN: v.pipe(
		v.string(
			"APP_ORIGIN is missing: set it to the URL people use, such as https://fleet.example.com",
		),
		v.check((text) => {
			try {
				return new URL(text).origin === text && (isHttps(text) || isLoopback(text));
			} catch {
				return false;
			}
		}, "APP_ORIGIN must be scheme, host and port only, and https unless it is localhost"),
	),
	FLEET_TIME_ZONE: v.optional(
		v.pipe(
			v.string(),
			v.check((zone) => {
				try {
					dateIn(zone, 0);
					return true;
				} catch {
					return false;
				}
			}, "FLEET_TIME_ZONE must be a known time zone, such as America/New_York"),
		),
		"America/New_York",
	),
	COOKIE_SECRET: v.pipe(
		v.string("COOKIE_SECRET is missing: `wrangler secret put COOKIE_SECRET`"),
		v.minLength(32, "COOKIE_SECRET must have at least 32 characters"),
	),
	OIDC_PROVIDERS: v.optional(
		v.pipe(
			v.string(),
			v.transform((text) => (text.trim() === "" ? "[]" : text)),
			v.parseJson(undefined, "OIDC_PROVIDERS isn't valid JSON"),
			v.array(providerSchema, "OIDC_PROVIDERS must be a list of providers"),
			v.check(
				(list) => new Set(list.map((each) => each.id)).size === list.length,
				"two OIDC_PROVIDERS have the same id",
			),
		),
		"[]",
	),
	SERVER_TIMING: v.optional(v.string(), "off"),
	READ_REPLICAS: v.optional(v.picklist(["on", "off"], "READ_REPLICAS must be on or off"), "off"),
	SERVICE_WORKER: v.optional(v.picklist(["on", "off"], "SERVICE_WORKER must be on or off"), "on"),
	SWEEPER: v.optional(v.picklist(["on", "off"], "SWEEPER must be on or off"), "on"),
	MAIL_PROVIDER: v.optional(
		v.picklist(["none", "binding", "resend"], "MAIL_PROVIDER must be none, binding or resend"),
		"none",
	),
	MAIL_FROM: v.optional(v.string()),
	MAIL_API_KEY: v.optional(v.string()),
	MAIL_API_URL: v.optional(v.pipe(v.string(), v.url()), "https://api.resend.com/emails"),
	MAIL_WEBHOOK_SECRET: v.optional(
		v.pipe(
			v.string(),
			v.regex(
				/^whsec_[\w+/=-]{16,}$/,
				"MAIL_WEBHOOK_SECRET must be the signing secret that Resend shows, whsec_...",
			),
		),
	),
	MAIL_RETENTION_DAYS: days("MAIL_RETENTION_DAYS", 30, "400"),
	SESSION_RETENTION_DAYS: days("SESSION_RETENTION_DAYS", 0, "0"),
	ERROR_WEBHOOK: v.optional(
		v.pipe(
			v.string(),
			v.check(
				(address) => URL.canParse(address) && (isHttps(address) || isLoopback(address)),
				"ERROR_WEBHOOK must be an https URL",
			),
		),
	),
	EMAIL: v.optional(v.custom<EmailSender>(() => true)),
});

/** The settings, checked and with their defaults. */
export type Settings = {
	readonly appName: string;
	/** Scheme, host and port; the only origin whose writes are accepted. */
	readonly origin: string;
	readonly isHttps: boolean;
	readonly timeZone: string;
	readonly cookieSecret: string;
	readonly providers: readonly Provider[];
	readonly serverTiming: boolean;
	/** Whether drivers' pages may be read from replicas. */
	readonly readReplicas: boolean;
	/** False if phones are to have no service worker. */
	readonly hasServiceWorker: boolean;
	/** False while nothing may be deleted. */
	readonly sweeps: boolean;
	/** How mail is sent; absent if it stays in the queue. */
	readonly mail: MailSettings | undefined;
	/** The signing secret of the mail provider's webhooks; absent if none are accepted. */
	readonly mailWebhookSecret: string | undefined;
	/** Where faults are reported; absent if they are only logged. */
	readonly errorWebhook: string | undefined;
	readonly retention: { readonly emailDays: number; readonly sessionDays: number };
};

export type MailSettings =
	| { readonly provider: "binding"; readonly from: string; readonly sender: EmailSender }
	| {
			readonly provider: "resend";
			readonly from: string;
			readonly key: string;
			readonly url: string;
	  };

/** @throws Error if a provider is chosen and something it needs is missing */
function mailSettings(output: v.InferOutput<typeof settingsSchema>): MailSettings | undefined {
	const {
		MAIL_PROVIDER: provider,
		MAIL_FROM: from,
		MAIL_API_KEY: key,
		MAIL_API_URL: url,
		EMAIL: sender,
	} = output;
	if (provider === "none") return undefined;
	if (!from)
		throw new Error("Milepost is not configured. MAIL_FROM: the sender's email address is missing");
	if (provider === "binding") {
		if (!sender)
			throw new Error("Milepost is not configured. EMAIL: the send_email binding is missing");
		return { provider, from, sender };
	}
	if (!key)
		throw new Error("Milepost is not configured. MAIL_API_KEY: `wrangler secret put MAIL_API_KEY`");
	return { provider, from, key, url };
}

const checked = new WeakMap<Env, Settings>();

/**
 * The settings of an environment.
 * @throws Error that names every invalid setting
 */
export function parseSettings(env: Env): Settings {
	const known = checked.get(env);
	if (known) return known;
	const settings = readSettings(env);
	checked.set(env, settings);
	return settings;
}

/**
 * The settings from these values, wherever they come from.
 * @throws Error that names every invalid setting
 */
export function readSettings(values: Readonly<Record<string, unknown>>): Settings {
	// For a missing key valibot only says that it is missing; for an empty one we have our own
	// message.
	const named = { APP_ORIGIN: undefined, COOKIE_SECRET: undefined, ...values };
	const result = v.safeParse(settingsSchema, named);
	if (!result.success) {
		const faults = result.issues.map(
			(issue) => `${v.getDotPath(issue) ?? "settings"}: ${issue.message}`,
		);
		throw new Error(`Milepost is not configured. ${faults.join("; ")}`);
	}
	const { output } = result;
	return {
		appName: output.APP_NAME,
		origin: output.APP_ORIGIN,
		isHttps: isHttps(output.APP_ORIGIN),
		timeZone: output.FLEET_TIME_ZONE,
		cookieSecret: output.COOKIE_SECRET,
		providers: output.OIDC_PROVIDERS,
		serverTiming: output.SERVER_TIMING === "on",
		readReplicas: output.READ_REPLICAS === "on",
		hasServiceWorker: output.SERVICE_WORKER === "on",
		sweeps: output.SWEEPER === "on",
		mail: mailSettings(output),
		mailWebhookSecret: output.MAIL_WEBHOOK_SECRET,
		errorWebhook: output.ERROR_WEBHOOK,
		retention: {
			emailDays: output.MAIL_RETENTION_DAYS,
			sessionDays: output.SESSION_RETENTION_DAYS,
		},
	};
}
