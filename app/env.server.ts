/**
 * The Worker's settings, checked once when an isolate starts, with a message that names what is
 * wrong.
 */
import * as v from "valibot";
import {
	type EmailSender,
	isHttps,
	type Provider,
	settingsSchema,
} from "./values/setting-rules.ts";

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
	TOKEN_LIMIT?: RateLimit;
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
	/** Settings that are wrong: what needs one is closed, and the rest goes on. */
	readonly faults: readonly SettingFault[];
};

/** A setting that is wrong, and why. */
export type SettingFault = { readonly name: string; readonly reason: string };

/** What the Worker can't answer without. */
export class SettingsError extends Error {
	constructor(readonly faults: readonly SettingFault[]) {
		const words = faults.map(({ name, reason }) => `${name}: ${reason}`);
		super(`Milepost is not configured. ${words.join("; ")}`);
	}
}

export type MailSettings =
	| { readonly provider: "binding"; readonly from: string; readonly sender: EmailSender }
	| {
			readonly provider: "resend";
			readonly from: string;
			readonly key: string;
			readonly url: string;
	  };

/** The settings of the chosen mail provider, or what it lacks. */
function mailSettings(
	output: v.InferOutput<typeof settingsSchema>,
): MailSettings | SettingFault | undefined {
	const {
		MAIL_PROVIDER: provider,
		MAIL_FROM: from,
		MAIL_API_KEY: key,
		MAIL_API_URL: url,
		EMAIL: sender,
	} = output;
	if (provider === "none") return undefined;
	if (!from) return { name: "MAIL_FROM", reason: "the sender's email address is missing" };
	if (provider === "binding") {
		if (!sender) return { name: "EMAIL", reason: "the send_email binding is missing" };
		return { provider, from, sender };
	}
	if (!key) return { name: "MAIL_API_KEY", reason: "`wrangler secret put MAIL_API_KEY`" };
	return { provider, from, key, url };
}

const checked = new WeakMap<Env, Settings>();

/**
 * The settings of an environment. A wrong one closes only what needs it: without its list of
 * providers sign-in, without a mail provider sending, without a retention whatever deletes.
 * @throws SettingsError if nothing can be answered: without an origin, a time zone or the secret
 */
export function parseSettings(env: Env): Settings {
	const known = checked.get(env);
	if (known) return known;
	const settings = settingsWithout(env, []);
	checked.set(env, settings);
	return settings;
}

/**
 * The settings from these values, wherever they come from.
 * @throws SettingsError that names every invalid setting
 */
export function readSettings(values: Readonly<Record<string, unknown>>): Settings {
	const settings = settingsWithout(values, []);
	if (settings.faults.length > 0) throw new SettingsError(settings.faults);
	return settings;
}

/** Where faults are reported, however wrong the other settings are. */
export function errorWebhookOf({ ERROR_WEBHOOK: address }: Env): string | undefined {
	const result = v.safeParse(settingsSchema.entries.ERROR_WEBHOOK, address);
	return result.success ? result.output : undefined;
}

/** Nothing is answered without these: days would be wrong, or links and cookies. */
const ESSENTIAL = ["APP_ORIGIN", "FLEET_TIME_ZONE", "COOKIE_SECRET"];
/** What a wrong setting turns off, beside taking its default. */
const CLOSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	MAIL_FROM: { MAIL_PROVIDER: "none" },
	MAIL_API_KEY: { MAIL_PROVIDER: "none" },
	MAIL_API_URL: { MAIL_PROVIDER: "none" },
	SWEEPER: { SWEEPER: "off" },
	MAIL_RETENTION_DAYS: { SWEEPER: "off" },
	SESSION_RETENTION_DAYS: { SWEEPER: "off" },
};

/** The settings without the wrong ones, which are named. */
function settingsWithout(
	values: Readonly<Record<string, unknown>>,
	known: readonly SettingFault[],
): Settings {
	// For a missing key valibot only says that it is missing; for an empty one we have our own
	// message.
	const named = { APP_ORIGIN: undefined, COOKIE_SECRET: undefined, ...values };
	const result = v.safeParse(settingsSchema, named);
	if (!result.success) {
		const faults = result.issues.map((issue) => ({
			name: v.getDotPath(issue) ?? "settings",
			reason: issue.message,
		}));
		const names = faults.map(settingOf);
		if (known.length > 0 || names.some((name) => ESSENTIAL.includes(name)))
			throw new SettingsError([...known, ...faults]);
		const rest: Record<string, unknown> = { ...values };
		for (const name of names) delete rest[name];
		for (const name of names) Object.assign(rest, CLOSES[name]);
		return settingsWithout(rest, faults);
	}
	const { output } = result;
	const mail = mailSettings(output);
	const lacksMail = mail !== undefined && "reason" in mail;
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
		mail: lacksMail ? undefined : mail,
		mailWebhookSecret: output.MAIL_WEBHOOK_SECRET,
		errorWebhook: output.ERROR_WEBHOOK,
		retention: {
			emailDays: output.MAIL_RETENTION_DAYS,
			sessionDays: output.SESSION_RETENTION_DAYS,
		},
		faults: lacksMail ? [...known, mail] : known,
	};
}

/** A setting's own name, without the place inside its value. */
const settingOf = ({ name }: SettingFault) => name.split(".")[0] ?? name;

/** The names of the wrong settings, each once. */
export const namesOf = (faults: readonly SettingFault[]): string[] => [
	...new Set(faults.map(settingOf)),
];

/** Whether a setting is wrong. */
export const isWrong = ({ faults }: Settings, name: keyof Env): boolean =>
	namesOf(faults).includes(name);
