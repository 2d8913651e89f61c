/**
 * The deployed database over Cloudflare's HTTP API, shaped like a binding, for tools that run the
 * application's own statements on it. Values are bound, never written into the SQL.
 */
import * as v from "valibot";
import { type BoundStatement, batchedDatabase } from "./batched-database.ts";
import { causeOf, fetchWithin } from "./fetch-within.ts";
import { LimitWait } from "./rate-limit.ts";
import type { RemoteAccess } from "./remote-access.ts";

/** The database didn't run a batch. The message is one line, without the token. */
export class RemoteDatabaseError extends Error {}

/** Milliseconds. */
export type Patience = {
	/** For one answer; D1 itself stops a batch after 30 seconds. */
	readonly answer: number;
	/** Before the second attempt; twice as long before the third. */
	readonly pause: number;
};

const PATIENCE: Patience = { answer: 60_000, pause: 1_000 };
const TRIES = 3;

const PROBLEM = v.object({ code: v.optional(v.number()), message: v.string() });
const ANSWER = v.object({
	success: v.boolean(),
	errors: v.nullish(v.array(PROBLEM), []),
	result: v.optional(v.unknown()),
});
const RESULTS = v.array(
	v.object({
		success: v.optional(v.boolean(), true),
		results: v.optional(v.array(v.record(v.string(), v.unknown())), []),
		meta: v.optional(v.record(v.string(), v.unknown()), {}),
	}),
);
type Answer = v.InferOutput<typeof ANSWER>;
type Results = v.InferOutput<typeof RESULTS>;

/** The database as a binding. A batch may run twice, so repeating it must be safe. */
export function remoteDatabase(access: RemoteAccess, patience = PATIENCE): D1Database {
	let isChecked = false;
	return batchedDatabase(async (batch) => {
		const statements = batch.map(({ sql, params }) => ({ sql, params: params.map(toJsonValue) }));
		if (!isChecked) await checkTypes(access, patience);
		isChecked = true;
		return query(access, statements, patience);
	});
}

/** A value as JSON carries it and D1 binds it. */
function toJsonValue(value: unknown): string | number | null {
	if (value === null || (typeof value === "string" && !/\p{Cs}/u.test(value))) return value;
	if (typeof value === "number" && Number.isFinite(value)) return value;
	if (typeof value === "boolean") return Number(value);
	throw new RemoteDatabaseError("Only text, numbers, booleans and null can be sent.");
}

/**
 * Cloudflare documents every value as text, but other clients send numbers and null as they are.
 * Our statements rely on the latter, so it is checked before the first one.
 */
async function checkTypes(access: RemoteAccess, patience: Patience): Promise<void> {
	const sql = "select typeof(?) as number, typeof(?) as text, typeof(?) as none";
	const [first] = await query(access, [{ sql, params: [1, "1", null] }], patience);
	const { number, text, none } = first?.results[0] ?? {};
	const isNumber = number === "integer" || number === "real";
	if (isNumber && text === "text" && none === "null") return;
	throw new RemoteDatabaseError(
		"Cloudflare's API turned numbers into text. Nothing was read or changed.",
	);
}

async function query(
	access: RemoteAccess,
	batch: readonly BoundStatement[],
	patience: Patience,
): Promise<Results> {
	const answer = await answerTo(access, JSON.stringify({ batch }), patience);
	const results = v.safeParse(RESULTS, answer.result);
	const isWhole = results.success && results.output.length === batch.length;
	if (isWhole && results.output.every(({ success }) => success)) return results.output;
	throw new RemoteDatabaseError(
		`Cloudflare's answer doesn't match the ${batch.length} statements sent.`,
	);
}

/** Sends a batch, and again if that may help: a long restore outlasts a broken connection. */
async function answerTo(access: RemoteAccess, body: string, patience: Patience): Promise<Answer> {
	const limit = new LimitWait();
	for (let tries = 1; ; tries++) {
		let received = await send(access, body, patience, tries === TRIES);
		while (received && (await limit.passes(received.status, received.headers)))
			received = await send(access, body, patience, tries === TRIES);
		if (!received) {
			await new Promise((resolve) => setTimeout(resolve, patience.pause * tries));
			continue;
		}
		const { status, ok } = received;
		const answer = v.safeParse(ANSWER, parseJson(received.text()));
		if (ok && answer.success && answer.output.success) return answer.output;
		const mayPass = status === 429 || status >= 500;
		if (!mayPass || tries === TRIES) {
			const problems = answer.success ? answer.output.errors : [];
			const words = refusal(status, problems);
			throw new RemoteDatabaseError(words.replaceAll(access.token, "[token]").replace(/\s+/g, " "));
		}
		await new Promise((resolve) => setTimeout(resolve, patience.pause * tries));
	}
}

/** @returns nothing when the connection failed and another attempt may help */
async function send(
	{ url, token }: RemoteAccess,
	body: string,
	patience: Patience,
	isLast: boolean,
) {
	try {
		const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
		const init: RequestInit = { method: "POST", headers, body, redirect: "error" };
		return await fetchWithin(url, init, patience.answer);
	} catch (error) {
		if (error instanceof Error && error.name === "TimeoutError") {
			throw new RemoteDatabaseError(
				`Cloudflare didn't respond within ${patience.answer / 1000} seconds. It may or may not have made the change; running the command again is safe.`,
			);
		}
		const cause = causeOf(error);
		if (!isLast && !cause.includes("redirect")) return undefined;
		throw new RemoteDatabaseError(`${new URL(url).origin} can't be reached: ${cause}.`);
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** What an operator can do about a status. */
const ADVICE: Readonly<Record<number, string>> = {
	401: "Check that CLOUDFLARE_API_TOKEN is valid and can edit D1 in this account.",
	403: "Check that CLOUDFLARE_API_TOKEN is valid and can edit D1 in this account.",
	404: "Check the account ID and database_id in wrangler.toml.",
	429: "Too many requests. Try again in five minutes.",
};

function refusal(status: number, problems: Answer["errors"]): string {
	const told = problems.map(({ code, message }) => (code ? `${message} (${code})` : message));
	const reason = told.length > 0 ? told.join("; ") : "no reason given";
	return [`Cloudflare returned ${status}: ${reason}.`, ADVICE[status]].filter(Boolean).join(" ");
}
