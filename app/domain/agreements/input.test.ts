/** The payload of an agreement: defaults, limits, messages. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { newAgreementInput } from "./input.ts";

const TODAY = parseCalendarDate("2026-11-21");
const DANA = "6f3e0f57-7a0e-4a53-9c52-1c9f6f1d2a01";
const parse = (more: Record<string, string> = {}, weekStartsOn = 1) =>
	v.safeParse(newAgreementInput(TODAY, weekStartsOn), {
		driverId: DANA,
		from: "2026-11-16",
		...more,
	});
const faults = (more: Record<string, string>, weekStartsOn?: number) =>
	(parse(more, weekStartsOn).issues ?? []).map((issue) => [v.getDotPath(issue), issue.message]);

describe("an agreement's payload", () => {
	it("gives the driver everything but what it says", () => {
		expect(parse().output).toEqual({
			driverId: DANA,
			from: "2026-11-16",
			base: "net",
			faresPercent: 10_000,
			tipsPercent: 10_000,
			promotionsPercent: 10_000,
			tollsTo: "driver",
			weeklyRent: 0,
			weeklyFee: 0,
			fleetPercent: 0,
			perMileMills: 0,
		});
		const blank = { base: "", tollsTo: "", faresPercent: " ", weeklyRent: "", thresholdMiles: "" };
		expect(parse(blank).output).toEqual(parse().output);
	});

	it("reads percents with up to two decimals", () => {
		const read = (faresPercent: string) => {
			const { output } = parse({ faresPercent });
			return (output as { faresPercent: number }).faresPercent;
		};
		expect(["0", "60", "12.5", "33,33", "100.00", "60 %"].map(read)).toEqual([
			0, 6000, 1250, 3333, 10_000, 6000,
		]);
		for (const faresPercent of ["-1", "100.01", "12.345", "1e1", "all", "1000"])
			expect(faults({ faresPercent })).toEqual([
				["faresPercent", "Enter a percent from 0 to 100, with up to two decimals"],
			]);
	});

	it("starts on the first day of a week, whichever that is", () => {
		expect(faults({ from: "2026-11-17" })).toEqual([
			["from", "A week starts on Monday. Enter Nov 16, 2026 or Nov 23, 2026"],
		]);
		expect(faults({ from: "2026-11-16" }, 0)).toEqual([
			["from", "A week starts on Sunday. Enter Nov 15, 2026 or Nov 22, 2026"],
		]);
		expect(faults({ from: "2026-11-15" }, 0)).toEqual([]);
		expect(faults({ from: "2019-01-07" })).toEqual([]);
		expect(faults({ from: "2027-11-22" })).toEqual([]);
		expect(faults({ from: "" })).toEqual([["from", "Enter the first day of a week"]]);
		expect(faults({ from: "2026-02-30" })[0]).toEqual(["from", "Enter a valid date (YYYY-MM-DD)"]);
		expect(faults({ from: "1999-12-27" })).toEqual([
			["from", "The date can't be before Jan 1, 2000"],
		]);
		expect(faults({ from: "2027-11-29" })).toEqual([
			["from", "The date can't be after Nov 22, 2027"],
		]);
	});

	it("has a threshold whole or not at all", () => {
		const words = "A threshold needs the miles and the rate beyond them";
		expect(faults({ thresholdMiles: "10,000" })).toEqual([["thereafterMills", words]]);
		expect(faults({ thereafterMills: "250" })).toEqual([["thresholdMiles", words]]);
		expect(
			parse({ thresholdMiles: "10000", thereafterMills: "250", perMileMills: "550" }).output,
		).toMatchObject({ thresholdMiles: 10_000, thereafterMills: 250, taxYearStart: "01-01" });
		expect(parse({ taxYearStart: "04-06" }).output).toMatchObject({ taxYearStart: "04-06" });
	});

	it("names what is wrong with the rest", () => {
		expect(faults({ driverId: "DRV-0001" })).toEqual([["driverId", "Select an approved driver"]]);
		expect(faults({ base: "both" })).toEqual([["base", "The base must be net or gross"]]);
		expect(faults({ tollsTo: "me" })).toEqual([["tollsTo", "Tolls go to driver or fleet"]]);
		expect(faults({ perMileMills: "72.5" })).toEqual([
			[
				"perMileMills",
				"Enter tenths of a cent as a whole number, such as 725 for 72.5 cents, up to 100000",
			],
		]);
		expect(faults({ weeklyRent: "100000.01" })).toEqual([
			["weeklyRent", "The amount must be from 0 to 100,000.00"],
		]);
		expect(faults({ taxYearStart: "02-29" })).toEqual([
			["taxYearStart", "A tax year starts on 01-01 or 04-06"],
		]);
	});
});
