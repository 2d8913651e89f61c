/**
 * What Mileage Reports & Analytics must show, calculated from database rows without any of the
 * application's code.
 */
import { dayOf, daysAgo } from "./fleet-days.ts";

type Sql = <Row>(query: string, ...values: unknown[]) => Promise<Row[]>;

/** `$1,234.50` */
export const money = (cents: number) =>
	(cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

/** The first day of a window, calculated without the application's own dates. */
export function firstDayOf(range: string): string {
	if (range === "week") return daysAgo(6);
	const [year = 0, month = 0, day = 0] = daysAgo(0).split("-").map(Number);
	const back = month - 1 - (range === "quarter" ? 3 : 1);
	const lastDay = new Date(Date.UTC(year, back + 1, 0)).getUTCDate();
	return new Date(Date.UTC(year, back, Math.min(day, lastDay) + 1)).toISOString().slice(0, 10);
}

type Person = {
	id: string;
	first_name: string;
	last_name: string;
	driver_number: number | null;
	is_active: number;
};
/** The rows that the table must show, calculated from all rows in the database. */
export async function expectedRows(
	sql: Sql,
	from: string,
	to: string,
	driver?: string,
): Promise<string[][]> {
	const people = await sql<Person>(
		"select * from users where role = 'driver' and approval_status = 'approved' and deleted_at is null",
	);
	const logs = await sql<{
		driver_id: string;
		driven_on: string;
		start_miles: number;
		end_miles: number;
	}>("select * from mileage_logs where voided_at is null");
	const fuel = await sql<{ driver_id: string; created_at: number; amount_cents: number }>(
		"select * from fund_requests where status = 'approved' and type = 'gas'",
	);
	const isIn = (day: string) => day >= from && day <= to;
	return people
		.filter(({ id }) => driver === undefined || id === driver)
		.map((person) => {
			const miles = logs
				.filter((log) => log.driver_id === person.id && isIn(log.driven_on))
				.reduce((sum, log) => sum + log.end_miles - log.start_miles, 0);
			const cents = fuel
				.filter((request) => request.driver_id === person.id && isIn(dayOf(request.created_at)))
				.reduce((sum, request) => sum + request.amount_cents, 0);
			return { ...person, miles, cents };
		})
		.filter(
			(person) => driver !== undefined || person.is_active === 1 || person.miles + person.cents > 0,
		)
		.sort(
			(a, b) =>
				b.miles - a.miles ||
				b.cents - a.cents ||
				(a.last_name < b.last_name
					? -1
					: a.last_name > b.last_name
						? 1
						: a.first_name < b.first_name
							? -1
							: 1),
		)
		.map(({ first_name, last_name, driver_number, is_active, miles, cents }) => {
			const perMile =
				miles === 0 ? 0 : Number((BigInt(cents) * 2n + BigInt(miles)) / (2n * BigInt(miles)));
			return [
				`${first_name} ${last_name}${is_active ? "" : "|inactive"}`,
				driver_number === null ? "N/A" : `DRV-${String(driver_number).padStart(4, "0")}`,
				miles.toLocaleString("en-US"),
				money(cents),
				money(perMile),
				miles === 0
					? "No miles"
					: perMile < 85
						? "Excellent"
						: perMile < 100
							? "Good"
							: "Needs Improvement",
			];
		});
}
const numberIn = (text = "") => Number(text.replace(/[$,]/g, ""));
/** The cards and the counts by tier for all drivers together. */
export function expectedCards(rows: readonly string[][]) {
	const miles = rows.reduce((sum, row) => sum + numberIn(row[2]), 0);
	const cents = rows.reduce((sum, row) => sum + Math.round(numberIn(row[3]) * 100), 0);
	const count = (tier: string) => {
		const found = rows.filter((row) => row[5] === tier).length;
		return `${found} ${found === 1 ? "driver" : "drivers"}`;
	};
	return {
		"Total Miles Driven": miles.toLocaleString("en-US"),
		"Total Fuel Expenses": money(cents),
		"Average Cost per Mile": money(miles === 0 ? 0 : Math.floor((2 * cents + miles) / (2 * miles))),
		Excellent: count("Excellent"),
		Good: count("Good"),
		"Needs Improvement": count("Needs Improvement"),
	};
}
