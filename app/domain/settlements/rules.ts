/** The words and limits of settlements (docs/product.md, 'The week'). */
import type { SETTLEMENT_STATUSES } from "../../db/schema.ts";

export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

export const STATUSES = [
	"draft",
	"published",
	"paid",
	"void",
] as const satisfies readonly SettlementStatus[];
export const STATUS_LABELS: Readonly<Record<SettlementStatus, string>> = {
	draft: "Draft",
	published: "Published",
	paid: "Paid",
	void: "Void",
};
export const STATUS_TONES = {
	draft: "wait",
	published: "good",
	paid: "good",
	void: "quiet",
} as const satisfies Record<SettlementStatus, string>;

/** The most settlements to publish or void, or drivers to name, at once. */
export const MAX_AT_ONCE = 500;
/** Drivers whose week is worked out in one step. */
export const DRIVERS_PER_STEP = 200;
/** Settlements of a week that one page lists, and those that are counted. */
export const PAGE_SIZE = 50;
export const MAX_COUNTED = 100;
/** The most of one kind in a list of what to check, and of void settlements. */
export const MAX_LISTED = 20;
export const MAX_VOIDED = 10;
/** Statement rows that count nowhere, and drivers whose books changed, that are looked at. */
export const MAX_LOOKED_AT = 40;
/** Published weeks after a change that are worked out again to tell whether it reaches them. */
export const MAX_WORKED_OUT = 20;
/** Drafts without an agreement to look at; those without money need none. */
export const MAX_WITHOUT_AGREEMENT = 100;
/** Imports of a week whose unknown drivers are looked for. */
export const MAX_IMPORTS = 100;
/** Rows of statements that a settlement's page shows. */
export const MAX_SOURCE_ROWS = 100;
/** Weeks of a driver on their own page. */
export const SHOWN_WEEKS = 5;
