/** A statement in the API's answers. */
import * as v from "valibot";
import { FEE_CATEGORIES, STATEMENT_FORMATS } from "../../db/schema.ts";
import { amount, count, date, id } from "../../values/shapes.ts";

const plannedFee = v.strictObject({
	row: v.nullable(count),
	platformId: v.string(),
	name: v.nullable(v.string()),
	driverId: v.nullable(id),
	date: v.nullable(date),
	category: v.picklist(FEE_CATEGORIES),
	amount,
	isCredit: v.boolean(),
	state: v.string(),
	recordedAmount: v.nullable(amount),
	isPossibleDuplicate: v.boolean(),
	possibleDuplicate: v.nullable(v.unknown()),
	isDriverInactive: v.boolean(),
	referenceNumber: v.nullable(v.string()),
});

export const statementShape = v.object({
	id: v.pipe(v.string(), v.description("Names the preview when it is sent again with answers.")),
	importId: v.pipe(v.nullable(v.string()), v.description("The import that was made, if any.")),
	fileName: v.string(),
	format: v.picklist(STATEMENT_FORMATS),
	platform: v.nullable(v.string()),
	currency: v.nullable(v.string()),
	period: v.strictObject({ from: v.nullable(date), to: v.nullable(date) }),
	needs: v.pipe(
		v.array(v.string()),
		v.description("What has to be answered before it can be imported."),
	),
	overlaps: v.array(
		v.strictObject({ fileName: v.string(), from: v.nullable(date), to: v.nullable(date) }),
	),
	rows: count,
	columns: v.nullable(v.record(v.string(), v.string())),
	feeColumns: v.array(v.strictObject({ name: v.string(), category: v.string() })),
	notFeeColumns: v.array(v.strictObject({ name: v.string(), reason: v.string() })),
	isAllCommission: v.boolean(),
	fees: v.array(plannedFee),
	leftOut: v.array(
		v.strictObject({ row: v.nullable(count), reason: v.string(), amount: v.nullable(amount) }),
	),
	netted: v.array(plannedFee),
	months: v.array(v.string()),
	unknownColumns: v.array(
		v.strictObject({ name: v.string(), total: amount, unreadable: v.unknown() }),
	),
});
