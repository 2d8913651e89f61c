/**
 * The largest statement allowed, on a Worker with the heap that Cloudflare gives an isolate: it is
 * read, previewed, imported and undone, with only a part of it in memory at a time.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ISOLATE_MEGABYTES } from "../../lab/heap-limit.ts";
import { costMeter } from "../../lab/measure.ts";
import { freePort } from "../../tools/free-port.ts";
import { costOf } from "../support/cost.ts";
import {
	driverMatches,
	generateStatement,
	insertStatementDrivers,
} from "../support/generated-statements.ts";
import { callStatements, centsOf } from "../support/statement-calls.ts";
import { openFleet } from "../support/worker.ts";

const ROWS = 50_000;
const DRIVERS = 2000;
const MEGABYTE = 1024 * 1024;

const fleet = await openFleet({ port: await freePort(), heapMegabytes: ISOLATE_MEGABYTES });
const ada = await fleet.as("ada");
const cost = costMeter();
const report: string[] = [];
afterAll(() =>
	console.log(`A statement of ${ROWS.toLocaleString("en-US")} rows: ${report.join("; ")}`),
);

/** Notes the seconds, round trips and peak memory of something. */
async function measured<A extends { headers: Headers }>(what: string, ask: () => Promise<A>) {
	const began = performance.now();
	const before = cost()?.megabytes ?? 0;
	const answer = await ask();
	const seconds = ((performance.now() - began) / 1000).toFixed(1);
	const { megabytes = 0, peak = 0 } = cost() ?? {};
	report.push(
		`${what} ${seconds} s, ${costOf(answer).trips} round trips, ${before.toFixed(0)} to ${megabytes.toFixed(0)} MB, ${peak.toFixed(0)} at most`,
	);
	return answer;
}

const { file, cents: whole, fees } = generateStatement(ROWS, DRIVERS);
const { bytes } = file;

beforeAll(() => insertStatementDrivers(fleet.sql.bind(fleet), DRIVERS));

it("is read, imported completely and only once, and undone in an isolate of 128 MB", async () => {
	report.push(`${(bytes.byteLength / MEGABYTE).toFixed(1)} MB`);
	const preview = await measured("preview", () => callStatements(ada, {}, file));
	expect(preview.status, preview.text.slice(0, 300)).toBe(200);
	expect(fees).toBe(DRIVERS * 7);
	expect(preview.body.fees.length).toBe(fees);
	expect(preview.body.fees.reduce((sum, { amount }) => sum + centsOf(amount), 0)).toBe(whole);

	const drivers = driverMatches(DRIVERS);
	const { id } = preview.body;
	const made = await measured("import", () => callStatements(ada, { id, mode: "all", drivers }));
	expect(made.status, made.text.slice(0, 300)).toBe(201);
	const recorded = () =>
		fleet.sql(
			"select count(*) as count, sum(amount_cents) as cents from uber_fees where deleted_at is null",
		);
	expect(await recorded()).toEqual([{ count: fees, cents: whole }]);
	const again = await measured("again", () => callStatements(ada, { mode: "all" }, file));
	expect(again.body.importId).toBe(null);
	expect(await recorded()).toEqual([{ count: fees, cents: whole }]);
	const page = await measured("its page", () =>
		ada.get(`/uber-fees/import?statement=${again.body.id}`),
	);
	expect(page.text).toContain("Everything in this statement has already been imported");
	const undone = await measured("undoing", () =>
		ada.post("/uber-fees/import", { intent: "undo", id: made.body.importId ?? "" }),
	);
	expect(undone.status).toBe(303);
	expect(await recorded()).toEqual([{ count: 0, cents: null }]);
	expect(await fleet.sql("select count(*) as count from statement_lines")).toEqual([{ count: 0 }]);
});
