/**
 * The filters of the administrators' list as SQL: what one index finds, in the order of the list,
 * and what is left to check in each row it finds (docs/decisions/0052).
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { literal } from "../../db/literal.ts";
import { fundRequests } from "../../db/schema.ts";
import { IS_LATE } from "./rows.server.ts";
import { type AmountBand, type Flag, isByAmount, momentsOf, type RequestSearch } from "./search.ts";

/** What one index finds, and what it doesn't cover. */
export type IndexChoice = {
	/** The index to name; absent if SQLite has no other choice for the filters. */
	readonly index: string | undefined;
	readonly indexed: SQL | undefined;
	/** Absent if the index covers all filters. */
	readonly rest: SQL | undefined;
};

const { amountCents, status, type, driverId, createdAt, question, payoutId } = fundRequests;

/** The bands' numbers in the index `requests_by_band`. */
const BAND_NUMBERS = { "0-50": 0, "50-100": 1, "100+": 2 } as const satisfies Record<
	AmountBand,
	number
>;
/** Their ranges in cents: above the first, up to the second. */
const BAND_RANGES = {
	"0-50": [0, 5000],
	"50-100": [5000, 10_000],
	"100+": [10_000, 10_000_000],
} as const satisfies Record<AmountBand, readonly [number, number]>;

const bandOf = sql`(${amountCents} > 5000) + (${amountCents} > 10000)`;

const { isPossibleDuplicate, receiptId } = fundRequests;
/** The flags in the same two forms as the filters below. */
const FLAG_CONDITIONS = {
	duplicate: {
		indexed: sql`${isPossibleDuplicate} = 1`,
		rest: sql`+${isPossibleDuplicate} = 1`,
	},
	"no-receipt": { indexed: sql`${receiptId} is null`, rest: sql`+${receiptId} is null` },
	late: { indexed: sql`${IS_LATE} = 1 and ${IS_LATE}`, rest: sql`coalesce(${IS_LATE}, 0)` },
} as const satisfies Record<Flag, { indexed: SQL; rest: SQL }>;
const FLAG_INDEXES = {
	duplicate: "requests_duplicate",
	"no-receipt": "requests_without_receipt",
	late: "requests_late",
} as const satisfies Record<Flag, string>;

/**
 * Each filter in two forms: for an index, in the words of its partial ones; and for what an index
 * doesn't cover, with a plus that keeps SQLite from choosing another index for it.
 */
function conditions({ filters }: RequestSearch) {
	const { amount } = filters;
	const inPayout = sql`exists (select 1 from payouts where payouts.id = ${payoutId}
		and payouts.status = ${filters.payment === "paid" ? "paid" : "open"})`;
	return {
		question: filters.question && {
			indexed: sql`${question} = ${literal(filters.question)} and ${question} is not null and ${status} = 'pending'`,
			rest: sql`(+${question} = ${filters.question} and +${status} = 'pending')`,
		},
		flag: filters.flag && FLAG_CONDITIONS[filters.flag],
		payment:
			filters.payment &&
			(filters.payment === "unpaid"
				? {
						indexed: sql`${status} = 'approved' and ${payoutId} is null`,
						rest: sql`(+${status} = 'approved' and +${payoutId} is null)`,
					}
				: {
						indexed: sql`(${payoutId} is null) = 0 and ${payoutId} is not null`,
						rest: sql`+${payoutId} is not null`,
					}),
		/** No index of requests includes their payouts' states. */
		paidOrOpen:
			filters.payment && filters.payment !== "unpaid"
				? { indexed: undefined, rest: inPayout }
				: undefined,
		driver: filters.driver
			? {
					indexed: eq(driverId, filters.driver),
					rest: sql`+${driverId} = ${filters.driver}`,
				}
			: undefined,
		status: filters.status && {
			indexed: sql`${status} = ${literal(filters.status)}`,
			rest: sql`+${status} = ${filters.status}`,
		},
		type: filters.type && {
			indexed: eq(type, filters.type),
			rest: sql`+${type} = ${filters.type}`,
		},
		amount: amount && {
			indexed: sql`${bandOf} = ${BAND_NUMBERS[amount]}`,
			rest: sql`+(${bandOf}) = ${BAND_NUMBERS[amount]}`,
		},
	} satisfies Record<string, { indexed: SQL | undefined; rest: SQL } | "" | undefined>;
}
type Conditions = ReturnType<typeof conditions>;

/**
 * The filters that one index covers together, and its name: rarest first. A driver has fewer
 * requests than the fleet has unpaid ones or ones without a receipt.
 */
function servedTogether(
	all: Conditions,
	{ filters }: RequestSearch,
): readonly [index: string | undefined, served: readonly (keyof Conditions)[]] {
	if (all.driver && all.status) return ["requests_by_driver_status", ["driver", "status"]];
	if (all.driver) return ["requests_by_driver", ["driver"]];
	if (all.question) return ["requests_by_question", ["question"]];
	if (filters.flag) return [FLAG_INDEXES[filters.flag], ["flag"]];
	if (filters.payment === "unpaid") return ["requests_not_in_payout", ["payment"]];
	if (filters.payment) return ["requests_in_payout", ["payment"]];
	return [undefined, ["status", "type", "amount"]];
}

/** @param timeZone the fleet's, in which dates begin */
export function chooseIndex(search: RequestSearch, timeZone: string): IndexChoice {
	const { filters, order, position } = search;
	const all = conditions(search);
	if (isByAmount(order)) {
		const [above, upTo] = BAND_RANGES[filters.amount ?? "0-50"];
		const band = filters.amount && sql`${amountCents} > ${above} and ${amountCents} <= ${upTo}`;
		return {
			index: undefined,
			indexed: and((all.status || undefined)?.indexed, band || undefined),
			rest: undefined,
		};
	}
	const [index, served] = servedTogether(all, search);
	const { from, before } = momentsOf(filters, timeZone);
	// SQLite uses one bound at each end: a position, which is within the dates, replaces the bound at
	// its end.
	const isLater = position && (position.way === "after") === (order === "oldest");
	const names = Object.keys(all) as (keyof Conditions)[];
	return {
		index,
		indexed: and(
			...served.map((name) => all[name]?.indexed),
			from === undefined || isLater === true ? undefined : sql`${createdAt} >= ${from}`,
			before === undefined || isLater === false ? undefined : sql`${createdAt} < ${before}`,
		),
		rest: and(...names.filter((name) => !served.includes(name)).map((name) => all[name]?.rest)),
	};
}
