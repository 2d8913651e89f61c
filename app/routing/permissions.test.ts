/**
 * The table itself: every path has one rule, nothing is open that is not written down. The cells
 * are walked in tests/http/matrix.test.ts.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PRINCIPALS } from "./permissions.ts";
import { allowedMethods, findRule, ROUTES, verdictForMethod } from "./routes.ts";

const filled = (path: string) => path.replace(/:\w+/g, "00000000-0000-4000-8000-000000000001");

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
	])("knows no %j", (path, rule) => {
		expect(findRule(path).path).toBe(rule);
	});

	it("takes a dot in a path for a dot", () => {
		for (const { path } of ROUTES.filter((rule) => rule.path.includes(".")))
			expect(findRule(filled(path).replaceAll(".", "x")).path, path).not.toBe(path);
	});

	it("treats paths under /api as JSON calls, except sign-in, and everything else as pages", () => {
		const pages = ["/api/login", "/api/callback", "/api/logout"];
		for (const { path, kind } of ROUTES)
			expect(kind, path).toBe(
				(path === "/healthz" || path.startsWith("/api/")) && !pages.includes(path) ? "api" : "page",
			);
	});
});

describe("verdictOn", () => {
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
					"/api/callback",
					"/api/logout",
					"/offline",
					"/healthz",
					"/api/mail/events",
					"/api/csp-reports",
					"/service-worker.js",
					"/manifest.webmanifest",
					"/speculation-rules.json",
				].includes(rule.path);
				expect(verdictForMethod(rule, method, "none"), `${method} ${rule.path}`).toBe(
					isOpen ? "allow" : "not-found",
				);
			}
	});
});

describe("methodsOf", () => {
	it("names HEAD beside GET, and each method once", () => {
		for (const rule of ROUTES) {
			const methods = allowedMethods(rule);
			expect(methods.includes("HEAD"), rule.path).toBe(methods.includes("GET"));
			expect(new Set(methods).size).toBe(methods.length);
		}
	});
});
