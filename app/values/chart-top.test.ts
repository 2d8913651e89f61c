import { expect, it } from "vitest";
import { chartTop } from "./chart-top.ts";

it.each([
	["none", [0, 0], 0],
	["one", [0, 5], 5],
	["even ones", [4, 5, 6, 5], 6],
	["a high one that is no outlier", [4, 5, 30, 5], 30],
	["an outlier", [4, 5, 5000, 6, 0], 9],
	["two outliers of eight", [4, 5, 5000, 6, 4, 5, 9000, 8], 12],
	["as many high ones as low ones", [4, 5, 5000, 6000], 6000],
])("a chart of %s ends at %s: %s", (_, values, top) => {
	expect(chartTop(values)).toBe(top);
});
