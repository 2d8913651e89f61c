/**
 * The permission matrix: what each kind of principal gets on a route of each audience. The guard
 * applies it to the proven principal, and the tests check every cell.
 */
import type { Standing } from "../domain/kernel/standing.ts";
import type { TokenScope } from "../domain/tokens/rules.ts";

/**
 * The kinds of principal a request can prove to be (gate order: docs/product.md, 'People, sign-in
 * and gates'). An administrator's token is a separate kind, by its scope.
 */
export const PRINCIPALS = [
	"visitor",
	"none",
	"admin",
	"viewer",
	"incomplete",
	"pending",
	"rejected",
	"driver",
	"readToken",
	"importToken",
	"writeToken",
] as const satisfies readonly ("visitor" | Standing | `${TokenScope}Token`)[];
export type PrincipalKind = (typeof PRINCIPALS)[number];

/**
 * allow: continue; sign-in: 401 and the landing screen; gate: the driver's gate screen (200, or 403
 * for a post); access-denied: 403 and the toast; unauthorized and forbidden: their JSON; not-found:
 * 404.
 */
export type Verdict =
	| "allow"
	| "sign-in"
	| "gate"
	| "access-denied"
	| "unauthorized"
	| "forbidden"
	| "not-found";
type Audience = Readonly<Record<PrincipalKind, Verdict>>;

const gated = { incomplete: "gate", pending: "gate", rejected: "gate" } as const;
const barred = { incomplete: "forbidden", pending: "forbidden", rejected: "forbidden" } as const;

/** What administrators and accountants get: the same, unless it says otherwise. */
const office = (admin: Verdict, viewer = admin) => ({ admin, viewer });
/** What the tokens of each scope get; by default, what the previous scope gets. */
const tokens = (read: Verdict, imports = read, write = imports) => ({
	readToken: read,
	importToken: imports,
	writeToken: write,
});
/** Screens take no token: to them its bearer is a visitor. */
const noTokens = tokens("sign-in");

const AUDIENCES = {
	/** Signing in and out: open to everyone. */
	anyone: {
		visitor: "allow",
		none: "allow",
		...office("allow"),
		incomplete: "allow",
		pending: "allow",
		rejected: "allow",
		driver: "allow",
		...tokens("allow"),
	},
	home: {
		visitor: "allow",
		none: "not-found",
		...office("allow"),
		...gated,
		driver: "allow",
		...tokens("allow"),
	},
	driverPage: {
		visitor: "sign-in",
		none: "not-found",
		...office("not-found"),
		...gated,
		driver: "allow",
		...noTokens,
	},
	/** Downloads from the office's screens. A gate screen can't stand in for a file. */
	readerFile: {
		visitor: "sign-in",
		none: "not-found",
		...office("allow"),
		...barred,
		driver: "access-denied",
		...tokens("allow"),
	},
	/** Files that are made by sending a form. */
	readerForm: {
		visitor: "sign-in",
		none: "not-found",
		...office("allow"),
		...barred,
		driver: "access-denied",
		...noTokens,
	},
	/** All data of one person. */
	personFile: {
		visitor: "sign-in",
		none: "not-found",
		...office("allow", "access-denied"),
		...barred,
		driver: "access-denied",
		...tokens("forbidden"),
	},
	/** Downloads from a driver's screen. */
	driverFile: {
		visitor: "sign-in",
		none: "not-found",
		...office("forbidden"),
		...barred,
		driver: "allow",
		...noTokens,
	},
	/**
	 * A driver's own year. An administrator has a log of each driver instead, and gets the 404 of the
	 * driver's screens.
	 */
	driverYearFile: {
		visitor: "sign-in",
		none: "not-found",
		...office("not-found"),
		...barred,
		driver: "allow",
		...noTokens,
	},
	/** A receipt: administrators may open any; the query finds a driver only their own. */
	receiptFile: {
		visitor: "unauthorized",
		none: "not-found",
		...office("allow"),
		...barred,
		driver: "allow",
		...tokens("allow"),
	},
	/** Screens with which administrators change something, and their posts. */
	adminPage: {
		visitor: "sign-in",
		none: "not-found",
		...office("allow", "access-denied"),
		...gated,
		driver: "access-denied",
		...noTokens,
	},
	/** Screens that administrators and accountants read. */
	readerPage: {
		visitor: "sign-in",
		none: "not-found",
		...office("allow"),
		...gated,
		driver: "access-denied",
		...noTokens,
	},
	/** Pages that both portals have. */
	portalPage: {
		visitor: "sign-in",
		none: "not-found",
		...office("allow"),
		...gated,
		driver: "allow",
		...noTokens,
	},
	/**
	 * The profile form, for completing the name, and for correcting it until the application is
	 * decided.
	 */
	profileForm: {
		visitor: "sign-in",
		none: "not-found",
		...office("allow", "forbidden"),
		incomplete: "allow",
		pending: "allow",
		rejected: "gate",
		driver: "forbidden",
		...noTokens,
	},
	/** Who is signed in: true of an account of any role. */
	self: {
		visitor: "unauthorized",
		none: "allow",
		...office("allow"),
		incomplete: "allow",
		pending: "allow",
		rejected: "allow",
		driver: "allow",
		...tokens("allow"),
	},
	profileApi: {
		visitor: "unauthorized",
		none: "not-found",
		...office("allow", "forbidden"),
		incomplete: "allow",
		pending: "allow",
		rejected: "forbidden",
		driver: "forbidden",
		...tokens("forbidden"),
	},
	driverApi: {
		visitor: "unauthorized",
		none: "not-found",
		...office("forbidden"),
		...barred,
		driver: "allow",
		...tokens("forbidden"),
	},
	/** What administrators and accountants read, and the reports that are made for them. */
	readerApi: {
		visitor: "unauthorized",
		none: "not-found",
		...office("allow"),
		...barred,
		driver: "forbidden",
		...tokens("allow"),
	},
	/** Changes of the fleet's records. */
	recordsApi: {
		visitor: "unauthorized",
		none: "not-found",
		...office("allow", "forbidden"),
		...barred,
		driver: "forbidden",
		...tokens("forbidden", "forbidden", "allow"),
	},
	/** Statements. */
	statementApi: {
		visitor: "unauthorized",
		none: "not-found",
		...office("allow", "forbidden"),
		...barred,
		driver: "forbidden",
		...tokens("forbidden", "allow"),
	},
	/** Changes of people: no token makes, approves, rejects, toggles or deletes anyone. */
	peopleApi: {
		visitor: "unauthorized",
		none: "not-found",
		...office("allow", "forbidden"),
		...barred,
		driver: "forbidden",
		...tokens("forbidden"),
	},
	/** What both portals write. */
	threadApi: {
		visitor: "unauthorized",
		none: "not-found",
		...office("allow", "forbidden"),
		...barred,
		driver: "allow",
		...tokens("forbidden", "forbidden", "allow"),
	},
	portalApi: {
		visitor: "unauthorized",
		none: "not-found",
		...office("allow"),
		...barred,
		driver: "allow",
		...tokens("allow"),
	},
	/** Every path that isn't in the table. */
	unknownPage: {
		visitor: "not-found",
		none: "not-found",
		...office("not-found"),
		...gated,
		driver: "not-found",
		...tokens("not-found"),
	},
	unknownApi: {
		visitor: "not-found",
		none: "not-found",
		...office("not-found"),
		...barred,
		driver: "not-found",
		...tokens("not-found"),
	},
} as const satisfies Record<string, Audience>;

/** The audience of a route and method: a row of the matrix. */
export type AudienceName = keyof typeof AUDIENCES;

/** What a principal gets there. */
export const verdictFor = (audience: AudienceName, principal: PrincipalKind): Verdict =>
	AUDIENCES[audience][principal];
