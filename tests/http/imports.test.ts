/**
 * Statements are imported, sent again and undone in turn, in a heap of Cloudflare's size: totals
 * always match the imports in effect, nothing is imported twice, and memory stays flat (`npm run
 * torture -- imports` uses the largest statements allowed).
 */
import { expect, it } from "vitest";
import { ISOLATE_MEGABYTES } from "../../lab/heap-limit.ts";
import { diceOf } from "../../lab/torture/dice.ts";
import { Memory } from "../../lab/torture/load/memory.ts";
import { isShort, report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { freePort } from "../../tools/free-port.ts";
import { costOf } from "../support/cost.ts";
import {
	driverMatches,
	type GeneratedStatement,
	generateStatement,
	insertStatementDrivers,
} from "../support/generated-statements.ts";
import { callStatements } from "../support/statement-calls.ts";
import { openFleet } from "../support/worker.ts";

const [ROWS, DRIVERS] = isShort ? [800, 50] : [50_000, 2000];
/** The long form starts with this many statements that were never sent before. */
const FRESH_AT_FIRST = isShort ? 0 : 3;
/** How many weeks back fees may still be entered. */
const MAX_SERIES = 36;

const fleet = await openFleet({
	port: await freePort(),
	heapMegabytes: ISOLATE_MEGABYTES,
	isInspected: true,
});
const sql = fleet.sql.bind(fleet);

it(
	"imports, refuses duplicates and undoes, with totals that always match",
	async () => {
		await insertStatementDrivers(sql, DRIVERS);
		const ada = await fleet.as("ada");
		const drivers = driverMatches(DRIVERS);
		const memory = new Memory(fleet);
		const live = new Map<number, { made: GeneratedStatement; importId: string }>();
		const found = { imports: 0, undone: 0, wrong: 0, twice: 0, failed: 0 };
		const importStatement = async (series: number, made: GeneratedStatement) => {
			const preview = await callStatements(ada, {}, made.file, true);
			const answer = await callStatements(
				ada,
				{ id: preview.body.id, mode: "all", drivers },
				undefined,
				true,
			);
			found.imports += 1;
			if (!isShort) console.log(`${costOf(preview).trips} and ${costOf(answer).trips} round trips`);
			if (answer.status !== 201) {
				found.failed += 1;
				console.log(`import: ${preview.status}, ${answer.status} ${answer.text.slice(0, 300)}`);
			}
			const { importId } = answer.body;
			if (importId && live.has(series)) found.twice += 1;
			else if (importId) live.set(series, { made, importId });
		};
		const undo = async (series: number, importId: string) => {
			const { status } = await ada.post(
				"/uber-fees/import",
				{ intent: "undo", id: importId },
				{ mayFail: true },
			);
			found.undone += 1;
			if (status === 303) live.delete(series);
			else found.failed += 1;
		};
		const check = async () => {
			const [row] = await sql<{ count: number; cents: number; lines: number }>(
				`select count(*) as count, coalesce(sum(amount_cents), 0) as cents,
					(select count(*) from statement_lines) as lines from uber_fees where deleted_at is null`,
			);
			const sum = (of: (made: GeneratedStatement) => number) =>
				[...live.values()].reduce((total, { made }) => total + of(made), 0);
			const isRight =
				row?.count === sum(({ fees }) => fees) && row.cents === sum(({ cents }) => cents);
			if (!isRight || row.lines !== live.size * ROWS) {
				found.wrong += 1;
				console.log(`after ${found.imports} imports: ${JSON.stringify(row)}`);
			}
		};
		for (const round of rounds(6)) {
			const dice = diceOf(SEED, round);
			const began = performance.now();
			const [series, stands] =
				round < FRESH_AT_FIRST
					? ([-1, undefined] as const)
					: dice.pick([...live, [-1, undefined] as const]);
			if (stands && dice.once(2)) await undo(series, stands.importId);
			else if (stands) await importStatement(series, stands.made);
			else {
				const fresh = round % MAX_SERIES;
				if (!live.has(fresh)) await importStatement(fresh, generateStatement(ROWS, DRIVERS, fresh));
			}
			await check();
			const megabytes = await memory.note();
			const seconds = ((performance.now() - began) / 1000).toFixed(1);
			if (!isShort)
				console.log(`${found.imports} imported: ${seconds} s, ${megabytes.toFixed(1)} MB`);
		}
		for (const [series, { importId }] of [...live]) await undo(series, importId);
		await check();
		const tried = `statements of ${ROWS.toLocaleString("en-US")} rows`;
		const errors = fleet.takeErrors();
		report("imports", [
			mustBeZero(tried, found.imports, "imported twice", found.twice),
			mustBeZero(tried, found.imports, "failed", found.failed + errors.length),
			mustBeZero(
				tried,
				found.imports + found.undone,
				"totals that don't match the imports",
				found.wrong,
			),
			...memory.finding(tried, found.imports + found.undone),
		]);
		expect(found.undone).toBeGreaterThan(0);
	},
	TIMEOUT,
);
