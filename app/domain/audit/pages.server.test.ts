/** What a page of the audit reads of a long history: D1 counts the rows. */
import { beforeAll, describe, expect, it } from "vitest";
import { ROWS_READ } from "../../../tests/support/budgets.ts";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { Database } from "../../db/client.server.ts";
import { auditEntries, auditPage } from "./queries.server.ts";
import { parseSearch } from "./search.ts";

const ENTRIES = 5000;
/** Entries of one change, such as the drafts of a week, at one moment after the others. */
const AT_ONCE = 3000;
const MINUTE = 60_000;
const FIRST = Date.UTC(2026, 10, 1, 12);
const bench = await openDatabase();

beforeAll(() =>
	bench.rows(
		`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ENTRIES})
		insert into audit_events (at, actor_id, actor_role, action, entity, entity_id)
		select ${FIRST} + i * ${MINUTE}, ?, 'admin', 'request.approve', 'fund-request', 'none' from n`,
		idOf("ada"),
	),
);

const moment = (number: number) => FIRST + number * MINUTE;
const [{ first }] = (await bench.rows<{ first: number }>(
	"select coalesce(max(id), 0) as first from audit_events",
)) as [{ first: number }];
const place = (number: number) => `${moment(number)}_${first + number}`;

describe.each(["", "kind=request.approve", `person=${idOf("ada")}`])(
	"of the filter '%s'",
	(filter) => {
		it.each([
			["after", 100, ""],
			["after", 4900, ""],
			["before", 100, ""],
			["before", 4900, ""],
			["after", 2500, "startDate=2026-11-02&endDate=2026-11-04"],
			["before", 2500, "startDate=2026-11-02&endDate=2026-11-04"],
		])("reads no more %s entry %i, %s", async (way, number, dates) => {
			const db = new Database(bench.d1);
			const search = parseSearch(new URLSearchParams(`${filter}&${dates}&${way}=${place(number)}`));
			const { found } = await db.batch({ found: auditEntries(db.build, search, ZONE) });
			const { rows } = auditPage(found, search);
			expect(rows.map(({ at }) => at)).toEqual(
				Array.from({ length: 20 }, (_, row) =>
					moment(way === "after" ? number - 1 - row : number + 20 - row),
				),
			);
			expect(db.cost.rows).toBeLessThanOrEqual(ROWS_READ.list);
		});
	},
);

it.each(["", "kind=settlement.draft", `person=${idOf("ada")}`])(
	"of the filter '%s' reads no more amid the entries of one change",
	async (filter) => {
		const at = moment(2 * ENTRIES);
		await bench.rows(
			`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${AT_ONCE})
			insert into audit_events (at, actor_id, actor_role, action, entity, entity_id)
			select ${at}, ?, 'admin', 'settlement.draft', 'settlement', 'none' from n
			where not exists (select 1 from audit_events where at = ${at})`,
			idOf("ada"),
		);
		for (const [way, next] of [
			["after", -1],
			["before", 1],
		] as const)
			for (const number of [100, 2900]) {
				const id = first + ENTRIES + number;
				const db = new Database(bench.d1);
				const search = parseSearch(new URLSearchParams(`${filter}&${way}=${at}_${id}`));
				const { found } = await db.batch({ found: auditEntries(db.build, search, ZONE) });
				const ids = auditPage(found, search).rows.map((row) => row.id);
				const expected = Array.from({ length: 20 }, (_, row) => id + next * (row + 1));
				expect(ids).toEqual(way === "after" ? expected : expected.toReversed());
				expect(db.cost.rows, `${way} ${number}`).toBeLessThanOrEqual(ROWS_READ.list);
			}
	},
);
