/**
 * Every number of the mileage report against its rows, at the moments where a date begins or ends,
 * and on unusual days of the year.
 */
import { expect, it } from "vitest";
import { CAST, idOf } from "../../../tests/support/cast.ts";
import { dayOf, describeDate, describePeriod } from "../../../tests/support/fleet-days.ts";
import {
	codeOf,
	DRIVERS,
	daysBefore,
	fullName,
	grouped,
	MOMENTS,
	money,
	monthsBack,
	openMovingFleet,
	Sums,
	timeOf,
} from "../../../tests/support/moving-clock.ts";
import { parseSearch } from "../../domain/analytics/search.ts";
import { rankingOf, reportFrom, reportStatements } from "./report.server.ts";

type Name = (typeof DRIVERS)[number];
type Trip = Record<"id" | "driver_id" | "driven_on", string> &
	Record<
		"start_miles" | "end_miles" | "created_at" | "is_overlap" | "is_out_of_order" | "is_long",
		number
	> & {
		readonly gap_miles: number | null;
		readonly voided_at: number | null;
	};

const bench = await openMovingFleet();
const rows = await Sums.of(bench);
/** Latest date first. */
const trips = await bench.rows<Trip>(
	"select * from mileage_logs order by driven_on desc, end_miles desc, id desc",
);
const flagged = trips.filter(
	(trip) =>
		trip.voided_at === null &&
		(trip.gap_miles !== null || trip.is_overlap + trip.is_out_of_order + trip.is_long > 0),
);

/** What several URLs show at a moment, read at once. */
async function reportsAt(now: number, queries: readonly string[]) {
	const { db, ...admin } = await bench.admin("ada", now);
	const views = queries.map((query) => parseSearch(new URLSearchParams(query), admin.today));
	const answers = await db.batch(
		Object.fromEntries(
			views.flatMap((view, position) =>
				Object.entries(reportStatements(admin.today, view)).map(([name, statement]) => [
					`${position}.${name}`,
					statement,
				]),
			),
		),
	);
	const reports = views.map(async (view, position) => {
		const own = Object.fromEntries(
			["totals", "owners", "closed", "entries"].map((name) => [
				name,
				answers[`${position}.${name}`],
			]),
		);
		const found = own as Parameters<typeof reportFrom>[0];
		const ranking = await rankingOf({ ...admin, db }, found, {}, view);
		return reportFrom(found, ranking, view, { ...admin, db });
	});
	return Promise.all(reports);
}
type Report = Awaited<ReturnType<typeof reportsAt>>[number];

/** What each URL covers on a date. */
const windowsOn = (
	today: string,
): readonly (readonly [query: string, from: string, to: string])[] => [
	["range=week", daysBefore(today, 6), today],
	["", monthsBack(today, 1), today],
	["range=quarter", monthsBack(today, 3), today],
	[
		`range=custom&startDate=${daysBefore(today, 29)}&endDate=${daysBefore(today, 7)}`,
		daysBefore(today, 29),
		daysBefore(today, 7),
	],
	// Future dates count up to tomorrow, which a phone that is ahead may have logged.
	[
		`range=custom&startDate=${daysBefore(today, 6)}&endDate=${daysBefore(today, -9)}`,
		daysBefore(today, 6),
		daysBefore(today, -1),
	],
];

const tierOf = ({ miles, perMile }: Sums) => {
	if (miles === 0) return "No miles";
	if (perMile < 85) return "Excellent";
	return perMile < 100 ? "Good" : "Needs Improvement";
};

/** Who is in the table of a window, in order. */
function tableOf(window: Sums) {
	const lastName = (name: Name): string => CAST[name].lastName;
	return DRIVERS.map((name) => ({ name, own: window.by(name) }))
		.filter(({ name, own }) => name !== "ivan" || own.miles > 0 || own.fuel > 0)
		.sort(
			(one, other) =>
				other.own.miles - one.own.miles ||
				other.own.fuel - one.own.fuel ||
				(lastName(one.name) < lastName(other.name) ? -1 : 1),
		);
}

const entryOf = (trip: Trip) => ({
	id: trip.id,
	date: describeDate(trip.driven_on),
	start: grouped(trip.start_miles),
	end: grouped(trip.end_miles),
	miles: grouped(trip.end_miles - trip.start_miles),
	logged: `${describeDate(dayOf(trip.created_at))}, ${timeOf(trip.created_at)}`,
	flags: [
		...(trip.gap_miles === null ? [] : [`Gap of ${grouped(trip.gap_miles)} mi`]),
		...(trip.is_overlap === 1 ? ["Overlap"] : []),
		...(trip.is_out_of_order === 1 && trip.is_overlap === 0 ? ["Out of order"] : []),
		...(trip.is_long === 1 ? ["Long trip"] : []),
	],
});

const called = (name: Name) => `${fullName(name)} (${codeOf(name)})`;
const beyond = ({ miles, fuel }: Sums) => fuel - 85 * miles;
const over = (who: string, own: Sums) =>
	`${who} averages ${money(own.perMile)} per mile, ${money(own.perMile - 85)} over the $0.85 target: ${money(beyond(own))} in extra fuel over ${grouped(own.miles)} miles.`;

function recommendationsOf(window: Sums, owners: readonly string[]): string[] {
	const table = tableOf(window);
	const driving = table.filter(({ own }) => own.miles > 0);
	const costly = driving
		.filter(({ own }) => own.perMile > 85)
		.sort((one, other) => beyond(other.own) - beyond(one.own));
	// Only five people have rows: three are named, and two may be left.
	const [fourth, fifth] = costly.slice(3);
	const idle = table.filter(({ own }) => own.miles === 0 && own.fuel > 0);
	const [best] = driving
		.filter(({ own }) => own.fuel > 0)
		.sort((one, other) => one.own.perMile - other.own.perMile || other.own.miles - one.own.miles);
	const newest = owners.slice(0, 50);
	const counts = table
		.map(({ name }) => ({ name, count: newest.filter((owner) => owner === idOf(name)).length }))
		.filter(({ count }) => count > 0)
		.sort((one, other) => other.count - one.count);
	const others = counts.slice(3).reduce((sum, { count }) => sum + count, 0);
	const whose = [
		...counts.slice(0, 3).map(({ name, count }) => `${called(name)} ${count}`),
		...(others > 0 ? [`others ${others}`] : []),
	];
	const some = owners.length === 1 ? "1 entry is flagged" : `${owners.length} entries are flagged`;
	const many = owners.length > 50 ? "More than 50 entries are flagged. Among the latest 50" : some;
	return [
		...(window.perMile > 85 ? [over("The fleet", window)] : []),
		...costly.slice(0, 3).map(({ name, own }) => over(called(name), own)),
		...(fourth && !fifth ? [`1 more driver is over target by ${money(beyond(fourth.own))}.`] : []),
		...(fourth && fifth
			? [
					`2 more drivers are over target by ${money(beyond(fourth.own) + beyond(fifth.own))} in total.`,
				]
			: []),
		...idle.map(({ name, own }) => {
			const requests = own.count("gas");
			return `${called(name)} has ${money(own.fuel)} in approved fuel (${requests} ${requests === 1 ? "request" : "requests"}) but no miles logged.`;
		}),
		...(owners.length > 0
			? [`${many}: ${whose.join(", ")}. Check the readings under Flagged entries.`]
			: []),
		...(costly.length === 0 && window.perMile <= 85
			? ["All active drivers are within the target of $0.85 per mile."]
			: []),
		...(best && best.own.perMile <= 85
			? [
					`${called(best.name)} is the most efficient driver: ${money(best.own.perMile)} per mile over ${grouped(best.own.miles)} miles.`,
				]
			: []),
	];
}

const read = new Map<number, Promise<readonly Report[]>>();
/** A moment's reports for every window, and for one driver. */
function allReportsAt(now: number): Promise<readonly Report[]> {
	const queries = windowsOn(dayOf(now)).map(([query]) => query);
	const reports = read.get(now) ?? reportsAt(now, [...queries, `driver=${idOf("dana")}`]);
	read.set(now, reports);
	return reports;
}

it.each(MOMENTS)("%s", async (_, now) => {
	const windows = windowsOn(dayOf(now));
	const reports = await allReportsAt(now);
	for (const [position, [query, from, to]] of windows.entries()) {
		const report = reports[position] as Report;
		const window = rows.within(from, to);
		const table = tableOf(window);
		const alerts = flagged.filter(({ driven_on }) => driven_on >= from && driven_on <= to);
		const tiers = table.map(({ own }) => tierOf(own));
		const inTier = (tier: string) => tiers.filter((each) => each === tier).length;
		expect(report, query).toMatchObject({
			window: describePeriod(from, to),
			hasFigures: true,
			cards: {
				miles: grouped(window.miles),
				fuel: money(window.fuel),
				cost: money(window.perMile),
				target: "$0.85",
			},
			position: { from: 1, to: table.length, of: table.length },
			tiers: {
				Excellent: inTier("Excellent"),
				Good: inTier("Good"),
				"Needs Improvement": inTier("Needs Improvement"),
				none: inTier("No miles"),
			},
		});
		expect(
			report.rows.map(({ query: _query, tone: _tone, ...row }) => row),
			query,
		).toEqual(
			table.map(({ name, own }) => ({
				id: idOf(name),
				name: fullName(name),
				code: codeOf(name),
				isActive: name !== "ivan",
				miles: grouped(own.miles),
				fuel: money(own.fuel),
				cost: money(own.perMile),
				tier: tierOf(own),
			})),
		);
		expect(
			report.recommendations.map(({ text }) => text),
			query,
		).toEqual(
			recommendationsOf(
				window,
				alerts.map(({ driver_id }) => driver_id),
			),
		);
		expect(report.entries, query).toMatchObject(alerts.slice(0, 25).map(entryOf));
		expect(report.entryPages.next !== undefined, query).toBe(alerts.length > 25);
	}

	// A single driver, over the month.
	const [, [, from, to] = ["", "", ""]] = windows;
	const report = reports.at(-1) as Report;
	const own = rows.within(from, to).by("dana");
	expect(report).toMatchObject({
		window: describePeriod(from, to),
		cards: { miles: grouped(own.miles), fuel: money(own.fuel), cost: money(own.perMile) },
		rows: [
			{
				id: idOf("dana"),
				miles: grouped(own.miles),
				fuel: money(own.fuel),
				cost: money(own.perMile),
				tier: tierOf(own),
			},
		],
		whose: called("dana"),
	});
	const entries = trips
		.filter(
			({ driver_id, driven_on }) =>
				driver_id === idOf("dana") && driven_on >= from && driven_on <= to,
		)
		.sort((one, other) =>
			one.driven_on === other.driven_on ? other.end_miles - one.end_miles : 0,
		);
	expect(report.entries).toMatchObject(entries.slice(0, 25).map(entryOf));
	expect(report.entries).toHaveLength(25);
});

it("the sampled moments cover every tier and every kind of recommendation", async () => {
	const reports = (await Promise.all(MOMENTS.map(([, now]) => allReportsAt(now)))).flat();
	const tiers = new Set(reports.flatMap(({ rows }) => rows.map(({ tier }) => tier)));
	const kinds = new Set(
		reports.flatMap((report) => report.recommendations.map(({ kind }) => kind)),
	);
	expect([...tiers].sort()).toEqual(["Excellent", "Good", "Needs Improvement", "No miles"]);
	expect([...kinds].sort()).toEqual(["efficient", "fine", "flagged", "fuel", "over"]);
});
