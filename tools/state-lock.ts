/**
 * One server for each state folder: two would lock each other's database. A file in the folder
 * names the server that uses it; it counts while that process lives.
 */
import { createHash, randomUUID } from "node:crypto";
import {
	linkSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

import { childWorkerd, processStart, startOf, type Workerd } from "./child-workerd.ts";

/** A process that uses a folder; one that serves nothing, such as a restore, has port 0. */
type Holder = { readonly pid: number; readonly port: number };

/** A file's content, unique to it. */
type Entry = Holder & {
	readonly id?: string;
	/** When the process started, if the system says so: another may have its number by now. */
	readonly startedAt?: string;
	readonly workerd?: Workerd;
};

/** This process's. */
const ID = randomUUID();
const ownEntry = (port: number, workerd?: Workerd): string =>
	JSON.stringify({
		pid: process.pid,
		port,
		id: ID,
		startedAt: processStart(process.pid),
		workerd,
	} satisfies { [key in keyof Entry]: Entry[key] | undefined });

/** How long a start may take before its port is open: it builds first. */
const START_MS = 5 * 60_000;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** The text of a file, or nothing once it is gone. */
function textOf(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch (error) {
		if (codeOf(error) === "ENOENT") return undefined;
		throw error;
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		// Another user's process can't be signaled, but it is there.
		return codeOf(error) === "EPERM";
	}
}

const isOpen = (port: number) =>
	new Promise<boolean>((resolve) => {
		const socket = connect(port, "127.0.0.1");
		socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
		socket.once("connect", () => socket.destroy());
	});

function entryIn(text: string | undefined): Entry | undefined {
	try {
		return JSON.parse(text ?? "") as Entry;
	} catch {
		return undefined;
	}
}

/** The folder's user according to its file; undefined if that process is gone. */
async function holderOf(file: string, entry: Entry | undefined): Promise<Holder | undefined> {
	if (!entry || !isAlive(entry.pid)) return undefined;
	if (entry.startedAt) return processStart(entry.pid) === entry.startedAt ? entry : undefined;
	// Another program may have its number by now; a server's port is open or about to be.
	const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
	return age < START_MS || (await isOpen(entry.port)) ? entry : undefined;
}

/** Ends the workerd of a server that was killed: it would hold the port, and run no schedule. */
async function endLeftover({ pid, startedAt }: Workerd): Promise<void> {
	if (startOf(pid) !== startedAt) return;
	console.log(`Ending process ${pid}, which a server that was killed has left behind.`);
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		return;
	}
	while (startOf(pid) === startedAt) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Who uses a folder, and what to do about it first. */
export const describeHolder = ({ pid, port }: Holder): string =>
	port === 0
		? `in use by another command (process ${pid}). Wait until it is done`
		: `in use by the server at http://localhost:${port} (process ${pid}). Stop it`;

/** Notes in the folder's file which workerd serves it. */
export function noteWorkerd(state: string, port: number): void {
	const aside = join(state, `server.${process.pid}.json`);
	writeFileSync(aside, ownEntry(port, childWorkerd()));
	renameSync(aside, join(state, "server.json"));
}

/**
 * Takes a state folder for this process until it ends.
 * @param port where it is going to serve; 0 if it isn't
 * @returns whoever already has it
 * @throws the file system's error if the folder can't be written
 */
export async function takeState(state: string, port: number): Promise<Holder | undefined> {
	mkdirSync(state, { recursive: true });
	const file = join(state, "server.json");
	const aside = join(state, `server.${process.pid}.json`);
	for (;;) {
		try {
			// Complete as soon as it has its name.
			writeFileSync(aside, ownEntry(port));
			linkSync(aside, file);
			process.once("exit", () => {
				if (entryIn(textOf(file))?.id === ID) rmSync(file, { force: true });
			});
			return undefined;
		} catch (error) {
			if (codeOf(error) !== "EEXIST") throw error;
			const stale = textOf(file);
			// Gone meanwhile: another start has removed it.
			if (stale === undefined) continue;
			const entry = entryIn(stale);
			const holder = await holderOf(file, entry);
			if (holder) return holder;
			if (entry?.workerd) await endLeftover(entry.workerd);
			await removeStale(file, aside, stale);
		} finally {
			rmSync(aside, { force: true });
		}
	}
}

/**
 * Removes a stale file, unless it has changed since it was read. One process at a time may do so:
 * the one whose entry is linked under the name of the file to be removed.
 */
async function removeStale(file: string, aside: string, stale: string): Promise<void> {
	const claim = `${file}.${createHash("sha256").update(stale).digest("hex").slice(0, 16)}`;
	try {
		linkSync(aside, claim);
	} catch (error) {
		if (codeOf(error) !== "EEXIST") throw error;
		const claimed = textOf(claim);
		// The process about to remove it was killed midway.
		if (claimed && !(await holderOf(claim, entryIn(claimed))))
			await removeStale(claim, aside, claimed);
		else await new Promise((resolve) => setTimeout(resolve, 20));
		return;
	}
	if (textOf(file) === stale) rmSync(file, { force: true });
	rmSync(claim);
}
