/** A fee in the API's answers. */
import * as v from "valibot";
import { FEE_CATEGORIES } from "../../db/schema.ts";
import { amount, date, driverCode, id, moment } from "../../values/shapes.ts";

/** As its driver sees it. */
export const ownFeeShape = v.strictObject({
	id,
	driverId: id,
	driverIdCode: driverCode,
	category: v.picklist(FEE_CATEGORIES),
	amount: v.pipe(amount, v.description("Negative for a credit.")),
	isCredit: v.optional(v.literal(true)),
	date,
	referenceNumber: v.nullable(v.string()),
	description: v.nullable(v.string()),
	createdAt: moment,
	deletedAt: v.optional(
		v.pipe(moment, v.description("Only in a list of changes, once it is deleted.")),
	),
});

export const feeShape = v.strictObject({
	...ownFeeShape.entries,
	addedBy: v.pipe(id, v.description("An administrator's id. Drivers aren't told.")),
});
/** As administrators or drivers get it. */
export const listedFeeShape = v.strictObject({
	...ownFeeShape.entries,
	addedBy: v.optional(feeShape.entries.addedBy),
});
