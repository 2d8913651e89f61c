import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../tests/support/database.ts";
import { migrationFiles } from "../../../tools/migrate.ts";
import { checkHealth } from "./health.server.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOON);
const schema = migrationFiles()
	.at(-1)
	?.name.replace(/\.sql$/, "");
const store = (head: () => Promise<null>) => ({ head }) as unknown as R2Bucket;
const working = store(() => Promise.resolve(null));
const healthy = { status: "ok", database: "ok", receipts: "ok", schema, emailDelaySeconds: 0 };
let clock = NOON;
function check(bucket: R2Bucket, sendsMail = true) {
	clock += 10_000;
	return checkHealth(bench.d1, bucket, sendsMail, clock);
}

const queueTwo = () =>
	bench.rows(
		`insert into mails (id, kind, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
			values ('late', 'x', 'a@milepost.test', 's', 'b', 'x', 'queued', 1, ?, 'late'),
			('later', 'x', 'a@milepost.test', 's', 'b', 'x', 'queued', 1, ?, 'later')`,
		NOON - 30_000,
		NOON + 3_600_000,
	);

describe("checkHealth", () => {
	it("says how long an email is overdue, unless none can leave", async () => {
		await queueTwo();
		const delay = (clock + 10_000 - (NOON - 30_000)) / 1000;
		expect(await check(working)).toEqual({ ...healthy, emailDelaySeconds: delay });
		expect(await check(working, false)).toEqual(healthy);
		await bench.rows("update mails set status = 'sent' where id = 'late'");
		expect(await check(working)).toEqual(healthy);
	});

	it("counts an email that is tried again from its first try on", async () => {
		await queueTwo();
		await bench.rows("delete from mails where id = 'late'");
		await bench.rows("update mails set first_tried_at = ? where id = 'later'", NOON - 900_000);
		const delay = (clock + 10_000 - (NOON - 900_000)) / 1000;
		expect(await check(working)).toEqual({ ...healthy, emailDelaySeconds: delay });
		await bench.rows("update mails set status = 'failed' where id = 'later'");
		expect(await check(working)).toEqual(healthy);
	});

	it("distinguishes a failure of the file store from one of the database", async () => {
		const broken = store(() => Promise.reject(new Error("R2 is down")));
		expect(await check(broken)).toEqual({ ...healthy, status: "failing", receipts: "failing" });
	});

	it("doesn't wait for a part that never answers", async () => {
		expect(await check(store(() => new Promise(() => {})))).toMatchObject({
			status: "failing",
			receipts: "failing",
			database: "ok",
		});
	});

	it("checks once a second, however many ask at once, even before the first result", async () => {
		let asked = 0;
		const slow = store(async () => {
			asked += 1;
			await new Promise((resolve) => setTimeout(resolve, 100));
			return null;
		});
		clock += 10_000;
		const ask = (after: number) => checkHealth(bench.d1, slow, true, clock + after);
		const all = await Promise.all([ask(0), ask(1), ask(500), ask(999)]);
		for (const health of all) expect(health).toEqual(all[0]);
		expect(asked).toBe(1);
		await ask(1000);
		expect(asked).toBe(2);
	});
});
