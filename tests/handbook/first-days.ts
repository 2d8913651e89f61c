/** Installing, the first day, staging, a new release, and going back. */
import { writeFile } from "node:fs/promises";
import { expect } from "vitest";
import { expectStop, ORIGIN } from "../support/operator.ts";
import type { Play, Stage } from "./stage.ts";

const WEBHOOK = "https://hooks.example.com/T1";
const STAGING = "https://staging.example.com";
/** Answers to a command's questions, one per line. */
const typed = (...answers: string[]) => `${answers.join("\n")}\n`;
const sessionOf = async (stage: Stage, person: string) =>
	JSON.parse((await (await stage.signIn(person)).get("/api/auth/user")).text);

const INSTALL: readonly Play[] = [
	{
		chapter: "Install",
		words: "export CLOUDFLARE_API_TOKEN=... CLOUDFLARE_ACCOUNT_ID=...",
		play: async ({ cloudflare: { environment } }, run) => {
			const { CLOUDFLARE_API_TOKEN = "", CLOUDFLARE_ACCOUNT_ID = "" } = environment;
			await run({
				with: {
					"TOKEN=...": `TOKEN=${CLOUDFLARE_API_TOKEN}`,
					"ID=...": `ID=${CLOUDFLARE_ACCOUNT_ID}`,
				},
			});
		},
	},
	{
		chapter: "Install",
		words: "npm run setup -- --remote",
		play: async (_, run) => {
			const where = ["America/Chicago", ORIGIN, "none", "weur", "../providers.json", "none"];
			const out = await run({ input: typed(...where, "bo@example.com", "Bo", "O'Ss") });
			expect(out).toMatch(/milepost has all it needs\. Next: npm run deploy\n$/);
		},
	},
	{
		chapter: "Install",
		words: "npm run deploy -- --dry-run",
		play: async ({ operator }, run) => {
			const before = await operator.state();
			const out = await run();
			expect(out).toContain("no ERROR_WEBHOOK");
			expect(await operator.state()).toBe(before);
		},
	},
	{
		chapter: "Install",
		words: "npm run deploy",
		play: async (stage, run) => {
			expect(await run()).toContain(`Release ${stage.release()} answers at ${ORIGIN}.`);
		},
	},
	{
		chapter: "Install",
		words: "npm run setup -- --help",
		play: async ({ cloudflare }, run) => {
			const before = cloudflare.calls.length;
			expect(await run()).toContain("Every question has an option");
			expect(cloudflare.calls).toHaveLength(before);
		},
	},
];

const FIRST_DAY: readonly Play[] = [
	{
		chapter: "First day",
		words: "npm run admin -- create you@example.com --first-name You --last-name Yourself --remote",
		play: async (stage, run) => {
			expect(await run()).toMatch(
				/^You Yourself is invited as an administrator until .* UTC: sign/,
			);
			expect(await sessionOf(stage, "you")).toMatchObject({ role: "admin" });
			expect(await stage.health()).toMatchObject({ code: 200, status: "ok" });
		},
	},
	{
		chapter: "First day",
		words: "ERROR_WEBHOOK=https://... npm run setup -- --remote",
		play: async (stage, run) => {
			const cookieSecret = stage.script().secrets.get("COOKIE_SECRET");
			const out = await run({ with: { "https://...": WEBHOOK } });
			expect(out).toContain("Secrets: ERROR_WEBHOOK set.");
			const { secrets } = stage.script();
			expect(secrets.get("ERROR_WEBHOOK")).toBe(WEBHOOK);
			expect(secrets.get("COOKIE_SECRET")).toBe(cookieSecret);
		},
	},
	{
		chapter: "First day",
		words: "npm run setup -- --remote --replace providers --providers ../providers.json",
		play: async (stage, run) => {
			const [provider] = JSON.parse(stage.script().secrets.get("OIDC_PROVIDERS") ?? "[]");
			const renamed = [{ ...provider, name: "Renamed" }];
			await stage.writeProviders(renamed);
			expect(await run()).toContain(`Renamed: ${provider.issuer} answers as it should.`);
			expect(stage.script().secrets.get("OIDC_PROVIDERS")).toBe(JSON.stringify(renamed));
			expect(await sessionOf(stage, "bo")).toMatchObject({ email: "bo@example.com" });
		},
	},
];

const STAGING_CHAPTER: readonly Play[] = [
	{
		chapter: "Staging",
		words: "npm run setup -- --remote --env staging",
		play: async ({ account }, run) => {
			// It doesn't ask again for what it was told before the interruption.
			const who = ["../providers.json", "none", "di@example.com", "Di", "Fo"];
			expect(await run({ input: typed(...who) })).toMatch(
				/milepost-staging has all it needs\. Next: npm run deploy -- --env staging\n$/,
			);
			for (const name of ["milepost-staging-receipts", "milepost-staging-backups"])
				expect(account.buckets.get(name)).toMatchObject({ jurisdiction: "eu" });
		},
	},
	{
		chapter: "Staging",
		words: "npm run deploy -- --env staging",
		play: async (stage, run) => {
			const production = stage.release();
			const smoke = stage.cloudflare.addressOf(new URL(STAGING).hostname);
			const out = await run({ env: { MILEPOST_SMOKE_URL: smoke } });
			const [release] = stage.script("milepost-staging").deployments;
			expect(out).toContain(`Release ${release} answers at ${STAGING}.`);
			expect(stage.release()).toBe(production);
		},
	},
	{
		chapter: "Staging",
		words: "CLOUDFLARE_ENV=staging npm run admin -- sessions --remote",
		play: async (_, run) => {
			expect(await run()).toBe("No one is signed in.\n");
		},
	},
];

const PROBE = "insert into daily_tasks (name, finished_on) values ('damaged', '2026-01-01')";
const damage = ({ rows }: Stage) => rows("select name from daily_tasks where name = 'damaged'");

const RELEASES: readonly Play[] = [
	{
		chapter: "A new release",
		words: "npm run deploy",
		play: async (stage, run) => {
			const before = stage.release();
			await writeFile(
				stage.operator.pathOf("migrations", "9998_later.sql"),
				"create index later on users (created_at);",
			);
			const out = await run();
			expect(out).toContain(`Serving now: ${before}. Migrations to apply to milepost: 9998_later.`);
			expect(stage.release()).not.toBe(before);
			expect(await stage.health()).toMatchObject({ code: 200, schema: "9998_later" });
			stage.kept.bookmark = /--bookmark=(\w+)/.exec(out)?.[1] ?? "";
			stage.kept.release = before;
		},
	},
	{
		chapter: "When a deployment fails",
		words: "npx wrangler rollback <release> --yes",
		play: async (stage, run) => {
			const before = stage.release();
			const { origin } = new URL(stage.cloudflare.addressOf("nobody"));
			const ran = await stage.operator.deploy([], { MILEPOST_SMOKE_URL: `${origin}/nobody` });
			expectStop(ran, /^Release \S+ was uploaded, but \S+\/healthz answers 401/);
			expect(ran.err).toContain(`To go back: npx wrangler rollback ${before} --yes`);
			expect(stage.release()).not.toBe(before);
			await run({ with: { "<release>": before } });
			expect(await stage.health()).toMatchObject({ code: 200, release: before });
		},
	},
	{
		chapter: "When a deployment fails",
		words: "npx wrangler deployments list",
		play: async (stage, run) => {
			const out = await run();
			const named = [stage.kept.release, stage.release()].map((id) => out.lastIndexOf(id));
			expect(Math.min(...named)).toBeGreaterThanOrEqual(0);
			// The newest is last.
			expect(named).toEqual([...named].sort((one, other) => one - other));
		},
	},
	{
		chapter: "When a deployment fails",
		words: "npx wrangler d1 time-travel restore <database> --bookmark=<bookmark>",
		play: async (stage, run) => {
			await stage.rows(PROBE);
			expect(await damage(stage)).toHaveLength(1);
			const { bookmark } = stage.kept;
			const out = await run({ with: { "<database>": "milepost", "<bookmark>": bookmark } });
			expect(out).toMatch(/you can restore to the previous bookmark: \w+/);
			expect(await damage(stage)).toHaveLength(0);
			// As the schema was before the new release.
			expect((await stage.health()).schema).not.toBe("9998_later");
		},
	},
	{
		chapter: "When a deployment fails",
		words: "npm run deploy",
		play: async (stage, run) => {
			expect(await run()).toContain("Migrations to apply to milepost: 9998_later.sql.");
			expect(await stage.health()).toMatchObject({ code: 200, schema: "9998_later" });
		},
	},
];

export const FIRST_DAYS = [...INSTALL, ...FIRST_DAY, ...STAGING_CHAPTER, ...RELEASES];
