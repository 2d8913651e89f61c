import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that systems use for outgoing connections (from 32768 on Linux, 49152 elsewhere),
 * which may be taken before they are used.
 */
const LOWEST = 20_000;
const HIGHEST = 29_999;

function isFree(port: number): Promise<boolean> {
	return new Promise((pass) => {
		const probe = createServer().once("error", () => pass(false));
		probe.listen(port, "127.0.0.1", () => probe.close(() => pass(true)));
	});
}

/** A free port, chosen at random so that processes that ask at the same time get different ones. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(LOWEST, HIGHEST + 1);
		if (await isFree(port)) return port;
	}
}
