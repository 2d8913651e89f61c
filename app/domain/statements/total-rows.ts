/** Rows that add up others: the platform's, or a spreadsheet's. */
import { foldHeading } from "./heading.ts";

const WORDS = new Set(
	[
		...["Total", "Totals", "Grand total", "Sum", "All drivers"],
		...["Summe", "Gesamt", "Gesamtsumme", "Insgesamt", "Alle Fahrer", "Alle Fahrer:innen"],
		...["Zwischensumme", "Suma częściowa", "Suma pośrednia"],
		...["Suma", "Razem", "Ogółem", "Łącznie", "Wszyscy kierowcy"],
		...["Soma", "Total geral", "Totais", "Todos os motoristas"],
		...["Total general", "Totales", "Todos los conductores", "Totaux", "Total général"],
		...["Totale", "Totale generale"],
	].map(foldHeading),
);

/** What makes a total one of some rows: `Subtotal`, `Sub-total`, `Sous-total`. */
const OF_SOME = /^(?:sub|sous|page|running)[- ]?(?=tota)/;

/** Whether a text is just the word: in the column of ids it isn't a driver. */
export function isTotalWord(text: string): boolean {
	return WORDS.has(foldHeading(text).replace(/:$/, "").replace(OF_SOME, ""));
}

/** The charges so far: an unnamed row with the same amount is their total. */
export class RunningTotal {
	#cents = 0;
	#rows = 0;

	add(cents: number): void {
		this.#cents += cents;
		this.#rows += 1;
	}

	equals(cents: number): boolean {
		return this.#rows > 1 && cents !== 0 && cents === this.#cents;
	}
}

type Row = {
	readonly hasId: boolean;
	readonly name: string;
	readonly cents: number | null;
	readonly running: RunningTotal;
};

/** Whether a row without an id is a total, by its name or its amount. */
export function isTotal(cells: readonly string[], row: Row, columnCount: number): boolean {
	if (row.hasId) return false;
	if (cells.slice(0, columnCount).some(isTotalWord)) return true;
	const isBare = row.name === "" && cells.every((text) => !/\p{L}/u.test(text));
	return isBare && row.cents !== null && row.running.equals(row.cents);
}
