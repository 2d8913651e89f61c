/** A file with custom columns in JSON, in the form of a platform's statement. */
import { toDecimal } from "../../values/money.ts";
import type { WaitingColumns } from "../statements/waiting.server.ts";
import type { ColumnsPlan, RowFee } from "./by-columns.ts";

const feeJson = ({
	row,
	name,
	driverId,
	date,
	category,
	amountCents,
	isCredit,
	...fee
}: RowFee) => ({
	row,
	platformId: "",
	name,
	driverId,
	date,
	category,
	amount: toDecimal(isCredit ? -amountCents : amountCents),
	isCredit,
	state: fee.state,
	recordedAmount: null,
	isPossibleDuplicate: fee.doubt !== undefined,
	/** The fee that is the same, or has its reference number. */
	possibleDuplicate: fee.doubt ?? null,
	isDriverInactive: fee.isDriverInactive,
	referenceNumber: fee.reference ?? null,
});

/** @param importId the import made from it, if any */
export function columnsJson(
	{ id, fileName }: WaitingColumns,
	{ period, needs, columns, rows, fees, leftOut, netted, months }: ColumnsPlan,
	importId: string | null = null,
) {
	return {
		id,
		importId,
		fileName,
		format: "columns",
		platform: null,
		currency: null,
		period: { from: period?.from ?? null, to: period?.to ?? null },
		needs,
		overlaps: [],
		rows,
		columns,
		feeColumns: [],
		notFeeColumns: [],
		isAllCommission: false,
		fees: fees.map(feeJson),
		leftOut: leftOut.map(({ row, reason, cents }) => ({
			row,
			reason,
			amount: cents === null ? null : toDecimal(cents),
		})),
		netted: netted.map(feeJson),
		/** Where nothing tells whether the day or the month comes first: the months that were read. */
		months,
		unknownColumns: [],
	};
}
