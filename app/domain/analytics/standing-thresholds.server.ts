/**
 * The thresholds that a set of standings was made with, and those in force (docs/decisions/0056):
 * the statements of a page are made before anybody knows what the settings are, so SQL compares
 * them.
 */
import { type SQL, sql } from "drizzle-orm";
import { settings } from "../../db/schema.ts";
import { DEFAULT_SETTINGS, type Thresholds } from "../settings/definitions.ts";
import { FLEET_SETTINGS } from "../settings/queries.server.ts";

/** The columns of a set. */
const MADE_WITH = sql`(excellent_under, good_under, target_cents)`;

/** The setting of each. */
const NAMES = ["excellentUnderCents", "goodUnderCents", "targetCents"] as const;

/** What an administrator has set, or the default; never null, so that it can be compared. */
const chosenOf = (name: (typeof NAMES)[number]) =>
	sql`coalesce(max(chosen ->> ${name}), ${DEFAULT_SETTINGS[name]})`;

/**
 * True of a set that was made with the thresholds in force. A stored value that no release could
 * have written matches no set, so that the drivers are added up.
 */
export const hasThresholdsInForce: SQL = sql`${MADE_WITH} = (select ${sql.join(NAMES.map(chosenOf), sql`, `)} from ${settings} where id = ${FLEET_SETTINGS})`;

/** The thresholds as the columns of a set. */
export const columnsOf = (thresholds: Thresholds) => ({
	excellentUnder: thresholds.excellentUnderCents,
	goodUnder: thresholds.goodUnderCents,
	targetCents: thresholds.targetCents,
});

/** True of a set that was made with other thresholds than these. */
export const hasOtherThresholds = (thresholds: Thresholds): SQL => {
	const { excellentUnder, goodUnder, targetCents } = columnsOf(thresholds);
	return sql`${MADE_WITH} <> (${excellentUnder}, ${goodUnder}, ${targetCents})`;
};
