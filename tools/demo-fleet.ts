/**
 * The demo fleet, which `npm start` seeds and the pictures show: eight drivers with twelve weeks of
 * trips and fuel, payouts in every state, statements with their fees and money, two settled weeks
 * and one to settle, and something of each kind that administrators decide on. Everything is
 * derived from the given moment.
 */
import { dateIn, startOfDay } from "../app/values/calendar-date.ts";
import { idOf, LOCAL_ISSUER, type Seed, seedOf, ZONE } from "../tests/support/cast.ts";
import { auditRows } from "./demo-audit.ts";
import { type Clock, DAY, DRIVERS, HOUR, NEW, type Row, WEEKS } from "./demo-cast.ts";
import { demoFees } from "./demo-fees.ts";
import { demoReceipts, type StoredFile } from "./demo-receipts.ts";
import { demoRequests } from "./demo-requests.ts";
import { demoQuestions, demoSettlements } from "./demo-settlements.ts";
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

/** The fleet's rows, and the files of its receipts. */
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
	const agreements = agreementRows(clock);
	const charges = chargeRows(clock, receipts.use);
	const { imports, fees, lines, money, platformDrivers } = demoFees(clock);
	const settled = demoSettlements(clock, { agreements, charges, money, trips });
	const paid = demoRequests(clock, trips, settled.settlements, receipts.use);
	const rows: Seed = [
		["users", users],
		["identities", [...(cast.get("identities") ?? []), ...identityRows(clock)]],
		["sessions", sessionRows(clock)],
		["mileage_logs", trips],
		["receipts", receipts.rows()],
		["payouts", paid.payouts],
		["fund_requests", paid.requests],
		["request_messages", paid.messages],
		["payout_requests", paid.paidRequests],
		["fee_imports", imports],
		["uber_fees", fees],
		["statement_lines", lines],
		["statement_money", money],
		["platform_drivers", platformDrivers],
		["agreements", agreements],
		["charges", charges],
		["settlements", settled.settlements],
		["settlement_lines", settled.lines],
		["settlement_messages", demoQuestions(clock, settled.settlements)],
		["payout_settlements", paid.paidSettlements],
	];
	return { rows: [...rows, ["audit_events", auditRows(new Map(rows))]], files };
}
