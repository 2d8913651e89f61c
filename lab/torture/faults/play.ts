/** Sends a command during a fault, and again without it. */
import type { Answer, Client, Fleet } from "../../../tests/support/worker.ts";
import type { RowFactory } from "../races/subjects.ts";
import type { Call, Director, Fault } from "./director.ts";
import { FaultPlayer } from "./fault-player.ts";
import type { Play, Posted, Scene } from "./scenes.ts";
import { type Counts, changeOf, countAll, isNothing, isOnlyRemembered, isSame } from "./stage.ts";

/** A command's effects and calls without a fault. */
export type Clean = {
	readonly scene: Scene;
	readonly status: number;
	readonly change: Counts;
	readonly calls: readonly Call[];
};
export type Broken =
	| "lost"
	| "doubled"
	| "half"
	| "typed text"
	| "answers"
	| "untrue words"
	| "let in";

const send = (client: Client, { path, ...posted }: Posted): Promise<Answer> =>
	client.request(path, { ...posted, mayFail: true });

export class Player extends FaultPlayer<Broken> {
	constructor(
		fleet: Fleet,
		private readonly factory: RowFactory,
		director: Director,
	) {
		super(fleet, director, {
			lost: 0,
			doubled: 0,
			half: 0,
			"typed text": 0,
			answers: 0,
			"untrue words": 0,
			"let in": 0,
		});
	}

	/**
	 * Runs a command without a fault.
	 * @throws if it has no effect
	 */
	async clean(scene: Scene): Promise<Clean> {
		const { client, posted } = await scene.make(this.factory);
		const before = await countAll(this.fleet);
		this.director.expect();
		const answer = await client.request(posted.path, posted);
		const calls = this.director.calls;
		const change = changeOf(before, await countAll(this.fleet));
		if (answer.status >= 400) throw new Error(`${scene.name}: ${answer.status} ${textOf(answer)}`);
		return { scene, status: answer.status, change, calls };
	}

	/** Runs a command with a fault. */
	async play(clean: Clean, fault: Fault): Promise<void> {
		const { scene } = clean;
		const play = await scene.make(this.factory);
		const before = await countAll(this.fleet);
		const answers = await this.meet(play, fault, scene.isNotRepeatable);
		this.plays += 1;
		const change = changeOf(before, await countAll(this.fleet));
		const mayLackFile = fault.store === "r2" && scene.hasFile === true;
		const note = (kind: Broken, more = "") => this.note(kind, scene.name, fault, more);
		const isTaken = answers.some(({ status }) => status < 400);
		for (const answer of answers) this.judgeAnswer(answer, clean, play, note);
		const isDenied = ({ status, text }: Answer) =>
			status === 503 && text.includes("Nothing was changed");
		if (!isNothing(change) && answers.some(isDenied)) note("untrue words", JSON.stringify(change));
		if (isTaken && !isSame(change, clean.change, mayLackFile)) note("lost", JSON.stringify(change));
		// A separately attached file may only arrive with the second attempt.
		else if (
			!isNothing(change) &&
			!isSame(change, clean.change, scene.hasFile) &&
			!(scene.remembersFirst && isOnlyRemembered(change))
		)
			note("half", JSON.stringify(change));
		this.fleet.takeErrors();
		if (scene.isNotRepeatable) return;
		const again = await send(play.client, play.posted);
		const end = changeOf(before, await countAll(this.fleet));
		if (isSame(end, clean.change, mayLackFile)) return;
		const more = `${again.status} ${textOf(again)} ${JSON.stringify(end)}`;
		note(end.audit_events > clean.change.audit_events ? "doubled" : "lost", more);
	}

	/** Sends a command as a person who isn't allowed to, while their permission can't be read. */
	async intrude(clean: Clean, fault: Fault, intruder: Client): Promise<void> {
		const { posted } = await clean.scene.make(this.factory);
		// Some commands are open to everyone.
		if ((await send(intruder, posted)).status < 400) return;
		const before = await countAll(this.fleet);
		this.director.expect(fault);
		const { status } = await send(intruder, posted);
		this.director.expect();
		this.plays += 1;
		const change = changeOf(before, await countAll(this.fleet));
		if (status < 400 || !isNothing(change))
			this.note("let in", clean.scene.name, fault, `${status} ${JSON.stringify(change)}`);
		this.fleet.takeErrors();
	}

	/** Sends a command that meets the fault, twice at once if the fault is slow. */
	private async meet({ client, posted }: Play, fault: Fault, isOnce = false): Promise<Answer[]> {
		const times = fault.way === "slow" && !isOnce ? 2 : 1;
		const isKill = fault.way === "kill" || fault.way === "die";
		const answer = async (): Promise<Answer[]> => {
			const sent = Array.from({ length: times }, () => send(client, posted));
			// Killing the Worker breaks the connection.
			return isKill ? Promise.all(sent).catch(() => []) : Promise.all(sent);
		};
		try {
			return await this.sendInto(fault, answer);
		} finally {
			this.director.expect();
		}
	}

	private judgeAnswer(
		answer: Answer,
		{ status }: Clean,
		{ typed }: Play,
		note: (kind: Broken, more: string) => void,
	): void {
		const isRetryable = answer.status === 503 && answer.headers.get("Retry-After") !== null;
		const isTaken = answer.status < 400;
		// Of two sent at once, the second may find the work done; a separate file may be refused.
		const isRefused = answer.status > 400 && answer.status < 500;
		if (isTaken ? answer.status !== status && answer.status !== 200 : !isRetryable && !isRefused)
			note("answers", `${answer.status} ${textOf(answer)}`);
		const isForm = !isTaken && answer.headers.get("Content-Type")?.includes("text/html");
		const missing = typed.filter((text) => !answer.text.includes(text));
		if (isForm && answer.status === 503 && missing.length > 0)
			note("typed text", missing.join(", "));
	}
}

const textOf = ({ text }: Answer) =>
	text
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ")
		.slice(0, 300);
