import { expect, it } from "vitest";
import { describeEntry } from "./entry-labels.ts";

it.each([
	["45.50", "Fund request, Gas/Fuel: $45.50"],
	["1.234,50", "Fund request, Gas/Fuel: $1.234,50"],
	["$45.50", "Fund request, Gas/Fuel: $45.50"],
	["45.50 USD", "Fund request, Gas/Fuel: 45.50 USD"],
	[" ", "Fund request, Gas/Fuel: (blank)"],
])("titles a waiting request for %j as %j", (amount, title) => {
	const fields: [string, string][] = [
		["type", "gas"],
		["amount", amount],
	];
	expect(describeEntry({ form: "requests", fields })).toBe(title);
});
