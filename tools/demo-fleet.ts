/**
 * The demo fleet, which `npm start` seeds and the pictures show: eight drivers with twelve weeks of
 * trips and fuel, payouts in every state, a statement's fees, agreements and charges, and something of everything that an
 * administrator decides about. Everything is derived from the given moment.
 */
import { addDays, type CalendarDate, dateIn, startOfDay } from "../app/values/calendar-date.ts";
import {
	idOf,
	LOCAL_ISSUER,
	platformDriverRows,
	type Seed,
	seedOf,
	ZONE,
} from "../tests/support/cast.ts";
import { auditRows } from "./demo-audit.ts";
import { type Clock, DAY, DRIVERS, demoId, HOUR, NEW, type Row, vary, WEEKS } from "./demo-cast.ts";
import { demoReceipts, type StoredFile } from "./demo-receipts.ts";
import { demoRequests } from "./demo-requests.ts";
import { demoTrips } from "./demo-trips.ts";
import { agreementRows, chargeRows } from "./demo-week.ts";

const FIRST_NUMBER = 11;
const emailOf = (firstName: string) => `${firstName.toLowerCase()}@milepost.test`;

/** People with trips have been here for longer than twelve weeks, and were here yesterday. */
function peopleRows({ now }: Clock, people: readonly Row[]): Row[] {
	const since = now - (WEEKS * 7 + 16) * DAY;
	const joined = { created_at: since, applied_at: since + 120_000, approved_at: since + DAY };
	const [example = {}] = people;
	return [
		...people.map((row) => {
			const isAdmin = row.role === "admin";
			if (!isAdmin && !DRIVERS.some(({ id }) => id === row.id)) return row;
			return { ...row, ...joined, applied_at: isAdmin ? null : joined.applied_at };
		}),
		...NEW.map(({ id, firstName, lastName }, number) => ({
			...Object.fromEntries(Object.keys(example).map((column) => [column, null])),
			id,
			role: "driver",
			first_name: firstName,
			last_name: lastName,
			email: emailOf(firstName),
			driver_number: FIRST_NUMBER + number,
			approval_status: "approved",
			is_active: 1,
			...joined,
		})),
	];
}

const identityRows = ({ now }: Clock): Row[] =>
	NEW.map(({ id, firstName }) => ({
		issuer: LOCAL_ISSUER,
		subject: emailOf(firstName),
		user_id: id,
		// The sign-in screen lists the cast first.
		created_at: now - 30 * DAY,
	}));

/** Sessions that have ended, so that everyone has a last sign-in and nobody is signed in. */
function sessionRows({ now }: Clock): Row[] {
	const people = [...DRIVERS.map(({ id }) => id), idOf("ada"), idOf("ben")];
	return people.map((user_id, number) => {
		const created_at = now - 20 * HOUR - number * 17 * 60_000;
		return {
			token_hash: `${number}`.padStart(64, "0"),
			user_id,
			created_at,
			last_seen_at: created_at + HOUR / 2,
			expires_at: created_at + DAY,
			ends_at: created_at + 30 * DAY,
			ended_at: created_at + HOUR,
			ended_reason: "signed-out",
			device: user_id === idOf("ada") ? "Firefox on Windows" : "Chrome on Android",
		};
	});
}

/** Fees entered by hand, and those of last week's statement, with a refund. */
function feeRows({ today, at, now }: Clock): { imports: Row[]; fees: Row[]; lines: Row[] } {
	const fees: Row[] = [];
	const fee = (
		driver: string,
		category: string,
		cents: number,
		day: CalendarDate,
		more: Row = {},
	) =>
		fees.push({
			id: demoId(3, fees.length),
			driver_id: driver,
			category,
			amount_cents: cents,
			charged_on: day,
			reference_number: null,
			import_id: null,
			is_credit: 0,
			added_by: idOf("ada"),
			created_at: Math.min(now, at(day, 42)),
			payload_hash: "seed",
			...more,
		});
	for (let week = WEEKS - 1; week >= 2; week--)
		for (const [number, { id }] of DRIVERS.entries())
			if (number % 2 === week % 2)
				fee(
					id,
					number % 3 === 0 ? "service_fee" : "commission",
					900 + Math.round(600 * vary(week + number)),
					addDays(today, -week * 7 - 1 - (number % 5)),
					{
						reference_number: `UB-${today.slice(0, 4)}-${String(fees.length + 1).padStart(3, "0")}`,
					},
				);
	// Monday to Sunday of last week.
	const to = addDays(today, -(new Date(`${today}T12:00:00Z`).getUTCDay() || 7));
	const from = addDays(to, -6);
	const made = at(to, 33);
	const statement = {
		id: demoId(4, 9),
		added_by: idOf("ada"),
		file_name: `${from.replaceAll("-", "")}-${to.replaceAll("-", "")}-payments_driver-Milepost_Demo.csv`,
		row_count: 0,
		created_at: Math.min(now, made),
		payload_hash: "seed",
		format: "uber-payments-driver",
		platform: "uber",
		period_from: from,
		period_to: to,
	};
	const lines: Row[] = [];
	for (const [number, { id }] of NEW.entries())
		for (const [category, cents] of [
			["service_fee", 3100 + Math.round(2400 * vary(number + 3))],
			["booking_fee", 450 + Math.round(300 * vary(number + 8))],
			...(number === 3 ? ([["other", 620]] as const) : []),
		] as const) {
			const isCredit = category === "other" ? 1 : 0;
			const more = {
				import_id: statement.id,
				created_at: statement.created_at,
				is_credit: isCredit,
			};
			fee(id, category, cents, to, more);
			lines.push({
				import_id: statement.id,
				line_key: `uber:${platformId(number)}:${category}:${from}:${to}`,
				is_live: 1,
				cents: isCredit ? -cents : cents,
				fee_id: demoId(3, fees.length - 1),
			});
		}
	return { imports: [{ ...statement, row_count: lines.length }], fees, lines };
}

const platformId = (number: number) => `d3a0c1de-000${number + 4}-4c6e-9d10-5a8b7c6d0004`;
const platformRows = ({ now }: Clock): Row[] => [
	...platformDriverRows(now),
	...NEW.map(({ id, firstName, lastName }, number) => ({
		id: demoId(5, number),
		driver_id: id,
		platform: "uber",
		platform_id: platformId(number),
		name: `${firstName} ${lastName}`,
		added_by: idOf("ada"),
		created_at: now - 30 * DAY,
	})),
];

/** The fleet's rows, and the files that its receipts are. */
export function demoFleet(
	now: number,
	zone: string = ZONE,
): { readonly rows: Seed; readonly files: readonly StoredFile[] } {
	const clock: Clock = {
		now,
		zone,
		today: dateIn(zone, now),
		at: (day, hours) => startOfDay(zone, day) + hours * HOUR,
		dayOf: (moment) => dateIn(zone, moment),
	};
	const cast = new Map(seedOf(now, "everyone", zone));
	const users = peopleRows(clock, cast.get("users") ?? []);
	const trips = demoTrips(clock);
	const { files, ...receipts } = demoReceipts(clock);
	const money = demoRequests(clock, trips, receipts.use);
	const { imports, fees, lines } = feeRows(clock);
	const rows: Seed = [
		["users", users],
		["identities", [...(cast.get("identities") ?? []), ...identityRows(clock)]],
		["sessions", sessionRows(clock)],
		["mileage_logs", trips],
		["receipts", receipts.rows()],
		["payouts", money.payouts],
		["fund_requests", money.requests],
		["request_messages", money.messages],
		["payout_requests", money.paid],
		["fee_imports", imports],
		["uber_fees", fees],
		["statement_lines", lines],
		["platform_drivers", platformRows(clock)],
		["agreements", agreementRows(clock)],
		["charges", chargeRows(clock)],
	];
	return { rows: [...rows, ["audit_events", auditRows(new Map(rows))]], files };
}
