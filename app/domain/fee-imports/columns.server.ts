/** Remembers which columns were chosen for files with the same headings. */
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";
import { columnChoices } from "../../db/schema.ts";
import { computeFingerprint } from "../../values/fingerprint.ts";
import type { AdminContext } from "../kernel/context.ts";
import { foldHeading } from "../statements/heading.ts";
import { type Mapping, mappingToFields, parseMapping, parseStatement } from "./statement.ts";

/** The hash of a file's headings; undefined for an unreadable one. */
async function headHashOf(text: string): Promise<string | undefined> {
	const read = parseStatement(text);
	return read.ok ? computeFingerprint(read.value.head.map(foldHeading)) : undefined;
}

/** The columns that were chosen for such a file. */
export async function recallColumns(db: Database, text: string): Promise<Mapping | undefined> {
	const headHash = await headHashOf(text);
	if (headHash === undefined) return undefined;
	const { found } = await db.batch({
		found: db.build.select().from(columnChoices).where(eq(columnChoices.headHash, headHash)),
	});
	const [choice] = found;
	if (!choice) return undefined;
	const fields = new Map(Object.entries(JSON.parse(choice.mapping) as Record<string, string>));
	return parseMapping(fields);
}

/** Remembers the columns that a file was imported with. */
export async function rememberColumns(
	{ db, now }: AdminContext,
	text: string,
	mapping: Mapping,
): Promise<void> {
	const headHash = await headHashOf(text);
	if (headHash === undefined) return;
	const chosen = { mapping: JSON.stringify(mappingToFields(mapping)), chosenAt: now };
	await db.batch({
		remembered: db.build
			.insert(columnChoices)
			.values({ headHash, ...chosen })
			.onConflictDoUpdate({
				target: columnChoices.headHash,
				set: { mapping: sql`excluded.mapping`, chosenAt: sql`excluded.chosen_at` },
			}),
	});
}
