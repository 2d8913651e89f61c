/**
 * The sending isolate is killed at random, before or after any step: each message is sent once, and
 * none is lost. MAIL_ROUNDS makes it longer: npm run torture -- email.
 */
import { afterAll, describe, expect, it } from "vitest";
import { report, some } from "../../../lab/torture/plan.ts";
import { mustBeZero } from "../../../lab/torture/table.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { Database } from "../../db/client.server.ts";
import { deliverMail } from "./delivery.server.ts";
import { SEND_TIMEOUT_MS, type Transport } from "./rules.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const ROUNDS = Number(process.env.MAIL_ROUNDS ?? some(6));
const SEED = Number(process.env.TORTURE_SEED ?? 0);
const MESSAGES = 20;
const bench = await openDatabase("everyone", NOON);

class Killed extends Error {}

/** Numbers from 0 to 1, determined by the seed. */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
		return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
	};
}

/**
 * An isolate that ends before or after one of its steps; nothing it does afterwards has an effect.
 */
class Isolate {
	#isDead = false;
	constructor(private left: number) {}
	#step(): void {
		if (this.#isDead || this.left-- <= 0) {
			this.#isDead = true;
			throw new Killed();
		}
	}
	async run<T>(work: () => Promise<T>): Promise<T> {
		this.#step();
		const answer = await work();
		this.#step();
		return answer;
	}
	database(): Database {
		const { batches } = bench;
		const d1 = {
			prepare: (sql: string) => batches.prepare(sql),
			batch: (list: D1PreparedStatement[]) => this.run(() => batches.batch(list)),
		};
		return new Database(d1 as D1Database, (error) => error.cause ?? error, 1);
	}
	transport(isRepeatable: boolean, take: (key: string) => void): Transport {
		const send: Transport["send"] = ({ key }) =>
			this.run(async () => {
				take(key);
				return undefined;
			});
		return { isRepeatable, send };
	}
}

let kills = 0;
const heldRounds: number[] = [];
afterAll(() => {
	const held = heldRounds.reduce((sum, each) => sum + each, 0);
	console.log(
		`${ROUNDS} rounds of ${MESSAGES} messages, twice: isolates killed ${kills}, held ${held}`,
	);
});

/** Twenty messages, delivered by isolates that are killed until none is left. */
async function round(number: number, isRepeatable: boolean): Promise<Map<string, number>> {
	const random = randomFrom(SEED * 10_000 + number + (isRepeatable ? 0 : 1_000_000));
	const ids = Array.from({ length: MESSAGES }, (_, each) =>
		`${isRepeatable ? "a" : "b"}${number}-${each}`.padStart(32, "0"),
	);
	await bench.rows(
		`insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
		select value, 'invitation', ?, 'x@milepost.test', 's', 'b', 'x', 'queued', 1, 1, value from json_each(?)`,
		idOf("ada"),
		JSON.stringify(ids),
	);
	const sent = new Map(ids.map((id) => [id, 0]));
	let now = NOON;
	const take = (key: string) => {
		// A provider that knows keys returns the first result for the same key.
		if (!isRepeatable || sent.get(key) === 0) sent.set(key, (sent.get(key) ?? 0) + 1);
	};
	for (let lives = 0; ; lives++) {
		expect(lives, "isolates").toBeLessThan(200);
		const isolate = new Isolate(Math.floor(random() * 60));
		try {
			await deliverMail(isolate.database(), isolate.transport(isRepeatable, take), () => now);
		} catch (error) {
			const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
			expect(cause).toBeInstanceOf(Killed);
			kills += 1;
		}
		now += SEND_TIMEOUT_MS + 60_000;
		const [left] = await bench.rows<{ n: number }>(
			"select count(*) as n from mails where status in ('queued', 'sending') and kind = 'invitation'",
		);
		if (left?.n === 0) return sent;
	}
}

describe("twenty messages, and isolates killed at random", () => {
	it("are each sent once where the provider knows their keys", async () => {
		for (let number = 1; number <= ROUNDS; number++)
			expect([...(await round(number, true)).values()], `round ${number}`).toEqual(
				Array(MESSAGES).fill(1),
			);
		report("email", [
			mustBeZero(
				"emails to a provider that knows keys",
				ROUNDS * MESSAGES,
				"lost or sent twice",
				0,
			),
		]);
	}, 1_200_000);

	it("are never sent twice by any other, and uncertain ones are held, not lost", async () => {
		for (let number = 1; number <= ROUNDS; number++) {
			const sent = await round(number, false);
			const held = await bench.rows<{ id: string }>(
				"select id from mails where may_have_been_sent = 1 and status = 'failed' and id like ?",
				`%b${number}-%`,
			);
			heldRounds.push(held.length);
			for (const [id, times] of sent) {
				expect(times, `round ${number}`).toBeLessThanOrEqual(1);
				if (times === 0) expect(held.map((each) => each.id)).toContain(id);
			}
		}
		report("email", [
			mustBeZero("emails to any other", ROUNDS * MESSAGES, "lost or sent twice", 0),
		]);
	}, 1_200_000);
});
