/** A statement in JSON (docs/product.md, 'Statements of ride platforms'). */
import { toDecimal } from "../../values/money.ts";
import type { Plan, PlannedFee } from "./plan.ts";
import { PLATFORM_NAMES } from "./platforms.ts";
import type { WaitingStatement } from "./waiting.server.ts";

function feeJson(fee: PlannedFee) {
	const { platformId, name, driver, date, category, cents, correction } = fee;
	return {
		platformId,
		name,
		driverId: driver?.id ?? null,
		date,
		category,
		amount: toDecimal(cents),
		isCredit: cents < 0,
		state: fee.state,
		recordedAmount: correction ? toDecimal(correction.recordedCents) : null,
		isPossibleDuplicate: fee.isPossibleDuplicate,
		isDriverInactive: driver?.isActive === 0,
	};
}

/** @param importId the import made from it, if any */
export function statementJson(
	{ id, fileName, facts }: WaitingStatement,
	plan: Plan,
	importId: string | null = null,
) {
	const { format, platform, currency, feeColumns, notFeeColumns, unknownColumns, rows } = facts;
	return {
		id,
		importId,
		fileName,
		format,
		platform: PLATFORM_NAMES[platform],
		currency,
		period: { from: plan.period?.from ?? null, to: plan.period?.to ?? null },
		needs: plan.needs,
		overlaps: plan.overlaps.map(({ fileName: name, periodFrom, periodTo }) => ({
			fileName: name,
			from: periodFrom,
			to: periodTo,
		})),
		rows,
		feeColumns,
		notFeeColumns,
		isAllCommission: facts.isAllCommission,
		fees: plan.fees.map(feeJson),
		leftOut: plan.leftOut.map(({ row, reason, cents }) => ({
			row,
			reason,
			amount: cents === null ? null : toDecimal(cents),
		})),
		netted: plan.netted.map(feeJson),
		unknownColumns: unknownColumns.map(({ name, cents, unreadable }) => ({
			name,
			total: toDecimal(cents),
			unreadable,
		})),
	};
}
