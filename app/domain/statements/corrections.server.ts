/** Lines that were imported before with another amount: what has become of their fees. */
import type { AdminContext } from "../kernel/context.ts";
import { type MatchedDriver, type RecordedFee, selectRecordedFees } from "./comparison.server.ts";
import type { FeeSums } from "./plan.ts";
import type { StagedLine } from "./staging.server.ts";
import type { StatementLine } from "./statement.ts";

/** A line whose recorded amount differs from that in the file. */
export type ChangedLine = Omit<StatementLine, "kind" | "row" | "key"> & {
	readonly key: string;
	readonly identity: string;
	readonly driver: MatchedDriver | undefined;
	readonly recordedCents: number;
	/** The fee that it was recorded with. */
	readonly root: string;
	/** Whether the file no longer has it. */
	readonly isMissing?: true;
};

/** Fees looked up per trip. */
const CHUNK = 2000;

/**
 * Adds the changed lines to the sums, fee by fee, and returns them as they would be staged. A fee
 * that was edited to what the file states now, or that was deleted, is no longer asked about.
 */
export async function settleChanged(
	admin: AdminContext,
	lines: readonly ChangedLine[],
	sums: FeeSums,
): Promise<StagedLine[]> {
	const groups = byRoot(lines);
	const recorded = await findRecorded(admin, [...groups.keys()]);
	return [...groups].flatMap(([root, changed]) =>
		settleFee(root, changed, recorded.get(root) ?? [], sums),
	);
}

async function findRecorded({ db }: AdminContext, roots: readonly string[]) {
	const found: RecordedFee[] = [];
	for (let at = 0; at < roots.length; at += CHUNK) {
		const { fees } = await db.batch({
			fees: selectRecordedFees(db.build, roots.slice(at, at + CHUNK)),
		});
		found.push(...fees);
	}
	return byRoot(found);
}

function byRoot<Each extends { readonly root: string }>(all: readonly Each[]) {
	const groups = new Map<string, Each[]>();
	for (const each of all) {
		const group = groups.get(each.root);
		if (group) group.push(each);
		else groups.set(each.root, [each]);
	}
	return groups;
}

const sumOf = (fees: readonly { readonly cents: number }[]) =>
	fees.reduce((sum, { cents }) => sum + cents, 0);

function settleFee(
	root: string,
	lines: readonly ChangedLine[],
	recorded: readonly RecordedFee[],
	sums: FeeSums,
): StagedLine[] {
	const live = recorded.filter(({ isLive }) => isLive);
	const first = sumOf(recorded.filter(({ isFirst }) => isFirst));
	const edited = sumOf(live) - first;
	const change = lines.reduce((sum, { cents, recordedCents }) => sum + cents - recordedCents, 0);
	const isDeleted = recorded.length > 0 && live.length === 0;
	const isAgreed = edited !== 0 && edited === change;
	const there = lines.filter(({ isMissing }) => !isMissing);
	if (isDeleted || isAgreed) {
		for (const line of there) sums.add({ ...line, state: "imported-before" });
		return [];
	}
	// Missing lines that cancel out changed nothing.
	if (there.length === 0 && change === 0) return [];
	const line = there[0] ?? lines[0];
	const [fee] = live;
	const driver = fee ?? line?.driver;
	const date = fee?.date ?? line?.date;
	if (!line || !driver || !date) {
		for (const each of there) sums.add({ ...each, state: "no-driver" });
		return [];
	}
	const { platformId, identity } = line;
	const name = line.name || `${driver.firstName} ${driver.lastName}`;
	const category = there.length === 0 ? (fee?.category ?? line.category) : line.category;
	const feeId = sums.addFee(root, {
		...{ platformId, name, identity, driver, date, category, state: "changed" },
		...(there.length === 0 ? { isMissing: true } : {}),
		cents: sumOf(lines),
		correction: {
			recordedCents: lines.reduce((sum, each) => sum + each.recordedCents, edited),
			replacesId: fee?.feeId ?? null,
			...{ driver, date, category: fee?.category ?? category },
			cents: first + change,
		},
	});
	return lines.map(({ key, cents, recordedCents }) => ({ key, cents, feeId, recordedCents }));
}
