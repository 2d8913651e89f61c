/**
 * The permission matrix: what each principal gets on a route of each audience. The guard applies it
 * to the proven principal, and the tests walk every cell.
 */
import type { Standing } from "../domain/users/rules.ts";

/**
 * What a request can be proved to come from (gate order: docs/product.md, 'People, sign-in and
 * gates').
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
 * allow: go on; sign-in: 401 and the landing screen; gate: the driver's gate screen (200, or 403
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
	/** Signing in and out: anyone, in any standing. */
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
	/** Downloads of an administrator's screen: a gate is no file. */
	adminFile: {
		visitor: "sign-in",
		none: "not-found",
		admin: "allow",
		...barred,
		driver: "access-denied",
	},
	/** Downloads of a driver's screen. */
	driverFile: {
		visitor: "sign-in",
		none: "not-found",
		admin: "forbidden",
		...barred,
		driver: "allow",
	},
	/**
	 * A driver's own year: an administrator has a log for each driver, and finds nothing here, as on
	 * the driver's screens.
	 */
	driverYearFile: {
		visitor: "sign-in",
		none: "not-found",
		admin: "not-found",
		...barred,
		driver: "allow",
	},
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
	adminPage: {
		visitor: "sign-in",
		none: "not-found",
		admin: "allow",
		...gated,
		driver: "access-denied",
	},
	/** A page of both portals. */
	portalPage: {
		visitor: "sign-in",
		none: "not-found",
		admin: "allow",
		...gated,
		driver: "allow",
	},
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
	/** Every path that is not in the table. */
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

/** The audience of a route's method: a row of the matrix. */
export type AudienceName = keyof typeof AUDIENCES;

/** What the matrix says to a principal. */
export const verdictFor = (audience: AudienceName, principal: PrincipalKind): Verdict =>
	AUDIENCES[audience][principal];
