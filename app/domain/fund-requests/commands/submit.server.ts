import { sql } from "drizzle-orm";
import { fundRequests } from "../../../db/schema.ts";
import { computeFingerprint } from "../../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { DriverContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { MAX_REQUESTS_PER_HOUR } from "../../kernel/limits.ts";
import { filledIn, typedValues } from "../../kernel/record.ts";
import { displayName } from "../../people/rules.ts";
import {
	type QuotaWords,
	quotaMessage,
	receiptRowStatement,
	type StoredFile,
	selectReceiptRowState,
} from "../../receipts/commands/receipt-row.server.ts";
import { noteNewRequest } from "../emails.server.ts";
import type { SubmitRequest } from "../input.ts";
import { REQUEST } from "../record.ts";
import { type FundRequest, isUnattachedReceipt, isWithdrawable } from "../rows.server.ts";
import { addReceipt } from "./add-receipt.server.ts";
import { withdrawalAudit } from "./withdraw.server.ts";

/** Only an interactive form asks about a likely duplicate; others are accepted and flagged. */
export type RequestSource = "form" | "json" | "outbox";

export type SubmitRequestResult = {
	readonly request: FundRequest;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
	/** Its file was left out because the day's quota is used up. */
	readonly quota?: QuotaWords | undefined;
	/** It has the receipt that the form named, not a file that was sent with the form. */
	readonly hasNamed: boolean;
};
export type SubmitRefusal =
	| Refused<"key-reused", FundRequest>
	| Refused<"ask-again", { readonly confirm: string; readonly minutes: number }>
	| Refused<"too-many">
	| Refused<"no-such-receipt">
	| Refused<"not-to-replace">;

/**
 * Submits a request, or returns the result of the same submission. With `replacesId` the named
 * pending request is withdrawn in the same step.
 * @param file a receipt that is already in the file store; its row is written here, and the file
 * stays for the next attempt if the request is refused
 * @param capturedAt when the phone captured it, if it waited there
 */
export async function submitRequest(
	driver: DriverContext,
	input: SubmitRequest,
	source: RequestSource,
	file?: StoredFile,
	capturedAt?: number,
): Promise<Outcome<SubmitRequestResult, SubmitRefusal>> {
	const { db, user, now, today } = driver;
	const minutes = driver.settings.sameRequestMinutes;
	const { type, amount, description, receiptUrl, replacesId } = input;
	const id = crypto.randomUUID();
	const typed = typedValues(REQUEST, input);
	const namedId = receiptUrl?.kind === "file" ? receiptUrl.id : null;
	const receiptName = receiptUrl?.kind === "name" && !file ? receiptUrl.name : null;
	const receiptId = file?.id ?? namedId;
	const question = await computeFingerprint([type, amount, description]);
	const isAsked = source === "form" && input.confirm !== question;
	// The replaced request isn't a duplicate of its replacement, and may hand over its receipt.
	const others = sql`driver_id = ${user.id} and id is not ${replacesId ?? null}`;
	const created = await createOnce(driver, {
		table: fundRequests,
		id,
		creator: fundRequests.driverId,
		key: input.key,
		// The file isn't part of the fingerprint: sending the same form again may store what failed
		// before.
		payload: [
			type,
			amount,
			description,
			namedId ?? receiptName,
			replacesId ?? null,
			...filledIn({ spentOn: typed.spentOn ?? null }),
		],
		facts: {
			isDuplicate: sql<number>`exists (select 1 from fund_requests where ${others}
				and created_at > ${now - minutes * 60_000} and status <> 'withdrawn'
				and type = ${type} and amount_cents = ${amount} and description = ${description})`,
			lately: sql<number>`(select count(*) from fund_requests
				where driver_id = ${user.id} and created_at > ${now - 3_600_000})`,
			hasReceipt: namedId ? isUnattachedReceipt(user.id, namedId, replacesId) : sql<number>`1`,
			isReplaceable: replacesId
				? sql<number>`exists (select 1 from fund_requests
					where id = ${replacesId} and ${isWithdrawable(user.id)})`
				: sql<number>`1`,
		},
		accepts: sql`lately < ${MAX_REQUESTS_PER_HOUR} and hasReceipt and isReplaceable
			${isAsked ? sql`and not isDuplicate` : sql``}`,
		values: {
			number: sql`(select coalesce(max(number), 0) + 1 from fund_requests)`,
			driverId: user.id,
			...typed,
			receiptId: file
				? sql`(select id from receipts where id = ${file.id} and owner_id = ${user.id}
					and not exists (select 1 from fund_requests where receipt_id = ${file.id}))`
				: receiptId,
			receiptName,
			status: "pending",
			source,
			createdAt: now,
			capturedAt,
			requestedOn: today,
			isPossibleDuplicate: sql`isDuplicate`,
			replacesId,
		},
		audit: {
			action: "request.submit",
			entity: "fund-request",
			after: sql`json_patch(
				json_object('type', type, 'amountCents', amount_cents, 'receiptId', receipt_id),
				json_object('spentOn', spent_on))`,
		},
		replaces: replacesId
			? {
					id: replacesId,
					when: isWithdrawable(user.id),
					set: {
						status: "withdrawn",
						withdrawnAt: now,
						...(receiptId ? { receiptId: sql`nullif(receipt_id, ${receiptId})` } : {}),
					},
					audit: withdrawalAudit,
				}
			: undefined,
		first: {
			file: file && receiptRowStatement(driver, file),
			kept: file && selectReceiptRowState(driver, file),
		},
		next: () => ({ mail: noteNewRequest(db.build, id, displayName(user), now) }),
		read: (build, rows) => build.select().from(fundRequests).where(rows),
	});
	switch (created.kind) {
		case "created": {
			const quota = quotaMessage(created.answers.kept?.[0]);
			const hasNamed = keepsNamed(created.row, file, namedId);
			return done({ request: created.row, isReplay: false, quota, hasNamed });
		}
		case "replayed":
			return replay(driver, created.row, file, namedId);
		case "key-reused":
			return refused("key-reused", created.row);
		case "refused": {
			const { isReplaceable, hasReceipt, lately } = created.facts;
			if (!isReplaceable) return refused("not-to-replace");
			if (!hasReceipt) return refused("no-such-receipt");
			return lately >= MAX_REQUESTS_PER_HOUR
				? refused("too-many")
				: refused("ask-again", { confirm: question, minutes });
		}
	}
}

/**
 * Whether a request has the receipt that its form named. The same file chosen once more is its own.
 */
const keepsNamed = (
	{ receiptId }: FundRequest,
	file: StoredFile | undefined,
	namedId: string | null,
): boolean => namedId !== null && receiptId === namedId && file?.id !== namedId;

/**
 * The same submission again: returns its result, with the receipt that was missing. A different
 * file under the same key is a different payload.
 * @param namedId the receipt of the corrected request, which stays where no file could be stored
 */
async function replay(
	driver: DriverContext,
	earlier: FundRequest,
	file: StoredFile | undefined,
	namedId: string | null,
): Promise<Outcome<SubmitRequestResult, SubmitRefusal>> {
	const hasNamed = keepsNamed(earlier, file, namedId);
	if (!file || earlier.receiptId === file.id || hasNamed)
		return done({ request: earlier, isReplay: true, hasNamed });
	if (earlier.receiptId !== null) return refused("key-reused", earlier);
	const added = await addReceipt(driver, earlier.id, file);
	return done({ request: added.ok ? added.value : earlier, isReplay: true, hasNamed });
}
