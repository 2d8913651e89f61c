/**
 * A day without the email provider, and isolates that end meanwhile: every email of the day is sent
 * once, within two hours after the provider is back.
 */
import { describe, expect, it } from "vitest";
import { diceOf } from "../../../lab/torture/dice.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { times } from "../../../tests/support/extent.ts";
import { Database } from "../../db/client.server.ts";
import { deliverMail } from "./delivery.server.ts";
import { MailFault, type Message, type SentTogether, type Transport } from "./rules.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const bench = await openDatabase("everyone", NOON);

/** A provider as Resend documents it: a repeated key gets the first answer, or 409 for other content. */
class Provider {
	readonly #answers = new Map<string, { body: string; answer: readonly SentTogether[] }>();
	readonly taken = new Map<string, number>();
	calls = 0;
	/** Thrown before anything is accepted. */
	fault: Error | undefined;
	/** Messages to these are refused. */
	refused = new Set<string>();
	/** Runs once a call was accepted. */
	afterwards: () => void = () => undefined;

	#take(messages: readonly Message[], key: string): readonly SentTogether[] {
		this.calls += 1;
		if (this.fault) throw this.fault;
		const body = JSON.stringify(messages.map(({ to, subject, text }) => [to, subject, text]));
		const known = this.#answers.get(key);
		if (known && known.body !== body) throw new Error("The email provider returned 409");
		const answer =
			known?.answer ??
			messages.map(({ to, subject }) => {
				if (this.refused.has(to)) return new MailFault("address", "The `to` field is invalid");
				this.taken.set(subject, (this.taken.get(subject) ?? 0) + 1);
				return `id of ${subject}`;
			});
		this.#answers.set(key, { body, answer });
		this.afterwards();
		return answer;
	}
	transport(knowsBatches = true): Transport {
		return {
			isRepeatable: true,
			send: async (message) => {
				const [answer] = this.#take([message], message.key);
				if (answer instanceof MailFault) throw answer;
				return answer;
			},
			...(knowsBatches ? { sendTogether: async (messages, key) => this.#take(messages, key) } : {}),
		};
	}
}

let serial = 0;
/** Queues emails at a time, or one after another from then on. */
async function queue(at: number, count: number, apart = 0): Promise<void> {
	const first = serial + 1;
	serial += count;
	await bench.rows(
		`insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
		with recursive n(i) as (select cast(?1 as integer) union all select i + 1 from n where i < ?2)
		select printf('%032d', i), 'request-decided', ?3, 'to' || i || '@milepost.test', 'no ' || i, 'b', 'x', 'queued', ?4 + (i - ?1) * ?5, ?4 + (i - ?1) * ?5, 'outage' || i from n`,
		first,
		serial,
		idOf("ada"),
		at,
		apart,
	);
}
const left = async (status: string) =>
	(await bench.rows<{ n: number }>("select count(*) as n from mails where status = ?", status))[0]
		?.n;
/** Nothing is left of earlier tests. */
async function begin(): Promise<void> {
	await bench.rows("delete from mails");
}
class Killed extends Error {}

describe("960 emails over a day without a provider", () => {
	it.each([
		["503", new MailFault("later", "The email provider returned 503"), true, 960],
		// One by one, a quarter shows as much in a quarter of the time.
		[
			"an expired key, and no call for several",
			new MailFault("later", "401"),
			false,
			times("OUTAGE_EMAILS", 240, 960),
		],
	])(
		"that answers %s are all sent once within two hours after it is back",
		async (_, fault, together, count) => {
			await begin();
			const provider = new Provider();
			provider.fault = fault;
			const db = new Database(bench.batches);
			const minute = (now: number) => deliverMail(db, provider.transport(together), () => now);
			await queue(NOON, count, DAY / count);
			let now = NOON;
			// Every seventh minute is enough to see the day.
			for (; now < NOON + DAY; now += 7 * MINUTE) expect((await minute(now)).givenUp).toBe(0);
			const queued = (await left("queued")) ?? 0;
			expect(queued).toBe(count);
			expect(await left("failed")).toBe(0);
			provider.fault = undefined;
			const calls = provider.calls;
			for (let minutes = 0; minutes < count / 8 && (await left("queued")) !== 0; minutes++)
				await minute(now + minutes * MINUTE);
			expect(await left("sent")).toBe(queued);
			expect([...provider.taken.values()]).toEqual(Array(queued).fill(1));
			if (together) expect(provider.calls - calls).toBeLessThan(60);
		},
		300_000,
	);

	it("are each sent once though isolates end at every step meanwhile", async () => {
		await begin();
		const dice = diceOf(1, 7);
		const provider = new Provider();
		let kills = 0;
		let lives = Number.POSITIVE_INFINITY;
		const step = () => {
			if (lives-- > 0) return;
			kills += 1;
			throw new Killed();
		};
		const d1 = {
			prepare: (query: string) => bench.batches.prepare(query),
			batch: async (list: D1PreparedStatement[]) => {
				step();
				const results = await bench.batches.batch(list);
				step();
				return results;
			},
		} as unknown as D1Database;
		provider.afterwards = step;
		await queue(NOON, 300);
		let now = NOON;
		for (let run = 0; run < 400 && ((await left("queued")) || (await left("sending"))); run++) {
			// At fault for the first hours; later it answers at times.
			provider.fault = run < 20 || dice.below(4) === 0 ? new MailFault("later", "503") : undefined;
			lives = dice.below(60);
			await deliverMail(
				new Database(d1, (error) => error.cause ?? error, 1),
				provider.transport(),
				() => now,
			).catch((error) => expect(String(error)).toContain("Error"));
			now += 11 * MINUTE;
		}
		expect(kills).toBeGreaterThan(10);
		expect(await left("sent")).toBe(300);
		expect([...provider.taken.values()]).toEqual(Array(300).fill(1));
	}, 300_000);
});

describe("messages in one call", () => {
	const deliver = (provider: Provider, now = NOON) =>
		deliverMail(new Database(bench.batches), provider.transport(), () => now);

	it("are up to 100, after ten one by one, and up to a thousand in a run", async () => {
		await begin();
		await queue(NOON, 1110);
		const provider = new Provider();
		expect(await deliver(provider)).toMatchObject({ sent: 1010, failed: 0 });
		expect(provider.calls).toBe(20);
		expect(await deliver(provider)).toMatchObject({ sent: 100, failed: 0 });
		expect([...provider.taken.values()]).toEqual(Array(1110).fill(1));
	});

	it("are told apart when some of them are refused", async () => {
		await begin();
		await queue(NOON, 15);
		const provider = new Provider();
		provider.refused = new Set([13, 14].map((each) => `to${serial - 15 + each}@milepost.test`));
		expect(await deliver(provider)).toEqual({ sent: 13, failed: 2, givenUp: 0 });
		expect(await bench.rows("select count(*) as n from bounces where address like 'to%'")).toEqual([
			{ n: 2 },
		]);
		expect([await left("sent"), await left("failed")]).toEqual([13, 2]);
		expect(
			await bench.rows(
				"select provider_id from mails where status = 'sent' and provider_id <> 'id of ' || subject",
			),
		).toEqual([]);
	});

	it("that are refused as a whole are handed over one by one", async () => {
		await begin();
		await queue(NOON, 14);
		const provider = new Provider();
		const transport: Transport = {
			...provider.transport(),
			sendTogether: async () => {
				throw new MailFault("refused", "The email provider returned 422");
			},
		};
		const delivery = await deliverMail(new Database(bench.batches), transport, () => NOON);
		expect(delivery).toEqual({ sent: 14, failed: 0, givenUp: 0 });
	});

	it("that may have been accepted are repeated as they were, without one that no longer applies", async () => {
		await begin();
		await queue(NOON, 13);
		const provider = new Provider();
		let accepted = 0;
		provider.afterwards = () => {
			accepted += 1;
			if (accepted === 11) throw new Error("The connection broke");
		};
		await deliver(provider);
		expect([await left("sent"), await left("queued")]).toEqual([10, 3]);
		await queue(NOON, 2);
		await deliver(provider, NOON + 5 * MINUTE);
		expect(await left("sent")).toBe(15);
		expect([...provider.taken.values()]).toEqual(Array(15).fill(1));
		// With one of them canceled meanwhile, the provider sees that the call differs.
		await begin();
		await queue(NOON, 13);
		accepted = 0;
		await deliver(provider);
		await bench.rows("update mails set status = 'cancelled' where id = printf('%032d', ?)", serial);
		for (let hour = 1; hour < 24; hour++) await deliver(provider, NOON + hour * 60 * MINUTE);
		const held = "select status, may_have_been_sent as held from mails where status = 'failed'";
		expect(await bench.rows(held)).toEqual(Array(2).fill({ status: "failed", held: 1 }));
		expect(Math.max(...provider.taken.values())).toBe(1);
	});
});
