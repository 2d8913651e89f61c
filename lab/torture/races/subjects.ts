/**
 * The subjects of races: a row in some state, the commands on it, and which histories of it are
 * legal.
 */
import { insertDriver } from "../../../tests/support/drivers.ts";
import { insertFee } from "../../../tests/support/fees.ts";
import { daysAgo } from "../../../tests/support/fleet-days.ts";
import { insertLog } from "../../../tests/support/mileage.ts";
import { gather } from "../../../tests/support/payouts.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import type { Answer, Client, Fleet } from "../../../tests/support/worker.ts";

/** A row with its driver's client. */
export type Row = {
	readonly id: string;
	/** Ids that its audit entries may refer to. */
	readonly about: readonly string[];
	readonly driver: Client;
	readonly driverId: string;
};
export type Racer = { readonly ada: Client; readonly ben: Client; readonly number: number };
type Command = (row: Row, racer: Racer) => Promise<Answer>;
type Move = { readonly from: readonly string[]; readonly to?: string };

export type Subject = {
	readonly name: string;
	readonly start: string;
	readonly make: (factory: RowFactory) => Promise<Row>;
	readonly commands: Readonly<Record<string, Command>>;
	/** How each audit action changes the state; without a `to`, it doesn't. */
	readonly moves: Readonly<Record<string, Move>>;
	/** How many emails of each kind must be sent in each state; no others of these kinds may be. */
	readonly emails?: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

/**
 * The distance between our request numbers, because requests submitted in between take the next
 * ones.
 */
const APART = 100;

/** Creates rows for commands to race on. */
export class RowFactory {
	private made = 0;
	constructor(
		readonly fleet: Fleet,
		readonly ada: Client,
		readonly ben: Client,
	) {}

	readonly sql = (query: string, ...values: unknown[]) => this.fleet.sql(query, ...values);
	next = () => ++this.made;

	/** A new driver, so that no hourly limit is reached. */
	async driver(more: Record<string, string | number | null> = {}): Promise<Omit<Row, "about">> {
		const email = `race${this.next()}@milepost.test`;
		const id = await insertDriver(this.sql, { email, ...more });
		await this.sql(
			"insert into identities (issuer, subject, user_id, created_at) values ('local-sign-in', ?, ?, 1)",
			email,
			id,
		);
		return { id, driverId: id, driver: await this.fleet.client().signIn(email) };
	}

	async request(): Promise<Row> {
		const driver = await this.driver();
		const more = { driver_id: driver.id, amount_cents: 2000 };
		const id = await insertRequest(this.sql, this.next() * APART, "dana", more);
		return { ...driver, id, about: [id] };
	}

	async approved(): Promise<Row> {
		const row = await this.request();
		await this.ada.call("PUT", `/api/fund-requests/${row.id}`, { status: "approved" });
		return row;
	}

	async payout(): Promise<Row> {
		const row = await this.approved();
		const { id } = await gather(this.ada, { requestIds: [row.id] });
		return { ...row, id, about: [id, row.id] };
	}
}

const admin = ({ ada, ben, number }: Racer) => (number % 4 < 2 ? ada : ben);
const today = () => daysAgo(0);
const requestOf = ({ about, id }: Row) => about[1] ?? id;
const change =
	(body: object): Command =>
	(row, racer) =>
		admin(racer).call("PUT", `/api/fund-requests/${requestOf(row)}`, body);
const settle =
	(body: () => object): Command =>
	(row, racer) =>
		admin(racer).call("PUT", `/api/payouts/${row.id}`, body());

const approve = change({ status: "approved" });
const reject = change({ status: "rejected", adminNotes: "No" });
const reopen = change({ status: "pending" });
const undo: Command = (row, { ada }) =>
	ada.post("/fund-requests", { intent: "undo", id: requestOf(row) });
const withdraw: Command = ({ id, driver }) => driver.post("/requests", { intent: "withdraw", id });
const DECISIONS: Subject["moves"] = {
	"request.approve": { from: ["pending"], to: "approved" },
	"request.reject": { from: ["pending"], to: "rejected" },
	"request.withdraw": { from: ["pending"], to: "withdrawn" },
	"request.ask": { from: ["pending"] },
	"request.answer": { from: ["pending"] },
	"request.undo": { from: ["approved", "rejected"], to: "pending" },
	"request.reopen": { from: ["approved", "rejected"], to: "pending" },
	"payout.make": { from: ["approved"], to: "gathered" },
};
const DECIDED = { "request-decided": 1 };
const DECISION_EMAILS = {
	pending: { "request-decided": 0 },
	withdrawn: { "request-decided": 0 },
	approved: DECIDED,
	rejected: DECIDED,
	gathered: DECIDED,
};
const PAYMENTS: Subject["moves"] = {
	"payout.pay": { from: ["open"], to: "paid" },
	"payout.cancel": { from: ["open"], to: "cancelled" },
	"payout.reopen": { from: ["paid"], to: "open" },
	"request.undo": { from: ["cancelled"], to: "pending" },
	"request.reopen": { from: ["cancelled"], to: "pending" },
};
const PAYMENT_EMAILS = {
	open: { "payout-paid": 0, "request-decided": 1 },
	cancelled: { "payout-paid": 0, "request-decided": 1 },
	paid: { "payout-paid": 1, "request-decided": 0 },
	pending: { "payout-paid": 0, "request-decided": 0 },
};
const pay = settle(() => ({ status: "paid", paidOn: today() }));
const cancel = settle(() => ({ status: "cancelled" }));
const backToOpen = settle(() => ({ status: "open", reason: "Sent back" }));
const toggle: Command = ({ driverId }, racer) =>
	admin(racer).call("PUT", `/api/drivers/${driverId}/toggle`);

export const SUBJECTS: readonly Subject[] = [
	{
		name: "a pending request",
		start: "pending",
		make: (factory) => factory.request(),
		commands: {
			approve,
			"approve less": change({ status: "approved", approvedAmount: "5.00", adminNotes: "Half" }),
			reject,
			withdraw,
			correct: ({ id, driver }, { number }) =>
				driver.call("POST", "/api/fund-requests", {
					type: "gas",
					amount: "21.00",
					description: `Corrected ${number} ${crypto.randomUUID()}`,
					replacesId: id,
				}),
			ask: ({ id }, racer) =>
				admin(racer).call("POST", `/api/fund-requests/${id}/messages`, {
					text: `Which car, ${crypto.randomUUID()}?`,
				}),
		},
		moves: DECISIONS,
		emails: DECISION_EMAILS,
	},
	{
		name: "an approved request",
		start: "approved",
		make: (factory) => factory.approved(),
		commands: {
			undo,
			reopen,
			approve,
			gather: ({ id }, racer) => admin(racer).call("POST", "/api/payouts", { requestIds: [id] }),
		},
		moves: DECISIONS,
		emails: DECISION_EMAILS,
	},
	...(["open", "paid"] as const).map(
		(start): Subject => ({
			name: start === "open" ? "an open payout" : "a paid payout",
			start,
			make: async (factory) => {
				const row = await factory.payout();
				if (start === "paid")
					await factory.ada.call("PUT", `/api/payouts/${row.id}`, {
						status: "paid",
						paidOn: today(),
					});
				return row;
			},
			commands: { pay, cancel, "reopen the payout": backToOpen, undo, reopen },
			moves: PAYMENTS,
			emails: PAYMENT_EMAILS,
		}),
	),
	{
		name: "a fee",
		start: "live",
		make: async (factory) => {
			const driver = await factory.driver();
			const more = { driver_id: driver.id };
			const id = await insertFee(factory.sql, factory.next(), "dana", today(), more);
			return { ...driver, id, about: [id] };
		},
		commands: {
			edit: ({ id, driverId }, racer) =>
				admin(racer).call("POST", "/api/uber-fees", {
					driverId,
					category: "other",
					amount: "1.00",
					date: today(),
					replacesId: id,
				}),
			delete: ({ id }, racer) => admin(racer).call("DELETE", `/api/uber-fees/${id}`),
		},
		moves: { "fee.delete": { from: ["live"], to: "gone" } },
	},
	{
		name: "a trip",
		start: "live",
		make: async (factory) => {
			const driver = await factory.driver();
			const more = { driver_id: driver.id };
			const id = await insertLog(factory.sql, factory.next(), "dana", today(), 40, more);
			return { ...driver, id, about: [id] };
		},
		commands: {
			void: ({ id, driver }) => driver.post("/mileage", { intent: "void", id }),
			"void as an administrator": ({ id }, racer) =>
				admin(racer).post("/mileage-reports", { intent: "void", id, reason: "Wrong van" }),
			correct: ({ id, driver }, { number }) =>
				driver.call("POST", "/api/mileage", {
					date: today(),
					startOdometer: 100,
					endOdometer: 150 + number,
					correctsId: id,
				}),
		},
		moves: { "mileage.void": { from: ["live"], to: "gone" } },
	},
	{
		name: "an application",
		start: "pending",
		make: async (factory) => {
			const driver = await factory.driver({ approval_status: "pending" });
			return { ...driver, about: [driver.id] };
		},
		commands: {
			approve: ({ id }, racer) => admin(racer).call("PUT", `/api/drivers/${id}/approve`),
			reject: ({ id }, racer) => admin(racer).call("PUT", `/api/drivers/${id}/reject`),
			rename: ({ id }, racer) =>
				admin(racer).post("/drivers", {
					intent: "rename",
					id,
					firstName: "Ray",
					lastName: `Race ${crypto.randomUUID()}`,
				}),
		},
		moves: {
			"driver.approve": { from: ["pending", "rejected"], to: "approved" },
			"driver.reject": { from: ["pending"], to: "rejected" },
			"driver.rename": { from: ["pending", "rejected", "approved"] },
		},
		emails: {
			pending: { "driver-approved": 0, "driver-rejected": 0 },
			approved: { "driver-approved": 1, "driver-rejected": 0 },
			rejected: { "driver-approved": 0, "driver-rejected": 1 },
		},
	},
	{
		name: "a driver",
		start: "active",
		make: async (factory) => {
			const driver = await factory.driver();
			return { ...driver, about: [driver.id] };
		},
		commands: {
			deactivate: ({ id }, racer) => admin(racer).call("DELETE", `/api/drivers/${id}`),
			toggle,
			"submit a request": ({ driver }, { number }) =>
				driver.call("POST", "/api/fund-requests", {
					type: "gas",
					amount: "3.00",
					description: `Fuel ${number} ${crypto.randomUUID()}`,
				}),
			"log a trip": ({ driver }, { number }) =>
				driver.call("POST", "/api/mileage", {
					date: today(),
					startOdometer: 1000 + number * 10,
					endOdometer: 1005 + number * 10,
				}),
		},
		moves: {
			"user.deactivate": { from: ["active"], to: "inactive" },
			"user.activate": { from: ["inactive"], to: "active" },
			"request.submit": { from: ["active"] },
			"mileage.log": { from: ["active"] },
		},
	},
];
