/** The part of Cloudflare's API that setting up and deploying need. */
import * as v from "valibot";
import { causeOf, fetchWithin } from "./fetch-within.ts";
import type { CloudflareAccess } from "./remote-access.ts";

/** The API refused a request or can't be reached. The message is one sentence. */
export class CloudflareError extends Error {
	constructor(
		message: string,
		/** 0 if there was no response. */
		readonly status: number,
	) {
		super(message);
	}
}

const ANSWER_MS = 30_000;
const ANSWER = v.object({
	success: v.boolean(),
	errors: v.nullish(v.array(v.object({ code: v.optional(v.number()), message: v.string() })), []),
	result: v.optional(v.unknown()),
});

type Sent = {
	readonly method?: "GET" | "POST";
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
};

/** Sends a request about one account; `path` is relative to it. */
export type AccountApi = <Schema extends v.GenericSchema>(
	path: string,
	result: Schema,
	sent?: Sent,
) => Promise<v.InferOutput<Schema>>;

/** The API of an account. Every call throws CloudflareError if it fails. */
export function accountApi({ base, accountId, token }: CloudflareAccess): AccountApi {
	const root = `${base}/accounts/${encodeURIComponent(accountId)}`;
	return async (path, schema, { method = "GET", body, headers = {} } = {}) => {
		const { ok, status, text } = await send(root + path, {
			method,
			headers: {
				Authorization: `Bearer ${token}`,
				...(body === undefined ? {} : { "Content-Type": "application/json" }),
				...headers,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), ANSWER), text());
		if (!ok || !answer.success || !answer.output.success) {
			const problems = answer.success ? answer.output.errors : [];
			throw refusal(status, problems, accountId, token);
		}
		const result = v.safeParse(schema, answer.output.result);
		if (result.success) return result.output;
		throw new CloudflareError(`Cloudflare sent an unexpected response for ${path}.`, 200);
	};
}

/** What the API returns, or undefined if it answers 404. */
export async function orUndefined<Result>(asked: Promise<Result>): Promise<Result | undefined> {
	try {
		return await asked;
	} catch (error) {
		if (error instanceof CloudflareError && error.status === 404) return undefined;
		throw error;
	}
}

async function send(url: string, init: RequestInit) {
	try {
		return await fetchWithin(url, { ...init, redirect: "error" }, ANSWER_MS);
	} catch (error) {
		const isLate = error instanceof Error && error.name === "TimeoutError";
		const words = isLate
			? `didn't answer within ${ANSWER_MS / 1000} seconds`
			: `can't be reached (${causeOf(error)})`;
		throw new CloudflareError(`${new URL(url).origin} ${words}; please try again.`, 0);
	}
}

function refusal(
	status: number,
	problems: v.InferOutput<typeof ANSWER>["errors"],
	accountId: string,
	token: string,
): CloudflareError {
	const told = problems.map(({ code, message }) => (code ? `${message} (${code})` : message));
	const reason = (told.join("; ") || `status ${status}`).replaceAll(token, "[token]");
	const has = (code: number) => problems.some((each) => each.code === code);
	// An invalid account id makes every URL a 404, which says nothing about the requested thing.
	const isRefused = status === 401 || status === 403 || has(6003) || has(7003);
	const words = has(10042)
		? `R2 isn't enabled in account ${accountId}: enable it in Cloudflare's dashboard (${reason}).`
		: isRefused
			? `Cloudflare refuses the token for account ${accountId}: check CLOUDFLARE_API_TOKEN, the account, and that the token may edit Workers Scripts, D1 and R2 there (${reason}).`
			: `Cloudflare answered ${status}: ${reason}.`;
	return new CloudflareError(words.replace(/\s+/g, " "), isRefused ? 403 : status);
}
