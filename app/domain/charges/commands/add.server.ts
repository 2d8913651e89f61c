import { sql } from "drizzle-orm";
import { charges } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { WEEKS_OPEN_FROM } from "../../archive/closed-years.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { filledIn, typedValues } from "../../kernel/record.ts";
import { isApprovedDriver } from "../../people/standing.server.ts";
import {
	quotaMessage,
	receiptRowStatement,
	selectReceiptRowState,
} from "../../receipts/commands/receipt-row.server.ts";
import { REFUSALS } from "../../receipts/refusals.ts";
import { storeUploadAbout, type UploadRefusal } from "../../receipts/upload.server.ts";
import { firstDayOfWeek } from "../../statements/settlement-week.server.ts";
import type { NewCharge } from "../input.ts";
import { CHARGE } from "../record.ts";
import { AUDITED } from "../rows.server.ts";
import type { Charge } from "../rules.ts";

export type AddChargeRefusal =
	| Refused<"key-reused">
	| Refused<"no-such-driver">
	/** Its first instalments would fall in weeks that no longer get a settlement. */
	| Refused<"closed-week">
	| UploadRefusal;
export type AddedCharge = {
	readonly row: Charge;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
};

/**
 * Adds a charge for or against a driver, or returns the result of the same submission.
 * @param receipt its file and where it goes; if it can't be kept, nothing is added
 */
export async function addCharge(
	admin: AdminContext,
	charge: NewCharge,
	receipt?: { readonly bucket: R2Bucket; readonly file: File },
): Promise<Outcome<AddedCharge, AddChargeRefusal>> {
	const { driverId, key, date } = charge;
	const isDriver = isApprovedDriver(driverId);
	const stored =
		receipt &&
		(await storeUploadAbout({ driverId, isDriver, key }, receipt.bucket, admin, receipt.file));
	if (stored && !stored.ok)
		return stored.reason === "unwanted" ? refused("no-such-driver") : stored;
	const file = stored?.value;
	const typed = typedValues(CHARGE, charge);
	const created = await createOnce(admin, {
		table: charges,
		id: crypto.randomUUID(),
		creator: charges.createdBy,
		key,
		payload: [driverId, ...Object.values(typed), ...filledIn({ file: file?.sha256 ?? null })],
		facts: {
			isDriver,
			isClosedWeek: sql<number>`${firstDayOfWeek(date)} < ${WEEKS_OPEN_FROM}`,
			hasReceipt: file
				? sql<number>`exists (select 1 from receipts
					where id = ${file.id} and owner_id = ${driverId})`
				: sql<number>`1`,
		},
		accepts: sql`isDriver and not isClosedWeek and hasReceipt`,
		values: {
			...typed,
			driverId,
			createdAt: admin.now,
			createdBy: admin.user.id,
			receiptId: file?.id,
		},
		first: {
			file: file && receiptRowStatement(admin, file),
			kept: file && selectReceiptRowState(admin, file),
		},
		// Of a submission whose key was used for another charge.
		next: () => ({
			unused:
				file &&
				admin.db.build.run(sql`delete from receipts where id = ${file.id}
					and not exists (select 1 from charges where receipt_id = receipts.id)`),
		}),
		audit: { action: "charge.add", entity: "charge", after: AUDITED },
		read: (build, rows) => build.select().from(charges).where(rows),
	});
	if (created.kind === "key-reused") return refused("key-reused");
	if (created.kind === "refused") {
		if (created.facts.isClosedWeek) return refused("closed-week");
		const words = created.facts.isDriver ? quotaMessage(created.answers.kept?.[0]) : undefined;
		return words
			? refused("quota", { message: REFUSALS[words], words })
			: refused("no-such-driver");
	}
	return done({ row: created.row, isReplay: created.kind === "replayed" });
}
