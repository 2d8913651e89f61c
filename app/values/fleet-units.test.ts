/** The words of a fleet's own currency and distance. */
import { afterEach, expect, it } from "vitest";
import { DEFAULT_UNITS, fleetSign, inUnits, setFleetUnits } from "./fleet-units.ts";

afterEach(() => setFleetUnits(DEFAULT_UNITS));

const TEXTS = [
	"In dollars, such as 45.50",
	"Dollars of fuel per mile.",
	"Enter it in US dollars",
	"Approved $ ÷ miles",
	"$0 - $50",
	"Total Miles, 30 mi, Milepost, Log Mileage, families",
];

it("are those of the texts for dollars and miles", () => {
	expect(TEXTS.map(inUnits)).toEqual(TEXTS);
});

it.each([
	[
		"EUR",
		"km",
		"€",
		[
			"In euros, such as 45.50",
			"Euros of fuel per kilometer.",
			"Enter it in euros",
			"Approved € ÷ kilometers",
			"€0 - €50",
			"Total Kilometers, 30 km, Milepost, Log Mileage, families",
		],
	],
	[
		"PLN",
		"mi",
		"PLN\u00a0",
		[
			"In Polish zlotys, such as 45.50",
			"Polish zlotys of fuel per mile.",
			"Enter it in Polish zlotys",
			"Approved PLN ÷ miles",
			"PLN\u00a00 - PLN\u00a050",
			"Total Miles, 30 mi, Milepost, Log Mileage, families",
		],
	],
	[
		"CAD",
		"km",
		"CA$",
		[
			"In Canadian dollars, such as 45.50",
			"Canadian dollars of fuel per kilometer.",
			"Enter it in Canadian dollars",
			"Approved CA$ ÷ kilometers",
			"CA$0 - CA$50",
			"Total Kilometers, 30 km, Milepost, Log Mileage, families",
		],
	],
] as const)("are %s and %s", (currency, distanceUnit, sign, texts) => {
	setFleetUnits({ currency, distanceUnit });
	expect(fleetSign()).toBe(sign);
	expect(TEXTS.map(inUnits)).toEqual(texts);
});
