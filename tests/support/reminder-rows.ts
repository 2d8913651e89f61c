/** Requests and trips that drivers are reminded about. */
import { dateIn } from "../../app/values/calendar-date.ts";
import { type CastName, idOf, ZONE } from "./cast.ts";
import type { TestDatabase } from "./database.ts";
import { insertRow, type Row } from "./rows.ts";

/** @param loggedAt when trips are logged, unless given otherwise */
export function reminderRows(bench: TestDatabase, loggedAt: number) {
	let count = 0;
	const request = (owner: CastName, createdAt: number, more: Row = {}) => {
		count += 1;
		return insertRow(bench.rows, "fund_requests", {
			id: crypto.randomUUID(),
			number: count,
			driver_id: idOf(owner),
			type: "gas",
			amount_cents: 1200,
			description: "Fuel",
			status: "pending",
			source: "form",
			created_at: createdAt,
			requested_on: dateIn(ZONE, createdAt),
			payload_hash: "hash",
			...more,
		});
	};
	const trip = (owner: CastName, date: string, more: Row = {}) => {
		count += 1;
		return insertRow(bench.rows, "mileage_logs", {
			id: crypto.randomUUID(),
			driver_id: idOf(owner),
			driven_on: date,
			start_miles: 500_000 + count * 100,
			end_miles: 500_000 + count * 100 + 40,
			source: "form",
			created_at: loggedAt,
			payload_hash: "hash",
			...more,
		});
	};
	return { request, trip };
}
