/** A person's trips, requests, payments and fees. */
import { sql } from "drizzle-orm";
import { AGREEMENT } from "../agreements/record.ts";
import { CHARGE } from "../charges/record.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import { REQUEST } from "../fund-requests/record.ts";
import { requestNumber } from "../fund-requests/rules.ts";
import { TRIP } from "../mileage/record.ts";
import { MONEY_KINDS } from "../statements/money.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import {
	code,
	dollars,
	fileColumns,
	flag,
	moment,
	nameOf,
	plain,
	rowsOf,
	type Section,
} from "./section.server.ts";

const requestCode = code(requestNumber);
const payoutCode = code(payoutNumber);
const settlementCode = code(settlementNumber);

const MILEAGE: Section = {
	name: "mileage",
	about: "Every trip they logged, voided ones included.",
	columns: fileColumns(TRIP, "log"),
	parts: [
		{
			...rowsOf(
				sql`mileage_logs as log`,
				sql`log.driver_id`,
				sql`log.driven_on`,
				sql`log.end_miles`,
				sql`log.id`,
			),
			// Voided entries in the archive were voided by their driver.
			archived: (name) => ({
				voidedBy: plain(sql`iif(log.voided_by is null, null, ${name})`),
			}),
		},
	],
};

const REQUESTS: Section = {
	name: "fund-requests",
	about: "Every request for money, with its decision and its payout.",
	columns: {
		...fileColumns(REQUEST, "request"),
		requestNumber: requestCode(sql`request.number`),
		approvedAmount: dollars(sql`iif(request.status = 'approved',
			coalesce(request.approved_amount_cents, request.amount_cents), null)`),
		receiptName: plain(sql`coalesce(receipt.file_name, request.receipt_name)`),
		payout: payoutCode(sql`payout.number`),
	},
	parts: [
		rowsOf(
			sql`fund_requests as request
				left join receipts as receipt on receipt.id = request.receipt_id
				left join payouts as payout on payout.id = request.payout_id`,
			sql`request.driver_id`,
			sql`request.created_at`,
			sql`request.id`,
		),
	],
};

const MESSAGES: Section = {
	name: "messages",
	about: "Questions and answers about their requests, and what they asked as an administrator.",
	columns: {
		requestNumber: requestCode(sql`request.number`),
		position: plain(sql`message.position`),
		author: nameOf(sql`message.author_id`),
		authorRole: plain(sql`message.author_role`),
		text: plain(sql`message.text`),
		sentBy: plain(sql`message.source`),
		createdAt: moment(sql`message.created_at`),
		capturedAt: moment(sql`message.captured_at`),
	},
	parts: [
		rowsOf(
			sql`fund_requests as request
				join request_messages as message on message.request_id = request.id`,
			sql`request.driver_id`,
			sql`request.created_at`,
			sql`request.id`,
			sql`message.position`,
		),
		{
			from: sql`request_messages as message
				join fund_requests as request on request.id = message.request_id`,
			whose: (id) => sql`message.author_id = ${id} and message.author_role = 'admin'`,
			order: [sql`message.created_at`, sql`message.id`],
		},
	],
};

const PAYOUTS: Section = {
	name: "payouts",
	about: "What each payout paid for which request or settlement, canceled payouts included.",
	columns: {
		payout: payoutCode(sql`payout.number`),
		status: plain(sql`payout.status`),
		requestNumber: requestCode(sql`request.number`),
		amount: dollars(sql`line.amount_cents`),
		createdAt: moment(sql`payout.created_at`),
		paidOn: plain(sql`payout.paid_on`),
		reference: plain(sql`payout.reference`),
		canceledAt: moment(sql`payout.cancelled_at`),
		settlement: settlementCode(sql`settled.number`),
	},
	// Each part has the other's columns, without a value.
	parts: [
		rowsOf(
			sql`payout_requests as line indexed by payout_requests_by_driver
				join payouts as payout on payout.id = line.payout_id
				join fund_requests as request on request.id = line.request_id
				left join settlements as settled on settled.id = null`,
			sql`line.driver_id`,
			sql`line.payout_id`,
			sql`line.request_id`,
		),
		rowsOf(
			sql`payout_settlements as line indexed by payout_settlements_by_driver
				join payouts as payout on payout.id = line.payout_id
				join settlements as settled on settled.id = line.settlement_id
				left join fund_requests as request on request.id = null`,
			sql`line.driver_id`,
			sql`line.payout_id`,
			sql`line.settlement_id`,
		),
	],
};

const FEES: Section = {
	name: "uber-fees",
	about: "Every ride-share fee charged to them, deleted ones included.",
	columns: {
		id: plain(sql`fee.id`),
		date: plain(sql`fee.charged_on`),
		category: plain(sql`fee.category`),
		amount: dollars(sql`fee.amount_cents`),
		isCredit: flag(sql`fee.is_credit`),
		referenceNumber: plain(sql`fee.reference_number`),
		description: plain(sql`fee.description`),
		addedBy: nameOf(sql`fee.added_by`),
		createdAt: moment(sql`fee.created_at`),
		deletedAt: moment(sql`fee.deleted_at`),
		deletedBy: nameOf(sql`fee.deleted_by`),
		replacesId: plain(sql`fee.replaces_id`),
		statement: plain(sql`(select file_name from fee_imports where id = fee.import_id)`),
	},
	parts: [
		rowsOf(
			sql`uber_fees as fee`,
			sql`fee.driver_id`,
			sql`fee.charged_on`,
			sql`fee.created_at`,
			sql`fee.id`,
		),
	],
};

const STATEMENT_MONEY: Section = {
	name: "statement-money",
	about: "What ride platforms' statements say of their money, by row: plus is for them.",
	columns: {
		from: plain(sql`money.counts_from`),
		to: plain(sql`money.counts_to`),
		platform: plain(sql`money.platform`),
		row: plain(sql`money.row_number`),
		addsUp: plain(sql`money.proof`),
		isCurrent: flag(sql`money.is_live`),
		...Object.fromEntries(
			MONEY_KINDS.map((kind) => [kind, dollars(sql.raw(`money.${kind}_cents`))]),
		),
		statement: plain(sql`(select file_name from fee_imports where id = money.import_id)`),
	},
	parts: [
		rowsOf(
			sql`statement_money as money`,
			sql`money.driver_id`,
			sql`money.counts_to`,
			sql`money.row_key`,
			sql`money.import_id`,
		),
	],
};

const ALIASES: Section = {
	name: "platform-drivers",
	about: "The IDs and names ride platforms know them by.",
	columns: {
		platform: plain(sql`alias.platform`),
		platformId: plain(sql`alias.platform_id`),
		name: plain(sql`alias.name`),
		addedBy: nameOf(sql`alias.added_by`),
		createdAt: moment(sql`alias.created_at`),
		removedAt: moment(sql`alias.removed_at`),
	},
	parts: [
		rowsOf(
			sql`platform_drivers as alias`,
			sql`alias.driver_id`,
			sql`alias.created_at`,
			sql`alias.id`,
		),
	],
};

const AGREEMENTS: Section = {
	name: "agreements",
	about: "What they were to keep of their weeks, from which day on.",
	columns: fileColumns(AGREEMENT, "agreement"),
	parts: [
		rowsOf(
			sql`agreements as agreement`,
			sql`agreement.driver_id`,
			sql`agreement.starts_on`,
			sql`agreement.number`,
		),
	],
};

const CHARGES: Section = {
	name: "charges",
	about: "Amounts for and against them beside their earnings, voided ones included.",
	columns: fileColumns(CHARGE, "charge"),
	parts: [
		rowsOf(
			sql`charges as charge`,
			sql`charge.driver_id`,
			sql`charge.charged_on`,
			sql`charge.created_at`,
			sql`charge.id`,
		),
	],
};

const SETTLEMENTS: Section = {
	name: "settlements",
	about: "Their weeks as they were settled, line by line, voided ones included.",
	columns: {
		settlement: settlementCode(sql`settled.number`),
		week: plain(sql`settled.week_from`),
		status: plain(sql`settled.status`),
		carriedIn: dollars(sql`settled.carried_in_cents`),
		result: dollars(sql`settled.result_cents`),
		line: plain(sql`line.kind`),
		platform: plain(sql`line.platform`),
		text: plain(sql`line.text`),
		amount: dollars(sql`line.amount_cents`),
		createdAt: moment(sql`settled.created_at`),
		publishedAt: moment(sql`settled.published_at`),
		voidedAt: moment(sql`settled.voided_at`),
		payout: payoutCode(sql`(select number from payouts where id = settled.payout_id)`),
	},
	parts: [
		rowsOf(
			sql`settlements as settled
				left join settlement_lines as line on line.settlement_id = settled.id`,
			sql`settled.driver_id`,
			sql`settled.number`,
			sql`coalesce(line.place, -1)`,
		),
	],
};

/** The person's records, in the order of the index. */
export const RECORDS: readonly Section[] = [
	MILEAGE,
	REQUESTS,
	MESSAGES,
	PAYOUTS,
	FEES,
	STATEMENT_MONEY,
	AGREEMENTS,
	CHARGES,
	SETTLEMENTS,
	ALIASES,
];
