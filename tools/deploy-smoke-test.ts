/** Asks a deployed Worker at the URL that people use; checks a new release there. */
import * as v from "valibot";
import { causeOf, fetchWithin } from "./fetch-within.ts";

const HEALTH = v.object({
	status: v.string(),
	database: v.string(),
	receipts: v.string(),
	schema: v.nullable(v.string()),
	// An earlier release names no settings.
	wrongSettings: v.optional(v.array(v.string()), []),
	release: v.optional(v.string()),
});

export type Expected = {
	/** The version that was uploaded. */
	readonly release: string;
	/** The newest migration, without its file extension. */
	readonly schema: string;
};

const PAUSE_MS = 1000;
const ANSWER_MS = 15_000;

/**
 * Requests `/healthz` and then the first page until both are right or time is up: a release takes a
 * moment to reach every location, and a new hostname some minutes.
 * @returns what is still wrong when time is up
 */
export async function smokeTest(
	address: string,
	expected: Expected,
	patienceMs: number,
): Promise<string | undefined> {
	const ends = performance.now() + patienceMs;
	for (;;) {
		const fault = (await healthFault(address, expected)) ?? (await pageFault(address));
		if (!fault || performance.now() > ends) return fault;
		await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
	}
}

/** What `/healthz` says, or why that isn't known. */
async function healthAt(address: string) {
	const answer = await get(`${address}/healthz`);
	if (typeof answer === "string") return answer;
	const health = v.safeParse(v.pipe(v.string(), v.parseJson(), HEALTH), answer.text);
	return health.success
		? { ...health.output, code: answer.status }
		: `${address}/healthz answers ${answer.status}, and not as Milepost does`;
}

async function healthFault(address: string, expected: Expected): Promise<string | undefined> {
	const health = await healthAt(address);
	if (typeof health === "string") return health;
	const { status, code, database, receipts, schema, release, wrongSettings } = health;
	if (release !== expected.release)
		return `${address} is still answered by ${release ? `release ${release}` : "another release"}`;
	if (wrongSettings.length > 0)
		return `${address}/healthz says that these settings are wrong: ${wrongSettings.join(", ")}`;
	if (status !== "ok" || code !== 200)
		return `${address}/healthz says database ${database}, receipts ${receipts}`;
	if (schema !== expected.schema) return `${address}/healthz says its schema is ${schema}`;
	return undefined;
}

async function pageFault(address: string): Promise<string | undefined> {
	const answer = await get(`${address}/`);
	if (typeof answer === "string") return answer;
	return answer.status === 200 ? undefined : `${address}/ answers ${answer.status}`;
}

/**
 * Begins a sign-in at each provider, as a browser would.
 * @returns where they lead, or the first fault
 */
export async function signInsAt(address: string): Promise<{ hosts: string[] } | string> {
	const health = await healthAt(address);
	if (typeof health === "string") return health;
	if (health.wrongSettings.length > 0)
		return `these settings are wrong: ${health.wrongSettings.join(", ")}`;
	const hosts: string[] = [];
	const waiting = ["/api/login"];
	for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
		const answer = await get(address + path);
		if (typeof answer === "string") return answer;
		const links = [...answer.text.matchAll(/"(\/api\/login\?provider=[\w-]+)/g)];
		if (answer.location) hosts.push(new URL(answer.location).host);
		else if (answer.status === 200 && links.length > 0)
			waiting.push(...links.map(([, link = ""]) => link));
		else return `${path} answers ${answer.status}`;
	}
	return { hosts };
}

async function get(
	url: string,
): Promise<{ status: number; text: string; location: string | null } | string> {
	try {
		const { status, headers, text } = await fetchWithin(url, { redirect: "manual" }, ANSWER_MS);
		return { status, text: text(), location: headers.get("Location") };
	} catch (error) {
		const isLate = error instanceof Error && error.name === "TimeoutError";
		return isLate ? `${url} doesn't answer` : `${url} can't be reached (${causeOf(error)})`;
	}
}
