/**
 * The guard: proves who is asking, by a session or a token, and applies the permission matrix, in the same D1 trip that
 * fetches the page's data. Only this module makes a `DriverContext`, an `AdminContext` or a `ViewerContext`, and every
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
import type {
	AdminContext,
	AuthenticatedContext,
	DriverContext,
	ReaderContext,
	SelfContext,
	UserRow,
} from "../domain/kernel/context.ts";
import {
	type FleetSettings,
	type FromVariables,
	toFleetSettings,
} from "../domain/kernel/fleet-settings.ts";
import { getStanding, roleOf } from "../domain/kernel/standing.ts";
import type { Waiting } from "../domain/kernel/waiting.ts";
import { sessionRefOf } from "../domain/people/sessions.server.ts";
import { selectSettings } from "../domain/settings/queries.server.ts";
import { isOverLimit } from "../http/rate-limit.server.ts";
import { verdictForMethod } from "../routing/routes.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import { setFleetUnits } from "../values/fleet-units.ts";
import { noteOtherAccount } from "./form-owner.server.ts";
import { isScreen, likelyPortal, type Portal, selectWaitingOf } from "./portal.server.ts";
import { columnOf, type Principal, toPrincipal } from "./principal.server.ts";
import { hintOf, type Proof, proofOf } from "./proof.server.ts";
import { refuse, tooMany, tooManyCalls, unavailable } from "./refuse.server.ts";
import type { RequestContext } from "./request-context.ts";

type Args = LoaderFunctionArgs | ActionFunctionArgs;
/** What a query may use before the principal is known; the owner is a sub-select on the proof. */
export type QueryContext = {
	readonly build: Builder;
	readonly me: SQL<string>;
	readonly today: CalendarDate;
	readonly timeZone: string;
	readonly now: number;
};

/**
 * The answers of a replica, if one may be asked. It is trusted only about a driver with access;
 * refusals always come from the primary.
 */
async function readFromReplica<S extends { readonly proof: Statement }>(
	{ db, replica }: RequestContext,
	{ read }: Proof,
	statements: S,
): Promise<Results<S> | undefined> {
	if (!replica?.mark) return undefined;
	const answers = await db.readReplica(replica.mark.bookmark, statements);
	return read(answers.proof as readonly unknown[]).kind === "driver" ? answers : undefined;
}

/** A page's own statements; those in a module that is loaded on demand come as a promise. */
type Asks<S> = (asking: QueryContext) => S | Promise<S>;

/** Rows of `selectSettings`. */
type Chosen = StatementResult<ReturnType<typeof selectSettings>>;

type Proven<S extends Statements> = {
	readonly principal: Principal;
	readonly answers: Results<S> | undefined;
	readonly settings: FleetSettings;
	readonly waiting?: Waiting | undefined;
};

/** The settings that have an environment variable. */
export const variableSettings = ({ settings }: RequestContext): FromVariables => ({
	fleetName: settings.appName,
});

async function prove<S extends Statements>(
	context: RequestContext,
	statements: Asks<S>,
	waitingOf: Portal | undefined,
): Promise<Proven<S>> {
	const { db, env, bearer, now, today, settings } = context;
	const proof = proofOf(context);
	if (!proof) {
		context.mayReadReplica = false;
		return {
			principal: toPrincipal(undefined, now),
			answers: undefined,
			settings: toFleetSettings([], variableSettings(context)),
		};
	}
	if (bearer?.tokenHash && (await isOverLimit(env.TOKEN_LIMIT, bearer.tokenHash)))
		throw tooManyCalls();
	const asking: QueryContext = {
		build: db.build,
		me: proof.me,
		today,
		timeZone: settings.timeZone,
		now,
	};
	const asked = {
		proof: proof.statement,
		fleet: selectSettings(),
		...(waitingOf ? { waiting: selectWaitingOf(waitingOf, asking) } : {}),
		...(await statements(asking)),
	};
	const answered = (await readFromReplica(context, proof, asked)) ?? (await db.batch(asked));
	const { proof: rows, fleet, waiting, ...answers } = answered;
	const principal = proof.read(rows as readonly unknown[]);
	context.mayReadReplica = principal.kind === "driver";
	context.isAdministrator = isReader(principal);
	const chosen = toFleetSettings(fleet as Chosen, variableSettings(context));
	setFleetUnits(chosen);
	if (principal.user) {
		context.fleetName = chosen.fleetName;
		context.userId = principal.user.id;
		const touch = proof.touch(db.build, rows as readonly unknown[]);
		// Losing a touch shortens the idle limit by at most an hour: no reason to fail the request.
		if (touch) context.later(db.batch({ touch }).catch(() => undefined));
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
	statements: Asks<S>,
	portal = likelyPortal(args.context),
): Promise<Proven<S>> {
	const { context } = args;
	const proven = await prove(context, statements, isScreen(args) ? portal : undefined);
	const verdict = verdictForMethod(context.rule, context.method, columnOf(proven.principal));
	if (verdict !== "allow") {
		await noteOtherAccount(args, proven.principal.user);
		throw await refuse(context, verdict ?? "not-found", proven.principal);
	}
	return proven;
}

const isReader = ({ kind }: Principal) => kind === "admin" || kind === "viewer";

function toActorContext(
	args: Args,
	user: UserRow,
	{ principal, settings, waiting }: Pick<Proven<Statements>, "principal" | "settings" | "waiting">,
): AuthenticatedContext {
	const { context } = args;
	const role = roleOf(user);
	return {
		user,
		role: role === "none" ? "driver" : role,
		sessionRef: principal.token?.id ?? sessionRefOf(context.presented?.tokenHash ?? ""),
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
 * Refuses someone whose access ended during their request, as their next request would be refused.
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

/** Admits some kinds of people, on routes that admit nobody else. */
async function admitOnly<S extends Statements>(
	args: Args,
	statements: (asking: QueryContext) => S,
	...kinds: Principal["kind"][]
) {
	const proven = await admit(args, statements);
	const { principal, answers } = proven;
	if (!principal.user || !kinds.includes(principal.kind))
		throw new Error(`this route isn't only for: ${kinds.join(", ")}`);
	const actor: unknown = toActorContext(args, principal.user, proven);
	return { actor, answers: answers as Results<S> };
}

/** Admits a driver, and returns the page's own answers from the same trip. */
export async function requireDriver<S extends Statements = Record<never, Statement>>(
	args: Args,
	statements: (asking: QueryContext) => S = noStatements as () => S,
): Promise<Results<S> & { driver: DriverContext }> {
	const { actor, answers } = await admitOnly(args, statements, "driver");
	return { ...answers, driver: actor as DriverContext };
}

/** Admits an administrator, and returns the page's own answers from the same trip. */
export async function requireAdmin<S extends Statements = Record<never, Statement>>(
	args: Args,
	statements: (asking: QueryContext) => S = noStatements as () => S,
): Promise<Results<S> & { admin: AdminContext }> {
	const { actor, answers } = await admitOnly(args, statements, "admin");
	return { ...answers, admin: actor as AdminContext };
}

/** Admits anyone who may read what administrators read, with the page's own answers. */
export async function requireReader<S extends Statements = Record<never, Statement>>(
	args: Args,
	statements: (asking: QueryContext) => S = noStatements as () => S,
): Promise<Results<S> & { reader: ReaderContext }> {
	const { actor, answers } = await admitOnly(args, statements, "admin", "viewer");
	return { ...answers, reader: actor as ReaderContext };
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
	| { readonly kind: "reader"; readonly reader: ReaderContext; readonly answers: A }
	| { readonly kind: "driver"; readonly driver: DriverContext; readonly answers: D };

/**
 * The caller's portal, on routes that drivers share with administrators and accountants. The cookie's untrusted hint
 * picks the statements, so that a right hint takes one trip; a wrong one takes a second trip, and
 * its answers are discarded.
 */
export async function requirePortal<A extends Statements, D extends Statements>(
	args: Args,
	adminStatements: Asks<A>,
	driverStatements: Asks<D>,
): Promise<PortalAccess<Results<A>, Results<D>>> {
	const hint = hintOf(args.context);
	const first = await admit<Statements>(
		args,
		hint === "admin" ? adminStatements : driverStatements,
	);
	const { principal } = first;
	if (!principal.user) return { kind: "visitor", isDeactivated: principal.isDeactivated };
	if (isReader(principal)) {
		const proven = hint === "admin" ? first : await admit(args, adminStatements, "admin");
		const reader = toActorContext(args, principal.user, proven) as ReaderContext;
		return { kind: "reader", reader, answers: proven.answers as Results<A> };
	}
	const proven = hint === "driver" ? first : await admit(args, driverStatements, "driver");
	const driver = toActorContext(args, principal.user, proven) as DriverContext;
	return { kind: "driver", driver, answers: proven.answers as Results<D> };
}
