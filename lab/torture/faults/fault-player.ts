/** What all runs with a fault have in common: counts, notes and killing the Worker. */
import type { Fleet } from "../../../tests/support/worker.ts";
import type { Director, Fault } from "./director.ts";

export abstract class FaultPlayer<Broken extends string> {
	/** How often each kind of damage was found. */
	readonly found: Record<Broken, number>;
	readonly notes: string[] = [];
	plays = 0;
	kills = 0;
	constructor(
		protected readonly fleet: Fleet,
		protected readonly director: Director,
		nothingFound: Readonly<Record<Broken, number>>,
	) {
		this.found = { ...nothingFound };
	}

	/**
	 * Sends a request that meets a fault. If the fault is a kill, the Worker is restarted once the
	 * interrupted call is reached.
	 * @param whenDone ends the wait for that call if it never comes
	 */
	protected async sendInto<T>(
		fault: Fault | undefined,
		send: () => Promise<T>,
		whenDone = (sent: Promise<T>): Promise<unknown> => sent,
	): Promise<T> {
		const { reached, release } = this.director.expect(fault);
		const sent = send();
		if (fault?.way === "kill" || fault?.way === "die") {
			await Promise.race([reached, whenDone(sent)]);
			this.kills += 1;
			await this.fleet.killAndRestart();
			release();
		}
		return sent;
	}

	protected note(kind: Broken, played: string, fault: Fault | undefined, more: string): void {
		this.found[kind] += 1;
		this.notes.push(`${kind}: ${played}, ${JSON.stringify(fault)}: ${more}`);
	}

	/** Prints the first notes, which are enough to see what is wrong. */
	printNotes(): void {
		for (const note of this.notes.slice(0, 40)) console.log(note);
	}
}
