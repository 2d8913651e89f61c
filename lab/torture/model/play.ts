/** Runs the model's commands as people would, on forms or through the API at random. */
import type { Step } from "../../../tests/money/model.ts";
import { daysAgo } from "../../../tests/support/fleet-days.ts";
import type { Answer, Client, Fleet } from "../../../tests/support/worker.ts";
import type { Command, ModelFleet } from "./fleet.ts";

const decimal = (cents: number) => (cents / 100).toFixed(2);
/** An id that doesn't exist. */
const UNKNOWN_ID = "00000000-0000-4000-8000-00000000ffff";

type Person = { readonly id: string; readonly email: string; readonly client: Client };

/** The real fleet next to the model, with the ids of what the model numbers. */
export class Stage {
	readonly people: Person[] = [];
	readonly trips: string[] = [];
	readonly fees: string[] = [];
	readonly requests: string[] = [];
	readonly payouts: string[] = [];

	constructor(
		private readonly fleet: Fleet,
		readonly ada: Client,
		private readonly ben: Client,
		private readonly model: ModelFleet,
		private readonly below: (most: number) => number,
		/** Prefix of its people's emails. */
		private readonly prefix = "model",
	) {}

	/** The last command's answer, for when it differs from the model. */
	last = "";

	/** Runs a command and returns whether it was allowed. The model must not have run it yet. */
	async play(command: Command): Promise<boolean> {
		switch (command.kind) {
			case "apply":
				return this.apply();
			case "invite":
				return this.invite();
			case "approve-driver":
				return this.decide(command.driver, "approve");
			case "reject-driver":
				return this.decide(command.driver, "reject");
			case "deactivate":
			case "activate":
				return this.switch(command.kind, command.driver);
			case "log":
				return this.log(command);
			case "void":
			case "void-as-admin":
				return this.voidTrip(command);
			case "add-fee":
				return this.addFee(command);
			case "edit-fee": {
				const { owner, category } = this.model.fees[command.fee] ?? { owner: 0, category: "other" };
				const kept = { kind: "add-fee", owner, category, cents: command.cents } as const;
				return this.addFee(
					kept as Extract<Command, { kind: "add-fee" }>,
					this.fees[command.fee] ?? UNKNOWN_ID,
				);
			}
			case "delete-fee": {
				const id = this.fees[command.fee] ?? UNKNOWN_ID;
				return this.isForm()
					? this.form(this.ada, "/uber-fees", { intent: "delete", id })
					: this.call(this.ada, "DELETE", `/api/uber-fees/${id}`);
			}
			case "money":
				return this.money(command.step, command.type, command.by === 0 ? this.ada : this.ben);
		}
	}

	private isForm = () => this.below(2) === 0;
	private admin = () => (this.below(2) === 0 ? this.ada : this.ben);

	private noted(answer: Answer): Answer {
		this.last = `${answer.status} ${answer.text
			.replace(/<[^>]+>/g, " ")
			.replace(/\s+/g, " ")
			.slice(0, 600)}`;
		return answer;
	}
	private async form(client: Client, path: string, fields: Record<string, string>) {
		const key = crypto.randomUUID();
		const { status } = this.noted(await client.post(path, { key, ...fields }));
		return status === 303;
	}
	private async call(client: Client, method: string, path: string, body?: object) {
		const { status } = this.noted(await client.call(method, path, body));
		return status < 300;
	}
	private async idOf(query: string, ...values: unknown[]): Promise<string> {
		const [row] = await this.fleet.sql<{ id: string }>(query, ...values);
		return row?.id ?? UNKNOWN_ID;
	}

	private async apply(): Promise<boolean> {
		const email = `${this.prefix}${this.people.length}@milepost.test`;
		const client = await this.fleet.client().signIn(email);
		const names = { firstName: "Mo", lastName: `Model${this.people.length}` };
		const isDone = this.isForm()
			? await this.form(client, "/profile", names)
			: await this.call(client, "PUT", "/api/profile", names);
		const id = await this.idOf("select id from users where email = ?", email);
		if (isDone) this.people.push({ id, email, client });
		return isDone;
	}

	private async invite(): Promise<boolean> {
		const email = `${this.prefix}${this.people.length}@milepost.test`;
		const names = { email, firstName: "Mo", lastName: `Model${this.people.length}` };
		const isDone = this.isForm()
			? await this.form(this.ada, "/drivers", { intent: "add-driver", ...names })
			: await this.call(this.ada, "POST", "/api/drivers", names);
		if (!isDone) return false;
		const client = await this.fleet.client().signIn(email);
		const id = await this.idOf("select id from users where email = ?", email);
		this.people.push({ id, email, client });
		return true;
	}

	private decide(driver: number, intent: "approve" | "reject"): Promise<boolean> {
		const id = this.people[driver]?.id ?? UNKNOWN_ID;
		return this.isForm()
			? this.form(this.admin(), "/drivers", { intent, id })
			: this.call(this.admin(), "PUT", `/api/drivers/${id}/${intent}`);
	}

	private async switch(kind: "activate" | "deactivate", driver: number): Promise<boolean> {
		const person = this.people[driver];
		const intent = kind === "activate" ? "activate" : "delete";
		const isDone = await this.form(this.admin(), "/drivers", {
			intent,
			id: person?.id ?? UNKNOWN_ID,
		});
		// Deactivation ended their sessions.
		if (isDone && kind === "activate" && person) await person.client.signIn(person.email);
		return isDone;
	}

	private async log({ owner, miles }: Extract<Command, { kind: "log" }>): Promise<boolean> {
		const client = this.people[owner]?.client ?? this.fleet.client();
		const start = this.model.lastReading(owner);
		const trip = {
			date: daysAgo(0),
			startOdometer: String(start),
			endOdometer: String(start + miles),
		};
		const isDone = this.isForm()
			? await this.form(client, "/mileage", trip)
			: await this.call(client, "POST", "/api/mileage", trip);
		if (isDone)
			this.trips.push(
				await this.idOf(
					"select id from mileage_logs where driver_id = ? order by rowid desc limit 1",
					this.people[owner]?.id,
				),
			);
		return isDone;
	}

	private voidTrip({ kind, trip }: Extract<Command, { trip: number }>): Promise<boolean> {
		const id = this.trips[trip] ?? UNKNOWN_ID;
		const owner = this.model.trips[trip]?.owner ?? 0;
		if (kind === "void") {
			const client = this.people[owner]?.client ?? this.fleet.client();
			return this.form(client, "/mileage", { intent: "void", id });
		}
		return this.form(this.ada, "/mileage-reports", { intent: "void", id, reason: "Wrong van" });
	}

	private async addFee(
		{ owner, cents, category }: Extract<Command, { kind: "add-fee" }>,
		replacesId?: string,
	): Promise<boolean> {
		const fee = {
			driverId: this.people[owner]?.id ?? UNKNOWN_ID,
			category,
			amount: decimal(cents),
			date: daysAgo(0),
			referenceNumber: `F${this.fees.length}`,
			...(replacesId ? { replacesId } : {}),
		};
		const isDone =
			replacesId || this.isForm()
				? await this.form(this.admin(), "/uber-fees", fee)
				: await this.call(this.admin(), "POST", "/api/uber-fees", fee);
		if (isDone)
			this.fees.push(await this.idOf("select id from uber_fees order by rowid desc limit 1"));
		return isDone;
	}

	private async money(step: Step, type: string, admin: Client): Promise<boolean> {
		const id = "request" in step ? (this.requests[step.request] ?? UNKNOWN_ID) : UNKNOWN_ID;
		const payout = "payout" in step ? (this.payouts[step.payout] ?? UNKNOWN_ID) : UNKNOWN_ID;
		const change = (fields: Record<string, string>, call?: object) =>
			call && !this.isForm()
				? this.call(admin, "PUT", `/api/fund-requests/${id}`, call)
				: this.form(admin, "/fund-requests", { id, ...fields });
		const settle = (fields: Record<string, string>, call: object) =>
			this.isForm()
				? this.form(admin, `/payouts/${payout}`, fields)
				: this.call(admin, "PUT", `/api/payouts/${payout}`, call);
		switch (step.kind) {
			case "ask":
				return this.ask(step.owner, step.cents, type);
			case "approve": {
				const decision = {
					status: "approved",
					adminNotes: "As agreed",
					...(step.cents === undefined ? {} : { approvedAmount: decimal(step.cents) }),
				};
				return change({ intent: "process", ...decision }, decision);
			}
			case "reject": {
				const decision = { status: "rejected", adminNotes: "No" };
				return change({ intent: "process", ...decision }, decision);
			}
			case "undo":
				return change({ intent: "undo" });
			case "reopen":
				return change({ intent: "reopen" }, { status: "pending" });
			case "withdraw": {
				const owner = this.model.money.requests[step.request]?.owner ?? -1;
				const client = this.people[owner]?.client ?? this.fleet.client();
				return this.form(client, "/requests", { intent: "withdraw", id });
			}
			case "gather": {
				const requestIds = step.requests.map((each) => this.requests[each] ?? UNKNOWN_ID);
				return this.gather({ requestIds }, { gather: "requests", ids: requestIds.join(" ") });
			}
			case "gather-all": {
				if (step.owner === undefined) return this.gather({ all: true }, { gather: "all" });
				const driverId = this.people[step.owner]?.id ?? UNKNOWN_ID;
				return this.gather({ driverId }, { gather: "driver", driverId });
			}
			case "pay":
				return settle(
					{ intent: "pay", paidOn: daysAgo(0) },
					{ status: "paid", paidOn: daysAgo(0) },
				);
			case "cancel":
				return settle({ intent: "cancel" }, { status: "cancelled" });
			case "back-to-open":
				return settle(
					{ intent: "reopen", reason: "Sent back" },
					{ status: "open", reason: "Sent back" },
				);
		}
	}

	private async ask(owner: number, cents: number, type: string): Promise<boolean> {
		const client = this.people[owner]?.client ?? this.fleet.client();
		const description = `R${this.requests.length}`;
		const asked = { type, amount: decimal(cents), description };
		const isDone = this.isForm()
			? await this.form(client, "/requests", asked)
			: await this.call(client, "POST", "/api/fund-requests", asked);
		if (isDone)
			this.requests.push(
				await this.idOf("select id from fund_requests where description = ?", description),
			);
		return isDone;
	}

	private async gather(call: object, fields: Record<string, string>): Promise<boolean> {
		// The form has one checkbox per request.
		const isDone =
			fields.gather !== "requests" && this.isForm()
				? await this.form(this.admin(), "/payouts", fields)
				: await this.call(this.admin(), "POST", "/api/payouts", call);
		if (isDone)
			this.payouts.push(await this.idOf("select id from payouts order by number desc limit 1"));
		return isDone;
	}
}
