/** A statement in the API's answers. */
import * as v from "valibot";
import { FEE_CATEGORIES, STATEMENT_FORMATS } from "../../db/schema.ts";
import { amount, count, date, id } from "../../values/shapes.ts";
import { MONEY_KINDS } from "./money.ts";
import { FEE_STATES, NEEDS, REASONS_OF_DATE } from "./plan.ts";
import { LEFT_OUT_REASONS, NOT_FEE_REASONS } from "./statement.ts";

const row = v.nullable(count);
const period = { from: v.nullable(date), to: v.nullable(date) };

const plannedFee = v.strictObject({
	row,
	platformId: v.string(),
	name: v.nullable(v.string()),
	driverId: v.nullable(id),
	date: v.nullable(date),
	category: v.picklist(FEE_CATEGORIES),
	amount: v.pipe(
		v.nullable(amount),
		v.description("Null if an earlier download of the file had it and this one hasn't."),
	),
	isCredit: v.boolean(),
	state: v.picklist(FEE_STATES),
	recordedAmount: v.nullable(amount),
	isPossibleDuplicate: v.boolean(),
	possibleDuplicate: v.pipe(
		v.nullable(v.string()),
		v.description("Why it may be recorded already, in words."),
	),
	isDriverInactive: v.boolean(),
	referenceNumber: v.nullable(v.string()),
});

const money = v.strictObject({
	rows: count,
	proven: v.pipe(count, v.description("Rows that add up to what the file states.")),
	unproven: v.array(v.strictObject({ row, stated: v.nullable(amount), found: v.nullable(amount) })),
	totals: v.pipe(
		v.strictObject(v.entriesFromList(MONEY_KINDS, amount)),
		v.description("Of the rows that count, plus for the driver."),
	),
	ready: count,
	importedBefore: count,
	changed: v.array(
		v.strictObject({ row, kind: v.picklist(MONEY_KINDS), recorded: amount, found: amount }),
	),
	withoutDriver: v.array(v.strictObject({ platformId: v.string(), name: v.string(), rows: count })),
});

export const statementShape = v.strictObject({
	id: v.pipe(v.string(), v.description("Names the preview when it is sent again with answers.")),
	importId: v.pipe(v.nullable(v.string()), v.description("The import that was made, if any.")),
	fileName: v.string(),
	format: v.picklist(STATEMENT_FORMATS),
	platform: v.nullable(v.string()),
	currency: v.nullable(v.string()),
	period: v.strictObject(period),
	needs: v.pipe(
		v.array(v.picklist(NEEDS)),
		v.description("What has to be answered before it can be imported."),
	),
	overlaps: v.array(v.strictObject({ fileName: v.string(), ...period })),
	rows: count,
	columns: v.nullable(v.record(v.string(), v.string())),
	feeColumns: v.array(v.strictObject({ name: v.string(), category: v.string() })),
	notFeeColumns: v.array(v.strictObject({ name: v.string(), reason: v.picklist(NOT_FEE_REASONS) })),
	isAllCommission: v.boolean(),
	fees: v.array(plannedFee),
	leftOut: v.array(
		v.strictObject({
			row,
			reason: v.picklist([...LEFT_OUT_REASONS, ...REASONS_OF_DATE]),
			amount: v.nullable(amount),
		}),
	),
	netted: v.array(plannedFee),
	money: v.optional(
		v.pipe(money, v.description("The drivers' money; absent if the file says nothing of it.")),
	),
	months: v.array(v.string()),
	unknownColumns: v.array(v.strictObject({ name: v.string(), total: amount, unreadable: count })),
});

/** Refused because the statement has open questions. */
export const openStatementShape = v.strictObject({
	message: v.string(),
	...statementShape.entries,
});
