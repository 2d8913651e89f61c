/** The rule of each setting, with the message that names what is wrong. */
import * as v from "valibot";
import { dateIn } from "./calendar-date.ts";

/** Cloudflare's `send_email` binding, as far as we use it. */
export type EmailSender = {
	send(message: {
		from: string;
		to: string;
		subject: string;
		text: string;
		html: string;
	}): Promise<unknown>;
};

/** Whether requests to a URL are encrypted. */
export const isHttps = (address: string) => address.startsWith("https://");
const isLoopback = (address: string) =>
	/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(address);

const providerSchema = v.strictObject(
	{
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
	},
	({ received }) => (received === "undefined" ? "it is missing" : "this key isn't known"),
);
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
const DEFAULT_APP_NAME = "Milepost";

/** Every setting that is read, by name. */
export const settingsSchema = v.object({
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
