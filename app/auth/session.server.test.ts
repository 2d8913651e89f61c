/** Sessions: what a cookie may look like, what it says, and how long it lives (docs/security.md, 'Sessions'). */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	cookieValue,
	forgottenSessionCookie,
	hashOf,
	LIFETIMES,
	presentedSession,
	randomToken,
	sessionCookie,
	TOUCH_AFTER,
} from "./session.server.ts";

const TOKEN = "A".repeat(43);
const withCookie = (cookie: string | undefined) =>
	new Request("http://localhost/", cookie === undefined ? {} : { headers: { Cookie: cookie } });

it("lives as long as written: drivers 14 of 30 days, administrators 8 of 24 hours, touched hourly", () => {
	const [hour, day] = [3_600_000, 86_400_000];
	expect(LIFETIMES).toEqual({ driver: { idle: 14 * day, absolute: 30 * day }, admin: { idle: 8 * hour, absolute: 24 * hour } });
	expect(TOUCH_AFTER).toBe(hour);
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
				expect(hashOf(text)).toBe(createHash("sha256").update(text).digest("hex"));
			}),
		);
	});
});

describe("the cookie", () => {
	it("on https is __Host-, Secure, HttpOnly, Lax, for the whole site and no domain", () => {
		expect(sessionCookie(TOKEN, "driver", true)).toBe(`__Host-sid=${TOKEN}.d; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`);
		expect(sessionCookie(TOKEN, "admin", true)).toBe(`__Host-sid=${TOKEN}.a; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure`);
		expect(forgottenSessionCookie(true)).toBe("__Host-sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
	});

	it("on http is plain sid, everything else alike", () => {
		expect(sessionCookie(TOKEN, "none", false)).toBe(`sid=${TOKEN}.d; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`);
		expect(forgottenSessionCookie(false)).toBe("sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
	});

	it("is read back as it was written, on its own kind of origin only", () => {
		for (const isHttps of [true, false])
			for (const role of ["admin", "driver"] as const) {
				const token = randomToken();
				const sent = sessionCookie(token, role, isHttps).split(";")[0];
				expect(presentedSession(withCookie(sent), isHttps)).toEqual({ tokenHash: hashOf(token), hint: role });
				expect(presentedSession(withCookie(sent), !isHttps)).toBeUndefined();
			}
	});
});

describe("presentedSession", () => {
	it.each([
		`sid=${TOKEN}.d`,
		`toast=x; sid=${TOKEN}.d`,
		`sid=${TOKEN}.d; toast=%E0%A4%A`,
		`a=b;sid=${TOKEN}.d;`,
		`  sid = ${TOKEN}.d `,
		`sid=${TOKEN}.d; sid=${"B".repeat(43)}.a`,
	])("takes the first session of %j", (cookie) => {
		expect(presentedSession(withCookie(cookie), false)).toEqual({ tokenHash: hashOf(TOKEN), hint: "driver" });
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
		`sid="${TOKEN}.d"`,
		`sid=${TOKEN.slice(1)}%41.d`,
		`sid=%E0%A4%A`,
		`xsid=${TOKEN}.d`,
		`sid2=${TOKEN}.d`,
		`SID=${TOKEN}.d`,
		`__Host-sid=${TOKEN}.d`,
		`sid=${TOKEN.slice(1)}'.d`,
		`sid=garbage; sid=${TOKEN}.d`,
	])("finds none in %j", (cookie) => {
		expect(presentedSession(withCookie(cookie), false)).toBeUndefined();
	});

	it("never throws, whatever the header holds", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."sid=;.% \"'aA-_", TOKEN), maxLength: 30 }), (cookie) => {
				const presented = presentedSession(withCookie(cookie), false);
				if (presented) expect(presented.tokenHash).toMatch(/^[0-9a-f]{64}$/);
			}),
			{ numRuns: 5000 },
		);
	});
});

it("cookieValue keeps equals signs and answers nothing for a missing name", () => {
	expect(cookieValue("a=b=c==; d=", "a")).toBe("b=c==");
	expect(cookieValue("a=b; d=", "d")).toBe("");
	expect(cookieValue("a=b", "c")).toBeUndefined();
	expect(cookieValue(null, "a")).toBeUndefined();
});
