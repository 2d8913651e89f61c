/**
 * What an amount of money comes to while it is being typed, for a hint beside its field. It is part
 * of every page's script, so it is shorter than `parseCents`, which decides.
 */
import { toPlainNumeral } from "./numeral.ts";

/**
 * Whether an amount is typed that is lower than another one. A point or comma before one or two
 * last digits is the decimal mark: `12.50`, `12,50`, `€ 1.234,50`.
 * @param asked with a point and two decimals
 */
export function isLowerAmount(typed: string, asked: string): boolean {
	const digits = toPlainNumeral(typed).replace(/[^\d.,٫]/g, "");
	const [, whole = digits, fraction = ""] = /^(.*)[.,٫](\d{0,2})$/.exec(digits) ?? [];
	const amount = `${whole.replace(/\D/g, "")}.${fraction}`;
	return amount !== "." && Number(amount) < Number(asked);
}
