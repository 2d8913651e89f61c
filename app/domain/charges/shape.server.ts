/** A charge in the API's answers. */
import * as v from "valibot";
import { charges } from "../../db/schema.ts";
import { wireShape } from "../kernel/record-shape.server.ts";
import { CHARGE } from "./record.ts";

export const chargeShape = v.strictObject({
	...wireShape(CHARGE, charges),
	receiptUrl: v.pipe(v.nullable(v.string()), v.description("The receipt's path.")),
});
