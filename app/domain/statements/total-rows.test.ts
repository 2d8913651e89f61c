/** Which words name a row that adds up others. */
import { expect, it } from "vitest";
import { isTotalWord } from "./total-rows.ts";

it.each([
	...["Total", "TOTALS:", "Grand Total", "Sum", "Gesamtsumme", "Razem", "Total général"],
	...["Subtotal", "Sub-total", "Sub total:", "Subtotals", "Page total", "Running total"],
	...["Zwischensumme", "Suma częściowa", "Suma pośrednia", "Sous-total", "Subtotales"],
	...["Totale", "Totale generale", "Subtotale", "Total general", "Subtotal general"],
])("%j is a total", (text) => {
	expect(isTotalWord(text)).toBe(true);
});

it.each(["Totally Cars", "Dana Total", "Summer", "Sumner", "", "DRV-0001", "Total Wine LLC"])(
	"%j may be a driver",
	(text) => {
		expect(isTotalWord(text)).toBe(false);
	},
);
