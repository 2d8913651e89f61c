/** The kinds of charges, their words and their limits (docs/product.md, 'The week'). */
import type {
	charges,
	CHARGE_DIRECTIONS as STORED_DIRECTIONS,
	CHARGE_KINDS as STORED_KINDS,
} from "../../db/schema.ts";

export type Charge = typeof charges.$inferSelect;
export type ChargeKind = (typeof STORED_KINDS)[number];

export const KINDS = [
	"rent",
	"fuel-card",
	"toll",
	"fine",
	"damage",
	"advance",
	"deposit",
	"bonus",
	"other",
] as const satisfies readonly ChargeKind[];
export const KIND_LABELS: Readonly<Record<ChargeKind, string>> = {
	rent: "Rent",
	"fuel-card": "Fuel card",
	toll: "Toll",
	fine: "Fine",
	damage: "Damage",
	advance: "Advance",
	deposit: "Deposit",
	bonus: "Bonus",
	other: "Other",
};

export const DIRECTIONS = [
	"against",
	"for",
] as const satisfies readonly (typeof STORED_DIRECTIONS)[number][];
/** By direction; a form may leave it open. */
export const DIRECTION_LABELS: Readonly<Record<(typeof DIRECTIONS)[number] | "", string>> = {
	"": "As usual for the kind",
	against: "Against the driver",
	for: "For the driver",
};

export const usualDirection = (kind: ChargeKind): (typeof DIRECTIONS)[number] =>
	kind === "bonus" ? "for" : "against";

/** Weekly instalments of one charge. */
export const MAX_INSTALMENTS = 52;
/** How far ahead the first can be due. */
export const MAX_DAYS_AHEAD = 366;
/** Charges on one page of a driver's. */
export const PAGE_SIZE = 10;
