/** Once a day the books are checked, driver by driver; what is found is written into the audit. */
import { dateIn } from "../../values/calendar-date.ts";
import { systemEntry } from "../audit/entry.server.ts";
import type { SystemContext } from "../context.ts";
import { type Balance, isBalanced, selectBalances } from "../payouts/books.server.ts";
import { claimStep, continueStatement, finishStatement } from "./daily-task.server.ts";

const NAME = "books";
/** People looked at in one trip, and trips made in one run. */
const PEOPLE_PER_TRIP = 50;
const TRIPS_PER_RUN = 5;

/** What a day's check has found. */
export type BooksCheck = {
	readonly drivers: number;
	readonly approvedCents: number;
	readonly paidCents: number;
	readonly unpaidCents: number;
	/** Drivers whose books don't close, or whose totals are wrong. */
	readonly differences: number;
};

const NOTHING: BooksCheck = {
	drivers: 0,
	approvedCents: 0,
	paidCents: 0,
	unpaidCents: 0,
	differences: 0,
};

/** Adds the books of some people to what was found. */
function add(found: BooksCheck, balances: readonly Balance[]): BooksCheck {
	const sum = (of: (balance: Balance) => number) =>
		balances.reduce((total, balance) => total + of(balance), 0);
	const counts = (balance: Balance) => balance.approvedCents > 0 || !isBalanced(balance);
	return {
		drivers: found.drivers + balances.filter(counts).length,
		approvedCents: found.approvedCents + sum(({ approvedCents }) => approvedCents),
		paidCents: found.paidCents + sum(({ paidCents }) => paidCents),
		unpaidCents: found.unpaidCents + sum(({ openCents, readyCents }) => openCents + readyCents),
		differences: found.differences + balances.filter((each) => !isBalanced(each)).length,
	};
}

/**
 * Takes the next step of today's check, unless it is finished.
 * @returns what the whole day has found when this step was the last one
 */
export async function checkBooks(
	system: SystemContext,
	timeZone: string,
): Promise<BooksCheck | undefined> {
	const { db, now } = system;
	const today = dateIn(timeZone, now);
	const step = await claimStep(db, NAME, today, now);
	if (!step) return undefined;
	let found: BooksCheck = { ...NOTHING, ...step.counts };
	let cursor = step.cursor ?? "";
	let isLast = false;
	const wrong: Balance[] = [];
	for (let trip = 0; trip < TRIPS_PER_RUN && !isLast; trip++) {
		const { balances } = await db.batch({
			balances: selectBalances(db.build, cursor, PEOPLE_PER_TRIP),
		});
		found = add(found, balances);
		wrong.push(...balances.filter((each) => !isBalanced(each)));
		cursor = balances.at(-1)?.driverId ?? cursor;
		isLast = balances.length < PEOPLE_PER_TRIP;
	}
	// What was found goes with the note of how far this step has come, so that it is written once.
	const entries = wrong.map((each) => [each.driverId, differenceEntry(system, each)] as const);
	await db.batch({
		...Object.fromEntries(entries),
		...(isLast ? { audit: checkEntry(system, today, found) } : {}),
		step: isLast
			? finishStatement(db.build, NAME, today, now)
			: continueStatement(db.build, NAME, { cursor, counts: found }, now),
	});
	return isLast ? found : undefined;
}

const checkEntry = (system: SystemContext, today: string, found: BooksCheck) =>
	systemEntry(system, {
		action: "books.check",
		entity: "books",
		entityId: today,
		after: { ...found },
	});

const differenceEntry = (system: SystemContext, { driverId, ...balance }: Balance) =>
	systemEntry(system, {
		action: "books.difference",
		entity: "user",
		entityId: driverId,
		after: balance,
	});
