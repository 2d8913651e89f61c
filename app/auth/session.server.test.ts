/**
 * Sessions: what a valid cookie looks like, what it contains, and how long it lasts
 * (docs/security.md, 'Sessions').
 */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	clearSessionCookie,
	LIFETIMES,
	randomToken,
	readPresentedSession,
	sessionCookie,
	sha256Hex,
	TOUCH_INTERVAL_MS,
} from "./session.server.ts";

const TOKEN = "A".repeat(43);
const withCookie = (cookie: string | undefined) =>
	new Request("http://localhost/", cookie === undefined ? {} : { headers: { Cookie: cookie } });

it("a session lasts 14 of at most 30 days for drivers and 8 of at most 24 hours for administrators, extended hourly", () => {
	const [hour, day] = [3_600_000, 86_400_000];
	expect(LIFETIMES).toEqual({
		driver: { idle: 14 * day, absolute: 30 * day },
		admin: { idle: 8 * hour, absolute: 24 * hour },
	});
	expect(TOUCH_INTERVAL_MS).toBe(hour);
});

describe("tokens", () => {
	it("are 256 bits as base64url, and never the same", () => {
		const tokens = Array.from({ length: 1000 }, randomToken);
		for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
		expect(new Set(tokens).size).toBe(1000);
		expect(Buffer.from(tokens[0] ?? "", "base64url")).toHaveLength(32);
	});

	it("are stored as their SHA-256, whatever the text", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), (text) => {
				expect(sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
			}),
		);
	});
});

type Holder = Parameters<typeof sessionCookie>[1];
const [ADMIN, VIEWER, DRIVER, NOBODY] = [
	{ role: "admin", isViewer: null },
	{ role: "none", isViewer: true },
	{ role: "driver", isViewer: null },
	{ role: "none", isViewer: null },
] as const satisfies Holder[];

describe("the cookie", () => {
	const attributes = async (cookie: Promise<string>) => {
		const [pair = "", ...rest] = (await cookie).split("; ");
		return [pair.split("=")[0], ...rest.sort()];
	};

	it("on https is __Host-, Secure, HttpOnly, Lax, for the whole site and no domain", async () => {
		const always = ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"];
		const made = (holder: Holder) => attributes(sessionCookie(TOKEN, holder, true));
		const withAge = (age: number) => ["__Host-sid", ...[...always, `Max-Age=${age}`].sort()];
		expect(await made(DRIVER)).toEqual(withAge(2_592_000));
		expect(await made(NOBODY)).toEqual(withAge(2_592_000));
		expect(await made(ADMIN)).toEqual(withAge(86_400));
		expect(await made(VIEWER)).toEqual(withAge(86_400));
		expect(await attributes(clearSessionCookie(true))).toEqual(withAge(0));
		expect(await sessionCookie(TOKEN, DRIVER, true)).toContain(`__Host-sid=${TOKEN}.d;`);
	});

	it("on http is plain sid, with the same attributes otherwise", async () => {
		const withAge = (age: number) => [
			"sid",
			"HttpOnly",
			`Max-Age=${age}`,
			"Path=/",
			"SameSite=Lax",
		];
		expect(await attributes(sessionCookie(TOKEN, NOBODY, false))).toEqual(withAge(2_592_000));
		expect(await attributes(clearSessionCookie(false))).toEqual(withAge(0));
	});

	it("is read back as written, on its own scheme only", async () => {
		for (const isHttps of [true, false])
			for (const [holder, hint] of [
				[ADMIN, "admin"],
				[VIEWER, "admin"],
				[DRIVER, "driver"],
			] as const) {
				const token = randomToken();
				const [sent] = (await sessionCookie(token, holder, isHttps)).split(";");
				expect(await readPresentedSession(withCookie(sent), isHttps)).toEqual({
					tokenHash: sha256Hex(token),
					hint,
				});
				expect(await readPresentedSession(withCookie(sent), !isHttps)).toBeUndefined();
			}
	});

	it("identifies nobody once it is cleared", async () => {
		const [sent] = (await clearSessionCookie(false)).split(";");
		expect(await readPresentedSession(withCookie(sent), false)).toBeUndefined();
	});
});

describe("readPresentedSession", () => {
	it.each([
		`sid=${TOKEN}.d`,
		`toast=x; sid=${TOKEN}.d`,
		`sid=${TOKEN}.d; toast=%E0%A4%A`,
		`a=b;sid=${TOKEN}.d;`,
		`  sid = ${TOKEN}.d `,
		`sid=${TOKEN}.d; sid=${"B".repeat(43)}.a`,
	])("uses the first session in %j", async (cookie) => {
		expect(await readPresentedSession(withCookie(cookie), false)).toEqual({
			tokenHash: sha256Hex(TOKEN),
			hint: "driver",
		});
	});

	it.each([
		undefined,
		"",
		"sid",
		"sid=",
		"=sid",
		`sid=${TOKEN}`,
		`sid=${TOKEN}.`,
		`sid=${TOKEN}.x`,
		`sid=${TOKEN}.dd`,
		`sid=${TOKEN}.D`,
		`sid=${TOKEN.slice(1)}.d`,
		`sid=${TOKEN}A.d`,
		`sid=${TOKEN.slice(1)}%41.d`,
		`sid=%E0%A4%A`,
		`xsid=${TOKEN}.d`,
		`sid2=${TOKEN}.d`,
		`SID=${TOKEN}.d`,
		`__Host-sid=${TOKEN}.d`,
		`sid=${TOKEN.slice(1)}'.d`,
		`sid=garbage; sid=${TOKEN}.d`,
	])("finds none in %j", async (cookie) => {
		expect(await readPresentedSession(withCookie(cookie), false)).toBeUndefined();
	});

	it("never throws, whatever the header holds", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.string({ unit: fc.constantFrom(..."sid=;.% \"'aA-_", TOKEN), maxLength: 30 }),
				async (cookie) => {
					const presented = await readPresentedSession(withCookie(cookie), false);
					if (presented) expect(presented.tokenHash).toMatch(/^[0-9a-f]{64}$/);
				},
			),
			{ numRuns: 5000 },
		);
	});
});
