/** A settlement in the API's answers. */
import * as v from "valibot";
import { PAYOUT_STATUSES, SETTLEMENT_LINE_KINDS, SETTLEMENT_STATUSES } from "../../db/schema.ts";
import { amount, date, driverCode, id } from "../../values/shapes.ts";
import { messageShape } from "../fund-requests/shape.server.ts";

export const settlementShape = v.strictObject({
	id,
	number: v.pipe(v.string(), v.regex(/^ST-\d{6,}$/)),
	driverId: id,
	driverIdCode: driverCode,
	week: v.strictObject({ from: date, to: date }),
	status: v.picklist(SETTLEMENT_STATUSES),
	carriedIn: v.pipe(amount, v.description("What earlier weeks left below zero.")),
	lines: v.pipe(
		v.array(
			v.strictObject({
				kind: v.picklist(SETTLEMENT_LINE_KINDS),
				platform: v.nullable(v.string()),
				text: v.string(),
				amount,
			}),
		),
		v.description("Each rounded once, plus for the driver."),
	),
	result: v.pipe(amount, v.description("carriedIn and the lines, added up.")),
	carriedOut: v.pipe(amount, v.description("A result below zero, which the next week carries.")),
	payable: v.pipe(amount, v.description("The result, or 0.00 if it is below zero.")),
	payout: v.pipe(
		v.nullable(
			v.strictObject({
				id,
				number: v.string(),
				status: v.picklist(PAYOUT_STATUSES),
				paidOn: v.nullable(date),
			}),
		),
		v.description("The payout that it is in."),
	),
});

export const settlementWithMessagesShape = v.strictObject({
	...settlementShape.entries,
	messages: v.optional(
		v.pipe(
			v.array(messageShape),
			v.description(
				"The driver's questions and the administrators' answers. The newest is last. Absent if the driver hasn't asked.",
			),
		),
	),
});
