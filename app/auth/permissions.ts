/**
 * The one matrix: who gets what on which route.
 *
 * The Worker entry refuses what is not listed here, the guard applies the verdict to the proven principal, and the tests walk every cell.
 * A route that is not in this table does not exist.
 */

import type { Standing } from "../domain/users/rules.ts";

/** What a request can be proved to come from (gate order: docs/product.md, 'People, sign-in and gates'). */
export const PRINCIPALS = ["visitor", "none", "admin", "incomplete", "pending", "rejected", "driver"] as const satisfies readonly (
	| "visitor"
	| Standing
)[];
export type PrincipalKind = (typeof PRINCIPALS)[number];

/**
 * allow: go on; sign-in: 401 and the landing screen; gate: the driver's gate screen (200, or 403 for a post);
 * access-denied: 403 and the toast; unauthorized and forbidden: their JSON; not-found: 404.
 */
export type Verdict = "allow" | "sign-in" | "gate" | "access-denied" | "unauthorized" | "forbidden" | "not-found";
type Audience = Readonly<Record<PrincipalKind, Verdict>>;

const gated = { incomplete: "gate", pending: "gate", rejected: "gate" } as const;
const barred = { incomplete: "forbidden", pending: "forbidden", rejected: "forbidden" } as const;

const AUDIENCES = {
	/** Signing in and out: anyone, in any standing. */
	anyone: { visitor: "allow", none: "allow", admin: "allow", incomplete: "allow", pending: "allow", rejected: "allow", driver: "allow" },
	home: { visitor: "allow", none: "not-found", admin: "allow", ...gated, driver: "allow" },
	driverPage: { visitor: "sign-in", none: "not-found", admin: "not-found", ...gated, driver: "allow" },
	/** Downloads of an administrator's screen: a gate is no file. */
	adminFile: { visitor: "sign-in", none: "not-found", admin: "allow", ...barred, driver: "access-denied" },
	/** Downloads of a driver's screen. */
	driverFile: { visitor: "sign-in", none: "not-found", admin: "forbidden", ...barred, driver: "allow" },
	/** A receipt: its owner's or any for an administrator; whose it is, the query decides. */
	receiptFile: {
		visitor: "unauthorized",
		none: "not-found",
		admin: "allow",
		incomplete: "not-found",
		pending: "not-found",
		rejected: "not-found",
		driver: "allow",
	},
	adminPage: { visitor: "sign-in", none: "not-found", admin: "allow", ...gated, driver: "access-denied" },
	/** The profile form: completing the name, correcting it until the application is decided. */
	profileForm: {
		visitor: "sign-in",
		none: "not-found",
		admin: "allow",
		incomplete: "allow",
		pending: "allow",
		rejected: "gate",
		driver: "forbidden",
	},
	self: {
		visitor: "unauthorized",
		none: "not-found",
		admin: "allow",
		incomplete: "allow",
		pending: "allow",
		rejected: "allow",
		driver: "allow",
	},
	profileCall: {
		visitor: "unauthorized",
		none: "not-found",
		admin: "allow",
		incomplete: "allow",
		pending: "allow",
		rejected: "forbidden",
		driver: "forbidden",
	},
	driverCall: { visitor: "unauthorized", none: "not-found", admin: "forbidden", ...barred, driver: "allow" },
	adminCall: { visitor: "unauthorized", none: "not-found", admin: "allow", ...barred, driver: "forbidden" },
	portalCall: { visitor: "unauthorized", none: "not-found", admin: "allow", ...barred, driver: "allow" },
	/** Every path that is not in the table. */
	nowhere: { visitor: "not-found", none: "not-found", admin: "not-found", ...gated, driver: "not-found" },
	nowhereCall: { visitor: "not-found", none: "not-found", admin: "not-found", ...barred, driver: "not-found" },
} as const satisfies Record<string, Audience>;

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One line of the table. A page answers HTML, a call JSON. */
export type RouteRule = {
	/** The path; a part that starts with a colon stands for any one segment. */
	readonly path: string;
	readonly kind: "page" | "call";
	readonly methods: Readonly<Partial<Record<Method, keyof typeof AUDIENCES>>>;
	/** Its posts carry a receipt: a larger body is taken, and a call may be a multipart form. */
	readonly takesFile?: true;
	/** Its posts may be forms as well as JSON. */
	readonly takesForm?: true;
	/** It answers a file, never a screen: its refusals are plain pages. */
	readonly isFile?: true;
	/** Its GET does something or leaves a trace, so no browser may fetch it before somebody has asked for it. */
	readonly isDeed?: true;
	/** Its posts carry a fee statement as text: this many bytes of text, where others have 64 KB. */
	readonly textLimit?: number;
	/** Its posts may repeat one field for every ticked row. */
	readonly takesRows?: true;
};

const page = (path: string, methods: RouteRule["methods"]): RouteRule => ({ path, kind: "page", methods });
const call = (path: string, methods: RouteRule["methods"]): RouteRule => ({ path, kind: "call", methods });

export const ROUTES: readonly RouteRule[] = [
	page("/", { GET: "home" }),
	page("/mileage", { GET: "driverPage", POST: "driverPage" }),
	{ ...page("/requests", { GET: "driverPage", POST: "driverPage" }), takesFile: true },
	page("/history", { GET: "driverPage" }),
	{ ...page("/history/export.csv", { GET: "driverFile" }), isFile: true, isDeed: true },
	{ ...page("/fund-requests", { GET: "adminPage", POST: "adminPage" }), takesRows: true },
	{ ...page("/fund-requests/export.csv", { GET: "adminFile" }), isFile: true, isDeed: true },
	page("/mileage-reports", { GET: "adminPage", POST: "adminPage" }),
	{ ...page("/mileage-reports/export.csv", { GET: "adminFile" }), isFile: true, isDeed: true },
	page("/uber-fees", { GET: "adminPage", POST: "adminPage" }),
	{ ...page("/uber-fees/import", { GET: "adminPage", POST: "adminPage" }), takesFile: true, textLimit: (1024 + 64) * 1024 },
	page("/audit", { GET: "adminPage" }),
	page("/outbox", { GET: "adminPage", POST: "adminPage" }),
	page("/drivers", { GET: "adminPage", POST: "adminPage" }),
	page("/reports", { GET: "adminPage" }),
	{ ...page("/reports/generate", { GET: "adminFile", POST: "adminFile" }), isFile: true, isDeed: true },
	{ ...page("/reports/mileage-log", { GET: "adminFile", POST: "adminFile" }), isFile: true, isDeed: true },
	/** They hold no data, and a browser asks for them without a session. */
	page("/offline", { GET: "anyone" }),
	{ ...page("/service-worker.js", { GET: "anyone" }), isFile: true },
	{ ...page("/manifest.webmanifest", { GET: "anyone" }), isFile: true },
	page("/profile", { GET: "nowhere", POST: "profileForm" }),
	{ ...page("/api/login", __LOCAL_SIGN_IN__ ? { GET: "anyone", POST: "anyone" } : { GET: "anyone" }), isDeed: true },
	{ ...page("/api/callback", { GET: "anyone" }), isDeed: true },
	{ ...page("/api/logout", { GET: "anyone", POST: "anyone" }), isDeed: true },
	call("/api/auth/user", { GET: "self" }),
	call("/api/profile", { PUT: "profileCall" }),
	call("/api/mileage", { GET: "portalCall", POST: "driverCall" }),
	call("/api/fund-requests", { GET: "portalCall", POST: "driverCall" }),
	call("/api/fund-requests/:id", { PUT: "adminCall" }),
	{ ...call("/api/receipts", { POST: "driverCall" }), takesFile: true },
	{ ...call("/api/receipts/:id", { GET: "receiptFile" }), isDeed: true },
	call("/api/uber-fees", { GET: "portalCall", POST: "adminCall" }),
	call("/api/uber-fees/:id", { DELETE: "adminCall" }),
	call("/api/analytics/weekly-summary", { GET: "adminCall" }),
	call("/api/analytics/driver-efficiency", { GET: "adminCall" }),
	call("/api/drivers", { GET: "adminCall", POST: "adminCall" }),
	call("/api/drivers/pending", { GET: "adminCall" }),
	call("/api/drivers/all", { GET: "adminCall" }),
	call("/api/drivers/:id", { DELETE: "adminCall" }),
	call("/api/drivers/:id/approve", { PUT: "adminCall" }),
	call("/api/drivers/:id/reject", { PUT: "adminCall" }),
	call("/api/drivers/:id/toggle", { PUT: "adminCall" }),
	{ ...call("/api/reports/generate", { POST: "adminCall" }), takesForm: true },
	// What a phone's outbox sends: the two driver forms as they were filled in.
	{ ...call("/api/outbox/mileage", { POST: "driverCall" }), takesFile: true },
	{ ...call("/api/outbox/requests", { POST: "driverCall" }), takesFile: true },
	call("/api/admin/create", { POST: "adminCall" }),
];

const ALL_METHODS = (audience: keyof typeof AUDIENCES) => ({ GET: audience, POST: audience, PUT: audience, DELETE: audience });
const NOWHERE = page("*", ALL_METHODS("nowhere"));
const NOWHERE_CALL = call("/api/*", ALL_METHODS("nowhereCall"));

/** What a pattern's part stands for: ids need no other characters, so nothing that is encoded is one. */
const SEGMENT = "[\\w-]+";
const patternOf = (path: string, flags?: string) => new RegExp(`^${path.replace(/[.+]/g, "\\$&").replace(/:\w+/g, SEGMENT)}$`, flags);

const patterns = ROUTES.map((rule) => ({
	rule,
	// Literal paths come before patterns in the table, so the first match is the most particular one.
	pattern: patternOf(rule.path),
	anyCase: patternOf(rule.path, "i"),
}));

/**
 * The rule of a path: its line in the table, or the one for paths that do not exist. Remix finds a route whatever the case of its letters,
 * so a path that is another line's but for the case (`/api/drivers/PENDING`) is nobody's.
 */
export function ruleOf(pathname: string): RouteRule {
	const found = patterns.find(({ anyCase }) => anyCase.test(pathname));
	if (found?.pattern.test(pathname)) return found.rule;
	return /^\/api(\/|$)/.test(pathname) ? NOWHERE_CALL : NOWHERE;
}

/** The methods a rule answers, for the `Allow` header; HEAD goes wherever GET does. */
export function methodsOf(rule: RouteRule): string[] {
	const methods = Object.keys(rule.methods);
	return methods.includes("GET") ? ["GET", "HEAD", ...methods.filter((method) => method !== "GET")] : methods;
}

/**
 * The verdict of the matrix, or `undefined` when the route does not answer that method.
 * @param method as the request has it; HEAD counts as GET
 */
export function verdictOn(rule: RouteRule, method: string, principal: PrincipalKind): Verdict | undefined {
	const answered = method === "HEAD" ? "GET" : method;
	const audience = Object.hasOwn(rule.methods, answered) ? rule.methods[answered as Method] : undefined;
	return audience && AUDIENCES[audience][principal];
}
