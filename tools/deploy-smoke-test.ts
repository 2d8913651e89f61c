/** Checks the new release at the URL that people use. */
import * as v from "valibot";
import { causeOf } from "./remote-database.ts";

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

async function healthFault(address: string, expected: Expected): Promise<string | undefined> {
	const answer = await get(`${address}/healthz`);
	if (typeof answer === "string") return answer;
	const health = v.safeParse(v.pipe(v.string(), v.parseJson(), HEALTH), answer.text);
	if (!health.success)
		return `${address}/healthz answers ${answer.status}, and not as Milepost does`;
	const { status, database, receipts, schema, release, wrongSettings } = health.output;
	if (release !== expected.release)
		return `${address} is still answered by ${release ? `release ${release}` : "another release"}`;
	if (wrongSettings.length > 0)
		return `${address}/healthz says that these settings are wrong: ${wrongSettings.join(", ")}`;
	if (status !== "ok" || answer.status !== 200)
		return `${address}/healthz says database ${database}, receipts ${receipts}`;
	if (schema !== expected.schema) return `${address}/healthz says its schema is ${schema}`;
	return undefined;
}

async function pageFault(address: string): Promise<string | undefined> {
	const answer = await get(`${address}/`);
	if (typeof answer === "string") return answer;
	return answer.status === 200 ? undefined : `${address}/ answers ${answer.status}`;
}

async function get(url: string): Promise<{ status: number; text: string } | string> {
	try {
		const response = await fetch(url, {
			redirect: "manual",
			signal: AbortSignal.timeout(ANSWER_MS),
		});
		return { status: response.status, text: await response.text() };
	} catch (error) {
		const isLate = error instanceof Error && error.name === "TimeoutError";
		return isLate ? `${url} doesn't answer` : `${url} can't be reached (${causeOf(error)})`;
	}
}
