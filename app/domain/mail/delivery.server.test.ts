import { beforeEach, describe, expect, it } from "vitest";
import { CAST, idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import type { Database } from "../../db/client.server.ts";
import { sendAgain } from "./commands/send-again.server.ts";
import { deliverMail } from "./delivery.server.ts";
import { gatherNotices } from "./notices.server.ts";
import {
	DIGEST_DELAY_MS,
	IDEMPOTENCY_WINDOW_MS,
	MAX_PER_RUN,
	MailFault,
	type Message,
	REMINDER_TTL_MS,
	SEND_TIMEOUT_MS,
	type Transport,
} from "./rules.ts";

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
			may_have_been_sent: number;
		}>(
			"select status, attempts, send_after, last_error, may_have_been_sent from mails where id = ?",
			id,
		)
	)[0];

/** A provider that remembers what it accepted; one that knows keys accepts each once. */
function provider(fault?: Error, isRepeatable = true) {
	const taken: Message[] = [];
	const send: Transport["send"] = async (message) => {
		if (fault) throw fault;
		if (!isRepeatable || !taken.some(({ key }) => key === message.key)) taken.push(message);
		return `resend-${message.key}`;
	};
	return { taken, transport: { send, isRepeatable } };
}
const later = new MailFault("later", "The email provider returned 500");
const deliver = async (transport: Transport, now = NOW) =>
	deliverMail(await db(), transport, () => now);

beforeEach(async () => {
	await bench.rows("update mails set status = 'cancelled' where status in ('queued', 'sending')");
});

describe("deliverMail", () => {
	it("sends what is due, once, and nothing else", async () => {
		const due = await queue("invitation");
		const later = await queue("request-decided", { sendAfter: NOW + 1 });
		const { taken, transport } = provider();
		expect(await deliver(transport)).toEqual({ sent: 1, failed: 0, givenUp: 0 });
		expect(taken).toEqual([
			{ to: CAST.ada.email, subject: expect.stringMatching(/^Subject/), text: "Body", key: due },
		]);
		expect(await stateOf(due)).toMatchObject({ status: "sent" });
		expect(await stateOf(later)).toMatchObject({ status: "queued", attempts: 0 });
		expect(await deliver(transport)).toEqual({ sent: 0, failed: 0, givenUp: 0 });
		await deliver(transport, NOW + 1);
		expect(taken).toHaveLength(2);
	});

	it("never sends one twice, however many deliveries run at once", async () => {
		for (let each = 0; each < 15; each++) await queue("invitation");
		const { taken, transport } = provider();
		await Promise.all(Array.from({ length: 8 }, async () => deliver(transport)));
		expect(taken).toHaveLength(15);
		expect(new Set(taken.map(({ key }) => key)).size).toBe(15);
	});

	it("keeps trying what the provider refuses for its own reasons, at no cost, then fails with the reason", async () => {
		const id = await queue("request-decided");
		const { transport } = provider(later);
		for (const [minutes, delay] of [
			[0, 1],
			[1, 1],
			[2, 2],
			[4, 4],
			[45, 45],
			[3000, 60],
		] as const) {
			const now = NOW + minutes * 60_000;
			await bench.rows("update mails set send_after = ? where id = ?", now, id);
			expect(await deliver(transport, now)).toMatchObject({ sent: 0, failed: 1, givenUp: 0 });
			expect(await stateOf(id)).toEqual({
				status: "queued",
				attempts: 0,
				send_after: now + delay * 60_000,
				last_error: "The email provider returned 500",
				may_have_been_sent: 0,
			});
		}
		const end = NOW + 4 * 86_400_000;
		expect(await deliver(transport, end)).toEqual({
			sent: 0,
			failed: 1,
			givenUp: 1,
			refusedSince: undefined,
		});
		expect(await stateOf(id)).toMatchObject({ status: "failed" });
		const again = await sendAgain(await bench.admin("ada", end), id);
		expect(again).toMatchObject({ ok: true, value: { status: "queued", attempts: 0 } });
		// Emails are deleted after a while, so the entry itself says whom it was for.
		expect(
			await bench.rows(
				"select after ->> 'recipientId' as recipient from audit_events where entity = 'email' and entity_id = ?",
				id,
			),
		).toEqual(await bench.rows("select recipient_id as recipient from mails where id = ?", id));
	});

	it("hands over one message a minute while the provider is at fault, and all of them once it isn't", async () => {
		for (let each = 0; each < 30; each++) await queue("request-decided");
		for (let minute = 0; minute < 40; minute++) {
			const delivery = await deliver(provider(later).transport, NOW + minute * 60_000);
			expect(delivery).toMatchObject({ sent: 0, failed: 1, givenUp: 0 });
			// The operator is told after half an hour.
			expect(delivery.refusedSince).toBe(minute < 30 ? undefined : NOW);
		}
		const { taken, transport } = provider();
		const back = NOW + 41 * 60_000;
		await deliver(transport, back);
		await deliver(transport, back + 60_000);
		expect(new Set(taken.map(({ key }) => key)).size).toBe(30);
		expect(taken).toHaveLength(30);
	});

	it("takes a fresh key once the provider may have forgotten the old one, if nothing is in doubt", async () => {
		const id = await queue("request-decided");
		await deliver(provider(later).transport);
		await bench.rows("update mails set send_after = 1 where id = ?", id);
		const { taken, transport } = provider();
		await deliver(transport, NOW + IDEMPOTENCY_WINDOW_MS);
		expect(taken.map(({ key }) => key)).toEqual([`${id}-${NOW + IDEMPOTENCY_WINDOW_MS}`]);
		const doubtful = await queue("request-decided");
		await deliver(provider(new Error("timed out")).transport);
		await bench.rows("update mails set send_after = 1 where id = ?", doubtful);
		await deliver(transport, NOW + IDEMPOTENCY_WINDOW_MS);
		expect(taken).toHaveLength(1);
		expect(await stateOf(doubtful)).toMatchObject({ status: "failed", may_have_been_sent: 1 });
	});

	it("waits within the run for a provider that asks for a moment's patience", async () => {
		for (let each = 0; each < 3; each++) await queue("request-decided");
		const { taken, transport } = provider();
		let calls = 0;
		const send: Transport["send"] = (message) => {
			calls += 1;
			if (calls % 2 === 1) throw new MailFault("later", "429", 5);
			return transport.send(message);
		};
		await deliver({ ...transport, send }, NOW + 10);
		await deliver({ ...transport, send }, NOW + 20);
		expect(taken).toHaveLength(3);
	});

	it("doesn't send an invitation that has ended meanwhile", async () => {
		const [person] = await bench.rows<{ id: string; at: number; role: string }>(
			"select id, invited_at as at, role from users where invited_at is not null and claimed_at is null and deleted_at is null limit 1",
		);
		if (!person) return expect.unreachable();
		const [live, over] = [await queue("invitation"), await queue("invitation")];
		const days = person.role === "admin" ? 3 : 30;
		await bench.rows("update mails set about_id = ? where id in (?, ?)", person.id, live, over);
		await bench.rows(
			"update mails set created_at = ?, send_after = 1 where id = ?",
			person.at,
			live,
		);
		await bench.rows(
			"update mails set created_at = ?, send_after = ? where id = ?",
			person.at,
			person.at + days * 86_400_000,
			over,
		);
		const { taken, transport } = provider();
		await deliver(transport, person.at + days * 86_400_000 - 1);
		expect(taken.map(({ key }) => key)).toEqual([live]);
		await deliver(transport, person.at + days * 86_400_000);
		expect(taken).toHaveLength(1);
		expect(await stateOf(over)).toMatchObject({ status: "cancelled" });
	});

	it("retries an email that was lost on its way if the provider knows its key", async () => {
		const lost = { status: "sending", sendAfter: NOW - SEND_TIMEOUT_MS - 1, attempts: 1 };
		const [id, fromLongAgo] = [await queue("invitation", lost), await queue("invitation", lost)];
		const triedAt = "update mails set first_tried_at = ? where id = ?";
		await bench.rows(triedAt, NOW - 3_600_000, id);
		await bench.rows(triedAt, NOW - IDEMPOTENCY_WINDOW_MS - 1, fromLongAgo);
		const onItsWay = await queue("invitation", { ...lost, sendAfter: NOW - SEND_TIMEOUT_MS + 1 });
		const { taken, transport } = provider();
		await deliver(transport);
		expect(taken.map(({ key }) => key)).toEqual([id]);
		expect(await stateOf(fromLongAgo)).toMatchObject({ status: "failed", may_have_been_sent: 1 });
		expect(await stateOf(onItsWay)).toMatchObject({ status: "sending" });
	});

	it("with any other provider holds a lost email until it is resent by hand", async () => {
		const lost = { status: "sending", sendAfter: NOW - SEND_TIMEOUT_MS - 1, attempts: 1 };
		const id = await queue("invitation", lost);
		await bench.rows("update mails set first_tried_at = ? where id = ?", NOW - 3_600_000, id);
		const { taken, transport } = provider(undefined, false);
		expect(await deliver(transport)).toEqual({ sent: 0, failed: 0, givenUp: 1 });
		expect(taken).toEqual([]);
		expect(await stateOf(id)).toMatchObject({ status: "failed", may_have_been_sent: 1 });
		expect((await sendAgain(await bench.admin("ada", NOW), id)).ok).toBe(true);
		await deliver(transport);
		expect(taken.map(({ key }) => key)).toEqual([id]);
		expect(await stateOf(id)).toMatchObject({ status: "sent", may_have_been_sent: 0 });
	});

	it.each([
		["a timeout, and the provider knows the key", new Error("timed out"), true, "queued", 0],
		["a timeout, and the provider knows no keys", new Error("timed out"), false, "failed", 1],
		["'too many' or a fault of its own", later, false, "queued", 0],
		["a message it will never take", new MailFault("refused", "422"), true, "failed", 0],
	] as const)("after %s", async (_, fault, isRepeatable, status, uncertain) => {
		const id = await queue("invitation");
		const { givenUp } = await deliver(provider(fault, isRepeatable).transport);
		expect(await stateOf(id)).toMatchObject({ status, may_have_been_sent: uncertain });
		expect(givenUp).toBe(status === "failed" ? 1 : 0);
	});

	it("remembers an email that the provider refuses until mail is delivered to it", async () => {
		const address = "gone@milepost.test";
		const fault = new MailFault("address", "E_RECIPIENT_SUPPRESSED");
		await queue("invitation", { address });
		// Whoever typed it sees it beside the person; the operator can't fix it.
		expect(await deliver(provider(fault, false).transport)).toMatchObject({ givenUp: 0 });
		const bounce = "select address, reason from bounces";
		expect(await bench.rows(bounce)).toEqual([{ address, reason: fault.message }]);
		await queue("invitation", { address });
		await deliver(provider(undefined, false).transport);
		expect(await bench.rows(bounce)).toEqual([]);
	});

	it("starts no new message once the run has lasted long enough", async () => {
		const ids = [await queue("invitation"), await queue("invitation"), await queue("invitation")];
		let now = NOW;
		const { transport } = provider();
		const slow: Transport = {
			...transport,
			send: async (message) => {
				now += 10_000;
				return transport.send(message);
			},
		};
		expect(await deliverMail(await db(), slow, () => now)).toEqual({
			sent: 2,
			failed: 0,
			givenUp: 0,
		});
		const states = await Promise.all(ids.map(stateOf));
		expect(states.map((each) => each?.status).sort()).toEqual(["queued", "sent", "sent"]);
	});

	it("sends reminders when nothing else is due, however many wait and since when", async () => {
		for (let each = 0; each < MAX_PER_RUN + 10; each++)
			await queue("reminder-miles", { sendAfter: NOW - 60_000 });
		for (let each = 0; each < 5; each++) await queue("request-decided", { subject: "Decided" });
		const { taken, transport } = provider();
		expect(await deliver(transport)).toEqual({ sent: MAX_PER_RUN, failed: 0, givenUp: 0 });
		expect(taken.slice(0, 5).map(({ subject }) => subject)).toEqual(Array(5).fill("Decided"));
		for (let each = 0; each < 25; each++) await queue("request-decided", { subject: "Decided" });
		await deliver(transport);
		expect(taken.slice(MAX_PER_RUN, MAX_PER_RUN + 25).map(({ subject }) => subject)).toEqual(
			Array(25).fill("Decided"),
		);
		expect(taken).toHaveLength(MAX_PER_RUN + 40);
	});

	it("gives up a reminder that the provider has refused for two days", async () => {
		const id = await queue("reminder-miles");
		await deliver(provider(later).transport);
		const since = NOW - 1000 + REMINDER_TTL_MS;
		for (const [now, status] of [
			[since - 1, "queued"],
			[since, "cancelled"],
		] as const) {
			await bench.rows("update mails set send_after = ? where id = ?", now, id);
			await deliver(provider(later).transport, now);
			expect(await stateOf(id)).toMatchObject({ status });
		}
	});

	it("gives up reminders that have waited for two days, and no other mail", async () => {
		const old = { sendAfter: NOW - REMINDER_TTL_MS };
		const stale = await queue("reminder-digest", old);
		const fresh = await queue("reminder-digest", { sendAfter: NOW - REMINDER_TTL_MS + 1 });
		const decision = await queue("request-decided", old);
		const { taken, transport } = provider();
		await deliver(transport);
		expect(taken.map(({ key }) => key).sort()).toEqual([fresh, decision]);
		expect(await stateOf(stale)).toMatchObject({ status: "cancelled", attempts: 0 });
	});
});

describe("the administrators' digest", () => {
	const note = (id: string, at: number) =>
		bench.rows(
			"insert into notices (id, subject, body, created_at) values (?, ?, 'Body', ?)",
			id,
			`Subject of ${id}`,
			at,
		);
	const digests = () =>
		bench.rows<{ address: string; subject: string; body: string }>(
			"select address, subject, body from mails where kind = 'admin-digest' and status = 'queued' order by address",
		);

	it("is one email to each, once its first item is 15 minutes old", async () => {
		await note("new-request:1", NOW - DIGEST_DELAY_MS + 60_000);
		await note("new-request:2", NOW);
		await gatherNotices(await db(), NOW);
		expect(await digests()).toEqual([]);
		const due = NOW + 60_000;
		await Promise.all(Array.from({ length: 4 }, async () => gatherNotices(await db(), due)));
		const found = await digests();
		expect(found.map(({ address }) => address)).toEqual([CAST.ada.email, CAST.ben.email]);
		for (const { subject, body } of found) {
			expect(subject).toBe("2 items to review");
			expect(body).toBe("Subject of new-request:1\nBody\n\nSubject of new-request:2\nBody");
		}
		await gatherNotices(await db(), due + DIGEST_DELAY_MS);
		expect(await digests()).toHaveLength(2);
	});

	it("keeps the subject of a single item, and reports it once however often it is noted", async () => {
		await note("new-request:3", NOW);
		await gatherNotices(await db(), NOW + DIGEST_DELAY_MS);
		expect((await digests()).map(({ subject }) => subject)).toEqual(
			Array(2).fill("Subject of new-request:3"),
		);
		await expect(note("new-request:3", NOW)).rejects.toThrow(/UNIQUE/);
	});

	it("includes what release 0.1.0 queued for each administrator", async () => {
		for (const name of ["ada", "ben"] as const) {
			const id = await queue("new-request", { address: CAST[name].email, subject: "FR-000009" });
			await bench.rows(
				"update mails set about_id = 'r9', send_after = ? where id = ?",
				NOW + 1,
				id,
			);
		}
		await gatherNotices(await db(), NOW + DIGEST_DELAY_MS);
		expect((await digests()).map(({ address, subject }) => [address, subject])).toEqual([
			[CAST.ada.email, "FR-000009"],
			[CAST.ben.email, "FR-000009"],
		]);
	});
});
