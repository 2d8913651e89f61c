/** An operator reads what is wrong with the settings, each setting in a sentence. */
import { expect, it } from "vitest";
import {
	type Env,
	errorWebhookOf,
	namesOf,
	parseSettings,
	readSettings,
	SettingsError,
} from "./env.server.ts";

const fine = { APP_ORIGIN: "https://fleet.example.com", COOKIE_SECRET: "-".repeat(32) };

it("the error names every setting that is missing, and says how to set it", () => {
	expect(() => readSettings({})).toThrow(
		"Milepost is not configured. APP_ORIGIN: APP_ORIGIN is missing: set it to the URL people use, such as https://fleet.example.com; COOKIE_SECRET: COOKIE_SECRET is missing: `wrangler secret put COOKIE_SECRET`",
	);
});

it.each([
	[
		"an address with a path",
		{ APP_ORIGIN: "https://a.example/b" },
		/must be scheme, host and port/,
	],
	[
		"plain HTTP",
		{ APP_ORIGIN: "http://a.example" },
		/must be scheme, host and port only, and https/,
	],
	["a short secret", { COOKIE_SECRET: "short" }, /at least 32 characters/],
	["no such zone", { FLEET_TIME_ZONE: "Mars" }, /FLEET_TIME_ZONE must be a known time zone/],
	[
		"mail without a sender",
		{ MAIL_PROVIDER: "resend" },
		/MAIL_FROM: the sender's email address is missing/,
	],
	["replicas by halves", { READ_REPLICAS: "yes" }, /READ_REPLICAS must be on or off/],
	["mail without a key", { MAIL_PROVIDER: "resend", MAIL_FROM: "a@b.c" }, /MAIL_API_KEY/],
])("refuses %s", (_, wrong, words) => {
	expect(() => readSettings({ ...fine, ...wrong })).toThrow(words);
});

const GOOD = { APP_ORIGIN: "https://fleet.example.com", COOKIE_SECRET: "-".repeat(32) };
const parse = (values: Record<string, unknown>) =>
	parseSettings({ ...GOOD, ...values } as unknown as Env);

it.each([
	[{ OIDC_PROVIDERS: '[{"id":"A"}]' }, { providers: [] }],
	[{ MAIL_PROVIDER: "post" }, { mail: undefined }],
	[
		{ MAIL_PROVIDER: "resend", MAIL_FROM: "a@b.example", MAIL_API_KEY: "k", MAIL_API_URL: "x" },
		{ mail: undefined },
	],
	[{ SWEEPER: "Off" }, { sweeps: false }],
	[{ MAIL_RETENTION_DAYS: "ten" }, { sweeps: false }],
	[{ SESSION_RETENTION_DAYS: "-1" }, { sweeps: false }],
	[{ READ_REPLICAS: "yes" }, { readReplicas: false }],
	[{ ERROR_WEBHOOK: "none" }, { errorWebhook: undefined }],
	[{ MAIL_WEBHOOK_SECRET: "none" }, { mailWebhookSecret: undefined }],
])("closes only what needs %j", (values, closed) => {
	const settings = parse(values);
	expect(settings).toMatchObject(closed);
	expect(settings.faults.length).toBeGreaterThan(0);
	expect(Object.keys(values)).toEqual(expect.arrayContaining(namesOf(settings.faults)));
});

it("names every wrong setting where nothing can be answered", () => {
	const values = { FLEET_TIME_ZONE: "Mars", OIDC_PROVIDERS: "{" };
	expect(() => parse(values)).toThrow(SettingsError);
	expect(() => parse(values)).toThrow(/FLEET_TIME_ZONE: .*OIDC_PROVIDERS: /);
});

it("finds the webhook among wrong settings", () => {
	const address = "https://hooks.example.com/1";
	const env = { FLEET_TIME_ZONE: "Mars", ERROR_WEBHOOK: address } as unknown as Env;
	expect(errorWebhookOf(env)).toBe(address);
});
