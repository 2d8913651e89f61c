/** `npm run archive -- --year 2024`: moves the trips of settled years into the archive. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Database, PATIENT_ATTEMPTS } from "../app/db/client.server.ts";
import { archiveYear } from "../app/domain/archive/archive-year.server.ts";
import {
	type CloseRefusal,
	closeYear,
	type Unsettled,
	type YearState,
	yearState,
} from "../app/domain/archive/commands/close-year.server.ts";
import { latestToArchive } from "../app/domain/archive/rules.ts";
import { dateIn } from "../app/values/calendar-date.ts";
import { pluralize } from "../app/values/count.ts";
import { refused } from "../app/values/outcome.ts";
import { readArguments } from "./arguments.ts";
import { BackupError } from "./backup-file.ts";
import { openLocalPlace, openRemotePlace, type Place } from "./backup-place.ts";
import { runTool } from "./backup-tool.ts";
import { remoteCommand } from "./commands.ts";
import { stateFolder } from "./state-folder.ts";
import { fleetTimeZone } from "./wrangler-config.ts";

const USAGE = `Usage: npm run archive -- --year 2024 [--dry-run] [--remote]

Closes a year and all years before it, and moves their trips into the database that is bound to ARCHIVE: copied,
read back, compared, then removed. No total changes, and every list, report and download goes on showing them.
Closed years take no more trips, and their trips can't be voided. Their weeks, and those up to the next April 5, are
drafted and voided no more. There is no way to open them again.

Only years before last year, and only when nothing in them is pending, unpaid, or voidable by its driver, and no
settlement of theirs is a draft or waits for its payout. When it is broken off, run it again: it goes on where it
stopped.

  --year      The last year to close.
  --dry-run   Says what would be moved and what stands in the way, and changes nothing.
  --remote    The deployed fleet. CLOUDFLARE_API_TOKEN has to be a token that may edit D1.
  --help      Prints this.`;

const OPTIONS = {
	year: { type: "string" },
	"dry-run": { type: "boolean", default: false },
	remote: { type: "boolean", default: false },
	help: { type: "boolean", short: "h", default: false },
} as const;
const fault = (reason: string) => new BackupError(`${reason}. See npm run archive -- --help`);

function optionsIn(args: string[]) {
	const { values } = readArguments({ args, options: OPTIONS }, fault);
	if (!values.help && !/^2\d{3}$/.test(values.year ?? ""))
		throw fault("Specify a year: --year 2024");
	return values;
}

/** What keeps a year from being closed, as text; empty if nothing does. */
const obstacles = ({ pending, unpaid, recent, weeks }: Unsettled): string =>
	[
		...(pending > 0 ? [`${pluralize(pending, "request")} pending`] : []),
		...(unpaid > 0 ? [`${pluralize(unpaid, "request")} approved and not paid`] : []),
		...(recent > 0 ? [`${pluralize(recent, "trip")} logged in the last 7 days`] : []),
		...(weeks > 0 ? [`${pluralize(weeks, "settlement")} to publish or pay`] : []),
	].join(", ");

function wordsOf(refusal: CloseRefusal, year: number): string {
	switch (refusal.reason) {
		case "too-early":
			return `${year} is too recent: the latest year that can be archived is ${refusal.details.latest}.`;
		case "unsettled":
			return `${year} isn't settled: ${obstacles(refusal.details)}. Settle them, and run this again.`;
		case "other-year":
			return `${refusal.details.year} is being archived. Finish it first: --year ${refusal.details.year}.`;
		case "archived":
			return `${year} is archived already.`;
	}
}

/** Why a year can't be closed any more, or yet; undefined if no other year is why. */
function whyClosed({ closed, isFinished }: YearState, year: number): CloseRefusal | undefined {
	if (closed === null) return undefined;
	if (closed > year || (closed === year && isFinished)) return refused("archived");
	return closed < year && !isFinished ? refused("other-year", { year: closed }) : undefined;
}

async function dryRun(db: Database, year: number, now: number, latest: number): Promise<string> {
	if (year > latest)
		throw new BackupError(wordsOf({ ok: false, reason: "too-early", details: { latest } }, year));
	const state = await yearState(db, year, now);
	const closed = whyClosed(state, year);
	if (closed?.reason === "archived") return wordsOf(closed, year);
	if (closed) throw new BackupError(wordsOf(closed, year));
	const inTheWay = obstacles(state);
	const { undrafted } = state;
	const lost =
		undrafted > 0
			? ` ${pluralize(undrafted, "driver")} with an agreement ${undrafted === 1 ? "has" : "have"} money in weeks without a settlement, which can't get one afterwards.`
			: "";
	const found = `${pluralize(state.entries, "trip")} up to the end of ${year} ${state.entries === 1 ? "isn't" : "aren't"} in the archive; each driver's latest 20 stay.`;
	return inTheWay
		? `${found} In the way: ${inTheWay}.${lost}`
		: `${found} Nothing stands in the way.${lost}`;
}

async function run(
	{ db: binding, archive }: Place,
	year: number,
	timeZone: string,
	isDryRun: boolean,
): Promise<string> {
	const db = new Database(binding, undefined, PATIENT_ATTEMPTS);
	const now = Date.now();
	if (isDryRun) return dryRun(db, year, now, latestToArchive(dateIn(timeZone, now)));
	if (!archive)
		throw new BackupError(
			`wrangler.toml binds no database to ARCHIVE: run ${remoteCommand("setup", ["--archive"])}, and deploy. docs/operations.md, 'Archiving a year'.`,
		);
	const operator = { role: "operator", db, now } as const;
	const closed = await closeYear(operator, year, timeZone);
	if (!closed.ok) {
		const words = wordsOf(closed, year);
		if (closed.reason === "archived") return words;
		throw new BackupError(words);
	}
	let told = 0;
	let moved = 0;
	const store = new Database(archive, undefined, PATIENT_ATTEMPTS);
	const result = await archiveYear(operator, store, year, (more) => {
		moved += more;
		if (moved - told < 5000) return;
		told = moved;
		console.error(`${pluralize(moved, "trip")} moved ...`);
	});
	if (!result.isFinished)
		throw new BackupError(
			`The nightly export is running: ${pluralize(result.moved, "trip")} moved so far. Run this again in an hour to continue.`,
		);
	return `${year} is archived: ${pluralize(result.moved, "trip")} moved. No total has changed.`;
}

await runTool(async () => {
	const { year, remote, help, "dry-run": isDryRun } = optionsIn(process.argv.slice(2));
	if (help) return USAGE;
	const state = stateFolder();
	if (!remote && !existsSync(join(state, "d1")))
		throw new BackupError(
			`There is no database in ${state} yet. Run npm start once, or set MILEPOST_STATE.`,
		);
	const zone = fleetTimeZone(remote);
	const place = remote ? openRemotePlace() : await openLocalPlace(state);
	try {
		return await run(place, Number(year), zone, isDryRun);
	} finally {
		await place.close();
	}
});
