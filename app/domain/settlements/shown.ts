/** The lines and sums of a settlement as screens show them, to the office and to its driver. */
import { formatDollars } from "../../values/money.ts";
import { platformLabel } from "../statements/platforms.ts";
import type { Line, Sums } from "./week.ts";

/** Where to find a line's source rows. */
export type Place = { readonly href: string; readonly words: string };
export type ShownLine = {
	readonly key: string;
	readonly text: string;
	readonly platform: string | undefined;
	readonly amount: string;
	readonly place: Place | undefined;
};
export type ShownSum = {
	readonly label: string;
	readonly amount: string;
	/** What it all comes to. */
	readonly isTotal: boolean;
};

/** @param placeOf absent if the reader has no such screen */
export const showLines = (
	lines: readonly Line[],
	placeOf: (line: Line) => Place | undefined,
): ShownLine[] =>
	lines.map((line, place) => ({
		key: String(place),
		text: line.text,
		platform: line.platform === null ? undefined : platformLabel(line.platform),
		amount: formatDollars(line.cents),
		place: placeOf(line),
	}));

/** What the lines add up to; what is carried, if anything is. */
export const showSums = ({
	carriedInCents,
	resultCents,
	carriedOutCents,
	payableCents,
}: Sums): ShownSum[] => [
	...(carriedInCents === 0 ? [] : [sum("Carried in from earlier weeks", carriedInCents)]),
	sum("Result", resultCents),
	...(carriedOutCents === 0 ? [] : [sum("Carried out to the next week", carriedOutCents)]),
	{ ...sum("Payable", payableCents), isTotal: true },
];
const sum = (label: string, cents: number): ShownSum => ({
	...{ label, amount: formatDollars(cents), isTotal: false },
});

/** What no settlement says. */
export const NOT_WORKED_OUT = "No tax, VAT, social insurance or minimum wage is worked out.";
