/**
 * The guard: proves who is asking and applies the permission matrix, in the same D1 trip that
 * fetches the page's data. Only this module makes a `DriverContext` or an `AdminContext`, and every
 * command requires one, so forgetting a check does not compile.
 */

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { SQL } from "drizzle-orm";
import type {
	Builder,
	Results,
	Statement,
	StatementResult,
	Statements,
} from "../db/client.server.ts";
import { SessionUser } from "../db/owner.server.ts";
import type {
	AdminContext,
	AuthenticatedContext,
	DriverContext,
	SelfContext,
	UserRow,
} from "../domain/kernel/context.ts";
import {
	type FleetSettings,
	type FromVariables,
	toFleetSettings,
} from "../domain/kernel/fleet-settings.ts";
import { getStanding } from "../domain/kernel/standing.ts";
import type { Waiting } from "../domain/kernel/waiting.ts";
import { sessionRefOf } from "../domain/people/sessions.server.ts";
import { selectQuestionsFor, selectWaiting } from "../domain/reminders/waiting.server.ts";
import { selectSettings } from "../domain/settings/queries.server.ts";
import { verdictForMethod } from "../routing/routes.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import { noteOtherAccount } from "./form-owner.server.ts";
import { type Principal, type PrincipalRow, toPrincipal } from "./principal.server.ts";
import { refuse, tooMany, unavailable } from "./refuse.server.ts";
import type { RequestContext } from "./request-context.ts";
import { principalStatement, TOUCH_INTERVAL_MS, touchStatement } from "./session.server.ts";

type Args = LoaderFunctionArgs | ActionFunctionArgs;
/** What a query may use before the principal is known; the owner is a sub-select on the session. */
export type QueryContext = {
	readonly build: Builder;
	readonly me: SQL<string>;
	readonly today: CalendarDate;
	readonly timeZone: string;
	readonly now: number;
};

/**
 * The answers of a replica, where one may be asked. It is trusted only about a driver
 * with access; refusals always come from the primary.
 */
async function readFromReplica<S extends { session: ReturnType<typeof principalStatement> }>(
	{ db, replica, now }: RequestContext,
	statements: S,
): Promise<Results<S> | undefined> {
	if (!replica?.mark) return undefined;
	const answers = await db.readReplica(replica.mark.bookmark, statements);
	const [row] = answers.session as PrincipalRow[];
	return toPrincipal(row, now).kind === "driver" ? answers : undefined;
}

/** Rows of `selectSettings`. */
type Chosen = StatementResult<ReturnType<typeof selectSettings>>;

type Proven<S extends Statements> = {
	readonly principal: Principal;
	readonly answers: Results<S> | undefined;
	readonly settings: FleetSettings;
	readonly waiting?: Waiting | undefined;
};

type Role = AuthenticatedContext["role"];

/** The settings that have a variable of the environment. */
export const variableSettings = ({ settings }: RequestContext): FromVariables => ({
	fleetName: settings.appName,
});

/** Whether it is a screen, which shows people what needs their attention. */
const isScreen = ({ context: { rule }, request }: Args) =>
	request.method === "GET" && rule.kind === "page" && !rule.isFile;

/**
 * Whose screen it is, as far as that is known yet: for screens of both portals, the cookie's hint
 * says.
 */
const likelyRole = ({ rule, presented }: RequestContext): Role =>
	rule.methods.GET === "adminPage" || presented?.hint === "admin" ? "admin" : "driver";

const selectWaitingOf = (role: Role, { me }: QueryContext) =>
	role === "admin" ? selectWaiting() : selectQuestionsFor(me);

async function prove<S extends Statements>(
	context: RequestContext,
	statements: (asking: QueryContext) => S,
	waitingOf: Role | undefined,
): Promise<Proven<S>> {
	const { db, presented, now, today, settings } = context;
	if (!presented) {
		context.mayReadReplica = false;
		return {
			principal: toPrincipal(undefined, now),
			answers: undefined,
			settings: toFleetSettings([], variableSettings(context)),
		};
	}
	const asking: QueryContext = {
		build: db.build,
		me: new SessionUser(presented.tokenHash, now),
		today,
		timeZone: settings.timeZone,
		now,
	};
	const asked = {
		session: principalStatement(presented.tokenHash),
		fleet: selectSettings(),
		...(waitingOf ? { waiting: selectWaitingOf(waitingOf, asking) } : {}),
		...statements(asking),
	};
	const { session, fleet, waiting, ...answers } =
		(await readFromReplica(context, asked)) ?? (await db.batch(asked));
	const row = (session as PrincipalRow[])[0];
	const principal = toPrincipal(row, now);
	context.mayReadReplica = principal.kind === "driver";
	context.isAdministrator = principal.kind === "admin";
	const chosen = toFleetSettings(fleet as Chosen, variableSettings(context));
	if (row && principal.user) {
		context.fleetName = chosen.fleetName;
		context.userId = principal.user.id;
		if (now - row.lastSeenAt > TOUCH_INTERVAL_MS) {
			// Losing a touch shortens the idle limit by an hour at most, which is no reason to fail the
			// request.
			context.later(
				db
					.batch({ touch: touchStatement(db.build, presented.tokenHash, principal.user.role, now) })
					.catch(() => undefined),
			);
		}
	}
	return {
		principal,
		answers: answers as unknown as Results<S>,
		settings: chosen,
		...(principal.kind === waitingOf && waiting ? { waiting: (waiting as Waiting[])[0] } : {}),
	};
}

/**
 * Proves the principal and applies the matrix, and throws unless it allows the request. No data
 * leaves this function before that.
 */
async function admit<S extends Statements>(
	args: Args,
	statements: (asking: QueryContext) => S,
	role = likelyRole(args.context),
): Promise<Proven<S>> {
	const { context } = args;
	const proven = await prove(context, statements, isScreen(args) ? role : undefined);
	const verdict = verdictForMethod(context.rule, context.method, proven.principal.kind);
	if (verdict !== "allow") {
		await noteOtherAccount(args, proven.principal.user);
		throw await refuse(context, verdict ?? "not-found", proven.principal);
	}
	return proven;
}

function toActorContext(
	args: Args,
	user: UserRow,
	{ settings, waiting }: Pick<Proven<Statements>, "settings" | "waiting">,
): AuthenticatedContext {
	const { context } = args;
	return {
		user,
		role: user.role === "admin" ? "admin" : "driver",
		sessionRef: sessionRefOf(context.presented?.tokenHash ?? ""),
		requestId: context.requestId,
		now: context.now,
		db: context.db,
		archive: context.archive,
		timeZone: context.settings.timeZone,
		today: context.today,
		settings,
		waiting,
		reportFault: context.reportFault,
		accessLost: () => refuseAgain(args),
		tooMany: () => tooMany(context),
	};
}

/**
 * Refuses someone whose access ended during their request, in the way their next request would be
 * refused.
 */
async function refuseAgain(args: Args): Promise<unknown> {
	try {
		await admit(args, noStatements);
	} catch (refused) {
		return refused;
	}
	// Their access has been restored in the meantime, so sending the request again will work.
	return unavailable(args.context, new Error("access ended and came back within one request"));
}

const noStatements = () => ({});

/** Admits a driver, and returns the page's own answers from the same trip. */
export async function requireDriver<S extends Statements = Record<never, Statement>>(
	args: Args,
	statements: (asking: QueryContext) => S = noStatements as () => S,
): Promise<Results<S> & { driver: DriverContext }> {
	const proven = await admit(args, statements);
	const { principal, answers } = proven;
	if (principal.kind !== "driver" || !principal.user)
		throw new Error("this route isn't for drivers only");
	const driver = toActorContext(args, principal.user, proven) as DriverContext;
	return { ...(answers as Results<S>), driver };
}

/** Admits an administrator, and returns the page's own answers from the same trip. */
export async function requireAdmin<S extends Statements = Record<never, Statement>>(
	args: Args,
	statements: (asking: QueryContext) => S = noStatements as () => S,
): Promise<Results<S> & { admin: AdminContext }> {
	const proven = await admit(args, statements);
	const { principal, answers } = proven;
	if (principal.kind !== "admin" || !principal.user)
		throw new Error("this route isn't for administrators only");
	return {
		...(answers as Results<S>),
		admin: toActorContext(args, principal.user, proven) as AdminContext,
	};
}

/** Admits anyone the matrix allows, and returns who they are. */
export async function requireUser<S extends Statements = Record<never, Statement>>(
	args: Args,
	statements: (asking: QueryContext) => S = noStatements as () => S,
): Promise<Results<S> & { self: SelfContext }> {
	const proven = await admit(args, statements);
	const { principal, answers } = proven;
	if (!principal.user) throw new Error("this route isn't for signed-in users only");
	return {
		...(answers as Results<S>),
		self: {
			...toActorContext(args, principal.user, proven),
			standing: getStanding(principal.user),
		} as SelfContext,
	};
}

/** Who is asking, on routes that everyone may use: signing in and out. */
export async function currentPrincipal(args: Args): Promise<Principal> {
	return (await admit(args, noStatements)).principal;
}

/** Refuses a path that doesn't exist, depending on who is asking. */
export async function rejectUnknownRoute(args: Args): Promise<never> {
	await admit(args, noStatements);
	throw new Error("no one may open an unknown path");
}

export type PortalAccess<A, D> =
	| { readonly kind: "visitor"; readonly isDeactivated: boolean }
	| { readonly kind: "admin"; readonly admin: AdminContext; readonly answers: A }
	| { readonly kind: "driver"; readonly driver: DriverContext; readonly answers: D };

/**
 * The caller's portal, on routes that drivers and administrators share. The cookie's untrusted hint
 * picks the statements, so that a right hint takes one trip; a wrong one takes a second trip, and
 * its answers are discarded.
 */
export async function requirePortal<A extends Statements, D extends Statements>(
	args: Args,
	adminStatements: (asking: QueryContext) => A,
	driverStatements: (asking: QueryContext) => D,
): Promise<PortalAccess<Results<A>, Results<D>>> {
	const hint = args.context.presented?.hint ?? "driver";
	const first = await admit<Statements>(
		args,
		hint === "admin" ? adminStatements : driverStatements,
	);
	const { principal } = first;
	if (!principal.user) return { kind: "visitor", isDeactivated: principal.isDeactivated };
	const isRight = principal.kind === hint;
	if (principal.kind === "admin") {
		const proven = isRight ? first : await admit(args, adminStatements, "admin");
		const admin = toActorContext(args, principal.user, proven) as AdminContext;
		return { kind: "admin", admin, answers: proven.answers as Results<A> };
	}
	const proven = isRight ? first : await admit(args, driverStatements, "driver");
	const driver = toActorContext(args, principal.user, proven) as DriverContext;
	return { kind: "driver", driver, answers: proven.answers as Results<D> };
}
