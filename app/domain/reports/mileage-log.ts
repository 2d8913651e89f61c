/** The tables of a mileage log: a year's trips, and separately the voided ones. */
import {
	type CalendarDate,
	dateIn,
	format24HourTime,
	formatDate,
} from "../../values/calendar-date.ts";
import { formatMiles } from "../../values/miles.ts";
import { type Column, type ReportDocument, type Row, type Section, typedCell } from "./document.ts";
import { timeliness } from "./rules.ts";

/** A trip in the log. */
export type LoggedTrip = {
	readonly drivenOn: CalendarDate;
	readonly startMiles: number;
	readonly endMiles: number;
	readonly miles: number;
	readonly notes: string | null;
	readonly purpose: string | null;
	readonly personalMiles: number | null;
	/** UTC milliseconds. */
	readonly createdAt: number;
};
/** What a driver says of a trip besides its readings. */
type Said = "notes" | "purpose" | "personalMiles";
/** A trip voided by its driver or an administrator. */
export type VoidedTrip = Omit<LoggedTrip, Said> & {
	/** UTC milliseconds. */
	readonly voidedAt: number;
	/** 1 for the driver's own. */
	readonly isOwnVoid: number;
	readonly voidReason: string | null;
};

const READINGS: readonly Column[] = [
	{ head: "Date", kind: "date", width: 12 },
	{ head: "Start", kind: "number", width: 10 },
	{ head: "End", kind: "number", width: 10 },
	{ head: "Miles", kind: "number", width: 8 },
];
const RECORDED: Column = { head: "Recorded", kind: "moment", width: 22 };

/** Signature lines under the log. */
export const SIGNATURE: NonNullable<ReportDocument["signature"]> = {
	statement: "I certify that this log is true and complete.",
	lines: ["Driver's signature", "Date"],
};

/** Date and time of a moment in the fleet's time zone. */
const momentCell = (timeZone: string, momentMs: number) =>
	`${dateIn(timeZone, momentMs)} ${format24HourTime(timeZone, momentMs)}`;

const readingCells = ({ drivenOn, startMiles, endMiles, miles }: Omit<LoggedTrip, Said>) => [
	drivenOn,
	startMiles,
	endMiles,
	miles,
];

/** What the log says about voided trips, which are in none of its figures. */
export type VoidedWords = "Voided entries are omitted." | "Voided entries are listed separately.";

/**
 * The trips of the year.
 * @param fleet the fleet's name
 * @param code the driver's, for notes that a PDF can't write
 * @param pages the trips in the order they were driven, page by page
 */
export function tripSection(
	fleet: string,
	timeZone: string,
	voided: VoidedWords,
	code: string,
	pages: () => AsyncIterable<readonly LoggedTrip[]>,
): Section {
	const toRow = (trip: LoggedTrip): Row => [
		...readingCells(trip),
		typedCell(trip.notes, code),
		momentCell(timeZone, trip.createdAt),
		timeliness(trip.drivenOn, dateIn(timeZone, trip.createdAt)),
		typedCell(trip.purpose, code),
		trip.personalMiles,
		trip.miles - (trip.personalMiles ?? 0),
	];
	return {
		title: "Mileage Log",
		note: `Recorded is when ${fleet} received the entry. Timeliness compares that with the date driven. ${voided}`,
		columns: [
			...READINGS,
			{ head: "Notes", kind: "text", width: 30 },
			RECORDED,
			{ head: "Timeliness", kind: "text", width: 14 },
			{ head: "Purpose", kind: "text", width: 20 },
			{ head: "Personal", kind: "number", width: 10 },
			{ head: "Business", kind: "number", width: 10 },
		],
		pages: () => rowsOf(pages(), toRow),
		totals: ([, , , miles = 0, , , , , personal = 0, business = 0]) => [
			...["Total", null, null, miles, null, null, null, null],
			...[personal, business],
		],
		empty: "No trips were logged this year.",
	};
}

/**
 * The trips of the year that were voided.
 * @param pages the trips in the order they were driven, page by page
 */
export function voidedSection(
	timeZone: string,
	code: string,
	pages: () => AsyncIterable<readonly VoidedTrip[]>,
): Section {
	const toRow = (trip: VoidedTrip): Row => [
		...readingCells(trip),
		momentCell(timeZone, trip.createdAt),
		momentCell(timeZone, trip.voidedAt),
		typedCell(describeVoid(trip), code),
	];
	return {
		title: "Voided Entries",
		note: "These aren't counted in any total above. A trip that was corrected is listed here as it was before.",
		columns: [
			...READINGS,
			RECORDED,
			{ head: "Voided", kind: "moment", width: 22 },
			{ head: "Why", kind: "text", width: 28 },
		],
		pages: () => rowsOf(pages(), toRow),
		empty: "No entries were voided this year.",
	};
}

function describeVoid({ isOwnVoid, voidReason }: VoidedTrip): string {
	const who = isOwnVoid ? "By the driver" : "By an administrator";
	return voidReason ? `${who}: ${voidReason}` : who;
}

async function* rowsOf<Trip>(
	pages: AsyncIterable<readonly Trip[]>,
	toRow: (trip: Trip) => Row,
): AsyncGenerator<readonly Row[]> {
	for await (const page of pages) yield page.map(toRow);
}

/** A log header's first or last reading. */
export function readingWords(
	trip: LoggedTrip | undefined,
	which: "startMiles" | "endMiles",
): string {
	return trip ? `${formatMiles(trip[which])} on ${formatDate(trip.drivenOn)}` : "none";
}
