/**
 * Money as whole cents. Text is turned into cents digit by digit: no floating point ever touches an
 * amount.
 */
import { canMean, readAmount } from "./amount-text.ts";
import { fleetSign, fleetUnits } from "./fleet-units.ts";

/**
 * Smallest and largest amount a request or a fee may have, in cents: above 0, at most 100,000.00.
 */
export const MIN_CENTS = 1;
export const MAX_CENTS = 10_000_000;

const MAX_TYPED_DIGITS = 7;

/**
 * Cents of a typed amount, grouped or not and with the sign or code of the fleet's currency: `12`, `12.5`,
 * `12,50`, `$1,234.50`, `45.50 USD`. Signs, exponents, three decimals, the ambiguous `1,250` and
 * other currencies give `undefined`.
 */
export function parseCents(text: string): number | undefined {
	const read = readAmount(text);
	if (read.kind !== "amount" || read.isSigned) return undefined;
	if (read.wholeDigits > MAX_TYPED_DIGITS || read.decimals > 2) return undefined;
	const isOwn = read.currency === undefined || canMean(read.currency, fleetUnits().currency);
	return isOwn ? read.cents : undefined;
}

/** The decimal string of the JSON API: `1234.50`. */
export function toDecimal(cents: number): string {
	const sign = cents < 0 ? "-" : "";
	const digits = String(Math.abs(cents)).padStart(3, "0");
	return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** An amount as shown on screen, in the fleet's currency: `$1,234.50`, `PLN 1,234.50`. */
export function formatDollars(cents: number): string {
	const [whole = "0", fraction] = toDecimal(Math.abs(cents)).split(".");
	return `${cents < 0 ? "-" : ""}${fleetSign()}${groupDigits(whole)}.${fraction}`;
}

function groupDigits(digits: string): string {
	return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * Cents per mile, rounded half up once, here, at the end; 0 without miles.
 * @param cents total cost
 * @param miles whole miles
 */
export function centsPerMile(cents: number, miles: number): number {
	return miles > 0 ? Math.floor((2 * cents + miles) / (2 * miles)) : 0;
}
