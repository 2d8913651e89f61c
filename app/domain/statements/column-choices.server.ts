/** Remembers which columns were chosen for files with the same headings. */
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";
import { columnChoices } from "../../db/schema.ts";
import { computeFingerprint } from "../../values/fingerprint.ts";
import type { AdminContext } from "../kernel/context.ts";
import { type ChosenColumns, type Mapping, mappingToFields, parseMapping } from "./columns.ts";
import { foldHeading } from "./heading.ts";

const hashOf = (head: readonly string[]) => computeFingerprint(head.map(foldHeading));

/** The columns that were chosen for these headings. */
export async function recallColumns(
	db: Database,
	head: readonly string[],
): Promise<Mapping | undefined> {
	const headHash = await hashOf(head);
	const { found } = await db.batch({
		found: db.build.select().from(columnChoices).where(eq(columnChoices.headHash, headHash)),
	});
	const [choice] = found;
	if (!choice) return undefined;
	return parseMapping(new Map(Object.entries(JSON.parse(choice.mapping))));
}

/** Remembers the columns that a file was imported with. */
export async function rememberColumns(
	{ db, now }: AdminContext,
	{ head, mapping }: ChosenColumns,
): Promise<void> {
	const chosen = { mapping: JSON.stringify(mappingToFields(mapping)), chosenAt: now };
	const headHash = await hashOf(head);
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
