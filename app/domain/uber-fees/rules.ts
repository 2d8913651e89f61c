/** The words and limits of Uber fees (docs/product.md §2, §3, 'Uber fees'). */
import type { FEE_CATEGORIES as STORED_CATEGORIES } from "../../db/schema.ts";
import { cursors } from "../../values/cursor.ts";

export type FeeCategory = (typeof STORED_CATEGORIES)[number];
export const FEE_CATEGORIES = ["commission", "service_fee", "booking_fee", "other"] as const satisfies readonly FeeCategory[];

/** A category as screens say it: the underscore is a space, capitals are the stylesheet's. */
export function categoryWords(category: FeeCategory): string {
	return category.replaceAll("_", " ");
}

/** Where a page of fees goes on: after a fee, the latest day first and of a day what came last. */
export const feeCursors = cursors({ chargedOn: "date", createdAt: "number", id: "id" });
export type FeeCursor = NonNullable<ReturnType<typeof feeCursors.parse>>;

export const NO_SUCH_DRIVER = "Please choose one of the approved drivers";
