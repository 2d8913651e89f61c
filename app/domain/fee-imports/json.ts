/** A file with custom columns in JSON, in the form of a platform's statement. */
import { toDecimal } from "../../values/money.ts";
import type { WaitingColumns } from "../statements/waiting.server.ts";
import type { ColumnsPlan } from "./by-columns.ts";

/** @param importId the import made from it, if any */
export function columnsJson(
	{ id, fileName }: WaitingColumns,
	{ period, needs, columns, rows, fees, leftOut }: ColumnsPlan,
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
		fees: fees.map(({ row, name, driverId, date, category, amountCents, ...fee }) => ({
			row,
			platformId: "",
			name,
			driverId,
			date,
			category,
			amount: toDecimal(amountCents),
			isCredit: false,
			state: fee.state,
			isPossibleDuplicate: fee.isPossibleDuplicate,
			isDriverInactive: fee.isDriverInactive,
			referenceNumber: fee.reference ?? null,
		})),
		leftOut: leftOut.map((each) => ({ ...each, amount: null })),
		netted: [],
		unknownColumns: [],
	};
}
