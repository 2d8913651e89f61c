/** Asking for money, and withdrawing what was asked. Each is one batch: what is true when it decides is true when it writes. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { fundRequests, receipts } from "../../db/schema.ts";
import { fingerprintOf } from "../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { auditStatement } from "../audit/commands.server.ts";
import type { DriverContext } from "../context.ts";
import { type QuotaWords, quotaWords, receiptRowKept, receiptRowStatement, type StoredFile } from "../receipts/commands.server.ts";
import { nameOf } from "../users/rules.ts";
import type { SubmitRequest } from "./input.ts";
import { newRequestMail } from "./letters.server.ts";
import { DUPLICATE_WINDOW_MS, MOST_AN_HOUR } from "./rules.ts";

export type FundRequest = typeof fundRequests.$inferSelect;

/** Only an interactive form is asked about a likely duplicate; the others are accepted and flagged. */
export type RequestSource = "form" | "json";

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

/** One's own receipt that no other request carries; the one being replaced gives its receipt up. */
const isFreeReceipt = (driverId: string, receiptId: string, replacesId?: string) =>
	sql`exists (select 1 from receipts where id = ${receiptId} and owner_id = ${driverId}
		and not exists (select 1 from fund_requests where receipt_id = ${receiptId} and id is not ${replacesId ?? null}))`;

const replaceable = (driverId: string) => sql`driver_id = ${driverId} and status = 'pending'`;

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
 */
export async function submitRequest(
	driver: DriverContext,
	input: SubmitRequest,
	source: RequestSource,
	file?: StoredFile,
): Promise<Outcome<Submitted, SubmitRefusal>> {
	const { db, user, now } = driver;
	const { build } = db;
	const id = crypto.randomUUID();
	const receiptId = receiptIdOf(input, file);
	const receiptName = input.receiptUrl?.kind === "name" && !file ? input.receiptUrl.name : null;
	const payloadHash = await fingerprintOf([
		input.type,
		input.amount,
		input.description,
		file ? file.sha256 : (receiptId ?? receiptName),
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
			insert into fund_requests (id, number, driver_id, type, amount_cents, description, receipt_id, receipt_name, status, source, created_at, is_possible_duplicate, replaces_id, submission_key, payload_hash, last_change_id)
			select ${id}, (select coalesce(max(number), 0) + 1 from fund_requests), ${user.id}, ${input.type}, ${input.amount}, ${input.description},
				${file ? sql`(select id from receipts where id = ${file.id} and owner_id = ${user.id} and not exists (select 1 from fund_requests where receipt_id = ${file.id}))` : receiptId},
				${receiptName}, 'pending', ${source}, ${now}, isDuplicate, ${input.replacesId ?? null}, ${input.key ?? null}, ${payloadHash}, ${id}
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
	if (earlier) return earlier.payloadHash === payloadHash ? done({ request: earlier, isReplay: true }) : refused("key-reused", earlier);
	const seen = answers.facts[0];
	if (!seen?.isActive) return refused("no-longer-active");
	if (!seen.isReplaceable) return refused("not-to-replace");
	if (!seen.hasReceipt) return refused("no-such-receipt");
	if (seen.lately >= MOST_AN_HOUR) return refused("too-many");
	return refused("ask-again", { confirm: question });
}

/** The facts once the replaced request is withdrawn: it is no longer pending, by this very change. */
function afterWithdrawal(facts: SQL, replacesId: string, changeId: string): SQL {
	return sql`(select replayHash, isDuplicate, lately, hasReceipt, isActive,
		exists (select 1 from fund_requests where id = ${replacesId} and last_change_id = ${changeId}) as isReplaceable from ${facts})`;
}

function withdrawAudit(driver: DriverContext, condition: SQL) {
	return auditStatement(
		driver.db.build,
		actorOf(driver),
		{
			action: "request.withdraw",
			entity: "fund-request",
			before: sql`json_object('status', status)`,
			after: sql`json_object('status', 'withdrawn')`,
		},
		fundRequests,
		condition,
	);
}

/** Withdraws one's own pending request. The loser of a race against a decision is told the decision. */
export async function withdrawRequest(
	driver: DriverContext,
	id: string,
): Promise<Outcome<FundRequest, Refused<"not-found"> | Refused<"not-pending", FundRequest>>> {
	const { db, user, now } = driver;
	const changeId = crypto.randomUUID();
	const condition = sql`${fundRequests.id} = ${id} and ${replaceable(user.id)}`;
	const { row } = await db.batch({
		audit: withdrawAudit(driver, condition),
		change: db.build.update(fundRequests).set({ status: "withdrawn", withdrawnAt: now, lastChangeId: changeId }).where(condition),
		row: ownRequestStatement(driver, id),
	});
	return changedOr(row[0], changeId);
}

export type AddReceiptRefusal =
	| Refused<"not-found">
	| Refused<"not-pending", FundRequest>
	| Refused<"quota", { readonly words: QuotaWords }>;

/** Adds a receipt to one's own request that has none; the file is already in the store. */
export async function addReceipt(driver: DriverContext, id: string, file: StoredFile): Promise<Outcome<FundRequest, AddReceiptRefusal>> {
	const { db, user } = driver;
	const changeId = crypto.randomUUID();
	const condition = sql`${fundRequests.id} = ${id} and driver_id = ${user.id} and status in ('pending', 'approved') and receipt_id is null and ${isFreeReceipt(user.id, file.id)}`;
	const { row, kept } = await db.batch({
		file: receiptRowStatement(driver, file),
		kept: receiptRowKept(driver, file),
		audit: auditStatement(
			db.build,
			actorOf(driver),
			{ action: "request.add-receipt", entity: "fund-request", after: sql`json_object('receiptId', ${file.id})` },
			fundRequests,
			condition,
		),
		change: db.build.update(fundRequests).set({ receiptId: file.id, receiptName: null, lastChangeId: changeId }).where(condition),
		row: ownRequestStatement(driver, id),
	});
	const request = row[0];
	// The same file sent again finds itself there already.
	if (request?.receiptId === file.id) return done(request);
	const words = request && quotaWords(kept[0]);
	return words ? refused("quota", { words }) : changedOr(request, changeId);
}

function ownRequestStatement({ db, user }: DriverContext, id: string) {
	return db.build
		.select()
		.from(fundRequests)
		.where(and(eq(fundRequests.id, id), eq(fundRequests.driverId, user.id)));
}

function changedOr(
	request: FundRequest | undefined,
	changeId: string,
): Outcome<FundRequest, Refused<"not-found"> | Refused<"not-pending", FundRequest>> {
	if (!request) return refused("not-found");
	return request.lastChangeId === changeId ? done(request) : refused("not-pending", request);
}

/** The row of an unattached receipt, so that a refused form can offer it again. */
export function receiptNameStatement({ db, user }: DriverContext, receiptId: string) {
	return db.build
		.select({ id: receipts.id, fileName: receipts.fileName })
		.from(receipts)
		.where(and(eq(receipts.id, receiptId), eq(receipts.ownerId, user.id)));
}
