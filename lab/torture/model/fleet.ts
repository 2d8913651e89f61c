/**
 * A fleet in plain arithmetic: its drivers, trips, requests, fees and payouts, and which commands
 * are allowed. It knows the rules of docs/product.md but not how they are implemented.
 */
import { Money, type Step } from "../../../tests/money/model.ts";

const TYPES = ["gas", "maintenance", "other"] as const;
export const CATEGORIES = ["commission", "service_fee", "booking_fee", "other"] as const;
type Category = (typeof CATEGORIES)[number];

export type Driver = { status: "pending" | "approved" | "rejected"; isActive: boolean };
export type Trip = {
	readonly owner: number;
	readonly start: number;
	readonly miles: number;
	isVoided: boolean;
};
export type Fee = {
	readonly owner: number;
	readonly cents: number;
	readonly category: Category;
	isDeleted: boolean;
};

/** A command; numbers refer to rows by the order in which they were created. */
export type Command =
	| { readonly kind: "apply" | "invite" }
	| {
			readonly kind: "approve-driver" | "reject-driver" | "deactivate" | "activate";
			readonly driver: number;
	  }
	| { readonly kind: "log"; readonly owner: number; readonly miles: number }
	| { readonly kind: "void" | "void-as-admin"; readonly trip: number }
	| {
			readonly kind: "add-fee";
			readonly owner: number;
			readonly cents: number;
			readonly category: Category;
	  }
	| { readonly kind: "edit-fee"; readonly fee: number; readonly cents: number }
	| { readonly kind: "delete-fee"; readonly fee: number }
	| {
			readonly kind: "money";
			readonly step: Step;
			readonly type: (typeof TYPES)[number];
			/** The first administrator or the second. */
			readonly by: number;
	  };
type MoneyCommand = Extract<Command, { kind: "money" }>;

/** More drivers than any run has. */
const MAX_DRIVERS = 20_000;
const FIRST_READING = 1000;

export class ModelFleet {
	readonly money = new Money(MAX_DRIVERS);
	/** The type of each request. */
	readonly types: (typeof TYPES)[number][] = [];
	/** The administrator who last decided each request. */
	private readonly deciders = new Map<number, number>();
	/** Requests decided in earlier sequences: how long ago isn't known. */
	private readonly settled = new Set<number>();
	readonly drivers: Driver[] = [];
	readonly trips: Trip[] = [];
	readonly fees: Fee[] = [];

	/** Begins a sequence, which takes far less than the ten minutes for undoing a decision. */
	begin(): void {
		for (const request of this.deciders.keys()) this.settled.add(request);
	}

	/** Whether nobody can tell if the decision can still be undone. */
	isSettled(request: number): boolean {
		return this.settled.has(request);
	}

	/** Runs the command if it is allowed, and returns whether it was. */
	try(command: Command): boolean {
		switch (command.kind) {
			case "apply":
				this.drivers.push({ status: "pending", isActive: true });
				return true;
			case "invite":
				this.drivers.push({ status: "approved", isActive: true });
				return true;
			case "approve-driver":
				return this.decide(command.driver, ["pending", "rejected"], "approved");
			case "reject-driver":
				return this.decide(command.driver, ["pending"], "rejected");
			case "deactivate":
				return this.switch(command.driver, false);
			case "activate":
				return this.switch(command.driver, true);
			case "log": {
				const { owner, miles } = command;
				if (!this.canWork(owner)) return false;
				this.trips.push({ owner, start: this.lastReading(owner), miles, isVoided: false });
				return true;
			}
			case "void":
			case "void-as-admin": {
				const trip = this.trips[command.trip];
				if (!trip || trip.isVoided) return false;
				if (command.kind === "void" && !this.canWork(trip.owner)) return false;
				trip.isVoided = true;
				return true;
			}
			case "add-fee": {
				const { owner, cents, category } = command;
				// Fees from before a driver left can still be added.
				if (this.drivers[owner]?.status !== "approved") return false;
				this.fees.push({ owner, cents, category, isDeleted: false });
				return true;
			}
			case "edit-fee":
			case "delete-fee": {
				const fee = this.fees[command.fee];
				if (!fee || fee.isDeleted) return false;
				fee.isDeleted = true;
				if (command.kind === "edit-fee")
					this.fees.push({ ...fee, cents: command.cents, isDeleted: false });
				return true;
			}
			case "money":
				return this.tryMoney(command);
		}
	}

	private tryMoney({ step, type, by }: MoneyCommand): boolean {
		const owner =
			step.kind === "ask"
				? step.owner
				: step.kind === "withdraw"
					? this.money.requests[step.request]?.owner
					: undefined;
		if (owner !== undefined && !this.canWork(owner)) return false;
		// Only the person who decided can undo it silently; any administrator can reopen it.
		if (step.kind === "undo" && this.deciders.get(step.request) !== by) return false;
		if (step.kind === "ask") this.types.push(type);
		const isAllowed = this.money.try(step);
		if (isAllowed && (step.kind === "approve" || step.kind === "reject")) {
			this.deciders.set(step.request, by);
			this.settled.delete(step.request);
		}
		return isAllowed;
	}

	/** The reading at which a driver's next trip starts without raising a question. */
	lastReading(owner: number): number {
		const own = this.trips.filter((trip) => trip.owner === owner && !trip.isVoided);
		return Math.max(FIRST_READING, ...own.map(({ start, miles }) => start + miles));
	}

	canWork(driver: number): boolean {
		const found = this.drivers[driver];
		return found !== undefined && found.status === "approved" && found.isActive;
	}

	private decide(driver: number, from: readonly Driver["status"][], to: Driver["status"]): boolean {
		const found = this.drivers[driver];
		if (!found || !from.includes(found.status)) return false;
		found.status = to;
		return true;
	}

	private switch(driver: number, isActive: boolean): boolean {
		const found = this.drivers[driver];
		if (found?.status !== "approved" || found.isActive === isActive) return false;
		found.isActive = isActive;
		return true;
	}
}

/** A mostly sensible command about recent rows of the drivers from a number on. */
export function randomCommand(
	fleet: ModelFleet,
	below: (most: number) => number,
	firstDriver: number,
	randomStep: () => Step,
): Command {
	const driver = firstDriver + below(Math.max(1, fleet.drivers.length - firstDriver));
	const recent = (length: number) => Math.max(0, length - 1 - below(Math.min(length + 1, 12)));
	const roll = below(100);
	if (fleet.drivers.length - firstDriver < 3) return { kind: "invite" };
	if (roll < 2) return { kind: below(3) === 0 ? "invite" : "apply" };
	if (roll < 6) return { kind: "approve-driver", driver };
	if (roll < 7) return { kind: "reject-driver", driver };
	if (roll < 9) return { kind: "deactivate", driver };
	if (roll < 16) return { kind: "activate", driver };
	if (roll < 30) return { kind: "log", owner: driver, miles: 1 + below(200) };
	if (roll < 34) return { kind: "void", trip: recent(fleet.trips.length) };
	if (roll < 37) return { kind: "void-as-admin", trip: recent(fleet.trips.length) };
	if (roll < 46) {
		const category = CATEGORIES[below(4)] ?? "other";
		return { kind: "add-fee", owner: driver, cents: 1 + below(20_000), category };
	}
	if (roll < 50)
		return { kind: "edit-fee", fee: recent(fleet.fees.length), cents: 1 + below(20_000) };
	if (roll < 54) return { kind: "delete-fee", fee: recent(fleet.fees.length) };
	const type = TYPES[below(3)] ?? "gas";
	const by = below(2);
	const random = randomStep();
	const step: Step =
		random.kind === "undo" && fleet.isSettled(random.request)
			? { kind: "reopen", request: random.request }
			: random;
	const isTheirs = step.kind === "ask" || (step.kind === "gather-all" && step.owner !== undefined);
	return { kind: "money", step: isTheirs ? { ...step, owner: driver } : step, type, by };
}
