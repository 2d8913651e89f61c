/**
 * Runs `npm start` on empty folders while people are already trying to sign in before its port is
 * open.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../tools/free-port.ts";

/** How many people sign in concurrently. */
const CALLERS = 4;

export type RaceFigures = {
	starts: number;
	/** Starts after which an administrator could sign in. */
	withAdministrator: number;
	/** Starts after which the demo fleet existed. */
	withDemoFleet: number;
	/** Successful sign-ins. */
	signIns: number;
	/** Other answers, by status. */
	otherAnswers: Record<number, number>;
};

function signIn(origin: string, email: string): Promise<Response> {
	return fetch(`${origin}/api/login`, {
		method: "POST",
		redirect: "manual",
		headers: { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams({ email }),
		signal: AbortSignal.timeout(30_000),
	});
}

/** What `/api/auth/user` returns for this person after signing in. */
async function accountOf(origin: string, email: string): Promise<unknown> {
	const cookie = (await signIn(origin, email)).headers.getSetCookie()[0]?.split(";")[0] ?? "";
	return (await fetch(`${origin}/api/auth/user`, { headers: { Cookie: cookie } })).json();
}

/** Signs new people in one after another until stopped. */
async function keepSigningIn(origin: string, figures: RaceFigures, stop: AbortSignal) {
	while (!stop.aborted) {
		try {
			const { status } = await signIn(origin, `${crypto.randomUUID()}@milepost.test`);
			if (status === 303) figures.signIns += 1;
			else figures.otherAnswers[status] = (figures.otherAnswers[status] ?? 0) + 1;
		} catch {
			// The port isn't open yet.
			await wait(2);
		}
	}
}

/** Resolves when `npm start` reports that it is serving. */
function whenReady(child: ChildProcess): Promise<void> {
	let text = "";
	return new Promise((resolve, reject) => {
		for (const stream of [child.stdout, child.stderr])
			stream?.setEncoding("utf8").on("data", (more: string) => {
				text += more;
				if (text.includes("Stop with Ctrl-C")) resolve();
			});
		child.once("exit", () => reject(new Error(`npm start ended: ${text}`)));
	});
}

async function startOnce(figures: RaceFigures): Promise<void> {
	const state = await mkdtemp(join(tmpdir(), "milepost-race-"));
	const port = await freePort();
	const origin = `http://localhost:${port}`;
	const stop = new AbortController();
	const callers = Array.from({ length: CALLERS }, () =>
		keepSigningIn(origin, figures, stop.signal),
	);
	const child = spawn(process.execPath, ["tools/run.mjs", "start"], {
		env: { ...process.env, PORT: String(port), MILEPOST_STATE: state },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const ended = once(child, "exit");
	try {
		await whenReady(child);
		figures.starts += 1;
		const isOf = (role: string, account: unknown) =>
			JSON.stringify(account).includes(`"role":"${role}"`);
		if (isOf("admin", await accountOf(origin, "admin@milepost.test")))
			figures.withAdministrator += 1;
		if (JSON.stringify(await accountOf(origin, "dana@milepost.test")).includes("DRV-0001"))
			figures.withDemoFleet += 1;
	} finally {
		stop.abort();
		await Promise.all(callers);
		child.kill("SIGTERM");
		await ended;
		await rm(state, { recursive: true, force: true });
	}
}

/**
 * Runs `npm start` that many times, each in a new folder.
 * @param say called after each start
 */
export async function raceStarts(
	starts: number,
	say: (words: string) => void = () => undefined,
): Promise<RaceFigures> {
	const figures: RaceFigures = {
		starts: 0,
		withAdministrator: 0,
		withDemoFleet: 0,
		signIns: 0,
		otherAnswers: {},
	};
	for (let start = 1; start <= starts; start++) {
		await startOnce(figures);
		say(`${start} of ${starts}: ${JSON.stringify(figures)}`);
	}
	return figures;
}
