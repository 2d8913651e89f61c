/** What a statement says about a driver's money besides fees, and whether its rows add up. */
import { isMoney, parseAmount } from "./amount.ts";

/** In the order in which they are stored and shown; each amount is plus for the driver. */
export const MONEY_KINDS = [
	"fare",
	"fee",
	"tip",
	"promotion",
	"other_earning",
	"toll",
	"tax",
	"third_party",
	"cash",
	"transfer",
] as const;
export type MoneyKind = (typeof MONEY_KINDS)[number];
/** The cents of each kind. */
export type MoneyCents = Readonly<Record<MoneyKind, number>>;

export const NO_MONEY = Object.fromEntries(MONEY_KINDS.map((kind) => [kind, 0])) as MoneyCents;

/** Amounts of one kind. */
export type MoneyPart = {
	readonly kind: MoneyKind;
	/** Several columns have the same amount, which is stated twice. */
	readonly columns: readonly number[];
	/** `against`: taken from the driver, however it is written. */
	readonly sign: 1 | -1 | "against";
};

/** A sum that the file states, and the parts that it is the sum of, by their places. */
export type MoneyTotal = {
	readonly column: number;
	readonly of: readonly number[];
	/** Whether it counts only if it isn't 0: some branches are 0 although their leaves aren't. */
	readonly isBranch: boolean;
};

/** The columns of a file's money. */
export type MoneyLayout = {
	readonly parts: readonly MoneyPart[];
	readonly totals: readonly MoneyTotal[];
};

/**
 * `proven` if a row's parts equal every total it states, `unproven` if not, or if it has money of
 * unknown meaning; `unstated` if it has money that is in no total.
 */
export const PROOFS = ["proven", "unproven", "unstated"] as const;
export type Proof = (typeof PROOFS)[number];

/** A row's money. */
export type RowMoney = {
	readonly cents: MoneyCents;
	readonly proof: Proof;
	/** The total that its parts don't equal, or else the first one; null if it can't be read. */
	readonly stated: number | null;
	/** The sum of that total's parts; null if one of them can't be read. */
	readonly found: number | null;
};

const signed = (cents: number, sign: MoneyPart["sign"]) =>
	sign === "against" ? -Math.abs(cents) : sign * cents;

/** The amount of a part; null if it can't be read, or is stated twice with different values. */
function amountOf({ columns, sign }: MoneyPart, cells: readonly string[]): number | null {
	const stated = new Set<number | null>();
	for (const column of columns) {
		const cents = parseAmount(cells[column] ?? "#");
		if (cents !== 0) stated.add(cents);
	}
	const [cents = 0, other] = stated;
	return cents === null || other !== undefined ? null : signed(cents, sign) || 0;
}

/** A column of unknown meaning; `perhaps` if its cells have to show whether it is money at all. */
type Watched = { readonly column: number; readonly kind: string };

/** Whether a column of unknown meaning has money in this row. */
function hasUnknownMoney(cells: readonly string[], watched: readonly Watched[]): boolean {
	return watched.some(({ column, kind }) => {
		const cell = cells[column] ?? "";
		return parseAmount(cell) !== 0 && (kind !== "perhaps" || isMoney(cell));
	});
}

/** A row's money by the columns of its file; a row with values beyond the header is misaligned. */
export function moneyIn(
	cells: readonly string[],
	{ parts, totals }: MoneyLayout,
	watched: readonly Watched[],
	columnCount: number,
): RowMoney {
	const isMisaligned = cells.slice(columnCount).some((text) => text.trim() !== "");
	const amounts = parts.map((part) => (isMisaligned ? null : amountOf(part, cells)));
	const cents: Record<MoneyKind, number> = { ...NO_MONEY };
	parts.forEach(({ kind }, place) => {
		cents[kind] += amounts[place] ?? 0;
	});
	const sums = totals.flatMap(({ column, of, isBranch }) => {
		const stated = isMisaligned ? null : parseAmount(cells[column] ?? "#");
		if (isBranch && stated === 0) return [];
		return [{ stated, of, isBranch, found: sum(of.map((place) => amounts[place] ?? null)) }];
	});
	const wrong = sums.find(({ stated, found }) => stated === null || stated !== found);
	const { stated = null, found = sum(amounts) } = wrong ?? sums[0] ?? {};
	const isWrong = wrong || amounts.includes(null) || hasUnknownMoney(cells, watched);
	const summed = new Set(sums.flatMap(({ of }) => of));
	const isStated =
		totals.some(({ isBranch }) => !isBranch) &&
		amounts.every((cents, place) => cents === 0 || summed.has(place));
	const proof = isWrong ? "unproven" : isStated ? "proven" : "unstated";
	return { cents, proof, stated, found };
}

function sum(amounts: readonly (number | null)[]): number | null {
	let total = 0;
	for (const cents of amounts) {
		if (cents === null) return null;
		total += cents;
	}
	return total;
}

/** Adds two up. */
export const addMoney = (one: MoneyCents, other: MoneyCents): MoneyCents =>
	Object.fromEntries(MONEY_KINDS.map((kind) => [kind, one[kind] + other[kind]])) as MoneyCents;

/** What is left for the driver. */
export const sumMoney = (cents: MoneyCents): number =>
	MONEY_KINDS.reduce((sum, kind) => sum + cents[kind], 0);
