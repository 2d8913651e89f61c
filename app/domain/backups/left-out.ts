/** The table whose rows are in two databases, and the name of the archive's part in a backup. */
export const ENTRIES = "mileage_logs";
export const ARCHIVED_ENTRIES = "archived_mileage_logs";

/**
 * Changes whose audit entry names one row and which touch another that doesn't refer to it
 * afterwards: a canceled payout frees its requests, and a message sets its request's question. A
 * settlement counts its charges' instalments and carries its driver's earlier ones; and any change
 * to a driver's books marks them.
 */
export const CHANGED_ALONG = [
	{ table: "payout_requests", named: "payout_id", touched: "request_id" },
	{ table: "payout_settlements", named: "payout_id", touched: "settlement_id" },
	{ table: "request_messages", named: "id", touched: "request_id" },
	{ table: "settlement_messages", named: "id", touched: "settlement_id" },
	{ table: "settlement_lines", named: "settlement_id", touched: "charge_id" },
	{ table: "settlements", named: "id", touched: "driver_id" },
	{ table: "statement_money", named: "import_id", touched: "driver_id" },
	{ table: "mileage_logs", named: "id", touched: "driver_id" },
	{ table: "agreements", named: "id", touched: "driver_id" },
	{ table: "charges", named: "id", touched: "driver_id" },
] as const;

/** Columns that refer to another row without a foreign key. */
export const REFERENCES: ReadonlySet<string> = new Set(["about_id", "replaced_by"]);

/**
 * Tables in which a driver changes only rows that the audit names, that `CHANGED_ALONG` finds, or that
 * are trips beside a changed one. Their other rows may be in every part, and aren't read again.
 */
export const NAMED_ONLY: ReadonlySet<string> = new Set([
	"agreements",
	"audit_events",
	"charges",
	"fund_requests",
	"mails",
	ENTRIES,
	"payout_requests",
	"payout_settlements",
	"receipts",
	"settlements",
	"statement_money",
	"uber_fees",
]);

/** Actions that change rows which no entry names, so that an export has to start again. */
export const STARTS_AGAIN: ReadonlySet<string> = new Set([
	"request.redate",
	"driver.pseudonymize",
	"applicant.erase",
	"invitation.erase",
	"fee.undo-import",
	"audit.erase",
]);

/** Tables that no backup includes, each with the reason. */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
	sessions: "everyone signs in again after a restore",
	api_tokens: "scripts get new ones after a restore; none that was revoked comes back",
	webhooks: "added again after a restore, since no backup has their secrets",
	webhook_deliveries: "they belong to webhooks that aren't restored",
	sign_in_attempts: "they live for minutes",
	staged_imports: "an import under way is done again",
	staged_fees: "an import under way is done again",
	statement_files: "what waits for an hour is uploaded again",
	payout_totals: "recalculated from the rows",
	block_totals: "recalculated from the rows, and compared",
	standing_sets: "built again from the totals",
	standings: "built again from the totals",
	standing_marks: "built again from the totals",
	person_names: "worked out from the people again",
	letters: "the migration brings them",
	daily_tasks: "today's tasks run again",
	archived_years: "archived trips come back as trips, and their years can be archived again",
	archived_days: "recalculated when a year is archived again",
	loose_objects: "files that no receipt stands for",
	deploy_lock: "a deployment that was stopped leaves it behind",
};
