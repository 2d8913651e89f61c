/** What every column of a trip is, and who sees it (../kernel/record.ts). */
import type { mileageLogs } from "../../db/schema.ts";
import type { Columns } from "../kernel/record.ts";

const ALL = ["list", "history", "document"] as const;
const LIST = ["list"] as const;

export const TRIP = {
	id: { wire: "id", personal: "figure", in: ALL },
	driverId: { wire: "driverId", personal: "none", in: LIST },
	drivenOn: {
		wire: "date",
		file: "date",
		audit: "date",
		personal: "figure",
		isTyped: true,
		in: ALL,
	},
	startMiles: {
		wire: "startOdometer",
		audit: "start",
		personal: "figure",
		isTyped: true,
		in: ["list", "document"],
	},
	endMiles: { wire: "endOdometer", audit: "end", personal: "figure", isTyped: true, in: ALL },
	miles: { wire: "calculatedMiles", personal: "figure", in: ALL },
	notes: { wire: "notes", personal: "text", isTyped: true, in: ["list", "document"] },
	source: { file: "sentBy", personal: "figure" },
	createdAt: { wire: "createdAt", as: "moment", personal: "figure", in: ALL },
	/** When the phone captured it, if it waited there for a signal. */
	capturedAt: { wire: "capturedAt", as: "moment", personal: "figure", in: LIST },
	gapMiles: { personal: "figure", in: LIST },
	isOverlap: { as: "flag", personal: "figure", in: LIST },
	isOutOfOrder: { as: "flag", personal: "figure", in: LIST },
	isLong: { as: "flag", personal: "figure", in: LIST },
	correctsId: { personal: "figure" },
	voidedAt: {
		as: "moment",
		audit: "voidedAt",
		personal: "figure",
		in: ["list", "history"],
	},
	voidedBy: { as: "name", personal: "figure", in: LIST },
	voidReason: { personal: "text", in: LIST },
	submissionKey: { personal: "none" },
	payloadHash: { personal: "hash" },
	lastChangeId: { personal: "none" },
	purpose: { wire: "purpose", personal: "text", isTyped: true, in: ALL },
	personalMiles: {
		wire: "personalMiles",
		audit: "personal",
		personal: "figure",
		isTyped: true,
		in: ALL,
	},
} as const satisfies Record<keyof typeof mileageLogs.$inferSelect, Columns[string]>;
