/** The report's view of the drivers' figures: order, tiers, recommendations. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../kernel/fleet-settings.ts";
import { type Performance, sortByMileage, summarize } from "./insights.ts";
import { buildRecommendations } from "./recommendations.ts";

const NAMES = [
	"Dana Driver",
	"Omar Okafor",
	"Lena Nguyen",
	"Ivan Idle",
	"Ines Invited",
	"Hugo Haul",
];
const driver = (
	number: number,
	miles: number,
	fuelCents: number,
	more: Partial<Performance> = {},
): Performance => {
	const [firstName = "", lastName = ""] = (NAMES[number - 1] ?? "Some One").split(" ");
	return {
		id: `id-${number}`,
		firstName,
		lastName,
		driverNumber: number,
		isActive: true,
		miles,
		fuelCents,
		fuelRequests: 1,
		...more,
	};
};
const texts = (drivers: readonly Performance[]) =>
	buildRecommendations(summarize(drivers, DEFAULT_SETTINGS), drivers, [], DEFAULT_SETTINGS).map(
		({ kind, text }) => `${kind}: ${text}`,
	);

describe("the order", () => {
	it("is by miles, then fuel, then name, without former drivers who have no figures", () => {
		const drivers = [
			driver(4, 0, 0, { isActive: false }),
			driver(2, 0, 0),
			driver(1, 0, 0),
			driver(3, 10, 5),
			driver(5, 0, 7, { isActive: false }),
			driver(6, 10, 6),
		];
		expect(sortByMileage(drivers).map(({ id }) => id)).toEqual([
			"id-6",
			"id-3",
			"id-5",
			"id-1",
			"id-2",
		]);
		expect(drivers[0]?.id).toBe("id-4");
		expect(summarize(sortByMileage(drivers), DEFAULT_SETTINGS)).toMatchObject({
			miles: 20,
			fuelCents: 18,
		});
	});
});

describe("the tiers", () => {
	it.each([
		// 84.49 and 84.50 cents, then the same around a dollar: the rounded figure decides.
		[10_000, 844_900, "Excellent"],
		[10_000, 845_000, "Good"],
		[10_000, 994_999, "Good"],
		[10_000, 995_000, "Needs Improvement"],
		[1, 0, "Excellent"],
	] as const)("%i miles for %i cents are %s", (miles, cents, tier) => {
		expect(summarize([driver(1, miles, cents)], DEFAULT_SETTINGS).tiers[tier]).toBe(1);
	});

	it("count every driver with miles once, and the others separately", () => {
		const figures = fc.record({
			miles: fc.integer({ min: 0, max: 20 }),
			cents: fc.integer({ min: 0, max: 3000 }),
		});
		fc.assert(
			fc.property(fc.array(figures, { maxLength: 30 }), (all) => {
				const { none, ...tiers } = summarize(
					all.map(({ miles, cents }, position) => driver(position, miles, cents)),
					DEFAULT_SETTINGS,
				).tiers;
				expect(none).toBe(all.filter(({ miles }) => miles === 0).length);
				expect(Object.values(tiers).reduce((sum, count) => sum + count, 0) + none).toBe(all.length);
			}),
		);
	});
});

describe("the recommendations", () => {
	it("name who is over the target, by how much and at what cost, costliest first, and the most efficient driver", () => {
		expect(
			texts([driver(1, 1000, 97_000), driver(2, 812, 28_420), driver(3, 5000, 500_000)]),
		).toEqual([
			"over: The fleet averages $0.92 per mile, $0.07 over the $0.85 target: $464.00 in extra fuel over 6,812 miles.",
			"over: Lena Nguyen (DRV-0003) averages $1.00 per mile, $0.15 over the $0.85 target: $750.00 in extra fuel over 5,000 miles.",
			"over: Dana Driver (DRV-0001) averages $0.97 per mile, $0.12 over the $0.85 target: $120.00 in extra fuel over 1,000 miles.",
			"efficient: Omar Okafor (DRV-0002) is the most efficient driver: $0.35 per mile over 812 miles.",
		]);
	});

	it("judge the rounded figure: 85.49 cents are within the target, 85.50 are not", () => {
		expect(texts([driver(1, 10_000, 854_900)])).toEqual([
			"fine: All active drivers are within the target of $0.85 per mile.",
		]);
		expect(texts([driver(1, 10_000, 855_000)])).toEqual([
			"over: Dana Driver (DRV-0001) averages $0.86 per mile, $0.01 over the $0.85 target: $50.00 in extra fuel over 10,000 miles.",
		]);
	});

	it("say which drivers they name, in the order of the text", () => {
		const drivers = [
			driver(1, 1000, 97_000),
			driver(2, 812, 28_420),
			driver(3, 5000, 500_000),
			driver(4, 0, 4000),
		];
		const named = buildRecommendations(
			summarize(drivers, DEFAULT_SETTINGS),
			drivers,
			["id-1", "id-3", "id-3"],
			DEFAULT_SETTINGS,
		).map(({ kind, text, named }) => {
			for (const { name } of named) expect(text).toContain(name);
			return `${kind}: ${named.map(({ id }) => id).join(", ")}`;
		});
		expect(named).toEqual([
			"over: ",
			"over: id-3",
			"over: id-1",
			"fuel: id-4",
			"flagged: id-3, id-1",
			"efficient: id-2",
		]);
	});

	it("name three and count the rest", () => {
		const over = [1, 2, 3, 4, 5].map((number) => driver(number, 100, 8500 + number * 1000));
		expect(texts(over).slice(1, -1)).toHaveLength(3);
		expect(texts(over).at(-1)).toBe("over: 2 more drivers are over target by $30.00 in total.");
		expect(texts(over.slice(1)).at(-1)).toBe("over: 1 more driver is over target by $20.00.");
		const idle = [1, 2, 3, 4, 5].map((number) => driver(number, 0, number * 1000));
		expect(texts(idle)).toEqual([
			"fuel: Ines Invited (DRV-0005) has $50.00 in approved fuel (1 request) but no miles logged.",
			"fuel: Ivan Idle (DRV-0004) has $40.00 in approved fuel (1 request) but no miles logged.",
			"fuel: Lena Nguyen (DRV-0003) has $30.00 in approved fuel (1 request) but no miles logged.",
			"fuel: 2 more drivers have approved fuel but no miles: $30.00 in total.",
		]);
		expect(texts(idle.slice(1)).at(-1)).toBe(
			"fuel: 1 more driver has approved fuel but no miles: $20.00.",
		);
		expect(texts([driver(1, 0, 5, { fuelRequests: 2 })])).toEqual([
			"fuel: Dana Driver (DRV-0001) has $0.05 in approved fuel (2 requests) but no miles logged.",
		]);
	});

	it("name no best driver without fuel, without others, or over the target", () => {
		expect(texts([driver(1, 100, 0), driver(2, 100, 8000)])).toContain(
			"efficient: Omar Okafor (DRV-0002) is the most efficient driver: $0.80 per mile over 100 miles.",
		);
		for (const drivers of [
			[driver(1, 100, 0), driver(2, 100, 0)],
			[driver(1, 100, 10)],
			[driver(1, 100, 9000), driver(2, 100, 9001)],
		])
			expect(texts(drivers).join()).not.toContain("efficient");
		expect(texts([driver(1, 100, 5000), driver(2, 101, 5050)]).at(-1)).toContain("Omar");
	});

	it("say whose entries are flagged, most flags first", () => {
		const drivers = [driver(1, 1, 0), driver(2, 1, 0), driver(3, 1, 0), driver(4, 1, 0)];
		const flagged = (owners: readonly string[]) =>
			buildRecommendations(
				summarize(drivers, DEFAULT_SETTINGS),
				drivers,
				owners,
				DEFAULT_SETTINGS,
			).find(({ kind }) => kind === "flagged")?.text;
		expect(flagged([])).toBeUndefined();
		expect(flagged(["id-2"])).toBe(
			"1 entry is flagged: Omar Okafor (DRV-0002) 1. Check the readings under Flagged entries.",
		);
		expect(flagged(["id-1", "id-2", "id-4", "id-2", "id-3", "id-3", "somebody else"])).toBe(
			"7 entries are flagged: Omar Okafor (DRV-0002) 2, Lena Nguyen (DRV-0003) 2, Dana Driver (DRV-0001) 1, others 2. Check the readings under Flagged entries.",
		);
		expect(flagged(Array.from({ length: 50 }, () => "id-1"))).toContain(
			"50 entries are flagged: Dana Driver (DRV-0001) 50.",
		);
		expect(flagged(Array.from({ length: 51 }, () => "id-1"))).toContain(
			"More than 50 entries are flagged. Among the latest 50: Dana Driver (DRV-0001) 50.",
		);
	});

	it("are empty without drivers", () => {
		expect(texts([])).toEqual([]);
		expect(texts([driver(1, 0, 0)])).toEqual([]);
	});
});
