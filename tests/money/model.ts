/**
 * The money of a small fleet in plain arithmetic: requesting, deciding, paying out, and undoing
 * each. It knows the rules but not how they are implemented.
 */

export type Request = {
	readonly owner: number;
	readonly asked: number;
	approved: number | undefined;
	status: "pending" | "approved" | "rejected" | "withdrawn";
	/** Its payout's index in `payouts`. */
	payout: number | undefined;
};
export type Payout = {
	status: "open" | "paid" | "cancelled";
	readonly requests: readonly number[];
	readonly total: number;
};

/** A step that someone tries. Numbers refer to rows by the order in which they were created. */
export type Step =
	| { readonly kind: "ask"; readonly owner: number; readonly cents: number }
	| { readonly kind: "approve"; readonly request: number; readonly cents?: number }
	| { readonly kind: "reject" | "undo" | "reopen" | "withdraw"; readonly request: number }
	| { readonly kind: "gather"; readonly requests: readonly number[] }
	| { readonly kind: "gather-all"; readonly owner?: number }
	| { readonly kind: "pay" | "cancel" | "back-to-open"; readonly payout: number };

/**
 * The fleet's requests and payouts. `try` runs a step if it is allowed, and returns whether it was.
 */
export class Money {
	readonly requests: Request[] = [];
	readonly payouts: Payout[] = [];
	/** Totals in cents by driver, updated step by step; an independent recount checks them. */
	readonly approved: number[];
	readonly unpaid: number[];
	readonly paid: number[];

	constructor(readonly drivers: number) {
		this.approved = new Array(drivers).fill(0);
		this.unpaid = new Array(drivers).fill(0);
		this.paid = new Array(drivers).fill(0);
	}

	try(step: Step): boolean {
		switch (step.kind) {
			case "ask":
				this.requests.push({
					owner: step.owner,
					asked: step.cents,
					approved: undefined,
					status: "pending",
					payout: undefined,
				});
				return true;
			case "approve":
				return this.approve(step.request, step.cents);
			case "reject":
				return this.change(step.request, "pending", "rejected");
			case "withdraw":
				return this.change(step.request, "pending", "withdrawn");
			case "undo":
			case "reopen":
				return this.takeBack(step.request);
			case "gather":
				return this.gather(step.requests);
			case "gather-all":
				return this.gather(this.ready(step.owner).slice(0, 500));
			case "pay":
				return this.settle(step.payout, "open", "paid");
			case "back-to-open":
				return this.settle(step.payout, "paid", "open");
			case "cancel":
				return this.settle(step.payout, "open", "cancelled");
		}
	}

	/** The requests that can be paid out, oldest first. */
	ready(owner?: number): number[] {
		return this.requests.flatMap((request, position) =>
			request.status === "approved" &&
			request.payout === undefined &&
			(owner === undefined || request.owner === owner)
				? [position]
				: [],
		);
	}

	private change(position: number, from: Request["status"], to: Request["status"]): boolean {
		const request = this.requests[position];
		if (request?.status !== from) return false;
		request.status = to;
		return true;
	}

	private approve(position: number, cents?: number): boolean {
		const request = this.requests[position];
		const amount = cents ?? request?.asked ?? 0;
		if (request?.status !== "pending" || amount < 1 || amount > request.asked) return false;
		request.status = "approved";
		request.approved = amount;
		this.add(this.approved, request.owner, amount);
		this.add(this.unpaid, request.owner, amount);
		return true;
	}

	private takeBack(position: number): boolean {
		const request = this.requests[position];
		if (!request || request.payout !== undefined) return false;
		if (request.status !== "approved" && request.status !== "rejected") return false;
		this.add(this.approved, request.owner, -(request.approved ?? 0));
		this.add(this.unpaid, request.owner, -(request.approved ?? 0));
		request.status = "pending";
		request.approved = undefined;
		return true;
	}

	private gather(positions: readonly number[]): boolean {
		const requests = positions.flatMap((each) => this.requests[each] ?? []);
		const isFree = requests.every(
			({ status, payout }) => status === "approved" && payout === undefined,
		);
		if (positions.length === 0 || requests.length < positions.length || !isFree) return false;
		if (new Set(positions).size < positions.length) return false;
		const total = requests.reduce((sum, { approved = 0 }) => sum + approved, 0);
		for (const request of requests) request.payout = this.payouts.length;
		this.payouts.push({ status: "open", requests: positions, total });
		return true;
	}

	private settle(position: number, from: Payout["status"], to: Payout["status"]): boolean {
		const payout = this.payouts[position];
		if (payout?.status !== from) return false;
		payout.status = to;
		for (const each of payout.requests) {
			const request = this.requests[each];
			if (!request) continue;
			const moved = (request.approved ?? 0) * (to === "paid" ? 1 : from === "paid" ? -1 : 0);
			this.add(this.paid, request.owner, moved);
			this.add(this.unpaid, request.owner, -moved);
			if (to === "cancelled") request.payout = undefined;
		}
		return true;
	}

	private add(sums: number[], owner: number, cents: number): void {
		sums[owner] = (sums[owner] ?? 0) + cents;
	}
}

/** The faults in the books, in words; empty if they balance. */
export function faultsIn(money: Money): string[] {
	const faults: string[] = [];
	for (let driver = 0; driver < money.drivers; driver++) {
		const [approved = 0, unpaid = 0, paid = 0] = [
			money.approved[driver],
			money.unpaid[driver],
			money.paid[driver],
		];
		if (approved !== paid + unpaid)
			faults.push(`driver ${driver}: ${approved} approved, ${paid} paid + ${unpaid} unpaid`);
		if (approved < 0 || unpaid < 0 || paid < 0) faults.push(`driver ${driver}: below zero`);
	}
	return faults;
}

/** The same, recalculated from the requests and payouts alone, which takes longer. */
export function recountFaults(money: Money): string[] {
	const faults: string[] = [];
	const sums = { approved: [0], unpaid: [0], paid: [0] };
	for (const name of ["approved", "unpaid", "paid"] as const)
		sums[name] = new Array(money.drivers).fill(0);
	const live = new Map<number, number>();
	for (const [number, payout] of money.payouts.entries()) {
		if (payout.status === "cancelled") continue;
		let total = 0;
		for (const each of payout.requests) {
			if (live.has(each)) faults.push(`request ${each} stands in two live payouts`);
			live.set(each, number);
			total += money.requests[each]?.approved ?? 0;
		}
		if (total !== payout.total) faults.push(`payout ${number}: ${payout.total}, not ${total}`);
	}
	for (const [position, { owner, status, approved = 0, payout }] of money.requests.entries()) {
		if (live.get(position) !== payout) faults.push(`request ${position} says payout ${payout}`);
		if (status !== "approved") continue;
		const isPaid = payout !== undefined && money.payouts[payout]?.status === "paid";
		const into = isPaid ? sums.paid : sums.unpaid;
		into[owner] = (into[owner] ?? 0) + approved;
		sums.approved[owner] = (sums.approved[owner] ?? 0) + approved;
	}
	for (const name of ["approved", "unpaid", "paid"] as const)
		if (sums[name].join() !== money[name].join())
			faults.push(`${name}: ${money[name].join()} kept, ${sums[name].join()} counted`);
	return faults;
}

/** Pseudorandom numbers below a bound, the same for the same seed. */
export function random(seed: number): (below: number) => number {
	let state = seed >>> 0;
	return (below) => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
	};
}

/** A random next step, mostly about recent rows, sometimes about settled ones. */
export function randomStep(money: Money, next: (below: number) => number): Step {
	const { requests, payouts } = money;
	const recent = (length: number) =>
		next(10) === 0 ? next(length + 1) : Math.max(0, length - 1 - next(Math.min(length, 12)));
	const request = recent(requests.length);
	const payout = recent(payouts.length);
	const roll = next(100);
	if (roll < 22) return { kind: "ask", owner: next(money.drivers), cents: 1 + next(50_000) };
	if (roll < 36) return { kind: "approve", request };
	if (roll < 46) {
		const asked = requests[request]?.asked ?? 1;
		return { kind: "approve", request, cents: 1 + next(asked + 2) };
	}
	if (roll < 50) return { kind: "reject", request };
	if (roll < 52) return { kind: "withdraw", request };
	if (roll < 58) return { kind: "undo", request };
	if (roll < 63) return { kind: "reopen", request };
	if (roll < 78) {
		const some = Array.from({ length: 1 + next(4) }, () => recent(requests.length));
		return { kind: "gather", requests: [...new Set(some)] };
	}
	if (roll < 79) return { kind: "gather-all", owner: next(money.drivers) };
	if (roll < 80) return { kind: "gather-all" };
	if (roll < 88) return { kind: "pay", payout };
	if (roll < 94) return { kind: "cancel", payout };
	return { kind: "back-to-open", payout };
}
