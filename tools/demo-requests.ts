/** The demo fleet's requests, their threads, and the payouts they are in. */
import { addDays, type CalendarDate } from "../app/values/calendar-date.ts";
import { idOf } from "../tests/support/cast.ts";
import {
	type Clock,
	DAY,
	DRIVERS,
	demoId,
	driverId,
	HOUR,
	type Row,
	vary,
	WEEKS,
	weekAgo,
} from "./demo-cast.ts";
import type { UseReceipt } from "./demo-receipts.ts";

type Money = {
	readonly requests: Row[];
	readonly messages: Row[];
	readonly payouts: Row[];
	/** The requests in the payouts, and the settlements. */
	readonly paidRequests: Row[];
	readonly paidSettlements: Row[];
};
type Asked = readonly [driver: string, ago: number, type: string, cents: number, text: string];
type Extra = {
	readonly receipt?: string;
	readonly status?: "pending" | "rejected" | "withdrawn";
	/** The approved amount, and the note. */
	readonly lowered?: number;
	readonly note?: string;
	/** Questions and answers in turn. */
	readonly thread?: readonly string[];
	readonly isPossibleDuplicate?: true;
	/** How many days before the request the money was spent, if the driver said so. */
	readonly spentAgo?: number;
};

/** Besides everyone's fuel, in days before now. */
const OTHERS: readonly (readonly [Asked, Extra])[] = [
	[["Omar", 37, "maintenance", 189_00, "New front brake pads"], { receipt: "brakes.pdf" }],
	[["Grace", 45, "maintenance", 96_40, "Two headlight bulbs and an air filter"], {}],
	[
		["Dana", 24, "other", 42_50, "Car wash and snacks"],
		{ lowered: 30_00, note: "The car wash only.", receipt: "car-wash.jpg" },
	],
	[
		["Łena", 31, "maintenance", 120_00, "Two wiper blades and a floor mat"],
		{ lowered: 84_00, note: "The floor mat isn't a fleet expense." },
	],
	[
		["Łena", 12, "other", 12_00, "Car wash"],
		{ status: "rejected", note: "No receipt, and no answer about it." },
	],
	[
		["Tom", 26, "other", 64_00, "Parking ticket"],
		{ status: "rejected", note: "Not a fleet expense" },
	],
	[["Marcus", 9, "other", 15_00, "Tolls"], { status: "withdrawn" }],
	[
		["Sofia", 3.1, "maintenance", 214_00, "Two front tires"],
		{ status: "pending", receipt: "tires.pdf" },
	],
	[
		["Łena", 1.2, "maintenance", 64_90, "Oil change"],
		{
			status: "pending",
			receipt: "oil-change.jpg",
			thread: ["Was this at our workshop?", "No, on the road: the warning light was on."],
		},
	],
	[
		["Dana", 0.3, "gas", 38_75, "Fill-up on Route 9"],
		{ status: "pending", thread: ["Could you add the receipt, please?"] },
	],
	[
		["Grace", 0.16, "other", 18_50, "Airport parking"],
		{ status: "pending", receipt: "parking.jpg", spentAgo: 68 },
	],
	[
		["Tom", 0.15, "gas", 52_10, "Fuel, early shift"],
		{ status: "pending", receipt: "fuel-early.jpg" },
	],
	[["Tom", 0.1, "gas", 36_40, "Fuel, north depot"], { status: "pending" }],
	[
		["Tom", 0.097, "gas", 36_40, "Fuel, north depot"],
		{ status: "pending", isPossibleDuplicate: true },
	],
	[
		["Priya", 0.06, "gas", 52_10, "Fuel, early shift"],
		{ status: "pending", receipt: "fuel-early.jpg" },
	],
	[
		["Marcus", 0.02, "gas", 48_75, "Fill-up on the way to the depot"],
		{ status: "pending", receipt: "fuel-depot.jpg" },
	],
];

/** Everyone's fuel, for the miles since they last bought some. */
function fuel(clock: Clock, trips: readonly Row[]): Asked[] {
	return DRIVERS.flatMap((driver, number) => {
		const miles = (from: CalendarDate, to: CalendarDate) =>
			trips
				.filter(({ driver_id, voided_at }) => driver_id === driver.id && voided_at === null)
				.filter(({ driven_on }) => String(driven_on) > from && String(driven_on) <= to)
				.reduce((sum, trip) => sum + Number(trip.end_miles) - Number(trip.start_miles), 0);
		return Array.from({ length: WEEKS }, (_, week): Asked[] => {
			const ago = week * 7 + 2 + (number % 4);
			const since = miles(addDays(clock.today, -ago - 7), addDays(clock.today, -ago));
			const cents = Math.round(since * driver.perMile * (0.95 + vary(ago + number) / 10));
			return cents > 0 ? [[driver.firstName, ago, "gas", cents, "Fuel for the week"]] : [];
		}).flat();
	});
}

/** @param settlements those in the payouts get their payout and status */
export function demoRequests(
	clock: Clock,
	trips: readonly Row[],
	settlements: readonly Row[],
	use: UseReceipt,
): Money {
	const messages: Row[] = [];
	const weekly = fuel(clock, trips).map((each) => [each, {}] as const);
	const asked: (readonly [Asked, Extra])[] = [...weekly, ...OTHERS].sort(
		([[, one]], [[, other]]) => other - one,
	);
	const requests = asked.map(([[name, ago, type, cents, description], extra], index): Row => {
		const id = demoId(2, index);
		const owner = driverId(name);
		const created_at = clock.now - Math.round(ago * DAY) - (index % 9) * 60_000;
		const status: string = extra.status ?? "approved";
		const isDecided = status === "approved" || status === "rejected";
		for (const [place, text] of (extra.thread ?? []).entries())
			messages.push({
				id: demoId(7, messages.length),
				request_id: id,
				position: place + 1,
				author_id: place % 2 ? owner : idOf("ada"),
				author_role: place % 2 ? "driver" : "admin",
				text,
				source: "seed",
				created_at: created_at + (place + 1) * 1_800_000,
				payload_hash: "seed",
			});
		return {
			id,
			number: index + 1,
			driver_id: owner,
			type,
			amount_cents: cents,
			description,
			receipt_id: extra.receipt ? use(extra.receipt, owner, created_at) : null,
			status,
			source: "seed",
			created_at,
			requested_on: clock.dayOf(created_at),
			spent_on:
				extra.spentAgo === undefined ? null : addDays(clock.dayOf(created_at), -extra.spentAgo),
			is_possible_duplicate: extra.isPossibleDuplicate ? 1 : 0,
			admin_notes: extra.note ?? null,
			decided_at: isDecided ? created_at + 3 * HOUR : null,
			decided_by: isDecided ? idOf(index % 6 === 0 ? "ben" : "ada") : null,
			withdrawn_at: status === "withdrawn" ? created_at + HOUR : null,
			approved_amount_cents: status === "approved" ? (extra.lowered ?? cents) : null,
			payload_hash: "seed",
			payout_id: null,
		};
	});
	return { requests, messages, ...payouts(clock, requests, settlements) };
}

type Payouts = Pick<Money, "payouts" | "paidRequests" | "paidSettlements">;

/**
 * Two paid payouts and the canceled one that the second replaces, an open one, and what was
 * approved in the last week and is in none. The second and the open one each have a settled week.
 */
function payouts(clock: Clock, requests: readonly Row[], settlements: readonly Row[]): Payouts {
	const rows: Row[] = [];
	const paidRequests: Row[] = [];
	const paidSettlements: Row[] = [];
	const payout = (
		[from, to, madeAgo]: readonly [from: number, to: number, madeAgo: number],
		more: (made: number) => Row,
		week?: number,
	) => {
		const held = requests.filter(
			({ status, created_at }) =>
				status === "approved" &&
				Number(created_at) > clock.now - from * DAY &&
				Number(created_at) <= clock.now - to * DAY,
		);
		const id = demoId(4, rows.length);
		const made = clock.now - madeAgo * DAY;
		const status = more(made);
		const isCancelled = status.status === "cancelled";
		const settled = settlements.filter(
			({ result_cents, week_from }) =>
				week !== undefined && week_from === weekAgo(clock, week).from && Number(result_cents) > 0,
		);
		const amounts = [
			...held.map(({ approved_amount_cents: cents }) => Number(cents)),
			...settled.map(({ result_cents: cents }) => Number(cents)),
		];
		rows.push({
			id,
			number: rows.length + 1,
			total_cents: amounts.reduce((sum, cents) => sum + cents, 0),
			driver_count: new Set([...held, ...settled].map(({ driver_id }) => driver_id)).size,
			request_count: amounts.length,
			settlement_count: settled.length,
			created_at: made,
			created_by: idOf("ada"),
			paid_on: null,
			reference: null,
			paid_at: null,
			paid_by: null,
			cancelled_at: null,
			cancelled_by: null,
			payload_hash: "seed",
			...status,
		});
		for (const request of held) {
			if (!isCancelled) request.payout_id = id;
			paidRequests.push({
				payout_id: id,
				request_id: request.id ?? null,
				driver_id: request.driver_id ?? null,
				amount_cents: request.approved_amount_cents ?? null,
			});
		}
		for (const settlement of settled) {
			settlement.payout_id = id;
			if (status.status === "paid") settlement.status = "paid";
			paidSettlements.push({
				payout_id: id,
				settlement_id: settlement.id ?? null,
				driver_id: settlement.driver_id ?? null,
				amount_cents: settlement.result_cents ?? null,
			});
		}
	};
	const isPaid = (reference: string) => (made: number) => ({
		status: "paid",
		paid_on: clock.dayOf(made + HOUR),
		reference,
		paid_at: made + HOUR,
		paid_by: idOf("ben"),
	});
	payout([99, 42, 40], isPaid("ACH 1187"));
	payout([42, 14, 14.5], (made) => ({
		status: "cancelled",
		cancelled_at: made + 2 * HOUR,
		cancelled_by: idOf("ada"),
	}));
	payout([42, 15, 13], isPaid("ACH 1203"), 3);
	payout([15, 7, 5], () => ({ status: "open" }), 2);
	return { payouts: rows, paidRequests, paidSettlements };
}
