import { afterEach, describe, expect, it } from "vitest";
import { DEFAULT_UNITS, setFleetUnits } from "./fleet-units.ts";
import { parseCents } from "./money.ts";
import { isLowerAmount } from "./typed-amount.ts";

describe("a typed amount beside the one that was asked for", () => {
	afterEach(() => setFleetUnits(DEFAULT_UNITS));

	it.each([
		"12.50",
		"12,50",
		"12,5",
		"$12.50",
		"$ 12",
		"45",
		"45.00",
		"45,00",
		"44.99",
		"44,99",
		"1,234.50",
		"1.234,50",
		"1 234,50",
		"1'234.50",
		"٤٤٫٩٩",
		"0,01",
		".50",
		"45.",
		"100000",
	])("%j is lower than 45.00 if what the server reads is", (typed) => {
		const cents = parseCents(typed);
		expect(cents).toBeDefined();
		expect(isLowerAmount(typed, "45.00")).toBe((cents ?? 0) < 4500);
	});

	it("is read with the sign of another currency, where that is the fleet's", () => {
		setFleetUnits({ currency: "EUR", distanceUnit: "km" });
		for (const typed of ["€12,50", "12,50 €", "EUR 12.50"]) {
			expect(parseCents(typed)).toBe(1250);
			expect(isLowerAmount(typed, "45.00")).toBe(true);
		}
		expect(isLowerAmount("€1.234,50", "45.00")).toBe(false);
	});

	it.each(["", " ", "$", "-", "abc"])("nothing is lower in %j", (typed) => {
		expect(isLowerAmount(typed, "45.00")).toBe(false);
	});
});
