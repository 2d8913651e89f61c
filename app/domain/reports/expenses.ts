/**
 * The expense analysis: by type and category, fuel against Uber fees, by driver, and the largest
 * items.
 */
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { DriverTotals } from "../analytics/queries.server.ts";
import {
	categoryFees,
	feeCents,
	feeCount,
	formatRatio,
	requestCents,
	spendShares,
	type Totals,
} from "../analytics/rules.ts";
import {
	askedNote,
	effectiveAmount,
	type RequestType,
	requestNumber,
	TYPE_LABELS,
} from "../fund-requests/rules.ts";
import type { Thresholds } from "../kernel/fleet-settings.ts";
import { formatDriverCode } from "../people/rules.ts";
import {
	categoryLabel,
	categoryText,
	FEE_CATEGORIES,
	type FeeCategory,
} from "../uber-fees/rules.ts";
import {
	type Cell,
	type Chart,
	type Row,
	type Section,
	toTenthsOfPercent,
	typedCell,
} from "./document.ts";
import {
	DRIVER_COLUMNS,
	driverCells,
	FORMER_DRIVERS,
	percentChange,
	totalsOutsideDrivers,
} from "./figures.ts";

/** Lines of 'Largest Items'. */
export const MAX_ITEMS = 20;
/** How much of a description an item's line has room for, in characters. */
const MAX_DESCRIPTION = 160;

type Person = {
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber: number | null;
};
type Item = Person & {
	readonly day: CalendarDate;
	readonly amountCents: number;
	readonly description: string | null;
};
export type RequestItem = Item & {
	readonly number: number;
	readonly type: RequestType;
	readonly approvedAmountCents: number | null;
};
export type FeeItem = Item & {
	readonly category: FeeCategory;
	readonly referenceNumber: string | null;
};

export type ExpenseFigures = {
	readonly totals: Totals;
	readonly earlier: Totals;
	readonly drivers: readonly DriverTotals[];
	readonly requests: readonly RequestItem[];
	readonly fees: readonly FeeItem[];
};

const allCents = (totals: Totals) => requestCents(totals) + feeCents(totals);
/** Whether there are any, even if a credit makes their sum zero. */
const hasExpenses = (totals: Totals) => requestCents(totals) > 0 || feeCount(totals) > 0;
/** The whole for the shares: credits that outweigh their fees don't enlarge other shares. */
const wholeOf = (amounts: readonly number[]) =>
	amounts.reduce((sum, cents) => sum + Math.max(0, cents), 0);

/** What money is spent on: the three types of requests, the four categories of fees. */
const LINES: readonly (readonly [
	kind: string,
	label: string,
	of: (totals: Totals) => { cents: number; entries: number },
])[] = [
	[
		"Approved request",
		TYPE_LABELS.gas,
		({ fuelCents, fuelRequests }) => ({ cents: fuelCents, entries: fuelRequests }),
	],
	[
		"Approved request",
		TYPE_LABELS.maintenance,
		({ maintenanceCents, maintenanceRequests }) => ({
			cents: maintenanceCents,
			entries: maintenanceRequests,
		}),
	],
	[
		"Approved request",
		TYPE_LABELS.other,
		({ otherCents, otherRequests }) => ({ cents: otherCents, entries: otherRequests }),
	],
	...FEE_CATEGORIES.map(
		(category) =>
			[
				"Uber fee",
				categoryLabel(category),
				(totals: Totals) => categoryFees(totals, category),
			] as const,
	),
];

function breakdown({ totals, earlier }: ExpenseFigures): Section {
	const lines = LINES.map(([kind, label, of]) => ({
		kind,
		label,
		now: of(totals),
		before: of(earlier),
	}));
	const whole = wholeOf(lines.map(({ now }) => now.cents));
	const chart: Chart = {
		alt: "Bar chart of spending by request type and fee category. The table below has the figures.",
		unit: "cents",
		series: ["Amount"],
		bars: lines.map(({ kind, label, now }) => ({
			label: kind === "Uber fee" ? `Uber ${label.toLowerCase()}` : label,
			values: [now.cents],
		})),
	};
	return {
		title: "By Type and Category",
		columns: [
			{ head: "Expense", kind: "text", width: 18 },
			{ head: "Type or Category", kind: "text", width: 22 },
			{ head: "Entries", kind: "number", width: 8 },
			{ head: "Amount", kind: "cents", width: 14 },
			{ head: "Share", kind: "share", width: 9 },
			{ head: "Previous Period", kind: "cents", width: 14 },
			{ head: "Change", kind: "change", width: 10 },
		],
		pages: () => [
			lines.map(
				({ kind, label, now, before }): Row => [
					kind,
					label,
					now.entries,
					now.cents,
					toTenthsOfPercent(now.cents, whole),
					before.cents,
					percentChange(now.cents, before.cents),
				],
			),
		],
		totals: ([, , entries = 0, cents = 0, , before = 0]) => [
			"Total",
			null,
			entries,
			cents,
			null,
			before,
			percentChange(cents, before),
		],
		empty: "",
		...(whole > 0 ? { chart } : {}),
	};
}

function ratio({ totals }: ExpenseFigures, thresholds: Thresholds): Section {
	const fuelTarget = thresholds.fuelTargetPercent * 10;
	const fees = feeCents(totals);
	const shares = spendShares(totals.fuelCents, fees);
	const fuelTenths = toTenthsOfPercent(totals.fuelCents, wholeOf([totals.fuelCents, fees]));
	const feeTenths = fuelTenths === null ? null : 1000 - fuelTenths;
	return {
		title: "Fuel and Uber Fees",
		note: `Fuel:Uber Ratio ${shares.fuel}:${shares.fees}. Target: ${formatRatio(thresholds)}.`,
		columns: [
			{ head: "Expense", kind: "text", width: 40 },
			{ head: "Amount", kind: "cents", width: 16 },
			{ head: "Share", kind: "share", width: 12 },
			{ head: "Target", kind: "share", width: 12 },
		],
		pages: () => [
			[
				["Fuel", totals.fuelCents, fuelTenths, fuelTarget],
				["Uber Fees", fees, feeTenths, 1000 - fuelTarget],
			],
		],
		totals: ([, cents = 0, share = 0, target = 0]) => [
			"Total Spend",
			cents,
			fuelTenths === null ? null : share,
			target,
		],
		empty: "",
	};
}

function byDriver({ totals, drivers }: ExpenseFigures): Section {
	const others = totalsOutsideDrivers(totals, drivers);
	const whole = wholeOf([...drivers, ...(others ? [others] : [])].map(allCents));
	const row = (names: readonly Cell[], each: Totals): Row => {
		const { fuelCents, maintenanceCents, otherCents } = each;
		return [
			...names,
			fuelCents,
			maintenanceCents,
			otherCents,
			feeCents(each),
			allCents(each),
			toTenthsOfPercent(allCents(each), whole),
		];
	};
	const spending = drivers.filter(hasExpenses).sort((a, b) => allCents(b) - allCents(a));
	const rows = [
		...spending.map((each) => row(driverCells(each), each)),
		...(others && hasExpenses(others) ? [row(FORMER_DRIVERS, others)] : []),
	];
	return {
		title: "By Driver",
		note: "Drivers with expenses in this period, highest first.",
		columns: [
			...DRIVER_COLUMNS,
			{ head: "Fuel", kind: "cents", width: 12 },
			{ head: "Maintenance", kind: "cents", width: 12 },
			{ head: "Other", kind: "cents", width: 12 },
			{ head: "Uber Fees", kind: "cents", width: 12 },
			{ head: "All Expenses", kind: "cents", width: 13 },
			{ head: "Share", kind: "share", width: 8 },
		],
		pages: () => [rows],
		totals: ([, , fuel = 0, maintenance = 0, other = 0, fees = 0, all = 0]) => [
			"Total",
			null,
			fuel,
			maintenance,
			other,
			fees,
			all,
			null,
		],
		empty: "No driver expenses in this period.",
	};
}

function itemRow(what: string, number: string | null, item: Item, asked?: string): Row {
	const text = (item.description ?? "").replace(/\s+/g, " ");
	const short =
		text.length > MAX_DESCRIPTION ? `${[...text].slice(0, MAX_DESCRIPTION).join("")}…` : text;
	const told = asked ? `${short} (${asked})` : short;
	const note = typedCell(told, formatDriverCode(item.driverNumber));
	return [item.day, what, number, ...driverCells(item), note, item.amountCents];
}

function largest({ requests, fees }: ExpenseFigures): Section {
	const items = [
		...requests.map((request) => {
			const item = { ...request, amountCents: effectiveAmount(request) };
			const words = TYPE_LABELS[request.type];
			return { item, row: itemRow(words, requestNumber(item.number), item, askedNote(request)) };
		}),
		...fees.map((item) => ({
			item,
			row: itemRow(`Uber ${categoryText(item.category)}`, item.referenceNumber, item),
		})),
	]
		.sort((a, b) => b.item.amountCents - a.item.amountCents)
		.slice(0, MAX_ITEMS);
	return {
		title: "Largest Items",
		note: `Up to ${MAX_ITEMS} of the largest approved requests and Uber fees.`,
		columns: [
			{ head: "Date", kind: "date", width: 12 },
			{ head: "Expense", kind: "text", width: 18 },
			{ head: "Number", kind: "text", width: 13 },
			...DRIVER_COLUMNS.map((column) => ({ ...column, width: Math.min(column.width, 18) })),
			{ head: "Description", kind: "text", width: 28 },
			{ head: "Amount", kind: "cents", width: 12 },
		],
		pages: () => [items.map(({ row }) => row)],
		empty: "No approved requests or Uber fees in this period.",
	};
}

export function expenseSections(figures: ExpenseFigures, thresholds: Thresholds): Section[] {
	return [breakdown(figures), ratio(figures, thresholds), byDriver(figures), largest(figures)];
}
