/**
 * Every path, with its methods and the bodies it accepts. The Worker refuses anything else: a route
 * that isn't in this table doesn't exist.
 */
import { type AudienceName, type PrincipalKind, type Verdict, verdictFor } from "./permissions.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One line of the table. A page answers HTML, an API route JSON. */
export type RouteRule = {
	/** The path. A segment that starts with a colon matches any one segment. */
	readonly path: string;
	readonly kind: "page" | "api";
	readonly methods: Readonly<Partial<Record<Method, AudienceName>>>;
	/**
	 * Its posts may include a receipt: the body limit is larger, and an API route accepts multipart
	 * forms too.
	 */
	readonly takesFile?: true;
	/**
	 * Its posts may include a statement of up to 20 MB. An administrator's is streamed into the file
	 * store.
	 */
	readonly takesStatement?: true;
	/** Its posts may be forms as well as JSON. */
	readonly takesForm?: true;
	/** It answers with a file and never with a screen, so its refusals are plain pages. */
	readonly isFile?: true;
	/** Its GET has a side effect or is audited, so browsers may not prefetch it. */
	readonly noPrefetch?: true;
	/**
	 * Its posts may include a fee statement as text: up to this many bytes of text instead of 64 KB.
	 */
	readonly textLimit?: number;
	/** Its posts come from another server and are signed, so that they need no origin of ours. */
	readonly isSigned?: true;
	/**
	 * Its posts are reports that browsers send on their own, without cookies and often without an
	 * origin. They change nothing.
	 */
	readonly takesReports?: true;
	/** Its posts may repeat one field for every ticked row. */
	readonly takesRows?: true;
};

const page = (path: string, methods: RouteRule["methods"]): RouteRule => ({
	path,
	kind: "page",
	methods,
});
const api = (path: string, methods: RouteRule["methods"]): RouteRule => ({
	path,
	kind: "api",
	methods,
});

export const ROUTES: readonly RouteRule[] = [
	page("/", { GET: "home" }),
	page("/mileage", { GET: "driverPage", POST: "driverPage" }),
	{ ...page("/requests", { GET: "driverPage", POST: "driverPage" }), takesFile: true },
	page("/history", { GET: "driverPage" }),
	page("/help", { GET: "driverPage" }),
	{ ...page("/history/export.csv", { GET: "driverFile" }), isFile: true, noPrefetch: true },
	{ ...page("/history/tax-year", { GET: "driverYearFile" }), isFile: true, noPrefetch: true },
	{ ...page("/history/year-summary", { GET: "driverYearFile" }), isFile: true, noPrefetch: true },
	{ ...page("/history/payouts/:id.pdf", { GET: "driverFile" }), isFile: true, noPrefetch: true },
	{ ...page("/fund-requests", { GET: "adminPage", POST: "adminPage" }), takesRows: true },
	{ ...page("/fund-requests/export.csv", { GET: "adminFile" }), isFile: true, noPrefetch: true },
	page("/mileage-reports", { GET: "adminPage", POST: "adminPage" }),
	{ ...page("/mileage-reports/export.csv", { GET: "adminFile" }), isFile: true, noPrefetch: true },
	page("/uber-fees", { GET: "adminPage", POST: "adminPage" }),
	{
		...page("/uber-fees/import", { GET: "adminPage", POST: "adminPage" }),
		takesFile: true,
		takesStatement: true,
		textLimit: (1024 + 64) * 1024,
	},
	{
		...page("/uber-fees/import/left-out.csv", { GET: "adminFile" }),
		isFile: true,
		noPrefetch: true,
	},
	{ ...page("/payouts", { GET: "adminPage", POST: "adminPage" }), takesRows: true },
	{ ...page("/payouts/:id/export.csv", { GET: "adminFile" }), isFile: true, noPrefetch: true },
	{ ...page("/payouts/:id.pdf", { GET: "adminFile" }), isFile: true, noPrefetch: true },
	page("/payouts/:id", { GET: "adminPage", POST: "adminPage" }),
	page("/find", { GET: "adminPage" }),
	page("/audit", { GET: "adminPage" }),
	page("/outbox", { GET: "adminPage", POST: "adminPage" }),
	page("/settings", { GET: "adminPage", POST: "adminPage" }),
	page("/account", { GET: "portalPage", POST: "portalPage" }),
	page("/drivers", { GET: "adminPage", POST: "adminPage" }),
	{ ...page("/drivers/:id/data.zip", { GET: "adminFile" }), isFile: true, noPrefetch: true },
	page("/drivers/:id", { GET: "adminPage", POST: "adminPage" }),
	page("/reports", { GET: "adminPage" }),
	{
		...page("/reports/generate", { GET: "adminFile", POST: "adminFile" }),
		isFile: true,
		noPrefetch: true,
	},
	{
		...page("/reports/mileage-log", { GET: "adminFile", POST: "adminFile" }),
		isFile: true,
		noPrefetch: true,
	},
	/** For monitoring. */
	api("/healthz", { GET: "anyone" }),
	/** Where the mail provider reports what became of a message. */
	{ ...api("/api/mail/events", { POST: "anyone" }), isSigned: true },
	/** Where browsers report what the content security policy blocked. */
	{ ...api("/api/csp-reports", { POST: "anyone" }), takesReports: true },
	/** They contain no data, and browsers request them without a session. */
	page("/offline", { GET: "anyone" }),
	{ ...page("/service-worker.js", { GET: "anyone" }), isFile: true },
	{ ...page("/manifest.webmanifest", { GET: "anyone" }), isFile: true },
	{ ...page("/speculation-rules.json", { GET: "anyone" }), isFile: true },
	page("/profile", { GET: "unknownPage", POST: "profileForm" }),
	{
		...page(
			"/api/login",
			__LOCAL_SIGN_IN__ ? { GET: "anyone", POST: "anyone" } : { GET: "anyone" },
		),
		noPrefetch: true,
	},
	{ ...page("/api/callback", { GET: "anyone" }), noPrefetch: true },
	{ ...page("/api/logout", { GET: "anyone", POST: "anyone" }), noPrefetch: true },
	api("/api/auth/user", { GET: "self" }),
	api("/api/profile", { PUT: "profileApi" }),
	api("/api/mileage", { GET: "portalApi", POST: "driverApi" }),
	api("/api/fund-requests", { GET: "portalApi", POST: "driverApi" }),
	api("/api/fund-requests/:id", { PUT: "adminApi" }),
	api("/api/fund-requests/:id/messages", { POST: "portalApi" }),
	api("/api/payouts", { GET: "adminApi", POST: "adminApi" }),
	api("/api/payouts/:id", { GET: "adminApi", PUT: "adminApi" }),
	{ ...api("/api/receipts", { POST: "driverApi" }), takesFile: true },
	{ ...api("/api/receipts/:id", { GET: "receiptFile" }), noPrefetch: true },
	api("/api/uber-fees", { GET: "portalApi", POST: "adminApi" }),
	api("/api/uber-fees/:id", { DELETE: "adminApi" }),
	{
		...api("/api/statements", { POST: "adminApi" }),
		takesFile: true,
		takesForm: true,
		takesStatement: true,
	},
	api("/api/analytics/weekly-summary", { GET: "adminApi" }),
	api("/api/analytics/driver-efficiency", { GET: "adminApi" }),
	api("/api/drivers", { GET: "adminApi", POST: "adminApi" }),
	api("/api/drivers/pending", { GET: "adminApi" }),
	api("/api/drivers/all", { GET: "adminApi" }),
	api("/api/people", { GET: "adminApi" }),
	api("/api/drivers/:id", { DELETE: "adminApi" }),
	api("/api/drivers/:id/approve", { PUT: "adminApi" }),
	api("/api/drivers/:id/reject", { PUT: "adminApi" }),
	api("/api/drivers/:id/toggle", { PUT: "adminApi" }),
	{ ...api("/api/reports/generate", { POST: "adminApi" }), takesForm: true },
	// What a phone's outbox sends: the driver forms as they were filled in.
	{ ...api("/api/outbox/mileage", { POST: "driverApi" }), takesFile: true },
	{ ...api("/api/outbox/requests", { POST: "driverApi" }), takesFile: true },
	{ ...api("/api/outbox/answers", { POST: "driverApi" }), takesFile: true },
	api("/api/admin/create", { POST: "adminApi" }),
];

const ALL_METHODS = (audience: AudienceName) => ({
	GET: audience,
	POST: audience,
	PUT: audience,
	DELETE: audience,
});
const UNKNOWN_PAGE = page("*", ALL_METHODS("unknownPage"));
const UNKNOWN_API = api("/api/*", ALL_METHODS("unknownApi"));

/**
 * What a pattern's segment matches. Ids need no other characters, so nothing that is encoded is
 * one.
 */
const SEGMENT = "[\\w-]+";
const patternOf = (path: string, flags?: string) =>
	new RegExp(`^${path.replace(/[.+]/g, "\\$&").replace(/:\w+/g, SEGMENT)}$`, flags);

const patterns = ROUTES.map((rule) => ({
	rule,
	// Literal paths come before patterns in the table, so that the first match is the most specific.
	pattern: patternOf(rule.path),
	anyCase: patternOf(rule.path, "i"),
}));

/**
 * The rule for a path: its line in the table, or the one for paths that don't exist. Remix ignores
 * case when it matches, so a path that differs from a line only by case (`/api/drivers/PENDING`)
 * doesn't exist either.
 */
export function findRule(pathname: string): RouteRule {
	const found = patterns.find(({ anyCase }) => anyCase.test(pathname));
	if (found?.pattern.test(pathname)) return found.rule;
	return /^\/api(\/|$)/.test(pathname) ? UNKNOWN_API : UNKNOWN_PAGE;
}

/** The methods that a rule allows, for the `Allow` header. HEAD is allowed wherever GET is. */
export function allowedMethods(rule: RouteRule): string[] {
	const methods = Object.keys(rule.methods);
	return methods.includes("GET")
		? ["GET", "HEAD", ...methods.filter((method) => method !== "GET")]
		: methods;
}

/** Audiences of a driver's own screens, and of those that both portals have. */
const DRIVER_SCREENS: readonly (AudienceName | undefined)[] = ["home", "driverPage", "portalPage"];

/**
 * Whether a replica may answer: only for showing a driver's screen, never for a download, an API
 * route or a change.
 */
export const isDriverScreen = (rule: RouteRule, method: string): boolean =>
	(method === "GET" || method === "HEAD") &&
	rule.kind === "page" &&
	!rule.isFile &&
	!rule.noPrefetch &&
	DRIVER_SCREENS.includes(rule.methods.GET);

/**
 * The matrix's verdict, or `undefined` if the route doesn't have that method.
 * @param method of the request; HEAD counts as GET
 */
export function verdictForMethod(
	rule: RouteRule,
	method: string,
	principal: PrincipalKind,
): Verdict | undefined {
	const answered = method === "HEAD" ? "GET" : method;
	const audience = Object.hasOwn(rule.methods, answered)
		? rule.methods[answered as Method]
		: undefined;
	return audience && verdictFor(audience, principal);
}
