/**
 * A release on a database that lacks its newest migrations: what needs them answers 503, and
 * nothing is half done.
 */
import { afterAll, expect, it } from "vitest";
import { migrate, migrationFiles } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { idOf, seedOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { Fleet } from "../support/worker.ts";

const FILES = migrationFiles();
const NAMES = FILES.map(({ name }) => name);
/** The newest migration whose table these pages read; one that rebuilds a table adds none. */
const NEEDED = FILES.findLastIndex(
	({ statements }) =>
		statements.some((sql) => /create table/i.test(sql)) &&
		!statements.some((sql) => /drop table/i.test(sql)),
);
/** The later ones without which nobody signs in. */
const SIGN_IN = ["0028_fresh_sign_ins.sql", "0031_paid_days.sql", "0035_viewers.sql"];
const PATHS: Readonly<Record<"ada" | "dana", readonly string[]>> = {
	ada: [
		...["/", "/drivers", "/fund-requests", "/mileage-reports", "/reports", "/uber-fees", "/audit"],
		"/settings/webhooks",
		`/drivers/${idOf("dana")}`,
		"/api/settlements",
	],
	dana: ["/", "/mileage", "/requests", "/history", "/api/mileage", "/account"],
};

/** A Worker whose database has no tables yet. */
function emptyFleet(): Fleet {
	const fleet = new Fleet({});
	afterAll(() => fleet.worker.dispose());
	return fleet;
}
const [visited, fleet] = [emptyFleet(), emptyFleet()];

it("is unavailable to visitors, and never broken, whatever is missing", async () => {
	const found: string[] = [];
	for (let count = 0; count < NAMES.length; count++) {
		await migrate(visited.database, NAMES.slice(0, count));
		const client = visited.client();
		const answers = {
			health: await client.get("/healthz", { mayFail: true }),
			page: await client.get("/api/login", { mayFail: true }),
			post: await client.post("/api/login", { email: "new@milepost.test" }, { mayFail: true }),
			call: await client.get("/api/mileage", { mayFail: true }),
		};
		for (const [what, { status, text }] of Object.entries(answers))
			if (status === 500 || /no such (?:table|column)|SQLITE|D1_ERROR/.test(text))
				found.push(`${what} with ${count} migrations answers ${status}`);
		if (count === 0) expect(answers.post.status).toBe(503);
	}
	expect(found).toEqual([]);
});

it("answers 503 where the newest migration is needed, and stores all of a post or nothing", async () => {
	await migrate(fleet.database, [...NAMES.slice(0, NEEDED), ...SIGN_IN]);
	await insertSeed(fleet.database, seedOf(currentTime(), "everyone"));
	const statuses: number[] = [];
	for (const who of ["ada", "dana"] as const) {
		const client = await fleet.as(who);
		for (const path of PATHS[who]) {
			const { status, headers } = await client.get(path, { mayFail: true });
			expect([200, 503], `${who} on ${path}`).toContain(status);
			if (status === 503) expect(headers.get("Retry-After"), path).toMatch(/^\d+$/);
			statuses.push(status);
		}
	}
	expect(statuses).toContain(503);
	const dana = await fleet.as("dana");
	const trip = { driverId: "DRV-0001", date: daysAgo(0), startMiles: "100", endMiles: "140" };
	const { status } = await dana.post("/mileage", trip, { mayFail: true });
	const stored = () => fleet.sql("select 1 from mileage_logs where start_miles = 100");
	expect(await stored()).toHaveLength(status === 303 ? 1 : 0);

	await migrate(fleet.database);
	for (const path of PATHS.dana) expect((await dana.get(path)).status, path).toBe(200);
});
