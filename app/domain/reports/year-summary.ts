/**
 * A driver's year in totals: miles by month, fund requests by type, Uber fees by category, and
 * separately what isn't counted in any of them.
 */
import { addDays, addMonths, type CalendarDate, formatMonth } from "../../values/calendar-date.ts";
import type { Period } from "../../values/period.ts";
import { categoryFees, type Totals } from "../analytics/rules.ts";
import { REQUEST_TYPES, type RequestType, TYPE_LABELS } from "../fund-requests/rules.ts";
import { categoryLabel, FEE_CATEGORIES } from "../uber-fees/rules.ts";
import type { Row, Section } from "./document.ts";
import { sumPersonal, sumTotals } from "./figures.ts";

/**
 * The columns of amounts in 'Fund Requests', in order. Each needs its sum in
 * `year-queries.server.ts`.
 */
const AMOUNT_HEADS = { asked: "Asked", approved: "Approved", paid: "Paid" } as const;
export type RequestAmount = keyof typeof AMOUNT_HEADS;
const REQUEST_AMOUNTS = Object.keys(AMOUNT_HEADS) as RequestAmount[];

/** Requests of one type; withdrawn ones are in no amount. */
export type RequestSums = Readonly<Record<RequestAmount, number>> & {
	readonly type: RequestType;
	readonly requests: number;
	readonly withdrawnRequests: number;
	readonly withdrawnCents: number;
};

export type YearFigures = {
	readonly period: Period;
	/** The whole period. */
	readonly totals: Totals;
	/** Dates on which something counts; the others are absent. */
	readonly days: ReadonlyMap<CalendarDate, Totals>;
	/** Types without requests are absent. */
	readonly requests: readonly RequestSums[];
	/** Its trips that weren't all business. */
	readonly personal: readonly { readonly drivenOn: CalendarDate; readonly personalMiles: number }[];
	readonly voided: { readonly trips: number; readonly miles: number };
};

/** Every month of a period, with its first and last date. */
function monthsOf({ from, to }: Period): Period[] {
	const months: Period[] = [];
	for (let first = from; first <= to; first = addMonths(first, 1))
		months.push({ from: first, to: addDays(addMonths(first, 1), -1) });
	return months;
}

function mileage({ period, days, personal }: YearFigures): Section {
	const rows = monthsOf(period).map(({ from, to }): Row => {
		const inMonth = [...days].filter(([date]) => date >= from && date <= to);
		const { trips, miles } = sumTotals(inMonth.map(([, totals]) => totals));
		const apart = sumPersonal(
			personal.filter(({ drivenOn }) => drivenOn >= from && drivenOn <= to),
		);
		return [formatMonth(from), trips, miles, apart, miles - apart];
	});
	return {
		title: "Mileage",
		columns: [
			{ head: "Month", kind: "text", width: 40 },
			{ head: "Trips", kind: "number", width: 16 },
			{ head: "Miles", kind: "number", width: 16 },
			{ head: "Personal", kind: "number", width: 16 },
			{ head: "Business", kind: "number", width: 16 },
		],
		pages: () => [rows],
		totals: ([, ...sums]) => ["Total", ...sums],
		empty: "",
	};
}

function fundRequests({ requests }: YearFigures): Section {
	const rows = REQUEST_TYPES.map((type): Row => {
		const sums = requests.find((each) => each.type === type);
		return [
			TYPE_LABELS[type],
			sums?.requests ?? 0,
			...REQUEST_AMOUNTS.map((amount) => sums?.[amount] ?? 0),
		];
	});
	return {
		title: "Fund Requests",
		note: "By the date they were asked for. Asked includes pending and rejected requests, but not withdrawn ones.",
		columns: [
			{ head: "Type", kind: "text", width: 40 },
			{ head: "Requests", kind: "number", width: 12 },
			...REQUEST_AMOUNTS.map(
				(amount) => ({ head: AMOUNT_HEADS[amount], kind: "cents", width: 16 }) as const,
			),
		],
		pages: () => [rows],
		totals: ([, ...sums]) => ["Total", ...sums],
		empty: "",
	};
}

function uberFees({ totals }: YearFigures): Section {
	const rows = FEE_CATEGORIES.map((category): Row => {
		const { cents, entries } = categoryFees(totals, category);
		return [categoryLabel(category), entries, cents];
	});
	return {
		title: "Uber Fees",
		note: "By the date they were charged.",
		columns: [
			{ head: "Category", kind: "text", width: 40 },
			{ head: "Fees", kind: "number", width: 12 },
			{ head: "Amount", kind: "cents", width: 16 },
		],
		pages: () => [rows],
		totals: ([, entries = 0, cents = 0]) => ["Total", entries, cents],
		empty: "",
	};
}

function leftOut({ requests, voided }: YearFigures): Section {
	const sum = (of: (sums: RequestSums) => number) =>
		requests.reduce((all, each) => all + of(each), 0);
	const rows: readonly Row[] = [
		["Voided trips", voided.trips, voided.miles, null],
		[
			"Withdrawn requests",
			sum(({ withdrawnRequests }) => withdrawnRequests),
			null,
			sum(({ withdrawnCents }) => withdrawnCents),
		],
	];
	return {
		title: "Voided and Withdrawn",
		note: "These aren't counted in the figures above.",
		columns: [
			{ head: "What", kind: "text", width: 40 },
			{ head: "Entries", kind: "number", width: 12 },
			{ head: "Miles", kind: "number", width: 16 },
			{ head: "Asked", kind: "cents", width: 16 },
		],
		pages: () => [rows],
		empty: "",
	};
}

/** The sections of the summary. */
export function yearSections(figures: YearFigures): Section[] {
	return [mileage(figures), fundRequests(figures), uberFees(figures), leftOut(figures)];
}
