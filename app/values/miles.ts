/** Whole miles, or kilometers in a fleet that uses them odometer readings and distances. */
import { inUnits } from "./fleet-units.ts";
import { toPlainNumeral, ungroup } from "./numeral.ts";

/** The highest reading an odometer field takes. */
export const MAX_MILES = 9_999_999;

/**
 * A typed whole number: digits in groups or not. Undefined for `45.210` with one point, which may
 * be a decimal; one comma groups, since no odometer has decimals after one.
 */
export function parseWhole(text: string): number | undefined {
	const plain = toPlainNumeral(text).replaceAll("，", ",");
	const digits = /^\d+\.\d+$/.test(plain) ? undefined : ungroup(plain);
	return digits === undefined ? undefined : Number(digits);
}

/** A typed odometer reading: `45210`, `45,210`, `45 210`; `undefined` for anything else. */
export function parseMiles(text: string): number | undefined {
	const miles = parseWhole(text);
	return miles !== undefined && miles <= MAX_MILES ? miles : undefined;
}

/**
 * The miles between two readings as typed; 0 as long as either isn't a reading, so that a typo
 * doesn't look like a trip around the world, and never below 0.
 */
export function milesBetween(start: string, end: string): number {
	const [from, to] = [parseMiles(start), parseMiles(end)];
	return from === undefined || to === undefined ? 0 : Math.max(0, to - from);
}

const shown = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** `45,210` */
export function formatMiles(miles: number): string {
	return shown.format(miles);
}

/** `1 mile`, `45,210 miles` */
export const countMiles = (miles: number): string =>
	`${formatMiles(miles)} ${inUnits(miles === 1 ? "mile" : "miles")}`;
