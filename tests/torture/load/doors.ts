/** What costs much, and how a Worker answers those who ask for it without end. */
import type { Client } from "../../support/worker.ts";
import type { Asked, Connections } from "./ask.ts";

/** Something expensive that one person, or one address, asks for again and again. */
export type Door = {
	readonly name: string;
	/** How often it is asked for: more than its limit. */
	readonly times: number;
	readonly ask: (time: number) => Asked;
	/** The answer to somebody who has no business here; without one some are refused with 429. */
	readonly refusal?: number;
	/** The same by somebody else, who isn't refused. */
	readonly bystander?: Asked;
};

export const cookieOf = (client: Client): string =>
	[...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

export class Doors {
	asked = 0;
	readonly found = { unsaid: 0, other: 0, cut: 0, open: 0, bystanders: 0 };
	readonly notes: string[] = [];

	/** Asks as often as it says, on all connections at once. */
	async flood({ name, times, ask, refusal = 429, bystander }: Door, connections: Connections) {
		const { found } = this;
		let refused = 0;
		const tell = async (time: number) => {
			this.asked += 1;
			const told = await connections.ask(ask(time)).catch((error: Error) => {
				found.cut += 1;
				this.notes.push(`${name}: ${error.message}`);
			});
			if (!told || told.status < 400) return;
			if (told.status === refusal) refused += 1;
			else if (told.status !== 503) {
				found.other += 1;
				this.notes.push(`${name}: ${told.status}`);
			}
			if ((told.status === 429 || told.status === 503) && !told.retryAfter) found.unsaid += 1;
		};
		await Promise.all(Array.from({ length: times }, (_, time) => tell(time)));
		if (refused === 0) {
			found.open += 1;
			this.notes.push(`${name}: ${times} times, and never refused`);
		}
		if (!bystander) return;
		const { status } = await connections.ask(bystander);
		if (status < 400) return;
		found.bystanders += 1;
		this.notes.push(`${name}: ${status} for somebody else`);
	}
}
