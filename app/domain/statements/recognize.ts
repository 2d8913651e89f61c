/** Recognizes a file by its header and name. */
import { recognizeBolt } from "./bolt-header.ts";
import { foldHeading } from "./heading.ts";

import type { Header, Recognition } from "./layout.ts";
import { otherFileByHeader, otherFileByName } from "./other-files.ts";
import { recognizeUber } from "./uber-header.ts";

/**
 * A header's statement, a refusal that says what the file is instead, or 'unknown'. The columns
 * decide, in any order; the name gives the period, and identifies reports without a header of their
 * own.
 * @param cells of the header, as in the file
 */
export function recognize(cells: readonly string[], fileName: string): Recognition {
	const header: Header = { cells, folded: cells.map(foldHeading), fileName };
	return (
		recognizeUber(header) ??
		recognizeBolt(header) ??
		otherFileByHeader(header) ??
		otherFileByName(fileName) ?? {
			kind: "unknown",
			reason: whyUnknown(header),
		}
	);
}

/** The closest match and why it isn't one. */
function whyUnknown({ folded }: Header): string {
	const has = (...names: readonly string[]) => names.some((name) => folded.includes(name));
	if (has("driver uuid", "transaction uuid"))
		return "It has ids as Uber writes them, but no column that starts with 'Paid to you' or 'Total earnings'.";
	if (has("motorista", "fahrer:in", "kierowca", "driver") && folded.some((name) => /\|/.test(name)))
		return "It has columns as Bolt writes them, but not both the gross and the net earnings of a driver.";
	return "Its column names are none of those in Uber's or Bolt's statements.";
}
