/** What every column of a request is, and who sees it (../kernel/record.ts). */
import type { fundRequests } from "../../db/schema.ts";
import type { Columns } from "../kernel/record.ts";

const ALL = ["list", "row", "history"] as const;
const ROWS = ["list", "row"] as const;
const LIST = ["list"] as const;

export const REQUEST = {
	id: { wire: "id", personal: "figure", in: ALL },
	number: { file: "requestNumber", personal: "figure", in: ROWS },
	driverId: { wire: "driverId", personal: "none", in: ROWS },
	type: { wire: "type", audit: "type", personal: "figure", isTyped: true, in: ALL },
	amountCents: {
		wire: "amount",
		file: "amount",
		as: "dollars",
		audit: "amountCents",
		personal: "figure",
		isTyped: true,
		in: ALL,
	},
	approvedAmountCents: {
		file: "approvedAmount",
		as: "dollars",
		audit: "approvedAmountCents",
		personal: "figure",
		in: ALL,
	},
	description: {
		wire: "description",
		personal: "text",
		erased: "Removed",
		isTyped: true,
		in: ROWS,
	},
	receiptId: { audit: "receiptId", personal: "text", in: ROWS },
	/** A bare file name sent as JSON. */
	receiptName: { personal: "text", in: ROWS },
	status: { wire: "status", audit: "status", personal: "figure", in: ALL },
	/** How the thread ended, also after the decision. */
	question: { wire: "question", personal: "figure", in: ALL },
	isPossibleDuplicate: {
		wire: "isPossibleDuplicate",
		as: "flag",
		personal: "figure",
		in: ROWS,
	},
	source: { file: "sentBy", personal: "figure" },
	createdAt: { wire: "createdAt", as: "moment", personal: "figure", in: ALL },
	/** When the phone captured it, if it waited there for a signal. */
	capturedAt: { wire: "capturedAt", as: "moment", personal: "figure", in: LIST },
	withdrawnAt: { as: "moment", personal: "figure", in: LIST },
	replacesId: { personal: "figure" },
	decidedAt: { wire: "decidedAt", as: "moment", personal: "figure", in: ROWS },
	decidedBy: { as: "name", personal: "figure", in: ROWS },
	adminNotes: { wire: "adminNotes", personal: "text", in: LIST },
	payoutId: { file: "payout", personal: "figure", in: LIST },
	/** The date of `createdAt` in the fleet's time zone. */
	requestedOn: { personal: "none", in: ROWS },
	submissionKey: { personal: "none" },
	payloadHash: { personal: "hash" },
	lastChangeId: { personal: "none" },
	spentOn: {
		wire: "spentOn",
		audit: "spentOn",
		personal: "figure",
		isTyped: true,
		in: ALL,
	},
} as const satisfies Record<keyof typeof fundRequests.$inferSelect, Columns[string]>;
