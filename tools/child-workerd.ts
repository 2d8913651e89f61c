/** workerd processes, where the system has Linux's /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** A process, identified uniquely: its number, and when it started in ticks since boot. */
export type Workerd = { readonly pid: number; readonly startedAt: string };

/** A process's name, and the fields of its `stat` after it. */
function statOf(pid: number): readonly [name: string, ...fields: string[]] | undefined {
	try {
		const [, name = "", rest = ""] =
			/^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
		return [name, ...rest.split(" ")];
	} catch {
		return undefined;
	}
}

/** A workerd's fields. */
export function workerdStat(pid: number): readonly string[] | undefined {
	const [name, ...fields] = statOf(pid) ?? [];
	return name === "workerd" ? fields : undefined;
}

/** When a process started, in ticks since boot. */
export const processStart = (pid: number): string | undefined => statOf(pid)?.[20];

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
