import { describe, expect, it } from "vitest";
import { type Refused, refused } from "../../values/outcome.ts";
import { answersIn, onForm, onPhone, type ReasonsOf } from "./refusal-table.ts";

type Late = Refused<"late", { readonly minutes: number }>;
const reader = { timeZone: "America/New_York" };
const why = answersIn<ReasonsOf<Late | Refused<"unknown">>>({
	late: ({ minutes }, { timeZone }) => ({
		status: 422,
		message: `${minutes} minutes late in ${timeZone}`,
		field: "date",
		onForm: { status: 409, message: "Press the button again" },
		onPhone: { message: "Send it again", field: undefined, reason: "nothing-to-amend" },
	}),
	unknown: () => ({ status: 404, message: "Unknown" }),
});

describe("the answers to a refusal", () => {
	const late: Late | Refused<"unknown"> = refused("late", { minutes: 5 });

	it("is looked up by its reason and worded from its details", () => {
		expect(why(late, reader)).toMatchObject({
			status: 422,
			message: "5 minutes late in America/New_York",
		});
		expect(why(refused("unknown"), reader)).toEqual({ status: 404, message: "Unknown" });
	});

	it("shows a form its own differences, and otherwise what an API call gets", () => {
		expect(onForm(why(late, reader))).toEqual({
			status: 409,
			message: "Press the button again",
			field: "date",
		});
		expect(onForm(why(refused("unknown"), reader))).toEqual({ status: 404, message: "Unknown" });
	});

	it("tells a phone its own differences, without what it takes back", () => {
		expect(onPhone(why(late, reader))).toEqual({
			status: 422,
			message: "Send it again",
			field: undefined,
			reason: "nothing-to-amend",
		});
	});

	it("has an entry for every reason, or doesn't compile", () => {
		// @ts-expect-error 'unknown' has no entry
		answersIn<ReasonsOf<Late | Refused<"unknown">>>({
			late: () => ({ status: 409, message: "Late" }),
		});
	});
});
