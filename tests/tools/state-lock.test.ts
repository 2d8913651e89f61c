/** Whoever takes a state folder has it alone, however many take it in one moment. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { processStart } from "../../tools/child-workerd.ts";
import { takeState } from "../../tools/state-lock.ts";

const place = mkdtempSync(join(tmpdir(), "milepost-lock-"));
const script = join(place, "take.mjs");
const [STARTS, ROUNDS] = [5, 40];

beforeAll(async () => {
	// Takes one folder after the other, whenever a line names the next.
	const contents = `import { createInterface } from "node:readline";
		import { takeState } from "./tools/state-lock.ts";
		process.setMaxListeners(0);
		for await (const folder of createInterface({ input: process.stdin }))
			console.log((await takeState(folder, 1)) ? "other" : "taken");`;
	await build({
		stdin: { contents, resolveDir: process.cwd(), loader: "ts" },
		outfile: script,
		bundle: true,
		platform: "node",
		format: "esm",
		target: "node20",
	});
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A folder with the file of a server that is gone, or of one with this entry. */
function folderOf(name: string, entry: object = { pid: 999_999_999, port: 1 }): string {
	const folder = join(place, name);
	mkdirSync(folder);
	writeFileSync(join(folder, "server.json"), JSON.stringify(entry));
	return folder;
}

it("is taken by one of several that find a dead server's file at once", async () => {
	const starts = Array.from({ length: STARTS }, () =>
		spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] }),
	);
	const lines = starts.map(({ stdout }) =>
		createInterface({ input: stdout })[Symbol.asyncIterator](),
	);
	const say = ({ stdin }: ChildProcess, line: string) => stdin?.write(`${line}\n`);
	for (let round = 0; round < ROUNDS; round++) {
		const folder = folderOf(`round-${round}`);
		for (const start of starts) say(start, folder);
		const answers = await Promise.all(lines.map(async (line) => (await line.next()).value));
		expect(
			answers.filter((answer) => answer === "taken"),
			`round ${round}`,
		).toHaveLength(1);
		expect(readdirSync(folder)).toEqual(["server.json"]);
	}
	await Promise.all(
		starts.map(async (start) => {
			start.stdin?.end();
			await once(start, "exit");
		}),
	);
	// Each has removed its own.
	expect(existsSync(join(place, "round-0", "server.json"))).toBe(false);
});

it("isn't kept by a process that has the number of a server that is gone", async () => {
	// The parent of this process, which started at another time.
	const folder = folderOf("reused", { pid: process.ppid, port: 1, id: "gone", startedAt: "1" });
	expect(await takeState(folder, 1)).toBeUndefined();
	const entry = { pid: process.ppid, port: 1, id: "here", startedAt: processStart(process.ppid) };
	expect(await takeState(folderOf("alive", entry), 1)).toMatchObject({ pid: process.ppid });
});

it("is taken after a start that was ended while it removed a dead server's file", async () => {
	const folder = folderOf("half-removed");
	// Its claim is named after what it was to remove.
	const ended = '{"pid":999999998,"port":1}';
	writeFileSync(join(folder, "server.json.f02c6152b88bb462"), ended);
	expect(await takeState(folder, 1)).toBeUndefined();
	expect(readdirSync(folder)).toEqual(["server.json"]);
});
