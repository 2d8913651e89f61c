/**
 * Every mistake that `npm run deploy` meets ends in a sentence that says what has happened and what
 * to do. Uses the real wrangler with a stand-in for Cloudflare on this machine. A release that
 * doesn't answer, and its rollback, are in tests/handbook/first-days.ts.
 */
import { rm, writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { COLUMNS, completeStore } from "../../app/domain/archive/store.server.ts";
import { reasonIn } from "../../tools/wrangler.ts";
import type { ProgramResult } from "../support/admin-tool.ts";
import { type Cloudflare, refusing } from "../support/cloudflare.ts";
import { Refused } from "../support/cloudflare-account.ts";
import { openDiscovery } from "../support/discovery.ts";
import { oneIn } from "../support/extent.ts";
import { expectStop, type Operator, ORIGIN, startOperator } from "../support/operator.ts";

// One test starts several programs, and each loads all of wrangler.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let operator: Operator;
let cloudflare: Cloudflare;

let provider: Awaited<ReturnType<typeof openDiscovery>>;

beforeAll(async () => {
	provider = await openDiscovery();
	operator = await startOperator();
	cloudflare = operator.cloudflare;
	const providers = operator.pathOf("providers.json");
	await writeFile(
		providers,
		`[{"id":"a","name":"A","issuer":"${provider.issuer}","clientId":"a","trustsEmail":true}]`,
	);
	const where = ["--origin", ORIGIN, "--time-zone", "UTC", "--jurisdiction", "none"];
	const who = ["--admin-email", "bo@example.com", "--first-name", "Bo", "--last-name", "Ss"];
	const all = [...where, "--location", "auto", "--providers", providers, ...who];
	expect(await operator.setup(["--remote", ...all])).toMatchObject({ code: 0, err: "" });
	expect(await operator.deploy()).toMatchObject({ code: 0, err: "" });
});
afterAll(() => Promise.all([operator.close(), provider.close()]));
afterEach(() => {
	cloudflare.mishap = () => undefined;
});

const script = () => {
	const found = cloudflare.account.scripts.get("milepost");
	if (!found) throw new Error("milepost isn't there");
	return found;
};
const release = () => script().deployments[0];
async function database() {
	const [id = ""] = cloudflare.account.databases.keys();
	return cloudflare.account.runtime.database(id);
}
async function healthy() {
	const answer = await fetch(`${cloudflare.addressOf(new URL(ORIGIN).hostname)}/healthz`);
	return (await answer.json()) as { status: string; release: string };
}

describe("an argument it doesn't know", () => {
	const wrong: [string, string[], RegExp][] = [
		["an option", ["--dryrun"], /^Unknown option '--dryrun'\. Nothing was changed; see npm run/],
		["a bare word", ["staging"], /^Unexpected argument 'staging'\. .*Nothing was changed/],
		["--env with no name", ["--env"], /^Option '--env <value>' argument missing\. Nothing/],
		["--dry-run with a value", ["--dry-run=no"], /^Option '--dry-run' does not take an argument/],
		["an environment that isn't there", ["--env", "live"], /^wrangler\.toml: .*"live".*"staging"/],
	];
	it.each(wrong)("(%s) stops it before anything is asked", async (_, args, words) => {
		const calls = cloudflare.calls.length;
		expectStop(await operator.deploy(args), words);
		expect(cloudflare.calls).toHaveLength(calls);
	});
});

/** The lines of wrangler.toml that offer an archive, and their content once it is bound. */
const OFFERED = /^# \[\[d1_databases\]\]\n(# .*\n){3}/m;
const archiveWith = (id: string) =>
	`[[d1_databases]]\nbinding = "ARCHIVE"\ndatabase_name = "milepost-archive"\ndatabase_id = "${id}"\n`;

describe("what is missing", () => {
	const settings: [string, Record<string, string>, RegExp][] = [
		["no token", { CLOUDFLARE_API_TOKEN: "" }, /^Nothing was changed\. Set CLOUDFLARE_API_TOKEN/],
		["a wrong token", { CLOUDFLARE_API_TOKEN: "x" }, /Cloudflare refuses the token for account/],
		["no account", { CLOUDFLARE_ACCOUNT_ID: "" }, /Set CLOUDFLARE_ACCOUNT_ID, or account_id/],
		["no such account", { CLOUDFLARE_ACCOUNT_ID: "other" }, /refuses the token for account other/],
		[
			"somebody else's account",
			{ CLOUDFLARE_ACCOUNT_ID: "f".repeat(32) },
			/refuses the token for account f+: check/,
		],
		[
			"an API that doesn't answer",
			{ CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:9/client/v4" },
			/http:\/\/127\.0\.0\.1:9 can't be reached \(.+\); please try again/,
		],
		[
			"a time limit that is no number",
			{ MILEPOST_SMOKE_SECONDS: "1m" },
			/MILEPOST_SMOKE_SECONDS must be a whole number of seconds, not "1m"\.$/m,
		],
	];
	it.each(oneIn(2, settings))("stops it: %s", async (_, env, words) => {
		const before = await operator.state();
		const ran = await operator.deploy([], env);
		expectStop(ran, words);
		expect(ran.err).toMatch(/^Nothing was changed\. /);
		expect(await operator.state()).toBe(before);
	});

	const files: [string, string | RegExp, string, RegExp][] = [
		[
			"the id of a database that isn't there",
			// Not the zeros of what isn't set up; a real id may begin with a zero too.
			/database_id = "(?!00000000-)[^"]+"/,
			'database_id = "11111111-2222-4333-8444-555555555555"',
			/has no database 11111111-.*enter its right database_id, or zeros/,
		],
		[
			"no bucket",
			'"milepost-receipts"',
			'"gone"',
			/has no bucket gone for receipts: npm run setup/,
		],
		["no address", /^APP_ORIGIN = .*$/m, "", /APP_ORIGIN is missing: set it to the URL people/],
		[
			"an address without https",
			/^APP_ORIGIN = .*$/m,
			'APP_ORIGIN = "http://localhost:8787"',
			/APP_ORIGIN in \[vars\] must be the public URL, with https/,
		],
		[
			"a route that leads elsewhere",
			/^route = .*$/m,
			'route = "other.example.com/*"',
			/has no route for fleet\.example\.com, .*add route = \{ pattern = "fleet\.example\.com"/,
		],
		[
			"a mail provider without its key",
			/^# MAIL_PROVIDER.*\n# MAIL_FROM/m,
			'MAIL_PROVIDER = "resend"\nMAIL_FROM',
			/milepost has no secret MAIL_API_KEY: npm run setup -- --remote sets/,
		],
		[
			"a time zone there is none of",
			'"UTC"',
			'"Mars"',
			/FLEET_TIME_ZONE must be a known time zone/,
		],
		[
			"no bucket for the nightly export",
			'"milepost-backups"',
			'"gone"',
			/has no bucket gone for the nightly export: npm run setup -- --remote creates it/,
		],
		[
			"one bucket for both",
			'"milepost-backups"',
			'"milepost-receipts"',
			/RECEIPTS and BACKUPS are both the bucket milepost-receipts .*give BACKUPS one of its own/,
		],
		[
			"an export that leaves the jurisdiction",
			/bucket_name = "milepost-backups"\n/,
			'bucket_name = "milepost-backups"\njurisdiction = "eu"\n',
			/RECEIPTS has no jurisdiction and BACKUPS has jurisdiction = "eu": .*give BACKUPS the same one/,
		],
		[
			"an archive that isn't created yet",
			OFFERED,
			archiveWith("00000000-0000-0000-0000-000000000000"),
			/milepost-archive, which is bound to ARCHIVE, has no database_id .*: npm run setup -- --remote creates/,
		],
		[
			"an archive that isn't there",
			OFFERED,
			archiveWith("11111111-2222-4333-8444-555555555555"),
			/has no database 11111111-.* names for milepost-archive: enter its right database_id, or zeros/,
		],
		[
			"an archive without a name",
			OFFERED,
			'[[d1_databases]]\nbinding = "ARCHIVE"\ndatabase_id = "1"',
			/^wrangler\.toml has no database_name in \[\[d1_databases\]\] with binding "ARCHIVE"\.$/,
		],
		[
			"a secret that everybody can read",
			"[vars]",
			'[vars]\nERROR_WEBHOOK = "https://hooks.example.com/T1"',
			/ERROR_WEBHOOK is a secret and stands in \[vars\] .*npx wrangler secret put ERROR_WEBHOOK --env=""/,
		],
		[
			"a retention that is no number of days",
			/^# MAIL_RETENTION_DAYS.*$/m,
			'MAIL_RETENTION_DAYS = "a year"',
			/MAIL_RETENTION_DAYS must be a whole number of days/,
		],
		["a broken wrangler.toml", 'name = "milepost"', 'name = "mile', /^wrangler\.toml, line 3: /],
	];
	it.each(oneIn(2, files))("stops it: %s", async (_, from, to, words) => {
		const putBack = await operator.edit(from, to);
		const before = await operator.state();
		const ran = await operator.deploy();
		expect(await operator.state()).toBe(before);
		await putBack();
		expectStop(ran, words);
	});

	it("is reported all at once", async () => {
		const ran = await operator.deploy(["--env", "staging"]);
		expect(ran).toMatchObject({ code: 1, out: "" });
		expect(ran.err.trim().split("\n")).toEqual([
			"Nothing was changed. 5 things are missing:",
			expect.stringMatching(
				/^- In \[env\.staging\.vars\] of wrangler\.toml, APP_ORIGIN is missing: /,
			),
			expect.stringMatching(/^- milepost-staging has no database_id .* --env staging creates/),
			expect.stringMatching(/^- The account has no bucket milepost-staging-receipts/),
			expect.stringMatching(/^- The account has no bucket milepost-staging-backups for the night/),
			expect.stringMatching(/^- milepost-staging has no secrets COOKIE_SECRET, OIDC_PROVIDERS/),
		]);
	});
});

describe("an archive", () => {
	/** Adds a database to the account, as if it had been created by hand. */
	const create = async (uuid: string, more: Record<string, unknown> = {}) => {
		cloudflare.account.databases.set(uuid, { uuid, name: "by-hand", ...more });
		return cloudflare.account.runtime.database(uuid);
	};
	const dryRunWith = async (id: string) => {
		const putBack = await operator.edit(OFFERED, archiveWith(id));
		try {
			return await operator.deploy(["--dry-run"]);
		} finally {
			await putBack();
		}
	};

	it("has to be a separate database, in the same jurisdiction", async () => {
		const [first = ""] = cloudflare.account.databases.keys();
		expectStop(
			await dryRunWith(first),
			/DB and ARCHIVE are both the database \S+ in wrangler\.toml: /,
		);
		const far = "22222222-2222-4333-8444-555555555555";
		await create(far, { jurisdiction: "eu" });
		expectStop(
			await dryRunWith(far),
			/milepost is kept in the jurisdiction none and milepost-archive in eu: write zeros for ARCHIVE/,
		);
	});

	it("has to be bound, and the right one, once a year is archived", async () => {
		const db = await database();
		await db.prepare("insert into archived_years values (2020, 1, 2, 5)").run();
		expectStop(
			await operator.deploy(),
			/^Nothing was changed\. Years up to 2020 are archived, but wrangler\.toml binds no database to ARCHIVE: write/,
		);
		const id = "33333333-2222-4333-8444-555555555555";
		const store = await create(id);
		const wrong =
			/^Nothing was changed\. The trips up to 2020 aren't in milepost-archive, .*put in the database_id/;
		expectStop(await dryRunWith(id), wrong);
		await store.prepare("create table mileage_logs (id text)").run();
		expectStop(await dryRunWith(id), wrong);
		await store.prepare("drop table mileage_logs").run();
		// As an earlier release made it: the columns that came later are added.
		const earlier = COLUMNS.filter((name) => name !== "last_change_id");
		await store.prepare(`create table mileage_logs (${earlier.join(", ")}, miles)`).run();
		expect(await dryRunWith(id)).toMatchObject({ code: 0, err: "" });
		await completeStore(new Database(store));
		await store.prepare("select last_change_id from mileage_logs").all();
	});
	afterEach(async () => {
		await (await database()).prepare("delete from archived_years").run();
		for (const [id, { name }] of cloudflare.account.databases)
			if (name === "by-hand") cloudflare.account.databases.delete(id);
	});
});

describe("a step that fails", () => {
	it("before the first: no bookmark, nothing changed", async () => {
		cloudflare.mishap = refusing(/bookmark$/, 400, 7500, "Time Travel is not available");
		const before = await operator.state();
		expectStop(await operator.deploy(), /^Nothing was changed\. .*Time Travel is not available/);
		expect(await operator.state()).toBe(before);
	});

	it("a migration refused halfway: earlier ones stay, it is undone, and the next run continues", async () => {
		const before = release();
		const good = operator.pathOf("migrations", "9998_good.sql");
		const bad = operator.pathOf("migrations", "9999_bad.sql");
		await writeFile(good, "create table good (id integer) strict;");
		await writeFile(bad, "create table half (id integer) strict; insert into nowhere values (1);");
		const ran = await operator.deploy();
		await rm(bad);
		expectStop(
			ran,
			/^Migration 9999_bad\.sql was refused \(.*no such table: nowhere.*\), and all of it was undone: .*Applied before it: 9998_good\.sql; release \S+ is still serving.*time-travel restore milepost --bookmark=\w+$/,
		);
		expect(ran.out).toMatch(/^Bookmark of milepost: \w+\./m);
		const tables = await (await database())
			.prepare("select name from sqlite_master where name in ('good', 'half', 'deploy_lock')")
			.all();
		expect(tables.results).toEqual([{ name: "good" }]);
		expect(release()).toBe(before);
		expect(await healthy()).toMatchObject({ status: "ok", release: before });
	});

	it("the upload: the migration is applied, the old release is serving, and both are reported", async () => {
		const before = release();
		await writeFile(operator.pathOf("migrations", "9999_new.sql"), "create table new (id) ;");
		cloudflare.mishap = refusing(/^POST .*\/versions$/, 403, 10034, "Verify your email");
		expectStop(
			await operator.deploy(),
			/^The upload was refused \(.*Verify your email.*\): .*The migrations are applied \(9999_new\.sql\); release \S+ is still serving and runs on that schema\. To go back: npx wrangler d1 time-travel restore/,
		);
		expect(release()).toBe(before);
	});

	it("when Cloudflare stops responding: how to find out, and that the next run continues", async () => {
		const before = release();
		let hasBegun = false;
		cloudflare.mishap = ({ name }) => {
			hasBegun ||= name.endsWith("/bookmark");
			const isSilent = hasBegun && /^GET .*\/deployments$/.test(name);
			return isSilent ? new Refused(500, 10001, "Internal error") : undefined;
		};
		expectStop(
			await operator.deploy(),
			/^It isn't known how far this got \(Cloudflare answered 500: Internal error \(10001\)\): npm run deploy -- --dry-run says .*To get the rows back: npx wrangler d1 time-travel/,
		);
		expect(release()).toBe(before);
	});

	it("after the upload: that the new release is serving, and how to go back", async () => {
		const before = release();
		cloudflare.mishap = refusing(/^PUT .*\/schedules$/, 403, 10000, "Authentication error");
		const ran = await operator.deploy();
		expectStop(ran, /^Release \S+ is serving, but wrangler couldn't finish \(.*Authentication/);
		expect(ran.err).toContain(`To go back: npx wrangler rollback ${before} --yes`);
		expect(release()).not.toBe(before);
	});
});

describe("two deployments at once", () => {
	it("let one run, and explain that to the other", async () => {
		await writeFile(operator.pathOf("migrations", "9999_newer.sql"), "create table newer (id);");
		const other: ProgramResult[] = [];
		cloudflare.mishap = async ({ name }) => {
			if (name.endsWith("/versions")) other.push(await operator.deploy());
			return undefined;
		};
		const done = await operator.deploy();
		expect(done).toMatchObject({ code: 0, err: "" });
		expect(other).toHaveLength(1);
		for (const each of other)
			expectStop(each, /^Nothing was changed\. .+ has been deploying milepost since \d\d:\d\d UTC/);
		expect(done.out).toContain(`Release ${release()} answers at ${ORIGIN}.`);
	});

	it("leave no lock behind, and a killed one's lock is reported with its expiry", async () => {
		const db = await database();
		const held = "select name from sqlite_master where name = 'deploy_lock'";
		expect((await db.prepare(held).all()).results).toEqual([]);
		await db
			.prepare(
				"create table deploy_lock (id integer primary key, holder text, began_at int, until int)",
			)
			.run();
		await db.prepare("insert into deploy_lock values (1, 'ann on desk', 0, 4102444800000)").run();
		expectStop(
			await operator.deploy(),
			/^Nothing was changed\. ann on desk has been deploying milepost since 00:00 UTC: wait until that has ended or, if it was stopped, until 00:00 UTC\.$/,
		);
		await db.prepare("drop table deploy_lock").run();
	});
});

describe("wrangler's error output", () => {
	it("becomes one line", () => {
		const said = `⛅️ banner\n\n✘ [ERROR] A request to the Cloudflare API (/a/b) failed.\n\n  Script startup exceeded CPU limit. [code: 10021]\n  \n  If you think this is a bug, please open an issue\n`;
		expect(reasonIn(said)).toBe("Script startup exceeded CPU limit. [code: 10021]");
		expect(reasonIn("✘ [ERROR] No such\n  file here.\n\n\n🪵  Logs")).toBe("No such file here");
		expect(reasonIn("")).toBe("");
	});
});
