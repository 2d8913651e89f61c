/**
 * WebKit, the engine of Safari, over WebDriver, for `npm run test:browsers`: MiniBrowser of Debian's
 * webkit2gtk-driver on a screen of its own. Playwright can't speak to it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../tools/free-port.ts";
import type { Hand } from "./hand.ts";

/** True when the browser of this run is WebKit. */
export const IS_WEBKIT = Boolean(process.env.MILEPOST_WEBKIT);

/** The driver and the screen of this file's tests. */
type Running = { readonly address: string; readonly processes: readonly ChildProcess[] };
let running: Promise<Running> | undefined;

/** Starts a screen, and says which it is. */
function startScreen(): Promise<[ChildProcess, string]> {
	const screen = spawn(
		"Xvfb",
		["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
		{ stdio: ["ignore", "ignore", "ignore", "pipe"] },
	);
	return new Promise((pass, fail) => {
		screen.on("error", fail);
		screen.stdio[3]?.on("data", (data) => pass([screen, `:${String(data).trim()}`]));
	});
}

async function start(): Promise<Running> {
	const [screen, display] = await startScreen();
	const port = await freePort();
	const driver = spawn(process.env.MILEPOST_WEBKIT ?? "WebKitWebDriver", [`--port=${port}`], {
		stdio: "ignore",
		env: {
			...process.env,
			DISPLAY: display,
			GDK_BACKEND: "x11",
			LIBGL_ALWAYS_SOFTWARE: "1",
			NO_AT_BRIDGE: "1",
			TZ: process.env.MILEPOST_MACHINE_ZONE ?? "UTC",
		},
	});
	const address = `http://127.0.0.1:${port}`;
	for (let tries = 0; ; tries++) {
		if (await fetch(`${address}/status`).catch(() => undefined)) break;
		if (tries === 100) throw new Error("WebKitWebDriver doesn't answer.");
		await wait(100);
	}
	return { address, processes: [driver, screen] };
}

/** Ends what was started. */
export async function closeWebKit(): Promise<void> {
	for (const each of (await running)?.processes ?? []) each.kill();
	running = undefined;
}

/** A window of a browser that has never been used before. */
export async function openWebKit(origin: string): Promise<Hand> {
	running ??= start();
	const { address } = await running;
	const call = async (path: string, body?: unknown, method = "POST") => {
		const answer = await fetch(`${address}/session${path}`, {
			method,
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const { value } = (await answer.json()) as {
			value: { error?: string; message?: string } & Record<string, unknown>;
		};
		if (value?.error) throw new Error(`${value.error}: ${value.message}`);
		return value;
	};
	const session = await call("", {
		capabilities: { alwaysMatch: { timeouts: { pageLoad: 60_000, script: 60_000 } } },
	});
	const own = `/${session.sessionId}`;
	const { browserVersion } = session.capabilities as { browserVersion?: string };
	return {
		name: `WebKit ${browserVersion}`,
		visit: async (path) => void (await call(`${own}/url`, { url: origin + path })),
		run: async (work, ...values) =>
			(await call(`${own}/execute/sync`, {
				script: `return (${work})(...arguments)`,
				args: values,
			})) as never,
		close: async () => void (await call(own, undefined, "DELETE")),
	};
}
