/** The messages when a charge isn't added or voided. */
import { KEY_REUSED, SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import { type Answers, answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import { NO_SUCH_DRIVER } from "../people/rules.ts";
import { whyNotStored } from "../receipts/refusals.ts";
import type { UploadRefusal } from "../receipts/upload.server.ts";
import type { AddChargeRefusal } from "./commands/add.server.ts";
import type { VoidChargeRefusal } from "./commands/void.server.ts";

const whyNotRecorded = answersIn<ReasonsOf<Exclude<AddChargeRefusal, UploadRefusal>>>({
	"key-reused": () => ({
		status: 422,
		message: KEY_REUSED,
		onForm: { status: 409, message: SENT_WITH_OTHER_VALUES },
	}),
	"no-such-driver": () => ({ status: 400, message: NO_SUCH_DRIVER, field: "driverId" }),
	"closed-week": () => ({
		status: 409,
		message:
			"The week of this date is closed: its tax year has trips in the archive. Enter a later date",
		field: "date",
	}),
});

/** A driver's receipts of the day count, whoever sends them. */
const TODAY = {
	filesToday: "This driver has 50 receipts from today already. Add the receipt tomorrow.",
	bytesToday: "This driver has 200 MB of receipts from today already. Add the receipt tomorrow.",
} as const;

export function whyNotAdded(
	refusal: AddChargeRefusal,
	reader: { readonly timeZone: string },
): Answers {
	switch (refusal.reason) {
		case "key-reused":
		case "no-such-driver":
		case "closed-week":
			return whyNotRecorded(refusal, reader);
		case "quota": {
			const { words } = refusal.details;
			const message = words === "storeDown" ? refusal.details.message : TODAY[words];
			return { ...whyNotStored(refusal, reader), message, field: "receipt" };
		}
		default:
			return { ...whyNotStored(refusal, reader), field: "receipt" };
	}
}

export const whyNotVoided = answersIn<ReasonsOf<VoidChargeRefusal>>({
	"not-found": () => ({
		status: 404,
		message: "Charge not found",
		onForm: { message: "Charge not found." },
	}),
	settled: () => ({
		status: 409,
		message:
			"A published settlement has part of this charge. Add one in the other direction instead.",
	}),
});
