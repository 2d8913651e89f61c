/** A payout in the API's answers. */
import * as v from "valibot";
import { PAYOUT_STATUSES } from "../../db/schema.ts";
import { amount, date, driverCode, id, moment, person } from "../../values/shapes.ts";

export const payoutShape = v.strictObject({
	id,
	number: v.pipe(v.string(), v.regex(/^PO-\d{6,}$/)),
	status: v.picklist(PAYOUT_STATUSES),
	total: amount,
	createdAt: moment,
	createdBy: person,
	paidOn: v.nullable(date),
	reference: v.nullable(v.string()),
	billsDownloadedAt: v.pipe(
		v.nullable(moment),
		v.description("When its bills for an accounting program were first downloaded."),
	),
	lines: v.pipe(
		v.array(
			v.strictObject({
				driverId: id,
				driverIdCode: driverCode,
				name: v.string(),
				amount,
				requests: v.array(v.strictObject({ id, requestNumber: v.string(), amount })),
				settlements: v.array(v.strictObject({ id, number: v.string(), amount })),
			}),
		),
		v.description("One for each driver."),
	),
});
