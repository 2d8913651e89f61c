/** Judges the rows of a file with custom columns: each becomes a fee, or says why not. */
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";
import { readAmount } from "../../values/amount-text.ts";
import { MAX_CENTS } from "../../values/money.ts";
import { AMOUNT_OUT_OF_RANGE, whyNoAmount } from "../../values/money-input.ts";
import { currencyIn } from "./amount.ts";
import {
	type ChosenColumns,
	COLUMNS,
	type Column,
	currencyColumn,
	MAX_DESCRIPTION,
	MAX_REFERENCE,
	mappingAgain,
	missingColumns,
	namesColumns,
	parseCategory,
} from "./columns.ts";
import { DateEvidence } from "./date-orders.ts";
import { type DateOrders, dayAsWritten, whyNoDay } from "./day.ts";
import { currencyOfHeading, FileCurrency, mixedCurrenciesText } from "./file-currency.ts";
import { foldHeading } from "./heading.ts";
import { cleanText, isShortened } from "./persons.ts";
import type { RowReader, SheetRow } from "./rows.ts";
import type { LeftOutReason, StatementEvent } from "./statement.ts";
import { isTotal, isTotalWord, RunningTotal } from "./total-rows.ts";
import { UNREADABLE, UnreadableFile } from "./unreadable-file.ts";

type Options = {
	/** What separates the file's cells. */
	readonly separator: string;
	readonly orders: DateOrders;
	/** Tells its rows without a reference number from those of other files. */
	readonly fileTag: string;
};

/** Reads rows in order; only counts them if not all of the columns are known. */
export function createColumnReader(
	{ head, mapping: first }: Pick<ChosenColumns, "head" | "mapping">,
	{ separator, orders, fileTag }: Options,
): RowReader {
	let mapping = first;
	const isKnown = missingColumns({ head, mapping }).length === 0;
	const seen = new Map<string, number>();
	const running = new RunningTotal();
	const currency = new FileCurrency(null);
	let currencyAt = -1;
	const dates = new DateEvidence(separator);
	let rows = 0;

	const cellsOf = (cells: readonly string[]) =>
		Object.fromEntries(
			COLUMNS.map((column) => [column, (cells[mapping[column] ?? -1] ?? "").trim()]),
		) as Record<Column, string>;

	/** Takes the currency that a cell or a heading names. */
	function addCurrency(...named: Parameters<FileCurrency["add"]>): void {
		const mixed = currency.add(...named);
		if (mixed) throw new UnreadableFile(mixedCurrenciesText(mixed));
	}

	function readHeadings(cells: readonly string[]): void {
		currencyAt = currencyColumn(cells);
		const heading = cells[mapping.amount ?? -1] ?? "";
		addCurrency(heading, currencyOfHeading(heading));
	}
	readHeadings(head);

	/** Whether a row names the columns again; the rows below are then read by it. */
	function isHeaderAgain({ row, cells }: SheetRow): boolean {
		const { amount, date } = cellsOf(cells);
		if (/\d/.test(amount + date)) return false;
		const again = mappingAgain(cells, { head, mapping: first });
		if (again) {
			mapping = again;
			readHeadings(cells);
		} else if (namesColumns(cells, head)) throw new UnreadableFile(UNREADABLE.putTogether(row));
		return again !== undefined;
	}

	/** The same fee has the same key in every file, or without a reference number in this file. */
	function keyOf(...told: readonly (string | number)[]): string {
		const hash = `columns:${bytesToHex(sha256(utf8ToBytes(JSON.stringify(told))))}`;
		const count = (seen.get(hash) ?? 0) + 1;
		seen.set(hash, count);
		return count === 1 ? hash : `${hash}#${count}`;
	}

	function read({ row, cells }: SheetRow): readonly StatementEvent[] {
		if (cells.every((text) => text.trim() === "")) return [];
		rows += 1;
		if (!isKnown) return [];
		const leftOut = (reason: LeftOutReason, cents: number | null, why?: string) =>
			[{ kind: "left-out", row, reason, cents, why }] as const;
		if (isHeaderAgain({ row, cells })) return leftOut("repeated-header", 0);
		const said = cellsOf(cells);
		addCurrency(said.amount);
		const named = cells[currencyAt] ?? "";
		if (named !== "") addCurrency(named, currencyIn(`1 ${named}`));
		dates.add(said.date, [said.amount]);
		const amount = readAmount(said.amount);
		const cents = amount.kind === "amount" ? amount.cents : null;
		const hasId = said.driver !== "" && !isTotalWord(said.driver);
		if (isTotal(cells, { hasId, name: said.driver, cents, running }, cells.length))
			return leftOut("total", cents);
		if (cents === null) {
			const why = said.amount === "" ? "Amount is missing" : whyNoAmount(said.amount);
			return leftOut("unreadable-amount", null, why);
		}
		if (cents === 0) return leftOut("no-fee", 0);
		running.add(cents);
		if (Math.abs(cents) > MAX_CENTS)
			return leftOut("unreadable-amount", cents, AMOUNT_OUT_OF_RANGE);
		const category = mapping.always ?? parseCategory(said.category);
		if (!category) return leftOut("no-category", cents, said.category);
		const date = dayAsWritten(said.date, orders);
		if (!date) return leftOut("unreadable-date", cents, whyNoDay(said.date));
		const name = cleanText(said.driver);
		if (name === "") return leftOut("no-driver", cents);
		const { description, reference } = said;
		if (reference.length > MAX_REFERENCE || description.length > MAX_DESCRIPTION)
			return leftOut("unreadable", cents);
		const fee = [foldHeading(name), category, date, cents] as const;
		const isReferred = reference !== "" && !isShortened(reference);
		const key = isReferred ? keyOf("reference", reference, ...fee) : keyOf(fileTag, ...fee);
		if (isReferred && key.includes("#")) return leftOut("duplicate", cents);
		const line = { kind: "line", key, row, platformId: "", name, date, category, cents } as const;
		return [{ ...line, reference, description }];
	}

	function end(): readonly StatementEvent[] {
		if (rows === 0) throw new UnreadableFile(UNREADABLE.noRows);
		const found = { rows, currency: currency.code, dates: dates.decide() };
		const none = { unknownColumns: [], feeColumns: [], notFeeColumns: [], isAllCommission: false };
		return [{ kind: "end", ...found, ...none }];
	}

	return { read, end };
}
