/** The door: same-origin writes, capped bodies, counted fields, accepted types (reliability.md §2.4, 2.8). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	BODY_LIMIT,
	bodyWithin,
	CONTENT_SECURITY_POLICY,
	FIELD_LIMIT,
	hasTooManyFields,
	isAcceptedType,
	isSameOrigin,
	SECURITY_HEADERS,
} from "./security.server.ts";

const OURS = "https://fleet.example";
const bytesOf = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

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
	const sites = [undefined, "same-origin", "same-site", "cross-site", "none", "SAME-ORIGIN", "", "same-origin, same-origin"];
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
			// A browser sets Sec-Fetch-Site itself, so 'same-origin' is believed; without it, or with 'none', only our exact origin is.
			const isOurs = site === "same-origin" || ((site === undefined || site === "none") && name === "exact");
			expect(isSameOrigin(request(origin, site), OURS)).toBe(isOurs);
		});

	it("on plain http asks for http: the scheme is part of the origin", () => {
		expect(isSameOrigin(request("http://localhost:8787", undefined), "http://localhost:8787")).toBe(true);
		expect(isSameOrigin(request("https://localhost:8787", undefined), "http://localhost:8787")).toBe(false);
		expect(isSameOrigin(request("http://127.0.0.1:8787", undefined), "http://localhost:8787")).toBe(false);
	});
});

describe("bodyWithin", () => {
	const streaming = (parts: Uint8Array[], headers: HeadersInit = {}) => {
		let pulled = 0;
		const body = new ReadableStream<Uint8Array>({
			pull(controller) {
				const part = parts[pulled++];
				if (part) controller.enqueue(part);
				else controller.close();
			},
		});
		return { request: new Request(OURS, { method: "POST", body, headers, duplex: "half" } as RequestInit), pulled: () => pulled };
	};

	it("gives the bytes as they came, however they were cut", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 }), async (parts) => {
				const whole = Uint8Array.from(parts.flatMap((part) => [...part]));
				const body = await bodyWithin(streaming(parts).request, 400);
				expect(body && Buffer.from(body).equals(Buffer.from(whole))).toBe(true);
			}),
		);
	});

	it("takes exactly the limit and not one byte more", async () => {
		expect((await bodyWithin(new Request(OURS, { method: "POST", body: "x".repeat(BODY_LIMIT) }), BODY_LIMIT))?.byteLength).toBe(65_536);
		expect(await bodyWithin(new Request(OURS, { method: "POST", body: "x".repeat(BODY_LIMIT + 1) }), BODY_LIMIT)).toBeUndefined();
	});

	it("reads no more than a megabyte of what is too much, with no Content-Length or a false one", async () => {
		const endless = Array.from({ length: 3000 }, () => new Uint8Array(1024));
		for (const length of [undefined, "10", "lots", "-5"]) {
			const { request, pulled } = streaming(endless, length === undefined ? {} : { "Content-Length": length });
			expect(await bodyWithin(request, 10_000)).toBeUndefined();
			expect(pulled()).toBeLessThan(1100);
		}
	});

	it("reads nothing of a body that says it is too large", async () => {
		const { request, pulled } = streaming([new Uint8Array(10)], { "Content-Length": "99999999999" });
		expect(await bodyWithin(request, 10_000)).toBeUndefined();
		expect(pulled()).toBeLessThanOrEqual(1);
	});

	it("is empty without a body", async () => {
		expect((await bodyWithin(new Request(OURS, { method: "POST" }), 10))?.byteLength).toBe(0);
	});
});

describe("isAcceptedType", () => {
	const forms = [
		"application/x-www-form-urlencoded",
		"application/x-www-form-urlencoded;charset=UTF-8",
		"multipart/form-data; boundary=x",
		"Multipart/Form-Data; boundary=x",
	];
	const json = ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON", " application/json "];
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
	it.each(forms)("%s is a page's", (type) => {
		expect([isAcceptedType(type, "page", 5), isAcceptedType(type, "call", 5), isAcceptedType(type, "call", 0)]).toEqual([
			true,
			false,
			false,
		]);
	});
	it.each(json)("%s is a call's", (type) => {
		expect([isAcceptedType(type, "page", 5), isAcceptedType(type, "call", 5)]).toEqual([false, true]);
	});
	it.each(neither)("%s is nobody's", (type) => {
		expect([isAcceptedType(type, "page", 5), isAcceptedType(type, "call", 5)]).toEqual([false, false]);
	});
	it("needs no type without a body, and one with a body", () => {
		for (const kind of ["page", "call"] as const) {
			expect(isAcceptedType(null, kind, 0)).toBe(true);
			expect(isAcceptedType(null, kind, 1)).toBe(false);
			expect(isAcceptedType("", kind, 1)).toBe(false);
		}
	});
});

describe("hasTooManyFields", () => {
	const urlencoded = "application/x-www-form-urlencoded";
	const pairs = (count: number) => bytesOf(Array.from({ length: count }, (_, position) => `f${position}=${position}`).join("&"));
	const parts = (count: number, boundary: string) =>
		bytesOf(
			`${Array.from({ length: count }, (_, position) => `--${boundary}\r\nContent-Disposition: form-data; name="f${position}"\r\n\r\n${position}\r\n`).join("")}--${boundary}--\r\n`,
		);

	it("counts to fifty, as pairs and as parts", () => {
		expect(FIELD_LIMIT).toBe(50);
		expect([hasTooManyFields(pairs(50), urlencoded), hasTooManyFields(pairs(51), urlencoded)]).toEqual([false, true]);
		for (const type of ["multipart/form-data; boundary=zz", 'multipart/form-data; boundary="zz"', "MULTIPART/FORM-DATA; BOUNDARY=zz"])
			expect([hasTooManyFields(parts(50, "zz"), type), hasTooManyFields(parts(51, "zz"), type)], type).toEqual([false, true]);
		expect(hasTooManyFields(bytesOf(""), urlencoded)).toBe(false);
		expect(hasTooManyFields(bytesOf(""), null)).toBe(false);
	});

	it("is not fooled by a boundary that the body is not read with", () => {
		expect(hasTooManyFields(pairs(5000), `${urlencoded}; boundary=zz`)).toBe(true);
		expect(hasTooManyFields(parts(60, "zz"), 'multipart/form-data; x="boundary=a"; boundary=zz')).toBe(true);
		expect(hasTooManyFields(parts(60, "zz"), "multipart/form-data; boundary=a; boundary=zz")).toBe(true);
	});

	it("counts a written ampersand once, and an encoded one not at all", () => {
		expect(hasTooManyFields(bytesOf(`notes=${"%26".repeat(100)}`), urlencoded)).toBe(false);
		expect(hasTooManyFields(bytesOf("&".repeat(60)), urlencoded)).toBe(true);
	});
});

describe("the headers", () => {
	it("forbid everything inline and every other site", () => {
		const policy = new Map(CONTENT_SECURITY_POLICY.split("; ").map((each) => [each.split(" ")[0], each.split(" ").slice(1).join(" ")]));
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

	it("are those of reliability.md §2.9", () => {
		expect(SECURITY_HEADERS).toMatchObject({
			"Strict-Transport-Security": "max-age=63072000; includeSubDomains",
			"X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "strict-origin-when-cross-origin",
			"Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"X-Frame-Options": "DENY",
		});
		expect(SECURITY_HEADERS["Permissions-Policy"]?.split(", ").every((each) => each.endsWith("=()"))).toBe(true);
	});
});
