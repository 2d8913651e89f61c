/**
 * Plays the way of three emails, two that wait and the one that an approval queues, while the
 * provider, the database or the Worker fails, and judges what became of each.
 */
import { MAX_TRIES, SEND_TIMEOUT_MS } from "../../../app/domain/mail/rules.ts";
import { currentTime } from "../../support/clock.ts";
import type { Answer, Fleet } from "../../support/worker.ts";
import type { Track } from "../races/subjects.ts";
import type { Call, Director, Fault } from "./director.ts";

/** What sends mail: a change once it is answered, or the minute's task. */
export type Trigger = "answer" | "minute";
export type Broken = "lost" | "doubled" | "called wrongly" | "changes lost";

/** Milliseconds without a call after which a delivery is over. */
const QUIET = 150;
const pause = (wait: number) => new Promise((resolve) => setTimeout(resolve, wait));

export class MailPlayer {
	readonly found: Record<Broken, number> = {
		lost: 0,
		doubled: 0,
		"called wrongly": 0,
		"changes lost": 0,
	};
	readonly notes: string[] = [];
	plays = 0;
	kills = 0;
	/** Emails that were held, since the provider may have taken them. */
	held = 0;
	constructor(
		private readonly fleet: Fleet,
		private readonly track: Track,
		private readonly director: Director,
		/** Whether the provider takes the same key once. */
		private readonly knowsKeys: boolean,
	) {}

	/** The calls of an approval and of what it sends. */
	async clean(): Promise<readonly Call[]> {
		return this.#play(undefined, "answer");
	}

	async play(fault: Fault, trigger: Trigger): Promise<void> {
		await this.#play(fault, trigger);
		this.plays += 1;
	}

	async #play(fault: Fault | undefined, trigger: Trigger): Promise<readonly Call[]> {
		const { fleet, director } = this;
		const { id, email } = await this.#applicant();
		const addresses = [email, ...(await this.#waiting(2))];
		const isKill = fault?.way === "kill" || fault?.way === "die";
		const { reached, release } = director.expect(fault);
		const sent = this.#send(trigger, id, fault?.way === "slow");
		if (isKill) {
			await Promise.race([reached, this.#quiet(sent)]);
			this.kills += 1;
			await fleet.killAndRestart();
			release();
		}
		await this.#quiet(sent);
		const { calls } = director;
		director.expect();
		await this.#approve(id);
		await this.#deliver(addresses);
		for (const address of addresses) await this.#judge(address, fault, trigger);
		const [row] = await this.track.sql(
			"select approval_status as status from users where id = ?",
			id,
		);
		if (row?.status !== "approved") this.#note("changes lost", fault, trigger, email);
		fleet.takeErrors();
		return calls;
	}

	/** Sets off a delivery; twice at once where it is slow. */
	#send(trigger: Trigger, id: string, isTwice: boolean): Promise<unknown> {
		const ways = { answer: () => this.#approve(id), minute: () => this.#tick() };
		const chosen = isTwice ? [ways.answer, ways.minute] : [ways[trigger]];
		return Promise.allSettled(chosen.map((way) => way()));
	}

	#approve(id: string): Promise<Answer> {
		return this.track.ada.call("PUT", `/api/drivers/${id}/approve`, {}, { mayFail: true });
	}

	async #tick(): Promise<void> {
		const worker = await this.fleet.worker.getWorker();
		await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(currentTime()) });
	}

	/** Until it is answered and nothing has been called for a while. */
	async #quiet(sent: Promise<unknown>): Promise<void> {
		await sent;
		let known = -1;
		while (known !== this.director.calls.length) {
			known = this.director.calls.length;
			await pause(QUIET);
		}
	}

	async #applicant(): Promise<{ id: string; email: string }> {
		const { id } = await this.track.driver({ approval_status: "pending" });
		const [row] = await this.track.sql("select email from users where id = ?", id);
		return { id, email: String(row?.email) };
	}

	/** Emails that are due. */
	async #waiting(count: number): Promise<string[]> {
		const addresses = Array.from({ length: count }, () => `wait${this.track.next()}@milepost.test`);
		await this.track.sql(
			`insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
			select lower(hex(randomblob(16))), 'invitation', (select id from users where email = 'ada@milepost.test'),
				value, 's', 'b', 'x', 'queued', ?, 1, value from json_each(?)`,
			currentTime(),
			JSON.stringify(addresses),
		);
		return addresses;
	}

	/** Minutes go by until none of the emails is on its way. */
	async #deliver(addresses: readonly string[]): Promise<void> {
		for (let tries = 0; tries <= MAX_TRIES; tries++) {
			await this.track.sql(
				"update mails set send_after = send_after - ? where status in ('queued', 'sending')",
				2 * SEND_TIMEOUT_MS,
			);
			await this.#tick();
			const [left] = await this.fleet.sql<{ n: number }>(
				`select count(*) as n from mails where status in ('queued', 'sending')
				and address in (select value from json_each(?))`,
				JSON.stringify(addresses),
			);
			if (left?.n === 0) return;
		}
	}

	async #judge(address: string, fault: Fault | undefined, trigger: Trigger): Promise<void> {
		const rows = await this.fleet.sql<{ status: string; held: number }>(
			"select status, may_have_been_sent as held from mails where address = ?",
			address,
		);
		const [mail] = rows;
		const times = this.director.taken.filter((to) => to === address).length;
		const isHeld = mail?.status === "failed" && mail.held === 1;
		const note = (kind: Broken) =>
			this.#note(kind, fault, trigger, `${address} taken ${times} times, ${JSON.stringify(rows)}`);
		if (times > 1 || rows.length > 1) note("doubled");
		if (times === 0 && (this.knowsKeys || !isHeld)) note("lost");
		const isRight = mail?.status === "sent" ? times > 0 : isHeld && !this.knowsKeys;
		if (!isRight) note("called wrongly");
		if (isHeld) this.held += 1;
	}

	#note(kind: Broken, fault: Fault | undefined, trigger: Trigger, more: string): void {
		this.found[kind] += 1;
		this.notes.push(`${kind}: ${trigger}, ${JSON.stringify(fault)}: ${more}`);
	}
}
