/**
 * What reports must contain, calculated from database rows without any of the application's
 * queries, rules or wording.
 */
import { dayOf } from "./fleet-days.ts";

type Sql = <Row>(query: string, ...values: unknown[]) => Promise<Row[]>;
type Raw = Record<string, string | number | null>;

/**
 * t text, d day, n whole number, c cents, s tenths of a percent, x a change in tenths of a percent.
 */
export type Kind = "t" | "d" | "n" | "c" | "s" | "x";
export type Value = string | number | null;
export type Expected = {
	readonly title: string;
	readonly kinds: readonly Kind[];
	readonly rows: readonly (readonly Value[])[];
};

type Entry = {
	driver: string;
	day: string;
	as: string;
	amount: number;
	number: string | null;
	description: string;
};
type Person = {
	id: string;
	code: string;
	name: string;
	active: number;
	last: string;
	first: string;
};
export type Books = { entries: Entry[]; people: Person[] };

/** Every row that counts, as stored. */
export async function booksOf(sql: Sql): Promise<Books> {
	const [trips, requests, fees, users] = [
		await sql<Raw>("select * from mileage_logs where voided_at is null"),
		await sql<Raw>("select * from fund_requests where status = 'approved'"),
		await sql<Raw>("select * from uber_fees where deleted_at is null"),
		await sql<Raw>(
			"select * from users where role = 'driver' and approval_status = 'approved' and deleted_at is null",
		),
	];
	const entry = (
		row: Raw,
		day: string,
		as: string,
		amount: number,
		number: string | null = "",
		description = "",
	): Entry => ({
		driver: String(row.driver_id),
		day,
		as,
		amount,
		number,
		description,
	});
	return {
		entries: [
			...trips.map((row) =>
				entry(row, String(row.driven_on), "miles", Number(row.end_miles) - Number(row.start_miles)),
			),
			...requests.map((row) =>
				entry(
					row,
					dayOf(Number(row.created_at)),
					String(row.type),
					Number(row.approved_amount_cents ?? row.amount_cents),
					`FR-${String(row.number).padStart(6, "0")}`,
					String(row.description),
				),
			),
			...fees.map((row) =>
				entry(
					row,
					String(row.charged_on),
					`uber ${row.category}`,
					Number(row.amount_cents),
					row.reference_number === null ? null : String(row.reference_number),
					String(row.description ?? ""),
				),
			),
		],
		people: users.map((row) => ({
			id: String(row.id),
			code:
				row.driver_number === null ? "N/A" : `DRV-${String(row.driver_number).padStart(4, "0")}`,
			name: `${row.first_name} ${row.last_name}`,
			active: Number(row.is_active),
			last: String(row.last_name),
			first: String(row.first_name),
		})),
	};
}

/** The date that many days later. */
export const plusDays = (day: string, days: number) =>
	new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const everyDay = (from: string, to: string) => {
	const days: string[] = [];
	for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day);
	return days;
};
const weekday = (day: string) =>
	new Date(day).toLocaleDateString("en-US", { timeZone: "UTC", weekday: "long" });
/** Rounds half up. */
const halfUp = (value: number) => Math.floor(value + 0.5);
const perMile = (cents: number, miles: number) => (miles === 0 ? 0 : halfUp(cents / miles));
const change = (now: number, before: number) =>
	before === 0 ? null : halfUp(((now - before) / before) * 1000);
const tier = (fuel: number, miles: number) => {
	if (miles === 0) return "No miles";
	const cost = perMile(fuel, miles);
	return cost < 85 ? "Excellent" : cost < 100 ? "Good" : "Needs Improvement";
};

type Pick = (entry: Entry) => boolean;
const during = (from: string, to: string) => (entry: Entry) => entry.day >= from && entry.day <= to;
const FEES = ["commission", "service_fee", "booking_fee", "other"];

class Sums {
	constructor(private readonly entries: readonly Entry[]) {}
	of(as: string | ((as: string) => boolean)): number {
		const is = typeof as === "string" ? (each: string) => each === as : as;
		return this.entries.filter((each) => is(each.as)).reduce((sum, { amount }) => sum + amount, 0);
	}
	count(is: (as: string) => boolean): number {
		return this.entries.filter((each) => is(each.as)).length;
	}
	get miles() {
		return this.of("miles");
	}
	get fuel() {
		return this.of("gas");
	}
	get fees() {
		return this.of((as) => as.startsWith("uber"));
	}
	get others() {
		return this.of("maintenance") + this.of("other");
	}
	get everything() {
		return this.fuel + this.fees + this.others;
	}
	/** Trips, miles, fuel, fees, both, other requests, cost per mile. */
	get line(): number[] {
		const trips = this.count((as) => as === "miles");
		return [
			trips,
			this.miles,
			this.fuel,
			this.fees,
			this.fuel + this.fees,
			this.others,
			perMile(this.fuel, this.miles),
		];
	}
}

const LINE: Kind[] = ["n", "n", "c", "c", "c", "c", "c"];
const isRequest = (as: string) => as === "gas" || as === "maintenance" || as === "other";

export function expectedSummary(
	{ entries }: Books,
	type: "weekly" | "monthly",
	[from, to]: [string, string],
	before: [string, string],
): Expected[] {
	const sums = (pick: Pick) => new Sums(entries.filter(pick));
	const [now, then] = [sums(during(from, to)), sums(during(...before))];
	const active = (pick: Pick) =>
		new Set(entries.filter((each) => each.as === "miles" && pick(each)).map(({ driver }) => driver))
			.size;
	const compare = (label: string, one: number, other: number): Value[] => [
		label,
		one,
		other,
		change(one, other),
	];
	const spending: Expected = {
		title: "Spending",
		kinds: ["t", "c", "c", "x"],
		rows: [
			compare("Fuel Expenses", now.fuel, then.fuel),
			compare("Uber Fees", now.fees, then.fees),
			compare("Total Spend", now.fuel + now.fees, then.fuel + then.fees),
			compare("Other Requests", now.others, then.others),
			compare("Cost per Mile", perMile(now.fuel, now.miles), perMile(then.fuel, then.miles)),
		],
	};
	const isFee = (as: string) => as.startsWith("uber");
	const activity: Expected = {
		title: "Activity",
		kinds: ["t", "n", "n", "x"],
		rows: [
			compare("Miles", now.miles, then.miles),
			compare("Trips", now.line[0] ?? 0, then.line[0] ?? 0),
			compare("Active Drivers", active(during(from, to)), active(during(...before))),
			compare("Approved Requests", now.count(isRequest), then.count(isRequest)),
			compare("Uber Fee Entries", now.count(isFee), then.count(isFee)),
		],
	};
	const days = everyDay(from, to);
	if (type === "weekly")
		return [
			spending,
			activity,
			{
				title: "By Day",
				kinds: ["d", "t", ...LINE],
				rows: [
					...days.map((day) => [day, weekday(day), ...sums((each) => each.day === day).line]),
					["Total", null, ...now.line],
				],
			},
		];
	const weeks: [string, string][] = [];
	for (const day of days) {
		if (weeks.length === 0 || weekday(day) === "Sunday") weeks.push([day, day]);
		else weeks[weeks.length - 1] = [weeks.at(-1)?.[0] ?? day, day];
	}
	return [
		spending,
		activity,
		{
			title: "By Week",
			kinds: ["d", "d", ...LINE],
			rows: [
				...weeks.map((week) => [...week, ...sums(during(...week)).line]),
				["Total", null, ...now.line],
			],
		},
	];
}

/** Sorted by name as SQLite sorts text, with inactive people last. */
const sortByName = (people: readonly Person[]) =>
	[...people].sort(
		(a, b) =>
			b.active - a.active ||
			Buffer.compare(Buffer.from(a.last), Buffer.from(b.last)) ||
			Buffer.compare(Buffer.from(a.first), Buffer.from(b.first)),
	);

const FORMER = "Former drivers";

export function expectedDrivers({ entries, people }: Books, from: string, to: string): Expected[] {
	const within = entries.filter(during(from, to));
	const of = (id: string) => new Sums(within.filter(({ driver }) => driver === id));
	const whole = new Sums(within);
	const all = sortByName(people).map((person) => ({ person, sums: of(person.id) }));
	const tiers = ["Excellent", "Good", "Needs Improvement", "No miles"];
	const former = within.filter(({ driver }) => !people.some(({ id }) => id === driver));
	const formerSums = new Sums(former);
	const daysOf = (own: readonly Entry[], code: string, name: string) =>
		everyDay(from, to).flatMap((day) => {
			const ofDay = own.filter((each) => each.day === day);
			return ofDay.length === 0 ? [] : [[code, name, day, ...new Sums(ofDay).line]];
		});
	return [
		{
			title: "Drivers",
			kinds: ["t", "t", "n", "c", "c", "c", "c", "t"],
			rows: [
				...all.map(({ person, sums }) => [
					person.code,
					person.name,
					sums.miles,
					sums.fuel,
					sums.fees,
					sums.others,
					perMile(sums.fuel, sums.miles),
					tier(sums.fuel, sums.miles),
				]),
				...(former.length === 0
					? []
					: [
							[
								"",
								FORMER,
								formerSums.miles,
								formerSums.fuel,
								formerSums.fees,
								formerSums.others,
								perMile(formerSums.fuel, formerSums.miles),
								"",
							],
						]),
				[
					"Total",
					null,
					whole.miles,
					whole.fuel,
					whole.fees,
					whole.others,
					perMile(whole.fuel, whole.miles),
					null,
				],
			],
		},
		{
			title: "Efficiency",
			kinds: ["t", "n"],
			rows: [
				...tiers.map((name) => [
					name,
					all.filter(({ sums }) => tier(sums.fuel, sums.miles) === name).length,
				]),
				["Total", all.length],
			],
		},
		{
			title: "By Driver and Day",
			kinds: ["t", "t", "d", ...LINE],
			rows: [
				...all.flatMap(({ person }) =>
					daysOf(
						within.filter(({ driver }) => driver === person.id),
						person.code,
						person.name,
					),
				),
				...daysOf(former, "", FORMER),
				["Total", null, null, ...whole.line],
			],
		},
	];
}

export function expectedExpenses(
	{ entries, people }: Books,
	[from, to]: [string, string],
	before: [string, string],
): Expected[] {
	const within = entries.filter(during(from, to));
	const [now, then] = [new Sums(within), new Sums(entries.filter(during(...before)))];
	const share = (part: number) =>
		now.everything === 0 ? null : halfUp((part / now.everything) * 1000);
	const lines: [string, string, string][] = [
		["Approved request", "Gas/Fuel", "gas"],
		["Approved request", "Vehicle Maintenance", "maintenance"],
		["Approved request", "Other", "other"],
		...FEES.map((fee): [string, string, string] => [
			"Uber fee",
			fee.replace("_", " ").replace(/^./, (letter) => letter.toUpperCase()),
			`uber ${fee}`,
		]),
	];
	const counted = now.count((as) => as !== "miles");
	const both = now.fuel + now.fees;
	const fuelTenths = both === 0 ? 0 : halfUp((now.fuel / both) * 1000);
	const feeTenths = both === 0 ? 0 : 1000 - fuelTenths;
	const spenders = sortByName(people)
		.map((person) => ({
			person,
			sums: new Sums(within.filter(({ driver }) => driver === person.id)),
		}))
		.filter(({ sums }) => sums.everything > 0)
		.sort((a, b) => b.sums.everything - a.sums.everything);
	const items = within.filter(({ as }) => as !== "miles").sort((a, b) => b.amount - a.amount);
	return [
		{
			title: "By Type and Category",
			kinds: ["t", "t", "n", "c", "s", "c", "x"],
			rows: [
				...lines.map(([kind, label, as]) => [
					kind,
					label,
					now.count((each) => each === as),
					now.of(as),
					share(now.of(as)),
					then.of(as),
					change(now.of(as), then.of(as)),
				]),
				[
					"Total",
					null,
					counted,
					now.everything,
					null,
					then.everything,
					change(now.everything, then.everything),
				],
			],
		},
		{
			title: "Fuel and Uber Fees",
			kinds: ["t", "c", "s", "s"],
			rows: [
				["Fuel", now.fuel, fuelTenths, 700],
				["Uber Fees", now.fees, feeTenths, 300],
				["Total Spend", now.fuel + now.fees, fuelTenths + feeTenths, 1000],
			],
		},
		{
			title: "By Driver",
			kinds: ["t", "t", "c", "c", "c", "c", "c", "s"],
			rows: [
				...spenders.map(({ person, sums }) => [
					person.code,
					person.name,
					sums.fuel,
					sums.of("maintenance"),
					sums.of("other"),
					sums.fees,
					sums.everything,
					share(sums.everything),
				]),
				[
					"Total",
					null,
					now.fuel,
					now.of("maintenance"),
					now.of("other"),
					now.fees,
					now.everything,
					null,
				],
			],
		},
		{
			title: "Largest Items",
			kinds: ["d", "t", "t", "t", "t", "t", "c"],
			rows: items.slice(0, 20).map((item) => {
				const person = people.find(({ id }) => id === item.driver);
				const what =
					{ gas: "Gas/Fuel", maintenance: "Vehicle Maintenance", other: "Other" }[item.as] ??
					`Uber ${item.as.slice(5).replace("_", " ")}`;
				return [
					item.day,
					what,
					item.number,
					person?.code ?? "",
					person?.name ?? "",
					item.description,
					item.amount,
				];
			}),
		},
	];
}
