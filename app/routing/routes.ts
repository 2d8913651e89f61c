/**
 * Every path, with its methods and the bodies it accepts. The Worker refuses anything else: a route
 * that isn't in this table doesn't exist.
 */
import type { LimitName } from "../domain/kernel/limits.ts";
import { type AudienceName, type PrincipalKind, type Verdict, verdictFor } from "./permissions.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One line of the table. A page answers HTML, an API route JSON. */
export type RouteRule = {
	/** The path. A segment that starts with a colon matches any one segment. */
	readonly path: string;
	readonly kind: "page" | "api";
	readonly methods: Readonly<Partial<Record<Method, AudienceName>>>;
	/**
	 * What limits its changes and its audited downloads. A line with a method that writes, and a
	 * file, needs one to compile.
	 */
	readonly limits?: Limits;
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
	/** Its posts come from another server and are signed, so that they need no origin of ours. */
	readonly isSigned?: true;
	/** Its posts are reports that browsers send on their own, often without an origin. */
	readonly takesReports?: true;
	/** Its posts may repeat one field for every ticked row. */
	readonly takesRows?: true;
};

type Limits = readonly [LimitName, ...LimitName[]];
type Reads = Readonly<{ GET: AudienceName } & Partial<Record<Exclude<Method, "GET">, never>>>;
type Line = {
	(path: string, methods: Reads): RouteRule;
	(path: string, methods: RouteRule["methods"], limits: Limits): RouteRule;
};
const lineOf =
	(kind: RouteRule["kind"]): Line =>
	(path: string, methods: RouteRule["methods"], limits?: Limits): RouteRule => ({
		path,
		kind,
		methods,
		...(limits ? { limits } : {}),
	});
const page = lineOf("page");
const api = lineOf("api");
/** A file that is made on request, and audited. */
const download = (path: string, methods: RouteRule["methods"], limits: Limits): RouteRule => ({
	...page(path, methods, limits),
	isFile: true,
	noPrefetch: true,
});
/** One that takes a file. */
const withFile = (rule: RouteRule): RouteRule => ({ ...rule, takesFile: true });

export const ROUTES: readonly RouteRule[] = [
	page("/", { GET: "home" }),
	page("/mileage", { GET: "driverPage", POST: "driverPage" }, ["trips", "changes"]),
	withFile(
		page("/requests", { GET: "driverPage", POST: "driverPage" }, [
			"requests",
			"answers",
			"receipts",
			"changes",
		]),
	),
	page("/history", { GET: "driverPage" }),
	page("/help", { GET: "driverPage" }),
	download("/history/export.csv", { GET: "driverFile" }, ["downloads", "changes"]),
	download("/history/tax-year", { GET: "driverYearFile" }, ["downloads", "changes"]),
	download("/history/year-summary", { GET: "driverYearFile" }, ["downloads", "changes"]),
	download("/history/payouts/:id.pdf", { GET: "driverFile" }, ["downloads", "changes"]),
	page("/earnings", { GET: "driverPage" }),
	download("/earnings/:id.pdf", { GET: "driverFile" }, ["downloads", "changes"]),
	page("/earnings/:id", { GET: "driverPage", POST: "driverPage" }, ["answers", "changes"]),
	{
		...page("/fund-requests", { GET: "readerPage", POST: "adminPage" }, ["changes"]),
		takesRows: true,
	},
	download("/fund-requests/export.csv", { GET: "readerFile" }, ["downloads", "changes"]),
	page("/mileage-reports", { GET: "readerPage", POST: "adminPage" }, ["changes"]),
	download("/mileage-reports/export.csv", { GET: "readerFile" }, ["downloads", "changes"]),
	page("/uber-fees", { GET: "readerPage", POST: "adminPage" }, ["changes"]),
	{
		...page("/uber-fees/import", { GET: "readerPage", POST: "adminPage" }, [
			"statements",
			"changes",
		]),
		takesFile: true,
		takesStatement: true,
	},
	download("/uber-fees/import/left-out.csv", { GET: "readerFile" }, ["downloads", "changes"]),
	{ ...page("/payouts", { GET: "readerPage", POST: "adminPage" }, ["changes"]), takesRows: true },
	download("/payouts/export.csv", { GET: "readerFile" }, ["downloads", "changes"]),
	download("/payouts/:id/export.csv", { GET: "readerFile" }, ["downloads", "changes"]),
	download("/payouts/:id.pdf", { GET: "readerFile" }, ["downloads", "changes"]),
	page("/payouts/:id", { GET: "readerPage", POST: "adminPage" }, ["changes"]),
	{
		...page("/settlements", { GET: "readerPage", POST: "adminPage" }, ["changes"]),
		takesRows: true,
	},
	download("/settlements/:id.pdf", { GET: "readerFile" }, ["downloads", "changes"]),
	page("/settlements/:id", { GET: "readerPage", POST: "adminPage" }, ["changes"]),
	page("/find", { GET: "readerPage" }),
	page("/audit", { GET: "readerPage" }),
	page("/email", { GET: "adminPage", POST: "adminPage" }, ["changes"]),
	page("/outbox", { GET: "adminPage" }),
	page("/settings", { GET: "adminPage", POST: "adminPage" }, ["changes"]),
	page("/settings/tokens", { GET: "adminPage", POST: "adminPage" }, ["changes"]),
	page("/settings/webhooks", { GET: "adminPage", POST: "adminPage" }, ["changes"]),
	page("/account", { GET: "portalPage", POST: "portalPage" }, ["choices", "changes", "sign-outs"]),
	page("/drivers", { GET: "readerPage", POST: "adminPage" }, ["changes"]),
	download("/drivers/:id/data.zip", { GET: "personFile" }, ["downloads", "changes"]),
	withFile(page("/drivers/:id", { GET: "readerPage", POST: "adminPage" }, ["receipts", "changes"])),
	page("/reports", { GET: "readerPage" }),
	download("/reports/generate", { GET: "readerForm", POST: "readerForm" }, ["reports", "changes"]),
	download("/reports/mileage-log", { GET: "readerForm", POST: "readerForm" }, [
		"reports",
		"changes",
	]),
	/** For monitoring. */
	api("/healthz", { GET: "anyone" }),
	/** Where the mail provider reports a message's fate. */
	{ ...api("/api/mail/events", { POST: "anyone" }, ["email events"]), isSigned: true },
	/** Where browsers report what the content security policy blocked. */
	{ ...api("/api/csp-reports", { POST: "anyone" }, ["policy reports"]), takesReports: true },
	/** They contain no data, and browsers request them without a session. */
	page("/offline", { GET: "anyone" }),
	{ ...page("/service-worker.js", { GET: "anyone" }), isFile: true },
	{ ...page("/manifest.webmanifest", { GET: "anyone" }), isFile: true },
	{ ...page("/speculation-rules.json", { GET: "anyone" }), isFile: true },
	page("/profile", { GET: "unknownPage", POST: "profileForm" }, ["names", "changes"]),
	{
		...page(
			"/api/login",
			__LOCAL_SIGN_IN__ ? { GET: "anyone", POST: "anyone" } : { GET: "anyone" },
			["sign-ins"],
		),
		noPrefetch: true,
	},
	{ ...page("/api/callback", { GET: "anyone" }, ["callbacks"]), noPrefetch: true },
	{ ...page("/api/logout", { GET: "anyone", POST: "anyone" }, ["sign-outs"]), noPrefetch: true },
	/** What the API is. */
	page("/api/docs", { GET: "anyone" }),
	api("/api/openapi.json", { GET: "anyone" }),
	api("/api/auth/user", { GET: "self" }),
	api("/api/profile", { PUT: "profileApi" }, ["names", "changes"]),
	api("/api/mileage", { GET: "portalApi", POST: "driverApi" }, ["trips", "changes"]),
	api("/api/fund-requests", { GET: "portalApi", POST: "driverApi" }, ["requests", "changes"]),
	api("/api/fund-requests/:id", { PUT: "recordsApi" }, ["changes"]),
	api("/api/fund-requests/:id/messages", { POST: "threadApi" }, ["answers", "changes"]),
	api("/api/payouts", { GET: "readerApi", POST: "recordsApi" }, ["changes"]),
	api("/api/payouts/:id", { GET: "readerApi", PUT: "recordsApi" }, ["changes"]),
	withFile(api("/api/receipts", { POST: "driverApi" }, ["receipts"])),
	{ ...api("/api/receipts/:id", { GET: "receiptFile" }, ["changes"]), noPrefetch: true },
	api("/api/uber-fees", { GET: "portalApi", POST: "recordsApi" }, ["changes"]),
	api("/api/uber-fees/:id", { DELETE: "recordsApi" }, ["changes"]),
	api("/api/agreements", { GET: "readerApi", POST: "recordsApi" }, ["changes"]),
	withFile(api("/api/charges", { GET: "readerApi", POST: "recordsApi" }, ["receipts", "changes"])),
	api("/api/charges/:id", { DELETE: "recordsApi" }, ["changes"]),
	api("/api/settlements", { GET: "portalApi", POST: "recordsApi", PUT: "recordsApi" }, ["changes"]),
	api("/api/settlements/:id", { GET: "portalApi", PUT: "recordsApi" }, ["changes"]),
	api("/api/settlements/:id/messages", { POST: "threadApi" }, ["answers", "changes"]),
	{
		...api("/api/statements", { POST: "statementApi" }, ["statements", "changes"]),
		takesFile: true,
		takesForm: true,
		takesStatement: true,
	},
	api("/api/analytics/weekly-summary", { GET: "readerApi" }),
	api("/api/analytics/driver-efficiency", { GET: "readerApi" }),
	api("/api/drivers", { GET: "readerApi", POST: "peopleApi" }, ["changes"]),
	api("/api/drivers/pending", { GET: "readerApi" }),
	api("/api/drivers/all", { GET: "readerApi" }),
	api("/api/people", { GET: "readerApi" }),
	api("/api/drivers/:id", { DELETE: "peopleApi" }, ["changes"]),
	api("/api/drivers/:id/approve", { PUT: "peopleApi" }, ["changes"]),
	api("/api/drivers/:id/reject", { PUT: "peopleApi" }, ["changes"]),
	api("/api/drivers/:id/toggle", { PUT: "peopleApi" }, ["changes"]),
	{
		...api("/api/reports/generate", { POST: "readerApi" }, ["reports", "changes"]),
		takesForm: true,
	},
	// What a phone's outbox sends: the driver forms as they were filled in.
	withFile(api("/api/outbox/mileage", { POST: "driverApi" }, ["trips", "changes"])),
	withFile(api("/api/outbox/requests", { POST: "driverApi" }, ["requests", "receipts", "changes"])),
	withFile(api("/api/outbox/answers", { POST: "driverApi" }, ["answers", "changes"])),
	api("/api/admin/create", { POST: "peopleApi" }, ["changes"]),
];

const ALL_METHODS = (audience: AudienceName) => ({
	GET: audience,
	POST: audience,
	PUT: audience,
	DELETE: audience,
});
/** They refuse everything, so nothing is written. */
const unknown = (kind: RouteRule["kind"], path: string, audience: AudienceName): RouteRule => ({
	path,
	kind,
	methods: ALL_METHODS(audience),
});
const UNKNOWN_PAGE = unknown("page", "*", "unknownPage");
const UNKNOWN_API = unknown("api", "/api/*", "unknownApi");

/** What a pattern's segment matches: ids need no other characters, so nothing encoded is one. */
const SEGMENT = "[\\w-]+";
const patternOf = (path: string, flags?: string) =>
	new RegExp(`^${path.replace(/[.+]/g, "\\$&").replace(/:\w+/g, SEGMENT)}$`, flags);

/** The lines without an id, by path in lowercase: every request and every link looks one up. */
const literals = new Map(
	ROUTES.filter(({ path }) => !path.includes(":")).map((rule) => [rule.path.toLowerCase(), rule]),
);
const patterns = ROUTES.filter(({ path }) => path.includes(":")).map((rule) => ({
	rule,
	pattern: patternOf(rule.path),
	anyCase: patternOf(rule.path, "i"),
}));

/**
 * The rule for a path: its line in the table, or the one for paths that don't exist. Remix ignores
 * case when it matches, so a path that differs from a line only by case (`/api/drivers/PENDING`)
 * doesn't exist either.
 */
export function findRule(pathname: string): RouteRule {
	const literal = literals.get(pathname.toLowerCase());
	if (literal?.path === pathname) return literal;
	const found = literal ? undefined : patterns.find(({ anyCase }) => anyCase.test(pathname));
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

/** Audiences of the files that scripts download too. */
const TOKEN_FILES: readonly (AudienceName | undefined)[] = ["readerFile", "personFile"];

/** Whether a path takes a token: the API does, and an administrator's files; screens don't. */
export const takesTokens = ({ kind, methods }: RouteRule): boolean =>
	kind === "api" || TOKEN_FILES.includes(methods.GET);

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

/**
 * Whether the matrix lets someone send this. Screens ask it too, so that they offer nothing that
 * would be refused.
 */
export const isAllowed = (principal: PrincipalKind, method: Method, path: string): boolean =>
	verdictForMethod(findRule(path), method, principal) === "allow";
