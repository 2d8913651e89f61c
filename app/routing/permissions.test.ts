/**
 * The table itself: every path has one rule, and only what is listed is open.
 * tests/http/matrix.test.ts checks every cell.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LINES } from "../../tests/support/permission-matrix.ts";
import { PRINCIPALS } from "./permissions.ts";
import {
	allowedMethods,
	findRule,
	isDriverScreen,
	ROUTES,
	type RouteRule,
	verdictForMethod,
} from "./routes.ts";

const filled = (path: string) => path.replace(/:\w+/g, "00000000-0000-4000-8000-000000000001");

describe("the table", () => {
	it("has the paths and methods of the permission matrix, and no others", () => {
		const expected = LINES.filter(({ path }) => !path.endsWith("*"));
		const cell = (path: string, method: string) => `${method} ${path}`;
		expect(
			ROUTES.flatMap(({ path, methods }) =>
				Object.keys(methods).map((method) => cell(path, method)),
			).sort(),
		).toEqual(expected.map(({ path, method }) => cell(path, method)).sort());
	});

	const flagged = (flag: keyof RouteRule) =>
		ROUTES.filter((rule) => rule[flag] !== undefined)
			.map(({ path }) => path)
			.sort();
	const FILES = [
		"/earnings/:id.pdf",
		"/fund-requests/export.csv",
		"/history/export.csv",
		"/history/payouts/:id.pdf",
		"/history/tax-year",
		"/history/year-summary",
		"/mileage-reports/export.csv",
		"/payouts/:id.pdf",
		"/payouts/:id/export.csv",
		"/payouts/export.csv",
		"/drivers/:id/data.zip",
		"/reports/generate",
		"/reports/mileage-log",
		"/settlements/:id.pdf",
		"/uber-fees/import/left-out.csv",
	];
	const SIGN_IN = ["/api/callback", "/api/login", "/api/logout"];
	const STATIC = ["/manifest.webmanifest", "/service-worker.js", "/speculation-rules.json"];
	it.each<[keyof RouteRule, readonly string[]]>([
		["isFile", [...FILES, ...STATIC]],
		["noPrefetch", [...FILES, ...SIGN_IN, "/api/receipts/:id"]],
		[
			"takesFile",
			[
				"/api/charges",
				"/api/outbox/answers",
				"/api/outbox/mileage",
				"/api/outbox/requests",
				"/api/receipts",
				"/api/statements",
				"/drivers/:id",
				"/requests",
				"/uber-fees/import",
			],
		],
		["takesStatement", ["/api/statements", "/uber-fees/import"]],
		["takesForm", ["/api/reports/generate", "/api/statements"]],
		["takesRows", ["/fund-requests", "/payouts", "/settlements"]],
		["takesReports", ["/api/csp-reports"]],
		["isSigned", ["/api/mail/events"]],
	])("says %s of exactly these", (flag, paths) => {
		expect(flagged(flag)).toEqual([...paths].sort());
	});
});

describe("isDriverScreen", () => {
	it("is true for showing a driver's own screens, and for nothing else", () => {
		const shown = [
			...["/", "/account", "/earnings", "/earnings/:id", "/help", "/history", "/mileage"],
			"/requests",
		];
		for (const method of ["GET", "HEAD"])
			expect(
				ROUTES.filter((rule) => isDriverScreen(rule, method))
					.map(({ path }) => path)
					.sort(),
			).toEqual(shown);
		for (const method of ["POST", "PUT", "DELETE", "get", ""])
			expect(ROUTES.filter((rule) => isDriverScreen(rule, method))).toEqual([]);
	});

	it.each<Partial<RouteRule>>([{ kind: "api" }, { isFile: true }, { noPrefetch: true }])(
		"is false for a driver's page that is %j",
		(more) => {
			const rule: RouteRule = { path: "/x", kind: "page", methods: { GET: "driverPage" } };
			expect(isDriverScreen(rule, "GET")).toBe(true);
			expect(isDriverScreen({ ...rule, ...more }, "GET")).toBe(false);
		},
	);
});

describe("findRule", () => {
	it.each(ROUTES.map(({ path }) => path))("resolves %s to its own rule", (path) => {
		expect(findRule(filled(path)).path).toBe(path);
	});

	it("has every path once, and literal paths before the patterns that would swallow them", () => {
		expect(new Set(ROUTES.map(({ path }) => path)).size).toBe(ROUTES.length);
	});

	it.each([
		["/no-such-page", "*"],
		["/mileage/1", "*"],
		["/Mileage", "*"],
		["/mileage/", "*"],
		["//mileage", "*"],
		["/%6dileage", "*"],
		["/apis", "*"],
		["/mileage/api/trips", "*"],
		["/api", "/api/*"],
		["/api/", "/api/*"],
		["/api/nowhere", "/api/*"],
		["/api/drivers/", "/api/*"],
		["/api/drivers/1/approve/", "/api/*"],
		["/api/drivers/1/nonsense", "/api/*"],
		["/api/drivers//approve", "/api/*"],
		["/api/mileage\n", "/api/*"],
		["/api/drivers/PENDING", "/api/*"],
		["/api/drivers/All", "/api/*"],
		["/api/drivers/%61ll", "/api/*"],
		["/api/drivers/%70ending", "/api/*"],
		["/api/drivers/1/Approve", "/api/*"],
		["/api/receipts/%2e%2e", "/api/*"],
		["/api/receipts/a%2Fb", "/api/*"],
		["/api/receipts/%00", "/api/*"],
		["/api/receipts/%E0%A4%A", "/api/*"],
		["/api/Receipts/1", "/api/*"],
	])("has no %j", (path, rule) => {
		expect(findRule(path).path).toBe(rule);
	});

	it("matches a dot in a path literally", () => {
		for (const { path } of ROUTES.filter((rule) => rule.path.includes(".")))
			expect(findRule(filled(path).replaceAll(".", "x")).path, path).not.toBe(path);
	});

	it("treats paths under /api as JSON calls, except sign-in, and everything else as pages", () => {
		const pages = ["/api/login", "/api/callback", "/api/logout", "/api/docs"];
		for (const { path, kind } of ROUTES)
			expect(kind, path).toBe(
				(path === "/healthz" || path.startsWith("/api/")) && !pages.includes(path) ? "api" : "page",
			);
	});
});

describe("verdictForMethod", () => {
	it("has a verdict for every route, method and principal that exist, and none for other methods", () => {
		for (const rule of [...ROUTES, findRule("/no-such-page"), findRule("/api/nowhere")])
			for (const principal of PRINCIPALS) {
				for (const method of allowedMethods(rule))
					expect(verdictForMethod(rule, method, principal), `${method} ${rule.path}`).toBeTruthy();
				for (const method of [
					"PATCH",
					"OPTIONS",
					"TRACE",
					"get",
					"constructor",
					"toString",
					"__proto__",
					"",
				])
					expect(
						verdictForMethod(rule, method, principal),
						`${method} ${rule.path}`,
					).toBeUndefined();
			}
	});

	it("admits nobody to an unknown path", () => {
		fc.assert(
			fc.property(
				fc.webPath(),
				fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE"),
				fc.constantFrom(...PRINCIPALS),
				(path, method, principal) => {
					const rule = findRule(path || "/");
					if (ROUTES.includes(rule)) return;
					expect(verdictForMethod(rule, method, principal)).not.toBe("allow");
					expect(verdictForMethod(rule, method, principal)).toBeDefined();
				},
			),
			{ numRuns: 5000 },
		);
	});

	it("shows gates on pages only and JSON refusals on calls only", () => {
		const ofPages = ["sign-in", "gate", "access-denied"];
		for (const rule of ROUTES)
			for (const method of allowedMethods(rule))
				for (const principal of PRINCIPALS) {
					const verdict = verdictForMethod(rule, method, principal) ?? "";
					const isWrong =
						rule.kind === "api" ? ofPages.includes(verdict) : verdict === "unauthorized";
					expect(isWrong, `${method} ${rule.path} ${principal}: ${verdict}`).toBe(false);
				}
	});

	it("gives an unknown role only sign-in, sign-out and what holds no data", () => {
		for (const rule of ROUTES)
			for (const method of allowedMethods(rule)) {
				const isOpen = [
					"/api/login",
					"/api/auth/user",
					"/api/callback",
					"/api/logout",
					"/offline",
					"/healthz",
					"/api/mail/events",
					"/api/csp-reports",
					"/service-worker.js",
					"/manifest.webmanifest",
					"/speculation-rules.json",
					"/api/docs",
					"/api/openapi.json",
				].includes(rule.path);
				expect(verdictForMethod(rule, method, "none"), `${method} ${rule.path}`).toBe(
					isOpen ? "allow" : "not-found",
				);
			}
	});
});

describe("allowedMethods", () => {
	it("names HEAD beside GET, and each method once", () => {
		for (const rule of ROUTES) {
			const methods = allowedMethods(rule);
			const expected = new Set(Object.keys(rule.methods));
			if (expected.has("GET")) expected.add("HEAD");
			expect([...methods].sort(), rule.path).toEqual([...expected].sort());
		}
	});
});
