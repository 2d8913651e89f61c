/** A Worker whose settings are invalid: only what needs them is closed, and everyone who watches is told. */
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { openFleet } from "../support/worker.ts";

const told: string[] = [];
const webhookPort = await freePort();
const webhook = createServer((request, response) => {
	let body = "";
	request.on("data", (chunk) => {
		body += chunk;
	});
	request.on("end", () => {
		told.push(body);
		response.end();
	});
});
const ERROR_WEBHOOK = `http://127.0.0.1:${webhookPort}/`;
beforeAll(() => new Promise<void>((resolve) => webhook.listen(webhookPort, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => webhook.close(resolve)));

// Cloudflare always sends the visitor's address.
const headers = { "CF-Connecting-IP": "203.0.113.7", Accept: "text/html" };
const toldOf = (name: string) =>
	expect.poll(() => told.join("\n"), { timeout: 10_000 }).toContain(name);
const heard = (lines: () => string[], name: string) =>
	expect.poll(() => lines().join("\n"), { timeout: 10_000 }).toContain(name);

describe("a time zone, without which every day would be wrong", async () => {
	const fleet = await openFleet({
		port: await freePort(),
		vars: { FLEET_TIME_ZONE: "Atlantis", ERROR_WEBHOOK },
	});

	it.each(["/", "/api/auth/user"])("answers %s with an error of its own", async (path) => {
		const answer = await fetch(fleet.origin + path, { headers });
		expect(answer.status).toBe(500);
		expect(answer.headers.get("X-Request-Id")).toMatch(/^[\da-f-]{36}$/);
		expect(await answer.text()).not.toContain("Atlantis");
		expect(fleet.takeErrors().join("\n")).toContain("FLEET_TIME_ZONE");
	});

	it("tells a monitor and the webhook which it is", async () => {
		const answer = await fetch(`${fleet.origin}/healthz`, { headers });
		expect(answer.status).toBe(503);
		expect(await answer.json()).toMatchObject({
			status: "failing",
			database: "ok",
			receipts: "ok",
			settings: "failing",
			wrongSettings: ["FLEET_TIME_ZONE"],
		});
		await toldOf("FLEET_TIME_ZONE");
	});
});

describe("a list of providers with a comma missing", async () => {
	const vars = { OIDC_PROVIDERS: '[{"id":"a" "name":"A"}]', ERROR_WEBHOOK };
	const fleet = await openFleet({ port: await freePort(), vars });
	const deployed = await openFleet({ port: await freePort(), vars, kind: "production" });

	it("lets people with a session go on", async () => {
		const ada = await fleet.as("ada");
		expect((await ada.get("/drivers")).status).toBe(200);
		await heard(() => fleet.takeErrors(), "OIDC_PROVIDERS");
	});

	it.each(["/api/login", "/api/callback?code=1&state=2"])("closes %s in words", async (path) => {
		const answer = await fetch(deployed.origin + path, { headers });
		expect(answer.status).toBe(503);
		expect(await answer.text()).toContain(
			"Sign-in isn&#x27;t set up correctly. Tell your administrator.",
		);
		const page = await fetch(`${deployed.origin}/nowhere`, { headers });
		expect(page.status).toBe(404);
		deployed.takeErrors();
	});

	it("tells a monitor and the webhook which it is", async () => {
		const answer = await fetch(`${deployed.origin}/healthz`, { headers });
		expect(answer.status).toBe(503);
		expect(await answer.json()).toMatchObject({
			status: "failing",
			database: "ok",
			settings: "failing",
			wrongSettings: ["OIDC_PROVIDERS"],
		});
		await toldOf("OIDC_PROVIDERS");
	});
});

describe("a mail provider without a key, and a secret of its webhook that is none", async () => {
	const fleet = await openFleet({
		port: await freePort(),
		vars: { MAIL_PROVIDER: "resend", MAIL_FROM: "a@example.com", MAIL_WEBHOOK_SECRET: "none" },
	});

	it("keeps mail in the queue, and everything else going", async () => {
		const ada = await fleet.as("ada");
		expect((await ada.get("/email")).status).toBe(200);
		const events = await ada.call("POST", "/api/mail/events", {}, { mayFail: true });
		expect(events.status).toBe(503);
		const health = await ada.get("/healthz", { mayFail: true });
		expect(JSON.parse(health.text)).toMatchObject({
			settings: "failing",
			wrongSettings: ["MAIL_WEBHOOK_SECRET", "MAIL_API_KEY"],
		});
		await heard(() => fleet.takeErrors(), "MAIL_API_KEY");
	});
});
