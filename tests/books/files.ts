/**
 * Files of Uber, Bolt and other platforms, written from lines of money in the many ways in which
 * people download them, put them together and save them again.
 */
import type { Dice } from "../../lab/torture/dice.ts";

/** One amount that a platform charges: in cents, negative when it is given back. */
export type Line = {
	/** Identifies it in every file that has it. */
	readonly key: string;
	/** A position in the list of drivers. */
	readonly driver: number;
	readonly day: string;
	readonly category: "service_fee" | "commission" | "other";
	readonly cents: number;
	/** What the file calls it: a transaction or a reference number. */
	readonly id: string;
};

export type Driver = {
	readonly id: string;
	readonly platformId: string;
	readonly first: string;
	readonly last: string;
};

export type Written = { readonly name: string; readonly bytes: Uint8Array };

type Table = readonly (readonly string[])[];

const decimal = (cents: number) =>
	`${cents < 0 ? "-" : ""}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;

/** Ways to write an amount that can mean one number only. */
const SPELLINGS: readonly ((cents: number) => string)[] = [
	decimal,
	(cents) => (cents < 0 ? `(${decimal(-cents)})` : decimal(cents)),
	(cents) => (cents < 0 ? `-$${decimal(-cents)}` : `$${decimal(cents)}`),
	(cents) => `${decimal(cents)}\u202f`,
	(cents) => decimal(cents).replace("-", "\u2212"),
];

const isBlank = (cell: string) => cell === "" || cell === "0.00";

/** Drops the columns in which no row has money, as Uber does, and puts the rest in any order. */
function arrange(table: Table, optional: ReadonlySet<string>, dice: Dice): Table {
	const [head = [], ...rows] = table;
	const kept = head
		.map((name, column) => ({ name, column }))
		.filter(
			({ name, column }) => !optional.has(name) || rows.some((row) => !isBlank(row[column] ?? "")),
		);
	const order = dice.shuffle(kept.map(({ column }) => column));
	return [head, ...dice.shuffle(rows)].map((row) => order.map((column) => row[column] ?? ""));
}

const quote = (cell: string, separator: string) =>
	cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Writes tables below each other as one text file, with any separator, line end and encoding. */
function write(tables: readonly Table[], separator: string, dice: Dice): Uint8Array {
	const end = dice.pick(["\n", "\r\n"]);
	const text = tables
		.flat()
		.map((row) => row.map((cell) => quote(cell, separator)).join(separator) + end)
		.join("");
	if (dice.once(6)) return new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));
	return new TextEncoder().encode(dice.once(2) ? `\ufeff${text}` : text);
}

const ROOT = "Paid to you";
const FEE = `${ROOT}:Your earnings:Service fee`;
const TAX = `${ROOT}:Your earnings:Taxes:Tax on Service Fee`;
const TIP = `${ROOT}:Your earnings:Tip`;
const CASH = `${ROOT}:Trip balance:Payouts:Cash Collected`;
const FARE = `${ROOT}:Your earnings:Fare:Fare`;

/** The money of one row, with amounts that aren't fees beside those that are. */
function money(lines: readonly Line[], spell: (cents: number) => string) {
	const of = (category: Line["category"]) => {
		const found = lines.filter((line) => line.category === category);
		return found.length === 0 ? "" : spell(-found.reduce((sum, { cents }) => sum + cents, 0));
	};
	// The rest of the row is the same in every file that has it.
	const rest = lines.reduce((sum, { cents }) => sum + Math.abs(cents), 0);
	return {
		[FARE]: spell(1000 + rest),
		[FEE]: of("service_fee"),
		[TAX]: of("other"),
		[TIP]: rest % 4 === 0 ? spell(100 + rest) : "",
		[CASH]: rest % 5 === 0 ? spell(-(100 + rest)) : "",
	};
}
const OPTIONAL = new Set([TAX, TIP, CASH]);

function orderTable(lines: readonly Line[], drivers: readonly Driver[], dice: Dice): Table {
	const spell = dice.pick(SPELLINGS);
	const head = ["transaction UUID", "Driver UUID", "Driver first name", "Driver last name"];
	const more = ["Description", "vs reporting"];
	const columns = [FARE, FEE, TAX, TIP, CASH];
	const rows = lines.map((line) => {
		const { platformId = "", first = "", last = "" } = drivers[line.driver] ?? {};
		const amounts: Record<string, string> = money([line], spell);
		return [
			...[line.id, platformId, first, last, "trip completed order"],
			`${line.day} 08:14:22.351 -0500 CST`,
			...columns.map((column) => amounts[column] ?? ""),
		];
	});
	return arrange([[...head, ...more, ...columns], ...rows], OPTIONAL, dice);
}

const compact = (day: string) => day.replaceAll("-", "");

/** One or several weeks of single payments, the later ones below the first with their own header. */
export const writeOrders = (
	weeks: readonly (readonly Line[])[],
	drivers: readonly Driver[],
	dice: Dice,
): Written => {
	const days = weeks.flat().map(({ day }) => compact(day));
	const [from = "", to = ""] = [days.toSorted()[0], days.toSorted().at(-1)];
	return {
		name: `${from}-${to}-payments_order-Example.csv`,
		bytes: write(
			weeks.map((lines) => orderTable(lines, drivers, dice)),
			dice.pick([",", ";", "\t"]),
			dice,
		),
	};
};

export type Period = { readonly from: string; readonly to: string; readonly next: string };

/** Uber's sums of a period, one row per driver. */
export function writeDriverSums(
	lines: readonly Line[],
	{ from, next }: Period,
	drivers: readonly Driver[],
	dice: Dice,
): Written {
	const spell = dice.pick(SPELLINGS);
	const columns = [FARE, FEE, TAX, TIP, CASH];
	const rows = [...new Set(lines.map(({ driver }) => driver))].map((driver) => {
		const { platformId = "", first = "", last = "" } = drivers[driver] ?? {};
		const own = lines.filter((line) => line.driver === driver);
		const amounts: Record<string, string> = money(own, spell);
		return [platformId, first, last, ...columns.map((column) => amounts[column] ?? "")];
	});
	const head = ["Driver UUID", "Driver first name", "Driver last name", ...columns];
	return {
		name: `${compact(from)}-${compact(next)}-payments_driver-Example.csv`,
		bytes: write([arrange([head, ...rows], OPTIONAL, dice)], dice.pick([",", ";"]), dice),
	};
}

/** Bolt's sums of a period, in dollars. */
export function writeBolt(
	lines: readonly Line[],
	{ from, to }: Period,
	drivers: readonly Driver[],
	dice: Dice,
): Written {
	const head = [
		...["Motorista", "Identificador do motorista", "Ganhos brutos (total)|$"],
		...["Taxas de reserva|$", "Total de taxas|$", "Comissões|$", "Reembolsos aos passageiros|$"],
		...["Outras taxas|$", "Ganhos líquidos|$", "Pagamento previsto|$"],
	];
	const rows = lines.map(({ driver, cents }) => {
		const { platformId = "", first = "", last = "" } = drivers[driver] ?? {};
		const gross = 2 * cents + 1000;
		const [fee, net] = [decimal(cents), decimal(gross - cents)];
		return [
			`${first} ${last}`,
			platformId,
			...[decimal(gross), "0.00", fee, fee, "0.00", "0.00", net, net],
		];
	});
	const named = (day: string) => {
		const [year, month, date] = day.split("-");
		return `${date}_${month}_${year}`;
	};
	return {
		name: `Earnings per driver-${named(from)}-${named(to)}-Example.csv`,
		bytes: write([arrange([head, ...rows], new Set(), dice)], dice.pick([",", ";"]), dice),
	};
}

/** What a spreadsheet makes of a number that it opens: no leading zeros, at most 6 digits of many. */
export function resaved(reference: string): string {
	if (!/^\d+$/.test(reference)) return reference;
	if (reference.length <= 11) return String(Number(reference));
	const [digits = "", exponent] = Number(reference).toExponential(5).split("e+");
	return `${digits.replace(/\.?0+$/, "")}E+${exponent}`;
}

/**
 * A file with columns of its own, as another platform's or a person's.
 * @param isResaved whether a spreadsheet has written the dates
 */
export function writeColumns(
	lines: readonly Line[],
	drivers: readonly Driver[],
	dice: Dice,
	isResaved: boolean,
): Written {
	const spell = dice.pick(SPELLINGS);
	const usDate = (day: string) => {
		const [year, month, date] = day.split("-").map(Number);
		return `${month}/${date}/${year}`;
	};
	const head = ["Driver", "Fee Category", "Amount", "Date", "Reference Number"];
	const rows = lines.map(({ driver, day, cents, id }) => {
		const { first = "", last = "" } = drivers[driver] ?? {};
		return [`${first} ${last}`, "Commission", spell(cents), isResaved ? usDate(day) : day, id];
	});
	const sum = spell(lines.reduce((total, { cents }) => total + cents, 0));
	const totals = dice.once(4) ? [["Total", "", sum, "", ""]] : [];
	return {
		name: "other-platform.csv",
		bytes: write([[head, ...dice.shuffle(rows), ...totals]], ",", dice),
	};
}
