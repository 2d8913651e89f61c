/** Finds faults in the answers that the fuzzer gets. */
import { type Finding, mustBeZero } from "../table.ts";
import type { FuzzRequest } from "./request.ts";
import type { Sender, Sent } from "./send.ts";

/**
 * The largest answer allowed, as a multiple of the request's size, and the slowest, as a multiple
 * of an ordinary one.
 */
const MAX_GROWTH = 20;
/** How much larger a page may be than at present. */
const LONGER = 1.1;
/** Text from the JavaScript engine or the database, which no answer may contain. */
const TRACE =
	/\n\s+at .+:\d+:\d+|D1_ERROR|SQLITE_|node_modules|\b(Type|Range|Syntax|Reference)Error\b|index\.js:\d/;

type Fault = "failed" | "traces" | "cut" | "large" | "slow";
type AnsweredRequest = { readonly request: FuzzRequest; readonly sent: Omit<Sent, "text"> };

const describe = ({ as, method, path, faults }: FuzzRequest) =>
	`${as} ${method} ${path.slice(0, 200)} (${faults.join(", ")})`;

export class Judge {
	/** The first faults found, in words. */
	readonly broken: string[] = [];
	readonly statuses = new Map<number, number>();
	private readonly found = { failed: 0, traces: 0, cut: 0, large: 0, slow: 0 };
	private answers: AnsweredRequest[] = [];
	private times = 0;
	private largest = 0;
	private slowest = 0;

	constructor(
		private readonly sender: Sender,
		/** The ordinary request that times are compared with. */
		private readonly ordinary: FuzzRequest,
	) {}

	private note(fault: Fault, request: FuzzRequest, more: string): void {
		this.found[fault] += 1;
		if (this.broken.length < 30) this.broken.push(`${fault}: ${describe(request)}: ${more}`);
	}

	async send(request: FuzzRequest): Promise<void> {
		this.times += 1;
		let answer: Sent;
		try {
			// The server may close an idle connection as it is reused; browsers retry as well.
			answer = await this.sender.send(request).catch(() => this.sender.send(request));
		} catch (error) {
			return this.note("cut", request, String(error));
		}
		const { text, ...sent } = answer;
		const { status, contentType } = sent;
		this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
		if (status >= 500) this.note("failed", request, `${status} ${text.slice(0, 200)}`);
		const trace = /html|json|plain|csv/.test(contentType) ? TRACE.exec(text) : null;
		if (trace) this.note("traces", request, trace[0]);
		this.answers.push({ request, sent });
	}

	/**
	 * Checks the sizes and times of the answers since the last call, once nothing else is running.
	 * @param genuine the answers to one genuine request to each route
	 */
	async settle(genuine: readonly Sent[]): Promise<void> {
		const most = Math.max(...genuine.map(({ answered }) => answered));
		const time = await this.quickest(this.ordinary);
		for (const { request, sent } of this.answers) {
			// An answer may be the largest page plus what it echoes, and lists may have become longer
			// since.
			const size = sent.answered / Math.max(LONGER * most + sent.asked, MAX_GROWTH * sent.asked);
			this.largest = Math.max(this.largest, size);
			if (size > 1) this.note("large", request, `${sent.answered} bytes for ${sent.asked}`);
		}
		const slowFirst = [...this.answers].sort(
			(one, other) => other.sent.milliseconds - one.sent.milliseconds,
		);
		for (const { request, sent } of slowFirst.slice(0, 50)) {
			if (sent.milliseconds < this.slowest * time) break;
			await this.judgeTime(request);
		}
		this.answers = [];
	}

	/**
	 * Compares a request's time with an ordinary one's, measured at the same time: a busy machine is
	 * slow once, a slow request always. Files that take long to generate do so for everyone.
	 */
	private async judgeTime(request: FuzzRequest): Promise<void> {
		const took = await this.quickest(request);
		const same = { ...request, ...request.genuine };
		const usual = Math.max(
			await this.quickest(this.ordinary),
			took > 50 ? (await this.quickest(same)) / 2 : 0,
		);
		const ratio = took / usual;
		this.slowest = Math.max(this.slowest, ratio);
		if (ratio > MAX_GROWTH)
			this.note("slow", request, `${took.toFixed()} ms, not ${usual.toFixed()}`);
	}

	/** The fastest of three attempts, in milliseconds. */
	private async quickest(request: FuzzRequest): Promise<number> {
		const times: number[] = [];
		for (let each = 0; each < 3; each++)
			times.push((await this.sender.send(request).catch(() => undefined))?.milliseconds ?? 60_000);
		return Math.min(...times);
	}

	/** @param errors how many error lines the Worker logged */
	findings(errors: number): Finding[] {
		const { found, times, largest, slowest } = this;
		const what = "malformed requests";
		return [
			mustBeZero(what, times, "answers of 500 and more", found.failed),
			mustBeZero(what, times, "errors logged", errors),
			mustBeZero(what, times, "stack traces shown", found.traces),
			mustBeZero(what, times, "connections cut", found.cut),
			{
				tried: what,
				times,
				what: `largest answer, compared with ${MAX_GROWTH} times its request or the largest page`,
				figure: largest.toFixed(2),
				must: "at most 1.00",
				isMet: found.large === 0,
			},
			{
				tried: what,
				times,
				what: "slowest, as a multiple of an ordinary one",
				figure: slowest.toFixed(1),
				must: `at most ${MAX_GROWTH}`,
				isMet: found.slow === 0,
			},
		];
	}
}
