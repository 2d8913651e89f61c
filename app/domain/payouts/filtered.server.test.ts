/** The filters of the list of payouts, where more match than a screen reads or counts. */
import { expect, it } from "vitest";
import { type CastName, idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { MAX_COUNTED, selectFilterTotals } from "./filtered.server.ts";
import { listPayouts } from "./queries.server.ts";
import type { PayoutFilters } from "./search.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOW);
const ada = await bench.admin("ada");

/** Stores payouts of $1.00, each with one driver's request. */
async function store(
	rows: readonly { paidOn?: string; reference?: string; isCanceled?: boolean; driver?: CastName }[],
	from: number,
) {
	for (const [each, { paidOn, reference, isCanceled, driver }] of rows.entries()) {
		const id = crypto.randomUUID();
		await insertRow(bench.rows, "payouts", {
			...{ id, number: from + each, total_cents: 100, driver_count: 1, request_count: 1 },
			status: paidOn ? "paid" : isCanceled ? "cancelled" : "open",
			...{ created_at: NOW - 86_400_000, created_by: idOf("ada"), payload_hash: "hash" },
			...(paidOn && { paid_on: paidOn, paid_at: NOW, paid_by: idOf("ada"), reference }),
			...(isCanceled && { cancelled_at: NOW, cancelled_by: idOf("ada") }),
		});
		if (!driver) continue;
		const requestId = crypto.randomUUID();
		await insertRow(bench.rows, "fund_requests", {
			...{ id: requestId, number: 5000 + from + each, driver_id: idOf(driver), type: "gas" },
			...{ amount_cents: 100, description: "Fuel", source: "form", status: "approved" },
			...{ created_at: NOW - 86_400_000, requested_on: "2026-11-20", payload_hash: "hash" },
			...{ decided_at: NOW, decided_by: idOf("ada") },
		});
		await insertRow(bench.rows, "payout_requests", {
			...{ payout_id: id, request_id: requestId, driver_id: idOf(driver), amount_cents: 100 },
			paid_on: paidOn ?? null,
		});
	}
}

/** What a screen and a file list, and what the screen counts. */
async function list(filters: PayoutFilters, most = MAX_COUNTED) {
	const { build } = ada.db;
	const { screen, file, totals } = await ada.db.batch({
		screen: listPayouts(build, 50, undefined, filters, most),
		file: listPayouts(build, 50, undefined, filters),
		totals: selectFilterTotals(build, filters),
	});
	const numbers = (rows: typeof screen) => rows.map(({ payout }) => payout.number);
	return { screen: numbers(screen), file: numbers(file), count: totals[0]?.count };
}

it("finds a few of many with one reference, and of more than it counts the newest", async () => {
	const many = Array.from({ length: 510 }, (_, each) => ({
		...{ paidOn: each < 501 ? "2026-06-01" : "2026-11-20", reference: "ACH" },
	}));
	await store([...many, { paidOn: "2026-11-20", reference: "ach 🚕" }], 1);
	const november = { paidFrom: parseCalendarDate("2026-11-01") };
	const rest = Array.from({ length: 10 }, (_, each) => 511 - each);
	expect(await list({ ...november, reference: "ACH" })).toEqual({
		...{ screen: rest, file: rest, count: 10 },
	});
	const { screen, file, count } = await list({ reference: "ach" });
	expect([screen[0], screen, count]).toEqual([511, file, MAX_COUNTED + 1]);
	expect(await list({ status: "open", reference: "ACH" })).toMatchObject({ screen: [], count: 0 });
	expect((await list({ reference: "ACH 🚕" })).screen).toEqual([511]);
	const paid = { paidOn: "2026-11-20" };
	await store(
		[
			{ ...paid, reference: "Überweisung 12" },
			{ ...paid, reference: "ŁÓDŹ 44" },
		],
		601,
	);
	for (const [reference, number] of [
		["überw", 601],
		["ÜBERW", 601],
		["łódź", 602],
	] as const)
		expect((await list({ reference })).screen, reference).toEqual([number]);
});

it("finds a driver's newest among many canceled ones, and one by its reference or status", async () => {
	const driver = idOf("dana");
	const canceled = Array.from({ length: 30 }, () => ({ isCanceled: true }) as const);
	const paid = ["2026-10-02", "2026-10-09", "2026-10-16"].map((paidOn, each) => ({
		...{ paidOn, reference: `Wire ${each}` },
	}));
	const rows = [...paid, ...canceled, {}].map((row) => ({ ...row, driver: "dana" as const }));
	await store(rows, 1001);
	// Five, as on a person's page, which doesn't read the lines of the others.
	const before = ada.db.cost.rows;
	const { screen } = await ada.db.batch({
		screen: listPayouts(ada.db.build, 5, undefined, { driver }, 5),
	});
	expect(screen.map(({ payout }) => payout.number)).toEqual([1034, 1033, 1032, 1031, 1030]);
	expect(ada.db.cost.rows - before).toBeLessThan(200);
	for (const [filters, numbers] of [
		[{ status: "open" }, [1034]],
		[{ status: "paid" }, [1003, 1002, 1001]],
		[{ reference: "wire 0" }, [1001]],
		[{ paidTo: parseCalendarDate("2026-10-08") }, [1001]],
	] as const) {
		const found = await list({ driver, ...filters }, 2);
		expect(found.file, JSON.stringify(filters)).toEqual(numbers);
		expect(found.screen, JSON.stringify(filters)).toEqual(numbers.slice(0, 2));
	}
});
