/** The texts and limits of Uber fees (docs/product.md §2, §3, 'Uber fees'). */
import type { FEE_CATEGORIES as STORED_CATEGORIES } from "../../db/schema.ts";

export type FeeCategory = (typeof STORED_CATEGORIES)[number];
export const FEE_CATEGORIES = [
	"commission",
	"service_fee",
	"booking_fee",
	"other",
] as const satisfies readonly FeeCategory[];

/** A category on screen: the underscore becomes a space; the style sheet capitalizes it. */
export function categoryText(category: FeeCategory): string {
	return category.replaceAll("_", " ");
}

/** Capitalized, for files, which have no style sheet: `Service fee`. */
export function categoryLabel(category: FeeCategory): string {
	const words = categoryText(category);
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the form's own button asks for: drivers to choose from, and nothing else. */
export const FIND_DRIVER = "find-driver";
