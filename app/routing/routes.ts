/**
 * Every path there is, with its methods and the bodies it takes. The Worker refuses what is not
 * listed here: a route that is not in this table does not exist.
 */
import { type AudienceName, type PrincipalKind, type Verdict, verdictFor } from "./permissions.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One line of the table. A page answers HTML, a call JSON. */
export type RouteRule = {
	/** The path; a part that starts with a colon stands for any one segment. */
	readonly path: string;
	readonly kind: "page" | "api";
	readonly methods: Readonly<Partial<Record<Method, AudienceName>>>;
	/** Its posts carry a receipt: a larger body is taken, and a call may be a multipart form. */
	readonly takesFile?: true;
	/**
	 * The file of its posts is a statement of up to 20 MB: an administrator's goes into the file store
	 * while it comes in.
	 */
	readonly takesStatement?: true;
	/** Its posts may be forms as well as JSON. */
	readonly takesForm?: true;
	/** It answers a file, never a screen: its refusals are plain pages. */
	readonly isFile?: true;
	/**
	 * Its GET does something or leaves a trace, so no browser may fetch it before somebody has asked
	 * for it.
	 */
	readonly noPrefetch?: true;
	/** Its posts carry a fee statement as text: this many bytes of text, where others have 64 KB. */
	readonly textLimit?: number;
	/**
	 * Its posts come from another server and are signed: they need no origin of ours.
	 */
	readonly isSigned?: true;
	/**
	 * Its posts are reports that a browser sends on its own, without cookies and often without an
	 * origin. Nothing is changed by one.
	 */
	readonly takesReports?: true;
	/** Its JSON is written while it is sent, and never in memory as a whole. */
	readonly isStreamed?: true;
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
	/** For monitors. */
	api("/healthz", { GET: "anyone" }),
	/** The mail provider tells here what became of a message. */
	{ ...api("/api/mail/events", { POST: "anyone" }), isSigned: true },
	/** Browsers tell here what the content security policy stopped. */
	{ ...api("/api/csp-reports", { POST: "anyone" }), takesReports: true },
	/** They hold no data, and a browser asks for them without a session. */
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
	{ ...api("/api/analytics/driver-efficiency", { GET: "adminApi" }), isStreamed: true },
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
 * What a pattern's part stands for: ids need no other characters, so nothing that is encoded is
 * one.
 */
const SEGMENT = "[\\w-]+";
const patternOf = (path: string, flags?: string) =>
	new RegExp(`^${path.replace(/[.+]/g, "\\$&").replace(/:\w+/g, SEGMENT)}$`, flags);

const patterns = ROUTES.map((rule) => ({
	rule,
	// Literal paths come before patterns in the table, so the first match is the most particular one.
	pattern: patternOf(rule.path),
	anyCase: patternOf(rule.path, "i"),
}));

/**
 * The rule of a path: its line in the table, or the one for paths that do not exist. Remix finds a
 * route whatever the case of its letters, so a path that is another line's but for the case
 * (`/api/drivers/PENDING`) is nobody's.
 */
export function findRule(pathname: string): RouteRule {
	const found = patterns.find(({ anyCase }) => anyCase.test(pathname));
	if (found?.pattern.test(pathname)) return found.rule;
	return /^\/api(\/|$)/.test(pathname) ? UNKNOWN_API : UNKNOWN_PAGE;
}

/** The methods a rule answers, for the `Allow` header; HEAD goes wherever GET does. */
export function allowedMethods(rule: RouteRule): string[] {
	const methods = Object.keys(rule.methods);
	return methods.includes("GET")
		? ["GET", "HEAD", ...methods.filter((method) => method !== "GET")]
		: methods;
}

/** Whose screens are a driver's own, or a portal's that drivers and administrators share. */
const DRIVER_SCREENS: readonly (AudienceName | undefined)[] = ["home", "driverPage", "portalPage"];

/**
 * True for what a replica may answer: showing a screen of a driver's. A download, a call or a change
 * never is.
 */
export const isDriverScreen = (rule: RouteRule, method: string): boolean =>
	(method === "GET" || method === "HEAD") &&
	rule.kind === "page" &&
	!rule.isFile &&
	!rule.noPrefetch &&
	DRIVER_SCREENS.includes(rule.methods.GET);

/**
 * The verdict of the matrix, or `undefined` when the route does not answer that method.
 * @param method as the request has it; HEAD counts as GET
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
