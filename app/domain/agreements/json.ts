/** Agreements in the API (docs/product.md, 'The week'). */
import type * as v from "valibot";
import { toWire } from "../kernel/record.ts";
import { AGREEMENT } from "./record.ts";
import type { Agreement } from "./rules.ts";
import type { agreementShape } from "./shape.server.ts";

/** Dates are `YYYY-MM-DD`, amounts decimal strings, percents numbers; a threshold is left out if there is none. */
export function agreementJson(agreement: Agreement): v.InferOutput<typeof agreementShape> {
	const { thresholdMiles, thereafterMills, taxYearStart, ...rest } = toWire(AGREEMENT, agreement);
	const threshold = Object.entries({ thresholdMiles, thereafterMills, taxYearStart });
	return {
		...rest,
		...Object.fromEntries(threshold.filter(([, value]) => value !== null)),
	};
}
