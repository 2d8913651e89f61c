/** Whole miles: odometer readings and distances. */

/** The highest reading an odometer field takes. */
export const MAX_MILES = 9_999_999;

const READING = /^(?:\d{1,7}|\d{1,3},\d{3}|\d,\d{3},\d{3})$/;

/**
 * A typed odometer reading: digits, with or without grouping commas (`45,210`); `undefined` for
 * anything else, 1.5 included.
 */
export function parseMiles(text: string): number | undefined {
	const trimmed = text.trim();
	return READING.test(trimmed) ? Number(trimmed.replaceAll(",", "")) : undefined;
}

const shown = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** `45,210` */
export function formatMiles(miles: number): string {
	return shown.format(miles);
}

/** `1 mile`, `45,210 miles` */
export const countMiles = (miles: number): string =>
	`${formatMiles(miles)} ${miles === 1 ? "mile" : "miles"}`;
