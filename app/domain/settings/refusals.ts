/** The messages when settings aren't changed. */
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import type { UnitsRefusal } from "./commands/choose-units.server.ts";
import type { WeekStartRefusal } from "./commands/choose-week-start.server.ts";

export const whyUnitsStay = answersIn<ReasonsOf<UnitsRefusal>>({
	fixed: () => ({
		status: 409,
		message:
			"The currency and the distance are fixed: the fleet has amounts or trips, and nothing is converted.",
	}),
});

export const whyWeekStartStays = answersIn<ReasonsOf<WeekStartRefusal>>({
	settled: () => ({
		status: 409,
		message: "A week has been settled, so the day that weeks start on can't be changed any more.",
		field: "weekStartsOn",
	}),
});
