/**
 * Reading from replicas (decision 0058): cookies remember a state of the primary, so that a
 * driver's pages may come from a replica that is at least as recent.
 */
import { createCookie } from "@remix-run/cloudflare";
import * as v from "valibot";
import { type Database, laterBookmark } from "../db/client.server.ts";
import { sessionRefOf } from "../domain/people/sessions.server.ts";
import type { Settings } from "../env.server.ts";
import { isDriverScreen, type RouteRule } from "../routing/routes.ts";
import type { PresentedSession } from "./session.server.ts";

/** How far the clocks of two data centers may be apart. */
const CLOCK_SKEW_MS = 5000;

/**
 * How long replicas may show a driver pages after the primary has proved who they are. It is less
 * than the promised thirty seconds, because another clock may have started them.
 */
const NEAR_FOR_MS = 30_000 - CLOCK_SKEW_MS;

/**
 * How long a driver's pages come from the primary after they changed something: a replica that
 * lacks the change would wait for it, which can take longer than the trip to the primary.
 */
const SETTLE_MS = 2000;

/** Longer than any page may be read from a replica: an expired cookie must never hide a change. */
const COOKIE_SECONDS = 60;

/** A state of the primary, and a moment up to which it includes every write. */
export type ReplicaMark = { readonly bookmark: string; readonly at: number };

export type ReplicaRead = {
	/** Undefined if the primary has to answer. */
	readonly mark: ReplicaMark | undefined;
	readonly hasCookies: boolean;
};

/**
 * There are two cookies, so that a late answer to a page can't undo what the answer to a change has
 * set.
 */
const NAMES = ["seen", "written"] as const;

const cookieName = (name: (typeof NAMES)[number], { isHttps }: Settings) =>
	isHttps ? `__Host-${name}` : name;

const cookieOf = (name: (typeof NAMES)[number], settings: Settings) =>
	createCookie(cookieName(name, settings), {
		secrets: [settings.cookieSecret],
		httpOnly: true,
		sameSite: "lax",
		path: "/",
		maxAge: COOKIE_SECONDS,
		secure: settings.isHttps,
	});

/** Bookmark, moment, and the session they belong to. */
const contents = v.tuple([
	v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
	v.pipe(v.number(), v.integer()),
	v.string(),
]);

/** What a request says it has seen of the primary; undefined without replicas. */
export async function parseReplicaRead(
	request: Request,
	settings: Settings,
	rule: RouteRule,
	presented: PresentedSession | undefined,
	now: number,
): Promise<ReplicaRead | undefined> {
	if (!settings.readReplicas) return undefined;
	const header = request.headers.get("Cookie") ?? "";
	const sent = NAMES.filter((name) =>
		new RegExp(`(^|;) *${cookieName(name, settings)}=`).test(header),
	);
	const hasCookies = sent.length > 0;
	if (!presented || !hasCookies || !isDriverScreen(rule, request.method))
		return { mark: undefined, hasCookies };
	const marks = await Promise.all(
		sent.map(async (name) => {
			const mark = await markIn(header, cookieOf(name, settings), presented);
			const isSettling = name === "written" && mark && now - mark.at < SETTLE_MS;
			return isSettling ? undefined : mark;
		}),
	);
	return { mark: newest(marks, now), hasCookies };
}

async function markIn(
	header: string,
	cookie: ReturnType<typeof createCookie>,
	presented: PresentedSession,
): Promise<ReplicaMark | undefined> {
	try {
		const [bookmark, at, session] = v.parse(contents, await cookie.parse(header));
		return session === sessionRefOf(presented.tokenHash) ? { bookmark, at } : undefined;
	} catch {
		// A cookie that isn't ours.
		return undefined;
	}
}

/**
 * The newest state and the newest moment; the newer of two states includes the other. Undefined
 * when a mark doesn't count, or the moment is too long ago.
 */
function newest(marks: readonly (ReplicaMark | undefined)[], now: number): ReplicaMark | undefined {
	let bookmark: string | undefined;
	let at = Number.NEGATIVE_INFINITY;
	for (const mark of marks) {
		if (!mark) return undefined;
		bookmark = laterBookmark(bookmark, mark.bookmark);
		at = Math.max(at, mark.at);
	}
	const age = now - at;
	if (bookmark === undefined || age > NEAR_FOR_MS || age < -CLOCK_SKEW_MS) return undefined;
	return { bookmark, at };
}

/** What is known of a request once it has been answered. */
type Answered = {
	readonly settings: Settings;
	readonly db: Pick<Database, "bookmark" | "hasAskedPrimary">;
	readonly replica: ReplicaRead | undefined;
	readonly presented: PresentedSession | undefined;
	readonly now: number;
	readonly method: string;
	/** Undefined if the guard wasn't asked. */
	readonly mayReadReplica: boolean | undefined;
};

/**
 * The `Set-Cookie` values that allow replicas to answer the next pages, or stop them. A read from a
 * replica passes its state on and keeps the moment: only the primary renews it.
 */
export async function replicaCookies({
	settings,
	db,
	replica,
	presented,
	now,
	method,
	mayReadReplica,
}: Answered): Promise<string[]> {
	if (!replica || mayReadReplica === undefined) return [];
	if (!mayReadReplica || !presented) {
		if (!replica.hasCookies) return [];
		return Promise.all(NAMES.map((name) => cookieOf(name, settings).serialize("", { maxAge: 0 })));
	}
	const at = db.hasAskedPrimary ? now : replica.mark?.at;
	if (!db.bookmark || at === undefined) return [];
	if (at === replica.mark?.at && db.bookmark === replica.mark.bookmark) return [];
	const name = method === "GET" || method === "HEAD" ? "seen" : "written";
	return [
		await cookieOf(name, settings).serialize([db.bookmark, at, sessionRefOf(presented.tokenHash)]),
	];
}
