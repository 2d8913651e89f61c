/**
 * Makes the demo fleet look busy in the screenshots: five more drivers, twelve weeks of trips and
 * fuel, and a morning's pending requests. Everything is derived from the given moment.
 */
import { addDays, type CalendarDate, dateIn, startOfDay } from "../app/values/calendar-date.ts";
import { idOf, type Seed, ZONE } from "../tests/support/cast.ts";

/** Name, usual miles on a working day, and cents of fuel per mile. */
const DRIVERS: readonly (readonly [first: string, last: string, miles: number, cents: number])[] = [
	["Marcus", "Bell", 142, 61],
	["Priya", "Raman", 118, 74],
	["Sofia", "Alvarez", 131, 96],
	["Tom", "Whitaker", 97, 112],
	["Grace", "Osei", 164, 68],
];
type Row = Seed[number][1][number];
const WEEKS = 12;
const HOUR = 3_600_000;
const FIRST_NUMBER = 11;
/** The past working days on which each of them buys fuel. */
const FUEL_DAYS = [0, 1, 4, 5, 6];

const id = (kind: number, number: number) =>
	`5${kind}000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
/** A number from 0 to 1 that looks random and is the same in each run. */
const vary = (seed: number) => (Math.sin(seed * 12.9898) * 43_758.5453) % 1;

const WAITING = [
	[0, "gas", 4875, "Fill-up on the way to the depot"],
	[2, "maintenance", 21_400, "Two front tires"],
	[4, "other", 1850, "Airport parking, Tuesday run"],
	[1, "gas", 5210, "Fuel, early shift"],
] as const;

/** Rows to add to those of the demo fleet. */
export function pictureRows(now: number): Seed {
	const today = dateIn(ZONE, now);
	const isWorkday = (day: CalendarDate) =>
		![0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());
	const at = (day: CalendarDate, hours: number) => startOfDay(ZONE, day) + hours * HOUR;
	const users = DRIVERS.map(([first_name, last_name], driver) => ({
		id: id(0, driver),
		role: "driver",
		first_name,
		last_name,
		email: `${first_name.toLowerCase()}@milepost.test`,
		driver_number: FIRST_NUMBER + driver,
		approval_status: "approved",
		is_active: 1,
		created_at: now - 100 * 24 * HOUR,
		applied_at: now - 100 * 24 * HOUR,
		approved_at: now - 99 * 24 * HOUR,
	}));
	const logs: Row[] = [];
	const fees: Row[] = [];
	const requests: Row[] = [];
	const request = (driver: number, type: string, cents: number, text: string, moment: number) =>
		requests.push({
			id: id(2, requests.length),
			number: 1000 + requests.length,
			driver_id: id(0, driver),
			type,
			amount_cents: cents,
			description: text,
			status: "pending",
			source: "seed",
			created_at: moment,
			requested_on: dateIn(ZONE, moment),
			decided_at: null,
			decided_by: null,
			approved_amount_cents: null,
			payout_id: null,
			payload_hash: "seed",
		});
	for (const [driver, [, , usual, cents]] of DRIVERS.entries()) {
		let reading = 20_000 + driver * 9_431;
		let sinceFuel = 0;
		for (let ago = WEEKS * 7 - 1; ago >= 1; ago--) {
			const day = addDays(today, -ago);
			if (!isWorkday(day)) continue;
			const miles = Math.round(usual * (1 + vary(ago * 7 + driver) / 4));
			logs.push({
				id: id(1, logs.length),
				driver_id: id(0, driver),
				driven_on: day,
				start_miles: reading,
				end_miles: reading + miles,
				notes: null,
				source: "seed",
				created_at: at(day, 18),
				payload_hash: "seed",
			});
			reading += miles;
			sinceFuel += miles;
			if (ago % 7 === FUEL_DAYS[driver]) {
				const amount = Math.round(sinceFuel * cents * (1 + vary(ago) / 10));
				request(driver, "gas", amount, "Fuel for the week", at(day, 17));
				Object.assign(requests.at(-1) ?? {}, {
					status: "approved",
					decided_at: at(day, 20),
					decided_by: idOf("ada"),
					approved_amount_cents: amount,
				});
				sinceFuel = 0;
			}
			if (ago % 7 === 5 && driver % 2 === 0)
				fees.push({
					id: id(3, fees.length),
					driver_id: id(0, driver),
					category: "commission",
					amount_cents: 900 + Math.round(600 * Math.abs(vary(ago + driver))),
					charged_on: day,
					added_by: idOf("ada"),
					created_at: at(day, 19),
					payload_hash: "seed",
				});
		}
	}
	const paid = requests.filter(({ created_at }) => Number(created_at) < now - 7 * 24 * HOUR);
	for (const request of paid) request.payout_id = id(4, 0);
	const payout = {
		id: id(4, 0),
		number: 10,
		status: "paid",
		total_cents: paid.reduce((sum, { amount_cents }) => sum + Number(amount_cents), 0),
		driver_count: new Set(paid.map(({ driver_id }) => driver_id)).size,
		request_count: paid.length,
		created_at: now - 6 * 24 * HOUR,
		created_by: idOf("ada"),
		paid_on: addDays(today, -6),
		reference: "ACH 1203",
		paid_at: now - 6 * 24 * HOUR + HOUR,
		paid_by: idOf("ben"),
		payload_hash: "seed",
	};
	for (const [place, [driver, type, cents, text]] of WAITING.entries())
		request(driver, type, cents, text, now - (place + 1) * 1_500_000);
	return [
		["users", users],
		["mileage_logs", logs],
		["payouts", [payout]],
		["fund_requests", requests],
		[
			"payout_requests",
			paid.map(({ id: request_id, driver_id, amount_cents }) => ({
				payout_id: payout.id,
				request_id: request_id ?? null,
				driver_id: driver_id ?? null,
				amount_cents: amount_cents ?? null,
			})),
		],
		["uber_fees", fees],
	];
}
