/**
 * A person with data in every table and column that can contain text, each with a unique marker,
 * for testing personal data exports and what remains after pseudonymization.
 */
import { addDays, dateIn } from "../../app/values/calendar-date.ts";
import { type CastName, idOf, ZONE } from "./cast.ts";
import { feeId, insertFee } from "./fees.ts";
import { insertLog } from "./mileage.ts";
import { insertReceipt, insertRequest } from "./requests.ts";
import { insertRow, type Row, type Sql } from "./rows.ts";

/** Part of all their texts, in characters that name folding leaves unchanged. */
export const MARK = "zq7x";
/** A text that every format must escape. */
export const markedText = (what: string) => `=${MARK} "${what}", łine\r\nand 'another'; ok`;
export const FIRST_NAME = `${MARK.toUpperCase()}-Åsa`;
export const LAST_NAME = `O'Neil ${MARK}ßon`;

/** Their receipt files, by storage key. */
export const wholeFiles = new Map(
	[1, 2, 3].map((each) => [`r/${MARK}-${each}`, new Uint8Array(each * 1000).fill(each)]),
);

/**
 * Inserts the rows of a member of the cast, from a given day on.
 * @param first the number of their first request and other rows; the next 20 must be free
 */
export async function insertWholePerson(
	sql: Sql,
	name: CastName,
	{ since, first }: { since: number; first: number },
): Promise<void> {
	const id = idOf(name);
	const ada = idOf("ada");
	const day = dateIn(ZONE, since);
	const email = `${MARK}.${name}@milepost.test`;
	const at = (minutes: number) => since + minutes * 60_000;
	await sql(
		"update users set first_name = ?, last_name = ?, email = ?, unverified_email = ?, created_at = ? where id = ?",
		FIRST_NAME,
		LAST_NAME,
		email,
		`other-${email}`,
		since,
		id,
	);
	await sql("update identities set subject = ? where user_id = ?", `${MARK} subject`, id);
	await insertRow(sql, "bounces", { address: email, reason: markedText("bounce"), at: since });
	await insertRow(sql, "sessions", {
		token_hash: MARK.padEnd(64, "f"),
		user_id: id,
		created_at: since,
		last_seen_at: since,
		expires_at: since,
		ends_at: since + 400 * 86_400_000,
		ended_at: at(1),
		ended_reason: "signed-out",
		device: `${MARK} phone`,
	});
	await insertRow(sql, "api_tokens", {
		id: `${first}-token`,
		owner_id: id,
		name: `${MARK} payroll`,
		scope: "read",
		token_hash: `${first}`.padEnd(64, "0"),
		created_at: since,
		expires_at: at(60),
		revoked_at: at(2),
		revoked_by: ada,
		submission_key: `${MARK} key`,
		payload_hash: MARK,
	});
	await insertLog(sql, first, name, day, 40, { notes: markedText("trip"), payload_hash: MARK });
	await insertLog(sql, first + 1, name, addDays(day, 1), 50, {
		notes: markedText("voided trip"),
		voided_at: at(2),
		voided_by: ada,
		void_reason: markedText("void reason"),
	});
	await insertMoney(sql, name, { since, first });
	await insertFee(sql, first, name, day, {
		description: markedText("fee"),
		reference_number: `${MARK} reference`,
		payload_hash: MARK,
	});
	await insertFee(sql, first + 1, name, day, {
		description: markedText("deleted fee"),
		deleted_at: at(3),
		deleted_by: ada,
	});
	await insertFee(sql, first + 2, name, day, { is_credit: 1, amount_cents: 150 });
	await insertRow(sql, "agreements", {
		...{ id: `${first}-agreement`, driver_id: id, number: 1, starts_on: "2020-01-06" },
		...{ base: "net", tolls_to: "driver", fares_basis_points: 6000, tips_basis_points: 10_000 },
		...{ promotions_basis_points: 10_000, fleet_basis_points: 0, weekly_rent_cents: 12_000 },
		...{ weekly_fee_cents: 0, per_mile_mills: 725, created_at: since, created_by: ada },
		payload_hash: MARK,
	});
	const voids: readonly Row[] = [{}, { voided_at: at(3), voided_by: ada }];
	for (const [position, voided] of voids.entries())
		await insertRow(sql, "charges", {
			...{ id: `${first}-charge-${position}`, driver_id: id, kind: "damage", charged_on: day },
			...{ amount_cents: 25_000, direction: "against", instalments: 4, created_at: since },
			...{ created_by: ada, note: markedText("charge"), payload_hash: MARK },
			...voided,
		});
	await sql(
		"update charges set receipt_id = (select id from receipts where object_key = ?) where id = ?",
		`r/${MARK}-3`,
		`${first}-charge-0`,
	);
	await insertRow(sql, "platform_drivers", {
		id: `${first}-alias`,
		driver_id: id,
		platform: "uber",
		platform_id: `${MARK}-platform-id`,
		name: markedText("name there"),
		added_by: ada,
		created_at: since,
	});
	for (const key of ["commission:2020-01-01:2020-01-07", "2020-01-02:trip:other:100#2"])
		await insertRow(sql, "statement_lines", {
			import_id: "import",
			line_key: `uber:${MARK}-platform-id:${key}`,
			is_live: 1,
		});
	// A later import has corrected it.
	await insertRow(sql, "statement_lines", {
		...{ import_id: "import", line_key: `uber:name=${MARK}:commission:2020-01-08:2020-01-14` },
		...{ is_live: 0, replaced_by: "later", fee_id: feeId(first + 1) },
	});
	for (const [key, isLive] of [
		["2020-01-01:2020-01-07", 1],
		["2020-01-08:2020-01-14", 0],
	] as const)
		await insertRow(sql, "statement_money", {
			...{ import_id: "import", row_key: `uber:${MARK}-platform-id:${key}`, is_live: isLive },
			...{ driver_id: id, platform: "uber", format: "uber-payments-driver", row_number: 2 },
			...{ counts_from: "2020-01-01", counts_to: "2020-01-07", proof: "proven" },
			...{ fare_cents: 10_000, fee_cents: -2_500, tip_cents: 300, promotion_cents: 0 },
			...{ other_earning_cents: 0, toll_cents: 120, tax_cents: 0, third_party_cents: 0 },
			...{ cash_cents: -4_000, transfer_cents: 0 },
		});
	await insertMail(sql, name, { since, first });
	await insertAudit(sql, name, { since, first });
	await markOtherTexts(sql, id);
}

/** How to find someone's rows in the tables with arbitrary texts. */
const WHOSE = {
	mileage_logs: "driver_id",
	fund_requests: "driver_id",
	uber_fees: "driver_id",
	platform_drivers: "driver_id",
	charges: "driver_id",
	receipts: "owner_id",
	request_messages: "author_id",
	settlement_messages: "author_id",
	sessions: "user_id",
	api_tokens: "owner_id",
	mails: "recipient_id",
};
/** Texts that the application writes itself: ids, keys, dates, and words from a list. */
const OWN =
	/(_id|_by|_on|_key|_key_at|_status|_tag)$|^(id|key|source|question|status|batch_id|ended_reason)$/;

/** Marks each text that is still empty, whatever its column, even in later releases. */
async function markOtherTexts(sql: Sql, id: string): Promise<void> {
	for (const [table, owner] of Object.entries(WHOSE)) {
		const columns = (await sql(
			"select name, hidden from pragma_table_xinfo(?) where type = 'TEXT' collate nocase",
			table,
		)) as { name: string; hidden: number }[];
		for (const { name } of columns.filter((each) => each.hidden === 0 && !OWN.test(each.name)))
			await sql(
				`update ${table} set ${name} = ? where ${owner} = ? and ${name} is null`,
				markedText(name),
				id,
			);
	}
}

type Place = { since: number; first: number };

/** Requests in every state, their receipts and threads, and a paid payout. */
async function insertMoney(sql: Sql, name: CastName, { since, first }: Place): Promise<void> {
	const id = idOf(name);
	const ada = idOf("ada");
	const receiptIds: string[] = [];
	for (const [position, [object_key, bytes]] of [...wholeFiles].entries())
		receiptIds.push(
			await insertReceipt(sql, first + position, name, {
				object_key,
				byte_size: bytes.length,
				file_name: `${MARK} receipt ${position}.png`,
				created_at: since + position,
			}),
		);
	const decided = { decided_at: since + 1000, decided_by: ada };
	const add = (position: number, more: Row) =>
		insertRequest(sql, first + position, name, {
			description: markedText(`request ${position}`),
			created_at: since + position,
			payload_hash: `${MARK} ${position}`,
			...more,
		});
	const paid = await add(0, {
		...decided,
		status: "approved",
		amount_cents: 4210,
		approved_amount_cents: 4000,
		receipt_id: receiptIds[0] ?? null,
		admin_notes: markedText("approved for less"),
	});
	const rejected = await add(1, {
		...decided,
		status: "rejected",
		receipt_id: receiptIds[1] ?? null,
		admin_notes: markedText("rejected"),
	});
	await add(2, {
		status: "withdrawn",
		withdrawn_at: since + 5,
		receipt_name: `${MARK} typed name.jpg`,
	});
	for (const [position, author_role] of (["admin", "driver"] as const).entries())
		await insertRow(sql, "request_messages", {
			id: `${first}-message-${position}`,
			request_id: rejected,
			position: position + 1,
			author_id: author_role === "admin" ? ada : id,
			author_role,
			text: markedText(`message ${position}`),
			source: "form",
			created_at: since + position,
			payload_hash: `${MARK} message`,
		});
	await insertRow(sql, "payouts", {
		id: `${first}-payout`,
		number: first,
		status: "open",
		total_cents: 10_000,
		driver_count: 1,
		request_count: 2,
		settlement_count: 1,
		created_at: since + 2000,
		created_by: ada,
		payload_hash: "x",
	});
	await insertRow(sql, "payout_requests", {
		payout_id: `${first}-payout`,
		request_id: paid,
		driver_id: id,
		amount_cents: 4000,
	});
	await sql("update fund_requests set payout_id = ? where id = ?", `${first}-payout`, paid);
	await insertSettlements(sql, id, { since, first });
	await sql(
		"update payouts set status = 'paid', paid_on = ?, reference = 'Bank 77', paid_at = ?, paid_by = ? where id = ?",
		dateIn(ZONE, since),
		since + 3000,
		ada,
		`${first}-payout`,
	);
}

/** A settlement in the payout, and a voided one of the same week. */
async function insertSettlements(sql: Sql, id: string, { since, first }: Place): Promise<void> {
	const ada = idOf("ada");
	const ofPayout = { payout_id: `${first}-payout`, settlement_id: `${first}-settlement-0` };
	const voids: readonly Row[] = [{}, { status: "void", voided_at: since + 3000, voided_by: ada }];
	for (const [position, voided] of voids.entries())
		await insertRow(sql, "settlements", {
			...{ id: `${first}-settlement-${position}`, number: first + position, driver_id: id },
			...{ week_from: "2020-01-06", status: "published", created_at: since, created_by: ada },
			...{ carried_in_cents: 0, result_cents: 6_000, published_at: since, published_by: ada },
			...voided,
		});
	await insertRow(sql, "settlement_lines", {
		...{ settlement_id: ofPayout.settlement_id, place: 0, kind: "fares", platform: "uber" },
		...{ text: "Fares after fees: 60% of $100.00", amount_cents: 6_000 },
	});
	for (const [position, author] of [id, ada].entries())
		await insertRow(sql, "settlement_messages", {
			...{ id: `${first}-week-message-${position}`, settlement_id: ofPayout.settlement_id },
			...{ position: position + 1, author_id: author, text: markedText(`week ${position}`) },
			...{ author_role: author === ada ? "admin" : "driver", source: "form" },
			...{ created_at: since + position, payload_hash: `${MARK} message` },
		});
	await insertRow(sql, "payout_settlements", { ...ofPayout, driver_id: id, amount_cents: 6_000 });
	await sql(
		"update settlements set payout_id = ? where id = ?",
		ofPayout.payout_id,
		ofPayout.settlement_id,
	);
}

/** Emails to them, and an administrator's emails that mention them. */
async function insertMail(sql: Sql, name: CastName, { since, first }: Place): Promise<void> {
	const id = idOf(name);
	const words = `${FIRST_NAME} ${LAST_NAME}`;
	const notices = [`new-application:${id}`, `new-request:${requestOf(first)}`].map((about) => ({
		id: about,
		subject: `New: ${words}`,
		body: markedText("notice"),
	}));
	const letters: readonly Row[] = [
		{ recipient_id: id, kind: "driver-approved", about_id: id },
		{ recipient_id: id, kind: "reminder-miles", about_id: id },
		{ recipient_id: idOf("ada"), kind: "new-application", about_id: id },
		{ recipient_id: idOf("ada"), kind: "request-answer", about_id: requestOf(first + 1) },
		{ recipient_id: idOf("ada"), kind: "settlement-question", about_id: `${first}-settlement-0` },
		{
			recipient_id: idOf("ada"),
			kind: "admin-digest",
			about_id: idOf("ada"),
			subject: "2 items to review",
			body: notices.map(({ subject, body }) => `${subject}\n${body}`).join("\n\n"),
			created_at: since,
		},
	];
	for (const [position, letter] of letters.entries())
		await insertRow(sql, "mails", {
			id: `${first}-mail-${position}`,
			address: letter.recipient_id === id ? `${MARK}@milepost.test` : "admin@milepost.test",
			subject: `For ${words}`,
			body: `${words} asks for $12.50: ${markedText(`mail ${position}`)}`,
			status: "sent",
			created_at: since + position,
			send_after: since,
			sent_at: since,
			last_error: letter.recipient_id === id ? markedText("error") : null,
			dedupe_key: `${first}-mail-${position}`,
			...letter,
		});
	for (const notice of notices)
		await insertRow(sql, "notices", { ...notice, created_at: since, gathered_at: since });
}

const requestOf = (number: number) => `30000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Audit entries by and about them, with text and figures. */
async function insertAudit(sql: Sql, name: CastName, { since, first }: Place): Promise<void> {
	const id = idOf(name);
	const ada = idOf("ada");
	const numbered = (digit: number, number: number) =>
		`${digit}0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
	const words = (field: string) => JSON.stringify({ [field]: markedText(field) });
	const figures = JSON.stringify({ date: dateIn(ZONE, since), start: 1, end: 41 });
	const agreed = JSON.stringify({ from: "2020-01-06", faresPercent: 60 });
	type Entry = [by: string, action: string, of: string, id: string, after: string, more?: Row];
	const entries: readonly Entry[] = [
		[ada, "driver.rename", "user", id, words("lastName"), { before: words("firstName") }],
		[id, "session.end-device", "user", id, words("device")],
		[id, "mileage.log", "mileage-log", numbered(4, first), figures],
		[
			ada,
			"mileage.void",
			"mileage-log",
			numbered(4, first + 1),
			figures,
			{ reason: markedText("r") },
		],
		[ada, "request.reject", "fund-request", requestOf(first + 1), words("adminNotes")],
		[ada, "request.ask", "request-message", `${first}-message-0`, words("text")],
		[ada, "settlement.answer", "settlement-message", `${first}-week-message-1`, words("text")],
		[ada, "fee.add", "uber-fee", numbered(6, first), words("referenceNumber")],
		[ada, "agreement.make", "agreement", `${first}-agreement`, agreed],
		[ada, "charge.add", "charge", `${first}-charge-0`, words("note")],
		[ada, "alias.add", "platform-driver", `${first}-alias`, words("nameThere")],
		[ada, "email.send-again", "email", `${first}-mail-0`, words("subject")],
		[
			ada,
			"email.send-again",
			"email",
			`${first}-deleted-mail`,
			JSON.stringify({ subject: markedText("subject"), recipientId: id }),
		],
	];
	for (const [position, [actor_id, action, entity, entity_id, after, more]] of entries.entries())
		await insertRow(sql, "audit_events", {
			at: since + position,
			actor_id,
			actor_role: actor_id === ada ? "admin" : "driver",
			session_ref: "5e5510".padEnd(16, "0"),
			action,
			entity,
			entity_id,
			after,
			...more,
		});
}
