/**
 * Two settled weeks of the demo fleet, as publishing them would have stored them: worked out by the
 * app from the seeded agreements, charges, trips and statements. In the last one Tom's cash is more
 * than he earned.
 */
import { agreementFor } from "../app/domain/agreements/rules.ts";
import { readDraft } from "../app/domain/settlements/draft.ts";
import { workOut } from "../app/domain/settlements/settlement.ts";
import { MONEY_KINDS } from "../app/domain/statements/money.ts";
import { addDays, parseCalendarDate } from "../app/values/calendar-date.ts";
import type { Period } from "../app/values/period.ts";
import { idOf } from "../tests/support/cast.ts";
import { type Clock, DRIVERS, demoId, driverId, HOUR, type Row, weekAgo } from "./demo-cast.ts";

/** Weeks that are settled, counted back from the last one. */
const SETTLED = [3, 2] as const;

type Books = Readonly<Record<"agreements" | "charges" | "money" | "trips", readonly Row[]>>;

/** What `draftOf` (app/domain/settlements/facts.server.ts) reads of a driver's week. */
function factsOf(driver: string, { from, to }: Period, books: Books) {
	const own = (table: keyof Books) => books[table].filter(({ driver_id }) => driver_id === driver);
	const isWithin = (day: Row[string] | undefined) => String(day) >= from && String(day) <= to;
	const terms = agreementFor(
		own("agreements").map((row) => ({
			row,
			startsOn: parseCalendarDate(String(row.starts_on)),
			number: Number(row.number),
		})),
		from,
	)?.row;
	if (!terms) throw new Error(`No agreement of ${driver} covers the week of ${from}`);
	const miles = own("trips")
		.filter(({ driven_on, voided_at }) => isWithin(driven_on) && voided_at === null)
		.map(({ driven_on, start_miles, end_miles, personal_miles }) => [
			driven_on,
			Number(end_miles) - Number(start_miles) - Number(personal_miles ?? 0),
		]);
	return {
		money: own("money")
			.filter(({ counts_to }) => isWithin(counts_to))
			.map((row) => [row.platform, 0, ...MONEY_KINDS.map((kind) => row[`${kind}_cents`])]),
		terms: Object.fromEntries(
			Object.entries(terms).map(([column, value]) => [
				column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
				value,
			]),
		),
		miles: Number(terms.per_mile_mills) > 0 ? miles : [],
		before: 0,
		charges: own("charges")
			.filter(({ charged_on }) => String(charged_on) <= to)
			.map((charge) => [
				charge.id,
				charge.kind,
				charge.charged_on,
				charge.amount_cents,
				charge.direction,
				charge.instalments,
			]),
	};
}

/** Published on the Monday after; payouts change some of them. Counts the charges' instalments. */
export function demoSettlements(clock: Clock, books: Books): { settlements: Row[]; lines: Row[] } {
	const settlements: Row[] = [];
	const lines: Row[] = [];
	for (const ago of SETTLED) {
		const week = weekAgo(clock, ago);
		const monday = weekAgo(clock, ago - 1).from;
		for (const { id: driver } of DRIVERS) {
			const own = factsOf(driver, week, books);
			// The sample has their week.
			if (own.money.length === 0) continue;
			const id = demoId(8, settlements.length);
			const worked = workOut(
				readDraft(JSON.stringify({ own, carried: [], earlier: [] }), week.from),
			);
			settlements.push({
				id,
				number: settlements.length + 1,
				driver_id: driver,
				week_from: week.from,
				status: "published",
				created_at: clock.at(monday, 9.5),
				created_by: idOf("ada"),
				carried_in_cents: 0,
				result_cents: worked.resultCents,
				published_at: clock.at(monday, 10),
				published_by: idOf("ada"),
				payout_id: null,
			});
			for (const [place, line] of worked.lines.entries()) {
				lines.push({
					settlement_id: id,
					place,
					kind: line.kind,
					platform: line.platform,
					text: line.text,
					amount_cents: line.cents,
					charge_id: line.chargeId,
				});
				for (const charge of books.charges)
					if (charge.id === line.chargeId)
						charge.settled_instalments = Number(charge.settled_instalments) + 1;
			}
		}
	}
	return { settlements, lines };
}

/**
 * Dana's question about a settled week with its answer, and Tom's, which waits: he can't see how his
 * week came out below zero.
 */
export function demoQuestions(clock: Clock, settlements: readonly Row[]): Row[] {
	const tuesday = addDays(weekAgo(clock, 1).from, 1);
	const message = (driver: string, text: string, created_at: number, more: Row = {}): Row => {
		// The cast has none for the sample statement's week.
		const week = settlements.findLast(({ driver_id }) => driver_id === driverId(driver));
		return {
			settlement_id: week?.id ?? null,
			position: 1,
			author_id: driverId(driver),
			author_role: "driver",
			text,
			source: "seed",
			created_at,
			payload_hash: "seed",
			...more,
		};
	};
	return [
		message(
			"Dana",
			"Three months without a complaint now. Wasn't there a bonus for that?",
			clock.at(tuesday, 8.5),
		),
		message(
			"Dana",
			"Well done! It's $50.00, and comes with the next week.",
			clock.at(tuesday, 11),
			{ position: 2, author_id: idOf("ada"), author_role: "admin" },
		),
		message(
			"Tom",
			"Did I really take that much cash? I think two of those riders paid by card.",
			clock.now - 20 * HOUR,
		),
	].map((each, number) => ({ id: demoId(9, number), ...each }));
}
