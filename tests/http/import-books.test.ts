/**
 * Random files of all kinds, sent, changed, put together, saved by a spreadsheet, undone and sent
 * again: after each one the books hold what the files say, or a question is open and the books are
 * as they were (`npm run torture -- books` plays more).
 */
import { expect, it } from "vitest";
import { type Dice, diceOf } from "../../lab/torture/dice.ts";
import { report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { type Answer, Books, differences, type Sums } from "../books/books.ts";
import {
	type Driver,
	type Line,
	type Period,
	resaved,
	type Written,
	writeBolt,
	writeColumns,
	writeDriverSums,
	writeOrders,
} from "../books/files.ts";
import { insertDriver } from "../support/drivers.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { callStatements } from "../support/statement-calls.ts";
import { openFleet } from "../support/worker.ts";

/** Files in each round; a round begins with empty books. */
const FILES = 20;
const DRIVERS = 4;
const WEEKS = 3;

const fleet = await openFleet();
const ada = await fleet.as("ada");
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);

const addDays = (day: string, days: number) =>
	new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
/** The first day of each week: a Monday long ago. */
const firstMonday = Array.from({ length: 7 }, (_, day) => daysAgo(140 + day)).find(
	(day) => new Date(day).getUTCDay() === 1,
);
const mondayOf = (week: number) => addDays(firstMonday ?? "", week * 7);
const periodOf = (week: number, weeks = 1): Period => ({
	from: mondayOf(week),
	to: addDays(mondayOf(week + weeks), -1),
	next: mondayOf(week + weeks),
});

const drivers: Driver[] = [];
for (let number = 0; number < DRIVERS; number++) {
	const [first, last] = [`Booker${number}`, "Files"];
	drivers.push({
		id: await insertDriver((query, ...values) => sql(query, ...values), {
			driver_number: 7000 + number,
			first_name: first,
			last_name: last,
		}),
		platformId: `b00c0000-0000-4000-8000-${String(number).padStart(12, "0")}`,
		first,
		last,
	});
}
const matches = JSON.stringify(
	Object.fromEntries(drivers.map(({ platformId, id }) => [platformId, id])),
);

async function recorded(): Promise<Sums> {
	const rows = await sql<{ driver: string; day: string; category: string; cents: number }>(
		`select driver_id as driver, charged_on as day, category,
			sum(iif(is_credit, -amount_cents, amount_cents)) as cents
		from uber_fees where deleted_at is null group by 1, 2, 3`,
	);
	return new Map(
		rows
			.filter(({ cents }) => cents !== 0)
			.map(({ driver, day, category, cents }) => [
				`${drivers.findIndex(({ id }) => id === driver)} ${day} ${category}`,
				cents,
			]),
	);
}

/** A file, the lines that it says, and whether it must be asked about for more than its amounts. */
type Sent = { readonly what: string; readonly file: Written; readonly lines: readonly Line[] } & {
	readonly isOverlap: boolean;
	/** Whether asking is right, though what the file says can also be known for recorded. */
	readonly mayAsk?: boolean;
};

/** All money there is, of which every file says a part. */
class World {
	#cents = 100;
	readonly orders: Line[][];
	readonly sums: Line[][];
	readonly bolt: Line[][];
	readonly columns: Line[];

	constructor(
		readonly dice: Dice,
		readonly books: Books,
	) {
		const weeks = Array.from({ length: WEEKS }, (_, week) => week);
		this.orders = weeks.map((week) =>
			this.#lines(6 + dice.below(8), `order ${week}`, (line) => ({
				...line,
				day: addDays(mondayOf(week), dice.below(7)),
				category: dice.once(4) ? "other" : "service_fee",
				cents: dice.once(8) ? -line.cents : line.cents,
			})),
		);
		// Other weeks, so that no two kinds of file say the same money.
		this.sums = weeks.map((week) => this.#sumsOf(periodOf(WEEKS + week), "service_fee", "sums"));
		this.bolt = weeks.map((week) => this.#sumsOf(periodOf(WEEKS + week), "commission", "bolt"));
		this.columns = this.#lines(12, "columns", (line) => ({
			...line,
			day: addDays(mondayOf(2 * WEEKS), dice.below(20)),
			category: "commission",
			id: this.#reference(line),
		}));
	}

	/** No two amounts are equal, so that none is taken for another. */
	#next(): number {
		this.#cents += 1 + this.dice.below(37);
		return this.#cents;
	}

	#lines(count: number, what: string, complete: (line: Line) => Line): Line[] {
		return Array.from({ length: count }, (_, number) => {
			const id = crypto.randomUUID();
			return complete({
				...{ key: `${what} ${id}`, id, driver: number % DRIVERS, day: mondayOf(0) },
				...{ category: "service_fee" as const, cents: this.#next() },
			});
		});
	}

	#sumsOf({ from, to }: Period, category: Line["category"], what: string): Line[] {
		return drivers.map((_, driver) => ({
			...{ key: `${what} ${driver} ${from} ${to}`, id: "", driver, day: to, category },
			cents: this.#next(),
		}));
	}

	/** Numbers that a spreadsheet damages, numbers that it doesn't, and words. */
	#reference({ id, cents }: Line): string {
		const number = `${Number.parseInt(id.slice(0, 8), 16)}`;
		return this.dice.pick([
			`00${number.slice(0, 5)}${cents}`,
			`${(BigInt(`0x${id.replaceAll("-", "").slice(0, 15)}`) + 10n ** 18n).toString()}`,
			`${number.slice(0, 4)}${cents}`,
			`T-${number}`,
		]);
	}

	/** Changes the amount of a line from now on. */
	#correct(lines: Line[]): void {
		const at = this.dice.below(lines.length);
		const line = lines[at];
		if (line) lines[at] = { ...line, cents: Math.sign(line.cents) * this.#next() };
	}

	next(): Sent {
		const { dice } = this;
		const week = dice.below(WEEKS);
		const isCorrected = dice.once(4);
		switch (dice.below(6)) {
			case 0:
			case 1: {
				const lines = this.orders[week] ?? [];
				if (isCorrected) this.#correct(lines);
				// A week's file that is downloaded early has only some of its rows.
				const some = dice.once(2) ? lines : lines.slice(0, 1 + dice.below(lines.length));
				return this.#sent("a week of payments", writeOrders([some], drivers, dice), some);
			}
			case 2: {
				const two = dice.shuffle(this.orders).slice(0, 2);
				return this.#sent("two weeks in one file", writeOrders(two, drivers, dice), two.flat());
			}
			case 3: {
				const lines = this.sums[week] ?? [];
				if (isCorrected) this.#correct(lines);
				if (dice.once(5)) return this.#sumsFile(periodOf(WEEKS + week, 2));
				return this.#sumsFile(periodOf(WEEKS + week), lines);
			}
			case 4: {
				const lines = this.bolt[week] ?? [];
				if (isCorrected) this.#correct(lines);
				const period = periodOf(WEEKS + week);
				return this.#sent("Bolt's sums", writeBolt(lines, period, drivers, dice), lines);
			}
			default:
				return this.#columnsFile();
		}
	}

	/** New money of a period that overlaps another one can't be split: a person has to say. */
	#sumsFile(period: Period, lines = this.#sumsOf(period, "service_fee", "sums")): Sent {
		const isOther = ({ key }: Line) => {
			const [what, , from = "", to = ""] = key.split(" ");
			const isSame = from === period.from && to === period.to;
			return what === "sums" && !isSame && from <= period.to && to >= period.from;
		};
		return {
			what: "sums",
			file: writeDriverSums(lines, period, drivers, this.dice),
			lines,
			isOverlap: lines.some(({ key }) => !this.books.has(key)) && this.books.lines.some(isOther),
		};
	}

	#columnsFile(): Sent {
		const { dice } = this;
		const isResaved = dice.once(3);
		const lines = dice
			.shuffle(this.columns)
			.slice(0, 2 + dice.below(8))
			.map((line) => (isResaved ? { ...line, id: resaved(line.id) } : line));
		const isRecorded = (is: (recorded: Line, line: Line) => boolean) =>
			lines.some((line) => {
				const recorded = this.books.lines.find(({ key }) => key === line.key);
				return recorded !== undefined && is(recorded, line);
			});
		return {
			what: isResaved ? "columns saved by a spreadsheet" : "columns",
			file: writeColumns(lines, drivers, dice, isResaved),
			lines,
			isOverlap: isRecorded((recorded, { id }) => recorded.id !== id),
			// A shortened number is no reference.
			mayAsk: isRecorded((_, { id }) => id.includes("E+")),
		};
	}

	#sent(what: string, file: Written, lines: readonly Line[]): Sent {
		return { what, file, lines, isOverlap: false };
	}
}

async function emptyBooks(): Promise<void> {
	await sql("update uber_fees set replaces_id = null");
	for (const table of [
		"statement_lines",
		"statement_money",
		"uber_fees",
		"fee_imports",
		"statement_files",
	])
		await sql(`delete from ${table}`);
}

it(
	"the books hold what the files say, or a question is open",
	async () => {
		const found = { files: 0, asked: 0, silent: 0, needless: 0, refused: 0, undone: 0, lost: 0 };
		const say = (what: string, { file }: Sent, more: unknown) =>
			console.log(`${what}: ${file.name}\n${JSON.stringify(more)}`);

		const check = async (books: Books, sent: Sent, more: unknown) => {
			const wrong = differences(books.sums, await recorded());
			if (wrong.length === 0) return;
			found.silent += 1;
			say(`wrong after ${sent.what}`, sent, [wrong, more]);
		};

		for (const round of rounds(10, 10)) {
			const dice = diceOf(SEED, round);
			await emptyBooks();
			const books = new Books();
			const world = new World(dice, books);
			for (let at = 0; at < FILES; at++) {
				const sent = world.next();
				found.files += 1;
				const { name } = sent.file;
				const isByColumns = sent.what.startsWith("columns");
				const missing = isByColumns ? [] : books.missing(name, sent.lines);
				const lines = [...sent.lines, ...missing];
				const isChanged = books.changed(lines).length > 0;
				// Not every file states a total.
				const given = { drivers: matches, unproven: "yes" };
				const answer = await callStatements(ada, { ...given, mode: "all" }, sent.file, true);
				const needs = answer.body.needs ?? [];
				const mustAsk = isChanged || sent.isOverlap;
				if (answer.status === 201) {
					if (mustAsk) {
						found.silent += 1;
						say(`not asked about ${sent.what}`, sent, { isChanged, ...answer.body });
					}
					books.add(answer.body.importId ?? "", name, lines, "replace");
				} else if (answer.status === 409 && needs.length > 0) {
					found.asked += 1;
					if (!mustAsk && !sent.mayAsk) {
						found.needless += 1;
						say(`asked in vain about ${sent.what}`, sent, answer.body);
					}
				} else {
					found.refused += 1;
					say(`refused ${answer.status} ${sent.what}`, sent, answer.text.slice(0, 2000));
				}
				await check(books, sent, needs);
				if (answer.status === 409 && mustAsk && !isByColumns) {
					const changed: Answer = dice.pick(["replace", "keep"]);
					const again = await callStatements(
						ada,
						{ id: answer.body.id, mode: "all", changed, overlap: "yes" },
						undefined,
						true,
					);
					if (again.status === 201) books.add(again.body.importId ?? "", name, lines, changed);
					else {
						found.refused += 1;
						say(`refused ${again.status} ${changed} ${sent.what}`, sent, again.text.slice(0, 2000));
					}
					await check(books, sent, changed);
				}
				if (books.imports.length > 0 && dice.once(5)) {
					const id = dice.pick(books.imports);
					const isLast = !books.isDependedOn(id);
					const { status } = await ada.post(
						"/uber-fees/import",
						{ intent: "undo", id },
						{ mayFail: true },
					);
					if (status === 303) {
						found.undone += 1;
						books.undo(id);
					} else if (isLast) found.lost += 1;
					await check(books, sent, `undo ${id}: ${status}`);
				}
			}
		}
		report("books", [
			mustBeZero("files", found.files, "silent differences", found.silent),
			mustBeZero("files", found.files, "questions without a reason", found.needless),
			mustBeZero("files", found.files, "refusals", found.refused + fleet.takeErrors().length),
			mustBeZero("imports", found.undone, "undo refused", found.lost),
		]);
		expect(found.asked).toBeGreaterThan(0);
		expect(found.undone).toBeGreaterThan(0);
	},
	TIMEOUT,
);
