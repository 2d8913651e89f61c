/**
 * Decides what becomes of each call that the Worker makes to its database, its file store and its
 * email provider: the stand-ins of stand-ins.ts ask before every one, and tell after it.
 */

/** What the Worker calls, and what a call does. */
export type Store = "d1" | "r2" | "mail";
export type Call = { readonly store: Store; readonly statements: number };

/** How a call goes wrong. */
export const WAYS = ["before", "inside", "after", "hiccup", "lost", "slow", "kill", "die"] as const;
/**
 * `before`, `after`: it and every later one fails, undone or done; `inside`: so does its batch,
 * behind that many statements; `hiccup`, `lost`: it alone fails in a way that asks to be tried
 * again, undone or done; `slow`: it takes its time, and the request comes twice; `kill`, `die`:
 * the Worker is killed before or after it.
 */
export type Way = (typeof WAYS)[number];
export type Fault = {
	readonly store: Store;
	/** Which call of a request, from 0. */
	readonly at: number;
	readonly way: Way;
	/** Statements that run before the one that fails. */
	readonly statements?: number;
	/** Milliseconds that a slow call waits. */
	readonly wait?: number;
};

type Asked = {
	readonly store: Store;
	readonly statements: number;
	readonly isDone?: true;
	/** The recipient of an email that has been taken. */
	readonly taken?: string;
};
export type Order = {
	readonly act: "pass" | "before" | "inside" | "after";
	readonly statements?: number;
	readonly wait?: number;
	readonly message?: string;
};

const BROKEN = "D1_ERROR: internal error; reference = 4e2a";
/** What D1 asks to try again. */
export const HICCUP = "D1_ERROR: Network connection lost.";
const SLOW_MS = 60;

export class Director {
	/** Calls since the last `expect`. */
	calls: Call[] = [];
	/** Recipients of the emails that a provider has taken. */
	readonly taken: string[] = [];
	#fault: Fault | undefined;
	#reach: () => void = () => undefined;
	/** Holds calls that a kill interrupts. */
	#hold: Promise<Order> | undefined;

	/** Begins to count anew; `fault` meets one of the calls to come. */
	expect(fault?: Fault): { reached: Promise<void>; release: () => void } {
		this.calls = [];
		this.#fault = fault;
		const reached = new Promise<void>((resolve) => {
			this.#reach = resolve;
		});
		let release: () => void = () => undefined;
		this.#hold = new Promise((resolve) => {
			release = () => resolve({ act: "before", message: BROKEN });
		});
		return { reached, release };
	}

	/** What the stand-ins ask; a service of the simulated network. */
	readonly answer = async (request: { text(): Promise<string> }): Promise<Response> =>
		Response.json(await this.order(JSON.parse(await request.text())));

	/** What becomes of a call. */
	order({ store, statements, isDone, taken }: Asked): Order | Promise<Order> {
		const fault = this.#fault;
		if (taken !== undefined) {
			this.taken.push(taken);
			return { act: "pass" };
		}
		if (isDone) return this.#interrupt();
		const at = this.calls.filter((call) => call.store === store).length;
		this.calls.push({ store, statements });
		if (!fault || fault.store !== store || at < fault.at) return { act: "pass" };
		const isLater = at > fault.at;
		switch (fault.way) {
			case "before":
				return { act: "before", message: BROKEN };
			case "after":
				return { act: isLater ? "before" : "after", message: BROKEN };
			case "inside":
				return isLater
					? { act: "before", message: BROKEN }
					: { act: "inside", statements: fault.statements ?? 0, message: BROKEN };
			case "hiccup":
				return isLater ? { act: "pass" } : { act: "before", message: HICCUP };
			case "lost":
				return isLater ? { act: "pass" } : { act: "after", message: HICCUP };
			case "slow":
				return { act: "pass", wait: fault.wait ?? SLOW_MS };
			case "kill":
				return this.#interrupt();
			case "die":
				return isLater ? { act: "before", message: BROKEN } : { act: "after", message: "" };
		}
	}

	/** The place at which the Worker is killed: no answer comes. */
	#interrupt(): Order | Promise<Order> {
		if (this.#fault?.way !== "kill" && this.#fault?.way !== "die") return { act: "pass" };
		this.#reach();
		return this.#hold ?? { act: "pass" };
	}
}
