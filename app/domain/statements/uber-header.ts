/** Recognizes Uber's payments, by transaction or by driver and period, by their header. */
import type { FeeCategory } from "../uber-fees/rules.ts";
import { periodInFileName } from "./file-period.ts";
import type { FeeGroup, Header, Recognition, WatchedColumn } from "./layout.ts";
import { DOWNLOAD_UBER, otherFileByHeader, refuse } from "./other-files.ts";
import type { FeeColumn, NotFeeColumn } from "./statement.ts";
import { isUberMoney, meaningOfPath, type UberField, uberField } from "./uber-names.ts";

type Money = {
	readonly fees: readonly FeeGroup[];
	readonly feeColumns: readonly FeeColumn[];
	readonly notFeeColumns: readonly NotFeeColumn[];
	readonly watched: readonly WatchedColumn[];
	readonly transfers: readonly number[];
	readonly others: readonly number[];
};

/** Groups fees: one that is found under the fare is the same fee as the one beside it. */
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
	return { fees: [...groups.values()], feeColumns, notFeeColumns, watched, transfers, others };
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
	const { transfers, others, ...money } = readMoney(header);
	if (money.fees.length === 0)
		return refuse(
			`This is a payments file from Uber, but it states no fee: none of its columns is a service fee or another charge. Where Uber states fees, they are in the CSV of all transactions. ${DOWNLOAD_UBER}`,
		);
	const isByTransaction = lineId !== undefined && time !== undefined;
	if (driverId === undefined || (!isByTransaction && description !== undefined))
		return refuse(
			`This is a payments file from Uber, but its columns for the driver, the transaction or its time are missing, or are in a language that Milepost doesn't know them in. Switch the portal to English and download it again. ${DOWNLOAD_UBER}`,
		);
	const period = periodInFileName(fileName, "uber");
	const { fees, watched, feeColumns, notFeeColumns } = money;
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
			fleetRow: isByTransaction ? undefined : { transfers, others },
			isFirstBlockOnly: false,
		},
	};
}
