/**
 * wrangler.toml may be laid out in any way that wrangler reads; an invalid one is explained in one
 * line.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import {
	databaseIn,
	fleetTimeZoneIn,
	rateLimitIn,
	readConfig,
	runtimeSettings,
	WranglerConfigError,
} from "../../tools/wrangler-config.ts";

const folder = await mkdtemp(join(tmpdir(), "milepost-wrangler-config-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

async function fileOf(text: string): Promise<string> {
	const path = join(folder, "wrangler.toml");
	await writeFile(path, text);
	return path;
}

/** What the repository's own file never does but wrangler accepts. */
const ODD = `# [vars]
# FLEET_TIME_ZONE = "Nowhere/At_All"
name='milepost'            # single quotes
account_id = 'an-account'
vars = { FLEET_TIME_ZONE = 'Europe/Berlin', APP_NAME = "a # b" }
d1_databases = [{ binding = 'OTHER', database_id = 'not-ours' }, { binding="DB", database_id="ours", database_name="fleet" }]
compatibility_flags = [
	'nodejs_compat', # why it is on
	"""nodejs_als""",
]
  compatibility_date= '2026-04-01'

[[ratelimits]]
simple.period=60
simple.limit = 1_000
namespace_id='1'
name='REPORT_LIMIT'

[env.staging]
vars.FLEET_TIME_ZONE = "Asia/Tokyo"
[[env.staging.d1_databases]]
binding = "DB"
database_id = "staged"
database_name = "fleet-staging"
`;

describe("the repository's wrangler.toml", () => {
	it("keeps production's route from staging, also for wrangler's own command", async () => {
		const route = 'route = { pattern = "fleet.example.com", custom_domain = true }';
		const text = await readFile("wrangler.toml", "utf8");
		const path = await fileOf(text.replace(/^# route = .*$/m, route));
		expect(readConfig(path, "").route).toMatchObject({ pattern: "fleet.example.com" });
		// wrangler takes `route` only where there is no list.
		expect(readConfig(path, "staging").routes).toEqual([]);
	});

	it("gives the runtime, the limits and the fleet's time zone", () => {
		const config = readConfig();
		expect(runtimeSettings(config)).toEqual({
			compatibilityDate: "2026-04-01",
			compatibilityFlags: ["nodejs_compat"],
		});
		expect(rateLimitIn(config, "SIGN_IN_LIMIT")).toEqual({ limit: 10, period: 60 });
		expect(rateLimitIn(config, "REPORT_LIMIT")).toEqual({ limit: 30, period: 60 });
		expect(rateLimitIn(config, "TRANSFER_LIMIT")).toEqual({ limit: 300, period: 60 });
		expect(fleetTimeZoneIn(config)).toBe("America/New_York");
	});
});

describe("a file with an odd layout", () => {
	it("is read through comments, quotes, inline tables and dotted keys", async () => {
		const config = readConfig(await fileOf(ODD));
		expect(runtimeSettings(config)).toEqual({
			compatibilityDate: "2026-04-01",
			compatibilityFlags: ["nodejs_compat", "nodejs_als"],
		});
		expect(rateLimitIn(config, "REPORT_LIMIT")).toEqual({ limit: 1000, period: 60 });
		expect(fleetTimeZoneIn(config)).toBe("Europe/Berlin");
		expect(databaseIn(config)).toEqual({ accountId: "an-account", databaseId: "ours" });
	});

	it("uses the environment that CLOUDFLARE_ENV names, as wrangler does", async () => {
		const path = await fileOf(ODD);
		vi.stubEnv("CLOUDFLARE_ENV", "staging");
		const config = readConfig(path);
		expect(fleetTimeZoneIn(config)).toBe("Asia/Tokyo");
		expect(databaseIn(config).databaseId).toBe("staged");
	});
});

describe("a broken file", () => {
	const broken: [string, string, RegExp][] = [
		[
			"a quote that never closes",
			`name = "milepost\n`,
			/^wrangler\.toml, line 1: Invalid TOML document: .*\.$/,
		],
		[
			"a bare word",
			`name = "milepost"\nmain = index.js\n`,
			/^wrangler\.toml, line 2: .*invalid value\.$/,
		],
		[
			"a date and flags of another type",
			`compatibility_date = 20260401\ncompatibility_flags = "nodejs_compat"\n`,
			/^wrangler\.toml: Expected "compatibility_date" to be of type string but got 20260401\. Expected "compatibility_flags" .*"nodejs_compat"\.$/,
		],
		[
			"no date",
			`compatibility_flags = ["nodejs_compat"]\n`,
			/^wrangler\.toml has no compatibility_date\.$/,
		],
		[
			"no limit of that name",
			`compatibility_date = "2026-04-01"\n`,
			/^wrangler\.toml has no \[\[ratelimits\]\] named REPORT_LIMIT\.$/,
		],
		[
			"a database that was never created",
			`compatibility_date = "2026-04-01"
			ratelimits = [{ name = "REPORT_LIMIT", namespace_id = "1", simple = { limit = 1, period = 10 } }]
			d1_databases = [{ binding = "DB", database_id = "00000000-0000-0000-0000-000000000000", database_name = "milepost" }]\n`,
			/^wrangler\.toml has no database_id yet: npm run setup -- --remote creates the database/,
		],
		[
			"a zone that is not a string",
			`compatibility_date = "2026-04-01"
			ratelimits = [{ name = "REPORT_LIMIT", namespace_id = "1", simple = { limit = 1, period = 10 } }]
			d1_databases = [{ binding = "DB", database_id = "ours", database_name = "milepost" }]
			vars = { FLEET_TIME_ZONE = 5 }\n`,
			/^wrangler\.toml: FLEET_TIME_ZONE must be a string\.$/,
		],
	];

	it.each(broken)("with %s is explained in one line", async (_, text, words) => {
		const path = await fileOf(text);
		const read = () => {
			const config = readConfig(path);
			return [
				runtimeSettings(config),
				rateLimitIn(config, "REPORT_LIMIT"),
				databaseIn(config),
				fleetTimeZoneIn(config),
			];
		};
		expect(read).toThrow(WranglerConfigError);
		expect(read).toThrow(words);
	});

	it("without the database of an environment names the setup of that environment", async () => {
		const path = await fileOf('[env.staging]\nname = "staging"');
		expect(() => databaseIn(readConfig(path, "staging"))).toThrow(
			/npm run setup -- --remote --env staging creates/,
		);
	});

	it("that is missing is named", () => {
		expect(() => readConfig(join(folder, "none.toml"))).toThrow(/^none\.toml can't be read: /);
	});

	it("without the requested environment lists the existing ones", async () => {
		const path = await fileOf(ODD);
		vi.stubEnv("CLOUDFLARE_ENV", "production");
		expect(() => readConfig(path)).toThrow(
			/^wrangler\.toml: No environment found .*"production".*"staging"/,
		);
	});
});
