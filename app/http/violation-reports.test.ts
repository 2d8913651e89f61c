/** How browsers' reports are handled, which anyone can forge (docs/security.md, 'Headers'). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countViolation, isReportType, LineBudget, parseViolations } from "./violation-reports.ts";

const OURS = "https://fleet.example";
const chromium = (body: object, type = "csp-violation") => ({
	age: 12,
	type,
	url: `${OURS}/mileage`,
	user_agent: "Chromium",
	body: {
		documentURL: `${OURS}/mileage?note=private`,
		effectiveDirective: "script-src-elem",
		blockedURL: "https://evil.example/x.js?stolen=1",
		disposition: "enforce",
		sourceFile: null,
		...body,
	},
});
const firefox = (report: object) => ({
	"csp-report": {
		"document-uri": `${OURS}/requests?x=private#y`,
		"violated-directive": "style-src-attr 'self'",
		"blocked-uri": "inline",
		...report,
	},
});
const parse = (body: unknown) => parseViolations(JSON.stringify(body), OURS);

describe("parseViolations", () => {
	it("keeps the directive, an origin and a path without its query", () => {
		expect(parse([chromium({})])).toEqual([
			{ directive: "script-src-elem", blocked: "https://evil.example", path: "/mileage" },
		]);
		expect(parse(firefox({}))).toEqual([
			{ directive: "style-src-attr", blocked: "inline", path: "/requests" },
		]);
	});

	it.each([
		["data:image/png;base64,AAAA", "data"],
		["blob:https://fleet.example/0f", "https://fleet.example"],
		["eval", "eval"],
		["about", "about"],
		["not an address\n", "unknown"],
		["", "unknown"],
	])("names %j %s", (blockedURL, blocked) => {
		expect(parse([chromium({ blockedURL })])?.[0]?.blocked).toBe(blocked);
	});

	it.each([
		chromium({ blockedURL: "chrome-extension://abcdef/inject.js" }),
		chromium({ blockedURL: "inline", sourceFile: "moz-extension" }),
		chromium({ blockedURL: "safari-web-extension://abc/x.js" }),
		chromium({ sourceFile: "webkit-masked-url://hidden/" }),
		chromium({ documentURL: "https://evil.example/" }),
		chromium({ documentURL: "about:blank" }),
		chromium({ effectiveDirective: "<script>" }),
		chromium({ effectiveDirective: "x".repeat(50) }),
		chromium({}, "deprecation"),
	])("drops noise and other sites' reports: %#", (report) => {
		expect(parse([report])).toEqual([]);
	});

	it("drops an extension's style that Firefox reports", () => {
		expect(parse(firefox({ "source-file": "moz-extension" }))).toEqual([]);
	});

	it("reads ten reports of a body", () => {
		expect(parse(Array.from({ length: 50 }, () => chromium({})))).toHaveLength(10);
	});

	it.each(["", "{", "null", "{}", '"x"', "[1]", '{"csp-report":1}', '[{"type":1}]'])(
		"rejects %j",
		(body) => {
			expect(parseViolations(body, OURS)).toBeUndefined();
		},
	);

	it("logs one short line, whatever is sent", () => {
		const anyReport = fc.record({
			documentURL: fc.oneof(
				fc.webUrl(),
				fc.string().map((text) => `${OURS}/${text}`),
			),
			effectiveDirective: fc.oneof(fc.string(), fc.constant("img-src")),
			blockedURL: fc.oneof(fc.string(), fc.webUrl(), fc.string({ maxLength: 500 })),
			sourceFile: fc.option(fc.string()),
		});
		fc.assert(
			fc.property(anyReport, (body) => {
				for (const each of parse([chromium(body)]) ?? []) {
					const line = Object.values(each).join(" ");
					expect(line.length).toBeLessThan(420);
					expect(line).not.toMatch(/\p{Cc}|\?/u);
				}
			}),
			{ numRuns: 300 },
		);
	});
});

it.each([
	["application/csp-report", true],
	["application/reports+json; charset=utf-8", true],
	["Application/Reports+JSON", true],
	["application/json", false],
	["application/csp-reports", false],
	["text/plain; application/csp-report", false],
	[null, false],
])("knows whether %j carries reports: %s", (type, expected) => {
	expect(isReportType(type)).toBe(expected);
});

it("allows twenty lines a minute, and no more when the clock goes back", () => {
	const budget = new LineBudget();
	const taken = (now: number) => Array.from({ length: 50 }, () => budget.take(now)).filter(Boolean);
	expect(taken(1_000_000)).toHaveLength(20);
	expect(taken(1_059_999)).toHaveLength(0);
	expect(taken(1_060_000)).toHaveLength(20);
	expect(taken(1_000_000)).toHaveLength(20);
});

it("writes a data point that names the route, and doesn't need a dataset", () => {
	const points: unknown[] = [];
	const seen = { directive: "img-src", blocked: "data", path: "/payouts/5b0c" };
	countViolation(
		{ METRICS: { writeDataPoint: (point) => points.push(point) } },
		"/payouts/:id",
		seen,
	);
	countViolation({}, "/payouts/:id", seen);
	expect(points).toEqual([
		{ indexes: ["csp"], blobs: ["/payouts/:id", "CSP", "img-src", "data", "local"] },
	]);
	const full = () => {
		throw new Error("too many data points");
	};
	countViolation({ METRICS: { writeDataPoint: full } }, "/payouts/:id", seen);
});
