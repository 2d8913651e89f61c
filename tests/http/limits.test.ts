/** Rate limits per person on expensive requests: uploading statements, and reading whole lists. */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { waitForFreshMinute } from "../support/clock.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { multipart } from "../support/forms.ts";
import { generateStatement } from "../support/generated-statements.ts";
import { insertTrips } from "../support/rows.ts";
import { callStatements } from "../support/statement-calls.ts";
import { openFleet } from "../support/worker.ts";

const LIMIT = 3;
const limit = { limit: LIMIT, period: 60 } as const;
const fleet = await openFleet({ reportLimit: limit, transferLimit: limit });
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
// A third administrator, whose limit isn't used up by other tests.
const third = { email: "third@milepost.test", firstName: "Third", lastName: "Admin" };
expect((await ada.call("POST", "/api/admin/create", third)).status).toBe(201);
const cleo = await fleet.client().signIn(third.email);

// More than a list may have without counting as long.
await insertTrips(fleet.sql.bind(fleet), idOf("dana"), daysAgo(0), 2600);

beforeEach(waitForFreshMinute);

/** Larger than a form without a file may be. */
const large = () => generateStatement(300, 2).file;
const small = () => generateStatement(2, 2).file;
async function objects(): Promise<number> {
	const store = fleet.files;
	return (await store.list({ prefix: "s/" })).objects.length;
}

describe("statements", () => {
	it("are accepted a few a minute from each administrator, large or small, and then not read", async () => {
		expect(large().bytes.byteLength).toBeGreaterThan(65_536);
		for (const file of [large(), small(), large()])
			expect((await callStatements(ada, {}, file)).status).toBe(200);
		const before = await objects();
		for (const file of [large(), small()]) {
			const refused = await callStatements(ada, {}, file);
			expect(refused.status).toBe(429);
			expect(refused.headers.get("Retry-After")).toBe("60");
			expect(refused.body.message).toContain("Too many statements in the last minute");
			const sent = await multipart({ intent: "upload" }, file, "file");
			const page = await ada.request("/uber-fees/import", sent);
			expect(page.status).toBe(429);
			expect(page.headers.get("Retry-After")).toBe("60");
			expect(page.text).toContain("Too many statements in the last minute");
		}
		expect(await objects()).toBe(before);
		// Another administrator has a limit of their own, and so do reports.
		expect((await callStatements(ben, {}, small())).status).toBe(200);
		const report = { type: "driver", format: "csv", range: "last_month" };
		expect((await ada.post("/reports/generate", report)).status).toBe(200);
	});
});

describe("lists", () => {
	it("can be read in full a few times a minute by each person, and page by page without limit", async () => {
		for (let time = 0; time < LIMIT; time++)
			expect((await ada.get("/api/mileage")).status).toBe(200);
		const refused = await ada.get("/api/mileage");
		expect(refused.status).toBe(429);
		expect(refused.headers.get("Retry-After")).toBe("60");
		expect(JSON.parse(refused.text).message).toContain("Too many long lists");
		for (let time = 0; time <= LIMIT; time++) {
			expect((await ada.get("/api/mileage?limit=500")).status).toBe(200);
			expect((await ada.get("/api/fund-requests")).status).toBe(200);
		}
		expect((await ben.get("/api/mileage")).status).toBe(200);
	});

	it("count the efficiency of many former drivers too", async () => {
		await fleet.sql(
			`with recursive each (n) as (select 1 union all select n + 1 from each where n < 300)
			insert into users (id, role, first_name, last_name, driver_number, approval_status, is_active, created_at, approved_at, decided_by)
			select printf('50000000-0000-4000-8000-%012d', n), 'driver', 'Former', 'Driver', 5000 + n, 'approved', 0, 1, 1, ? from each`,
			idOf("ada"),
		);
		const efficiency = "/api/analytics/driver-efficiency";
		expect((await cleo.get("/api/mileage")).status).toBe(200);
		for (let time = 1; time < LIMIT; time++) expect((await cleo.get(efficiency)).status).toBe(200);
		expect((await cleo.get(efficiency)).status).toBe(429);
	});
});
