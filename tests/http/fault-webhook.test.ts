/**
 * Faults are reported to the operator's webhook, each once a minute, with what is needed to find
 * them in the log.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { currentTime } from "../support/clock.ts";
import { openFleet } from "../support/worker.ts";

type WebhookMessage = {
	text: string;
	fault: string;
	requestId: string | null;
	task: string | null;
	release: string;
	repeated: number;
	stack: string;
};
const told: WebhookMessage[] = [];
const webhook = createServer(async (request, response) => {
	told.push(JSON.parse((await buffer(request)).toString()) as WebhookMessage);
	response.end("ok");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => webhook.once("listening", resolve));
afterAll(() => webhook.close());
const fleet = await openFleet({
	vars: { ERROR_WEBHOOK: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/faults` },
});

it("the webhook is told once of a failing database, however many ask, and of nothing that isn't a fault", async () => {
	told.length = 0;
	const before = fleet.lines.length;
	const ada = await fleet.as("ada");
	expect((await ada.get("/nowhere")).status).toBe(404);
	expect((await fleet.client().get("/api/auth/user")).status).toBe(401);
	await fleet.sql("alter table sessions rename to hidden");
	const answers = [];
	for (let each = 0; each < 3; each++) answers.push(await ada.get("/drivers", { mayFail: true }));
	await fleet.sql("alter table hidden rename to sessions");
	expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
	await expect.poll(() => told.length).toBe(1);
	const [first] = told;
	expect(first).toMatchObject({
		requestId: answers[0]?.headers.get("X-Request-Id"),
		task: null,
		release: "local",
		repeated: 0,
		text: expect.stringMatching(
			/^Milepost fault in \/drivers \(request .*\), release local: .*sessions/,
		),
	});
	expect(first?.stack).toContain("no such table");
	// The stack names our source files and lines.
	const frames = [...(first?.stack ?? "").matchAll(/\((app\/[\w./-]+\.tsx?):(\d+)\)/g)];
	expect(frames.length, first?.stack).toBeGreaterThan(1);
	for (const [, file = "", line] of frames)
		expect(readFileSync(file, "utf8").split("\n").length).toBeGreaterThanOrEqual(Number(line));
	expect(first?.stack).not.toMatch(/\.js:\d+:\d+/);
	const logged = fleet.lines.slice(before).filter((line) => line.startsWith('{"stack":'));
	expect(logged.map((line) => JSON.parse(line))).toEqual([
		{ stack: first?.stack, requestId: first?.requestId },
	]);
	fleet.takeErrors();
});

it("reports a scheduled task's fault, and a minute later how often it has recurred", async () => {
	told.length = 0;
	await fleet.sql("alter table notices rename to hidden");
	const worker = await fleet.worker.getWorker();
	const tick = (seconds: number) =>
		worker.scheduled({
			cron: "* * * * *",
			scheduledTime: new Date(currentTime() + 3_600_000 + seconds * 1000),
		});
	for (const seconds of [0, 10, 20]) await tick(seconds);
	await expect.poll(() => told.filter(({ task }) => task === "notices").length).toBe(1);
	await tick(61);
	await fleet.sql("alter table hidden rename to notices");
	await expect
		.poll(() => told.filter(({ task }) => task === "notices").map(({ repeated }) => repeated))
		// The cleanup failed once because of it, too.
		.toEqual([0, 3]);
	fleet.takeErrors();
});
