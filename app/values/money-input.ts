/**
 * Typed amounts of money for fund requests and Uber fees, with their messages (docs/product.md §5).
 */
import * as v from "valibot";
import { numeral } from "./fields.ts";
import { MAX_CENTS, MIN_CENTS, parseCents } from "./money.ts";
import { REQUIRED_FIELDS } from "./required.ts";

/**
 * A typed amount as cents; messages for ambiguous or out-of-range ones say what is right.
 * @param outOfRange the message for amounts below `least` or above `most`
 */
export const amountBetween = (least: number, most: number, outOfRange: string) =>
	v.pipe(
		v.optional(v.string(), ""),
		numeral(),
		v.trim(),
		v.nonEmpty(REQUIRED_FIELDS),
		v.check(
			(text) => !/^\d{1,3},\d{3}$/.test(text),
			"An amount such as 1,250 is ambiguous. Enter 1250.00 or 1.25",
		),
		v.transform(parseCents),
		v.number("Enter an amount such as 12.50, with up to two decimals"),
		v.check((cents) => cents >= least && cents <= most, outOfRange),
	);

/** The amount of a fund request or a fee. */
export const amount = amountBetween(
	MIN_CENTS,
	MAX_CENTS,
	"The amount must be more than 0 and no more than 100,000.00",
);
