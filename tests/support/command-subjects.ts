/** Rows of every table for commands to change, and valid input for those commands. */
import { makePayout } from "../../app/domain/payouts/commands/make.server.ts";
import { NO_ANSWERS } from "../../app/domain/statements/answers.ts";
import { formatEvent } from "../../app/domain/statements/event-lines.ts";
import { readingKey } from "../../app/domain/statements/object-writer.server.ts";
import type { WaitingStatement } from "../../app/domain/statements/waiting.server.ts";
import { addDays, type CalendarDate, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { insertAgreement, insertCharge } from "./agreements.ts";
import { idOf } from "./cast.ts";
import type { TestDatabase } from "./database.ts";
import { openFileStore } from "./file-store.ts";
import { insertRow, type Row } from "./rows.ts";
import { insertSettlement, insertWeekMessage, published } from "./settlements.ts";

/**
 * Creates rows in the test database.
 * @param now their creation time
 * @param today in the fleet's time zone
 */
export async function commandSubjects(bench: TestDatabase, now: number, today: CalendarDate) {
	let count = 0;
	const unique = () => ++count;
	const insert = async (table: string, row: Row) => {
		await insertRow(bench.rows, table, row);
		return String(row.id);
	};

	const applicant = (more: Row = {}) =>
		insert("users", {
			id: crypto.randomUUID(),
			role: "driver",
			first_name: "Sam",
			last_name: "Stranger",
			email: `sam${unique()}@milepost.test`,
			approval_status: "pending",
			is_active: 1,
			created_at: now,
			applied_at: now,
			...more,
		});
	const invited = () =>
		applicant({ approval_status: "approved", invited_at: now, applied_at: null });
	const codeOf = async (id: string) =>
		String(
			(await bench.rows<{ n: number }>("select driver_number as n from users where id = ?", id))[0]
				?.n,
		);
	const formerDriver = () =>
		applicant({
			approval_status: "approved",
			is_active: 0,
			deactivated_at: Date.UTC(2015, 1, 1),
			driver_number: 1000 + unique(),
		});
	const request = (more: Row = {}) =>
		insert("fund_requests", {
			id: crypto.randomUUID(),
			number: 1000 + unique(),
			driver_id: idOf("dana"),
			type: "gas",
			amount_cents: 1200,
			description: "Fuel",
			status: "pending",
			source: "form",
			created_at: now,
			requested_on: today,
			payload_hash: "hash",
			...more,
		});
	const questioned = async () => {
		const id = await request();
		await insert("request_messages", {
			id: crypto.randomUUID(),
			request_id: id,
			position: 1,
			author_id: idOf("ada"),
			author_role: "admin",
			text: "Which car?",
			source: "form",
			created_at: now,
			payload_hash: "hash",
		});
		return id;
	};
	const message = () => ({ text: `The white one ${unique()}`, key: undefined });
	const approved = () => request({ status: "approved", decided_at: now, decided_by: idOf("ada") });
	const openPayout = async () => {
		const ids = [await approved()];
		const made = await makePayout(await bench.admin("ada"), { kind: "named", ids }, undefined);
		return made.ok ? made.value.row.payout.id : "";
	};
	const trip = () =>
		insert("mileage_logs", {
			id: crypto.randomUUID(),
			driver_id: idOf("dana"),
			driven_on: today,
			start_miles: unique() * 10,
			end_miles: count * 10 + 5,
			source: "form",
			created_at: now,
			payload_hash: "hash",
		});
	const fee = (more: Row = {}) =>
		insert("uber_fees", {
			id: crypto.randomUUID(),
			driver_id: idOf("dana"),
			category: "commission",
			amount_cents: 500,
			charged_on: today,
			added_by: idOf("ben"),
			created_at: now,
			payload_hash: "hash",
			...more,
		});
	const feeImport = async () => {
		const id = await insert("fee_imports", {
			id: crypto.randomUUID(),
			added_by: idOf("ben"),
			file_name: "fees.csv",
			row_count: 1,
			created_at: now,
			payload_hash: "hash",
		});
		await fee({ import_id: id });
		return id;
	};

	const failedEmail = () =>
		insert("mails", {
			id: crypto.randomUUID(),
			kind: "invitation",
			address: `lost${unique()}@milepost.test`,
			subject: "You're invited",
			body: "Sign in",
			about_id: idOf("dana"),
			status: "failed",
			created_at: now,
			send_after: now,
			dedupe_key: `lost:${count}`,
		});

	const alias = () =>
		insert("platform_drivers", {
			id: crypto.randomUUID(),
			driver_id: idOf("dana"),
			platform: "uber",
			platform_id: `known-${unique()}`,
			added_by: idOf("ada"),
			created_at: now,
		});
	const weekBefore = () => addDays(parseCalendarDate("2026-11-09"), -7 * unique());
	/** The draft of a week that is over. */
	const settlement = () => insertSettlement(bench.rows, unique(), "dana", weekBefore());
	/** A published week with its driver's question. */
	const askedWeek = async () => {
		const id = await insertSettlement(bench.rows, unique(), "dana", weekBefore(), published(100));
		await insertWeekMessage(bench.rows, id, 1, "dana", "Why?");
		return id;
	};
	/** A week in which rent is due. */
	const rentedWeek = async () => {
		const from = weekBefore();
		await insertAgreement(bench.rows, unique(), "dana", from, { weekly_rent_cents: 500 });
		return from;
	};
	const damage = () => insertCharge(bench.rows, unique(), "dana");
	const store = await openFileStore();
	/** An uploaded statement of one line that hasn't been imported. */
	async function waitingStatement(): Promise<string> {
		const id = crypto.randomUUID();
		const name = "Dana Driver";
		const common = { row: 2, platformId: "", name, date: today, category: "other" as const };
		const line = { kind: "line" as const, key: `line-${unique()}`, cents: 100, ...common };
		await store.put(readingKey(id), `${formatEvent(line)}\n`);
		return id;
	}
	const waiting = (id: string): WaitingStatement => ({
		id,
		fileName: "statement.csv",
		contentTag: "x",
		answers: NO_ANSWERS,
		facts: {
			format: "bolt-earnings-per-driver",
			platform: "bolt",
			period: { from: today, to: today },
			isByPeriod: true,
			isPeriodAsked: false,
			currency: null,
			feeColumns: [],
			notFeeColumns: [],
			isAllCommission: false,
			rows: 1,
			unknownColumns: [],
			hasIds: false,
		},
	});

	const person = () => ({
		email: `new${unique()}@milepost.test`,
		firstName: "New",
		lastName: "Person",
		key: undefined,
	});
	const charge = {
		driverId: idOf("dana"),
		category: "commission",
		amount: 700,
		date: today,
		referenceNumber: undefined,
		description: undefined,
		key: undefined,
		replacesId: undefined,
	} as const;
	const stored = (id: string) => ({
		id,
		ownerId: idOf("dana"),
		objectKey: `r/${id}`,
		mediaType: "image/png" as const,
		byteSize: 10,
		sha256: "a".repeat(64),
		fileName: "receipt.png",
	});
	const newTrip = (correctsId?: string) => ({
		startOdometer: 500_000 + unique() * 10,
		endOdometer: 500_000 + count * 10 + 5,
		date: today,
		notes: undefined,
		key: undefined,
		confirm: undefined,
		correctsId,
	});
	const fuel = (replacesId?: string) => ({
		type: "gas" as const,
		amount: 900,
		description: `Fuel ${unique()}`,
		receiptUrl: undefined,
		key: undefined,
		confirm: undefined,
		replacesId,
	});
	return {
		unique,
		applicant,
		invited,
		codeOf,
		formerDriver,
		request,
		questioned,
		message,
		approved,
		openPayout,
		trip,
		fee,
		feeImport,
		failedEmail,
		alias,
		store,
		waitingStatement,
		waiting,
		person,
		charge,
		damage,
		settlement,
		askedWeek,
		rentedWeek,
		stored,
		newTrip,
		fuel,
	};
}
