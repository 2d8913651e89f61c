/** What the checkup looks at. Each check returns one line; none changes anything. */

import { createHash } from "node:crypto";
import { Database } from "../app/db/client.server.ts";
import { compareTotals } from "../app/domain/analytics/compare.server.ts";
import { checkSeals } from "../app/domain/audit/seal.server.ts";
import { DAILY_TASKS } from "../app/domain/kernel/daily-task.server.ts";
import {
	isBalanced,
	isFleetBalanced,
	selectBalances,
	selectFleetBalance,
} from "../app/domain/payouts/books.server.ts";
import { pluralize } from "../app/values/count.ts";
import type { ReceiptStore } from "./backup-place.ts";
import { deployCommand, remoteCommand } from "./commands.ts";
import { judgeSize } from "./database-size.ts";
import { signInsAt } from "./deploy-smoke-test.ts";
import { openLocalDatabase } from "./local-database.ts";
import { migrate, migrationFiles } from "./migrate.ts";

/** What is examined. */
export type CheckedFleet = {
	readonly db: D1Database;
	/** Undefined if no database is bound to ARCHIVE. */
	readonly archive?: D1Database | undefined;
	readonly receipts: Pick<ReceiptStore, "get">;
	/** UTC milliseconds. */
	readonly now: number;
	/** Whether a mail provider is configured. */
	readonly sendsMail: boolean;
	/** Whether the scheduled tasks run, which they always do only on a deployed fleet. */
	readonly isDeployed: boolean;
	/** The environment of wrangler.toml it is deployed as; absent for production. */
	readonly env?: string;
	/** Where people sign in; absent if this fleet has no providers. */
	readonly address?: string;
	/** Whether the sweep runs (SWEEPER); true if absent. */
	readonly sweeps?: boolean;
	/** Whether a bucket is bound to BACKUPS, so that there is a nightly export; false if absent. */
	readonly hasBackups?: boolean;
	/** How many days ended sessions are kept; 0 if absent. */
	readonly sessionDays?: number;
	/** How many of the newest receipts are read and hashed. */
	readonly receiptsRead: number;
};

/** The result; for a fault it says what to do. */
export type Finding = { readonly isSound: boolean; readonly words: string };

const sound = (words: string): Finding => ({ isSound: true, words });
const fault = (words: string): Finding => ({ isSound: false, words });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A tool's command for this fleet. */
const tool = ({ isDeployed, env = "" }: CheckedFleet, script: string, args = "") => {
	if (isDeployed) return remoteCommand(script, args ? [args] : [], env);
	return args ? `npm run ${script} -- ${args}` : `npm run ${script}`;
};
const admin = (fleet: CheckedFleet, job: string) => tool(fleet, "admin", job);

async function rows<Row>({ db }: CheckedFleet, sql: string, ...values: unknown[]): Promise<Row[]> {
	return (
		await db
			.prepare(sql)
			.bind(...values)
			.all<Row>()
	).results;
}

const utcTime = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const listed = (names: readonly string[]) =>
	names.length > 5
		? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`
		: names.join(", ");

/** Compares the migrations, tables, indexes, views and triggers with what this release has. */
async function schema(fleet: CheckedFleet): Promise<Finding> {
	const applied = (
		await rows<{ name: string }>(fleet, "select name from d1_migrations order by id")
	).map(({ name }) => name);
	const known = migrationFiles().map(({ name }) => name);
	const later = applied.filter((name) => !known.includes(name));
	if (later.length > 0)
		return fault(
			`this release doesn't know ${listed(later)}: check out the release that is deployed, and ask again`,
		);
	const missing = known.filter((name) => !applied.includes(name));
	if (missing.length > 0)
		return fault(
			`${listed(missing)} not applied: ${fleet.isDeployed ? deployCommand(fleet.env ?? "") : "npm start"} applies them`,
		);
	const expected = await declaredObjects();
	const found = await objectsOf(fleet.db);
	const gone = [...expected.keys()].filter((name) => !found.has(name));
	const changed = [...expected].filter(([name, sql]) => found.has(name) && found.get(name) !== sql);
	const extra = [...found.keys()].filter((name) => !expected.has(name));
	const differences = [
		...gone.map((name) => `${name} is gone`),
		...changed.map(([name]) => `${name} was changed`),
		...extra.map((name) => `${name} is none of ours`),
	];
	if (differences.length === 0) return sound(`${known.length} migrations, as they were written`);
	return fault(
		`${listed(differences)}: run its statement from migrations/ again, or restore a backup`,
	);
}

const OBJECTS = `select type || ' ' || name as name, sql from sqlite_master
	where sql is not null and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
	and name not like 'd1\\_%' escape '\\' and name not like '%deploy%lock%'`;

async function objectsOf(db: D1Database): Promise<Map<string, string>> {
	const { results } = await db.prepare(OBJECTS).all<{ name: string; sql: string }>();
	return new Map(
		results.map(({ name, sql }) => [name, sql.replace(/\s+/g, " ").replace(/; *$/, "").trim()]),
	);
}

/** The schema that the migrations make in an empty database. */
async function declaredObjects(): Promise<Map<string, string>> {
	const scratch = await openLocalDatabase(undefined);
	try {
		await migrate(scratch.db);
		return await objectsOf(scratch.db);
	} finally {
		await scratch.close();
	}
}

async function totals(fleet: CheckedFleet): Promise<Finding> {
	const { drivers, wrong } = await compareTotals(new Database(fleet.db));
	if (wrong.length === 0) return sound(`those of ${pluralize(drivers, "driver")} equal their rows`);
	const whose = wrong.map((id) => (id === "" ? "the fleet" : id));
	return fault(
		`wrong for ${listed(whose)}: ${admin(fleet, "recount")} recalculates them from the rows`,
	);
}

/** Checks that the archive has what the closed years' totals are recalculated from. */
async function archive(fleet: CheckedFleet): Promise<Finding> {
	const [closed] = await rows<{ year: number | null; isMoving: number }>(
		fleet,
		`select max(year) as year, count(*) > count(finished_at) as isMoving from archived_years`,
	);
	const year = closed?.year;
	if (!year) return sound("no year is archived");
	if (closed.isMoving)
		return fault(
			`${year} is closed and not archived yet: ${tool(fleet, "archive", `--year ${year}`)} goes on where it stopped`,
		);
	if (!fleet.archive)
		return fault(
			`${year} is archived, but wrangler.toml binds no database to ARCHIVE: write the four lines again, and deploy`,
		);
	const sums = "as trips, coalesce(sum(miles), 0) as miles";
	const [expected] = await rows<{ trips: number; miles: number }>(
		fleet,
		`select coalesce(sum(trips + voided_trips), 0) as trips,
			coalesce(sum(miles + voided_miles), 0) as miles from archived_days`,
	);
	const [found] = await rows<{ trips: number; miles: number }>(
		{ ...fleet, db: fleet.archive },
		`select count(*) ${sums} from mileage_logs`,
	);
	if (found?.trips === expected?.trips && found?.miles === expected?.miles)
		return sound(
			`${pluralize(found?.trips ?? 0, "trip")} up to the end of ${year}, as they were moved`,
		);
	return fault(
		`it has ${pluralize(found?.trips ?? 0, "trip")} and ${pluralize(found?.miles ?? 0, "mile")}, and ${pluralize(expected?.trips ?? 0, "trip")} and ${pluralize(expected?.miles ?? 0, "mile")} were moved: take it back with npx wrangler d1 time-travel restore, or restore a backup`,
	);
}

async function books(fleet: CheckedFleet): Promise<Finding> {
	const db = new Database(fleet.db);
	const wrong: string[] = [];
	let people = 0;
	for (let after = ""; ; ) {
		const { page } = await db.batch({ page: selectBalances(db.build, after, 50) });
		people += page.length;
		wrong.push(...page.filter((each) => !isBalanced(each)).map(({ driverId }) => driverId));
		const last = page.at(-1);
		if (!last) break;
		after = last.driverId;
	}
	const { fleets } = await db.batch({ fleets: selectFleetBalance(db.build) });
	if (wrong.length === 0 && !isFleetBalanced(fleets[0]))
		return fault(`the fleet's totals aren't the sums of everyone's: ${admin(fleet, "recount")}`);
	if (wrong.length === 0)
		return sound(`they balance for all ${pluralize(people, "person", "people")}`);
	return fault(
		`what was approved or settled isn't what was paid, carried and unpaid for ${listed(wrong)}: ${admin(fleet, "recount")}, and if that doesn't help, look at these people's payouts in the audit`,
	);
}

async function references(fleet: CheckedFleet): Promise<Finding> {
	const broken = await rows<{ table: string }>(fleet, "pragma foreign_key_check");
	if (broken.length === 0) return sound("every row refers to rows that are there");
	const tables = [...new Set(broken.map(({ table }) => table))];
	return fault(
		`${pluralize(broken.length, "row")} of ${listed(tables)} refer to rows that are gone: restore a backup from before that`,
	);
}

async function audit(fleet: CheckedFleet): Promise<Finding> {
	const seals = await checkSeals(new Database(fleet.db));
	if (seals.kind === "sound")
		return sound(
			`${pluralize(seals.entries, "sealed entry", "sealed entries")} as they were sealed; the last seal is ${seals.hash.slice(0, 16) || "still to come"}, which the night's log line "auditSeal" has too`,
		);
	return fault(
		`something among the entries after ${Math.max(0, seals.after)}, up to ${seals.lastEntry}, isn't as it was sealed: compare them with a backup from before`,
	);
}

async function receipts(fleet: CheckedFleet): Promise<Finding> {
	const newest = await rows<{ key: string; sha256: string; number: string }>(
		fleet,
		`select receipts.object_key as key, receipts.sha256,
			iif(charges.id is null, printf('FR-%06d', fund_requests.number),
				'the charge of ' || charges.charged_on) as number
		from receipts left join fund_requests on fund_requests.receipt_id = receipts.id
			left join charges on charges.receipt_id = receipts.id
		where fund_requests.id is not null or charges.id is not null
		order by receipts.created_at desc limit ?`,
		fleet.receiptsRead,
	);
	const wrong: string[] = [];
	for (const { key, sha256, number } of newest) {
		const bytes = await fleet.receipts.get(key);
		if (!bytes) wrong.push(`${number}'s is gone`);
		else if (createHash("sha256").update(bytes).digest("hex") !== sha256)
			wrong.push(`${number}'s was changed`);
	}
	if (wrong.length > 0)
		return fault(`${listed(wrong)}: put the file back from a backup, under its key r/...`);
	return sound(
		`${pluralize(newest.length, "file")} of the newest requests and charges as they came in`,
	);
}

/** What the sweepers should have removed. */
async function leftovers(fleet: CheckedFleet): Promise<Finding> {
	const { now, sessionDays = 0 } = fleet;
	const [found] = await rows<Record<string, number>>(
		fleet,
		`select
			(select count(*) from receipts where created_at < ?1
				and not exists (select 1 from fund_requests where receipt_id = receipts.id)
				and not exists (select 1 from charges where receipt_id = receipts.id)) as "receipts that no request or charge has",
			(select count(*) from loose_objects where created_at < ?2) as "files that no receipt stands for",
			(select count(*) from staged_imports where created_at < ?3) as "imports that were never finished",
			(select count(*) from statement_files where expires_at < ?3) as "statements whose hour is over",
			(select count(*) from sessions where ends_at < ?4) as "sessions that ended long ago"`,
		now - 80 * DAY,
		now - 80 * DAY,
		now - 2 * DAY,
		now - (80 + sessionDays) * DAY,
	);
	const left = Object.entries(found ?? {}).filter(([, number]) => number > 0);
	if (left.length === 0) return sound("nothing is left that should have been swept");
	return fault(
		`${left.map(([what, number]) => `${what}: ${number}`).join(", ")}. The sweep doesn't run. Is SWEEPER "off", and does the schedule (crons) run every minute`,
	);
}

async function email(fleet: CheckedFleet): Promise<Finding> {
	const [found] = await rows<{ late: number; stuck: number; failed: number; uncertain: number }>(
		fleet,
		`select
			(select count(*) from mails where status = 'queued' and send_after < ?1) as late,
			(select count(*) from mails where status = 'sending' and send_after < ?1) as stuck,
			(select count(*) from mails where status = 'failed') as failed,
			(select count(*) from mails where status = 'failed' and may_have_been_sent = 1) as uncertain`,
		fleet.now - HOUR,
	);
	const { late = 0, stuck = 0, failed = 0, uncertain = 0 } = found ?? {};
	const seen = `${failed - uncertain} failed, ${uncertain} may have been sent (under More, Outbox)`;
	if (!fleet.sendsMail)
		return sound(`no provider is configured, so ${pluralize(late, "email")} wait in the outbox`);
	if (late + stuck === 0) return sound(`none is overdue; ${seen}`);
	return fault(
		`${pluralize(late, "email")} overdue for an hour, ${stuck} broken off; ${seen}: is the provider up, is MAIL_API_KEY right, and does the schedule (crons) run every minute`,
	);
}

async function clock(fleet: CheckedFleet): Promise<Finding> {
	const [found] = await rows<{ now: number; newest: number | null }>(
		fleet,
		"select unixepoch() * 1000 as now, (select max(at) from audit_events) as newest",
	);
	const apart = Math.round(((found?.now ?? 0) - fleet.now) / 1000);
	if (Math.abs(apart) > 120)
		return fault(
			`this machine and the database are ${pluralize(Math.abs(apart), "second")} apart: set this machine's clock, and ask again`,
		);
	if ((found?.newest ?? 0) > fleet.now + 5 * 60_000)
		return fault(
			"the audit has entries from the future: something wrote with a wrong clock. Find it before anything else is written",
		);
	return sound(`this machine and the database agree to ${Math.abs(apart)} s`);
}

/** The daily tasks that this fleet's settings leave switched on. */
const expectedTasks = ({ sweeps = true, hasBackups = false }: CheckedFleet) =>
	DAILY_TASKS.filter((name) => (name !== "sweep" || sweeps) && (name !== "export" || hasBackups));

/**
 * Finds daily tasks that are stuck or never began. After a migration there may be a task whose
 * first day isn't over, so for two days only those that have run before can be late.
 */
async function schedule(fleet: CheckedFleet): Promise<Finding> {
	if (!fleet.isDeployed) return sound("only a deployed fleet's runs all the time");
	const tasks = await rows<{ name: string; day: string | null }>(
		fleet,
		"select name, finished_on as day from daily_tasks",
	);
	const [newest] = await rows<{ on: string }>(
		fleet,
		'select max(date(applied_at)) as "on" from d1_migrations',
	);
	const since = new Date(fleet.now - 2 * DAY).toISOString().slice(0, 10);
	const isSettled = (newest?.on ?? "") < since;
	const dayOf = new Map(tasks.map(({ name, day }) => [name, day]));
	const isLate = (name: string) => {
		const day = dayOf.get(name);
		return day ? day < since : isSettled;
	};
	const expected = expectedTasks(fleet);
	const late = expected.filter(isLate);
	const hasRun = expected.some((name) => dayOf.has(name));
	if (hasRun && late.length === 0) return sound("every daily task ran in the last 2 days");
	return fault(
		`${hasRun ? `${listed(late)} not finished for 2 days` : "no daily task has ever run"}: look at the Worker's logs for level "error", and at its cron trigger in Cloudflare's dashboard`,
	);
}

/** Whether a sign-in with each provider can begin: settings, discovery document, issuer. */
async function providers({ address }: CheckedFleet): Promise<Finding> {
	if (address === undefined) return sound("on this machine people sign in without one");
	if (address === "") return fault("APP_ORIGIN isn't set, so it isn't known where people sign in");
	const found = await signInsAt(address);
	if (typeof found !== "string") return sound(`sign-in leads to ${found.hosts.join(", ")}`);
	return fault(`${found}: 'Sign-in doesn't work' in docs/operations.md has the causes`);
}

async function size({ db }: CheckedFleet): Promise<Finding> {
	const { meta } = await db.prepare("select 1").all();
	return judgeSize(meta?.size_after);
}

async function administrators(fleet: CheckedFleet): Promise<Finding> {
	const [found] = await rows<{ n: number }>(
		fleet,
		`select count(*) as n from users where role = 'admin' and is_active = 1 and deleted_at is null
			and (invited_at is null or claimed_at is not null or invite_expires_at > ?)`,
		fleet.now,
	);
	const number = found?.n ?? 0;
	if (number === 0)
		return fault(
			`none can sign in: ${admin(fleet, "create you@example.com --first-name You --last-name Yourself")}`,
		);
	if (number === 1) return sound("1 can sign in. Invite a second one, in case one account is lost");
	return sound(`${number} can sign in`);
}

/** Tokens that nothing has used for 90 days: finders could use them, and nobody would miss them. */
async function tokens(fleet: CheckedFleet): Promise<Finding> {
	const live = await rows<{ name: string; seen: number }>(
		fleet,
		`select name, coalesce(last_used_at, created_at) as seen from api_tokens
		where revoked_at is null and expires_at > ? order by expires_at`,
		fleet.now,
	);
	const unused = live.filter(({ seen }) => seen <= fleet.now - 90 * DAY);
	if (unused.length === 0)
		return sound(`${pluralize(live.length, "token")}, each used in the last 90 days`);
	return fault(
		`not used for 90 days: ${listed(unused.map(({ name }) => name))}. Revoke them in the app, under Settings, Tokens`,
	);
}

/**
 * Webhooks whose receivers have accepted nothing for a day, whether still tried or switched off for
 * it, and the last 30 days' events that were given up.
 */
async function webhooks(fleet: CheckedFleet): Promise<Finding> {
	const there = await rows<{ url: string; failingSince: number | null; isOff: number }>(
		fleet,
		`select url, failing_since as failingSince, switched_off_at is not null as isOff from webhooks
		where removed_at is null order by created_at, id`,
	);
	if (there.length === 0) return sound("there are none");
	const [found] = await rows<{ n: number }>(
		fleet,
		`select count(*) as n from webhook_deliveries where created_at >= ? and status = 'failed'
			and webhook_id in (select id from webhooks where removed_at is null)`,
		fleet.now - 30 * DAY,
	);
	const givenUp = `${pluralize(found?.n ?? 0, "event")} given up in the last 30 days`;
	const failing = there.filter(
		({ failingSince }) => failingSince !== null && failingSince <= fleet.now - DAY,
	);
	const isOff = there.filter((each) => each.isOff && !failing.includes(each));
	const off =
		isOff.length > 0 ? `, ${isOff.length}${failing.length > 0 ? " more" : ""} switched off` : "";
	if (failing.length === 0)
		return sound(`${pluralize(there.length, "webhook")}${off}, none failing for a day; ${givenUp}`);
	const words = failing.map(
		(each) =>
			`${new URL(each.url).host} ${each.isOff ? "switched off, " : ""}failing since ${utcTime(each.failingSince ?? 0)}`,
	);
	return fault(
		`${words.join(", ")}${off}; ${givenUp}: fix the receiver, then switch it on and send again what it missed, or remove it, in the app, under Settings, Webhooks`,
	);
}

/** All checks by name, in the order they are reported. */
export const CHECKS: Readonly<Record<string, (fleet: CheckedFleet) => Promise<Finding>>> = {
	schema,
	references,
	totals,
	archive,
	books,
	audit,
	receipts,
	leftovers,
	email,
	schedule,
	clock,
	size,
	providers,
	administrators,
	tokens,
	webhooks,
};

/** Runs one check; a database that can't answer is itself a fault. */
export async function runCheck(name: string, fleet: CheckedFleet): Promise<Finding> {
	const check = CHECKS[name];
	if (!check) throw new Error(`there is no check named ${name}`);
	try {
		return await check(fleet);
	} catch (error) {
		const text = error instanceof Error ? error.message : String(error);
		return fault(
			`couldn't be looked at (${text.replace(/\s+/g, " ").slice(0, 200)}): fix what is above, then ${tool(fleet, "doctor")} again`,
		);
	}
}
