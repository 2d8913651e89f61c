/** What the commands on charges share. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";

/** What the audit says of a charge; the patch leaves out what is null. */
export const AUDITED = sql`json_patch(
	json_object('kind', kind, 'date', charged_on, 'amountCents', amount_cents,
		'direction', direction, 'instalments', instalments),
	json_object('note', note, 'receiptId', receipt_id))`;

/** Whether a published settlement has an instalment of it. */
export const IS_SETTLED = sql`settled_instalments > 0`;

/**
 * Counts the settled instalments of charges again, in the batch of the command that publishes or
 * voids the settlements with them.
 */
export const countSettledInstalments = (build: Builder, which: SQL) =>
	build.run(sql`update charges set settled_instalments = (select count(*)
			from settlement_lines as line join settlements as settled on settled.id = line.settlement_id
			where line.charge_id = charges.id and settled.status <> 'void')
		where ${which}`);
