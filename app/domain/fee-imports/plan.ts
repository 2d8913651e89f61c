/**
 * What happens to every row of a statement: it is added, skipped, or a problem that stops the whole
 * import.
 */
import * as v from "valibot";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { entryDate } from "../../values/date-input.ts";
import { optionalText } from "../../values/fields.ts";
import { fold as foldName } from "../../values/fold.ts";
import { amount } from "../../values/money-input.ts";
import { foldHeading } from "../statements/heading.ts";
import { FEE_CATEGORIES, type FeeCategory } from "../uber-fees/rules.ts";
import { formatDriverCode } from "../users/rules.ts";
import { COLUMN_LABELS, COLUMNS, type Column, OPTIONAL_COLUMNS } from "./rules.ts";
import type { Mapping, Statement, StatementRow } from "./statement.ts";

/** A driver, with what a statement can identify them by. */
export type NamedDriver = {
	readonly id: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly email?: string | null;
	readonly driverNumber: number | null;
	readonly isActive: number;
};

/** The fee in a row. */
export type PlannedFee = {
	readonly driverId: string;
	readonly category: FeeCategory;
	readonly amountCents: number;
	readonly date: CalendarDate;
	readonly reference: string | undefined;
	readonly description: string | undefined;
};

export type RowOutcome = {
	readonly number: number;
	/** The row's cells as in the file, in the order of `COLUMNS`. */
	readonly cells: Readonly<Record<Column, string>>;
	/** The driver's name, once known. */
	readonly driver: string | undefined;
	readonly isDriverInactive: boolean;
} & (
	| { readonly fate: "add"; readonly fee: PlannedFee }
	/** Already recorded, or the same as an earlier row. */
	| {
			readonly fate: "skip";
			readonly why: string;
			readonly isRecorded: boolean;
			/** Null if the rest of a recorded row can't be read. */
			readonly fee: PlannedFee | null;
	  }
	| {
			readonly fate: "problem";
			readonly why: string;
			readonly because: readonly Problem[];
			/** Its values, if only its driver is unknown. */
			readonly fee: Omit<PlannedFee, "driverId"> | null;
	  }
);

/** What prevents importing a row. */
export type Problem = "driver" | "category" | "amount" | "date" | "text";

/** The number of a driver's code. */
export function parseCode(text: string): number | undefined {
	const [, digits] = /^DRV-?0*(\d{1,9})$/i.exec(text) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/**
 * Finds drivers by code, email or name; names are compared folded.
 * @param drivers those who can be meant by email or name
 * @param coded those who have, or had, one of the statement's codes
 */
function createDriverFinder(
	drivers: readonly NamedDriver[],
	coded: readonly NamedDriver[],
): (text: string) => NamedDriver | string {
	const byNumber = new Map(coded.map((driver) => [driver.driverNumber, driver]));
	const byEmail = new Map(drivers.map((driver) => [driver.email, driver]));
	const byName = new Map<string, NamedDriver[]>();
	for (const driver of drivers)
		for (const name of new Set(
			[`${driver.firstName} ${driver.lastName}`, `${driver.lastName} ${driver.firstName}`].map(
				foldName,
			),
		))
			byName.set(name, [...(byName.get(name) ?? []), driver]);
	return (text) => {
		const code = parseCode(text);
		if (code !== undefined) return byNumber.get(code) ?? `No driver has the ID ${text}`;
		if (text.includes("@"))
			return byEmail.get(text.toLowerCase()) ?? `No approved driver has the email ${text}`;
		const [found, another] = byName.get(foldName(text)) ?? [];
		if (another) return `More than one driver is named ${text}. Use the driver ID`;
		return found ?? `No approved driver is named ${text}`;
	};
}

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

/** `11/2/2026` as `2026-11-02`; anything else unchanged. */
function isoDate(text: string): string {
	const [, month = "", day = "", year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
	return year === undefined ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
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
	/** Reference numbers of the statement that are already recorded. */
	readonly recorded: ReadonlySet<string>;
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
			rows.map((row) => cellsOf(row, mapping).reference).filter((reference) => reference !== ""),
		),
	];
}

const toFee = (
	category: FeeCategory,
	{
		amount: amountCents,
		...more
	}: { amount: number } & Omit<PlannedFee, "driverId" | "category" | "amountCents">,
) => ({ ...more, category, amountCents });

/**
 * What happens to each row. Several rows may share a reference number, such as a trip's commission
 * and booking fee; the same fee twice is a mistake.
 */
export function planImport(
	{ rows }: Statement,
	mapping: Mapping,
	{ drivers, coded, recorded, chosen, today }: Facts,
): RowOutcome[] {
	const byText = createDriverFinder(drivers, coded);
	const find = (text: string) => chosen.get(foldHeading(text)) ?? byText(text);
	const schema = v.object({
		date: entryDate(today, "Date is missing"),
		amount,
		reference: optionalText(100),
		description: optionalText(1000),
	});
	const seen = new Map<string, number>();
	return rows.map((row): RowOutcome => {
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
		const values = v.safeParse(schema, {
			date: isoDate(cells.date),
			amount: cells.amount,
			reference,
			description,
		});
		const says = category && values.success ? toFee(category, values.output) : null;
		const fee = says && typeof found !== "string" ? { ...says, driverId: found.id } : null;
		// A recorded fee isn't checked again: its driver may be gone by now.
		if (cells.reference !== "" && recorded.has(cells.reference))
			return {
				...base,
				fate: "skip",
				why: "This reference number is already recorded",
				isRecorded: true,
				fee,
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
				isRecorded: false,
				fee,
			};
		if (same) seen.set(same, row.number);
		return { ...base, fate: "add", fee };
	});
}
