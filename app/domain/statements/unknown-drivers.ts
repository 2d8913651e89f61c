/** Drivers of a statement whom nobody has matched: how many an import leaves out, and of which weeks. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import type { Plan } from "./plan.ts";

/** A file's name without the number that a browser gives to a second download. */
export const withoutCopy = (name: string): string => name.replace(/ ?\(\d+\)(?=(\.\w+)?$)/, "");

/**
 * How many drivers importing a statement leaves out, and what the file says they are due; their fees
 * if it says nothing of that.
 */
export function unmatchedOf({ fees, money }: Pick<Plan, "fees" | "money">) {
	const theirs = fees.filter(({ state }) => state === "no-driver");
	const due = money?.unmatched ?? [];
	const identities = new Set([...theirs, ...due].map(({ identity }) => identity));
	const counted = due.length > 0 ? due : theirs;
	return {
		unmatchedDrivers: identities.size,
		unmatchedCents: counted.reduce((sum, { cents }) => sum + cents, 0),
	};
}

/** A live import that knows how many drivers it left out. */
export type CountedImport = {
	readonly id: string;
	readonly createdAt: number;
	readonly fileName: string;
	readonly platform: string;
	readonly format: string | null;
	readonly periodFrom: CalendarDate;
	readonly periodTo: CalendarDate;
	readonly unmatchedDrivers: number;
	readonly unmatchedCents: number;
};

/**
 * Imports whose unknown drivers are still left out: of each file, sent once or again, the latest one
 * counts. Another organization's file of the same days has another name.
 */
export function leavingOut<Import extends CountedImport>(imports: readonly Import[]): Import[] {
	const latest = new Map<string, Import>();
	for (const each of imports) {
		const { platform, format, periodFrom, periodTo, fileName } = each;
		const file = JSON.stringify([platform, format, periodFrom, periodTo, withoutCopy(fileName)]);
		const known = latest.get(file);
		if (!known || isLater(each, known)) latest.set(file, each);
	}
	return [...latest.values()]
		.filter(({ unmatchedDrivers }) => unmatchedDrivers > 0)
		.sort((one, other) => (isLater(one, other) ? -1 : 1));
}

const isLater = (one: CountedImport, other: CountedImport) =>
	one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.id > other.id);

/** `2 unknown drivers ($412.10)` */
export const describeLeftOut = ({
	unmatchedDrivers,
	unmatchedCents,
}: {
	readonly unmatchedDrivers: number;
	readonly unmatchedCents: number | null;
}): string =>
	`${pluralize(unmatchedDrivers, "unknown driver")}${unmatchedCents ? ` (${formatDollars(unmatchedCents)})` : ""}`;
