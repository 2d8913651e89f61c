/** Checks the archive before a deployment. None is needed until a year is closed. */

import type { AccountApi } from "./cloudflare-api.ts";
import { setupCommand } from "./commands.ts";
import { type Deployment, findDatabase, isDatabaseId } from "./deployment.ts";

/** The command that creates what is missing. */
export const setup = ({ env }: Deployment) => setupCommand(env);

/** Mistakes in wrangler.toml about the archive. */
export function checkArchiveInFile(deployment: Deployment): string[] {
	const { database, archive } = deployment;
	if (!archive) return [];
	if (!isDatabaseId(archive.id))
		return [
			`${archive.name}, which is bound to ARCHIVE, has no database_id in wrangler.toml yet: ${setup(deployment)} creates the database and writes it there.`,
		];
	if (archive.id !== database.id) return [];
	return [
		`DB and ARCHIVE are both the database ${database.id} in wrangler.toml: write zeros for ARCHIVE and run ${setup(deployment)}, which creates one of its own.`,
	];
}

/** Checks that the account has the archive, and that it is the one with the closed years. */
export async function checkArchive(
	deployment: Deployment,
	api: AccountApi,
	db: D1Database | undefined,
	archive: D1Database | undefined,
): Promise<string[]> {
	const { archive: bound, database } = deployment;
	const there = bound && (await findDatabase(api, bound));
	if (bound && !there)
		return [
			`The account has no database ${bound.id}, which wrangler.toml names for ${bound.name}: enter its right database_id, or zeros and run ${setup(deployment)}.`,
		];
	const first = db && there && (await findDatabase(api, database));
	if (first && (first.jurisdiction ?? "none") !== (there.jurisdiction ?? "none"))
		return [
			`${database.name} is kept in the jurisdiction ${first.jurisdiction ?? "none"} and ${bound.name} in ${there.jurisdiction ?? "none"}: write zeros for ARCHIVE, give it another database_name and run ${setup(deployment)}, which creates it where the other one is.`,
		];
	const closed = db && (await closedYears(db));
	if (!closed?.year) return [];
	if (!archive || !bound)
		return [
			`Years up to ${closed.year} are archived, but wrangler.toml binds no database to ARCHIVE: write the lines that bound it again, with its database_id.`,
		];
	const columns = await columnsOf(archive);
	// Those of later releases are added with the migrations.
	if (closed.entries === 0 || columns.has("payload_hash")) return [];
	return [
		`The trips up to ${closed.year} aren't in ${bound.name}, the database ${bound.id} that wrangler.toml binds to ARCHIVE: put in the database_id of the one they were moved to.`,
	];
}

type Closed = { readonly year: number | null; readonly entries: number };

async function closedYears(db: D1Database): Promise<Closed | undefined> {
	try {
		const asked = db.prepare(
			"select max(year) as year, coalesce(sum(entries), 0) as entries from archived_years",
		);
		return (await asked.all<Closed>()).results[0];
	} catch (error) {
		// A fleet whose schema predates archives has none.
		if (error instanceof Error && error.message.includes("no such table")) return undefined;
		throw error;
	}
}

async function columnsOf(archive: D1Database): Promise<ReadonlySet<string>> {
	const asked = archive.prepare("select name from pragma_table_xinfo('mileage_logs')");
	return new Set((await asked.all<{ name: string }>()).results.map(({ name }) => name));
}
