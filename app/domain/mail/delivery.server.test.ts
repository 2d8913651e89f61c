import { beforeEach, describe, expect, it } from "vitest";
import { CAST, idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import type { Database } from "../../db/client.server.ts";
import { sendAgain } from "./commands/send-again.server.ts";
import { deliverMail } from "./delivery.server.ts";
import { MAX_TRIES, type Message, REMINDER_TTL_MS, retryDelay, SEND_TIMEOUT_MS } from "./rules.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOW);
const db = async () => (await bench.admin("ada", NOW)).db as Database;

let serial = 0;
async function queue(
	kind: string,
	more: {
		address?: string;
		sendAfter?: number;
		status?: string;
		attempts?: number;
		subject?: string;
	} = {},
): Promise<string> {
	serial += 1;
	const id = String(serial).padStart(32, "0");
	await bench.rows(
		"insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, created_at, send_after, attempts, dedupe_key) values (?, ?, ?, ?, ?, 'Body', 'about', ?, ?, ?, ?, ?)",
		id,
		kind,
		idOf("ada"),
		more.address ?? CAST.ada.email,
		more.subject ?? `Subject ${serial}`,
		more.status ?? "queued",
		NOW - 1000,
		more.sendAfter ?? NOW - 1000,
		more.attempts ?? 0,
		`key-${serial}`,
	);
	return id;
}
const stateOf = async (id: string) =>
	(
		await bench.rows<{
			status: string;
			attempts: number;
			send_after: number;
			last_error: string | null;
		}>("select status, attempts, send_after, last_error from mails where id = ?", id)
	)[0];

/** A provider that remembers what it took. */
function provider(fault?: string) {
	const taken: Message[] = [];
	return {
		taken,
		send: async (message: Message) => {
			if (fault) throw new Error(fault);
			taken.push(message);
		},
	};
}

beforeEach(async () => {
	await bench.rows("update mails set status = 'cancelled' where status in ('queued', 'sending')");
});

describe("deliverMail", () => {
	it("sends what is due, once, and leaves what is not", async () => {
		const due = await queue("invitation");
		const later = await queue("request-decided", { sendAfter: NOW + 1 });
		const { taken, send } = provider();
		expect(await deliverMail(await db(), send, NOW)).toEqual({ sent: 1, failed: 0 });
		expect(taken).toEqual([
			{ to: CAST.ada.email, subject: expect.stringMatching(/^Subject/), text: "Body", key: due },
		]);
		expect(await stateOf(due)).toMatchObject({ status: "sent" });
		expect(await stateOf(later)).toMatchObject({ status: "queued", attempts: 0 });
		expect(await deliverMail(await db(), send, NOW)).toEqual({ sent: 0, failed: 0 });
		await deliverMail(await db(), send, NOW + 1);
		expect(taken).toHaveLength(2);
	});

	it("never sends one twice, however many deliveries run at once", async () => {
		for (let each = 0; each < 15; each++) await queue("invitation");
		const { taken, send } = provider();
		await Promise.all(Array.from({ length: 8 }, async () => deliverMail(await db(), send, NOW)));
		expect(taken).toHaveLength(15);
		expect(new Set(taken.map(({ key }) => key)).size).toBe(15);
	});

	it("retries with backoff, then marks it as failed with the reason", async () => {
		const id = await queue("invitation");
		const { send } = provider("The email provider returned 500");
		let now = NOW;
		for (let tries = 1; tries < MAX_TRIES; tries++) {
			expect(await deliverMail(await db(), send, now)).toEqual({ sent: 0, failed: 1 });
			expect(await stateOf(id)).toEqual({
				status: "queued",
				attempts: tries,
				send_after: now + retryDelay(tries),
				last_error: "The email provider returned 500",
			});
			expect(await deliverMail(await db(), send, now + retryDelay(tries) - 1)).toEqual({
				sent: 0,
				failed: 0,
			});
			now += retryDelay(tries);
		}
		await deliverMail(await db(), send, now);
		expect(await stateOf(id)).toMatchObject({ status: "failed", attempts: MAX_TRIES });
		const again = await sendAgain(await bench.admin("ada", now), id);
		expect(again).toMatchObject({ ok: true, value: { status: "queued", attempts: 0 } });
	});

	it("marks an email lost in transit as failed, and doesn't resend it", async () => {
		const id = await queue("invitation", {
			status: "sending",
			sendAfter: NOW - SEND_TIMEOUT_MS - 1,
			attempts: 1,
		});
		const fresh = await queue("invitation", {
			status: "sending",
			sendAfter: NOW - SEND_TIMEOUT_MS + 1,
			attempts: 1,
		});
		const { taken, send } = provider();
		await deliverMail(await db(), send, NOW);
		expect(taken).toHaveLength(0);
		expect(await stateOf(id)).toMatchObject({
			status: "failed",
			last_error: "Lost on the way: it may have arrived.",
		});
		expect(await stateOf(fresh)).toMatchObject({ status: "sending" });
	});

	it("sends reminders when nothing else is due, however many wait and since when", async () => {
		for (let each = 0; each < 30; each++)
			await queue("reminder-miles", { sendAfter: NOW - 60_000 });
		for (let each = 0; each < 5; each++) await queue("request-decided", { subject: "Decided" });
		const { taken, send } = provider();
		expect(await deliverMail(await db(), send, NOW)).toEqual({ sent: 20, failed: 0 });
		expect(taken.filter(({ subject }) => subject === "Decided")).toHaveLength(5);
		for (let each = 0; each < 25; each++) await queue("request-decided", { subject: "Decided" });
		await deliverMail(await db(), send, NOW);
		expect(taken.slice(20).map(({ subject }) => subject)).toEqual(Array(20).fill("Decided"));
		await deliverMail(await db(), send, NOW);
		expect(taken.filter(({ subject }) => subject === "Decided")).toHaveLength(30);
		await deliverMail(await db(), send, NOW);
		expect(taken).toHaveLength(60);
	});

	it("gives up reminders that have waited for two days, and no other mail", async () => {
		const old = { sendAfter: NOW - REMINDER_TTL_MS };
		const stale = await queue("reminder-digest", old);
		const fresh = await queue("reminder-digest", { sendAfter: NOW - REMINDER_TTL_MS + 1 });
		const decision = await queue("request-decided", old);
		const { taken, send } = provider();
		await deliverMail(await db(), send, NOW);
		expect(taken.map(({ key }) => key).sort()).toEqual([fresh, decision]);
		expect(await stateOf(stale)).toMatchObject({ status: "cancelled", attempts: 0 });
	});

	it("combines waiting emails to one administrator into one", async () => {
		await queue("new-request", { subject: "New fund request FR-000001" });
		await queue("new-request", { subject: "New fund request FR-000002", sendAfter: NOW + 60_000 });
		await queue("new-application", {
			subject: "New driver application: N",
			sendAfter: NOW + 60_000,
		});
		await queue("new-request", {
			address: CAST.ben.email,
			subject: "For Ben",
			sendAfter: NOW + 60_000,
		});
		const { taken, send } = provider();
		await deliverMail(await db(), send, NOW);
		expect(taken).toHaveLength(1);
		expect(taken[0]).toMatchObject({ to: CAST.ada.email, subject: "2 things wait for you" });
		expect(taken[0]?.text).toContain("FR-000001");
		expect(taken[0]?.text).toContain("FR-000002");
		await deliverMail(await db(), send, NOW + 60_000);
		expect(taken.map(({ to }) => to).sort()).toEqual(
			[CAST.ada.email, CAST.ada.email, CAST.ben.email].sort(),
		);
	});
});
