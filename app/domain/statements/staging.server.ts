/**
 * The lines and fees of an import in progress, in bounded batches. They don't count until the
 * import is activated; what an interrupted one leaves behind is swept.
 */
import { type SQL, sql } from "drizzle-orm";
import { eachOf } from "../../db/each-of.server.ts";
import { MAX_CENTS } from "../../values/money.ts";
import type { AdminContext } from "../kernel/context.ts";
import {
	discardMoney,
	IS_ONLY_STAGED,
	type StagedMoney,
	stageMoney,
} from "./money-store.server.ts";
import { feePartId, type PlannedFee } from "./plan.ts";
import type { StatementFacts } from "./reading.server.ts";

/** Rows per statement. */
const ROWS = 5000;

/** A line that can be imported, and the fee that it is part of. */
export type StagedLine = {
	readonly key: string;
	readonly cents: number;
	readonly feeId: string;
	/** The amount that it corrects. */
	readonly recordedCents?: number | null;
};

/** What was staged, to be checked when the import is activated. */
export class Staging {
	lines = 0;
	money = 0;
	fees = 0;
	cents = 0;

	private constructor(
		private readonly admin: AdminContext,
		readonly importId: string,
	) {}

	/** Starts an import. */
	static async begin(admin: AdminContext): Promise<Staging> {
		const staging = new Staging(admin, crypto.randomUUID());
		await admin.db.batch({
			begun: admin.db.build.run(sql`insert into staged_imports (id, created_at)
				values (${staging.importId}, ${admin.now}) on conflict do nothing`),
		});
		return staging;
	}

	/** Stages lines; a key that is already staged isn't another line. */
	async addLines(lines: readonly StagedLine[]): Promise<void> {
		const rows = lines.map(({ key, cents, feeId, recordedCents = null }) => [
			...[key, cents, feeId, recordedCents],
		]);
		const { staged } = await this.admin.db.batch({
			written: this.admin.db.build.run(sql`
				insert into statement_lines (import_id, line_key, is_live, cents, fee_id, recorded_cents)
				select ${this.importId}, each.value ->> 0, 0, each.value ->> 1, each.value ->> 2,
					each.value ->> 3
				from ${eachOf(rows)} where true on conflict do nothing`),
			staged: this.admin.db.build.all<{ count: number }>(
				sql`select count(*) as count from statement_lines where import_id = ${this.importId}`,
			),
		});
		this.lines = staged[0]?.count ?? 0;
	}

	/** Stages drivers' money. */
	async addMoney(facts: StatementFacts, rows: readonly StagedMoney[]): Promise<void> {
		const { staged } = await this.admin.db.batch({
			written: stageMoney(this.admin.db.build, this.importId, facts, rows),
			staged: this.admin.db.build.all<{ count: number }>(
				sql`select count(*) as count from statement_money where import_id = ${this.importId}`,
			),
		});
		this.money = staged[0]?.count ?? 0;
	}

	/** Stages fees. A fee above the maximum becomes several. */
	async addFees(fees: readonly PlannedFee[]): Promise<void> {
		const rows = fees.flatMap(toRows);
		for (let at = 0; at < rows.length; at += ROWS)
			await this.admin.db.batch({
				written: this.admin.db.build.run(sql`
					insert into staged_fees (import_id, fee_id, driver_id, category, amount_cents, is_credit,
						charged_on, replaces_id, reference_number, description)
					select ${this.importId}, each.value ->> 0, each.value ->> 1, each.value ->> 2,
						each.value ->> 3, each.value ->> 4, each.value ->> 5, each.value ->> 6,
						each.value ->> 7, each.value ->> 8
					from ${eachOf(rows.slice(at, at + ROWS))}
					where true on conflict do nothing`),
			});
		this.fees = rows.length;
		this.cents = fees.reduce((sum, fee) => sum + (fee.correction ?? fee).cents, 0);
	}

	/** Removes everything. */
	async discard(): Promise<void> {
		await this.admin.db.batch(discardStatements(this.admin, sql`= ${this.importId}`));
	}
}

type StagedRow = readonly [
	id: string,
	driverId: string,
	category: string,
	cents: number,
	isCredit: 0 | 1,
	date: string,
	replacesId: string | null,
	reference: string | null,
	description: string | null,
];

function toRows(fee: PlannedFee): StagedRow[] {
	const { driver, category, cents, date } = fee.correction ?? fee;
	if (!driver || date === null) return [];
	const rows: StagedRow[] = [];
	for (let left = Math.abs(cents); left > 0; left -= MAX_CENTS)
		rows.push([
			feePartId(fee.feeId, rows.length),
			driver.id,
			category,
			Math.min(left, MAX_CENTS),
			cents < 0 ? 1 : 0,
			date,
			fee.correction?.replacesId ?? null,
			fee.reference ?? null,
			fee.description ?? null,
		]);
	return rows;
}

/** Removes what was staged for imports; lines of a live one stay. */
function discardStatements({ db: { build } }: Pick<AdminContext, "db">, which: SQL) {
	return {
		lines: build.run(
			sql`delete from statement_lines where import_id ${which} and ${IS_ONLY_STAGED}`,
		),
		money: discardMoney(build, which),
		fees: build.run(sql`delete from staged_fees where import_id ${which}`),
		imports: build.run(sql`delete from staged_imports where id ${which}`),
	};
}
