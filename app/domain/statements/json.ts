/** A statement in JSON (docs/product.md, 'Statements of ride platforms'). */
import type * as v from "valibot";
import { toDecimal } from "../../values/money.ts";
import { type ChosenColumns, COLUMNS } from "./columns.ts";
import { MONEY_KINDS, type MoneyKind } from "./money.ts";
import type { MoneyPlan } from "./money-plan.ts";
import type { Plan, PlannedFee } from "./plan.ts";
import { PLATFORM_NAMES } from "./platforms.ts";
import type { statementShape } from "./shape.server.ts";
import type { WaitingStatement } from "./waiting.server.ts";

type StatementJson = v.InferOutput<typeof statementShape>;

function feeJson(fee: PlannedFee): StatementJson["fees"][number] {
	const { platformId, name, driver, date, category, cents, correction } = fee;
	return {
		row: fee.row ?? null,
		platformId,
		name,
		driverId: driver?.id ?? null,
		date,
		category,
		/** Null if an earlier download of the file had it but this one doesn't. */
		amount: fee.isMissing ? null : toDecimal(cents),
		isCredit: cents < 0,
		state: fee.state,
		recordedAmount: correction ? toDecimal(correction.recordedCents) : null,
		isPossibleDuplicate: fee.doubt !== undefined,
		/** The fee that is the same, or has its reference number. */
		possibleDuplicate: fee.doubt ?? null,
		isDriverInactive: driver?.isActive === 0,
		referenceNumber: fee.reference ?? null,
	};
}

/** The column of each value, by the file's own headings. */
const namedColumns = ({ head, mapping }: ChosenColumns) =>
	Object.fromEntries(
		COLUMNS.flatMap((column) => {
			const place = mapping[column];
			return place === undefined ? [] : [[column, head[place] ?? ""]];
		}),
	);

const orNull = (cents: number | null) => (cents === null ? null : toDecimal(cents));

function moneyJson({
	rows,
	proven,
	unproven,
	totals,
	ready,
	before,
	changed,
	unmatched,
}: MoneyPlan): NonNullable<StatementJson["money"]> {
	return {
		rows,
		proven,
		unproven: unproven.map(({ row, stated, found }) => ({
			...{ row, stated: orNull(stated), found: orNull(found) },
		})),
		totals: Object.fromEntries(
			MONEY_KINDS.map((kind) => [kind, toDecimal(totals[kind])]),
		) as Record<MoneyKind, string>,
		ready,
		importedBefore: before,
		changed: changed.map(({ row, kind, recordedCents, foundCents }) => ({
			...{ row, kind, recorded: toDecimal(recordedCents), found: toDecimal(foundCents) },
		})),
		/** Drivers of the platform whose money waits until they are matched. */
		withoutDriver: unmatched.map(({ platformId, name, rows: theirs }) => ({
			...{ platformId, name, rows: theirs },
		})),
	};
}

/** @param importId the import made from it, if any */
export function statementJson(
	{ id, fileName, facts }: WaitingStatement,
	plan: Plan,
	importId: string | null = null,
): StatementJson {
	const { format, platform, currency, feeColumns, notFeeColumns, unknownColumns, rows } = facts;
	return {
		id,
		importId,
		fileName,
		format,
		platform: PLATFORM_NAMES[platform],
		currency,
		period: { from: plan.period?.from ?? null, to: plan.period?.to ?? null },
		needs: [...plan.needs],
		overlaps: plan.overlaps.map(({ fileName: name, periodFrom, periodTo }) => ({
			fileName: name,
			from: periodFrom,
			to: periodTo,
		})),
		rows,
		columns: facts.columns ? namedColumns(facts.columns) : null,
		feeColumns: [...feeColumns],
		notFeeColumns: [...notFeeColumns],
		isAllCommission: facts.isAllCommission,
		fees: plan.fees.map(feeJson),
		leftOut: plan.leftOut.map(({ row, reason, cents }) => ({
			row,
			reason,
			amount: cents === null ? null : toDecimal(cents),
		})),
		netted: plan.netted.map(feeJson),
		...(plan.money ? { money: moneyJson(plan.money) } : {}),
		/** If nothing tells whether the day or the month comes first: the months that were read. */
		months: [...(facts.months ?? [])],
		unknownColumns: unknownColumns.map(({ name, cents, unreadable }) => ({
			name,
			total: toDecimal(cents),
			unreadable,
		})),
	};
}
