/** A charge in the API's answers. */
import * as v from "valibot";
import { charges } from "../../db/schema.ts";
import { wireShape } from "../kernel/record-shape.server.ts";
import { CHARGE } from "./record.ts";

export const chargeShape = v.strictObject({
	...wireShape(CHARGE, charges),
	receiptUrl: v.optional(
		v.pipe(v.string(), v.description("The receipt's path. Absent without a receipt.")),
	),
});
