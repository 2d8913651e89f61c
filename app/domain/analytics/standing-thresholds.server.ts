/**
 * The thresholds that a set of standings was made with, and the current ones (docs/decisions/0056).
 * SQL compares them, because a page's statements are built before its settings are known.
 */
import { type SQL, sql } from "drizzle-orm";
import { settings } from "../../db/schema.ts";
import { DEFAULT_SETTINGS, type Thresholds } from "../kernel/fleet-settings.ts";
import { FLEET_SETTINGS } from "../settings/queries.server.ts";

/** The columns of a set. */
const MADE_WITH = sql`(excellent_under, good_under, target_cents)`;

/** The setting of each. */
const NAMES = ["excellentUnderCents", "goodUnderCents", "targetCents"] as const;

/** The fleet's setting, or the default; never null, so that it can be compared. */
const chosenOf = (name: (typeof NAMES)[number]) =>
	sql`coalesce(max(chosen ->> ${name}), ${DEFAULT_SETTINGS[name]})`;

/**
 * Whether a set was made with the current thresholds. A stored value that no release could have
 * written matches no set, so that the drivers are added up.
 */
export const hasCurrentThresholds: SQL = sql`${MADE_WITH} = (select ${sql.join(NAMES.map(chosenOf), sql`, `)} from ${settings} where id = ${FLEET_SETTINGS})`;

/** The thresholds as the columns of a set. */
export const thresholdColumns = (thresholds: Thresholds) => ({
	excellentUnder: thresholds.excellentUnderCents,
	goodUnder: thresholds.goodUnderCents,
	targetCents: thresholds.targetCents,
});

/** Whether a set was made with thresholds other than these. */
export const hasOtherThresholds = (thresholds: Thresholds): SQL => {
	const { excellentUnder, goodUnder, targetCents } = thresholdColumns(thresholds);
	return sql`${MADE_WITH} <> (${excellentUnder}, ${goodUnder}, ${targetCents})`;
};
