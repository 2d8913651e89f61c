/**
 * Reports a logged fault to the operator's webhook, and its stack in our own files and lines to the
 * log. Each isolate reports the same fault at most once a minute.
 */
import { type Env, errorWebhookOf } from "../env.server.ts";
import { describeError } from "../values/describe-error.ts";

const PAUSE_MS = 60_000;
/** Faults remembered at once; more different ones a minute are one outage. */
const MAX_REMEMBERED = 50;
const TIMEOUT_MS = 5_000;

type ReportedFault = { at: number; untold: number };
/** When this isolate last reported each fault, and how often it has happened since. */
const reported = new Map<string, ReportedFault>();

/** Where a fault happened. */
export type FaultContext = {
	/** A task's name, or the request's id. */
	readonly task?: string;
	readonly requestId?: string;
	readonly path?: string;
	/** UTC milliseconds. */
	readonly now: number;
};

/** Identifies a fault wherever it happens: its message and its stack's first line. */
function fingerprintOf(error: unknown): string {
	const text = describeError(error);
	const [first = "", ...frames] = text.split("\n");
	return `${first.replace(/[0-9a-f-]{8,}|\d+/gi, "#").slice(0, 200)} ${frames[0]?.trim() ?? ""}`;
}

/** The stack in our own files and lines, or unchanged if the table can't be read. */
async function readableStack(stack: string): Promise<string> {
	try {
		const [{ mapStack }, { default: table }] = await Promise.all([
			import("./map-stack.ts"),
			// @ts-expect-error tools/bundle writes it beside the bundle; nothing loads it before a fault
			import("virtual:stack-map"),
		]);
		return mapStack(stack, table);
	} catch {
		return stack;
	}
}

/** Reports a fault. It never throws. */
export async function reportFault(
	env: Env,
	error: unknown,
	{ task, requestId, path, now }: FaultContext,
): Promise<void> {
	const kind = fingerprintOf(error);
	const last = reported.get(kind);
	if (last && now - last.at < PAUSE_MS && now >= last.at) {
		last.untold += 1;
		return;
	}
	if (reported.size >= MAX_REMEMBERED) reported.delete(reported.keys().next().value ?? "");
	reported.set(kind, { at: now, untold: 0 });
	const stack = await readableStack(describeError(error));
	console.log(JSON.stringify({ stack, requestId, task }));
	const webhook = errorWebhookOf(env);
	if (!webhook) return;
	const release = env.CF_VERSION_METADATA?.id ?? "local";
	const where = requestId ? `${path ?? ""} (request ${requestId})` : (task ?? "");
	const body = {
		// What Slack, Teams and Mattermost show.
		text: `Milepost fault in ${where}, release ${release}: ${stack.split("\n")[0]}`,
		fault: kind,
		requestId: requestId ?? null,
		task: task ?? null,
		release,
		at: new Date(now).toISOString(),
		/** How often it has happened since the last report. */
		repeated: last?.untold ?? 0,
		stack,
	};
	try {
		const answer = await fetch(webhook, {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(TIMEOUT_MS),
			redirect: "manual",
		});
		await answer.body?.cancel();
	} catch (failure) {
		console.error(JSON.stringify({ level: "warn", webhook: describeError(failure) }));
	}
}
