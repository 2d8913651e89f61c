/**
 * Reading near (decision 0058): what cookies remember of the primary, so that a driver's pages may
 * come from a replica that knows at least as much.
 */
import { createCookie } from "@remix-run/cloudflare";
import * as v from "valibot";
import { type Database, laterBookmark } from "../db/client.server.ts";
import type { Settings } from "../env.server.ts";
import { isDriverScreen, type RouteRule } from "../routing/routes.ts";
import type { PresentedSession } from "./session.server.ts";

/** By how much the clocks of two data centers may differ. */
const CLOCK_SKEW_MS = 5000;

/**
 * How long after the primary has proved a driver replicas may show them pages: less than the thirty
 * seconds that are promised, because another clock may have begun them.
 */
const NEAR_FOR_MS = 30_000 - CLOCK_SKEW_MS;

/**
 * How long after a change its driver's pages come from the primary: a replica that has not heard of
 * the change would have to wait for it, which can take longer than the way.
 */
const SETTLE_MS = 2000;

/** Longer than a page may be read near by it: an expired cookie must never hide a change. */
const COOKIE_SECONDS = 60;

/** A state of the primary, and a moment before which everything written is in it. */
export type NearMark = { readonly bookmark: string; readonly at: number };

export type NearRead = {
	/** Absent where the primary has to answer. */
	readonly mark: NearMark | undefined;
	readonly hasCookies: boolean;
};

/**
 * Two cookies: an answer to a page that comes late must not take back what the answer to a change
 * has set meanwhile.
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

const sessionRef = ({ tokenHash }: PresentedSession) => tokenHash.slice(0, 16);

/** What a request says it has seen of the primary; undefined while there are no replicas. */
export async function nearReadOf(
	request: Request,
	settings: Settings,
	rule: RouteRule,
	presented: PresentedSession | undefined,
	now: number,
): Promise<NearRead | undefined> {
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
): Promise<NearMark | undefined> {
	try {
		const [bookmark, at, session] = v.parse(contents, await cookie.parse(header));
		return session === sessionRef(presented) ? { bookmark, at } : undefined;
	} catch {
		// A cookie that is not ours.
		return undefined;
	}
}

/**
 * The newest state and the newest moment: the newer of two states has all that either has. Undefined
 * when a mark doesn't count, or the moment is too long ago.
 */
function newest(marks: readonly (NearMark | undefined)[], now: number): NearMark | undefined {
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
	readonly near: NearRead | undefined;
	readonly presented: PresentedSession | undefined;
	readonly now: number;
	readonly method: string;
	/** Undefined when the guard was not asked. */
	readonly mayReadNear: boolean | undefined;
};

/**
 * The `Set-Cookie` values by which the next page may be read near, or no longer. A read from a
 * replica hands its state on and keeps the moment: only the primary starts it anew.
 */
export async function nearCookies({
	settings,
	db,
	near,
	presented,
	now,
	method,
	mayReadNear,
}: Answered): Promise<string[]> {
	if (!near || mayReadNear === undefined) return [];
	if (!mayReadNear || !presented) {
		if (!near.hasCookies) return [];
		return Promise.all(NAMES.map((name) => cookieOf(name, settings).serialize("", { maxAge: 0 })));
	}
	const at = db.hasAskedPrimary ? now : near.mark?.at;
	if (!db.bookmark || at === undefined) return [];
	if (at === near.mark?.at && db.bookmark === near.mark.bookmark) return [];
	const name = method === "GET" || method === "HEAD" ? "seen" : "written";
	return [await cookieOf(name, settings).serialize([db.bookmark, at, sessionRef(presented)])];
}
