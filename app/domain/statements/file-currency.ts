/** Collects the currency that a file's amounts name; it keeps one cell, however long the file is. */
import { canMean } from "../../values/amount-text.ts";
import { truncate } from "../../values/fields.ts";
import { fleetUnits, namesOf } from "../../values/fleet-units.ts";
import { currencyIn } from "./amount.ts";
import { currencyOf } from "./bolt-names.ts";
import { foldHeading } from "./heading.ts";

/** Characters of a cell in a message. */
const MAX_SHOWN = 40;
/** What any sign or code has; most cells have none. */
const MAY_NAME_ONE = /\p{Sc}|\p{L}{2}/u;

/** `$` is a dollar fleet's own, although other countries write it too. */
function codeOf(sign: string): string {
	const { currency } = fleetUnits();
	return canMean(sign, currency) ? currency : (currencyOf(foldHeading(sign)) ?? sign);
}

/** Words around a currency in a heading, and the one code that is also a word there. */
const NOT_CURRENCIES = /^in |^all$/i;

/**
 * The currency that the heading of amounts names, at its end: `Amount (EUR)`, `Total in £`,
 * `amount_usd`.
 */
export function currencyOfHeading(heading: string): string | undefined {
	const [, inBrackets, last = ""] =
		/[([]([^()[\]]+)[)\]]\s*$|([^\s_,;:|/()[\]-]+)\s*$/.exec(heading) ?? [];
	return currencyIn(`1 ${(inBrackets ?? last).trim().replace(NOT_CURRENCIES, "")}`);
}

export class FileCurrency {
	readonly #headed: string | null;
	#code: string | null = null;
	#cell = "";
	#hasOwn = false;
	#isWritten = false;

	/** @param headed the currency that the file's headings name, which `$` may stand for */
	constructor(headed: string | null) {
		this.#headed = headed;
	}

	/** Null if nothing names one. */
	get code(): string | null {
		return this.#code ?? this.#headed;
	}

	/**
	 * Whether some amounts have the fleet's own sign and others one that no amount writes out as a
	 * code. A platform pays in one currency, so one of them comes from a spreadsheet.
	 */
	get isMixed(): boolean {
		return this.#hasOwn && !this.#isWritten && this.#code !== fleetUnits().currency;
	}

	/**
	 * Reads a cell; returns two cells if it contradicts an earlier one, or the headings. The fleet's
	 * own sign, which spreadsheets add by themselves, stands for a code in other amounts.
	 * @param sign what the cell names, if it isn't an amount
	 */
	add(
		cell: string,
		sign = MAY_NAME_ONE.test(cell) ? currencyIn(cell) : undefined,
	): readonly [string, string] | undefined {
		if (sign === undefined) return undefined;
		const shown = truncate(cell.trim(), MAX_SHOWN);
		const headed = this.#headed;
		if (headed !== null && (canMean(sign, headed) || codeOf(sign) === headed)) return undefined;
		if (headed !== null) return [headed, shown];
		const code = codeOf(sign);
		const { currency } = fleetUnits();
		if (code === currency) this.#hasOwn = true;
		else if (!/\p{Sc}/u.test(sign)) this.#isWritten = true;
		const isFirst = this.#code === null || this.#code === currency;
		if (isFirst) [this.#code, this.#cell] = [code, shown];
		else if (code !== currency && code !== this.#code) return [this.#cell, shown];
		return undefined;
	}
}

/** What to say about a file with amounts in two currencies. */
export const mixedCurrenciesText = ([first, second]: readonly [string, string]): string =>
	`This file has money in more than one currency: ${first} and ${second}. Choose a file for each currency, with the same sign or code beside every amount.`;

/** Whether a statement's amounts are in a foreign currency; if none is named, they aren't. */
export const isForeign = (currency: string | null): currency is string =>
	currency !== null && !canMean(currency, fleetUnits().currency);

/** Why it isn't imported. */
export const foreignText = (currency: string): string =>
	`The amounts in this statement are in ${/^[A-Z]{3}$/.test(currency) ? namesOf(currency) : currency}, but the fleet's are in ${namesOf(fleetUnits().currency)}. Amounts are never converted, so it can't be imported.`;
