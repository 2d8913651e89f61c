/** Asking for money: one batch, so that what is true when it decides is true when it writes. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { fundRequests } from "../../db/schema.ts";
import { fingerprintOf } from "../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { auditStatement } from "../audit/commands.server.ts";
import type { DriverContext } from "../context.ts";
import { type QuotaWords, quotaWords, receiptRowKept, receiptRowStatement, type StoredFile } from "../receipts/commands.server.ts";
import { nameOf } from "../users/rules.ts";
import { addReceipt, type FundRequest, isFreeReceipt, replaceable, withdrawAudit } from "./amendments.server.ts";
import type { SubmitRequest } from "./input.ts";
import { newRequestMail } from "./letters.server.ts";
import { DUPLICATE_WINDOW_MS, MOST_AN_HOUR } from "./rules.ts";

/** Only an interactive form is asked about a likely duplicate; the others are accepted and flagged. */
export type RequestSource = "form" | "json" | "outbox";

export type Submitted = {
	readonly request: FundRequest;
	/** The same submission was taken before: this is its result. */
	readonly isReplay: boolean;
	/** Its file was left out: the day's quota is used up. */
	readonly quota?: QuotaWords | undefined;
};
export type SubmitRefusal =
	| Refused<"key-reused", FundRequest>
	| Refused<"ask-again", { readonly confirm: string }>
	| Refused<"too-many">
	| Refused<"no-such-receipt">
	| Refused<"not-to-replace">
	| Refused<"no-longer-active">;

type Facts = {
	replayHash: string | null;
	isDuplicate: number;
	lately: number;
	hasReceipt: number;
	isReplaceable: number;
	isActive: number;
};

/** The receipt a request will carry: the file that came with it, or the one it names. */
function receiptIdOf(input: SubmitRequest, file: StoredFile | undefined): string | null {
	if (file) return file.id;
	return input.receiptUrl?.kind === "file" ? input.receiptUrl.id : null;
}

function factsSql({ user, now }: DriverContext, input: SubmitRequest): SQL {
	const named = input.receiptUrl?.kind === "file" ? isFreeReceipt(user.id, input.receiptUrl.id, input.replacesId) : sql`1`;
	// What is being replaced is no duplicate of its replacement, and its receipt may move over.
	const others = sql`driver_id = ${user.id} and id is not ${input.replacesId ?? null}`;
	return sql`(select
		(select payload_hash from fund_requests where driver_id = ${user.id} and submission_key = ${input.key ?? null}) as replayHash,
		exists (select 1 from fund_requests where ${others} and created_at > ${now - DUPLICATE_WINDOW_MS} and status <> 'withdrawn'
			and type = ${input.type} and amount_cents = ${input.amount} and description = ${input.description}) as isDuplicate,
		(select count(*) from fund_requests where driver_id = ${user.id} and created_at > ${now - 3_600_000}) as lately,
		${named} as hasReceipt,
		${input.replacesId ? sql`exists (select 1 from fund_requests where id = ${input.replacesId} and ${replaceable(user.id)})` : sql`1`} as isReplaceable,
		exists (select 1 from users where id = ${user.id} and is_active = 1 and approval_status = 'approved') as isActive)`;
}

/**
 * Submits a request, or answers the result of the same submission again. With `replacesId` the named pending request is withdrawn in the same step.
 * @param file a receipt that is already in the file store; its row is written here, and stays for another try when the request is refused
 * @param capturedAt when the phone captured it, if it waited there
 */
export async function submitRequest(
	driver: DriverContext,
	input: SubmitRequest,
	source: RequestSource,
	file?: StoredFile,
	capturedAt?: number,
): Promise<Outcome<Submitted, SubmitRefusal>> {
	const { db, user, now, today } = driver;
	const { build } = db;
	const id = crypto.randomUUID();
	const receiptId = receiptIdOf(input, file);
	const receiptName = input.receiptUrl?.kind === "name" && !file ? input.receiptUrl.name : null;
	// A file is not part of it: the same form sent again may store now what could not be stored before.
	const payloadHash = await fingerprintOf([
		input.type,
		input.amount,
		input.description,
		file ? null : (receiptId ?? receiptName),
		input.replacesId ?? null,
	]);
	const question = await fingerprintOf([input.type, input.amount, input.description]);
	const isAsked = source === "form" && input.confirm !== question;
	const facts = factsSql(driver, input);
	const isAccepted = sql`replayHash is null and lately < ${MOST_AN_HOUR} and hasReceipt and isReplaceable and isActive ${isAsked ? sql`and not isDuplicate` : sql``}`;
	const replaced = input.replacesId
		? sql`${fundRequests.id} = ${input.replacesId} and ${replaceable(user.id)} and exists (select 1 from ${facts} where ${isAccepted})`
		: undefined;

	const answers = await db.batch({
		facts: build.all<Facts>(sql`select * from ${facts}`),
		...(file ? { file: receiptRowStatement(driver, file), kept: receiptRowKept(driver, file) } : {}),
		...(replaced
			? {
					replaceAudit: withdrawAudit(driver, replaced),
					replace: build
						.update(fundRequests)
						.set({
							status: "withdrawn",
							withdrawnAt: now,
							lastChangeId: id,
							...(receiptId ? { receiptId: sql`nullif(receipt_id, ${receiptId})` } : {}),
						})
						.where(replaced),
				}
			: {}),
		insert: build.run(sql`
			insert into fund_requests (id, number, driver_id, type, amount_cents, description, receipt_id, receipt_name, status, source, created_at, captured_at, requested_on, is_possible_duplicate, replaces_id, submission_key, payload_hash, last_change_id)
			select ${id}, (select coalesce(max(number), 0) + 1 from fund_requests), ${user.id}, ${input.type}, ${input.amount}, ${input.description},
				${file ? sql`(select id from receipts where id = ${file.id} and owner_id = ${user.id} and not exists (select 1 from fund_requests where receipt_id = ${file.id}))` : receiptId},
				${receiptName}, 'pending', ${source}, ${now}, ${capturedAt ?? null}, ${today}, isDuplicate, ${input.replacesId ?? null}, ${input.key ?? null}, ${payloadHash}, ${id}
			from ${replaced ? afterWithdrawal(facts, input.replacesId ?? "", id) : facts} where ${isAccepted}
			on conflict do nothing`),
		audit: auditStatement(
			build,
			actorOf(driver),
			{
				action: "request.submit",
				entity: "fund-request",
				after: sql`json_object('type', type, 'amountCents', amount_cents, 'receiptId', receipt_id)`,
			},
			fundRequests,
			eq(fundRequests.id, id),
		),
		mail: newRequestMail(build, id, nameOf(user), now),
		made: build.select().from(fundRequests).where(eq(fundRequests.id, id)),
		earlier: build
			.select()
			.from(fundRequests)
			.where(and(eq(fundRequests.driverId, user.id), sql`${fundRequests.submissionKey} = ${input.key ?? null}`)),
	});

	const made = answers.made[0];
	if (made) return done({ request: made, isReplay: false, quota: quotaWords(answers.kept?.[0]) });
	const earlier = answers.earlier[0];
	if (earlier) return earlier.payloadHash === payloadHash ? replayOf(driver, earlier, file) : refused("key-reused", earlier);
	const seen = answers.facts[0];
	if (!seen?.isActive) return refused("no-longer-active");
	if (!seen.isReplaceable) return refused("not-to-replace");
	if (!seen.hasReceipt) return refused("no-such-receipt");
	if (seen.lately >= MOST_AN_HOUR) return refused("too-many");
	return refused("ask-again", { confirm: question });
}

/** The same submission again: its result, and the receipt that was missing from it. Another file under the same key is another payload. */
async function replayOf(
	driver: DriverContext,
	earlier: FundRequest,
	file: StoredFile | undefined,
): Promise<Outcome<Submitted, SubmitRefusal>> {
	if (!file || earlier.receiptId === file.id) return done({ request: earlier, isReplay: true });
	if (earlier.receiptId !== null) return refused("key-reused", earlier);
	const added = await addReceipt(driver, earlier.id, file);
	return done({ request: added.ok ? added.value : earlier, isReplay: true });
}

/** The facts once the replaced request is withdrawn: it is no longer pending, by this very change. */
function afterWithdrawal(facts: SQL, replacesId: string, changeId: string): SQL {
	return sql`(select replayHash, isDuplicate, lately, hasReceipt, isActive,
		exists (select 1 from fund_requests where id = ${replacesId} and last_change_id = ${changeId}) as isReplaceable from ${facts})`;
}
