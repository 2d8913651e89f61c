/** A person's weeks: statements' money, agreements, charges, settlements and what was asked about them. */
import { sql } from "drizzle-orm";
import { AGREEMENT } from "../agreements/record.ts";
import { CHARGE } from "../charges/record.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import { MONEY_KINDS } from "../statements/money.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import { WEEK_MESSAGES } from "./message-records.server.ts";
import {
	code,
	dollars,
	fileColumns,
	flag,
	moment,
	plain,
	rowsOf,
	type Section,
} from "./section.server.ts";

const payoutCode = code(payoutNumber);
const settlementCode = code(settlementNumber);

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
	columns: {
		...fileColumns(CHARGE, "charge"),
		receiptName: plain(sql`(select file_name from receipts where id = charge.receipt_id)`),
	},
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

/** In the order of the index. */
export const WEEKS: readonly Section[] = [
	STATEMENT_MONEY,
	AGREEMENTS,
	CHARGES,
	SETTLEMENTS,
	WEEK_MESSAGES,
];
