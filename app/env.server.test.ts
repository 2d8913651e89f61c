/** An operator reads what is wrong with the settings, each setting in a sentence. */
import { expect, it } from "vitest";
import { readSettings } from "./env.server.ts";

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
