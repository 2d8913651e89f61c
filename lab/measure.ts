/**
 * What the benches measure with: a Worker with Cloudflare's heap limit, its CPU and memory, and
 * downloads that are read and discarded.
 */
import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";
import { CAST } from "../tests/support/cast.ts";
import { childWorkerd, workerdStat } from "../tools/child-workerd.ts";
import { freePort } from "../tools/free-port.ts";
import { workerOptions } from "../tools/local-worker.ts";
import { ISOLATE_MEGABYTES, withHeapLimit } from "./heap-limit.ts";

export type MeasuredWorker = {
	/** A request by a signed-in administrator; a post if it has fields. */
	readonly ask: (path: string, fields?: Readonly<Record<string, string>>) => Promise<Response>;
	/** Undefined if the system has no /proc. */
	readonly cost: () => Cost | undefined;
	readonly dispose: () => Promise<void>;
};

/**
 * A Worker that has just started, on a state folder with the cast: nothing is warmed up, and its
 * memory is its own.
 */
export async function measuredWorker(state: string): Promise<MeasuredWorker> {
	const port = await freePort();
	const options = workerOptions({ state, port, onLine: () => undefined });
	const worker = await withHeapLimit(ISOLATE_MEGABYTES, () => new Miniflare(options));
	const origin = `http://localhost:${port}`;
	let cookie = "";
	const ask: MeasuredWorker["ask"] = (path, fields) =>
		fetch(origin + path, {
			...(fields ? { method: "POST", body: new URLSearchParams(fields) } : {}),
			redirect: "manual",
			headers: { Cookie: cookie, Origin: origin },
		});
	cookie =
		(await ask("/api/login", { email: CAST.ada.email })).headers.getSetCookie()[0]?.split(";")[0] ??
		"";
	return { ask, cost: costMeter(), dispose: () => worker.dispose() };
}

/**
 * Returns a function that reads the cost so far of the last workerd this process started; undefined
 * if the system has no /proc.
 */
export function costMeter(): () => Cost | undefined {
	const pid = childWorkerd()?.pid;
	return () => (pid ? costOf(pid) : undefined);
}

/** CPU seconds so far, and megabytes: now, and at the peak. */
export type Cost = { readonly seconds: number; readonly megabytes: number; readonly peak: number };

function costOf(pid: number): Cost {
	const fields = workerdStat(pid) ?? [];
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	const kilobytes = (name: string) =>
		Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
	return {
		seconds: (Number(fields[11]) + Number(fields[12])) / 100,
		megabytes: kilobytes("VmRSS") / 1024,
		peak: kilobytes("VmHWM") / 1024,
	};
}

/** Reads a download piece by piece and discards it. */
export async function drain(answer: Response): Promise<{ bytes: number; firstByteAt: number }> {
	let bytes = 0;
	let firstByteAt = 0;
	const reader = answer.body?.getReader();
	for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
		firstByteAt ||= performance.now();
		bytes += part.value.byteLength;
	}
	return { bytes, firstByteAt };
}
