/** The rows of statements behind a settlement, with their amounts as text. */
import { MAX_SOURCE_ROWS } from "../../domain/settlements/rules.ts";
import type { SourceRow } from "../../domain/settlements/sources.server.ts";
import { platformLabel } from "../../domain/statements/platforms.ts";
import { importPath } from "../../domain/statements/search.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod, type Period } from "../../values/period.ts";

/** Why a row counts in no settlement, or that nothing proves its money complete. */
function noteOf({ proof, from }: SourceRow, week: Period): string {
	if (proof === "unproven") return "Left out: Doesn't add up";
	if (from < week.from) return "Left out: Lies in two weeks";
	return proof === "unstated" ? "States no total" : "";
}

function toRow(row: SourceRow, week: Period) {
	const parts = [
		["Fares", row.fare_cents],
		["Fees", row.fee_cents + row.tax_cents + row.third_party_cents],
		["Tips", row.tip_cents],
		["Promotions", row.promotion_cents + row.other_earning_cents],
		["Tolls", row.toll_cents],
		["Cash", row.cash_cents],
		["Sent to bank", row.transfer_cents],
	] as const;
	return {
		file: row.fileName,
		href: importPath({ id: row.importId, createdAt: row.importedAt }),
		row: String(row.row),
		platform: platformLabel(row.platform),
		days: formatPeriod(row),
		note: noteOf(row, week),
		parts: parts.map(([label, cents]) => ({
			label,
			amount: cents === 0 ? "" : formatDollars(cents),
		})),
	};
}

/** @param rows one more than a page shows says that there are more */
export function toRows(rows: readonly SourceRow[], week: Period) {
	const shown = rows.slice(0, MAX_SOURCE_ROWS);
	return {
		shown: shown.map((row, place) => ({ ...toRow(row, week), key: String(place) })),
		hasMore: rows.length > MAX_SOURCE_ROWS,
	};
}
