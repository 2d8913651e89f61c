/** What every column of a charge is, and who sees it (../kernel/record.ts). */
import type { charges } from "../../db/schema.ts";
import type { Columns } from "../kernel/record.ts";

export const CHARGE = {
	id: { wire: "id", personal: "figure" },
	driverId: { wire: "driverId", personal: "none" },
	kind: { wire: "kind", audit: "kind", personal: "figure", isTyped: true },
	chargedOn: { wire: "date", file: "date", audit: "date", personal: "figure", isTyped: true },
	amountCents: {
		wire: "amount",
		file: "amount",
		audit: "amountCents",
		as: "dollars",
		personal: "figure",
		isTyped: true,
	},
	direction: { wire: "direction", audit: "direction", personal: "figure", isTyped: true },
	instalments: { wire: "instalments", audit: "instalments", personal: "figure", isTyped: true },
	note: { wire: "note", personal: "text", isTyped: true },
	settledInstalments: { personal: "figure" },
	createdAt: { as: "moment", personal: "figure" },
	createdBy: { as: "name", personal: "figure" },
	voidedAt: { as: "moment", audit: "voidedAt", personal: "figure" },
	voidedBy: { as: "name", personal: "figure" },
	submissionKey: { personal: "none" },
	payloadHash: { personal: "hash" },
	lastChangeId: { personal: "none" },
	receiptId: { audit: "receiptId", personal: "text" },
} as const satisfies Record<keyof typeof charges.$inferSelect, Columns[string]>;
