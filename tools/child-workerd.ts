/** workerd processes, where the system has Linux's /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** A process by what no other ever has: its number, and when it started in ticks since boot. */
export type Workerd = { readonly pid: number; readonly startedAt: string };

/** The fields of a process's `stat` after its name, if it is a workerd. */
export function workerdStat(pid: number): readonly string[] | undefined {
	try {
		return /^\d+ \(workerd\) (.*)$/s
			.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]
			?.split(" ");
	} catch {
		return undefined;
	}
}

export const startOf = (pid: number): string | undefined => workerdStat(pid)?.[19];

/** The last workerd that this process started. */
export function childWorkerd(): Workerd | undefined {
	let names: string[];
	try {
		names = readdirSync("/proc");
	} catch {
		return undefined;
	}
	const pid = names
		.map(Number)
		.filter((each) => each > 0 && Number(workerdStat(each)?.[1]) === process.pid)
		.sort((a, b) => b - a)[0];
	const startedAt = pid && startOf(pid);
	return pid && startedAt ? { pid, startedAt } : undefined;
}
