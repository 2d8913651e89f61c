/** A charge's instalments, and its payload. */
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { addDays, type CalendarDate, parseCalendarDate } from "../../values/calendar-date.ts";
import { newChargeInput } from "./input.ts";
import { describeInstalments, instalmentIn, instalmentsLeft } from "./instalments.ts";

const day = parseCalendarDate;
/** A Wednesday. */
const DATE = day("2026-11-18");
const charge = (amountCents: number, instalments: number, direction: "against" | "for") => ({
	chargedOn: DATE,
	amountCents,
	instalments,
	direction,
});

describe("the instalments of a charge", () => {
	it("start in the week of its date, one a week, with the cents left over in the last", () => {
		const damage = charge(25_000, 3, "against");
		const due = (from: string) => instalmentIn(damage, day(from), 1);
		expect(due("2026-11-09")).toBeUndefined();
		expect(due("2026-11-16")).toEqual({ number: 1, cents: -8333 });
		expect(due("2026-11-23")).toEqual({ number: 2, cents: -8333 });
		expect(due("2026-11-30")).toEqual({ number: 3, cents: -8334 });
		expect(due("2026-12-07")).toBeUndefined();
		expect(instalmentIn(damage, day("2026-11-15"), 0)).toEqual({ number: 1, cents: -8333 });
	});

	it("are for the driver where the charge is", () => {
		expect(instalmentIn(charge(5000, 1, "for"), day("2026-11-16"), 1)).toEqual({
			number: 1,
			cents: 5000,
		});
	});

	it("are left until their week is over", () => {
		const damage = charge(25_000, 3, "against");
		const left = (today: string) => instalmentsLeft(damage, day(today), 1);
		expect(
			["2026-11-01", "2026-11-16", "2026-11-22", "2026-11-23", "2026-12-06", "2026-12-07"].map(
				left,
			),
		).toEqual([3, 3, 3, 2, 1, 0]);
	});

	it("are told with how many are left", () => {
		const told = (instalments: number, today: string) =>
			describeInstalments(charge(25_000, instalments, "against"), day(today), 1);
		expect(told(4, "2026-11-24")).toBe(
			"4 weekly installments of $62.50, the first in the week of Nov 16, 3 left",
		);
		expect(told(3, "2027-01-24")).toBe(
			"3 weekly installments of $83.33, the first in the week of Nov 16, 2026, none left",
		);
		expect(told(1, "2026-11-24")).toBe("in the week of Nov 16");
	});

	it("are the whole charge, whatever it is, and never nothing", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 52 }),
				fc.integer({ min: 0, max: 9_999_948 }),
				fc.integer({ min: 0, max: 6 }),
				fc.boolean(),
				(instalments, more, shift, isSunday) => {
					const amountCents = instalments + more;
					const one = {
						...charge(amountCents, instalments, "for"),
						chargedOn: addDays(DATE, shift),
					};
					const starts = isSunday ? 0 : 1;
					const first = day(isSunday ? "2026-11-08" : "2026-11-09");
					const found: number[] = [];
					for (let week = 0; week < 60; week++) {
						const due = instalmentIn(one, addDays(first, 7 * week) as CalendarDate, starts);
						if (due) found.push(due.cents);
						if (due) expect(due.number).toBe(found.length);
					}
					expect(found).toHaveLength(instalments);
					expect(Math.min(...found)).toBeGreaterThan(0);
					expect(found.reduce((sum, cents) => sum + cents, 0)).toBe(amountCents);
					expect(new Set(found.slice(0, -1)).size).toBeLessThan(2);
				},
			),
		);
	});
});

describe("a charge's payload", () => {
	const TODAY = day("2026-11-21");
	const given = {
		driverId: "6f3e0f57-7a0e-4a53-9c52-1c9f6f1d2a01",
		kind: "fuel-card",
		amount: "12.50",
		date: "2026-11-18",
	};
	const faults = (more: Record<string, string>) =>
		(v.safeParse(newChargeInput(TODAY), { ...given, ...more }).issues ?? []).map((issue) => [
			v.getDotPath(issue),
			issue.message,
		]);

	it("is against the driver and due at once, unless it is a bonus or says otherwise", () => {
		expect(v.parse(newChargeInput(TODAY), given)).toMatchObject({
			kind: "fuel-card",
			amount: 1250,
			direction: "against",
			instalments: 1,
		});
		const bonus = { ...given, kind: "bonus" };
		expect(v.parse(newChargeInput(TODAY), bonus).direction).toBe("for");
		expect(v.parse(newChargeInput(TODAY), { ...bonus, direction: "against" }).direction).toBe(
			"against",
		);
	});

	it("names what is wrong", () => {
		const many = "Installments must be a whole number from 1 to 52";
		for (const instalments of ["0", "53", "1.5", "-1", "many"])
			expect(faults({ instalments })).toEqual([["instalments", many]]);
		expect(faults({ amount: "0.10", instalments: "11" })).toEqual([
			["instalments", "The amount is too small for so many installments"],
		]);
		expect(faults({ kind: "gift" })).toEqual([["kind", "Select a kind"]]);
		expect(faults({ direction: "up" })).toEqual([
			["direction", "The direction must be against or for"],
		]);
		expect(faults({ date: "2023-12-31" })).toEqual([
			["date", "The date can't be before Jan 1, 2024"],
		]);
		expect(faults({ date: "2027-11-23" })).toEqual([
			["date", "The date can't be after Nov 22, 2027"],
		]);
		expect(faults({ date: "2027-11-22" })).toEqual([]);
		expect(faults({ amount: "0" })).toHaveLength(1);
	});
});
