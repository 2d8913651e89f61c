/**
 * From nothing to signed in by following docs/operations.md, with the real wrangler, against a
 * stand-in for Cloudflare on this machine.
 */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CLIENTS, openRealProvider, type RealProvider } from "../oidc/real-provider.ts";
import { type Cloudflare, refusing } from "../support/cloudflare.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { expectStop, type Operator, ORIGIN, startOperator } from "../support/operator.ts";
import { Client } from "../support/worker.ts";

// One test starts several programs, and each of them loads all of wrangler.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let operator: Operator;
let cloudflare: Cloudflare;
let provider: RealProvider;
let providers: string;

/** The manual's own words. */
const manual = readFileSync("docs/operations.md", "utf8");
const chapter = (title: string) =>
	manual.split(/^## /m).find((each) => each.startsWith(title)) ?? "";
const commandsIn = (title: string) =>
	[...chapter(title).matchAll(/^npm run (setup|deploy)(?: -- (.*))?$/gm)].map(
		([, tool = "", args = ""]) => ({ tool, args: args.split(" ").filter(Boolean) }),
	);

beforeAll(async () => {
	[operator, provider] = await Promise.all([
		startOperator(),
		openRealProvider({ callback: `${ORIGIN}/api/callback`, claimsInToken: true }),
	]);
	cloudflare = operator.cloudflare;
	provider.people.set("bo", { email: "bo@example.com", email_verified: true });
	const [example] = JSON.parse(/```json\n(.*)\n```/.exec(manual)?.[1] ?? "[]");
	providers = operator.pathOf("providers.json");
	const own = { ...example, issuer: provider.issuer, ...CLIENTS.confidential };
	await writeFile(providers, JSON.stringify([own]));
});
afterAll(() => Promise.all([operator.close(), provider.close()]));
afterEach(() => {
	cloudflare.mishap = () => undefined;
});

/** The commands under 'Archiving a year', for a year that can be archived today. */
const YEAR = Number(daysAgo(0).slice(0, 4)) - 2;
const archiving = [
	...(/\*\*Archiving a year\.\*\*[\s\S]*?^Closed years/m.exec(manual)?.[0] ?? "").matchAll(
		/`npm run (\w+)(?: -- ([^`]*))?`/g,
	),
].map(([, tool = "", args = ""]) => ({
	tool,
	args: args.replace("--year 2024", `--year ${YEAR}`).split(" ").filter(Boolean),
}));
const DRIVER = "a1000000-0000-4000-8000-000000000001";
const TRIPS = 150;
async function rowsIn<Row>(name: string, sql: string): Promise<Row[]> {
	const { databases, runtime } = cloudflare.account;
	const uuid = [...databases.values()].find((each) => each.name === name)?.uuid ?? "";
	return (await (await runtime.database(uuid)).prepare(sql).all<Row>()).results;
}
const tripsIn = async (name: string) =>
	(await rowsIn<{ n: number }>(name, "select count(*) as n from mileage_logs"))[0]?.n;

let browser: Client;

describe("docs/operations.md", () => {
	it("leads from nothing to an administrator who is signed in", async () => {
		const commands = commandsIn("Install");
		expect(commands.map(({ tool }) => tool)).toEqual(["setup", "deploy", "deploy"]);
		const answers = [
			...["America/Chicago", ORIGIN, "none", "weur"],
			...[providers, "https://hooks.example.com/T1", "bo@example.com", "Bo", "O'Ss"],
		];
		for (const { tool, args } of commands) {
			const before = await operator.state();
			const ran = await (tool === "setup"
				? operator.setup(args, `${answers.join("\n")}\n`)
				: operator.deploy(args));
			expect(ran).toMatchObject({ code: 0, err: "" });
			if (args.includes("--dry-run")) expect(await operator.state()).toBe(before);
		}
		browser = new Client(cloudflare.site(ORIGIN));
		const started = await browser.get("/api/login");
		const back = new URL(await provider.pass(started.headers.get("Location") ?? "", "bo"));
		expect((await browser.get(back.pathname + back.search)).status).toBe(303);
		const me = await browser.get("/api/auth/user");
		expect(JSON.parse(me.text)).toMatchObject({ email: "bo@example.com", role: "admin" });
	});

	it("leaves a Worker with one address, a schedule, room for long reports, and maps nobody sees", () => {
		const script = cloudflare.account.scripts.get("milepost");
		const version = script?.versions.find(({ id }) => id === script.deployments[0]);
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
		const published = [...cloudflare.account.sessions.values()].flatMap((each) =>
			Object.keys(each),
		);
		expect(published.length).toBeGreaterThan(10);
		expect(published.filter((path) => path.endsWith(".map"))).toEqual([]);
		expect([...cloudflare.account.databases.values()]).toMatchObject([
			{ name: "milepost", primary_location_hint: "weur" },
		]);
		expect([...cloudflare.account.buckets.values()]).toMatchObject([
			{ name: "milepost-receipts", locationHint: "weur" },
			{ name: "milepost-backups", locationHint: "weur" },
		]);
		expect(script?.secrets.get("ERROR_WEBHOOK")).toBe("https://hooks.example.com/T1");
		const bound = version?.bindings.filter(({ type }) => type === "r2_bucket");
		expect(bound?.map(({ name, bucket_name }) => [name, bucket_name])).toEqual([
			["RECEIPTS", "milepost-receipts"],
			["BACKUPS", "milepost-backups"],
		]);
	});

	it("may be followed again: a second setup changes and asks nothing", async () => {
		const before = await operator.state();
		const ran = await operator.setup(["--remote"]);
		expect(ran).toMatchObject({ code: 0, err: "" });
		expect(ran.out).toMatch(/milepost has all it needs\. Next: npm run deploy\n$/);
		expect(await operator.state()).toBe(before);
	});

	it("moves the trips of a closed year into a second database, and the fleet still shows them", async () => {
		expect(archiving.map(({ tool }) => tool)).toEqual([
			...["setup", "deploy", "archive", "archive", "doctor"],
		]);
		await rowsIn(
			"milepost",
			`insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at)
			values ('${DRIVER}', 'driver', 'Dri', 'Ver', 'approved', 1, 5)`,
		);
		await rowsIn(
			"milepost",
			`with recursive trip (n) as (select 1 union all select n + 1 from trip where n < ${TRIPS})
			insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
			select printf('b1000000-0000-4000-8000-%012d', n), '${DRIVER}', date('${YEAR}-01-01', '+' || n || ' days'),
				n * 100, n * 100 + 7, 'form', 5, 'x' from trip`,
		);
		const shown = () => browser.get(`/api/mileage?startDate=${YEAR}-01-01&endDate=${YEAR}-12-31`);
		const before = JSON.parse((await shown()).text);
		expect(before).toHaveLength(TRIPS);
		const [setup, deploy, dryRun, archive, doctor] = archiving;
		if (!setup || !deploy || !dryRun || !archive || !doctor) throw new Error("a step is missing");

		expect(await operator.run("archive", archive.args)).toMatchObject({
			code: 1,
			err: expect.stringMatching(
				/binds no database to ARCHIVE: run npm run setup -- --remote --arch/,
			),
		});
		expect((await operator.run("setup", setup.args)).out).toContain(
			"Archive: milepost-archive created; its id is in wrangler.toml.",
		);
		expect([...cloudflare.account.databases.values()][1]).toMatchObject({
			name: "milepost-archive",
			primary_location_hint: "weur",
		});
		const made = await operator.state();
		expect((await operator.run("setup", setup.args)).out).toContain(
			"Archive: milepost-archive is there.",
		);
		expect(await operator.state()).toBe(made);
		expect(await operator.run("deploy", deploy.args)).toMatchObject({ code: 0, err: "" });

		const unchanged = await operator.state();
		expect(await operator.run("archive", dryRun.args)).toMatchObject({
			code: 0,
			out: `${TRIPS} trips up to the end of ${YEAR} aren't in the archive; each driver's latest 20 stay. Nothing stands in the way.\n`,
		});
		expect(await operator.state()).toBe(unchanged);

		// Cloudflare refuses the archive's second page.
		let writes = 0;
		const refused = refusing(/./, 400, 7500, "D1 DB exceeded its CPU time limit");
		cloudflare.mishap = (call) =>
			String(call.body).includes("insert into mileage_logs") && ++writes === 2
				? refused(call)
				: undefined;
		const broken = await operator.run("archive", archive.args);
		expectStop(broken, /exceeded its CPU time limit/);
		cloudflare.mishap = () => undefined;
		expect([await tripsIn("milepost"), await tripsIn("milepost-archive")]).toEqual([
			TRIPS - 100,
			100,
		]);
		expect(await operator.run("archive", archive.args)).toMatchObject({
			code: 0,
			err: "",
			out: `${YEAR} is archived: ${TRIPS - 20} trips moved. No total has changed.\n`,
		});
		expect([await tripsIn("milepost"), await tripsIn("milepost-archive")]).toEqual([
			20,
			TRIPS - 20,
		]);
		expect(JSON.parse((await shown()).text)).toEqual(before);
		const { out } = await operator.run("doctor", doctor.args);
		expect(out).toContain(
			`ok     archive: ${TRIPS - 20} trips up to the end of ${YEAR}, as they were moved.`,
		);
		expect(out).toMatch(/^ok {5}totals: those of \d+ drivers? equal their rows\.$/m);
	});

	it("asks for what a mail provider needs once one is named, and refuses what can't be right", async () => {
		const mail = 'MAIL_PROVIDER = "resend"\nMAIL_FROM = "fleet@example.com"';
		await operator.edit("# MAIL_PROVIDER", `${mail}\n# MAIL_PROVIDER`);
		const wrong = { MAIL_API_KEY: "re_1", MAIL_WEBHOOK_SECRET: "secret" };
		expectStop(
			await operator.setup(["--remote"], "", wrong),
			/^the environment variable MAIL_WEBHOOK_SECRET: MAIL_WEBHOOK_SECRET must be the signing secret/,
		);
		const ran = await operator.setup(["--remote"], "re_1\nnone\n");
		expect(ran).toMatchObject({ code: 0, err: "" });
		expect(ran.out).toContain("Secrets: MAIL_API_KEY set.");
		const dry = await operator.deploy(["--dry-run"]);
		expect(dry.out).toContain(
			"It does without: no METRICS dataset (no figures to alert on), no MAIL_WEBHOOK_SECRET (bounces aren't shown). See docs/operations.md.",
		);
		const later = { MAIL_WEBHOOK_SECRET: `whsec_${"a".repeat(24)}` };
		expect((await operator.setup(["--remote"], "", later)).out).toContain(
			"Secrets: MAIL_WEBHOOK_SECRET set.",
		);
	});
});

const WHERE = ["--origin", "https://staging.example.com", "--time-zone", "Europe/Paris"];
const WHO = ["--admin-email", "di@example.com", "--first-name", "Di", "--last-name", "Fo"];
const STAGING = ["--remote", "--env", "staging", ...WHERE, "--jurisdiction", "eu"];

describe("setup", () => {
	const mistakes: [string, readonly string[], RegExp][] = [
		["no --remote", [], /^Say --remote: on this machine npm start/],
		["an unknown option", ["--remote", "--force"], /^Unknown option '--force'\. See npm run setup/],
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
			/^wrangler\.toml says already that APP_ORIGIN is https:\/\/fleet\.example\.com: change it there/,
		],
	];
	it.each(mistakes)("changes nothing, given %s", async (_, args, words) => {
		const before = await operator.state();
		expectStop(await operator.setup(args), words);
		expect(await operator.state()).toBe(before);
	});

	it("goes on where it was interrupted, with nothing made twice", async () => {
		cloudflare.mishap = refusing(/^POST \/r2/, 403, 10042, "Please enable R2 in the dashboard");
		const args = [...STAGING, "--providers", providers, ...WHO];
		expectStop(await operator.setup(args), /^R2 isn't switched on in account \w+: switch it on/);
		const listed = () => [...cloudflare.account.databases.values()].map(({ name }) => name);
		expect(listed()).toEqual(["milepost", "milepost-archive", "milepost-staging"]);

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
		const doubtful = [...STAGING, "--providers", operator.pathOf("doubtful.json")];
		const stopped = await operator.setup(doubtful);
		expectStop(stopped, /has no provider with "trustsEmail": true/);
		expect(stopped.out).toContain("Database: milepost-staging was there");

		const ran = await operator.setup(args);
		expect(ran).toMatchObject({ code: 0, err: "" });
		expect(ran.out).toMatch(
			/milepost-staging has all it needs\. Next: npm run deploy -- --env staging\n$/,
		);
		expect(listed()).toEqual(["milepost", "milepost-archive", "milepost-staging"]);
		for (const name of ["milepost-staging-receipts", "milepost-staging-backups"])
			expect(cloudflare.account.buckets.get(name)).toMatchObject({ jurisdiction: "eu" });
		expect([...(cloudflare.account.scripts.get("milepost-staging")?.secrets.keys() ?? [])]).toEqual(
			["COOKIE_SECRET", "OIDC_PROVIDERS"],
		);
		const dry = await operator.deploy(["--env", "staging", "--dry-run"]);
		expect(dry).toMatchObject({ code: 0, err: "" });
		expect(dry.out).toContain(
			"milepost-staging at https://staging.example.com: everything is there",
		);
	});
});
