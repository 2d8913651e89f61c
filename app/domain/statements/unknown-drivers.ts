/** A statement's unmatched drivers: how many an import leaves out, and in which weeks. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import type { UnmatchedMoney } from "./money-plan.ts";
import type { Plan, PlannedFee } from "./plan.ts";

/** A file's name without the number that a browser gives to a second download. */
export const withoutCopy = (name: string): string => name.replace(/ ?\(\d+\)(?=(\.\w+)?$)/, "");

/** A driver of the platform whom nobody has matched. */
export type UnknownDriver = {
	/** What they are remembered by once matched. */
	readonly identity: string;
	readonly platformId: string;
	readonly name: string;
	/** They may have money only, or fees only. */
	readonly fees: readonly PlannedFee[];
	readonly due: UnmatchedMoney | undefined;
};

/** Each once, those with fees first. */
export function unknownDriversOf({ fees, money }: Pick<Plan, "fees" | "money">): UnknownDriver[] {
	const theirs = new Map<string, PlannedFee[]>();
	for (const fee of fees)
		if (fee.state === "no-driver")
			theirs.set(fee.identity, [...(theirs.get(fee.identity) ?? []), fee]);
	const due = new Map(money?.unmatched.map((each) => [each.identity, each]));
	return [...new Set([...theirs.keys(), ...due.keys()])].map((identity) => {
		const found = { fees: theirs.get(identity) ?? [], due: due.get(identity) };
		const all = [...found.fees, ...(found.due ? [found.due] : [])];
		return {
			identity,
			platformId: all[0]?.platformId ?? "",
			name: all.find(({ name }) => name !== "")?.name ?? "",
			...found,
		};
	});
}

/**
 * How many drivers importing a statement leaves out, and what the file says they are due; their
 * fees if it doesn't say that.
 */
export function unmatchedOf(plan: Pick<Plan, "fees" | "money">) {
	const unknown = unknownDriversOf(plan);
	const due = plan.money?.unmatched ?? [];
	const counted = due.length > 0 ? due : unknown.flatMap(({ fees }) => fees);
	return {
		unmatchedDrivers: unknown.length,
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
 * Imports whose unknown drivers are still left out: of each file, however often sent, the latest
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
