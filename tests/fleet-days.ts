/** The days of the fleet's zone, worked out without the application's own dates, to judge what it shows. */
import { ZONE } from "./cast.ts";

const format = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE });

/** `YYYY-MM-DD` of a moment in the fleet's zone. */
export const dayOf = (moment: number) => format.format(moment);
/** The day so many days before today there; negative lies ahead. */
export const daysAgo = (days: number) => new Date(Date.parse(dayOf(Date.now())) - days * 86_400_000).toISOString().slice(0, 10);

/** The first moment of a day there. */
export function midnight(day: string): number {
	const found = ["-04:00", "-05:00"]
		.map((offset) => Date.parse(`${day}T00:00:00${offset}`))
		.find((at) => dayOf(at) === day && dayOf(at - 1) < day);
	if (found === undefined) throw new Error(`${day} has no midnight in ${ZONE}`);
	return found;
}

/** `Nov 21, 2026` */
export const inWords = (day: string) =>
	new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", { timeZone: "UTC", month: "short", day: "numeric", year: "numeric" });
