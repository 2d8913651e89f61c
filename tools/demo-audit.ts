/** The demo fleet's audit: an entry for every row, as its command would have written it. */
import { idOf } from "../tests/support/cast.ts";
import type { Row } from "./demo-cast.ts";

type Cell = Row[string];
type State = Readonly<Record<string, Cell | boolean | undefined>>;
type Rows = ReadonlyMap<string, readonly Row[]>;

export function auditRows(rows: Rows): Row[] {
	const entries: Row[] = [];
	const admins = new Set([idOf("ada"), idOf("ben")]);
	const json = (state: State | undefined) => (state ? JSON.stringify(state) : null);
	const add = (
		at: Cell | undefined,
		actor: Cell | undefined,
		[action, entity, entityId]: readonly [string, string, Cell | undefined],
		after?: State,
		before?: State,
		reason?: Cell,
	) =>
		entries.push({
			at: at ?? null,
			actor_id: actor ?? null,
			actor_role: admins.has(String(actor)) ? "admin" : "driver",
			action,
			entity,
			entity_id: entityId ?? null,
			before: json(before),
			after: json(after),
			reason: reason ?? null,
		});
	const each = (table: string, tell: (row: Row) => void) => rows.get(table)?.forEach(tell);
	each("users", (user) => {
		if (user.role !== "driver" || admins.has(String(user.id))) return;
		if (user.applied_at)
			add(user.applied_at, user.id, ["profile.complete", "user", user.id], {
				firstName: user.first_name,
				lastName: user.last_name,
			});
		if (user.invited_at)
			add(user.invited_at, idOf("ada"), ["driver.create", "user", user.id], {
				role: user.role,
				email: user.email,
				firstName: user.first_name,
				lastName: user.last_name,
				driverNumber: user.driver_number,
			});
		else if (user.approved_at)
			add(
				user.approved_at,
				idOf("ada"),
				["driver.approve", "user", user.id],
				{ approvalStatus: "approved", driverNumber: user.driver_number },
				{ approvalStatus: "pending" },
			);
		if (user.approval_status === "rejected")
			add(
				Number(user.applied_at) + 3_600_000,
				idOf("ada"),
				["driver.reject", "user", user.id],
				{ approvalStatus: "rejected" },
				{ approvalStatus: "pending" },
			);
		if (user.deactivated_at)
			add(
				user.deactivated_at,
				idOf("ada"),
				["user.deactivate", "user", user.id],
				{ isActive: false },
				{ isActive: true },
			);
	});
	each("sessions", ({ user_id, created_at, ended_at }) => {
		add(created_at, user_id, ["session.start", "user", user_id]);
		add(ended_at, user_id, ["session.end", "user", user_id]);
	});
	each("mileage_logs", (trip) => {
		const values = { date: trip.driven_on, start: trip.start_miles, end: trip.end_miles };
		add(trip.created_at, trip.driver_id, ["mileage.log", "mileage-log", trip.id], values);
		if (trip.voided_at)
			add(
				trip.voided_at,
				trip.voided_by,
				["mileage.void", "mileage-log", trip.id],
				{ voidedAt: trip.voided_at },
				values,
				trip.void_reason,
			);
	});
	each("fund_requests", (request) => {
		const { id, status, driver_id } = request;
		add(request.created_at, driver_id, ["request.submit", "fund-request", id], {
			type: request.type,
			amountCents: request.amount_cents,
			receiptId: request.receipt_id,
		});
		const verb = { approved: "request.approve", rejected: "request.reject" }[String(status)];
		if (verb)
			add(
				request.decided_at,
				request.decided_by,
				[verb, "fund-request", id],
				{
					status,
					...(status === "approved" ? { approvedAmountCents: request.approved_amount_cents } : {}),
					adminNotes: request.admin_notes,
				},
				{ status: "pending" },
			);
		if (request.withdrawn_at)
			add(
				request.withdrawn_at,
				driver_id,
				["request.withdraw", "fund-request", id],
				{ status },
				{ status: "pending" },
			);
	});
	each("payouts", (payout) => {
		const { id } = payout;
		add(payout.created_at, payout.created_by, ["payout.make", "payout", id], {
			amountCents: payout.total_cents,
			drivers: payout.driver_count,
			requests: Number(payout.request_count) - Number(payout.settlement_count),
			...(payout.settlement_count ? { settlements: payout.settlement_count } : {}),
		});
		const open = { status: "open" };
		const { paid_on: date, reference, total_cents: amountCents } = payout;
		if (payout.paid_at)
			add(
				payout.paid_at,
				payout.paid_by,
				["payout.pay", "payout", id],
				{ status: "paid", date, reference, amountCents },
				open,
			);
		if (payout.cancelled_at)
			add(
				payout.cancelled_at,
				payout.cancelled_by,
				["payout.cancel", "payout", id],
				{ status: "cancelled" },
				open,
			);
	});
	const cents = new Map<Cell | undefined, number>();
	each("uber_fees", (fee) => {
		const sum =
			(cents.get(fee.import_id) ?? 0) + Number(fee.amount_cents) * (fee.is_credit ? -1 : 1);
		cents.set(fee.import_id, sum);
		if (fee.import_id) return;
		add(fee.created_at, fee.added_by, ["fee.add", "uber-fee", fee.id], {
			driverId: fee.driver_id,
			category: fee.category,
			amountCents: fee.amount_cents,
			date: fee.charged_on,
			referenceNumber: fee.reference_number,
		});
	});
	each("fee_imports", (statement) =>
		add(statement.created_at, statement.added_by, ["fee.import", "fee-import", statement.id], {
			fileName: statement.file_name,
			rowCount: statement.row_count,
			amountCents: cents.get(statement.id) ?? 0,
			platform: statement.platform,
			from: statement.period_from,
			to: statement.period_to,
		}),
	);
	each("agreements", (agreement) =>
		add(agreement.created_at, agreement.created_by, ["agreement.make", "agreement", agreement.id], {
			from: agreement.starts_on,
			base: agreement.base,
			faresPercent: Number(agreement.fares_basis_points) / 100,
			tipsPercent: Number(agreement.tips_basis_points) / 100,
			promotionsPercent: Number(agreement.promotions_basis_points) / 100,
			tollsTo: agreement.tolls_to,
			weeklyRentCents: agreement.weekly_rent_cents,
			weeklyFeeCents: agreement.weekly_fee_cents,
			fleetPercent: Number(agreement.fleet_basis_points) / 100,
			perMileMills: agreement.per_mile_mills,
			...(agreement.tax_year_start ? { taxYearStart: agreement.tax_year_start } : {}),
		}),
	);
	each("charges", (charge) =>
		add(charge.created_at, charge.created_by, ["charge.add", "charge", charge.id], {
			kind: charge.kind,
			date: charge.charged_on,
			amountCents: charge.amount_cents,
			direction: charge.direction,
			instalments: charge.instalments,
			note: charge.note,
			...(charge.receipt_id ? { receiptId: charge.receipt_id } : {}),
		}),
	);
	each("settlements", (settlement) => {
		const { id, week_from: week, result_cents: amountCents } = settlement;
		add(settlement.created_at, settlement.created_by, ["settlement.draft", "settlement", id], {
			week,
		});
		add(
			settlement.published_at,
			settlement.published_by,
			["settlement.publish", "settlement", id],
			{ status: "published", week, amountCents },
			{ status: "draft" },
		);
	});
	for (const [about, column, ofDriver, ofAdmin] of [
		["request", "request_id", "answer", "ask"],
		["settlement", "settlement_id", "ask", "answer"],
	] as const)
		each(`${about}_messages`, (message) =>
			add(
				message.created_at,
				message.author_id,
				[
					`${about}.${message.author_role === "driver" ? ofDriver : ofAdmin}`,
					`${about}-message`,
					message.id,
				],
				{ [`${about}Id`]: message[column], text: message.text },
			),
		);
	return entries.sort((one, other) => Number(one.at) - Number(other.at));
}
