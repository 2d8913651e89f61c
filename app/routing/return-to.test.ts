/**
 * After sign-in people come back to one of our pages or to the start page, and never to anywhere
 * else.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeReturnTo } from "./return-to.ts";
import { findRule } from "./routes.ts";

describe("safeReturnTo", () => {
	it.each([
		["/", "/"],
		["/?a=1", "/?a=1"],
		["/mileage", "/mileage"],
		["/mileage?x=1&y=%20", "/mileage?x=1&y=%20"],
		["/drivers?dialog=approve&id=1", "/drivers?dialog=approve&id=1"],
		["/mileage#row-1", "/mileage"],
		["/x/../mileage", "/mileage"],
	])("accepts %j as %j", (text, address) => {
		expect(safeReturnTo(text)).toBe(address);
	});

	it.each([
		["/fund-requests/export.csv?status=pending", "/fund-requests?status=pending"],
		["/payouts/1a-2b.pdf", "/payouts/1a-2b"],
		["/payouts/1a-2b/export.csv?format=xero", "/payouts/1a-2b?format=xero"],
		["/history/payouts/1a-2b.pdf", "/history"],
		["/uber-fees/import/left-out.csv?file=1a", "/uber-fees/import?file=1a"],
		["/reports/generate?type=monthly", "/reports?type=monthly"],
		["/drivers/1a-2b/data.zip", "/"],
		["/service-worker.js", "/"],
	])("leads from the file %j to its screen %j", (text, address) => {
		expect(safeReturnTo(text)).toBe(address);
	});

	it.each([
		undefined,
		null,
		"",
		"mileage",
		"//evil.example",
		"//evil.example/mileage",
		"///evil.example",
		"/\\evil.example",
		"\\\\evil.example",
		"/mileage\\..\\..",
		"https://evil.example/",
		"https:/mileage",
		"javascript:alert(1)",
		"/\tjavascript:alert(1)",
		"/\n/evil.example",
		"/mileage\r\nSet-Cookie: a=b",
		"/mileage\u0000",
		"/mileage\u2028",
		" /mileage",
		"/ /evil.example",
		"/.//evil.example",
		"/..//evil.example",
		"/%2f/evil.example",
		"/%5cevil.example",
		"/@evil.example",
		"/no-such-page",
		"/MILEAGE",
		"/mileage/",
		"/mileage/1",
		"/api/login",
		"/api/logout",
		"/api/mileage",
		"/x/../api/logout",
		// It only accepts posts, so returning to it would be a 404.
		"/profile",
		"*",
		"/*",
	])("sends %j to the start page", (text) => {
		expect(safeReturnTo(text)).toBe("/");
	});

	it("gives for any text one of our own pages on our own site", () => {
		const hostile = fc.oneof(
			fc.string({
				unit: fc.constantFrom(
					"/",
					"\\",
					".",
					":",
					"@",
					"%",
					"2f",
					"5c",
					"#",
					"?",
					"mileage",
					"evil.example",
					"\t",
					"\n",
					"//",
					"\u0000",
				),
				maxLength: 8,
			}),
			fc.webUrl({ withQueryParameters: true, withFragments: true }),
			fc.string({ unit: "binary" }),
			fc.webPath().map((path) => `/mileage${path}`),
		);
		fc.assert(
			fc.property(hostile, fc.boolean(), (text, isRooted) => {
				const address = safeReturnTo(isRooted ? `/${text}` : text);
				const url = new URL(address, "https://fleet.example");
				expect(url.origin).toBe("https://fleet.example");
				expect(url.pathname + url.search).toBe(address);
				const rule = findRule(url.pathname);
				expect(rule.kind).toBe("page");
				expect(rule.methods.GET).toBeDefined();
				expect(url.pathname.startsWith("/api/")).toBe(false);
			}),
			{ numRuns: 5000 },
		);
	});
});
