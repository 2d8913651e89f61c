import { expect, it } from "vitest";
import { ZERO_TOTALS } from "../analytics/rules.ts";
import { DEFAULT_SETTINGS } from "../kernel/fleet-settings.ts";
import { driverSections } from "./drivers.ts";

const person = (id: string, isActive: boolean, miles = 0, fuelCents = 0) => ({
	...ZERO_TOTALS,
	id,
	firstName: id,
	lastName: "Driver",
	driverNumber: 1,
	isActive,
	miles,
	fuelCents,
});

it("counts the efficiency of every driver that its table lists", async () => {
	const drivers = [
		person("idle", true),
		person("former", false),
		person("former with fuel", false, 0, 100),
		person("excellent", true, 100, 100),
	];
	const sections = driverSections(ZERO_TOTALS, drivers, DEFAULT_SETTINGS, () => []);
	const rows: unknown[] = [];
	for await (const page of sections.find(({ title }) => title === "Efficiency")?.pages() ?? [])
		rows.push(...page);
	expect(rows).toEqual([
		["Excellent", 1],
		["Good", 0],
		["Needs Improvement", 0],
		["No miles", 3],
	]);
});
