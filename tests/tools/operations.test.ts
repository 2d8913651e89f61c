/**
 * docs/operations.md from its first command to its last, with a real shell and the real wrangler,
 * against a stand-in for Cloudflare on this machine; between them, what setup says of mistakes.
 */
import { writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FIRST_DAYS } from "../handbook/first-days.ts";
import { INCIDENTS } from "../handbook/incidents.ts";
import { type Play, perform, type Stage, setStage } from "../handbook/stage.ts";
import { UPKEEP } from "../handbook/upkeep.ts";
import { refusing } from "../support/cloudflare.ts";
import { expectStop } from "../support/operator.ts";

// One test starts several programs, and each of them loads all of wrangler.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let stage: Stage;
beforeAll(async () => {
	stage = await setStage();
});
afterAll(() => stage?.close());
afterEach(() => {
	stage.cloudflare.mishap = () => undefined;
});

const PLAYS: readonly Play[] = [...FIRST_DAYS, ...UPKEEP, ...INCIDENTS];
function play(chapter: string): void {
	for (const each of PLAYS.filter((one) => one.chapter === chapter))
		it(each.words, () => perform(each, stage));
}

// Each command finds what the ones before have made.
describe("the manual", { shuffle: false }, () => {
	describe("Install", () => {
		play("Install");

		it("lets in the administrator who was named, whom the provider vouches for", async () => {
			const me = await (await stage.browser()).get("/api/auth/user");
			expect(JSON.parse(me.text)).toMatchObject({ email: "bo@example.com", role: "admin" });
		});

		it("leaves a Worker with one URL, a schedule, CPU time for long reports, and private source maps", () => {
			const { account } = stage;
			const script = stage.script();
			const version = script.versions.find(({ id }) => id === stage.release());
			expect(script).toMatchObject({
				hosts: ["fleet.example.com"],
				crons: [{ cron: "* * * * *" }],
				subdomain: { enabled: false, previews_enabled: false },
			});
			expect(version?.metadata.limits).toEqual({ cpu_ms: 60_000 });
			expect(version?.sourceMaps).toContain("index.js.map");
			// The table that stacks are mapped with has no source.
			const mapped = version?.modules.filter(({ name }) => name !== "stack-map.js") ?? [];
			expect(version?.modules).toHaveLength(mapped.length + 1);
			expect(version?.sourceMaps).toHaveLength(mapped.length);
			const published = [...account.sessions.values()].flatMap((each) => Object.keys(each));
			expect(published.length).toBeGreaterThan(10);
			expect(published.filter((path) => path.endsWith(".map"))).toEqual([]);
			expect([...account.databases.values()]).toMatchObject([
				{ name: "milepost", primary_location_hint: "weur" },
			]);
			expect([...account.buckets.values()]).toMatchObject([
				{ name: "milepost-receipts", locationHint: "weur" },
				{ name: "milepost-backups", locationHint: "weur" },
			]);
			const bound = version?.bindings.filter(({ type }) => type === "r2_bucket");
			expect(bound?.map(({ name, bucket_name }) => [name, bucket_name])).toEqual([
				["RECEIPTS", "milepost-receipts"],
				["BACKUPS", "milepost-backups"],
			]);
		});

		it("can be followed again: a second setup changes and asks nothing", async () => {
			const { operator } = stage;
			const before = await operator.state();
			const ran = await operator.setup(["--remote"]);
			expect(ran).toMatchObject({ code: 0, err: "" });
			expect(ran.out).toMatch(/milepost has all it needs\. Next: npm run deploy\n$/);
			expect(await operator.state()).toBe(before);
		});

		const mistakes: [string, readonly string[], RegExp][] = [
			["no --remote", [], /^Add --remote: on this machine npm start/],
			[
				"an unknown option",
				["--remote", "--force"],
				/^Unknown option '--force'\. See npm run setup/,
			],
			["an unknown environment", ["--remote", "--env", "live"], /^wrangler\.toml: .*"live"/],
			[
				"an address with a path",
				["--remote", "--env", "staging", "--time-zone", "UTC", "--origin", "https://a.example/x"],
				/^--origin: APP_ORIGIN must be scheme, host and port only/,
			],
			[
				"no answers",
				["--remote", "--env", "staging"],
				/The fleet's time zone is still to be said: answer it, or use --time-zone\.$/,
			],
			[
				"another address than wrangler.toml has",
				["--remote", "--origin", "https://other.example.com"],
				/^wrangler\.toml already sets APP_ORIGIN to https:\/\/fleet\.example\.com: change it there/,
			],
			[
				"another time zone than wrangler.toml has",
				["--remote", "--time-zone", "Europe/Paris"],
				/^wrangler\.toml already sets FLEET_TIME_ZONE to America\/Chicago: change it there/,
			],
			[
				"another jurisdiction than the data is in",
				["--remote", "--jurisdiction", "eu"],
				/^The data is already kept in the jurisdiction none, which can't be changed to eu/,
			],
		];
		it.each(mistakes)("changes nothing in a setup with %s", async (_, args, words) => {
			const before = await stage.operator.state();
			expectStop(await stage.operator.setup(args), words);
			expect(await stage.operator.state()).toBe(before);
		});
	});

	describe("First day", () => {
		play("First day");

		it("keeps the providers people sign in with unless the new ones would work", async () => {
			const { operator } = stage;
			const [path, before] = [operator.pathOf("wrong.json"), await operator.state()];
			const replace = ["--remote", "--replace", "providers", "--providers", path];
			await writeFile(path, `[{"id":"a" "name":"A"}]`);
			expectStop(await operator.setup(replace), /wrong\.json: OIDC_PROVIDERS isn't valid JSON\.$/);
			const [provider] = JSON.parse(stage.script().secrets.get("OIDC_PROVIDERS") ?? "[]");
			await writeFile(path, JSON.stringify([{ ...provider, issuer: `${provider.issuer}/common` }]));
			expectStop(await operator.setup(replace), /\/common: discovery returned 404/);
			expectStop(
				await operator.setup(["--remote", "--replace", "secrets"]),
				/^--replace takes providers, not 'secrets'\. See npm run setup -- --help$/,
			);
			expect(await operator.state()).toBe(before);
		});

		it("asks for what a mail provider needs once one is named, and refuses what can't be right", async () => {
			const { operator } = stage;
			const mail = 'MAIL_PROVIDER = "resend"\nMAIL_FROM = "fleet@example.com"';
			const putBack = await operator.edit("# MAIL_PROVIDER", `${mail}\n# MAIL_PROVIDER`);
			const wrong = { MAIL_API_KEY: "re_1", MAIL_WEBHOOK_SECRET: "secret" };
			expectStop(
				await operator.setup(["--remote"], "", wrong),
				/^MAIL_WEBHOOK_SECRET must be the signing secret/,
			);
			const ran = await operator.setup(["--remote"], "re_1\nnone\n");
			expect(ran).toMatchObject({ code: 0, err: "" });
			expect(ran.out).toContain("Secrets: MAIL_API_KEY set.");
			const dry = await operator.deploy(["--dry-run"]);
			expect(dry.out).toContain(
				"It runs without: no METRICS dataset (no figures to alert on), no MAIL_WEBHOOK_SECRET (bounces aren't shown). See docs/operations.md.",
			);
			await putBack();
		});
	});

	describe("Staging", () => {
		it("is set up from where an interruption left it, with nothing made twice", async () => {
			const { operator, cloudflare, account } = stage;
			const where = ["--origin", "https://staging.example.com", "--time-zone", "Europe/Paris"];
			const args = ["--remote", "--env", "staging", ...where, "--jurisdiction", "eu"];
			cloudflare.mishap = refusing(/^POST \/r2/, 403, 10042, "Please enable R2 in the dashboard");
			expectStop(await operator.setup(args), /^R2 isn't enabled in account \w+: enable it/);
			const listed = () => [...account.databases.values()].map(({ name }) => name);
			expect(listed()).toEqual(["milepost", "milepost-staging"]);

			// As if it had ended between creating the database and writing its id.
			const known = /database_id = "[^"]+"\nmigrations_dir = "migrations"\n\n\[\[env\.staging\.r2/;
			const zeros = "00000000-0000-0000-0000-000000000000";
			await operator.edit(
				known,
				`database_id = "${zeros}"\nmigrations_dir = "migrations"\n\n[[env.staging.r2`,
			);
			cloudflare.mishap = () => undefined;
			await writeFile(
				operator.pathOf("doubtful.json"),
				`[{"id":"a","name":"A","issuer":"https://a.example","clientId":"a"}]`,
			);
			const doubtful = [...args, "--providers", operator.pathOf("doubtful.json")];
			const stopped = await operator.setup(doubtful);
			expectStop(stopped, /has no provider with "trustsEmail": true/);
			expect(stopped.out).toContain("Database: milepost-staging already existed");
			expect(listed()).toEqual(["milepost", "milepost-staging"]);
		});

		play("Staging");
	});

	const LATER = ["A new release", "When a deployment fails", "Every day", "Archiving a year"];
	describe.each([...LATER, "Restoring a backup", "Incidents"])("%s", play);
});
