/**
 * Build, migrate, seed, serve: what `npm start` and `npm run dev` share. Every step says what it
 * does, and every fault is one clear line.
 */
import { createServer } from "node:net";
import { stop as stopBundler } from "esbuild";
import type { Miniflare } from "miniflare";
import { readSettings, SettingsError } from "../app/env.server.ts";
import { CAST, ZONE } from "../tests/support/cast.ts";
import { bundle } from "./bundle.ts";
import { type LocalWorkerOptions, settingsIn, workerOptions } from "./local-worker.ts";
import { loadMiniflare } from "./packages.ts";
import { UnwritablePlace, whyNotWritten, whyUnusable } from "./place-faults.ts";
import { prepareDatabase, UnusableDatabase } from "./prepare-database.ts";
import { stateFolder } from "./state-folder.ts";
import { describeHolder, noteWorkerd, takeState } from "./state-lock.ts";
import { rateLimitIn, readConfig } from "./wrangler-config.ts";

/** Exits with a one-line error. */
class Fault extends Error {}

function portFrom(text: string | undefined): number {
	const port = Number(text ?? "8787");
	if (!Number.isInteger(port) || port < 1 || port > 65_535)
		throw new Fault(`PORT must be a number from 1 to 65535, not "${text}".`);
	return port;
}

/** Fails early, since workerd would only say that it couldn't start. */
function checkPort(port: number): Promise<void> {
	return new Promise((pass, fail) => {
		const probe = createServer();
		probe.once("error", (error: NodeJS.ErrnoException) =>
			fail(
				new Fault(
					error.code === "EADDRINUSE"
						? `Port ${port} is in use. Stop the other process or choose another port: PORT=${port < 65_535 ? port + 1 : port - 1} npm start`
						: `Port ${port} can't be opened: ${error.message}`,
				),
			),
		);
		probe.listen(port, "127.0.0.1", () => probe.close(() => pass()));
	});
}

/** Fails if another server has the folder: each would block some of the other's writes. */
async function checkState(state: string, port: number): Promise<void> {
	try {
		const other = await takeState(state, port);
		if (other)
			throw new Fault(
				`${state} is ${describeHolder(other)}, or choose another folder: MILEPOST_STATE='${state}-2' npm start`,
			);
	} catch (error) {
		if (error instanceof Fault) throw error;
		const { code } = error as NodeJS.ErrnoException;
		if (code !== "EEXIST" && code !== "ENOTDIR") throw new Fault(whyNotWritten(state, code));
		throw new Fault(`${state} is a file. MILEPOST_STATE has to be a folder.`);
	}
}

/** Fails for a setting without which the Worker would answer every page with an error. */
function checkSettings(vars: Readonly<Record<string, string>>, port: number): void {
	try {
		readSettings({
			APP_ORIGIN: vars.APP_ORIGIN ?? `http://localhost:${port}`,
			FLEET_TIME_ZONE: vars.FLEET_TIME_ZONE,
			// The state folder has its own.
			COOKIE_SECRET: "-".repeat(32),
		});
	} catch (error) {
		if (!(error instanceof SettingsError)) throw error;
		throw new Fault(error.faults.map(({ reason }) => `${reason}.`).join(" "));
	}
}

async function prepare(state: string, zone: string, isDemo: boolean): Promise<void> {
	try {
		await prepareDatabase(state, zone, isDemo, (words) => console.log(words));
	} catch (error) {
		if (error instanceof UnwritablePlace) throw new Fault(error.message);
		if (!(error instanceof UnusableDatabase)) throw error;
		throw new Fault(whyUnusable(state, error.message));
	}
}

/**
 * Serves until it is stopped.
 * @param onReady called with the running Worker and its options
 */
export async function start(
	onReady: (worker: Miniflare, options: LocalWorkerOptions) => void = () => undefined,
): Promise<void> {
	const port = portFrom(process.env.PORT);
	const state = stateFolder();
	const isDemo = process.env.MILEPOST_DEMO !== "off";
	const vars = settingsIn(process.env);
	checkSettings(vars, port);
	await checkState(state, port);
	await checkPort(port);
	console.log("Building ...");
	await bundle("local");
	// Its process would live as long as the server.
	await stopBundler();
	// What workerd prints before it runs is a stack, so it is held back and turned into a sentence.
	let early: string[] | undefined = [];
	const onLine = (line: string) => (early ? early.push(line) : console.log(line));
	const config = readConfig();
	// The local sign-in has no secret that could be guessed, so it isn't rate-limited.
	const options = {
		state,
		port,
		vars,
		reportLimit: rateLimitIn(config, "REPORT_LIMIT"),
		transferLimit: rateLimitIn(config, "TRANSFER_LIMIT"),
		tokenLimit: rateLimitIn(config, "TOKEN_LIMIT"),
		onLine,
		onEnd: () => {
			if (early) return;
			console.error("Milepost stopped: its workerd has ended. Start it again: npm start");
			void stop(1);
		},
	};
	let worker: Miniflare | undefined;
	const stop = async (code: number) => {
		await worker?.dispose().catch(() => undefined);
		process.exit(code);
	};
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		process.once(signal, () => void stop(0));
	try {
		// The port opens with the Worker, and the first visitor must find an administrator.
		await prepare(state, vars.FLEET_TIME_ZONE ?? ZONE, isDemo);
		const { Log, LogLevel, Miniflare } = loadMiniflare();
		const serving = new Miniflare({ ...workerOptions(options), log: new Log(LogLevel.ERROR) });
		worker = serving;
		await serving.ready.catch(() => {
			throw new Fault(`Milepost couldn't start: ${early?.[0] ?? "workerd didn't run"}`);
		});
		early = undefined;
		noteWorkerd(state, port);
		console.log(`\nMilepost is running at http://localhost:${port}\n`);
		console.log(
			`Sign in at http://localhost:${port}/api/login with any email. Local sign-in doesn't ask for a password.`,
		);
		console.log(
			`  Administrator: ${CAST.ada.email}${isDemo ? `\n  Driver:        ${CAST.dana.email}\n  New driver:    any other email` : ""}`,
		);
		console.log(`Data: ${state} (MILEPOST_STATE). Stop with Ctrl-C.\n`);
		// On Cloudflare a cron trigger does this.
		setInterval(async () => {
			try {
				const fetcher = await serving.getWorker();
				await fetcher.scheduled({ cron: "* * * * *", scheduledTime: new Date() });
			} catch (error) {
				console.error(error);
			}
		}, 60_000).unref();
		onReady(serving, options);
	} catch (error) {
		console.error(
			error instanceof Fault
				? error.message
				: `Milepost couldn't start: ${error instanceof Error ? error.message : error}`,
		);
		await stop(1);
	}
}
