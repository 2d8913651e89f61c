/**
 * What happens to every row of a statement: it is added, skipped, or a problem that stops the whole
 * import.
 */
import * as v from "valibot";
import { readAmount } from "../../values/amount-text.ts";
import { type CalendarDate, formatDate } from "../../values/calendar-date.ts";
import { entryDate } from "../../values/date-input.ts";
import { optionalText } from "../../values/fields.ts";
import { formatDollars } from "../../values/money.ts";
import { amount } from "../../values/money-input.ts";
import { formatDriverCode } from "../people/rules.ts";
import { type DateOrders, dayAsWritten } from "../statements/day.ts";
import { foldHeading } from "../statements/heading.ts";
import { isTotal, RunningTotal } from "../statements/total-rows.ts";
import { categoryText, FEE_CATEGORIES, type FeeCategory } from "../uber-fees/rules.ts";
import { createDriverFinder, type NamedDriver } from "./driver-finder.ts";
import { netRows } from "./netting.ts";
import { bareReference, compareReference, isShortened, type ReferredFee } from "./references.ts";
import type { PlannedFee, Problem, RowOutcome } from "./row-outcome.ts";
import { COLUMN_LABELS, COLUMNS, type Column, OPTIONAL_COLUMNS } from "./rules.ts";
import type { Mapping, Statement, StatementRow } from "./statement.ts";

/**
 * A category as written in a statement: `Service Fee`, `service_fee`, `Booking fees`, `Commission`.
 */
export function parseCategory(text: string): FeeCategory | undefined {
	const kind = (words: string) =>
		words
			.replace(/[^a-z]+/g, " ")
			.trim()
			.replace(/^uber /, "")
			.replace(/s$/, "")
			.replace(/ fee$/, "");
	return FEE_CATEGORIES.find((category) => kind(category) === kind(foldHeading(text)));
}

/** The labels of required columns that the statement lacks. */
export function missingColumns(mapping: Mapping, columnCount: number): string[] {
	return COLUMNS.filter(
		(column) => !OPTIONAL_COLUMNS.includes(column) && !(column === "category" && mapping.always),
	)
		.filter((column) => mapping[column] === undefined || (mapping[column] ?? 0) >= columnCount)
		.map((column) => `Select a column for ${COLUMN_LABELS[column]}`);
}

const problemOf = (field: unknown): Problem =>
	field === "amount" || field === "date" ? field : "text";

export type Facts = {
	/** Approved drivers, who can be meant by email or name. */
	readonly drivers: readonly NamedDriver[];
	/** Those who have, or had, one of the statement's codes. */
	readonly coded: readonly NamedDriver[];
	/** Live fees with one of the statement's reference numbers. */
	readonly recorded: readonly ReferredFee[];
	/** The order of day and month in its dates. */
	readonly orders: DateOrders;
	/** Chosen drivers, by the statement's names for them, folded. */
	readonly chosen: ReadonlyMap<string, NamedDriver>;
	/** In the fleet's time zone. */
	readonly today: CalendarDate;
};

const cellsOf = ({ cells }: StatementRow, mapping: Mapping) =>
	Object.fromEntries(
		COLUMNS.map((column) => [
			column,
			column === "category" && mapping.always
				? mapping.always
				: (cells[mapping[column] ?? -1] ?? ""),
		]),
	) as Record<Column, string>;

/** The statement's names for its drivers. */
export const collectDrivers = ({ rows }: Statement, mapping: Mapping): string[] =>
	rows.map((row) => cellsOf(row, mapping).driver).filter((driver) => driver !== "");

/** The statement's reference numbers. */
export function collectReferences({ rows }: Statement, mapping: Mapping): string[] {
	return [
		...new Set(
			rows
				.map((row) => cellsOf(row, mapping).reference)
				.filter((reference) => reference !== "" && !isShortened(reference)),
		),
	];
}

const toFee = (
	category: FeeCategory,
	isCredit: boolean,
	{
		amount: amountCents,
		...more
	}: { amount: number } & Omit<PlannedFee, "driverId" | "category" | "amountCents" | "isCredit">,
) => ({ ...more, category, amountCents, isCredit });

/**
 * What happens to each row. Several rows may share a reference number, such as a trip's commission
 * and booking fee; the same fee twice is a mistake.
 */
export function planImport(
	{ rows }: Statement,
	mapping: Mapping,
	{ drivers, coded, recorded, orders, chosen, today }: Facts,
): RowOutcome[] {
	const byReference = new Map<string, ReferredFee[]>();
	for (const fee of recorded)
		byReference.set(fee.reference, [...(byReference.get(fee.reference) ?? []), fee]);
	const byText = createDriverFinder(drivers, coded);
	const find = (text: string) => chosen.get(foldHeading(text)) ?? byText(text);
	const schema = v.object({
		date: entryDate(today, "Date is missing"),
		amount,
		reference: optionalText(100),
		description: optionalText(1000),
	});
	const seen = new Map<string, number>();
	const alike = new Map<string, number>();
	const running = new RunningTotal();
	const outcomes = rows.map((row): RowOutcome => {
		const cells = cellsOf(row, mapping);
		const found = cells.driver === "" ? "Driver is missing" : find(cells.driver);
		const driver =
			typeof found === "string"
				? undefined
				: `${found.firstName} ${found.lastName} (${formatDriverCode(found.driverNumber) ?? "no code"})`;
		const isDriverInactive = typeof found !== "string" && found.isActive === 0;
		const base = { number: row.number, cells, driver, isDriverInactive };
		const category = parseCategory(cells.category);
		const { reference, description } = cells;
		const read = readAmount(cells.amount);
		const cents = read.kind === "amount" ? read.cents : null;
		const isCredit = cents !== null && cents < 0;
		const hasDriver = typeof found !== "string";
		const asTotal = { hasId: hasDriver, name: cells.driver, cents, running };
		const nothing = { ...base, fate: "skip", fee: null } as const;
		if (isTotal(row.cells, asTotal, row.cells.length))
			return { ...nothing, why: "A total of other rows", because: "total" };
		if (cents === 0) return { ...nothing, why: "No fee in this row", because: "no-fee" };
		if (cents !== null) running.add(cents);
		const values = v.safeParse(schema, {
			date: dayAsWritten(cells.date, orders) ?? cells.date,
			amount: isCredit ? cells.amount.replace(SIGNS, "") : cells.amount,
			reference: isShortened(reference) ? "" : reference,
			description,
		});
		const says = category && values.success ? toFee(category, isCredit, values.output) : null;
		const fee = says && typeof found !== "string" ? { ...says, driverId: found.id } : null;
		const { isRecorded, holder } = compareReference(
			{ category, date: says?.date, cents, driverId: fee?.driverId },
			says?.reference === undefined ? [] : (byReference.get(says.reference) ?? []),
		);
		if (isRecorded)
			return {
				...{ ...base, fate: "skip", why: "This reference number is already recorded" },
				...{ because: "recorded", fee },
			};
		const problems = [
			...(typeof found === "string" ? [found] : []),
			...(category
				? []
				: [
						cells.category
							? `"${cells.category}" isn't a fee category. Use commission, service fee, booking fee or other`
							: "Category is missing",
					]),
			...(values.success
				? []
				: values.issues.map((issue) =>
						issue.path?.[0]?.key === "amount" && cells.amount === ""
							? "Amount is missing"
							: issue.message,
					)),
		];
		if (!fee)
			return {
				...base,
				fate: "problem",
				why: problems.join(". "),
				because: [
					...(typeof found === "string" ? (["driver"] as const) : []),
					...(category ? [] : (["category"] as const)),
					...(values.issues ?? []).map(({ path }) => problemOf(path?.[0]?.key)),
				],
				// A row without a driver's name can't be assigned, whoever is chosen.
				fee: cells.driver === "" ? null : says,
			};
		const same =
			fee.reference &&
			JSON.stringify([fee.reference, fee.driverId, fee.category, fee.amountCents, fee.date]);
		const earlier = same ? seen.get(same) : undefined;
		if (earlier !== undefined)
			return {
				...base,
				fate: "skip",
				why: `Duplicate of row ${earlier}`,
				because: "duplicate",
				fee,
			};
		if (same) seen.set(same, row.number);
		const bare = reference === "" ? [] : [bareReference(reference), ""];
		const keys = bare.map((number) =>
			JSON.stringify([number, fee.driverId, fee.category, cents, fee.date]),
		);
		const twin = keys.map((key) => alike.get(key)).find((number) => number !== undefined);
		const [own, any] = keys;
		if (own && any) {
			alike.set(own, row.number);
			if (own === any) for (const key of keys) alike.set(key, row.number);
		}
		return { ...base, fate: "add", fee, doubt: doubtOf(holder, twin) };
	});
	return netRows(outcomes);
}

/** Why a fee that isn't recorded exactly so may be recorded all the same. */
function doubtOf(holder: ReferredFee | undefined, twin: number | undefined): string | undefined {
	if (holder)
		return `This reference number belongs to another fee: ${holder.driver}, ${categoryText(holder.category)}, ${formatDate(holder.date)}, ${formatDollars(holder.cents)}`;
	return twin === undefined
		? undefined
		: `The same fee as row ${twin}, whose reference number a spreadsheet may have changed`;
}

const SIGNS = /[()+\-−–‐﹣－（）＋]/g;
