/** Every day, archiving a year, and restoring a backup. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { refusing } from "../support/cloudflare.ts";
import { ACCOUNT, TOKEN } from "../support/d1-api.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { expectStop } from "../support/operator.ts";
import type { Play, Stage } from "./stage.ts";

const DRIVER = "a1000000-0000-4000-8000-000000000001";
const TRIPS = 150;
/** The latest year that can be archived today. */
const YEAR = Number(daysAgo(0).slice(0, 4)) - 2;
const BYTES = new TextEncoder().encode("a receipt");
const SIGNING_SECRET = `whsec_${"a".repeat(24)}`;

/** A driver with trips of a year that can be archived, and a receipt. */
async function fillFleet({ rows, account }: Stage): Promise<void> {
	const sha256 = createHash("sha256").update(BYTES).digest("hex");
	await rows(
		`insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at)
		values ('${DRIVER}', 'driver', 'Dri', 'Ver', 'approved', 1, 5)`,
	);
	await rows(
		`with recursive trip (n) as (select 1 union all select n + 1 from trip where n < ${TRIPS})
		insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
		select printf('b1000000-0000-4000-8000-%012d', n), '${DRIVER}', date('${YEAR}-01-01', '+' || n || ' days'),
			n * 100, n * 100 + 7, 'form', 5, 'x' from trip`,
	);
	await rows(
		`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
		values ('r1', '${DRIVER}', 'r/r1', 'image/png', ${BYTES.length}, '${sha256}', 'a.png', 5)`,
	);
	await rows(
		`insert into fund_requests (id, number, driver_id, type, amount_cents, description, receipt_id, status, source, created_at, withdrawn_at, requested_on, payload_hash)
		values ('c1000000-0000-4000-8000-000000000001', 1, '${DRIVER}', 'gas', 100, 'd', 'r1', 'withdrawn', 'form', 5, 6, '${YEAR}-01-01', 'x')`,
	);
	await (await account.runtime.bucket("milepost-receipts")).put("r/r1", BYTES);
}
/** The year's trips, as an administrator gets them over JSON. */
async function shown(stage: Stage) {
	const path = `/api/mileage?startDate=${YEAR}-01-01&endDate=${YEAR}-12-31`;
	return JSON.parse((await (await stage.browser()).get(path)).text);
}
const tripsIn = async ({ rows }: Stage, name?: string) =>
	(await rows<{ n: number }>("select count(*) as n from mileage_logs", name))[0]?.n;

const EVERY_DAY: readonly Play[] = [
	{
		chapter: "Every day",
		words: "npm run doctor -- --remote",
		play: async (stage, run) => {
			await fillFleet(stage);
			await stage.runNight();
			const out = await run();
			expect(out).not.toContain("WRONG");
			expect(out).toMatch(/^Nothing is wrong with the deployed fleet\.$/m);
		},
	},
	{
		chapter: "Every day",
		words: "npm run drill -- --remote",
		play: async (_, run) => {
			expect(await run()).toMatch(
				/^Restored \d+ rows and 1 receipt, .*: every count, hash and total agrees\.$/m,
			);
		},
	},
	{
		chapter: "Every day",
		words: "npm run backup -- --remote --to ../milepost-2026-11-22",
		play: async ({ operator }, run) => {
			expect(await run()).toMatch(/^\d+ rows and 1 receipt, .*: \.\.\/milepost-2026-11-22$/m);
			expect(existsSync(operator.pathOf("../milepost-2026-11-22/manifest.json"))).toBe(true);
		},
	},
	{
		chapter: "Every day",
		words:
			'curl -X PUT https://api.cloudflare.com/client/v4/accounts/$CLOUDFLARE_ACCOUNT_ID/d1/database/<database id> -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" -H "Content-Type: application/json" -d \'{"read_replication":{"mode":"auto"}}\'',
		play: async ({ account, cloudflare }, run) => {
			const [id = ""] = account.databases.keys();
			await run({
				with: {
					"https://api.cloudflare.com/client/v4":
						cloudflare.environment.CLOUDFLARE_API_BASE_URL ?? "",
					"<database id>": id,
				},
				env: { CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_ACCOUNT_ID: ACCOUNT },
			});
			expect(account.databases.get(id)).toMatchObject({ read_replication: { mode: "auto" } });
		},
	},
	{
		chapter: "Every day",
		words: 'npx wrangler secret put MAIL_WEBHOOK_SECRET --env=""',
		play: async (stage, run) => {
			await run({ input: `${SIGNING_SECRET}\n` });
			expect(stage.script().secrets.get("MAIL_WEBHOOK_SECRET")).toBe(SIGNING_SECRET);
		},
	},
];

const THIS_YEAR = { "--year 2024": `--year ${YEAR}` };

const ARCHIVING: readonly Play[] = [
	{
		chapter: "Archiving a year",
		words: "npm run setup -- --remote --archive",
		play: async (stage, run) => {
			const { operator, account } = stage;
			expectStop(
				await operator.run("archive", ["--year", String(YEAR), "--remote"]),
				/binds no database to ARCHIVE: run npm run setup -- --archive --remote,/,
			);
			expect(await run()).toContain(
				"Archive: milepost-archive created; its id is in wrangler.toml.",
			);
			expect([...account.databases.values()].at(-1)).toMatchObject({
				name: "milepost-archive",
				primary_location_hint: "weur",
			});
			const made = await operator.state();
			expect(await run()).toContain("Archive: milepost-archive exists.");
			expect(await operator.state()).toBe(made);
		},
	},
	{
		chapter: "Archiving a year",
		words: "npm run deploy",
		play: async (stage, run) => {
			await run();
			expect(await stage.health()).toMatchObject({ code: 200 });
		},
	},
	{
		chapter: "Archiving a year",
		words: "npm run archive -- --year 2024 --dry-run --remote",
		play: async ({ operator }, run) => {
			const unchanged = await operator.state();
			expect(await run({ with: THIS_YEAR })).toBe(
				`${TRIPS} trips up to the end of ${YEAR} aren't in the archive; each driver's latest 20 stay. Nothing stands in the way.\n`,
			);
			expect(await operator.state()).toBe(unchanged);
		},
	},
	{
		chapter: "Archiving a year",
		words: "npm run archive -- --year 2024 --remote",
		play: async (stage, run) => {
			const { cloudflare, operator } = stage;
			const before = await shown(stage);
			expect(before).toHaveLength(TRIPS);
			// Cloudflare refuses the archive's second page.
			let writes = 0;
			const refused = refusing(/./, 400, 7500, "D1 DB exceeded its CPU time limit");
			cloudflare.mishap = (call) =>
				String(call.body).includes("insert into mileage_logs") && ++writes === 2
					? refused(call)
					: undefined;
			const broken = await operator.run("archive", ["--year", String(YEAR), "--remote"]);
			expectStop(broken, /exceeded its CPU time limit/);
			cloudflare.mishap = () => undefined;
			const inBoth = async () => [await tripsIn(stage), await tripsIn(stage, "milepost-archive")];
			expect(await inBoth()).toEqual([TRIPS - 100, 100]);
			expect(await run({ with: THIS_YEAR })).toBe(
				`${YEAR} is archived: ${TRIPS - 20} trips moved. No total has changed.\n`,
			);
			expect(await inBoth()).toEqual([20, TRIPS - 20]);
			expect(await shown(stage)).toEqual(before);
		},
	},
	{
		chapter: "Archiving a year",
		words: "npm run doctor -- --remote",
		play: async (_, run) => {
			const out = await run();
			expect(out).toContain(
				`ok     archive: ${TRIPS - 20} trips up to the end of ${YEAR}, as they were moved.`,
			);
			expect(out).toMatch(/^ok {5}totals: those of \d+ drivers? equal their rows\.$/m);
		},
	},
];

const RESTORED = "milepost-restored";
const BOUND = /database_name = "milepost"\ndatabase_id = "[^"]+"/;
const ARCHIVE_LINES = /^\[\[d1_databases\]\]\nbinding = "ARCHIVE"\n.*\n.*\n/m;

const RESTORING: readonly Play[] = [
	{
		chapter: "Restoring a backup",
		words: "npm run drill -- --remote --date 2026-10-31 --keep ../october",
		play: async ({ account }, run) => {
			const bucket = await account.runtime.bucket("milepost-backups");
			const latest = (await (await bucket.get("nightly/latest.json"))?.text()) ?? "{}";
			await run({ with: { "2026-10-31": JSON.parse(latest).date } });
		},
	},
	{
		chapter: "Restoring a backup",
		words: "npx wrangler d1 create milepost-restored --location weur",
		play: async ({ operator }, run) => {
			const out = await run();
			const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(out)?.[0];
			await operator.edit(BOUND, `database_name = "${RESTORED}"\ndatabase_id = "${id}"`);
			await operator.edit(ARCHIVE_LINES, (lines) => lines.replace(/^(?=.)/gm, "# "));
		},
	},
	{
		chapter: "Restoring a backup",
		words: "npm run restore -- --from ../october --remote",
		play: async (stage, run) => {
			expect(await run()).toMatch(/^\d+ rows and 1 receipt restored as of .*; every total agrees/);
			expect(await tripsIn(stage, RESTORED)).toBe(TRIPS);
			// The fleet goes on as it was.
			expect(await stage.health()).toMatchObject({ code: 200 });
			expect(await shown(stage)).toHaveLength(TRIPS);
		},
	},
	{
		chapter: "Restoring a backup",
		words: "npm run deploy",
		play: async (stage, run) => {
			const before = await shown(stage);
			expect(await run()).toContain(`Bookmark of ${RESTORED}`);
			expect((await (await stage.browser()).get("/api/auth/user")).status).toBe(401);
			stage.forgetBrowser();
			expect(await shown(stage)).toEqual(before);
		},
	},
	{
		chapter: "Restoring a backup",
		words: "npm run doctor -- --remote",
		play: async (stage, run) => {
			await stage.runNight();
			expect(await run()).toMatch(/^Nothing is wrong with the deployed fleet\.$/m);
		},
	},
];

export const UPKEEP = [...EVERY_DAY, ...ARCHIVING, ...RESTORING];
