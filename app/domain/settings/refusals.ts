/** The messages when settings aren't changed. */
import { formatCount } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import type { FleetSettings } from "../kernel/fleet-settings.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import type { UnitsRefusal } from "./commands/choose-units.server.ts";
import type { WeekStartRefusal } from "./commands/choose-week-start.server.ts";
import { isReminder, REMINDER_LABELS } from "./fields.ts";

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
		message: "A week has been settled, so the day that weeks start on can't be changed anymore.",
		field: "weekStartsOn",
	}),
});

type Name = keyof FleetSettings;

function valueText(name: Name, value: FleetSettings[Name]): string {
	if (typeof value === "boolean") return value ? "on" : "off";
	if (typeof value === "string") return value || "nothing";
	return name.endsWith("Cents") ? formatDollars(value) : formatCount(value);
}

/**
 * Why a form isn't saved that would change settings back, field by field. A switch can't show it, so
 * its words name it.
 * @param theirs what someone else has changed since the form was shown
 */
export const whyNotChangedBack = (theirs: readonly Name[], settings: FleetSettings) => {
	const words = (name: Name, what: string) =>
		`Someone has changed ${what} to ${valueText(name, settings[name])} since you opened the page`;
	const [first] = theirs.filter(isReminder);
	return {
		status: 409,
		message: first && words(first, `'${REMINDER_LABELS[first]()}'`),
		fieldErrors: Object.fromEntries(theirs.map((name) => [name, [words(name, "this")]])),
	};
};
