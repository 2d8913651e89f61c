/** An agreement in the API's answers. */
import * as v from "valibot";
import { agreements } from "../../db/schema.ts";
import { count } from "../../values/shapes.ts";
import { wireShape } from "../kernel/record-shape.server.ts";
import { AGREEMENT } from "./record.ts";
import { TAX_YEAR_STARTS } from "./rules.ts";

export const agreementShape = v.strictObject({
	...wireShape(AGREEMENT, agreements),
	thresholdMiles: v.optional(
		v.pipe(count, v.description("Business miles of a tax year at that rate.")),
	),
	thereafterMills: v.optional(
		v.pipe(count, v.description("Tenths of a cent for each further mile.")),
	),
	taxYearStart: v.optional(v.picklist(TAX_YEAR_STARTS)),
});
