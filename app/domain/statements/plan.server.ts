/** Determines what importing a statement would do, line by line and in bounded memory. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { firstEntryDate } from "../../values/date-input.ts";
import type { AdminContext } from "../kernel/context.ts";
import { answeredPeriod } from "./answers.ts";
import {
	type Extent,
	type FeeKey,
	type OverlappingImport,
	selectAddedByHand,
	selectLiveLines,
	selectOverlaps,
	selectRecorded,
	selectReferredFees,
} from "./comparison.server.ts";
import { type ChangedLine, settleChanged } from "./corrections.server.ts";
import { DriverMatcher } from "./driver-matcher.server.ts";
import { Recorded } from "./missing.server.ts";
import { MoneyPlanner, type MoneySink } from "./money-plan.server.ts";
import { type MoneyExtent, selectMoneyOverlaps } from "./money-store.server.ts";
import { isShortened } from "./persons.ts";
import {
	type FeeState,
	FeeSums,
	type LeftOut,
	type Need,
	type Plan,
	type PlannedFee,
} from "./plan.ts";
import { readEvents } from "./reading.server.ts";
import { ReferenceCheck } from "./references.ts";
import { keysAsRecorded } from "./row-order.ts";
import type { StagedLine } from "./staging.server.ts";
import type { AbsentLine, StatementLine } from "./statement.ts";
import type { WaitingStatement } from "./waiting.server.ts";

/** Lines compared with the database per trip. */
const CHUNK = 5000;

/** Receives the lines that can be imported, chunk by chunk. */
export type LineSink = (lines: readonly StagedLine[]) => Promise<void>;

/** What importing a waiting statement would do now. */
export async function planStatement(
	admin: AdminContext,
	bucket: R2Bucket,
	statement: WaitingStatement,
	sink?: LineSink,
	moneySink?: MoneySink,
): Promise<Plan> {
	const { facts } = statement;
	const sums = new FeeSums();
	const leftOut: LeftOut[] = [];
	const matcher = await DriverMatcher.for(admin, statement);
	const changed: ChangedLine[] = [];
	const isByRow = facts.platform === "columns";
	const recorded = new Recorded();
	const known = { isByRow, matcher, references: new ReferenceCheck(), sums, changed, recorded };
	const isOutside = (date: CalendarDate) => outsideOf(date, admin.today) !== undefined;
	const planner = new MoneyPlanner(admin, statement, matcher, isOutside, moneySink);
	let chunk: (StatementLine | AbsentLine)[] = [];
	const settle = async () => {
		const ready = await settleLines(admin, known, chunk);
		if (sink && ready.length > 0) await sink(ready);
		chunk = [];
	};
	for await (const event of readEvents(bucket, statement.id)) {
		if (event.kind === "left-out") {
			const { row, reason, cents, why } = event;
			leftOut.push({ row, reason, cents, why });
			continue;
		}
		if (event.kind === "money") {
			await planner.add(event);
			continue;
		}
		const outside = outsideOf(event.date, admin.today);
		if (outside && event.kind === "absent") continue;
		if (outside && event.kind === "line")
			leftOut.push({ row: event.row, reason: outside, cents: event.cents });
		else if (chunk.push(event) === CHUNK) await settle();
	}
	if (chunk.length > 0) await settle();
	if (!isByRow) changed.push(...(await recorded.missing(admin, statement, leftOut)));
	const corrected = await settleChanged(admin, changed, sums);
	if (sink && statement.answers.changed === "replace")
		for (let at = 0; at < corrected.length; at += CHUNK)
			await sink(corrected.slice(at, at + CHUNK));
	const money = await planner.end(leftOut);
	const { fees, netted } = sums.split();
	await flagDuplicates(admin, fees, statement);
	const period =
		facts.period ?? answeredPeriod(statement.answers) ?? coveredBy(fees) ?? money?.extent ?? null;
	const ready = fees.filter(({ state }) => state === "ready");
	const { platform, format, isByPeriod } = facts;
	const extent =
		period && ready.length > 0 && platform !== "columns"
			? {
					...{ platform, format, isByPeriod, period },
					driverIds: [...new Set(ready.flatMap(({ driver }) => driver?.id ?? []))],
					platformIds: [...sums.ready],
				}
			: undefined;
	const overlaps = await findOverlaps(admin, extent, money?.extent);
	leftOut.sort((a, b) => a.row - b.row);
	const plan = { period, fees, netted, leftOut, money, extent, overlaps, names: matcher.names };
	return { ...plan, needs: needsOf(statement, plan) };
}

/** Imports that may have the same fees, or else the same money. */
async function findOverlaps(
	{ db }: AdminContext,
	extent: Extent | undefined,
	money: MoneyExtent | undefined,
): Promise<readonly OverlappingImport[]> {
	if (!extent && !money) return [];
	const { same, alike } = await db.batch({
		same: extent ? selectOverlaps(db.build, extent) : undefined,
		alike: money ? selectMoneyOverlaps(db.build, money) : undefined,
	});
	return same.length > 0 ? same : alike;
}

/** What is known of a statement's lines so far. */
type Known = {
	readonly isByRow: boolean;
	readonly matcher: DriverMatcher;
	readonly references: ReferenceCheck;
	readonly sums: FeeSums;
	readonly changed: ChangedLine[];
	readonly recorded: Recorded;
};

/** Adds up a chunk of lines, and determines which could be imported. */
async function settleLines(
	{ db }: AdminContext,
	{ isByRow, matcher, references, sums, changed, recorded: here }: Known,
	lines: readonly (StatementLine | AbsentLine)[],
): Promise<StagedLine[]> {
	const keys = lines.flatMap(({ key }) => (key === null ? [] : [key]));
	const referred = lines.flatMap((line) =>
		line.kind === "line" && line.reference && !isShortened(line.reference) ? [line.reference] : [],
	);
	const { live, aliases, coded, recorded } = await db.batch({
		live: selectLiveLines(db.build, keys),
		...matcher.lookUp(lines),
		recorded: referred.length > 0 ? selectReferredFees(db.build, referred) : undefined,
	});
	matcher.learn(aliases, coded);
	const known = new Map(live.map((line) => [line.key, line]));
	const ready: StagedLine[] = [];
	const centsOf = (event: StatementLine | AbsentLine) => (event.kind === "line" ? event.cents : 0);
	const ordered = keysAsRecorded(
		lines,
		(line) => line.key,
		(line) => String(centsOf(line)),
		(key) => String(known.get(key)?.cents),
	);
	for (const [place, event] of lines.entries()) {
		const { platformId, name, date, category } = event;
		const key = ordered[place] ?? null;
		const cents = centsOf(event);
		const before = key === null ? undefined : known.get(key);
		const { identity, driver } = matcher.match(platformId, name);
		const whose = { platformId, name, identity, driver, date, category };
		if (before) here.add(before, whose);
		if (event.kind === "absent" && !before?.cents) continue;
		const line = { ...whose, cents };
		const { cents: recordedCents = null, feeId: root = null } = before ?? {};
		if (key !== null && recordedCents !== null && recordedCents !== cents && root !== null) {
			changed.push({ ...line, key, recordedCents, root });
			continue;
		}
		if (event.kind === "line" && isByRow && !before) {
			const { row, reference = "", description } = event;
			const asked = { row, reference, category, cents, date, driverId: driver?.id };
			const theirs = recorded.filter((fee) => fee.reference === reference);
			const { isRecorded, doubt } = references.compare(asked, theirs);
			const state = isRecorded ? "imported-before" : driver ? "ready" : "no-driver";
			const kept = isShortened(reference) ? undefined : reference || undefined;
			const feeId = sums.add({ ...line, state, doubt, row, reference: kept, description });
			if (state === "ready" && key !== null) ready.push({ key, cents, feeId });
			continue;
		}
		const state: FeeState = before ? "imported-before" : driver ? "ready" : "no-driver";
		const feeId = sums.add({ ...line, state, row: isByRow ? event.row : undefined });
		if (state === "ready" && key !== null) ready.push({ key, cents, feeId });
	}
	return ready;
}

/**
 * Marks fees that were already added by hand or by columns; rows of a file with columns of its own
 * are compared with all fees.
 */
async function flagDuplicates(
	{ db }: AdminContext,
	fees: readonly PlannedFee[],
	{ answers: { changed }, facts }: WaitingStatement,
): Promise<void> {
	const select = facts.platform === "columns" ? selectRecorded : selectAddedByHand;
	const isAdded = ({ state }: PlannedFee) =>
		state === "ready" || (state === "changed" && changed !== "keep");
	const ready = fees.filter((fee) => isAdded(fee) && fee.date !== null);
	for (let at = 0; at < ready.length; at += CHUNK) {
		const some = ready.slice(at, at + CHUNK);
		const { found } = await db.batch({
			found: select(db.build, some.map(toLookedFor)),
		});
		for (const { position } of found) {
			const fee = some[position];
			if (fee) fee.doubt ??= "The same fee was added before";
		}
	}
}

function toLookedFor(fee: PlannedFee): FeeKey {
	const { driver, date, category, cents } = fee.correction ?? fee;
	return [
		driver?.id ?? "",
		date ?? ("" as CalendarDate),
		category,
		Math.abs(cents),
		cents < 0 ? 1 : 0,
		fee.reference ?? null,
	];
}

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
	const days = fees.flatMap(({ date }) => date ?? []).sort();
	const [from, to] = [days[0], days.at(-1)];
	return from && to ? { from, to } : null;
}

function needsOf(
	{ facts, answers }: WaitingStatement,
	{ period, fees, money, overlaps }: Omit<Plan, "needs">,
): Need[] {
	const needs: Need[] = [];
	if (facts.isByPeriod && !period) needs.push("period");
	if (fees.some(({ state }) => state === "no-driver")) needs.push("drivers");
	const isAsked = fees.some(({ doubt }) => doubt !== undefined) || overlaps.length > 0;
	if (isAsked && !answers.overlap) needs.push("overlap");
	const isChanged = fees.some(({ state }) => state === "changed") || money?.changed.length;
	if (!answers.changed && isChanged) needs.push("changed");
	if (!answers.unproven && money?.isUnstated) needs.push("unproven");
	return needs;
}
