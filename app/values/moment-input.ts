/** Moments that another program sends. */

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * A moment in ISO 8601 with its offset, in UTC milliseconds; anything else is `undefined`. A plus
 * typed into a URL arrives as a space.
 */
export function parseMoment(text: string): number | undefined {
	const moment = text.trim().replace(/ (?=\d{2}:\d{2}$)/, "+");
	if (!MOMENT.test(moment)) return undefined;
	const milliseconds = Date.parse(moment.toUpperCase());
	return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
