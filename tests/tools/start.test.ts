/**
 * `npm start` as a person runs it: it keeps its data, reports what it seeds, and says in one line
 * what is wrong.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startOf } from "../../tools/child-workerd.ts";
import { freePort } from "../../tools/free-port.ts";
import { waitForFreshMinute } from "../support/clock.ts";
import { daysAgo } from "../support/fleet-days.ts";

const state = mkdtempSync(join(tmpdir(), "milepost-start-"));
const running: ChildProcess[] = [];
// Asked to stop, so that it also stops its workerd.
afterEach(async () => {
	for (const child of running.splice(0)) {
		if (child.exitCode !== null || child.signalCode !== null) continue;
		const ended = once(child, "exit");
		child.kill("SIGTERM");
		await ended;
	}
});
afterAll(() => rmSync(state, { recursive: true, force: true }));

function launch(
	env: Record<string, string>,
	[command, ...args]: [string, ...string[]] = [process.execPath, "tools/run.mjs", "start"],
) {
	const child = spawn(command, args, {
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	running.push(child);
	const output = { text: "" };
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding("utf8").on("data", (text: string) => (output.text += text));
	const ended = new Promise<number | null>((resolve) =>
		child.once("exit", (code) => resolve(code)),
	);
	const until = async (words: string) => {
		while (!output.text.includes(words)) {
			if (child.exitCode !== null) throw new Error(`ended before "${words}": ${output.text}`);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	};
	return { child, output, ended, until };
}

const signIn = (port: number, email: string) =>
	fetch(`http://localhost:${port}/api/login`, {
		method: "POST",
		redirect: "manual",
		headers: {
			Origin: `http://localhost:${port}`,
			"Content-Type": "application/x-www-form-urlencoded",
		},
		body: new URLSearchParams({ email }),
	});

describe("npm start", () => {
	it("serves, says how to sign in, stops on request, and keeps its data", async () => {
		const port = await freePort();
		const env = { PORT: String(port), MILEPOST_STATE: join(state, "kept") };
		const first = launch(env);
		await first.until(`http://localhost:${port}`);
		await first.until("admin@milepost.test");
		expect(first.output.text).toContain("Demo fleet seeded.");
		const [, statement = ""] =
			/A statement of last week to import: (.*)/.exec(first.output.text) ?? [];
		expect(readFileSync(statement.trim(), "utf8")).toMatch(/^transaction UUID,Driver UUID,/);
		expect((await signIn(port, "somebody.new@milepost.test")).status).toBe(303);
		// With production's limits.
		const cookie =
			(await signIn(port, "admin@milepost.test")).headers.getSetCookie()[0]?.split(";")[0] ?? "";
		const statuses: number[] = [];
		await waitForFreshMinute();
		for (let report = 0; report < 31; report++)
			statuses.push(
				(
					await fetch(`http://localhost:${port}/api/reports/generate`, {
						method: "POST",
						headers: {
							Cookie: cookie,
							Origin: `http://localhost:${port}`,
							"Content-Type": "application/json",
						},
						body: JSON.stringify({
							type: "weekly",
							format: "csv",
							startDate: daysAgo(1),
							endDate: daysAgo(1),
						}),
					})
				).status,
			);
		expect(statuses).toEqual([...new Array(30).fill(200), 429]);
		first.child.kill("SIGTERM");
		// A process ended by SIGTERM exits with 143.
		expect([0, 143]).toContain(await first.ended);

		const second = launch(env, ["npm", "start"]);
		await second.until("Stop with Ctrl-C");
		expect(second.output.text).not.toContain("seeded");
		const signInPage = () => fetch(`http://localhost:${port}/api/login`);
		expect(await (await signInPage()).text()).toContain("somebody.new@milepost.test");
		// As a service manager or a script does, which knows npm only.
		second.child.kill("SIGTERM");
		await expect
			.poll(() =>
				signInPage().then(
					({ status }) => status,
					() => "stopped",
				),
			)
			.toBe("stopped");
	});

	it("starts a fleet that has only an administrator", async () => {
		const port = await freePort();
		const folder = join(state, "empty");
		// The disk was full when the secret that signs cookies was to be written.
		mkdirSync(folder);
		writeFileSync(join(folder, "cookie-secret"), "");
		const start = launch({
			PORT: String(port),
			MILEPOST_STATE: folder,
			MILEPOST_DEMO: "off",
		});
		await start.until("Stop with Ctrl-C");
		const page = await (await fetch(`http://localhost:${port}/api/login`)).text();
		expect(page).toContain("admin@milepost.test");
		expect(page).not.toContain("dana@milepost.test");
		expect((await signIn(port, "admin@milepost.test")).status).toBe(303);
	});

	it("says in one line that the port is in use", async () => {
		const port = await freePort();
		const holder = createServer().listen(port, "127.0.0.1");
		await once(holder, "listening");
		const start = launch({ PORT: String(port), MILEPOST_STATE: join(state, "port") });
		expect(await start.ended).toBe(1);
		expect(start.output.text.trim()).toBe(
			`Port ${port} is in use. Stop the other process or choose another port: PORT=${port + 1} npm start`,
		);
		holder.close();
	});

	it("says in one line which server has the folder, and starts once that one is gone", async () => {
		const [first, second] = [await freePort(), await freePort()];
		const env = { MILEPOST_STATE: join(state, "shared") };
		const one = launch({ ...env, PORT: String(first) });
		await one.until("admin@milepost.test");
		const other = launch({ ...env, PORT: String(second) });
		expect(await other.ended).toBe(1);
		expect(other.output.text.trim().split("\n").at(-1)).toBe(
			`${env.MILEPOST_STATE} is in use by the server at http://localhost:${first} (process ${one.child.pid}). Stop it, or choose another folder: MILEPOST_STATE='${env.MILEPOST_STATE}-2' npm start`,
		);
		one.child.kill("SIGHUP");
		expect(await one.ended).toBe(0);
		// A server that was killed leaves its file.
		writeFileSync(join(env.MILEPOST_STATE, "server.json"), '{"pid":999999999,"port":1}');
		const again = launch({ ...env, PORT: String(second) });
		await again.until("admin@milepost.test");
	});

	it("ends what a killed server has left behind, and says at once that its workerd is gone", async () => {
		const env = { MILEPOST_STATE: join(state, "left"), PORT: String(await freePort()) };
		const one = launch(env);
		await one.until("Stop with Ctrl-C");
		one.child.kill("SIGKILL");
		await one.ended;
		const again = launch(env);
		await again.until("Stop with Ctrl-C");
		const [, left = ""] =
			/^Ending process (\d+), which a server that was killed has left/m.exec(again.output.text) ??
			[];
		expect(startOf(Number(left))).toBeUndefined();
		const { workerd } = JSON.parse(readFileSync(join(env.MILEPOST_STATE, "server.json"), "utf8"));
		process.kill(workerd.pid, "SIGKILL");
		expect(await again.ended).toBe(1);
		expect(again.output.text.trim().split("\n").at(-1)).toBe(
			"Milepost stopped: its workerd has ended. Start it again: npm start",
		);
	});

	it("lets one of several that start together have the folder", async () => {
		const folder = join(state, "together");
		mkdirSync(folder);
		writeFileSync(join(folder, "server.json"), '{"pid":999999999,"port":1}');
		const ports = [await freePort(), await freePort(), await freePort()];
		const starts = ports.map((port) => launch({ PORT: String(port), MILEPOST_STATE: folder }));
		const results = await Promise.all(
			starts.map(({ ended, until }) =>
				Promise.race([ended.then(String), until("admin@milepost.test").then(() => "serves")]).catch(
					() => "1",
				),
			),
		);
		expect(results.sort()).toEqual(["1", "1", "serves"]);
	});

	it("says in one line that the folder is a file", async () => {
		const file = join(state, "file");
		writeFileSync(file, "");
		const { ended, output } = launch({ PORT: String(await freePort()), MILEPOST_STATE: file });
		expect(await ended).toBe(1);
		expect(output.text.trim()).toBe(`${file} is a file. MILEPOST_STATE has to be a folder.`);
	});

	it("says in one line that the folder can't be written", async () => {
		// Nobody may make a folder there, not even a superuser.
		const { ended, output } = launch({
			PORT: String(await freePort()),
			MILEPOST_STATE: "/sys/milepost",
		});
		expect(await ended).toBe(1);
		expect(output.text.trim()).toMatch(
			/^\/sys\/milepost can't be written \(E[A-Z]+\)\. Give yourself the right to, or set MILEPOST_STATE to another folder\.$/,
		);
	});

	it("says in one line that the database is broken", async () => {
		const port = await freePort();
		const folder = join(state, "broken");
		const good = launch({ PORT: String(port), MILEPOST_STATE: folder });
		await good.until("Stop with Ctrl-C");
		good.child.kill("SIGTERM");
		await good.ended;
		const d1 = join(folder, "d1", "miniflare-D1DatabaseObject");
		for (const name of readdirSync(d1))
			writeFileSync(join(d1, name), "this is no database at all, whatever its name says");
		const start = launch({ PORT: String(port), MILEPOST_STATE: folder });
		expect(await start.ended).toBe(1);
		const lines = start.output.text
			.trim()
			.split("\n")
			.filter((line) => line !== "Building ...");
		expect(lines).toHaveLength(1);
		expect(lines[0]).toMatch(
			/^The database in .* can't be used: .+ Move that folder away to start fresh\.$/,
		);
	});

	it.each([
		[
			{ FLEET_TIME_ZONE: "Mars/Phobos" },
			"FLEET_TIME_ZONE must be a known time zone, such as America/New_York.",
		],
		[
			{ APP_ORIGIN: "fleet.example.com" },
			"APP_ORIGIN must be scheme, host and port only, and https unless it is localhost.",
		],
	])("says in one line that a setting is wrong: %j", async (env, words) => {
		const folder = join(state, "unsettled");
		const { ended, output } = launch({
			...env,
			PORT: String(await freePort()),
			MILEPOST_STATE: folder,
		});
		expect(await ended).toBe(1);
		expect(output.text.trim()).toBe(words);
		expect(existsSync(folder)).toBe(false);
	});

	it("says in one line that PORT isn't a port", async () => {
		const start = launch({ PORT: "http", MILEPOST_STATE: join(state, "unknownPage") });
		expect(await start.ended).toBe(1);
		expect(start.output.text.trim()).toBe('PORT must be a number from 1 to 65535, not "http".');
	});
});
