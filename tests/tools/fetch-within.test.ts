/** Requests with a time limit for the whole response. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { fetchWithin } from "../../tools/fetch-within.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The status and text, or the name of the error; and whether the connection was closed. */
async function fetched(listener: RequestListener, limit: number) {
	const server = createServer(listener).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = server.address() as AddressInfo;
	// What a response waits for must not be lost while it waits.
	const collecting = setInterval(collectGarbage, 5);
	const outcome = await fetchWithin(
		`http://127.0.0.1:${port}/`,
		{ method: "POST", body: "?" },
		limit,
	)
		.then(({ status, text }) => `${status} ${text()}`)
		.catch((error: unknown) => (error instanceof Error ? error.name : error));
	clearInterval(collecting);
	// Only once no connection is open.
	await new Promise((resolve) => server.close(resolve));
	return outcome;
}

it("reads a response to its end", async () => {
	const inParts: RequestListener = (_, response) => {
		response.writeHead(418).write("Grü");
		setTimeout(() => response.end("ße"), 50);
	};
	expect(await fetched(inParts, 20_000)).toBe("418 Grüße");
	expect(await fetched((_, response) => response.writeHead(204).end(), 20_000)).toBe("204 ");
});

it.each<[string, RequestListener]>([
	["doesn't begin", () => undefined],
	["doesn't end", (_, response) => response.writeHead(200).write("a part")],
])("gives up on a response that %s, and closes its connection", async (_, listener) => {
	expect(await fetched(listener, 200)).toBe("TimeoutError");
});
