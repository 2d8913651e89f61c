/** The steps of a deployment, and what it says when one of them fails. */

import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import * as v from "valibot";
import { Database } from "../app/db/client.server.ts";
import { completeStore } from "../app/domain/archive/store.server.ts";
import { CloudflareError } from "./cloudflare-api.ts";
import { deployCommand } from "./commands.ts";
import type { Ready } from "./deploy-checks.ts";
import { releaseLock, takeLock } from "./deploy-lock.ts";
import { smokeTest } from "./deploy-smoke-test.ts";
import { appliedMigrations, pendingMigrations, releaseOn } from "./deployment.ts";
import { migrationFiles, whyNotMigrated } from "./migrate.ts";
import { RemoteDatabaseError } from "./remote-database.ts";
import { commandLine, wrangler } from "./wrangler.ts";

/** Stops a deployment. The message says how far it got and what to do. */
export class DeploymentFault extends Error {}

/** How a deployment is identified once it has started, and how to undo it. */
export type Progress = {
	readonly holder: string;
	/** The command that restores the database to its previous state. */
	readonly restore: string;
};

const clock = (at: number) => `${new Date(at).toISOString().slice(11, 16)} UTC`;
const again = ({ env }: Ready["deployment"]) => `and run ${deployCommand(env)} again`;

/** Bookmarks the database and runs the steps while holding the lock. */
export async function withLock(
	ready: Ready,
	steps: (way: Progress) => Promise<void>,
): Promise<void> {
	const { database, env } = ready.deployment;
	const bookmark = await bookmarkOf(ready);
	const restore = commandLine(
		["d1", "time-travel", "restore", database.name, `--bookmark=${bookmark}`],
		env,
	);
	console.log(
		`Bookmark of ${database.name}: ${bookmark}. To go back to its present rows, within 30 days and losing what is written after this:\n  ${restore}`,
	);
	const way = { holder: nameOfThisRun(), restore };
	await hold(ready, way, UNCHANGED);
	try {
		await checkStill(ready);
		await steps(way);
	} catch (error) {
		throw isOfCloudflare(error) ? lost(error, way, env) : error;
	} finally {
		await releaseLock(ready.db, way.holder).catch(() => undefined);
	}
}

const isOfCloudflare = (error: unknown): error is Error =>
	error instanceof CloudflareError || error instanceof RemoteDatabaseError;

/** Cloudflare stopped responding midway. */
const lost = (error: Error, { restore }: Progress, env: string) =>
	new DeploymentFault(
		`It isn't known how far this got (${error.message.replace(/\.$/, "")}): ${deployCommand(env, "--dry-run")} says what is applied and which release is serving, and ${deployCommand(env)} continues from there. To get the rows back: ${restore}`,
	);

async function bookmarkOf({ api, deployment }: Ready): Promise<string> {
	const path = `/d1/database/${encodeURIComponent(deployment.database.id)}/time_travel/bookmark`;
	try {
		return (await api(path, v.object({ bookmark: v.string() }))).bookmark;
	} catch (error) {
		if (!isOfCloudflare(error)) throw error;
		throw new DeploymentFault(
			`${UNCHANGED} Without a bookmark of the database there would be no way back: ${error.message}`,
		);
	}
}

const UNCHANGED = "Nothing was changed.";
const nameOfThisRun = () =>
	`${userInfo().username} on ${hostname()} (${randomBytes(3).toString("hex")})`;

/** Takes or extends the lock, or stops the deployment and says how far it got. */
async function hold(
	{ db, deployment }: Ready,
	{ holder }: Progress,
	stands: string,
): Promise<void> {
	const lock = await takeLock(db, holder, Date.now());
	if (!lock) return;
	throw new DeploymentFault(
		`${stands} ${lock.holder} has been deploying ${deployment.worker} since ${clock(lock.began_at)}: wait until that has ended or, if it was stopped, until ${clock(lock.until)}.`,
	);
}

/** Another deployment may have run between the checks and the lock. */
async function checkStill({ api, db, deployment, pending, release }: Ready): Promise<void> {
	const now = pendingMigrations(await appliedMigrations(db));
	const serving = release && (await releaseOn(api, deployment.worker));
	if (now.join() === pending.join() && serving === release) return;
	throw new DeploymentFault(
		`Nothing was changed. Someone else has just deployed ${deployment.worker}: make sure yours is the newer one, ${again(deployment)}.`,
	);
}

/** Shown when the schema is ahead of the release. */
const servesOn = ({ release }: Ready) =>
	release
		? `release ${release} is still serving and runs on that schema`
		: "no release is serving yet";
const stillServing = ({ release }: Ready) =>
	release ? `release ${release} is still serving` : "no release is serving yet";

/**
 * Applies the pending migrations, and gives the archive the columns it lacks. They come first: the live release works on the new schema, and
 * the new release requires it.
 */
export async function migrateRemote(ready: Ready, { restore }: Progress): Promise<void> {
	const { deployment, db, archive, pending } = ready;
	if (archive) await completeStore(new Database(archive));
	if (pending.length === 0) return;
	console.log(`Migrating ${deployment.database.name} ...`);
	const reason = await whyNotMigrated(db);
	const applied = await appliedMigrations(db);
	const left = pending.filter((name) => !applied.includes(name));
	if (left.length === 0) return;
	const done = pending.filter((name) => applied.includes(name));
	const stands =
		done.length === 0
			? `Nothing was changed, and ${stillServing(ready)}.`
			: `Applied before it: ${done.join(", ")}; ${servesOn(ready)}. To go back: ${restore}`;
	throw new DeploymentFault(
		`Migration ${left[0]} was refused (${reason}), and all of it was undone: fix it ${again(deployment)}. ${stands}`,
	);
}

/**
 * Uploads the bundle with its source maps and makes it live.
 * @returns the release
 */
export async function upload(ready: Ready, way: Progress): Promise<string> {
	const { deployment, api, pending } = ready;
	const stands =
		pending.length === 0
			? `Nothing was changed, and ${stillServing(ready)}.`
			: `The migrations are applied (${pending.join(", ")}); ${servesOn(ready)}. To go back: ${way.restore}`;
	await hold(ready, way, stands);
	console.log(`Uploading ${deployment.worker} ...`);
	const before = await releaseOn(api, deployment.worker);
	const run = await wrangler(["deploy"], deployment.env);
	const release = await releaseOn(api, deployment.worker);
	if (run.isDone && release && release !== before) return release;
	if (release !== before)
		throw new DeploymentFault(
			`Release ${release} is serving, but wrangler couldn't finish (${run.reason}), so its route or its schedule may be missing: fix that ${again(deployment)}. ${backFrom(ready)}`,
		);
	throw new DeploymentFault(
		`The upload was refused (${run.reason}): fix that ${again(deployment)}. ${stands}`,
	);
}

/** How to go back to the previous release; migrations stay, since it works on them. */
function backFrom({ deployment: { env }, release }: Ready): string {
	if (!release) return "There is no earlier release to go back to.";
	return `To go back: ${commandLine(["rollback", release, "--yes"], env)}`;
}

const PATIENCE_SECONDS = 60;
/** A new hostname needs its certificate first. */
const FIRST_PATIENCE_SECONDS = 300;

/**
 * The time limit of the smoke test in seconds, if MILEPOST_SMOKE_SECONDS sets it.
 * @throws DeploymentFault if that isn't a number, before anything is changed
 */
export function smokeSeconds(): number | undefined {
	const text = process.env.MILEPOST_SMOKE_SECONDS;
	if (text === undefined) return undefined;
	if (/^\d{1,4}$/.test(text)) return Number(text);
	throw new DeploymentFault(
		`Nothing was changed. MILEPOST_SMOKE_SECONDS must be a whole number of seconds, not "${text}".`,
	);
}

/**
 * Smoke-tests the new release at the URL that people use. MILEPOST_SMOKE_URL replaces a URL that
 * doesn't lead here.
 */
export async function testRelease(ready: Ready, way: Progress, release: string): Promise<void> {
	const address = (process.env.MILEPOST_SMOKE_URL ?? ready.origin).replace(/\/+$/, "");
	const seconds = smokeSeconds() ?? (ready.release ? PATIENCE_SECONDS : FIRST_PATIENCE_SECONDS);
	const newest = migrationFiles().at(-1)?.name ?? "";
	console.log(`Checking ${address}/healthz ...`);
	const expected = { release, schema: newest.replace(/\.sql$/, "") };
	const fault = await smokeTest(address, expected, seconds * 1000);
	if (!fault) return;
	const rows = ready.pending.length > 0 ? ` Only if rows are damaged, also: ${way.restore}` : "";
	throw new DeploymentFault(
		`Release ${release} was uploaded, but ${fault}, after ${seconds} seconds of checking. ${backFrom(ready)}${rows}`,
	);
}
