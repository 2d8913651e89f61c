/**
 * Decides what happens to each call that the Worker makes to its database, its file store and its
 * email provider. The stand-ins in stand-ins.ts ask it before each call and report back after it.
 */

/** What the Worker calls, and with how many statements. */
export type Store = "d1" | "r2" | "mail";
export type Call = { readonly store: Store; readonly statements: number };

/** How a call can fail. */
const WAYS = ["before", "inside", "after", "hiccup", "lost", "slow", "kill", "die"] as const;
/**
 * `before`, `after`: this call and all later ones fail, this one without or with its effect;
 * `inside`: likewise, but its batch fails after that many statements; `hiccup`, `lost`: only this
 * call fails, with a retryable error, without or with its effect; `slow`: it takes longer, and the
 * request is sent twice; `kill`, `die`: the Worker is killed before or after it.
 */
export type Way = (typeof WAYS)[number];
export type Fault = {
	readonly store: Store;
	/** Which of a request's calls, from 0. */
	readonly at: number;
	readonly way: Way;
	/** Statements that run before the one that fails. */
	readonly statements?: number;
	/** How long a slow call waits, in milliseconds. */
	readonly wait?: number;
};

type DirectorRequest = {
	readonly store: Store;
	readonly statements: number;
	readonly isDone?: true;
	/** The recipient of an accepted email. */
	readonly taken?: string;
};
export type Order = {
	readonly act: "pass" | "before" | "inside" | "after";
	readonly statements?: number;
	readonly wait?: number;
	readonly message?: string;
};

const BROKEN = "D1_ERROR: internal error; reference = 4e2a";
/** An error after which D1 asks for a retry. */
export const HICCUP = "D1_ERROR: Network connection lost.";
const SLOW_MS = 60;

export class Director {
	/** Calls since the last `expect`. */
	calls: Call[] = [];
	/** Recipients of the emails that the provider accepted. */
	readonly taken: string[] = [];
	#fault: Fault | undefined;
	#reach: () => void = () => undefined;
	/** Keeps a call pending while the Worker is killed. */
	#hold: Promise<Order> | undefined;

	/** Starts counting from 0; `fault` applies to one of the next calls. */
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

	/** Answers the stand-ins, as a service of the simulated network. */
	readonly answer = async (request: { text(): Promise<string> }): Promise<Response> =>
		Response.json(await this.order(JSON.parse(await request.text())));

	/** Decides what happens to a call. */
	order({ store, statements, isDone, taken }: DirectorRequest): Order | Promise<Order> {
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

	/** The point at which the Worker is killed, where no answer comes. */
	#interrupt(): Order | Promise<Order> {
		if (this.#fault?.way !== "kill" && this.#fault?.way !== "die") return { act: "pass" };
		this.#reach();
		return this.#hold ?? { act: "pass" };
	}
}
