/** The year's files of a driver who logs fifty trips a day. */
import { beforeAll, expect, it } from "vitest";
import { ROWS_READ } from "../support/budgets.ts";
import { idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { daysAgo, midnight } from "../support/fleet-days.ts";
import { readCsv, readXlsx } from "../support/report-files.ts";
import { reportsClient } from "../support/reports.ts";
import { openFleet } from "../support/worker.ts";

const TRIPS = 20_000;
const VOIDED = 2000;
const fleet = await openFleet();
const dana = await fleet.as("dana");
const { file } = reportsClient(dana);
const year = Number(daysAgo(0).slice(0, 4)) - 1;
/** Dana's trips of the year, her own from the cast among them in January. */
let counted = { trips: 0, miles: 0 };

beforeAll(async () => {
	await fleet.sql(
		`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash, voided_at, voided_by)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < ${TRIPS})
			select printf('40000000-0000-4000-8000-%012d', i), ?, date(?, '+' || (i % 365) || ' days'), i * 10, i * 10 + 1 + i % 9, 'seed', ?, 'x',
				iif(i % ${TRIPS / VOIDED} = 0, 1, null), iif(i % ${TRIPS / VOIDED} = 0, ?, null) from n`,
		idOf("dana"),
		`${year}-01-01`,
		midnight(`${year}-06-01`),
		idOf("dana"),
	);
	const [sums] = await fleet.sql<typeof counted>(
		`select count(*) as trips, sum(miles) as miles from mileage_logs
			where driver_id = ? and voided_at is null and driven_on like ?`,
		idOf("dana"),
		`${year}-%`,
	);
	counted = sums ?? expect.unreachable();
});

it("a large year gets a message with a link to the workbook instead of a PDF", async () => {
	const refused = await dana.get(`/history/tax-year?year=${year}&format=pdf`);
	expect(refused.status).toBe(400);
	expect(refused.text).toContain(
		"A PDF can hold up to 5,000 rows, and this log has more. Choose Excel.",
	);
	const link = /<a href="([^"]+)">Download it as Excel</.exec(refused.text)?.[1] ?? "";
	const { status, bytes } = await file(link.replaceAll("&amp;", "&"));
	expect(status).toBe(200);
	const [, log, voided] = await readXlsx(bytes);
	expect(counted.trips).toBeGreaterThanOrEqual(TRIPS - VOIDED);
	expect(log?.rows.length).toBe(1 + counted.trips + 1);
	expect(voided?.rows.length).toBe(1 + VOIDED);
	expect(log?.rows.at(-1)?.[3]).toBe(counted.miles);
});

it("a large year has the right totals in its summary", async () => {
	const { bytes } = await file(`/history/year-summary?year=${year}&format=csv`);
	const { sections } = readCsv(bytes);
	expect(sections.get("Mileage")?.at(-1)?.[2]).toBe(String(counted.miles));
	expect(sections.get("Voided and Withdrawn")?.at(-2)?.[1]).toBe(String(VOIDED));
});

it("a large year doesn't make its screen more expensive", async () => {
	const { trips, rows } = costOf(await dana.get("/history"));
	expect(trips).toBe(1);
	expect(rows).toBeLessThan(ROWS_READ.largeYear);
});
