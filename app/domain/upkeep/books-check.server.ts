/** Checks the books once a day, driver by driver, and records the result in the audit. */
import { dateIn } from "../../values/calendar-date.ts";
import { systemEntry } from "../kernel/audit-entry.server.ts";
import type { SystemContext } from "../kernel/context.ts";
import { claimStep, continueStatement, finishStatement } from "../kernel/daily-task.server.ts";
import {
	type Balance,
	type FleetBalance,
	isBalanced,
	isFleetBalanced,
	selectBalances,
	selectFleetBalance,
} from "../payouts/books.server.ts";

const NAME = "books";
/** People per trip, and trips per run. */
const PEOPLE_PER_TRIP = 50;
const TRIPS_PER_RUN = 5;

/** The result of a day's check. */
export type BooksCheck = {
	readonly drivers: number;
	readonly approvedCents: number;
	readonly paidCents: number;
	readonly unpaidCents: number;
	/** For settlements, and what they carry. */
	readonly settledCents: number;
	readonly settledPaidCents: number;
	readonly carriedCents: number;
	readonly settledUnpaidCents: number;
	/** Drivers whose books don't balance, or whose totals are wrong; and the fleet likewise. */
	readonly differences: number;
};

const NOTHING: BooksCheck = {
	drivers: 0,
	approvedCents: 0,
	paidCents: 0,
	unpaidCents: 0,
	settledCents: 0,
	settledPaidCents: 0,
	carriedCents: 0,
	settledUnpaidCents: 0,
	differences: 0,
};

/** Adds some people's books to the result. */
function add(found: BooksCheck, balances: readonly Balance[]): BooksCheck {
	const sum = (of: (balance: Balance) => number) =>
		balances.reduce((total, balance) => total + of(balance), 0);
	const counts = (balance: Balance) =>
		balance.approvedCents > 0 || balance.settledCents !== 0 || !isBalanced(balance);
	return {
		drivers: found.drivers + balances.filter(counts).length,
		approvedCents: found.approvedCents + sum(({ approvedCents }) => approvedCents),
		paidCents: found.paidCents + sum(({ paidCents }) => paidCents),
		unpaidCents: found.unpaidCents + sum(({ openCents, readyCents }) => openCents + readyCents),
		settledCents: found.settledCents + sum(({ settledCents }) => settledCents),
		settledPaidCents: found.settledPaidCents + sum(({ settledPaidCents }) => settledPaidCents),
		carriedCents: found.carriedCents + sum(({ carriedCents }) => carriedCents),
		settledUnpaidCents:
			found.settledUnpaidCents +
			sum(({ settledOpenCents, settledReadyCents }) => settledOpenCents + settledReadyCents),
		differences: found.differences + balances.filter((each) => !isBalanced(each)).length,
	};
}

/**
 * Takes the next step of today's check, unless it is finished.
 * @returns the result of the whole day if this step was the last one
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
	const fleet = isLast
		? (await db.batch({ fleet: selectFleetBalance(db.build) })).fleet[0]
		: undefined;
	// A driver's wrong total makes everyone's sum wrong, too.
	const isFleetWrong = isLast && found.differences === 0 && !isFleetBalanced(fleet);
	if (isFleetWrong) found = { ...found, differences: found.differences + 1 };
	// The result is written together with the step's progress, so that it is recorded once.
	const entries = wrong.map((each) => [each.driverId, differenceEntry(system, each)] as const);
	await db.batch({
		...Object.fromEntries(entries),
		...(isFleetWrong ? { fleet: fleetEntry(system, today, fleet) } : {}),
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

const fleetEntry = (system: SystemContext, today: string, balance: FleetBalance | undefined) =>
	systemEntry(system, {
		action: "books.difference",
		entity: "books",
		entityId: today,
		after: { ...balance },
	});

const differenceEntry = (system: SystemContext, { driverId, ...balance }: Balance) =>
	systemEntry(system, {
		action: "books.difference",
		entity: "user",
		entityId: driverId,
		after: balance,
	});
