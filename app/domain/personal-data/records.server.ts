/** A person's trips, requests, payments and fees. */
import { sql } from "drizzle-orm";
import { payoutNumber } from "../fund-requests/payment.ts";
import { REQUEST } from "../fund-requests/record.ts";
import { requestNumber } from "../fund-requests/rules.ts";
import { TRIP } from "../mileage/record.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import { REQUEST_MESSAGES } from "./message-records.server.ts";
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
import { WEEKS } from "./week-records.server.ts";

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

/** The person's records, in the order of the index. */
export const RECORDS: readonly Section[] = [
	MILEAGE,
	REQUESTS,
	REQUEST_MESSAGES,
	PAYOUTS,
	FEES,
	...WEEKS,
	ALIASES,
];
