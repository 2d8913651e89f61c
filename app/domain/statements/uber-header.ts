/** Recognizes Uber's payments, by transaction or by driver and period, by their header. */
import type { FeeCategory } from "../uber-fees/rules.ts";
import { periodInFileName } from "./file-period.ts";
import type { FeeGroup, Header, Recognition, WatchedColumn } from "./layout.ts";
import type { MoneyKind, MoneyLayout, MoneyPart, MoneyTotal } from "./money.ts";
import { DOWNLOAD_UBER, otherFileByHeader, refuse } from "./other-files.ts";
import type { FeeColumn, NotFeeColumn, NotFeeReason } from "./statement.ts";
import { isUberMoney, meaningOfPath, type UberField, uberField } from "./uber-names.ts";

type Money = {
	readonly fees: readonly FeeGroup[];
	readonly feeColumns: readonly FeeColumn[];
	readonly notFeeColumns: readonly NotFeeColumn[];
	readonly watched: readonly WatchedColumn[];
	readonly transfers: readonly number[];
	readonly others: readonly number[];
	readonly money: MoneyLayout;
};

/** What the money of a column that isn't a fee is for the driver. */
const KINDS: Readonly<Partial<Record<NotFeeReason, MoneyKind>>> = {
	fare: "fare",
	earning: "other_earning",
	tip: "tip",
	promotion: "promotion",
	toll: "toll",
	"third-party": "third_party",
	cash: "cash",
	payout: "transfer",
	tax: "tax",
};

/** Groups fees: one found under the fare is the same fee as the one beside it. */
function statedAt(path: string): string {
	const [leaf = "", above = "", ...roots] = path.split(":").reverse();
	const parent = meaningOfPath([...roots.toReversed(), above].join(":"));
	const isInFare = typeof parent === "object" && "notFee" in parent && parent.notFee === "fare";
	return [...roots.toReversed(), ...(isInFare ? [] : [above]), leaf].join(":");
}

/** What each money column is, given the whole header: a path above another repeats it. */
function readMoney({ cells, folded }: Header): Money {
	const groups = new Map<string, { category: FeeCategory; columns: number[] }>();
	const feeColumns: FeeColumn[] = [];
	const notFeeColumns: NotFeeColumn[] = [];
	const watched: WatchedColumn[] = [];
	const transfers: number[] = [];
	const others: number[] = [];
	const parts: MoneyPart[] = [];
	folded.forEach((path, column) => {
		const name = cells[column]?.trim() ?? "";
		if (path === "" || uberField(path)) return;
		if (!isUberMoney(path)) {
			watched.push({ name, column, kind: "perhaps" });
			return;
		}
		const meaning = meaningOfPath(path);
		const isAbove = folded.some((other) => other.startsWith(`${path}:`));
		const reason = typeof meaning === "object" && "notFee" in meaning ? meaning.notFee : undefined;
		if (reason === "payout") transfers.push(column);
		else if (!isAbove && reason !== "total") others.push(column);
		const kind = reason && KINDS[reason];
		if (kind && !isAbove) parts.push({ kind, columns: [column], sign: 1 });
		if (reason) {
			notFeeColumns.push({ name, reason });
		} else if (isAbove || meaning === "branch") {
			notFeeColumns.push({ name, reason: "branch" });
			if (!isAbove) watched.push({ name, column, kind: "branch" });
		} else if (typeof meaning === "object" && "fee" in meaning) {
			feeColumns.push({ name, category: meaning.fee });
			const key = statedAt(path);
			const group = groups.get(key) ?? { category: meaning.fee, columns: [] };
			group.columns.push(column);
			groups.set(key, group);
		} else {
			watched.push({ name, column, kind: "leaf" });
		}
	});
	const fees = [...groups.values()];
	for (const { columns } of fees) parts.push({ kind: "fee", columns, sign: 1 });
	const money = { parts, totals: totalsIn(folded, parts) };
	return { fees, feeColumns, notFeeColumns, watched, transfers, others, money };
}

/**
 * The sums that a header states: each topmost total, and the branches beside it. Totals further
 * down are parts of those.
 */
function totalsIn(folded: readonly string[], parts: readonly MoneyPart[]): readonly MoneyTotal[] {
	const isTotal = (path: string) => {
		const meaning = meaningOfPath(path);
		return typeof meaning === "object" && "notFee" in meaning && meaning.notFee === "total";
	};
	const isBelow = (path: string, other: string) => path.startsWith(`${other}:`);
	return folded.flatMap((path, column): MoneyTotal[] => {
		if (path === "" || !isUberMoney(path)) return [];
		const isOneBelow = folded.some((other) => isBelow(other, path));
		const isStated = isTotal(path)
			? !folded.some((other) => isBelow(path, other) && isTotal(other))
			: !path.includes(":") && isOneBelow;
		if (!isStated) return [];
		const of = parts.flatMap(({ columns }, place) =>
			columns.some((part) => isBelow(folded[part] ?? "", path)) ? [place] : [],
		);
		return [{ column, of, isBranch: !isTotal(path) }];
	});
}

/**
 * Uber's payments, or a refusal that explains what is missing; undefined for a file that isn't
 * Uber's.
 */
export function recognizeUber(header: Header): Recognition | undefined {
	const { folded, fileName } = header;
	if (!folded.some(isUberMoney)) return undefined;
	const columnsOf = (field: UberField) =>
		folded.flatMap((name, column) => (uberField(name) === field ? [column] : []));
	const [driverId] = columnsOf("driverId");
	const [lineId] = columnsOf("lineId");
	const [time] = columnsOf("time");
	const [trip] = columnsOf("trip");
	const [description] = columnsOf("description");
	const other = driverId === undefined ? otherFileByHeader(header) : undefined;
	if (other) return other;
	const { transfers, others, fees, feeColumns, notFeeColumns, watched, money } = readMoney(header);
	if (fees.length === 0)
		return refuse(
			`This is a payments file from Uber, but it states no fee: none of its columns is a service fee or another charge. Where Uber states fees, they are in the CSV of all transactions. ${DOWNLOAD_UBER}`,
		);
	const isByTransaction = lineId !== undefined && time !== undefined;
	// In any language the ids of a transaction, its driver and its trip are UUIDs.
	const idCount = folded.filter((name) => /\buuid\b/.test(name)).length;
	const isTransaction = idCount > 2 || [lineId, time, description].some((at) => at !== undefined);
	if (driverId === undefined || (!isByTransaction && isTransaction))
		return refuse(
			`This is a payments file from Uber, but its columns for the driver, the transaction or its time are missing, or are in a language that Milepost doesn't know them in. Switch the portal to English and download it again. ${DOWNLOAD_UBER}`,
		);
	const period = periodInFileName(fileName, "uber");
	return {
		kind: "statement",
		statement: {
			kind: "statement",
			format: isByTransaction ? "uber-payments-order" : "uber-payments-driver",
			platform: "uber",
			period,
			isByPeriod: !isByTransaction,
			needs: isByTransaction || period ? [] : ["period"],
			currency: null,
			feeColumns,
			notFeeColumns,
			isAllCommission: false,
		},
		layout: {
			header: folded,
			lineId: isByTransaction ? lineId : undefined,
			driverId,
			names: [...columnsOf("firstName"), ...columnsOf("lastName")],
			time: isByTransaction ? time : undefined,
			trip,
			description,
			organization: columnsOf("organization"),
			fees,
			sign: -1,
			rest: undefined,
			watched,
			money,
			fleetRow: isByTransaction ? undefined : { transfers, others },
			isFirstBlockOnly: false,
		},
	};
}
