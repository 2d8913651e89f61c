/**
 * Delivers three emails, two that are due and one that an approval queues, while the provider, the
 * database or the Worker fails, and checks the outcome of each.
 */
import { SEND_TIMEOUT_MS } from "../../../app/domain/mail/rules.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import type { Answer, Fleet } from "../../../tests/support/worker.ts";
import type { RowFactory } from "../races/subjects.ts";
import type { Call, Director, Fault } from "./director.ts";
import { FaultPlayer } from "./fault-player.ts";

/** What starts a delivery: the end of a request, or the task that runs every minute. */
export type Trigger = "answer" | "minute";
export type Broken = "lost" | "doubled" | "called wrongly" | "changes lost";

/** A delivery is over after this many milliseconds without a call. */
const QUIET = 150;
/** Deliveries until everything has been tried; each may end with its first message. */
const MAX_DELIVERIES = 12;
const pause = (wait: number) => new Promise((resolve) => setTimeout(resolve, wait));

export class MailPlayer extends FaultPlayer<Broken> {
	/** Emails that were held because the provider may have accepted them. */
	held = 0;
	constructor(
		fleet: Fleet,
		private readonly factory: RowFactory,
		director: Director,
		/** Whether the provider ignores a repeated idempotency key. */
		private readonly knowsKeys: boolean,
	) {
		super(fleet, director, { lost: 0, doubled: 0, "called wrongly": 0, "changes lost": 0 });
	}

	/** The calls of an approval and its delivery without a fault. */
	async clean(): Promise<readonly Call[]> {
		return this.#play(undefined, "answer");
	}

	async play(fault: Fault, trigger: Trigger): Promise<void> {
		await this.#play(fault, trigger);
		this.plays += 1;
	}

	async #play(fault: Fault | undefined, trigger: Trigger): Promise<readonly Call[]> {
		const { id, email } = await this.#applicant();
		const addresses = [email, ...(await this.#waiting(2))];
		const send = () => this.#send(trigger, id, fault?.way === "slow");
		await this.#quiet(this.sendInto(fault, send, (sent) => this.#quiet(sent)));
		// Without a fault all are sent, however long a busy machine takes between two.
		const isTaken = (address: string) => this.director.taken.includes(address);
		while (!fault && !addresses.every(isTaken)) await this.#quiet(Promise.resolve());
		const { calls } = this.director;
		this.director.expect();
		await this.#approve(id);
		await this.#deliver(addresses);
		for (const address of addresses) await this.#judge(address, fault, trigger);
		const [row] = await this.factory.sql(
			"select approval_status as status from users where id = ?",
			id,
		);
		if (row?.status !== "approved") this.note("changes lost", trigger, fault, email);
		this.fleet.takeErrors();
		return calls;
	}

	/** Starts a delivery, or two at once if the fault is slow. */
	#send(trigger: Trigger, id: string, isTwice: boolean): Promise<unknown> {
		const ways = { answer: () => this.#approve(id), minute: () => this.#tick() };
		const chosen = isTwice ? [ways.answer, ways.minute] : [ways[trigger]];
		return Promise.allSettled(chosen.map((way) => way()));
	}

	#approve(id: string): Promise<Answer> {
		return this.factory.ada.call("PUT", `/api/drivers/${id}/approve`, {}, { mayFail: true });
	}

	async #tick(): Promise<void> {
		const worker = await this.fleet.worker.getWorker();
		await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(currentTime()) });
	}

	/** Waits for the response, and until there have been no calls for a while. */
	async #quiet(sent: Promise<unknown>): Promise<void> {
		await sent;
		let known = -1;
		while (known !== this.director.calls.length) {
			known = this.director.calls.length;
			await pause(QUIET);
		}
	}

	async #applicant(): Promise<{ id: string; email: string }> {
		const { id } = await this.factory.driver({ approval_status: "pending" });
		const [row] = await this.factory.sql("select email from users where id = ?", id);
		return { id, email: String(row?.email) };
	}

	/** Inserts queued emails that are due. */
	async #waiting(count: number): Promise<string[]> {
		const addresses = Array.from(
			{ length: count },
			() => `wait${this.factory.next()}@milepost.test`,
		);
		await this.factory.sql(
			`insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
			select lower(hex(randomblob(16))), 'invitation', (select id from users where email = 'ada@milepost.test'),
				value, 's', 'b', 'x', 'queued', ?, 1, value from json_each(?)`,
			currentTime(),
			JSON.stringify(addresses),
		);
		return addresses;
	}

	/** Advances time until every email has been sent or has failed. */
	async #deliver(addresses: readonly string[]): Promise<void> {
		for (let tries = 0; tries < MAX_DELIVERIES; tries++) {
			await this.factory.sql(
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
			this.note(kind, trigger, fault, `${address} taken ${times} times, ${JSON.stringify(rows)}`);
		if (times > 1 || rows.length > 1) note("doubled");
		if (times === 0 && (this.knowsKeys || !isHeld)) note("lost");
		const isRight = mail?.status === "sent" ? times > 0 : isHeld && !this.knowsKeys;
		if (!isRight) note("called wrongly");
		if (isHeld) this.held += 1;
	}
}
