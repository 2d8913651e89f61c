/**
 * Typed amounts of money for fund requests and Uber fees, with their messages (docs/product.md §5).
 */
import * as v from "valibot";
import { readAmount } from "./amount-text.ts";
import { numeral } from "./fields.ts";
import { inUnits } from "./fleet-units.ts";
import { MAX_CENTS, MIN_CENTS, parseCents } from "./money.ts";
import { REQUIRED_FIELDS } from "./required.ts";

const otherCurrency = () =>
	inUnits("This amount is in another currency. Enter it in US dollars, such as 12.50");
const TWO_DECIMALS = "Enter an amount such as 12.50, with up to two decimals";

/** Why an amount can't be read, with both numbers if it can mean two. */
export function whyNoAmount(text: string): string {
	const read = readAmount(text);
	if (read.kind === "amount" && !read.isSigned && read.currency && parseCents(text) === undefined)
		return read.decimals > 2 ? TWO_DECIMALS : otherCurrency();
	if (read.kind !== "ambiguous") return TWO_DECIMALS;
	const [grouped, decimal] = read.readings;
	return /\.\d\d$/.test(decimal)
		? `An amount such as ${text} is ambiguous. Enter ${grouped} or ${decimal}`
		: `An amount such as ${text} is ambiguous: it can mean ${grouped} or ${decimal}. Enter ${grouped}, or an amount with up to two decimals`;
}

/**
 * A typed amount as cents; messages for ambiguous or out-of-range ones say what to enter.
 * @param outOfRange the message for amounts below `least` or above `most`
 * @param byDefault the text for an absent one; without it, the amount is required
 */
export const amountBetween = (least: number, most: number, outOfRange: string, byDefault = "") =>
	v.pipe(
		v.optional(v.string(), ""),
		numeral(),
		v.transform((text) => text.trim() || byDefault),
		v.nonEmpty(REQUIRED_FIELDS),
		v.check(
			(text) => text === "" || parseCents(text) !== undefined,
			({ input }) => whyNoAmount(input),
		),
		v.transform((text) => parseCents(text) ?? 0),
		v.check((cents) => cents >= least && cents <= most, outOfRange),
	);

export const AMOUNT_OUT_OF_RANGE = "The amount must be more than 0 and no more than 100,000.00";
/** The amount of a fund request or a fee. */
export const amount = amountBetween(MIN_CENTS, MAX_CENTS, AMOUNT_OUT_OF_RANGE);
