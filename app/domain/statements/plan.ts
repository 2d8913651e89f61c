/** What importing a statement would do: its fees with their states, and what isn't a fee. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { truncate } from "../../values/fields.ts";
import { computeFingerprint } from "../../values/fingerprint.ts";
import type { FeeCategory } from "../uber-fees/rules.ts";
import { MAX_DESCRIPTION } from "./columns.ts";
import type { Extent, MatchedDriver, OverlappingImport } from "./comparison.server.ts";
import type { MoneyPlan } from "./money-plan.ts";
import type { LeftOutReason, StatementPeriod } from "./statement.ts";

/** What has to be answered before a statement can be imported. */
export const NEEDS = ["period", "drivers", "overlap", "changed", "unproven"] as const;
export type Need = (typeof NEEDS)[number];

/**
 * `imported` by this request; `imported-before` by an earlier one, whose lines are recognized;
 * `changed` if an earlier one recorded these lines with another amount, or an earlier download of
 * the file had them but not this one; `no-driver` until someone says whose it is.
 */
export const FEE_STATES = ["ready", "no-driver", "imported", "imported-before", "changed"] as const;
export type FeeState = (typeof FEE_STATES)[number];

/** What a recorded fee becomes if the amounts in the statement replace those in the books. */
export type Correction = {
	/** What the lines are recorded as, whether by the import or by a later edit. */
	readonly recordedCents: number;
	/** The recorded fee; null if its lines added up to zero. */
	readonly replacesId: string | null;
	/** The values of the replacing fee, including its lines that this file doesn't have. */
	readonly driver: MatchedDriver;
	readonly date: CalendarDate;
	readonly category: FeeCategory;
	readonly cents: number;
};

/** The sum of the lines of one driver, day and category with the same state. */
export type PlannedFee = {
	/** The id that the fee will have. */
	readonly feeId: string;
	/** Of the first line, if several of the platform's ids are matched with the driver. */
	readonly platformId: string;
	name: string;
	/** The first line's driver's identity: the platform's id, or the folded name. */
	readonly identity: string;
	readonly driver: MatchedDriver | undefined;
	readonly date: CalendarDate | null;
	readonly category: FeeCategory;
	/** Negative for a credit. */
	cents: number;
	state: FeeState;
	/** Why it may be recorded already, if it may. */
	doubt?: string | undefined;
	/** Of a file with custom columns, where each row is a fee unless money is given back. */
	readonly row?: number | undefined;
	readonly reference?: string | undefined;
	readonly description?: string | undefined;
	/** Of a changed fee. */
	readonly correction?: Correction;
	/** Whether the file no longer has any line of a changed fee. */
	readonly isMissing?: true;
};

/** A line of a fee, before its fee is known. */
type NewLine = Omit<PlannedFee, "feeId">;

/** Reasons that the reader can't know, because they depend on the fleet's date. */
export const REASONS_OF_DATE = ["after-today", "too-old"] as const;
export type LeftOut = {
	readonly row: number;
	readonly reason: LeftOutReason | (typeof REASONS_OF_DATE)[number];
	readonly cents: number | null;
	readonly why?: string | undefined;
};

export type Plan = {
	readonly period: StatementPeriod | null;
	readonly needs: readonly Need[];
	readonly fees: readonly PlannedFee[];
	/** Fees whose charges and credits cancel out. */
	readonly netted: readonly PlannedFee[];
	readonly leftOut: readonly LeftOut[];
	/** What it says about the drivers' money; absent if it says nothing about that. */
	readonly money: MoneyPlan | undefined;
	/** What decides if its ready fees overlap other imports; absent without a period. */
	readonly extent: Extent | undefined;
	readonly overlaps: readonly OverlappingImport[];
	/** The statement's names, by its drivers' identities. */
	readonly names: ReadonlyMap<string, string>;
};

/**
 * A fingerprint of what is already recorded, or may be: it changes when a yes to that would no
 * longer mean what was shown.
 */
export const recordedMark = ({ fees, money, overlaps }: Plan): Promise<string> =>
	computeFingerprint([
		...fees.flatMap(({ state, correction, cents, doubt, driver, date, category }) =>
			state === "changed" && correction
				? [correction.replacesId, correction.recordedCents, cents]
				: state === "ready" && doubt
					? [doubt, driver?.id ?? null, date, category, cents]
					: [],
		),
		...(money?.changed ?? []).flatMap(({ row, kind, recordedCents, foundCents }) => [
			row,
			kind,
			recordedCents,
			foundCents,
		]),
		...overlaps.flatMap(({ fileName, periodFrom }) => [fileName, periodFrom]),
	]);

/** Adds lines up to fees as they arrive. */
export class FeeSums {
	readonly #sums = new Map<string, PlannedFee>();
	/** The identities of drivers with ready lines. */
	readonly ready = new Set<string>();

	/**
	 * Adds a line to its fee, whose id it returns. Several of a platform's ids may be one driver; a
	 * row of a file with custom columns is a separate fee.
	 */
	add(line: NewLine): string {
		if (line.state === "ready") this.ready.add(line.identity);
		const whose = line.driver ? ["driver", line.driver.id] : ["unknown", line.identity];
		const key = [...whose, line.date, line.category, line.state, line.row ?? ""].join("\n");
		const sum = this.#sums.get(key);
		if (!sum) return this.addFee(key, line);
		sum.cents += line.cents;
		sum.name ||= line.name;
		return sum.feeId;
	}

	/** Adds a separate fee. */
	addFee(key: string, fee: NewLine): string {
		const feeId = newFeeId();
		this.#sums.set(key, { ...fee, feeId });
		return feeId;
	}

	/** The fees by day and driver, or in the order of their rows, and those that sum to zero. */
	split(): { fees: PlannedFee[]; netted: PlannedFee[] } {
		const all = netRows([...this.#sums.values()]).sort(byDay);
		return {
			fees: all.filter((fee) => !isNetted(fee)),
			netted: all.filter(isNetted),
		};
	}
}

/** Subtracts rows with money given back from the others of their driver, day and category. */
function netRows(fees: readonly PlannedFee[]): PlannedFee[] {
	const groups = new Map<string, PlannedFee[]>();
	for (const fee of fees) {
		const isRow = fee.row !== undefined && fee.state === "ready";
		const key = isRow ? [fee.driver?.id, fee.date, fee.category].join("\n") : fee.feeId;
		groups.set(key, [...(groups.get(key) ?? []), fee]);
	}
	return [...groups.values()].flatMap((group) => {
		const [first] = group;
		if (!first || group.length === 1 || group.every(({ cents }) => cents > 0)) return group;
		const rows = group.map(({ row }) => row).join(", ");
		const cents = group.reduce((sum, fee) => sum + fee.cents, 0);
		const description = truncate(`Rows ${rows} of the file`, MAX_DESCRIPTION);
		return [{ ...first, cents, reference: undefined, description }];
	});
}

const isNetted = ({ cents, correction }: PlannedFee) => cents === 0 && !correction;

/** The parts of a fee above the maximum have the same id but for its last two digits. */
const PART_DIGITS = 2;
const newFeeId = () => feePartId(crypto.randomUUID(), 0);
export const feePartId = (feeId: string, part: number): string =>
	feeId.slice(0, -PART_DIGITS) + part.toString(16).padStart(PART_DIGITS, "0");

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const byDay = (one: PlannedFee, other: PlannedFee) =>
	(one.row ?? 0) - (other.row ?? 0) ||
	compare(one.date ?? "", other.date ?? "") ||
	compare(one.name, other.name) ||
	compare(one.identity, other.identity) ||
	compare(one.category, other.category) ||
	compare(one.state, other.state);
