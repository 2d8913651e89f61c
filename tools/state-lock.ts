/**
 * One server for each state folder: two would lock each other's database. A file in the folder
 * names the server that uses it; one of a process that is gone counts for nothing.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Holder = { readonly pid: number; readonly port: number };

function holderIn(file: string): Holder | undefined {
	try {
		const holder = JSON.parse(readFileSync(file, "utf8")) as Holder;
		process.kill(holder.pid, 0);
		return holder;
	} catch (error) {
		// Another user's process can't be signaled, but it is there.
		if ((error as NodeJS.ErrnoException).code !== "EPERM") return undefined;
		return JSON.parse(readFileSync(file, "utf8"));
	}
}

/**
 * Takes a state folder for this process until it ends.
 * @returns whoever has it already
 * @throws the file system's error if the folder can't be written
 */
export function takeState(state: string, port: number): Holder | undefined {
	mkdirSync(state, { recursive: true });
	const file = join(state, "server.json");
	const own = JSON.stringify({ pid: process.pid, port });
	for (;;) {
		try {
			writeFileSync(file, own, { flag: "wx" });
			process.once("exit", () => rmSync(file, { force: true }));
			return undefined;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
			const holder = holderIn(file);
			if (holder) return holder;
			rmSync(file, { force: true });
		}
	}
}
