/**
 * The guard: proves who is asking and applies the matrix, in the same D1 trip that fetches what the page shows.
 * Only this module makes a `DriverContext` or an `AdminContext`, and every command demands one: forgetting a check does not compile.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { SQL } from "drizzle-orm";
import type { Answer, Builder, Statement } from "../db/client.server.ts";
import type { AdminContext, DriverContext, Proven, SelfContext, UserRow } from "../domain/context.ts";
import { standingOf } from "../domain/users/rules.ts";
import { verdictOn } from "../routing/routes.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import { type Principal, type PrincipalRow, principalFrom } from "./principal.server.ts";
import { refuse, unavailable } from "./refuse.server.ts";
import type { RequestContext } from "./request-context.ts";
import { ownerOf, principalStatement, TOUCH_AFTER, touchStatement } from "./session.server.ts";

type Args = LoaderFunctionArgs | ActionFunctionArgs;
/** What a query may use before the principal is known: the owner as a sub-select on the session. */
export type QueryContext = {
	readonly build: Builder;
	readonly me: SQL<string>;
	readonly today: CalendarDate;
	readonly timeZone: string;
	readonly now: number;
};
type Statements = Record<string, Statement>;
type Answers<S extends Statements> = { [K in keyof S]: Answer<S[K]> };

async function prove<S extends Statements>(
	context: RequestContext,
	statements: (asking: QueryContext) => S,
): Promise<{ principal: Principal; answers: Answers<S> | undefined }> {
	const { db, presented, now, today, settings } = context;
	if (!presented) return { principal: principalFrom(undefined, now), answers: undefined };
	const asking: QueryContext = { build: db.build, me: ownerOf(presented.tokenHash, now), today, timeZone: settings.timeZone, now };
	const { session, ...answers } = await db.batch({ session: principalStatement(db.build, presented.tokenHash), ...statements(asking) });
	const row = (session as PrincipalRow[])[0];
	const principal = principalFrom(row, now);
	if (row && principal.user) {
		context.userId = principal.user.id;
		if (now - row.lastSeenAt > TOUCH_AFTER) {
			// A lost touch shortens an idle limit by an hour at most, so a failure here is not the request's concern.
			context.later(db.batch({ touch: touchStatement(db.build, presented.tokenHash, principal.user.role, now) }).catch(() => undefined));
		}
	}
	return { principal, answers: answers as unknown as Answers<S> };
}

/** Proves the principal, asks the matrix, and throws unless it allows. Nothing that was read leaves this function before that. */
async function admit<S extends Statements>(
	args: Args,
	statements: (asking: QueryContext) => S,
): Promise<{ principal: Principal; answers: Answers<S> | undefined }> {
	const { context } = args;
	const proven = await prove(context, statements);
	const verdict = verdictOn(context.rule, context.method, proven.principal.kind);
	if (verdict !== "allow") throw await refuse(context, verdict ?? "not-found", proven.principal);
	return proven;
}

function provenBy(args: Args, user: UserRow): Proven {
	const { context } = args;
	return {
		user,
		role: user.role === "admin" ? "admin" : "driver",
		sessionRef: context.presented?.tokenHash.slice(0, 16) ?? "",
		requestId: context.requestId,
		now: context.now,
		db: context.db,
		timeZone: context.settings.timeZone,
		today: context.today,
		accessLost: () => askAgain(args),
	};
}

/**
 * How somebody is refused whose access ended while their request was under way: as their next
 * request would be.
 */
async function askAgain(args: Args): Promise<unknown> {
	try {
		await admit(args, nothing);
	} catch (refused) {
		return refused;
	}
	// Their access has come back in the meantime: the same request will pass.
	return unavailable(args.context, new Error("access ended and came back within one request"));
}

const nothing = () => ({});

/** Admits a driver, with the answers of the page's own statements from the same trip. */
export async function asDriver<S extends Statements = Record<never, Statement>>(
	args: Args,
	statements: (asking: QueryContext) => S = nothing as () => S,
): Promise<Answers<S> & { driver: DriverContext }> {
	const { principal, answers } = await admit(args, statements);
	if (principal.kind !== "driver" || !principal.user) throw new Error("this route's audience is not drivers alone");
	return { ...(answers as Answers<S>), driver: provenBy(args, principal.user) as DriverContext };
}

/** Admits an administrator, with the answers of the page's own statements from the same trip. */
export async function asAdmin<S extends Statements = Record<never, Statement>>(
	args: Args,
	statements: (asking: QueryContext) => S = nothing as () => S,
): Promise<Answers<S> & { admin: AdminContext }> {
	const { principal, answers } = await admit(args, statements);
	if (principal.kind !== "admin" || !principal.user) throw new Error("this route's audience is not administrators alone");
	return { ...(answers as Answers<S>), admin: provenBy(args, principal.user) as AdminContext };
}

/** Admits whoever the matrix lets pass, and says in what standing. */
export async function asSelf<S extends Statements = Record<never, Statement>>(
	args: Args,
	statements: (asking: QueryContext) => S = nothing as () => S,
): Promise<Answers<S> & { self: SelfContext }> {
	const { principal, answers } = await admit(args, statements);
	if (!principal.user) throw new Error("this route's audience is not signed-in people alone");
	return {
		...(answers as Answers<S>),
		self: { ...provenBy(args, principal.user), standing: standingOf(principal.user) } as SelfContext,
	};
}

/** Who is asking, without a verdict: for signing in and out. */
export async function currentPrincipal(args: Args): Promise<Principal> {
	return (await admit(args, nothing)).principal;
}

/** Refuses every request to a path that does not exist, as its principal would be refused. */
export async function rejectUnknownRoute(args: Args): Promise<never> {
	await admit(args, nothing);
	throw new Error("the matrix admits nobody to an unknown path");
}

export type InPortal<A, D> =
	| { readonly kind: "visitor"; readonly isDeactivated: boolean }
	| { readonly kind: "admin"; readonly admin: AdminContext; readonly answers: A }
	| { readonly kind: "driver"; readonly driver: DriverContext; readonly answers: D };

/**
 * The portal of whoever asks, where both kinds of people have one. The cookie's untrusted hint picks the statements, so that the right one takes one trip;
 * a wrong hint takes a second trip and its answers are thrown away.
 */
export async function inPortal<A extends Statements, D extends Statements>(
	args: Args,
	adminStatements: (asking: QueryContext) => A,
	driverStatements: (asking: QueryContext) => D,
): Promise<InPortal<Answers<A>, Answers<D>>> {
	const hint = args.context.presented?.hint ?? "driver";
	const first = await admit<Statements>(args, hint === "admin" ? adminStatements : driverStatements);
	const { principal } = first;
	if (!principal.user) return { kind: "visitor", isDeactivated: principal.isDeactivated };
	const proven = provenBy(args, principal.user);
	const isRight = principal.kind === hint;
	if (principal.kind === "admin") {
		const answers = isRight ? first.answers : (await admit(args, adminStatements)).answers;
		return { kind: "admin", admin: proven as AdminContext, answers: answers as Answers<A> };
	}
	const answers = isRight ? first.answers : (await admit(args, driverStatements)).answers;
	return { kind: "driver", driver: proven as DriverContext, answers: answers as Answers<D> };
}
