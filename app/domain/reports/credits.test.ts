import { expect, it } from "vitest";
import { feeCents, spendShares, type Totals, ZERO_TOTALS } from "../analytics/rules.ts";
import { DEFAULT_SETTINGS } from "../kernel/fleet-settings.ts";
import { toTenthsOfPercent } from "./document.ts";
import { expenseSections } from "./expenses.ts";

const totals = {
	...ZERO_TOTALS,
	fuelCents: 5000,
	commissionCents: -2000,
	commissionFees: 1,
	otherFeeCents: 500,
	otherFeeFees: 1,
};

it("lets credits lower a sum, and no share below zero or above the whole", () => {
	expect(feeCents(totals)).toBe(-1500);
	expect(spendShares(5000, -1500)).toEqual({ fuel: 100, fees: 0 });
	expect(spendShares(0, -1500)).toEqual({ fuel: 0, fees: 0 });
	expect(toTenthsOfPercent(-1500, 3500)).toBe(0);
});

const DRIVER = {
	id: "d",
	firstName: "Dana",
	lastName: "Driver",
	driverNumber: 1,
	isActive: true,
};

it("subtracts credits in the expense analysis", async () => {
	const figures = {
		totals,
		earlier: ZERO_TOTALS,
		drivers: [{ ...DRIVER, ...totals }],
		requests: [],
		fees: [],
	};
	const sections = expenseSections(figures, DEFAULT_SETTINGS);
	const rowsOf = async (title: string) => {
		const rows: unknown[][] = [];
		const found = sections.find((section) => section.title === title);
		for await (const page of found?.pages() ?? []) rows.push(...page.map((row) => [...row]));
		return rows;
	};
	const lines = await rowsOf("By Type and Category");
	expect(lines.reduce((sum, line) => sum + Number(line[3]), 0)).toBe(3500);
	const shares = lines.map((line) => Number(line[4]));
	expect(Math.min(...shares)).toBe(0);
	expect(shares.reduce((sum, share) => sum + share, 0)).toBe(1000);
	expect((await rowsOf("By Driver"))[0]).toEqual([
		"DRV-0001",
		"Dana Driver",
		5000,
		0,
		0,
		-1500,
		3500,
		1000,
	]);
});

it("keeps a driver whose credits equal their expenses, so that each column has its total", async () => {
	const even = { ...ZERO_TOTALS, fuelCents: 5000, commissionCents: -5000, commissionFees: 1 };
	const figures = { earlier: ZERO_TOTALS, requests: [], fees: [] };
	const rowsOf = async (drivers: readonly (typeof DRIVER & Totals)[]) => {
		const sections = expenseSections({ ...figures, totals: even, drivers }, DEFAULT_SETTINGS);
		const found = sections.find(({ title }) => title === "By Driver");
		const rows: unknown[] = [];
		for await (const page of found?.pages() ?? []) rows.push(...page);
		return rows;
	};
	const sums = [5000, 0, 0, -5000, 0, null];
	expect(await rowsOf([{ ...DRIVER, ...even }])).toMatchObject([
		["DRV-0001", "Dana Driver", ...sums],
	]);
	// Even for a fee that was given back, whose two entries other sections count.
	const back = { ...ZERO_TOTALS, commissionFees: 2 };
	const [row] = (await rowsOf([{ ...DRIVER, ...back }])) as unknown[][];
	expect(row?.slice(0, 2)).toEqual(["DRV-0001", "Dana Driver"]);
	expect(await rowsOf([])).toHaveLength(1);
});
