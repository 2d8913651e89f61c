/** `npm run admin -- ... --remote`, against an API on this machine with a real D1 behind it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { buildAdmin, expectFault } from "../support/admin-tool.ts";
import { CAST, idOf, seedOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { ACCOUNT, type D1Api, DATABASE, failing, startD1Api, TOKEN } from "../support/d1-api.ts";
import { storedBlocks } from "../support/totals.ts";

let api: D1Api;
let tool: Awaited<ReturnType<typeof buildAdmin>>;
const folder = await mkdtemp(join(tmpdir(), "milepost-remote-"));
const say = (databaseId: string, more = "") =>
	writeFile(
		join(folder, "wrangler.toml"),
		`${more}
		[[d1_databases]]
		binding = "DB"
		database_name = "fleet"
		database_id = "${databaseId}"`,
	);

beforeAll(async () => {
	api = await startD1Api();
	tool = await buildAdmin();
	await migrate(api.db);
	await insertSeed(api.db, seedOf(currentTime(), "everyone"));
});
beforeEach(() => say(DATABASE));
afterAll(async () => {
	await api.close();
	await tool.remove();
	await rm(folder, { recursive: true, force: true });
});

/** Runs the tool in a folder that has nothing but a wrangler.toml. */
function admin(args: readonly string[], env: Record<string, string> = {}) {
	const access = { CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_ACCOUNT_ID: ACCOUNT };
	return tool.run(
		[...args, "--remote"],
		{ CLOUDFLARE_API_BASE_URL: api.base, ...access, ...env },
		folder,
	);
}

async function sql<Row = Record<string, unknown>>(
	query: string,
	...values: unknown[]
): Promise<Row[]> {
	const statement = api.db.prepare(query).bind(...values);
	return (await statement.all<Row>()).results;
}

describe("the operator's commands on the deployed database", () => {
	it("invite, list, change a role and sign out, as on a local database", async () => {
		const names = ["--first-name", "Bo'); --", "--last-name", "O'Ss"];
		expect(await admin(["create", "boss@example.com", ...names])).toMatchObject({
			code: 0,
			err: "",
			out: expect.stringMatching(
				/^Bo'\); -- O'Ss is invited as an administrator until .* sign in as boss@example\.com\.\n$/,
			),
		});
		expect(await admin(["sessions"])).toEqual({ code: 0, err: "", out: "No one is signed in.\n" });
		expect(await admin(["role", CAST.ben.email, "none"])).toMatchObject({ code: 0, err: "" });
		expect(await sql("select role from users where id = ?", idOf("ben"))).toEqual([
			{ role: "none" },
		]);
		expectFault(
			await admin(["end-sessions", "nobody@example.com"]),
			/^No account has the email nobody@example\.com/,
		);
	});

	it("re-date thousands of requests and leave the totals right", async () => {
		await sql(
			`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source,
				created_at, requested_on, payload_hash)
			with recursive n (i) as (select 1000 union all select i + 1 from n where i < 4499)
			select '00000000-0000-4000-8000-' || printf('%012d', i), i, ?, 'gas', 1250, 'Fuel', 'pending', 'form',
				1767225600000, '2026-01-01', 'x' from n`,
			idOf("dana"),
		);
		await say(DATABASE, 'vars.FLEET_TIME_ZONE = "Pacific/Pago_Pago"');
		// The deployed Worker doesn't have the operator's environment, so it counts for nothing here.
		const recount = () => admin(["recount"], { FLEET_TIME_ZONE: "Asia/Tokyo" });
		const ran = await recount();
		expect(ran).toMatchObject({ code: 0, err: "" });
		expect(Number(/^(\d+) requests have a new date/.exec(ran.out)?.[1])).toBeGreaterThanOrEqual(
			3500,
		);
		const moved =
			"select count(*) as n from fund_requests where requested_on = '2025-12-31' and number >= 1000";
		expect(await sql(moved)).toEqual([{ n: 3500 }]);
		const kept = await storedBlocks(sql);
		expect((await recount()).out).toMatch(/^0 requests .* in Pacific\/Pago_Pago;/);
		expect(await storedBlocks(sql)).toEqual(kept);
	});
});

describe("admin --remote", () => {
	const wrong: [string, Record<string, string>, RegExp][] = [
		[
			"no token",
			{ CLOUDFLARE_API_TOKEN: "" },
			/^Set CLOUDFLARE_API_TOKEN to an API token that can edit D1/,
		],
		[
			"a token with a line break in it",
			{ CLOUDFLARE_API_TOKEN: "secret-a\nsecret-b" },
			/^CLOUDFLARE_API_TOKEN isn't a token/,
		],
		[
			"no account",
			{ CLOUDFLARE_ACCOUNT_ID: "" },
			/^Set CLOUDFLARE_ACCOUNT_ID, or account_id in wrangler\.toml/,
		],
		[
			"a foreign token",
			{ CLOUDFLARE_API_TOKEN: "secret-a" },
			/Cloudflare returned 401: Authentication error \(10000\)\. Check that/,
		],
		[
			"another account",
			{ CLOUDFLARE_ACCOUNT_ID: "f".repeat(32) },
			/Cloudflare returned 404: .* Check the account/,
		],
		[
			"an address without TLS",
			{ CLOUDFLARE_API_BASE_URL: "http://api.example.com" },
			/^CLOUDFLARE_API_BASE_URL must be/,
		],
		[
			"no address at all",
			{ CLOUDFLARE_API_BASE_URL: "api.example.com" },
			/^CLOUDFLARE_API_BASE_URL must be/,
		],
	];
	it.each(wrong)("explains %s in one line", async (_, env, words) => {
		const ran = await admin(["sessions"], env);
		expectFault(ran, words);
		expect(ran.err).not.toContain("secret");
		expect(ran.err).not.toContain(TOKEN);
	});

	it("explains in one line that the database was never created", async () => {
		await say("00000000-0000-0000-0000-000000000000");
		expectFault(await admin(["sessions"]), /^wrangler\.toml has no database_id yet/);
	});

	it("points to the migrations when a table is missing", async () => {
		const missing = failing(400, [
			{ code: 7500, message: "no such table: sessions: SQLITE_ERROR" },
		]);
		api.mishaps.push(missing);
		expectFault(
			await admin(["sessions"]),
			/^The database isn't migrated\. .* for --remote: npm run deploy/,
		);
	});

	it("names a command for the same database when the email is taken", async () => {
		const taken = ["create", CAST.dana.email, "--first-name", "X", "--last-name", "Y"];
		expectFault(
			await admin(taken),
			/To change the role: npm run admin -- role dana@milepost\.test admin --remote\n$/,
		);
		const database = `binding = "DB"\ndatabase_name = "staging"\ndatabase_id = "${DATABASE}"`;
		await say(DATABASE, `[[env.staging.d1_databases]]\n${database}`);
		expectFault(
			await admin(taken, { CLOUDFLARE_ENV: "staging" }),
			/: CLOUDFLARE_ENV=staging npm run admin -- role dana@milepost\.test admin --remote\n$/,
		);
	});

	it("prefers the account of wrangler.toml, as wrangler does", async () => {
		await say(DATABASE, `account_id = "${ACCOUNT}"`);
		expect((await admin(["sessions"], { CLOUDFLARE_ACCOUNT_ID: "f".repeat(32) })).code).toBe(0);
	});
});
