/** What every play with a fault has in common: its counts, its notes, and the kill of a Worker. */
import type { Fleet } from "../../support/worker.ts";
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
	 * Sends a request into a fault. Where the fault is a kill, the Worker is restarted once the call
	 * it interrupts has been reached.
	 * @param whenDone what a kill stops waiting for if that call never comes
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

	/** Prints the first notes, which is enough to see what is wrong. */
	printNotes(): void {
		for (const note of this.notes.slice(0, 40)) console.log(note);
	}
}
