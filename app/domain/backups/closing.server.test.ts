/** The transaction that makes an export consistent: its answer has to fit into the Worker's memory. */
import { expect, it } from "vitest";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { openFileStores } from "../../../tests/support/file-store.ts";
import { numbered } from "../../../tests/support/large-week.ts";
import { Database } from "../../db/client.server.ts";
import { nightlyExport, PART_ROWS } from "./nightly.server.ts";

const NOW = Date.UTC(2026, 10, 25, 9);
/** Parts of trips, most of which change while the night's rows are written. */
const PARTS = 26;
const CHANGED = 20;

it("rereads few parts at once, however many have changed", async () => {
	const bench = await openDatabase("everyone", NOW, { isLarge: true });
	const { receipts, backups } = await openFileStores("receipts", "backups");
	await bench.rows(`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source,
			created_at, payload_hash)
		${numbered(1, PARTS * PART_ROWS)} select printf('b0000000-0000-4000-8000-%012d', i),
			'${idOf("dana")}', date('2018-01-01', '+' || (i / 20) || ' days'), i * 5, i * 5 + 5, 'form', i,
			'x' from n`);
	let largest = 0;
	const watched = {
		prepare: (query: string) => bench.d1.prepare(query),
		batch: async (list: D1PreparedStatement[]) => {
			const answers = await bench.d1.batch(list);
			largest = Math.max(
				largest,
				answers.reduce((sum, { results }) => sum + results.length, 0),
			);
			return answers;
		},
	} as D1Database;
	for (let minute = 0; ; minute++) {
		const system = {
			role: "system",
			db: new Database(watched),
			now: NOW + minute * 60_000,
		} as const;
		if (await nightlyExport(system, { receipts, backups }, ZONE)) break;
		expect(minute).toBeLessThan(20);
		if (minute === 0)
			await bench.rows(`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id)
				${numbered(1, CHANGED)} select ${NOW}, '${idOf("ada")}', 'admin', 'mileage.void', 'mileage-log',
					printf('b0000000-0000-4000-8000-%012d', i * ${PART_ROWS} - 1000) from n`);
	}
	expect(largest).toBeLessThan(10 * PART_ROWS);
});
