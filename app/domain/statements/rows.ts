/** Judges a statement's rows one after the other: what each becomes, or why it becomes nothing. */
import { truncate } from "../../values/fields.ts";
import { FEE_CATEGORIES, type FeeCategory } from "../uber-fees/rules.ts";
import { parseAmount } from "./amount.ts";
import { chargesIn, whyUnreadable } from "./charges.ts";
import { DateEvidence } from "./date-orders.ts";
import { type DateOrders, dayAsWritten, whyNoDay } from "./day.ts";
import { FileCurrency, mixedCurrenciesText } from "./file-currency.ts";
import { foldHeading } from "./heading.ts";
import { moneyColumns, type Recognition, type RecognizedFile } from "./layout.ts";
import { MoneyReader } from "./money-rows.ts";
import { driverKey, isIdentifier, isNobody, readId, readName } from "./persons.ts";
import type {
	AbsentLine,
	LeftOutReason,
	LeftOutRow,
	RecognizedStatement,
	StatementEvent,
	StatementLine,
	StatementPeriod,
} from "./statement.ts";
import { isTotal, isTotalWord, RunningTotal } from "./total-rows.ts";
import { createUnknownColumns } from "./unknown-columns.ts";
import { UNREADABLE, UnreadableFile } from "./unreadable-file.ts";

/** Characters of a time or a trip in a line's key; a real one has fewer. */
const MAX_KEY_PART = 60;

/** A row of a file; `row` is its number in a spreadsheet. */
export type SheetRow = { readonly row: number; readonly cells: readonly string[] };

export type RowReader = {
	/** The events of a row below the header; an empty one has none. */
	readonly read: (row: SheetRow) => readonly StatementEvent[];
	/** What is known at the end of the file. */
	readonly end: () => readonly StatementEvent[];
};

/** Equal cells that make a row column names again, unless a platform's header is recognized. */
const LIKE_A_HEADER = 3;

/**
 * Reads rows in order. It only keeps keys, never cells: enough to recognize a repeated line.
 * @param recognizeAgain recognizes column names further down, in files that were put together
 */
export function createRowReader(
	{ statement, layout: first }: RecognizedFile,
	period: StatementPeriod | null,
	recognizeAgain: (cells: readonly string[]) => Recognition,
	{ separator, orders }: { readonly separator: string; readonly orders: DateOrders },
): RowReader {
	const { platform } = statement;
	let layout = first;
	const seen = new Set<string>();
	const occurrences = new Map<string, number>();
	/** The drivers of a file by period; null for one with a row that can't be read. */
	const drivers = new Map<string, Omit<AbsentLine, "kind" | "key" | "category"> | null>();
	const running = new RunningTotal();
	const currency = new FileCurrency(statement.currency);
	const dates = new DateEvidence(separator);
	let money = moneyColumns(layout);
	const unknown = createUnknownColumns();
	unknown.watch(layout.watched);
	const headers = [statement];
	const moneyReader = new MoneyReader(platform, period, orders);
	let rows = 0;
	let isOtherBlock = false;

	const cell = (cells: readonly string[], column: number | undefined) =>
		column === undefined ? "" : (cells[column] ?? "").trim();

	/**
	 * Whether a row names columns again. If it names others, or in other places, the rows below it
	 * are read by it.
	 */
	function isHeaderAgain({ row, cells }: SheetRow): boolean {
		const { header, fees } = layout;
		if (layout.isFirstBlockOnly) {
			// The by-day part has its own columns, possibly in another order.
			const folded = cells.map(foldHeading);
			return fees.every(({ columns: [column = -1] }) => folded.includes(header[column] ?? ""));
		}
		const isWord = fees.some(({ columns: [column] }) => /\p{L}{3}/u.test(cell(cells, column)));
		const marker = foldHeading(cell(cells, layout.driverId ?? layout.names[0] ?? 0));
		if (!isWord && !header.includes(marker)) return false;
		const same = cells.map(foldHeading).filter((name) => name !== "" && header.includes(name));
		const isLikeOne = same.length >= LIKE_A_HEADER;
		if (!isLikeOne && !isWord) return false;
		const again = recognizeAgain(cells);
		if (again.kind === "statement" && isSameKind(again.statement)) {
			layout = again.layout;
			money = moneyColumns(layout);
			unknown.watch(layout.watched);
			headers.push(again.statement);
			return true;
		}
		if (isLikeOne || again.kind === "statement")
			throw new UnreadableFile(UNREADABLE.putTogether(row));
		return false;
	}

	const isSameKind = (again: RecognizedStatement) =>
		again.format === statement.format && again.currency === statement.currency;

	function readCurrency(cells: readonly string[]): void {
		for (const column of money) {
			const mixed = currency.add(cells[column] ?? "");
			if (mixed) throw new UnreadableFile(mixedCurrenciesText(mixed));
		}
	}

	/** Whether a row is what the fleet itself was paid. */
	const isPayout = (cells: readonly string[]) =>
		foldHeading(cell(cells, layout.description)).startsWith("so.payout");

	/** The fleet itself: its payout, the nil id, or the fleet's own name without a trip. */
	function isFleet(cells: readonly string[], id: string, name: string): boolean {
		if (isNobody(id) || isPayout(cells)) return true;
		if (name !== "" && layout.organization.length > 0 && cell(cells, layout.trip) === "") {
			const folded = foldHeading(name);
			return layout.organization.some((column) => foldHeading(cell(cells, column)) === folded);
		}
		if (!layout.fleetRow) return false;
		const { transfers, others } = layout.fleetRow;
		return (
			transfers.some((column) => parseAmount(cell(cells, column)) !== 0) &&
			others.every((column) => parseAmount(cell(cells, column)) === 0)
		);
	}

	/** Why a row without a fee is left out. */
	function withoutFee(cells: readonly string[], id: string, name: string): LeftOutReason {
		if (isPayout(cells)) return "payout";
		return isFleet(cells, id, name) ? "organisation" : "no-fee";
	}

	/** Identifies a row's line of a category in every file that has it. */
	function keyOf(
		cells: readonly string[],
		driver: string,
		category: FeeCategory,
		cents: number,
	): string | null {
		const { time, trip, lineId } = layout;
		if (time === undefined) {
			// Two rows of one driver are added up, so the second has its own key.
			const again = numberRepeats(`${driver}:${category}`);
			return period && `${platform}:${again}:${period.from}:${period.to}`;
		}
		const id = cell(cells, lineId);
		if (isIdentifier(id)) return `${platform}:${id.toLowerCase()}:${category}`;
		const part = (column: number | undefined) => truncate(cell(cells, column), MAX_KEY_PART);
		const told = [driver, part(time), part(trip), category, cents];
		return numberRepeats(`${platform}:${told.join(":")}`);
	}

	/** The lines without a charge of a row with a transaction's id. */
	function absentIn(
		transaction: string,
		row: Omit<AbsentLine, "kind" | "key" | "category">,
		charges: ReadonlyMap<FeeCategory, number>,
	): readonly AbsentLine[] {
		if (!isIdentifier(transaction)) return [];
		const absent = new Set(layout.fees.map(({ category }) => category));
		return [...absent]
			.filter((category) => !charges.has(category))
			.map((category) => ({
				...row,
				...{ kind: "absent", category, key: `${platform}:${transaction}:${category}` },
			}));
	}

	/** The categories without a charge of the drivers in a file by period. */
	function absentAtEnd(): readonly AbsentLine[] {
		if (!period) return [];
		return [...drivers].flatMap(([driver, row]) =>
			FEE_CATEGORIES.filter((category) => row && !occurrences.has(`${driver}:${category}`)).flatMap(
				(category): readonly AbsentLine[] => {
					const key = `${platform}:${driver}:${category}:${period.from}:${period.to}`;
					return row ? [{ ...row, kind: "absent", category, key }] : [];
				},
			),
		);
	}

	function numberRepeats(key: string): string {
		const count = (occurrences.get(key) ?? 0) + 1;
		occurrences.set(key, count);
		return count === 1 ? key : `${key}#${count}`;
	}

	function read(sheetRow: SheetRow): readonly StatementEvent[] {
		const events = readFees(sheetRow);
		const [first] = events;
		if (!first) return events;
		const reason = first.kind === "left-out" ? first.reason : undefined;
		return [...events, ...moneyReader.read(sheetRow, layout, reason, isFleet)];
	}

	function readFees({
		row,
		cells,
	}: SheetRow): readonly (StatementLine | AbsentLine | LeftOutRow)[] {
		if (cells.every((text) => text.trim() === "")) return [];
		rows += 1;
		const isHeader = isHeaderAgain({ row, cells });
		const { header, lineId, driverId, names, time } = layout;
		const leftOut = (
			reason: LeftOutReason,
			cents: number | null = 0,
			why?: string,
		): readonly [LeftOutRow] => [{ kind: "left-out", row, reason, cents, why }];
		if (isHeader) {
			isOtherBlock = layout.isFirstBlockOnly;
			return leftOut("repeated-header");
		}
		readCurrency(cells);
		const charges = chargesIn(cells, layout);
		const cents = charges && [...charges.values()].reduce((sum, each) => sum + each, 0);
		if (isOtherBlock) return leftOut("other-block", cents);
		const idText = cell(cells, driverId);
		const id = isTotalWord(idText) ? "" : readId(idText);
		const name = readName(names.map((column) => cell(cells, column)));
		if (isTotal(cells, { hasId: id !== "", name, cents, running }, header.length))
			return leftOut("total", cents);
		const transaction = lineId === undefined ? "" : cell(cells, lineId).toLowerCase();
		const isSeen = isIdentifier(transaction) && seen.has(transaction);
		if (!isSeen) unknown.add(cells);
		const driver = driverKey(id, name);
		if (cents === null || charges === null) {
			drivers.set(driver, null);
			return leftOut("unreadable-amount", null, whyUnreadable(cells, layout));
		}
		running.add(cents);
		const why = charges.size === 0 ? withoutFee(cells, id, name) : undefined;
		if (why && why !== "no-fee") return leftOut(why);
		if (!why && isFleet(cells, id, name)) return leftOut("organisation", cents);
		if (isSeen && !why) return leftOut("duplicate", cents);
		// An id that a spreadsheet broke doesn't justify going by the name, which two drivers may
		// share.
		const isKnown = id !== "" || (name !== "" && (idText === "" || driverId === undefined));
		if (!isKnown) return leftOut(why ?? "no-driver", cents);
		const written = cell(cells, time);
		if (time !== undefined)
			dates.add(
				written,
				money.map((column) => cells[column] ?? ""),
			);
		const day = time === undefined ? (period?.to ?? null) : dayAsWritten(written, orders);
		if (day === undefined)
			return leftOut(why ?? "unreadable-date", cents, why ? undefined : whyNoDay(written));
		const whose = { row, platformId: id, name, date: day };
		if (time === undefined && drivers.get(driver) !== null) drivers.set(driver, whose);
		const absent = isSeen ? [] : absentIn(transaction, whose, charges);
		if (why) return [...leftOut(why), ...absent];
		if (isIdentifier(transaction)) seen.add(transaction);
		const lines = FEE_CATEGORIES.flatMap((category): readonly StatementLine[] => {
			const charge = charges.get(category);
			if (charge === undefined) return [];
			const key = keyOf(cells, driver, category, charge);
			return [{ kind: "line", key, ...whose, category, cents: charge }];
		});
		return [...lines, ...absent];
	}

	return {
		read,
		end: () => [
			...absentAtEnd(),
			{
				kind: "end",
				rows,
				currency: currency.isMixed ? null : currency.code,
				dates: dates.decide(),
				unknownColumns: unknown.totals(),
				feeColumns: distinct(headers.flatMap(({ feeColumns }) => feeColumns)),
				notFeeColumns: distinct(headers.flatMap(({ notFeeColumns }) => notFeeColumns)),
				isAllCommission: headers.some(({ isAllCommission }) => isAllCommission),
			},
		],
	};
}

/** All headers' columns, each name once. */
const distinct = <Column extends { readonly name: string }>(columns: readonly Column[]) => [
	...new Map(columns.map((column) => [foldHeading(column.name), column])).values(),
];
