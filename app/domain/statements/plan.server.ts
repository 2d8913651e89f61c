/** Determines what importing a statement would do, line by line and in bounded memory. */
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import { firstEntryDate } from "../../values/date-input.ts";
import type { AdminContext } from "../context.ts";
import { answeredPeriod, FLEET_CURRENCY } from "./answers.ts";
import {
	type FeeKey,
	selectAddedByHand,
	selectLiveLines,
	selectOverlaps,
} from "./comparison.server.ts";
import { DriverMatcher } from "./driver-matcher.server.ts";
import {
	type FeeState,
	FeeSums,
	type LeftOut,
	type Need,
	type Plan,
	type PlannedFee,
} from "./plan.ts";
import { readEvents } from "./reading.server.ts";
import type { StatementLine } from "./statement.ts";
import type { WaitingStatement } from "./waiting.server.ts";

/** Lines compared with the database per trip. */
const CHUNK = 5000;

/** Receives the keys of lines that can be imported, chunk by chunk. */
export type LineSink = (keys: readonly string[]) => Promise<void>;

/** What importing a waiting statement would do now. */
export async function planStatement(
	admin: AdminContext,
	bucket: R2Bucket,
	statement: WaitingStatement,
	sink?: LineSink,
): Promise<Plan> {
	const { facts } = statement;
	const sums = new FeeSums();
	const leftOut: LeftOut[] = [];
	const matcher = await DriverMatcher.for(admin, statement);
	let chunk: StatementLine[] = [];
	const settle = async () => {
		const ready = await settleLines(admin, matcher, chunk, sums);
		if (sink && ready.length > 0) await sink(ready);
		chunk = [];
	};
	for await (const event of readEvents(bucket, statement.id)) {
		if (event.kind === "left-out") {
			leftOut.push({ row: event.row, reason: event.reason, cents: event.cents });
			continue;
		}
		const outside = outsideOf(event.date, admin.today);
		if (outside) leftOut.push({ row: event.row, reason: outside, cents: event.cents });
		else if (chunk.push(event) === CHUNK) await settle();
	}
	if (chunk.length > 0) await settle();
	const { fees, netted } = sums.split();
	await flagDuplicates(admin, fees);
	const period = facts.period ?? answeredPeriod(statement.answers) ?? coveredBy(fees);
	const ready = fees.filter(({ state }) => state === "ready");
	const { platform, format, isByPeriod } = facts;
	const extent =
		period && ready.length > 0
			? {
					...{ platform, format, isByPeriod, period },
					driverIds: [...new Set(ready.flatMap(({ driver }) => driver?.id ?? []))],
					platformIds: [...sums.ready],
				}
			: undefined;
	const overlaps = extent
		? (await admin.db.batch({ found: selectOverlaps(admin.db.build, extent) })).found
		: [];
	leftOut.sort((a, b) => a.row - b.row);
	const plan = { period, fees, netted, leftOut, extent, overlaps, names: sums.names };
	return { ...plan, needs: needsOf(statement, plan) };
}

/** Adds up a chunk of lines, and determines which could be imported. */
async function settleLines(
	{ db }: AdminContext,
	matcher: DriverMatcher,
	lines: readonly StatementLine[],
	sums: FeeSums,
): Promise<string[]> {
	const keys = lines.flatMap(({ key }) => (key === null ? [] : [key]));
	const { live, aliases } = await db.batch({
		live: selectLiveLines(db.build, keys),
		aliases: matcher.lookUp(lines),
	});
	matcher.learn(aliases);
	const known = new Set(live.map(({ key }) => key));
	const ready: string[] = [];
	for (const { key, platformId, name, date, category, cents } of lines) {
		const { identity, driver } = matcher.match(platformId, name);
		const isBefore = key !== null && known.has(key);
		const state: FeeState = isBefore ? "imported-before" : driver ? "ready" : "no-driver";
		sums.add({ platformId, name, identity, driver, date, category, cents, state });
		if (state === "ready" && key !== null) ready.push(key);
	}
	return ready;
}

/** Marks fees that were already added by hand or by columns. */
async function flagDuplicates({ db }: AdminContext, fees: readonly PlannedFee[]): Promise<void> {
	const ready = fees.filter(({ state, date }) => state === "ready" && date !== null);
	for (let at = 0; at < ready.length; at += CHUNK) {
		const some = ready.slice(at, at + CHUNK);
		const { found } = await db.batch({
			found: selectAddedByHand(db.build, some.map(toLookedFor)),
		});
		for (const { position } of found) {
			const fee = some[position];
			if (fee) fee.isPossibleDuplicate = true;
		}
	}
}

const toLookedFor = ({ driver, date, category, cents }: PlannedFee): FeeKey => [
	driver?.id ?? "",
	date ?? ("" as CalendarDate),
	category,
	Math.abs(cents),
	cents < 0 ? 1 : 0,
	null,
];

/** Why a fee with a date can't be recorded. */
function outsideOf(
	date: CalendarDate | null,
	today: CalendarDate,
): "after-today" | "too-old" | undefined {
	if (date === null) return undefined;
	if (date > today) return "after-today";
	return date < firstEntryDate(today) ? "too-old" : undefined;
}

/** The first and last day of a statement that names no period but has dates. */
function coveredBy(fees: readonly PlannedFee[]) {
	const [from, to] = [fees[0]?.date, fees.at(-1)?.date];
	return from && to && isCalendarDate(from) ? { from, to } : null;
}

const isNew = ({ state }: PlannedFee) => state === "ready" || state === "no-driver";

function needsOf(
	{ facts, answers }: WaitingStatement,
	{ period, fees, overlaps }: Omit<Plan, "needs">,
): Need[] {
	const needs: Need[] = [];
	if (facts.isByPeriod && !period) needs.push("period");
	if (fees.some(({ state }) => state === "no-driver")) needs.push("drivers");
	const isForeign = facts.currency !== null && facts.currency !== FLEET_CURRENCY;
	if (isForeign && !answers.currency && fees.some(isNew)) needs.push("currency");
	const isAsked = fees.some((fee) => fee.isPossibleDuplicate) || overlaps.length > 0;
	if (isAsked && !answers.overlap) needs.push("overlap");
	return needs;
}
