/**
 * Same-origin writes, accepted types and headers (docs/security.md, 'Cross-site writes' and
 * 'Request bodies').
 */
import { describe, expect, it } from "vitest";
import {
	CONTENT_SECURITY_POLICY,
	isAcceptedType,
	isFormFromOurPages,
	isSameOrigin,
	SECURITY_HEADERS,
} from "./security.server.ts";

const OURS = "https://fleet.example";

describe("isSameOrigin", () => {
	const foreign = {
		absent: undefined,
		null: "null",
		malformed: "htp:/%zz",
		empty: "",
		evil: "https://evil.example",
		prefix: "https://fleet.example.evil.example",
		suffix: "https://evil-fleet.example",
		subdomain: "https://app.fleet.example",
		"sibling port": "https://fleet.example:8443",
		"http scheme": "http://fleet.example",
		"trailing slash": "https://fleet.example/",
		path: "https://fleet.example/mileage",
		"upper case": "https://FLEET.example",
		twice: "https://fleet.example, https://fleet.example",
	} as const;
	const sites = [
		undefined,
		"same-origin",
		"same-site",
		"cross-site",
		"none",
		"SAME-ORIGIN",
		"",
		"same-origin, same-origin",
	];
	const request = (origin: string | undefined, site: string | undefined) =>
		new Request(`${OURS}/mileage`, {
			method: "POST",
			headers: {
				Host: "fleet.example",
				"X-Forwarded-Host": "fleet.example",
				...(origin === undefined ? {} : { Origin: origin }),
				...(site === undefined ? {} : { "Sec-Fetch-Site": site }),
			},
		});

	for (const [name, origin] of [...Object.entries(foreign), ["exact", OURS] as const])
		it.each(sites)(`with Origin ${name} and Sec-Fetch-Site %s`, (site) => {
			// Browsers set Sec-Fetch-Site themselves, so 'same-origin' is trusted; without it, or with
			// 'none', only our exact origin is.
			const isOurs =
				site === "same-origin" || ((site === undefined || site === "none") && name === "exact");
			expect(isSameOrigin(request(origin, site), OURS)).toBe(isOurs);
		});

	it("on plain http asks for http: the scheme is part of the origin", () => {
		expect(isSameOrigin(request("http://localhost:8787", undefined), "http://localhost:8787")).toBe(
			true,
		);
		expect(
			isSameOrigin(request("https://localhost:8787", undefined), "http://localhost:8787"),
		).toBe(false);
		expect(isSameOrigin(request("http://127.0.0.1:8787", undefined), "http://localhost:8787")).toBe(
			false,
		);
	});
});

describe("isFormFromOurPages", () => {
	const page = `${OURS}/mileage?date=2026-11-20`;
	const form = (headers: Readonly<Record<string, string>>) =>
		new Request(`${OURS}/mileage`, {
			method: "POST",
			headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
		});

	it.each([page, `${OURS}/`, OURS])("accepts a browser that says no more than %s", (Referer) => {
		expect(isFormFromOurPages(form({ Referer }), OURS)).toBe(true);
		const type = "multipart/form-data; boundary=zz";
		expect(isFormFromOurPages(form({ Referer, "Content-Type": type }), OURS)).toBe(true);
	});

	it.each([
		"",
		"about:blank",
		"/mileage",
		"https://evil.example/",
		`https://evil.example/${OURS}/`,
		`${OURS}.evil.example/`,
		`${OURS}@evil.example/`,
		`${OURS}:8443/`,
		"http://fleet.example/",
		"https://app.fleet.example/",
		"HTTPS://FLEET.example/",
	])("refuses the referrer %j", (Referer) => {
		expect(isFormFromOurPages(form({ Referer }), OURS)).toBe(false);
	});

	it("refuses a form without any", () => {
		expect(isFormFromOurPages(form({}), OURS)).toBe(false);
	});

	it("needs no referrer from a browser that sends an origin or a site", () => {
		const others: readonly (readonly [header: string, value: string])[] = [
			["Origin", "null"],
			["Origin", ""],
			["Origin", "https://evil.example"],
			["Sec-Fetch-Site", "none"],
			["Sec-Fetch-Site", "cross-site"],
			["Sec-Fetch-Site", ""],
		];
		for (const [header, value] of others)
			expect(isFormFromOurPages(form({ Referer: page, [header]: value }), OURS)).toBe(false);
	});

	it("accepts no API call by its referrer", () => {
		for (const type of ["application/json", "text/plain", ""])
			expect(isFormFromOurPages(form({ Referer: page, "Content-Type": type }), OURS)).toBe(false);
	});
});

describe("isAcceptedType", () => {
	const forms = [
		"application/x-www-form-urlencoded",
		"application/x-www-form-urlencoded;charset=UTF-8",
		"multipart/form-data; boundary=x",
		"Multipart/Form-Data; boundary=x",
	];
	const json = [
		"application/json",
		"application/json; charset=utf-8",
		"APPLICATION/JSON",
		" application/json ",
	];
	const neither = [
		"text/plain",
		"text/plain;application/json",
		"text/plain; x=application/x-www-form-urlencoded",
		"application/json-patch+json",
		"application/jsonx",
		"application/ld+json",
		"text/html",
		"image/png",
		"*/*",
		";",
	];
	it.each(forms)("%s is accepted by pages", (type) => {
		expect([isAcceptedType(type, "page", 5), isAcceptedType(type, "api", 5)]).toEqual([
			true,
			false,
		]);
	});
	it.each(json)("%s is accepted by JSON calls", (type) => {
		expect([isAcceptedType(type, "page", 5), isAcceptedType(type, "api", 5)]).toEqual([
			false,
			true,
		]);
	});
	it.each(neither)("%s is accepted by neither", (type) => {
		expect([isAcceptedType(type, "page", 5), isAcceptedType(type, "api", 5)]).toEqual([
			false,
			false,
		]);
	});
	it("needs no type without a body, and one with a body", () => {
		for (const kind of ["page", "api"] as const) {
			for (const type of [null, "", ...forms, ...json, ...neither])
				expect(isAcceptedType(type, kind, 0)).toBe(true);
			expect(isAcceptedType(null, kind, 1)).toBe(false);
			expect(isAcceptedType("", kind, 1)).toBe(false);
		}
	});
});

describe("the headers", () => {
	it("forbid everything inline and every other site", () => {
		const policy = new Map(
			CONTENT_SECURITY_POLICY.split("; ").map((each) => [
				each.split(" ")[0],
				each.split(" ").slice(1).join(" "),
			]),
		);
		expect(Object.fromEntries(policy)).toMatchObject({
			"default-src": "'none'",
			"script-src": "'self'",
			"style-src": "'self'",
			"form-action": "'self'",
			"base-uri": "'none'",
			"object-src": "'none'",
			"frame-ancestors": "'none'",
		});
		expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|\*|https?:|data:/);
	});

	it("are those of docs/security.md, 'Headers'", () => {
		expect(SECURITY_HEADERS).toMatchObject({
			"Strict-Transport-Security": "max-age=63072000; includeSubDomains",
			"X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "strict-origin-when-cross-origin",
			"Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"X-Frame-Options": "DENY",
		});
		expect(
			SECURITY_HEADERS["Permissions-Policy"]?.split(", ").every((each) => each.endsWith("=()")),
		).toBe(true);
	});
});
