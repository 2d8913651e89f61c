/** The sums of any sequence of overlapping files, on real D1 and R2. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { half } from "../../../lab/torture/plan.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { blocksOf, countedRows, storedBlocks } from "../../../tests/support/totals.ts";
import { keepStatement } from "../../../tests/support/waiting-statements.ts";
import { addDays } from "../../values/calendar-date.ts";
import { importStatement } from "./commands/import.server.ts";
import { rememberDrivers } from "./commands/remember-drivers.server.ts";
import { undoImport } from "./commands/undo-import.server.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOW);
const store = await openFileStore();

/** All lines: each with a driver, one of five days, a category and an amount. */
const LINES = Array.from({ length: 60 }, (_, number) => ({
	key: `overlap-${number}`,
	platformId: `there-${number % 3}`,
	day: number % 5,
	category: (["service_fee", "other"] as const)[number % 2] ?? ("other" as const),
	cents: ((number * 7919) % 4001) - 1500,
}));

/** Imports some of the lines as a separate file. */
async function send(by: "ada" | "ben", from: number, length: number) {
	const admin = await bench.admin(by);
	const lines = LINES.slice(from, from + length).map(({ day, ...line }) => ({
		...line,
		date: addDays(admin.today, -day),
	}));
	const statement = await keepStatement(admin, store, lines);
	const outcome = await importStatement(admin, store, statement, "all");
	expect(outcome.ok).toBe(true);
	return outcome.ok ? outcome.value.import?.id : undefined;
}

const recorded = async () =>
	(
		await bench.rows<{ cents: number }>(`select coalesce(sum(iif(is_credit, -amount_cents,
			amount_cents)), 0) as cents from uber_fees where deleted_at is null`)
	)[0]?.cents;

it("count the lines of all of them once each, whatever is undone and resent meanwhile", async () => {
	const admin = await bench.admin("ada");
	const there = (["dana", "omar", "lena"] as const).map((name, number) => ({
		...{ platformId: `there-${number}`, name: "Somebody", driverId: idOf(name) },
	}));
	expect((await rememberDrivers(admin, "uber", there)).ok).toBe(true);
	const start = (await recorded()) ?? 0;
	let files = 0;
	const step = fc.record({
		kind: fc.constantFrom("send", "send", "send", "both", "undo"),
		from: fc.nat(59),
		length: fc.integer({ min: 1, max: 40 }),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
			/** Lines by the import in which they are live. */
			const live = new Map<string, Set<string>>();
			const note = (id: string | undefined, from: number, length: number) => {
				files += 1;
				if (!id) return;
				const taken = new Set([...live.values()].flatMap((keys) => [...keys]));
				const keys = LINES.slice(from, from + length).map(({ key }) => key);
				live.set(id, new Set(keys.filter((key) => !taken.has(key))));
			};
			for (const { kind, from, length } of steps) {
				if (kind === "send") note(await send("ada", from, length), from, length);
				else if (kind === "both") {
					const ids = await Promise.all([send("ada", from, length), send("ben", from, length)]);
					for (const id of ids) note(id, from, length);
				} else {
					const [id] = [...live.keys()].slice(from % Math.max(1, live.size));
					if (id) expect((await undoImport(await bench.admin("ben"), id)).ok).toBe(true);
					if (id) live.delete(id);
				}
				const keys = new Set([...live.values()].flatMap((each) => [...each]));
				const rows = await bench.rows<{ line_key: string }>(
					"select line_key from statement_lines where is_live = 1",
				);
				const kept = new Set(rows.map(({ line_key }) => line_key));
				// Lines that sum to zero by themselves are in no import.
				expect([...kept].filter((key) => !keys.has(key))).toEqual([]);
				const sum = LINES.filter(({ key }) => keys.has(key)).reduce(
					(all, { cents }) => all + cents,
					0,
				);
				expect(await recorded()).toBe(start + sum);
			}
			for (const id of live.keys()) await undoImport(await bench.admin("ada"), id);
			expect(await recorded()).toBe(start);
			expect(await storedBlocks(bench.rows)).toEqual(blocksOf(await countedRows(bench.rows)));
		}),
		{ numRuns: half(20) },
	);
	console.log(`${files} overlapping files, none of whose lines counted twice`);
});
