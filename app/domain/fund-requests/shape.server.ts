/** Fund requests in the API's answers. */
import * as v from "valibot";
import { fundRequests, MESSAGE_ROLES, PAYOUT_STATUSES } from "../../db/schema.ts";
import { amount, date, driverCode, id, moment, person } from "../../values/shapes.ts";
import { wireShape } from "../kernel/record-shape.server.ts";
import { REQUEST } from "./record.ts";

export const messageShape = v.strictObject({
	id,
	by: v.strictObject({ ...person.entries, role: v.picklist(MESSAGE_ROLES) }),
	text: v.string(),
	createdAt: moment,
});

export const requestShape = v.strictObject({
	...wireShape(REQUEST, fundRequests),
	requestNumber: v.pipe(v.string(), v.regex(/^FR-\d{6,}$/)),
	driverIdCode: driverCode,
	driver: person,
	approvedAmount: v.pipe(v.nullable(amount), v.description("Null until it is approved.")),
	receiptUrl: v.pipe(
		v.nullable(v.string()),
		v.description("The receipt's path, or the bare name of a file that was never sent."),
	),
	isLate: v.boolean(),
	decidedBy: v.nullable(person),
	messages: v.pipe(v.array(messageShape), v.description("The newest last.")),
	payout: v.nullable(
		v.strictObject({
			id,
			number: v.string(),
			status: v.picklist(PAYOUT_STATUSES),
			paidOn: v.nullable(date),
		}),
	),
});
