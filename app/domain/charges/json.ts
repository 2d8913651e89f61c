/** Charges in the API (docs/product.md, 'The week'). */
import type * as v from "valibot";
import { receiptUrlOf } from "../fund-requests/input.ts";
import { toWire } from "../kernel/record.ts";
import { CHARGE } from "./record.ts";
import type { Charge } from "./rules.ts";
import type { chargeShape } from "./shape.server.ts";

/** Dates are `YYYY-MM-DD`, amounts decimal strings, whatever their direction. */
export const chargeJson = (charge: Charge): v.InferOutput<typeof chargeShape> => ({
	...toWire(CHARGE, charge),
	...(charge.receiptId ? { receiptUrl: receiptUrlOf(charge.receiptId) } : {}),
});
