/** A refused write leaves its connection usable, because its body is always read to the end. */
import { Agent, request } from "node:http";
import { expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ port: await freePort() });
const port = Number(new URL(fleet.origin).port);

it.each([
	["an unsupported method", "POST", "/api/profile", 405, { Origin: fleet.origin }],
	[
		"a forged write",
		"POST",
		"/api/mileage",
		403,
		{ Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
	],
	["an unknown data endpoint", "POST", "/mileage.data", 404, { Origin: fleet.origin }],
	["an oversized body", "POST", "/api/mileage", 413, { Origin: fleet.origin }],
] as const)("after %s", async (_, method, path, status, headers) => {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const body = JSON.stringify({ notes: "x".repeat(status === 413 ? 200_000 : 2000) });
	const send = (
		options: { method: string; path: string; headers: Record<string, string | number> },
		text = "",
	) =>
		new Promise<{ status: number | undefined; wasReused: boolean }>((resolve, reject) => {
			const sent = request({ host: "localhost", port, agent, ...options }, (answer) => {
				answer
					.resume()
					.once("end", () => resolve({ status: answer.statusCode, wasReused: sent.reusedSocket }));
			});
			sent.once("error", reject).end(text);
		});
	for (let round = 0; round < 10; round++) {
		const refused = await send(
			{
				method,
				path,
				headers: { ...headers, "Content-Type": "application/json", "Content-Length": body.length },
			},
			body,
		);
		expect(refused.status).toBe(status);
		expect((await send({ method: "GET", path: "/", headers: {} })).status).toBe(200);
	}
	agent.destroy();
});
