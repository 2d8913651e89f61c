import { describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { Database, type Statement } from "../../db/client.server.ts";
import { findPeople } from "./found.server.ts";
import {
	countApplications,
	countDrivers,
	listAllDrivers,
	listApprovedDrivers,
	listPendingDrivers,
} from "./queries.server.ts";

const bench = await openDatabase();
const { build } = new Database(bench.batches);
const { user } = await bench.driver("dana");

async function planOf(statement: Statement): Promise<string> {
	const { sql, params } = (
		statement as unknown as { toSQL(): { sql: string; params: unknown[] } }
	).toSQL();
	const steps = await bench.rows<{ detail: string }>(
		`explain query plan ${sql}`,
		...params.map((each) => (each === true ? 1 : each === false ? 0 : each)),
	);
	return steps.map(({ detail }) => detail).join("\n");
}

describe("the lists grow without getting slower", () => {
	it.each<[string, Statement, string]>([
		[
			"the first active drivers",
			listApprovedDrivers(build, true, 50),
			"users_by_standing (role=? AND approval_status=? AND is_active=?)",
		],
		[
			"the active drivers after one",
			listApprovedDrivers(build, true, 50, { way: "after", cursor: user }),
			"users_by_standing (role=? AND approval_status=? AND is_active=? AND (last_name,first_name,id)>(?,?,?))",
		],
		[
			"the active drivers after an id",
			listApprovedDrivers(build, true, 50, { way: "after", cursor: idOf("dana") }),
			"users_by_standing (role=? AND approval_status=? AND is_active=? AND last_name>?)",
		],
		[
			"the active drivers before an id",
			listApprovedDrivers(build, true, 50, { way: "before", cursor: idOf("dana") }),
			"users_by_standing (role=? AND approval_status=? AND is_active=? AND last_name<?)",
		],
		["every driver", listAllDrivers(build, 50), "users_by_standing (role=? AND approval_status=?)"],
		[
			"every driver after one",
			listAllDrivers(build, 50, user),
			"users_by_standing (role=? AND approval_status=? AND (is_active,last_name,first_name,id)>(?,?,?,?))",
		],
		[
			"how many applications",
			countApplications({}),
			"users_by_standing (role=? AND approval_status=? AND is_active=?)",
		],
		["how many drivers", countDrivers(build), " (role=? AND approval_status=? AND is_active=?)"],
	])("%s", async (_, statement, index) => {
		const plan = await planOf(statement);
		expect(plan).toContain(index);
		expect(plan).not.toContain("TEMP B-TREE");
	});

	it.each<[string, Statement, string]>([
		[
			"applications",
			listPendingDrivers(build, 50),
			"SEARCH users USING INDEX sqlite_autoindex_users_1 (id=?)",
		],
		[
			"applications after one",
			listPendingDrivers(build, 50, { ...user, appliedAt: 1 }),
			"users_applications ((applied_at,id)>(?,?))",
		],
	])(
		"%s: one page is picked by the index, and only that page is sorted",
		async (_, statement, step) => {
			const plan = await planOf(statement);
			expect(plan).toContain("users_applications");
			expect(plan).toContain(step);
			expect(plan.match(/TEMP B-TREE/g)).toHaveLength(1);
		},
	);

	it("shows a bounce however many came after it, and a namesake of whoever is found", async () => {
		await bench.rows(`with recursive each(n) as (select 1 union all select n + 1 from each where n < 300)
			insert into bounces (address, reason, at) select 'x' || n || '@milepost.test', 'Full', 100 + n from each`);
		await bench.rows(
			"insert into bounces (address, reason, at) values ('dana@milepost.test', 'Unknown', 1)",
		);
		const apply =
			"update users set first_name = 'DANA', last_name = 'Driver', applied_at = ? where id = ?";
		await bench.rows(apply, 1, idOf("nora"));
		const db = new Database(bench.batches);
		const { listed, found } = await db.batch({
			listed: listApprovedDrivers(build, true, 50),
			found: findPeople(build, "dana driver"),
		});
		expect(listed.find(({ id }) => id === idOf("dana"))?.bounce).toBe("Unknown");
		expect(found.map(({ id, bounce, namesake }) => [id, bounce, namesake]).sort()).toEqual(
			[
				[idOf("dana"), "Unknown", null],
				[idOf("nora"), null, idOf("dana")],
			].sort(),
		);
	});

	it("has no page after a row that doesn't exist", async () => {
		const db = new Database(bench.batches);
		expect(
			(
				await db.batch({
					rows: listApprovedDrivers(build, true, 50, { way: "after", cursor: "nobody" }),
				})
			).rows,
		).toEqual([]);
	});
});
