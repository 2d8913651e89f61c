import { sql } from "drizzle-orm";
import { feeImports } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { tidyUp } from "../../kernel/tidy-up.server.ts";
import { rememberColumns } from "../column-choices.server.ts";
import { hasStagedDuplicate, hasStagedReference, overlapsSql } from "../comparison.server.ts";
import { activateMoney, isMoneyTaken, moneyOverlapsSql } from "../money-store.server.ts";
import { fileKey } from "../object-writer.server.ts";
import { planStatement } from "../plan.server.ts";
import { type LeftOut, type Plan, type PlannedFee, recordedMark } from "../plan.ts";
import { Staging } from "../staging.server.ts";
import type { Platform } from "../statement.ts";
import { unmatchedOf } from "../unknown-drivers.ts";
import { noteAddsNothing, type WaitingStatement } from "../waiting.server.ts";
import { type RememberRefusal, rememberDrivers } from "./remember-drivers.server.ts";
import { isOutdated, replaceFees } from "./replace-fees.server.ts";

export type FeeImport = typeof feeImports.$inferSelect;
/** Imports the rows that are ready, or all or nothing. */
export type ImportMode = "ready" | "all";
export type StatementImport = {
	/** Absent if everything was imported before. */
	readonly import: FeeImport | undefined;
	readonly plan: Plan;
};
export type StatementRefusal =
	| RememberRefusal
	/** Something has to be answered, or fixed in the file, first; nothing was stored. */
	| Refused<"open-needs", Plan>
	/** What is recorded isn't what the answers were given for. */
	| Refused<"recorded-meanwhile">
	| Refused<"busy">;

/** How often an import is retried when others import the same lines meanwhile. */
const TRIES = 5;

/**
 * Imports what is ready of a statement, and what corrects recorded fees if that is the answer: lines
 * and fees are staged, then one batch creates the import and makes everything in it live. If others have added the same lines or similar fees
 * meanwhile, it is planned again: those lines are left to them, and those fees are asked about.
 * @param seen the `recordedMark` of the plan that the answers were given for; absent in a call
 */
export async function importStatement(
	admin: AdminContext,
	bucket: R2Bucket,
	statement: WaitingStatement,
	mode: ImportMode,
	seen?: string,
): Promise<Outcome<StatementImport, StatementRefusal>> {
	for (let tries = 0; tries < TRIES; tries++) {
		const staging = await Staging.begin(admin);
		try {
			const plan = await planStatement(
				...[admin, bucket, statement],
				(lines) => staging.addLines(lines),
				(money) => staging.addMoney(statement.facts, money),
			);
			// An apparent duplicate may be the same line, imported while this was planned.
			if (tries === 0 && plan.needs.includes("overlap")) continue;
			if (isOpen(statement, plan, mode)) return refused("open-needs", plan);
			const { changed, overlap } = statement.answers;
			const isReplaced = changed === "replace";
			const ready = plan.fees.filter(
				({ state }) => state === "ready" || (state === "changed" && isReplaced),
			);
			const addsNothing = ready.length === 0 && staging.money === 0;
			const isAnswered = changed !== undefined || overlap;
			if (seen && isAnswered && !addsNothing && seen !== (await recordedMark(plan)))
				return refused("recorded-meanwhile");
			const remembered = await rememberChosenDrivers(admin, statement, plan);
			if (!remembered.ok) return remembered;
			if (addsNothing) {
				// Until its drivers are known, a person may still correct its period.
				if (unmatchedOf(plan).unmatchedDrivers === 0) {
					await tidyUp(admin, bucket.delete(fileKey(statement.id)));
					await tidyUp(admin, noteAddsNothing(admin, statement));
				}
				return done({ import: undefined, plan });
			}
			await staging.addFees(ready);
			const corrected = ready.filter(({ correction }) => correction);
			const made = await activate(admin, statement, plan, staging, corrected);
			if (!made) continue;
			await tidyUp(admin, bucket.delete(fileKey(statement.id)));
			const { columns } = statement.facts;
			if (columns) await tidyUp(admin, rememberColumns(admin, columns));
			for (const fee of ready) fee.state = "imported";
			return done({ import: made, plan });
		} finally {
			await tidyUp(admin, staging.discard());
		}
	}
	return refused("busy");
}

/** Whether something prevents an import: an open question or, of all rows, one with a lost fee. */
const isOpen = ({ facts }: WaitingStatement, { needs, leftOut }: Plan, mode: ImportMode) =>
	mode === "all"
		? needs.length > 0 || leftOut.some(({ reason }) => isLost(reason, facts.platform))
		: needs.some((need) => need !== "drivers");
/** A row without a driver is nobody's in a platform's file, and a gap in any other. */
const isLost = (reason: LeftOut["reason"], platform: Platform) =>
	LOST.has(reason) || (reason === "no-driver" && platform === "columns");
/** Why a driver's fee is left out; other rows have none, have it twice or are nobody's. */
const LOST: ReadonlySet<LeftOut["reason"]> = new Set([
	"unreadable-amount",
	"unreadable-date",
	"unreadable",
	"no-category",
	"too-old",
	"after-today",
]);

/** Remembers the drivers that were chosen for this statement. */
function rememberChosenDrivers(
	admin: AdminContext,
	{ facts, answers }: WaitingStatement,
	{ names }: Plan,
) {
	const matches = Object.entries(answers.drivers).map(([platformId, driverId]) => ({
		platformId,
		name: names.get(platformId) ?? "",
		driverId,
	}));
	return rememberDrivers(admin, facts.platform, matches);
}

/**
 * Creates the import from what is staged; nothing if one of its lines is live elsewhere by now, or
 * if something was added meanwhile that must be asked about.
 */
async function activate(
	admin: AdminContext,
	{ fileName, contentTag, facts, answers }: WaitingStatement,
	plan: Plan,
	{ importId: id, ...staged }: Staging,
	corrected: readonly PlannedFee[],
): Promise<FeeImport | undefined> {
	const { db, user, now } = admin;
	const { build } = db;
	const { period, extent, money } = plan;
	const isMoneyOnly = staged.fees === 0 && corrected.length === 0;
	const created = await createOnce(admin, {
		table: feeImports,
		id,
		creator: feeImports.addedBy,
		key: undefined,
		payload: [contentTag, id],
		facts: {
			lines: sql<number>`(select count(*) from statement_lines where import_id = ${id})`,
			fees: sql<number>`(select count(*) from staged_fees where import_id = ${id})`,
			taken: sql<number>`exists (select 1 from statement_lines as mine
				join statement_lines as other on other.line_key = mine.line_key and other.is_live = 1
				where mine.import_id = ${id} and other.import_id <> ${id}
					and (mine.recorded_cents is null or other.cents is not mine.recorded_cents))`,
			outdated: corrected.length > 0 ? isOutdated(id) : sql<number>`0`,
			money: sql<number>`(select count(*) from statement_money where import_id = ${id})`,
			moneyTaken: staged.money > 0 ? isMoneyTaken(id) : sql<number>`0`,
			overlaps:
				extent && !answers.overlap ? sql<number>`exists (${overlapsSql(extent)})` : sql<number>`0`,
			alike:
				money?.extent && !answers.overlap
					? sql<number>`exists (${moneyOverlapsSql(money.extent)})`
					: sql<number>`0`,
			duplicate: answers.overlap ? sql<number>`0` : hasStagedDuplicate(id, facts.platform),
			known: facts.platform === "columns" ? hasStagedReference(id) : sql<number>`0`,
		},
		accepts: sql`lines = ${staged.lines} and fees = ${staged.fees} and not taken
			and money = ${staged.money} and not moneyTaken and not outdated and not overlaps
			and not alike and not duplicate and not known`,
		values: {
			addedBy: user.id,
			fileName,
			// A fee that is corrected to nothing is one of its changes too.
			rowCount: isMoneyOnly
				? staged.money
				: sql`fees + ${corrected.filter(({ correction }) => correction?.cents === 0).length}`,
			...(isMoneyOnly ? { isMoneyOnly } : {}),
			createdAt: now,
			format: facts.format,
			platform: facts.platform === "columns" ? undefined : facts.platform,
			periodFrom: period?.from,
			periodTo: period?.to,
			...unmatchedOf(plan),
		},
		audit: {
			action: "fee.import",
			entity: "fee-import",
			after: sql`json_object('fileName', file_name, 'rowCount', iif(is_money_only, 0, row_count),
				'amountCents', ${staged.cents}, 'platform', platform, 'from', period_from,
				'to', period_to${staged.money > 0 ? sql`, 'moneyRows', ${staged.money}` : sql``})`,
		},
		next: (made) => {
			const isMade = sql`exists (select 1 from ${feeImports} where ${made})`;
			return {
				...(corrected.length > 0 ? replaceFees(admin, id, isMade) : {}),
				fees: build.run(sql`
					insert into uber_fees (id, driver_id, category, amount_cents, is_credit, charged_on,
						replaces_id, reference_number, description, added_by, created_at, import_id, payload_hash, last_change_id)
					select fee_id, driver_id, category, amount_cents, is_credit, charged_on, replaces_id,
						reference_number, description,
						${user.id}, ${now}, ${id}, ${contentTag}, ${id}
					from staged_fees where import_id = ${id} and ${isMade} on conflict do nothing`),
				lines: build.run(sql`update statement_lines set is_live = 1
					where import_id = ${id} and is_live = 0 and ${isMade}`),
				...(staged.money > 0 ? activateMoney(build, id, isMade) : {}),
			};
		},
		read: (make, rows) => make.select().from(feeImports).where(rows),
	});
	return created.kind === "created" ? created.row : undefined;
}
