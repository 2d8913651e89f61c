/** Twelve weeks of the demo fleet's trips, with every flag that a trip can have. */
import { addDays, type CalendarDate } from "../app/values/calendar-date.ts";
import { idOf } from "../tests/support/cast.ts";
import {
	type Clock,
	DAY,
	type DemoDriver,
	DRIVERS,
	demoId,
	type Row,
	vary,
	WEEKS,
} from "./demo-cast.ts";

type Trip = {
	readonly on: CalendarDate;
	readonly start: number;
	readonly end: number;
	readonly notes: string | null;
	readonly isVoided?: true;
};

/** The days, counted back from a driver's latest, that have something odd about them. */
const GAP = { driver: "Sofia", day: 9, miles: 58 };
const OVERLAP = { driver: "Tom", day: 6 };
const SWAPPED = { driver: "Łena", day: 12 };
const LONG = { driver: "Priya", day: 15, miles: 1_612 };
const VOIDED = { driver: "Marcus", day: 4 };
/** The purposes of some trips, in turn; most have none. */
const PURPOSES = ["Airport shuttle", null, "School run", null, null, "Hotel transfer", null];
/** A day that Dana hasn't logged. */
const MISSING = { driver: "Dana", day: 1 };

function tripsOf(driver: DemoDriver, number: number, clock: Clock): Trip[] {
	const is = ({ driver: name, day }: { driver: string; day: number }, other: number) =>
		name === driver.firstName && day === other;
	const trips: Trip[] = [];
	let end = driver.reading;
	let day = 0;
	// Backwards, so that the last reading is the driver's.
	for (let ago = 1; ago < WEEKS * 7; ago++) {
		const on = addDays(clock.today, -ago);
		if ([0, 6].includes(new Date(`${on}T12:00:00Z`).getUTCDay())) continue;
		day += 1;
		if (is(MISSING, day)) continue;
		const usual = Math.round(driver.usual * (1 + vary(ago * 7 + number) / 4));
		const miles = is(LONG, day) ? LONG.miles : usual;
		const start = end - miles;
		const notes = ago % 5 === 0 ? "Airport run" : null;
		if (is(OVERLAP, day)) {
			const half = Math.round(miles / 2);
			trips.push({ on, start: start + half - 14, end, notes: "Second shift" });
			trips.push({ on, start, end: start + half, notes });
		} else if (is(SWAPPED, day)) {
			// This day's readings belong to the day before, and vice versa.
			trips.push({ on, start: start - usual, end: start, notes });
			trips.push({ on: addDays(on, -1), start, end, notes });
			end = start - usual;
			ago += 1;
			continue;
		} else trips.push({ on, start, end, notes });
		if (is(VOIDED, day))
			trips.push({ on, start: start + 4, end: end + 9, notes: null, isVoided: true });
		end = is(GAP, day) ? start - GAP.miles : start;
	}
	return trips.sort((one, other) =>
		one.on < other.on ? -1 : one.on > other.on ? 1 : one.end - other.end,
	);
}

/** What app/domain/mileage/flags.server.ts says of trips logged in order, one by one. */
function flagsOf(trips: readonly Trip[], trip: Trip): Row {
	const live = trips.filter(({ isVoided }) => !isVoided);
	const place = live.indexOf(trip);
	if (place < 0) return { gap_miles: null, is_overlap: 0, is_out_of_order: 0, is_long: 0 };
	const [before, after] = [live[place - 1], live[place + 1]];
	const gap = before ? trip.start - before.end : 0;
	const isMisplaced = gap < 0 || (after !== undefined && trip.end > after.start);
	const isOverlap = live.some(
		(other) => other !== trip && other.start < trip.end && other.end > trip.start,
	);
	return {
		gap_miles: gap > 0 ? gap : null,
		is_overlap: isOverlap ? 1 : 0,
		is_out_of_order: isMisplaced ? 1 : 0,
		is_long: trip.end - trip.start > 1500 ? 1 : 0,
	};
}

export function demoTrips(clock: Clock): Row[] {
	const rows: Row[] = [];
	for (const [number, driver] of DRIVERS.entries()) {
		const trips = tripsOf(driver, number, clock);
		for (const trip of trips) {
			const created_at = clock.at(trip.on, 18) + (trip.end % 60) * 60_000 + rows.length;
			const voided_at = trip.isVoided ? Math.min(clock.now, created_at + DAY) : null;
			rows.push({
				id: demoId(1, rows.length),
				driver_id: driver.id,
				driven_on: trip.on,
				start_miles: trip.start,
				end_miles: trip.end,
				notes: trip.notes,
				purpose: PURPOSES[rows.length % PURPOSES.length] ?? null,
				personal_miles: rows.length % 11 === 0 ? 8 : null,
				source: "seed",
				created_at: Math.min(clock.now, created_at),
				...flagsOf(trips, trip),
				voided_at,
				voided_by: voided_at === null ? null : idOf("ada"),
				void_reason: voided_at === null ? null : "Logged twice",
				payload_hash: "seed",
			});
		}
	}
	return rows;
}
