/**
 * A fleet with rows on the boundaries of every window around times when a date starts or ends, and
 * their totals calculated independently, to compare with what the screens then show.
 */
import { sql } from "drizzle-orm";
import type { QueryContext } from "../../app/auth/guard.server.ts";
import type { HistoryItem } from "../../app/domain/history/rules.ts";
import type { AuthenticatedContext } from "../../app/domain/kernel/context.ts";
import { CAST, type CastName, idOf, ZONE } from "./cast.ts";
import { openDatabase, type TestDatabase } from "./database.ts";
import { insertFee } from "./fees.ts";
import { dayOf, midnight } from "./fleet-days.ts";
import { insertLog } from "./mileage.ts";
import { insertRequest } from "./requests.ts";
import { type Counted, countedRows } from "./totals.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;

/**
 * Midnights in the fleet's time zone, its clock changes, and dates that don't exist a month
 * earlier.
 */
const TURNS: readonly (readonly [what: string, moment: string])[] = [
	["midnight in winter", "2026-11-22T05:00:00Z"],
	["midnight in summer", "2026-07-01T04:00:00Z"],
	["midnight before the spring change", "2026-03-08T05:00:00Z"],
	["the spring change", "2026-03-08T07:00:00Z"],
	["midnight after the spring change", "2026-03-09T04:00:00Z"],
	["midnight before the autumn change", "2026-11-01T04:00:00Z"],
	["the autumn change", "2026-11-01T06:00:00Z"],
	["midnight after the autumn change", "2026-11-02T05:00:00Z"],
	["midnight into 29 February", "2024-02-29T05:00:00Z"],
	["midnight after February 29", "2024-03-01T05:00:00Z"],
	["midnight before March 31, a month after February 28", "2026-03-31T04:00:00Z"],
	["midnight before May 31, three months after February 29", "2024-05-31T04:00:00Z"],
	["New Year", "2026-01-01T05:00:00Z"],
];

/**
 * The date that many days before another, `YYYY-MM-DD`, calculated independently; a negative number
 * gives a later date.
 */
export const daysBefore = (date: string, days: number) =>
	new Date(Date.parse(`${date}T00:00Z`) - days * DAY).toISOString().slice(0, 10);

/**
 * Every time at which the screens are checked, in UTC milliseconds: around each turn, and in the
 * last minute of its date.
 */
export const MOMENTS: readonly (readonly [what: string, now: number])[] = TURNS.flatMap(
	([what, text]) => {
		const moment = Date.parse(text);
		return [
			[`${what}, a minute before`, moment - MINUTE],
			[`${what}, a millisecond before`, moment - 1],
			[`${what}, then`, moment],
			[`${what}, a minute after`, moment + MINUTE],
			// Not simply 24 hours later: a date with a clock change has 23 or 25 hours.
			[`${what}, 23:59 of that date`, midnight(daysBefore(dayOf(moment), -1)) - MINUTE],
		] as const;
	},
);

/**
 * The first date of a window of this many months that ends on a date: the day after the same day of
 * the month, or after that month's last day.
 */
export function monthsBack(date: string, months: number): string {
	const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
	const [backYear, backMonth] =
		month > months ? [year, month - months] : [year - 1, month - months + 12];
	const february = backYear % 4 === 0 && (backYear % 100 !== 0 || backYear % 400 === 0) ? 29 : 28;
	const length = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][backMonth - 1] ?? 0;
	const two = (number: number) => String(number).padStart(2, "0");
	return daysBefore(`${backYear}-${two(backMonth)}-${two(Math.min(day, length))}`, -1);
}

/** Everyone who can have rows: the approved drivers, including Ivan, who is inactive. */
export const DRIVERS = [
	"dana",
	"omar",
	"lena",
	"ivan",
	"ines",
] as const satisfies readonly CastName[];
const OTHERS = ["lena", "ivan", "ines"] as const;
const CATEGORIES = ["commission", "service_fee", "booking_fee", "other"] as const;
const TYPES = ["gas", "gas", "gas", "maintenance", "other"] as const;
const STATUSES = ["approved", "approved", "approved", "pending", "rejected", "withdrawn"] as const;

/**
 * Where windows start and end, in days before today: 30 and 90 days, and each of twelve weeks. 0 is
 * the end of today.
 */
const EDGES = [0, 30, 90, ...Array.from({ length: 12 }, (_, week) => 7 * (week + 1))];

/**
 * The dates that get rows around a turn: those next to the edges of every window, whether today is
 * the date of the turn or the one before.
 * @param turn `YYYY-MM-DD`
 */
function datesAround(turn: string): string[] {
	const days = EDGES.flatMap((edge) => [edge - 1, edge, edge + 1]);
	const months = [turn, daysBefore(turn, 1)].flatMap((today) =>
		[1, 3].map((count) => monthsBack(today, count)),
	);
	return [
		...new Set([
			daysBefore(turn, -2),
			...days.map((ago) => daysBefore(turn, ago)),
			...months.flatMap((first) => [daysBefore(first, 1), first]),
		]),
	];
}

/** The columns that a request's state requires. */
const withStatus = (status: (typeof STATUSES)[number]) => ({
	status,
	...(status === "approved" || status === "rejected"
		? { decided_at: 1, decided_by: idOf("ada") }
		: {}),
	...(status === "withdrawn" ? { withdrawn_at: 1 } : {}),
});

async function fill(bench: TestDatabase): Promise<void> {
	// Pseudorandom numbers, the same every time.
	let state = 20_261_121;
	const random = (below: number) => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
	const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
		items[random(items.length)] ?? items[0];
	const inserts: D1PreparedStatement[] = [];
	const later = async (query: string, ...values: unknown[]) => {
		inserts.push(bench.d1.prepare(query).bind(...values));
	};
	let [logs, fees, requests] = [0, 0, 0];
	const request = (
		driver: CastName,
		created_at: number,
		type: (typeof TYPES)[number],
		status: (typeof STATUSES)[number],
	) =>
		insertRequest(later, ++requests, driver, {
			created_at,
			requested_on: dayOf(created_at),
			// Dana has many small requests, so that her cost lands on either side of the target and
			// tiers, as the others' do.
			amount_cents: 1 + random(driver === "dana" ? 11_000 : 90_000),
			type,
			...withStatus(status),
		});
	const dates = new Set(TURNS.flatMap(([, moment]) => datesAround(dayOf(Date.parse(moment)))));
	// Inès drives on one date only, which is in yesterday's last 30 days but no longer in today's, so
	// she disappears at midnight.
	const inesDrives = new Set(TURNS.map(([, moment]) => daysBefore(dayOf(Date.parse(moment)), 30)));
	for (const date of dates) {
		if (inesDrives.has(date))
			await insertLog(later, ++logs, "ines", date, 1 + random(300), { created_at: midnight(date) });
		// The first and the last millisecond of the date in the fleet's zone.
		const [first, last] = [midnight(date), midnight(daysBefore(date, -1)) - 1];
		for (const at of [first, last]) await request("dana", at, "gas", "approved");
		for (const driver of ["dana", "omar", pick(OTHERS)] as const) {
			// Dana has something that counts on every date; some of the others' rows are voided, deleted
			// or not approved.
			const isOff = driver !== "dana" && random(8) === 0;
			await request(
				driver,
				pick([first, last, first + random(last - first)]),
				pick(TYPES),
				pick(STATUSES),
			);
			await insertFee(later, ++fees, driver, date, {
				category: pick(CATEGORIES),
				amount_cents: 1 + random(9000),
				...(isOff ? { deleted_at: first, deleted_by: idOf("ada") } : {}),
			});
			if (driver === "ines") continue;
			await insertLog(later, ++logs, driver, date, 1 + random(300), {
				created_at: first + random(last - first),
				gap_miles: random(10) === 0 ? 1 + random(5000) : null,
				is_overlap: random(12) === 0 ? 1 : 0,
				is_out_of_order: random(12) === 0 ? 1 : 0,
				is_long: random(20) === 0 ? 1 : 0,
				...(isOff
					? { voided_at: first, voided_by: idOf("ada"), void_reason: "Entered twice" }
					: {}),
			});
		}
		// Dana also has a trip and a fee that don't count.
		await insertLog(later, ++logs, "dana", date, 1 + random(300), {
			created_at: first,
			voided_at: last,
			voided_by: idOf("dana"),
		});
		await insertFee(later, ++fees, "dana", date, {
			amount_cents: 1 + random(9000),
			deleted_at: last,
			deleted_by: idOf("ada"),
		});
	}
	while (inserts.length > 0) await bench.d1.batch(inserts.splice(0, 250));
}

/** Opens a separate database with that fleet, for the tests in one file. */
export async function openMovingFleet(): Promise<TestDatabase> {
	const bench = await openDatabase("everyone", Date.parse("2026-11-21T17:00:00Z"));
	await fill(bench);
	return bench;
}

/** The query context that the guard gives a screen before it knows who is asking. */
export const toQueryContext = ({
	db,
	user,
	today,
	timeZone,
	now,
}: AuthenticatedContext): QueryContext => ({
	build: db.build,
	me: sql<string>`(select ${user.id})`,
	today,
	timeZone,
	now,
});

/** A line of a driver's history or recent activity: what is compared, and what it is sorted by. */
export type Line = {
	readonly kind: "request" | "mileage";
	readonly id: string;
	readonly date: string;
	/** Cents or miles. */
	readonly value: number;
	/** A trip is `voided` or `logged`. */
	readonly status: string;
	/** Within a kind and date, higher values come first. */
	readonly order: number;
};

/** Every request and trip of a driver, whatever its status, each list newest first. */
export async function linesOf(
	{ rows }: TestDatabase,
	driver: CastName,
): Promise<{ requests: Line[]; logs: Line[] }> {
	type Row = Record<"id" | "status" | "driven_on", string> &
		Record<"created_at" | "amount_cents" | "start_miles" | "end_miles", number>;
	const requests = await rows<Row>("select * from fund_requests where driver_id = ?", idOf(driver));
	const logs = await rows<Row & { voided_at: number | null }>(
		"select * from mileage_logs where driver_id = ?",
		idOf(driver),
	);
	return {
		requests: sorted(
			requests.map(({ id, status, created_at, amount_cents }) => ({
				kind: "request",
				id,
				date: dayOf(created_at),
				value: amount_cents,
				status,
				order: created_at,
			})),
		),
		logs: sorted(
			logs.map(({ id, driven_on, start_miles, end_miles, voided_at }) => ({
				kind: "mileage",
				id,
				date: driven_on,
				value: end_miles - start_miles,
				status: voided_at === null ? "logged" : "voided",
				order: end_miles,
			})),
		),
	};
}

/** Newest date first; on the same date, requests before trips; within a kind, latest first. */
export function sorted(lines: readonly Line[]): Line[] {
	return [...lines].sort((one, other) => {
		if (one.date !== other.date) return one.date < other.date ? 1 : -1;
		if (one.kind !== other.kind) return one.kind === "request" ? -1 : 1;
		return other.order - one.order || (one.id < other.id ? 1 : -1);
	});
}

/** A screen's line in the form of `Line`. */
export const lineOf = (item: HistoryItem): Omit<Line, "order"> => ({
	kind: item.kind,
	id: item.id,
	date: item.date,
	...(item.kind === "request"
		? { value: item.approvedAmountCents ?? item.amountCents, status: item.status }
		: { value: item.miles, status: item.isVoided ? "voided" : "logged" }),
});

/** A line without its sort key. */
export const unordered = ({ order: _, ...line }: Line): Omit<Line, "order"> => line;

/** Every row that counts in a figure, and its totals. */
export class Sums {
	private constructor(
		private readonly rows: readonly Counted[],
		/**
		 * Dates on which Dana has something in every figure, at both ends of the date for entries with
		 * a time.
		 */
		private readonly full: ReadonlySet<string>,
	) {}

	static async of({ rows }: TestDatabase): Promise<Sums> {
		const all = await countedRows(rows);
		const dana = new Sums(all, new Set()).by("dana");
		const full = [...new Set(dana.rows.map(({ date }) => date))].filter((date) => {
			const own = dana.only((row) => row.date === date);
			return own.miles > 0 && own.fees > 0 && own.count("gas") >= 2;
		});
		return new Sums(all, new Set(full));
	}

	/**
	 * The rows within a range of dates, inclusive.
	 * @throws if a window a day longer or shorter at either end could have the same total
	 */
	within(from: string, to: string): Sums {
		for (const date of [daysBefore(from, 1), from, to, daysBefore(to, -1)])
			if (!this.full.has(date))
				throw new Error(`nothing counts on ${date}, next to an end of ${from} to ${to}`);
		return this.only(({ date }) => date >= from && date <= to);
	}

	/** One driver's rows. */
	by(driver: CastName): Sums {
		return this.only((row) => row.driver === idOf(driver));
	}

	private only(isMeant: (row: Counted) => boolean): Sums {
		return new Sums(this.rows.filter(isMeant), this.full);
	}

	/** The total of rows of these kinds, in miles or cents. */
	sum(...as: string[]): number {
		return this.rows.reduce((so, row) => (as.includes(row.as) ? so + row.amount : so), 0);
	}

	/** The number of rows of these kinds. */
	count(...as: string[]): number {
		return this.rows.filter((row) => as.includes(row.as)).length;
	}

	get miles(): number {
		return this.sum("trip");
	}
	get fuel(): number {
		return this.sum("gas");
	}
	get fees(): number {
		return this.sum("commission", "service_fee", "booking_fee", "other_fee");
	}
	/** Fuel cost per mile in cents, rounded half up. */
	get perMile(): number {
		return quotient(this.fuel, this.miles);
	}
}

/** Divides whole numbers, rounding half up by the remainder; anything divided by 0 is 0. */
export function quotient(dividend: number, divisor: number): number {
	if (divisor === 0) return 0;
	const rest = dividend % divisor;
	return (dividend - rest) / divisor + (2 * rest >= divisor ? 1 : 0);
}

/** `$1,234.50`, as formatted by the platform. */
export const money = (cents: number) =>
	(cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
export const grouped = (number: number) => number.toLocaleString("en-US");

/** A driver's name as `Dana Driver`, and with the ID as `Dana Driver (DRV-0001)`. */
export const fullName = (name: (typeof DRIVERS)[number]) =>
	`${CAST[name].firstName} ${CAST[name].lastName}`;
export const codeOf = (name: (typeof DRIVERS)[number]) =>
	`DRV-${String(CAST[name].driverNumber).padStart(4, "0")}`;

/** The time of day in the fleet's time zone, `2:05 PM`. */
export const timeOf = (moment: number) =>
	new Date(moment).toLocaleTimeString("en-US", {
		timeZone: ZONE,
		hour: "numeric",
		minute: "2-digit",
	});
