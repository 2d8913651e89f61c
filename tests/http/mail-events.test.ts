/**
 * Delivery events from the email provider, signed as Resend signs them, and an isolate that ends in
 * the middle of sending.
 */
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Miniflare } from "miniflare";
import { afterAll, describe, expect, it } from "vitest";
import { workerOptions } from "../../tools/local-worker.ts";
import { CAST, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { openFleet } from "../support/worker.ts";

const taken: string[] = [];
/** How the provider answers the next message, once it has accepted it. */
const answerWith: (response: ServerResponse, key: string) => void = (response, key) =>
	void response.end(JSON.stringify({ id: `resend-${key}` }));
/** The same for several in one call. */
let answerTogether: (response: ServerResponse, keys: readonly string[]) => void = (
	response,
	keys,
) => void response.end(JSON.stringify({ data: keys.map((key) => ({ id: `resend-${key}` })) }));
const provider = createServer((request, response) => {
	buffer(request).then((body) => {
		const key = String(request.headers["idempotency-key"]);
		const sent = JSON.parse(body.toString());
		// Each message of a call is one that it takes.
		const keys = Array.isArray(sent) ? sent.map((_, at) => `${key}/${at}`) : [key];
		for (const each of keys) if (!taken.includes(each)) taken.push(each);
		response.writeHead(200, { "Content-Type": "application/json" });
		if (!Array.isArray(sent)) answerWith(response, key);
		else answerTogether(response, keys);
	});
}).listen(0, "127.0.0.1");
await new Promise((resolve) => provider.once("listening", resolve));
afterAll(() => provider.close());

const KEY = Buffer.from("a secret of at least 24 bytes");
const vars = {
	MAIL_PROVIDER: "resend",
	MAIL_FROM: "Milepost <fleet@milepost.test>",
	MAIL_API_KEY: "secret-key",
	MAIL_API_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/emails`,
	MAIL_WEBHOOK_SECRET: `whsec_${KEY.toString("base64")}`,
};
const fleet = await openFleet({ vars });

/** Posts an event as Resend does. */
function postEvent(
	event: unknown,
	{ at = currentTime(), key = KEY, body = JSON.stringify(event) } = {},
) {
	const timestamp = String(Math.floor(at / 1000));
	const signature = createHmac("sha256", key)
		.update(`msg_1.${timestamp}.${JSON.stringify(event)}`)
		.digest("base64");
	return fleet.client().request("/api/mail/events", {
		method: "POST",
		body,
		headers: {
			"Content-Type": "application/json",
			Origin: "https://resend.example",
			"Sec-Fetch-Site": "cross-site",
			"svix-id": "msg_1",
			"svix-timestamp": timestamp,
			"svix-signature": `v1,bm90IHRoaXM= v1,${signature}`,
		},
	});
}
const eventOf = (type: string, id: string, more: object = {}) => ({
	type,
	created_at: new Date(currentTime()).toISOString(),
	data: { email_id: id, ...more },
});

describe("a bounce", () => {
	it("is shown on the person and in the email list until an email reaches them again", async () => {
		const ada = await fleet.as("ada");
		expect((await ada.call("PUT", `/api/drivers/${idOf("nora")}/approve`)).status).toBe(200);
		const mail = async () =>
			(
				await fleet.sql<{ id: string; provider_id: string | null }>(
					"select id, provider_id from mails where kind = 'driver-approved'",
				)
			)[0];
		await expect.poll(async () => (await mail())?.provider_id).toMatch(/^resend-/);
		const id = (await mail())?.provider_id ?? "";
		const bounce = { bounce: { type: "Permanent", message: "550 no <such> mailbox" } };
		expect((await postEvent(eventOf("email.bounced", id, bounce))).status).toBe(204);
		expect((await postEvent(eventOf("email.bounced", id, bounce))).status).toBe(204);
		const drivers = await ada.get("/drivers");
		expect(drivers.headers.get("Server-Timing")).toContain("1 trip,");
		expect(drivers.text).toContain("Email bounced</span>");
		expect(drivers.text).toContain("550 no &lt;such&gt; mailbox");
		// On their own page however many others bounced since.
		await fleet.sql(`insert into bounces (address, reason, at)
			with recursive n(value) as (select 1 union all select value + 1 from n where value < 200)
			select 'other' || value || '@fleet.test', '550', ${currentTime() + 60_000} from n`);
		expect((await ada.get(`/drivers/${idOf("nora")}`)).text).toContain("Email bounced</span>");
		await fleet.sql("delete from bounces where address like 'other%'");
		const outbox = (await ada.get("/email")).text;
		expect(outbox).toContain("Bounced</span>");
		expect(outbox).not.toContain("Send again<");
		expect((await postEvent(eventOf("email.delivered", id))).status).toBe(204);
		expect((await ada.get("/drivers")).text).not.toContain("Email bounced");
	});

	it("changes nothing when it is temporary, repeated or about an unknown email", async () => {
		const transient = { bounce: { type: "Transient", message: "mailbox full" } };
		for (const event of [
			eventOf("email.bounced", `resend-${taken[0]}`, transient),
			eventOf("email.bounced", "somebody-else's"),
			eventOf("email.opened", `resend-${taken[0]}`),
		])
			expect((await postEvent(event)).status).toBe(204);
		expect(await fleet.sql("select * from bounces")).toEqual([]);
	});

	it("is refused with another signature, another body, from another time, or malformed", async () => {
		const event = eventOf("email.bounced", `resend-${taken[0]}`);
		const minutes = (n: number) => currentTime() + n * 60_000;
		expect((await postEvent(event, { key: Buffer.from("another") })).status).toBe(403);
		expect((await postEvent(event, { body: JSON.stringify({ ...event, type: "x" }) })).status).toBe(
			403,
		);
		expect((await postEvent(event, { at: minutes(-6) })).status).toBe(403);
		expect((await postEvent(event, { at: minutes(6) })).status).toBe(403);
		expect((await postEvent({ type: "email.bounced" })).status).toBe(400);
		const unsigned = await fleet.client().call("POST", "/api/mail/events", event);
		expect([unsigned.status, unsigned.text]).toEqual([
			403,
			expect.stringContaining("MAIL_WEBHOOK_SECRET"),
		]);
		expect(await fleet.sql("select * from bounces")).toEqual([]);
	});
});

describe("an isolate that ends while it sends", () => {
	it("holds up what one call carried, which is still sent once, and loses none", async () => {
		const state = await mkdtemp(join(tmpdir(), "milepost-mail-"));
		const start = async () => {
			const worker = new Miniflare(
				workerOptions({ state, vars: { ...vars, APP_ORIGIN: "http://localhost:8787" } }),
			);
			await worker.ready;
			return worker;
		};
		const at = async (worker: Miniflare, minutes: number) =>
			(await worker.getWorker()).scheduled({
				cron: "* * * * *",
				scheduledTime: new Date(currentTime() + minutes * 60_000),
			});
		const { migrate } = await import("../../tools/migrate.ts");
		let worker = await start();
		try {
			const db = await worker.getD1Database("DB");
			await migrate(db);
			await db
				.prepare(
					`insert into mails (id, kind, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
					with recursive n(i) as (select 1 union all select i + 1 from n where i < 20)
					select printf('%032d', i), 'invitation', ?, 's', 'b', 'x', 'queued', ?, i, i from n`,
				)
				.bind(CAST.dana.email, currentTime())
				.run();
			taken.length = 0;
			// The provider accepts a call with several, and the isolate ends before it hears so.
			const together = new Promise<void>((resolve) => {
				const answer = answerTogether;
				answerTogether = () => {
					answerTogether = answer;
					resolve();
				};
			});
			const running = at(worker, 0).catch(() => undefined);
			await together;
			await worker.dispose();
			await running;
			worker = await start();
			const states = async () =>
				(
					await (
						await worker.getD1Database("DB")
					)
						.prepare("select status, count(*) as n from mails group by status order by status")
						.all<{ status: string; n: number }>()
				).results;
			expect(await states()).toEqual([
				{ status: "sending", n: 10 },
				{ status: "sent", n: 10 },
			]);
			const once = [...taken];
			await at(worker, 1);
			await at(worker, 12);
			expect(await states()).toEqual([{ status: "sent", n: 20 }]);
			expect(taken).toEqual(once);
			expect(taken).toHaveLength(20);
		} finally {
			await worker.dispose();
			await rm(state, { recursive: true, force: true });
		}
	});
});
