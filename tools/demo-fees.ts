/**
 * The demo fleet's fees, entered by hand and imported with the money of Uber's statements of three
 * weeks, and who its drivers are to Uber.
 */
import { MONEY_KINDS, type MoneyCents, NO_MONEY } from "../app/domain/statements/money.ts";
import { addDays, type CalendarDate } from "../app/values/calendar-date.ts";
import { idOf, platformDriverRows } from "../tests/support/cast.ts";
import {
	type Clock,
	DAY,
	DRIVERS,
	demoId,
	NEW,
	type Row,
	uberId,
	vary,
	WEEKS,
	weekAgo,
} from "./demo-cast.ts";
import { SAMPLE_FROM } from "./demo-statement.ts";

/** Weeks with a statement, counted back from the last one; before them fees were typed. */
const STATEMENTS = [3, 2, 1] as const;

type Fees = {
	readonly imports: Row[];
	readonly fees: Row[];
	/** What the imports recorded for each fee and each driver's money. */
	readonly lines: Row[];
	readonly money: Row[];
	readonly platformDrivers: Row[];
};

/** A week of one driver at Uber, which always adds up. */
function weekOf(number: number, ago: number): MoneyCents {
	const { firstName, usual } = DRIVERS[number] ?? { firstName: "", usual: 0 };
	// Tom drove little, and was paid in cash for most of it.
	const isSlow = firstName === "Tom" && ago === 2;
	const fare = Math.round(usual * (isSlow ? 220 : 800 + 120 * vary(number * 3 + ago)));
	return {
		...NO_MONEY,
		fare,
		tip: Math.round(fare * (0.04 + 0.04 * vary(number + ago))),
		promotion: (number + ago) % 3 === 0 ? 2500 : 0,
		toll: (number + ago) % 4 === 1 ? 1080 : 0,
		cash: isSlow ? -19_440 : firstName === "Priya" ? -4200 : 0,
		transfer: firstName === "Sofia" && ago === 3 ? -10_000 : 0,
	};
}

/** The platform's part of a fare, by category. */
function feesOf(fare: number, number: number, ago: number): readonly (readonly [string, number])[] {
	const isRefunded = DRIVERS[number]?.firstName === "Tom" && ago === 1;
	return [
		["service_fee", Math.round(fare * (0.2 + 0.04 * vary(number + 3)))],
		["booking_fee", Math.round(fare * 0.03)],
		...(isRefunded ? ([["other", -620]] as const) : []),
	];
}

/** Who is in a week's statement: the cast's last one is left for the demo's user to import. */
function driversIn(from: CalendarDate, ago: number): readonly number[] {
	const isCastMissing = ago === 1 || from === SAMPLE_FROM;
	return DRIVERS.map((_, number) => number).filter((number) => !isCastMissing || number >= 3);
}

export function demoFees(clock: Clock): Fees {
	const { today, at, now } = clock;
	const [imports, fees, lines, money]: [Row[], Row[], Row[], Row[]] = [[], [], [], []];
	const fee = (driver: Row, day: CalendarDate, cents: number, more: Row) =>
		fees.push({
			id: demoId(3, fees.length),
			...driver,
			amount_cents: Math.abs(cents),
			charged_on: day,
			reference_number: null,
			import_id: null,
			is_credit: cents < 0 ? 1 : 0,
			added_by: idOf("ada"),
			created_at: Math.min(now, at(day, 42)),
			payload_hash: "seed",
			...more,
		});
	for (let week = WEEKS - 1; week > STATEMENTS.length; week--)
		for (const [number, { id }] of DRIVERS.entries())
			if (number % 2 === week % 2)
				fee(
					{ driver_id: id, category: number % 3 === 0 ? "service_fee" : "commission" },
					addDays(today, -week * 7 - 1 - (number % 5)),
					900 + Math.round(600 * vary(week + number)),
					{
						reference_number: `UB-${today.slice(0, 4)}-${String(fees.length + 1).padStart(3, "0")}`,
					},
				);
	for (const [place, ago] of STATEMENTS.entries()) {
		const { from, to } = weekAgo(clock, ago);
		const created_at = Math.min(now, at(to, 33));
		const source = { import_id: demoId(4, 9 + place), is_live: 1 };
		const first = lines.length;
		for (const [row, number] of driversIn(from, ago).entries()) {
			const driver = { driver_id: DRIVERS[number]?.id ?? null };
			const week = weekOf(number, ago);
			const taken = feesOf(week.fare, number, ago);
			for (const [category, cents] of taken) {
				fee({ ...driver, category }, to, cents, { import_id: source.import_id, created_at });
				lines.push({
					...source,
					line_key: `uber:${uberId(number)}:${category}:${from}:${to}`,
					cents,
					fee_id: demoId(3, fees.length - 1),
				});
			}
			const cents = { ...week, fee: -taken.reduce((sum, [, each]) => sum + each, 0) };
			money.push({
				...source,
				row_key: `uber:${uberId(number)}:${from}:${to}`,
				...driver,
				platform: "uber",
				format: "uber-payments-driver",
				row_number: row + 2,
				counts_from: from,
				counts_to: to,
				proof: "proven",
				...Object.fromEntries(MONEY_KINDS.map((kind) => [`${kind}_cents`, cents[kind]])),
			});
		}
		imports.push({
			id: source.import_id,
			added_by: idOf("ada"),
			file_name: `${nameOf(from)}-${nameOf(to)}-payments_driver-Milepost_Demo.csv`,
			row_count: lines.length - first,
			created_at,
			payload_hash: "seed",
			format: "uber-payments-driver",
			platform: "uber",
			period_from: from,
			period_to: to,
		});
	}
	return { imports, fees, lines, money, platformDrivers: platformRows(clock) };
}

const nameOf = (day: CalendarDate) => day.replaceAll("-", "");

const platformRows = ({ now }: Clock): Row[] => [
	...platformDriverRows(now),
	...NEW.map(({ id, firstName, lastName }, number) => ({
		id: demoId(5, number),
		driver_id: id,
		platform: "uber",
		platform_id: uberId(DRIVERS.length - NEW.length + number),
		name: `${firstName} ${lastName}`,
		added_by: idOf("ada"),
		created_at: now - 30 * DAY,
	})),
];
