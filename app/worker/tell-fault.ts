/**
 * Tells the operator's webhook of a fault that was logged, and the log its stack in our files and
 * lines: once a minute in each isolate, however often it happens.
 */
import { type Env, parseSettings } from "../env.server.ts";
import { describeError } from "./describe-error.ts";

const PAUSE_MS = 60_000;
/** Faults remembered at once; more different ones than that in a minute are one outage. */
const MOST = 50;
const TIMEOUT_MS = 5_000;

type Told = { at: number; untold: number };
/** When this isolate last told of a fault, and how often it has happened since. */
const told = new Map<string, Told>();

/** Where it happened. */
export type Occasion = {
	/** A task's name, or the request's id. */
	readonly task?: string;
	readonly requestId?: string;
	readonly path?: string;
	/** UTC milliseconds. */
	readonly now: number;
};

/** The same fault, wherever it happens: its kind, and the first line of ours in its stack. */
function kindOf(error: unknown): string {
	const text = describeError(error);
	const [first = "", ...frames] = text.split("\n");
	return `${first.replace(/[0-9a-f-]{8,}|\d+/gi, "#").slice(0, 200)} ${frames[0]?.trim() ?? ""}`;
}

/** The stack in our files and lines; as it is where the table of them can't be read. */
async function readable(stack: string): Promise<string> {
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

/** Tells of a fault; it never fails itself. */
export async function tellFault(
	env: Env,
	error: unknown,
	{ task, requestId, path, now }: Occasion,
): Promise<void> {
	const kind = kindOf(error);
	const last = told.get(kind);
	if (last && now - last.at < PAUSE_MS && now >= last.at) {
		last.untold += 1;
		return;
	}
	if (told.size >= MOST) told.delete(told.keys().next().value ?? "");
	told.set(kind, { at: now, untold: 0 });
	const stack = await readable(describeError(error));
	console.log(JSON.stringify({ stack, requestId, task }));
	const webhook = webhookOf(env);
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
		/** How often it has happened since it was last told. */
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

/** A Worker that isn't configured can't tell anybody. */
function webhookOf(env: Env): string | undefined {
	try {
		return parseSettings(env).errorWebhook;
	} catch {
		return undefined;
	}
}
