import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import SpendChart from "./spend-chart.tsx";

const week = (begins: string, fuelCents: number, feeCents: number) => ({
	dates: begins,
	begins,
	fuelCents,
	feeCents,
});
const others = Array.from({ length: 11 }, (_, at) => week(`Sep ${at + 1}`, 40_00, 20_00));

it("says where a bar is cut off, also if credits take most of the week's fuel back", () => {
	for (const fees of [20_00, -450_00]) {
		const html = renderToStaticMarkup(
			<SpendChart weeks={[...others, week("Nov 15", 500_00, fees)]} />,
		);
		expect(html).toContain(`Cut off: Nov 15 (${fees < 0 ? "$500.00" : "$520.00"}).`);
	}
});

it("cuts nothing off where credits leave less than the fuel", () => {
	const html = renderToStaticMarkup(
		<SpendChart weeks={[...others, week("Nov 15", 45_00, -60_00)]} />,
	);
	expect(html).not.toContain("Cut off");
});

it("has nothing to choose from where there is one week", () => {
	const slidersOf = (weeks: Parameters<typeof SpendChart>[0]["weeks"]) =>
		renderToStaticMarkup(<SpendChart weeks={weeks} />).match(/type="range"/g)?.length ?? 0;
	expect(slidersOf(others)).toBe(1);
	expect(slidersOf(others.slice(0, 1))).toBe(0);
});
