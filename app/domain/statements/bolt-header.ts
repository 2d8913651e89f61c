/** Recognizes Bolt's earnings per driver, and the earlier weekly report, by their headers. */
import {
	type BoltField,
	boltField,
	boltMoney,
	boltNotFee,
	currencyOf,
	splitUnit,
} from "./bolt-names.ts";
import { periodInFileName } from "./file-period.ts";
import type { FeeGroup, Header, Layout, Recognition, WatchedColumn } from "./layout.ts";
import type { MoneyLayout, MoneyPart, MoneyTotal } from "./money.ts";
import { refuse } from "./other-files.ts";
import type { FeeColumn, NotFeeColumn, RecognizedStatement } from "./statement.ts";

type Columns = {
	readonly at: Readonly<Partial<Record<BoltField, number>>>;
	readonly notFeeColumns: readonly NotFeeColumn[];
	readonly watched: readonly WatchedColumn[];
	readonly currencies: readonly string[];
	/** The parts of the gross earnings, then the cash that a driver has already. */
	readonly earnings: readonly MoneyPart[];
	readonly cash: readonly MoneyPart[];
	/** The projected payout. */
	readonly payout: number | undefined;
};

function readColumns({ cells, folded }: Header): Columns {
	const at: Partial<Record<BoltField, number>> = {};
	const notFeeColumns: NotFeeColumn[] = [];
	const watched: WatchedColumn[] = [];
	const currencies = new Set<string>();
	const earnings: MoneyPart[] = [];
	const cash: MoneyPart[] = [];
	let payout: number | undefined;
	folded.forEach((text, column) => {
		const name = cells[column]?.trim() ?? "";
		const { base, unit } = splitUnit(text);
		const currency = unit === undefined ? undefined : currencyOf(unit);
		if (currency) currencies.add(currency);
		const field = boltField(base);
		const reason = boltNotFee(base);
		if (field) at[field] ??= column;
		const kind = boltMoney(base);
		const columns = [column];
		if (reason === "payout") payout ??= column;
		else if (reason === "toll")
			earnings.push({ kind: "toll", columns, sign: 1 }, { kind: "fare", columns, sign: -1 });
		else if (kind === "cash") cash.push({ kind, columns, sign: "against" });
		else if (kind) earnings.push({ kind, columns, sign: 1 });
		if (field === "gross" || field === "oldGross" || field === "net" || field === "oldBalance")
			notFeeColumns.push({ name, reason: "total" });
		else if (field === "bookingFees") notFeeColumns.push({ name, reason: "earning" });
		else if (field) return;
		else if (reason) notFeeColumns.push({ name, reason });
		else if (currency) watched.push({ name, column, kind: "leaf" });
		else if (unit !== undefined) notFeeColumns.push({ name, reason: "rate" });
		else if (base !== "") watched.push({ name, column, kind: "perhaps" });
	});
	// If money columns state their currency, nothing else is money.
	const isMarked = currencies.size > 0;
	return {
		at,
		notFeeColumns,
		watched: watched.filter(({ kind }) => kind === "leaf" || !isMarked),
		currencies: [...currencies],
		...{ earnings, cash, payout },
	};
}

/** The columns of a driver's money, and the sums that the report states. */
function moneyOf({ at, earnings, cash, payout }: Columns, fees: readonly FeeGroup[]): MoneyLayout {
	const { gross, net, allFees, oldGross, oldBalance } = at;
	const charged =
		allFees === undefined ? fees : [{ category: "other", columns: [allFees] } as const];
	const sign = oldGross === undefined ? -1 : 1;
	const whole = oldGross === undefined ? [] : [oldGross];
	const parts: readonly MoneyPart[] = [
		...whole.map((column) => ({ kind: "fare", columns: [column], sign: 1 }) as const),
		...earnings,
		...charged.map(({ columns }) => ({ kind: "fee", columns, sign }) as const),
		...cash,
	];
	const upTo = (count: number) => parts.slice(0, count).map((_, place) => place);
	const total = (column: number | undefined, count: number): readonly MoneyTotal[] =>
		column === undefined ? [] : [{ column, of: upTo(count), isBranch: false }];
	return {
		parts,
		totals: [
			...total(payout ?? oldBalance, parts.length),
			...total(gross, earnings.length),
			...total(net, parts.length - cash.length),
		],
	};
}

/** Both reports, which differ only in their fees. */
function statementOf(
	header: Header,
	columns: Columns,
	fees: readonly FeeGroup[],
	feeColumns: readonly FeeColumn[],
	more: Pick<Layout, "sign" | "rest" | "isFirstBlockOnly">,
	isAllCommission = false,
): Recognition {
	const { at, notFeeColumns, watched, currencies } = columns;
	const period = periodInFileName(header.fileName, "bolt");
	const statement: RecognizedStatement = {
		kind: "statement",
		format: "bolt-earnings-per-driver",
		platform: "bolt",
		period,
		isByPeriod: true,
		needs: period ? [] : ["period"],
		currency: currencies[0] ?? null,
		feeColumns,
		notFeeColumns,
		isAllCommission,
	};
	return {
		kind: "statement",
		statement,
		layout: {
			header: header.folded,
			lineId: undefined,
			driverId: at.driverId,
			names: at.driver === undefined ? [] : [at.driver],
			time: undefined,
			trip: undefined,
			description: undefined,
			organization: [],
			fees,
			watched,
			money: moneyOf(columns, fees),
			fleetRow: undefined,
			...more,
		},
	};
}

function newReport(header: Header, columns: Columns): Recognition {
	const { at, currencies } = columns;
	if (currencies.length > 1)
		return refuse(
			`This file from Bolt has money in more than one currency: ${currencies.join(", ")}. Download the earnings of one city or country at a time.`,
		);
	const nameAt = (column: number | undefined) => header.cells[column ?? -1]?.trim() ?? "";
	const parts = [
		{ column: at.commission, category: "commission" },
		{ column: at.refunds, category: "other" },
		{ column: at.otherFees, category: "other" },
	] as const;
	const fees: FeeGroup[] = [];
	const feeColumns: FeeColumn[] = [];
	for (const { column, category } of parts) {
		if (column === undefined) continue;
		fees.push({ category, columns: [column] });
		feeColumns.push({ name: nameAt(column), category });
	}
	if (fees.length === 0 && at.allFees === undefined)
		return refuse(
			"This is Bolt's 'Earnings per driver' in a language of which Milepost doesn't know the names of the fees. Switch Bolt's portal to German, Polish or Portuguese, download it again and choose that file.",
		);
	const more = { sign: 1, rest: undefined, isFirstBlockOnly: false } as const;
	if (at.allFees === undefined) return statementOf(header, columns, fees, feeColumns, more);
	const name = nameAt(at.allFees);
	if (fees.length === 0) {
		const category = "commission";
		const whole = [{ category, columns: [at.allFees] }] as const;
		return statementOf(header, columns, whole, [{ name, category }], more, true);
	}
	return statementOf(header, columns, fees, [...feeColumns, { name, category: "rest" }], {
		...more,
		rest: { all: at.allFees, booking: at.bookingFees },
	});
}

/**
 * Bolt's earnings, or a refusal that explains what is missing; undefined for a file that isn't
 * Bolt's.
 */
export function recognizeBolt(header: Header): Recognition | undefined {
	const columns = readColumns(header);
	const { at } = columns;
	if (at.driver === undefined) return undefined;
	if (at.oldGross !== undefined && at.oldFee !== undefined)
		return statementOf(
			header,
			columns,
			[{ category: "commission", columns: [at.oldFee] }],
			[{ name: header.cells[at.oldFee]?.trim() ?? "", category: "commission" }],
			{ sign: -1, rest: undefined, isFirstBlockOnly: true },
		);
	if (at.gross === undefined || at.net === undefined) return undefined;
	const isPortalsOwn = at.driverId !== undefined || columns.currencies.length > 0;
	return isPortalsOwn ? newReport(header, columns) : undefined;
}
