/** What the benches measure with: a free port, the workerd that runs, its CPU and memory, a download that is read and not kept. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

/** A port nobody listens on. */
export function freePort(): Promise<number> {
	return new Promise((pass, fail) => {
		const probe = createServer().once("error", fail);
		probe.listen(0, "127.0.0.1", () => {
			const { port } = probe.address() as { port: number };
			probe.close(() => pass(port));
		});
	});
}

/** The workerd that this process has started last; Linux says so in /proc. */
export function childPid(): number | undefined {
	try {
		const own = readdirSync("/proc").filter((name) => {
			if (!/^\d+$/.test(name)) return false;
			try {
				const [, command = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
				return command === "workerd" && Number(rest.split(" ")[1]) === process.pid;
			} catch {
				return false;
			}
		});
		return own.map(Number).sort((a, b) => b - a)[0];
	} catch {
		return undefined;
	}
}

/** CPU seconds so far, and megabytes: now, and at most since it started. */
export function costOf(pid: number): { seconds: number; megabytes: number; peak: number } {
	const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
		.replace(/^.*\) /s, "")
		.split(" ");
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
	return {
		seconds: (Number(fields[11]) + Number(fields[12])) / 100,
		megabytes: kilobytes("VmRSS") / 1024,
		peak: kilobytes("VmHWM") / 1024,
	};
}

/** Reads a download piece by piece and keeps nothing of it. */
export async function drained(answer: Response): Promise<{ bytes: number; firstByteAt: number }> {
	let bytes = 0;
	let firstByteAt = 0;
	const reader = answer.body?.getReader();
	for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
		firstByteAt ||= performance.now();
		bytes += part.value.byteLength;
	}
	return { bytes, firstByteAt };
}
