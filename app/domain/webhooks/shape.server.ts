/** What a receiver is sent. */
import * as v from "valibot";
import { moment } from "../../values/shapes.ts";
import { EVENT_NAMES, TEST_EVENT } from "./rules.ts";

export const eventShape = v.strictObject({
	id: v.pipe(
		v.string(),
		v.description("The same as webhook-id, and the same each time that the event is sent."),
	),
	type: v.picklist([...EVENT_NAMES, TEST_EVENT]),
	createdAt: moment,
	data: v.strictObject({
		id: v.pipe(v.string(), v.description("Of the driver, request, payout, import or settlement.")),
		number: v.pipe(
			v.nullable(v.string()),
			v.description("What people call it, such as FR-000123; null where there is no number."),
		),
	}),
});
export type EventBody = v.InferOutput<typeof eventShape>;
