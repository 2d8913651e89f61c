/** Importing statements in cases that no single file shows, on real D1 and R2. */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertFee } from "../../../tests/support/fees.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import {
	keepStatement,
	type WaitingLine,
	waitingToImport,
} from "../../../tests/support/waiting-statements.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { MAX_CENTS } from "../../values/money.ts";
import { importStatement } from "./commands/import.server.ts";
import { rememberDrivers } from "./commands/remember-drivers.server.ts";
import { planStatement } from "./plan.server.ts";
import type { StatementFacts } from "./reading.server.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const DAY = "2026-11-18" as CalendarDate;
const bench = await openDatabase("everyone", NOW);
const store = await openFileStore();

const line = (platformId: string, cents: number, more: Partial<WaitingLine> = {}): WaitingLine => ({
	...{ key: crypto.randomUUID(), platformId, date: DAY, category: "commission", cents, ...more },
});
const stored = () =>
	bench.rows<{ driver_id: string; amount_cents: number; is_credit: number }>(
		"select driver_id, amount_cents, is_credit from uber_fees order by amount_cents",
	);

beforeEach(async () => {
	for (const table of [
		"uber_fees",
		"fee_imports",
		"statement_lines",
		"statement_money",
		"platform_drivers",
	])
		await bench.rows(`delete from ${table}`);
});

describe("two of the platform's ids that are one driver", () => {
	beforeEach(async () => {
		const matches = ["phone", "tablet"].map((platformId) => ({
			...{ platformId, name: "Somebody", driverId: idOf("dana") },
		}));
		const remembered = await rememberDrivers(await bench.admin("ada"), "uber", matches);
		expect(remembered.ok).toBe(true);
	});

	it("are one fee for a day and category, with what was given back subtracted", async () => {
		const admin = await bench.admin("ada");
		const lines = [
			line("phone", 1000),
			line("tablet", 500),
			line("phone", -400),
			...[line("phone", 300, { category: "other" }), line("tablet", -300, { category: "other" })],
		];
		const statement = await keepStatement(admin, store, lines);
		const outcome = await importStatement(admin, store, statement, "all");
		expect(outcome.ok && outcome.value.plan.fees).toMatchObject([
			{ platformId: "phone", cents: 1100, state: "imported" },
		]);
		expect(outcome.ok && outcome.value.plan.netted).toHaveLength(1);
		expect(await stored()).toEqual([{ driver_id: idOf("dana"), amount_cents: 1100, is_credit: 0 }]);
		const again = await keepStatement(admin, store, lines);
		const plan = await planStatement(admin, store, again);
		expect(plan.fees).toMatchObject([{ cents: 1100, state: "imported-before" }]);
		expect((await importStatement(admin, store, again, "all")).ok).toBe(true);
		expect(await stored()).toHaveLength(1);
	});

	it("are compared by their sum with a fee that was added by hand", async () => {
		const admin = await bench.admin("ada");
		await insertFee(bench.rows, 1, "dana", DAY, { amount_cents: 1500, created_at: NOW });
		const statement = await keepStatement(admin, store, [line("phone", 1000), line("tablet", 500)]);
		const plan = await planStatement(admin, store, statement);
		expect(plan.needs).toEqual(["overlap"]);
		expect(plan.fees).toMatchObject([{ cents: 1500, doubt: "The same fee was added before" }]);
	});

	it("are remembered by their own names when they are chosen at once", async () => {
		const admin = await bench.admin("ada");
		await bench.rows("delete from platform_drivers");
		const statement = await keepStatement(admin, store, [
			line("phone", 1000, { name: "D. Driver" }),
			line("tablet", 500, { name: "Dana Driver" }),
		]);
		const drivers = { phone: idOf("dana"), tablet: idOf("dana") };
		const answered = { ...statement, answers: { ...statement.answers, drivers } };
		expect((await importStatement(admin, store, answered, "all")).ok).toBe(true);
		expect(
			await bench.rows("select platform_id, name from platform_drivers order by platform_id"),
		).toEqual([
			{ platform_id: "phone", name: "D. Driver" },
			{ platform_id: "tablet", name: "Dana Driver" },
		]);
	});
});

describe("what someone else adds between the plan and the import", () => {
	const WEEK = { from: "2026-11-12" as CalendarDate, to: DAY };
	const SUMS = { format: "uber-payments-driver", isByPeriod: true, period: WEEK } as const;
	beforeEach(async () => {
		const match = { platformId: "phone", name: "Somebody", driverId: idOf("dana") };
		expect((await rememberDrivers(await bench.admin("ada"), "uber", [match])).ok).toBe(true);
	});

	it("is asked about when it is the other statement of the same week", async () => {
		let release = () => {};
		const bothPlanned = new Promise<void>((resolve) => {
			release = resolve;
		});
		let count = 0;
		const meet = () => {
			count += 1;
			if (count === 2) release();
			return bothPlanned;
		};
		const send = async (by: "ada" | "ben", facts: Partial<StatementFacts>) => {
			const admin = await bench.admin(by);
			const statement = await keepStatement(admin, store, [line("phone", 2000)], facts);
			return importStatement(waitingToImport(admin, meet), store, statement, "all");
		};
		const outcomes = await Promise.all([send("ada", { period: WEEK }), send("ben", SUMS)]);
		expect(count).toBe(2);
		expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
		expect(outcomes.find(({ ok }) => !ok)).toMatchObject({
			reason: "open-needs",
			details: { needs: ["overlap"], overlaps: [{ periodTo: DAY }] },
		});
		expect(await stored()).toHaveLength(1);
	});

	it("is asked about when it is the same fee by hand, and not after a yes", async () => {
		const admin = await bench.admin("ada");
		const statement = await keepStatement(admin, store, [line("phone", 2000)]);
		const addByHand = () =>
			insertFee(bench.rows, 1, "dana", DAY, { amount_cents: 2000, created_at: NOW });
		const outcome = await importStatement(
			waitingToImport(admin, addByHand),
			store,
			statement,
			"ready",
		);
		expect(outcome).toMatchObject({ reason: "open-needs", details: { needs: ["overlap"] } });
		expect(await stored()).toHaveLength(1);
		const answered = { ...statement, answers: { ...statement.answers, overlap: true } };
		expect((await importStatement(admin, store, answered, "all")).ok).toBe(true);
		expect(await stored()).toHaveLength(2);
	});

	it("isn't compared with the parts of a fee above the maximum", async () => {
		const admin = await bench.admin("ada");
		await insertFee(bench.rows, 1, "dana", DAY, { amount_cents: 2000, created_at: NOW });
		const statement = await keepStatement(admin, store, [line("phone", MAX_CENTS + 2000)]);
		expect((await importStatement(admin, store, statement, "all")).ok).toBe(true);
		expect((await stored()).map(({ amount_cents }) => amount_cents)).toEqual([
			2000,
			2000,
			MAX_CENTS,
		]);
	});
});
