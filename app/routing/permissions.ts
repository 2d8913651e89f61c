/**
 * The permission matrix: what each kind of principal gets on a route of each audience. The guard
 * applies it to the proven principal, and the tests check every cell.
 */
import type { Standing } from "../domain/kernel/standing.ts";

/**
 * The kinds of principal a request can prove to be (gate order: docs/product.md, 'People, sign-in
 * and gates').
 */
export const PRINCIPALS = [
	"visitor",
	"none",
	"admin",
	"incomplete",
	"pending",
	"rejected",
	"driver",
] as const satisfies readonly ("visitor" | Standing)[];
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

const AUDIENCES = {
	/** Signing in and out: open to everyone. */
	anyone: {
		visitor: "allow",
		none: "allow",
		admin: "allow",
		incomplete: "allow",
		pending: "allow",
		rejected: "allow",
		driver: "allow",
	},
	home: { visitor: "allow", none: "not-found", admin: "allow", ...gated, driver: "allow" },
	driverPage: {
		visitor: "sign-in",
		none: "not-found",
		admin: "not-found",
		...gated,
		driver: "allow",
	},
	/** Downloads from an administrator's screen. A gate screen can't stand in for a file. */
	adminFile: {
		visitor: "sign-in",
		none: "not-found",
		admin: "allow",
		...barred,
		driver: "access-denied",
	},
	/** Downloads from a driver's screen. */
	driverFile: {
		visitor: "sign-in",
		none: "not-found",
		admin: "forbidden",
		...barred,
		driver: "allow",
	},
	/**
	 * A driver's own year. An administrator has a log of each driver instead, and gets the 404 of the
	 * driver's screens.
	 */
	driverYearFile: {
		visitor: "sign-in",
		none: "not-found",
		admin: "not-found",
		...barred,
		driver: "allow",
	},
	/** A receipt: administrators may open any; the query finds a driver only their own. */
	receiptFile: {
		visitor: "unauthorized",
		none: "not-found",
		admin: "allow",
		incomplete: "not-found",
		pending: "not-found",
		rejected: "not-found",
		driver: "allow",
	},
	adminPage: {
		visitor: "sign-in",
		none: "not-found",
		admin: "allow",
		...gated,
		driver: "access-denied",
	},
	/** Pages that both portals have. */
	portalPage: {
		visitor: "sign-in",
		none: "not-found",
		admin: "allow",
		...gated,
		driver: "allow",
	},
	/**
	 * The profile form, for completing the name, and for correcting it until the application is
	 * decided.
	 */
	profileForm: {
		visitor: "sign-in",
		none: "not-found",
		admin: "allow",
		incomplete: "allow",
		pending: "allow",
		rejected: "gate",
		driver: "forbidden",
	},
	/** Who is signed in: true of an account of any role. */
	self: {
		visitor: "unauthorized",
		none: "allow",
		admin: "allow",
		incomplete: "allow",
		pending: "allow",
		rejected: "allow",
		driver: "allow",
	},
	profileApi: {
		visitor: "unauthorized",
		none: "not-found",
		admin: "allow",
		incomplete: "allow",
		pending: "allow",
		rejected: "forbidden",
		driver: "forbidden",
	},
	driverApi: {
		visitor: "unauthorized",
		none: "not-found",
		admin: "forbidden",
		...barred,
		driver: "allow",
	},
	adminApi: {
		visitor: "unauthorized",
		none: "not-found",
		admin: "allow",
		...barred,
		driver: "forbidden",
	},
	portalApi: {
		visitor: "unauthorized",
		none: "not-found",
		admin: "allow",
		...barred,
		driver: "allow",
	},
	/** Every path that isn't in the table. */
	unknownPage: {
		visitor: "not-found",
		none: "not-found",
		admin: "not-found",
		...gated,
		driver: "not-found",
	},
	unknownApi: {
		visitor: "not-found",
		none: "not-found",
		admin: "not-found",
		...barred,
		driver: "not-found",
	},
} as const satisfies Record<string, Audience>;

/** The audience of a route and method: a row of the matrix. */
export type AudienceName = keyof typeof AUDIENCES;

/** What a principal gets there. */
export const verdictFor = (audience: AudienceName, principal: PrincipalKind): Verdict =>
	AUDIENCES[audience][principal];
