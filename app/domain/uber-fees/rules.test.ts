/** A fee's category, on screens and in files. */
import { expect, it } from "vitest";
import { categoryLabel, categoryText, FEE_CATEGORIES } from "./rules.ts";

it("has spaces for underscores, and a capital in files", () => {
	expect(FEE_CATEGORIES.map(categoryText)).toEqual([
		"commission",
		"service fee",
		"booking fee",
		"other",
	]);
	expect(FEE_CATEGORIES.map(categoryLabel)).toEqual([
		"Commission",
		"Service fee",
		"Booking fee",
		"Other",
	]);
});
