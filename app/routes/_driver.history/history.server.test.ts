/**
 * Every line of every page of the history against the rows of its window, at the moments where a
 * date begins or ends, and on unusual days of the year.
 */
import { expect, it } from "vitest";
import { dayOf, describePeriod } from "../../../tests/support/fleet-days.ts";
import {
	daysBefore,
	type Line,
	lineOf,
	linesOf,
	MOMENTS,
	openMovingFleet,
	sorted,
	toQueryContext,
	unordered,
} from "../../../tests/support/moving-clock.ts";
import { parseSearch } from "../../domain/history/search.ts";
import type { DriverContext } from "../../domain/kernel/context.ts";
import { historyFrom, historyStatements, PAGE } from "./history.server.ts";

const bench = await openMovingFleet();
const { requests, logs } = await linesOf(bench, "dana");
const datesOf = (lines: readonly Line[]) => new Set(lines.map(({ date }) => date));
const edges = { requests: datesOf(requests), logs: datesOf(logs) };

const VIEWS = [7, 30, 90].flatMap((days, position) =>
	(["all", "mileage", "requests"] as const).map((type) => {
		const range = (["week", "month", "quarter"] as const)[position];
		// Without parameters, a URL shows the month of both.
		return {
			days,
			range,
			type,
			query: range === "month" && type === "all" ? "" : `?range=${range}&type=${type}`,
		};
	}),
);

/** The first statements of every view, with their values. */
function askedBy({ today, timeZone, ...driver }: DriverContext) {
	return VIEWS.map(({ query }) => {
		const view = parseSearch(new URLSearchParams(query), today, timeZone);
		const statements = historyStatements(toQueryContext({ ...driver, today, timeZone }), view);
		return Object.values(statements).map((statement) => statement.toSQL());
	});
}

/** Every page of a URL, following its links. */
async function pagesOf(query: string, driver: DriverContext) {
	const pages = [];
	for (let next: string | undefined = `/history${query}`; next !== undefined; ) {
		const view = parseSearch(
			new URL(next, "http://page").searchParams,
			driver.today,
			driver.timeZone,
		);
		const page = historyFrom(
			await driver.db.batch(historyStatements(toQueryContext(driver), view)),
			view,
			driver,
		);
		pages.push(page);
		next = page.pages.next;
	}
	return pages;
}

/** The statements at another moment of a date, at which every page has been read. */
const readOn = new Map<string, ReturnType<typeof askedBy>>();

it.each(MOMENTS)("%s", async (_, now) => {
	const today = dayOf(now);
	const driver = await bench.driver("dana", now);
	const asked = askedBy(driver);
	// Statements that are identical to those of that moment have its results.
	if (readOn.has(today)) return expect(asked).toEqual(readOn.get(today));
	for (const { days, range, type, query } of VIEWS) {
		const from = daysBefore(today, days - 1);
		for (const beside of [daysBefore(from, 1), from, today, daysBefore(today, -1)]) {
			expect(edges.requests, beside).toContain(beside);
			expect(edges.logs, beside).toContain(beside);
		}
		const lines = [...(type === "mileage" ? [] : requests), ...(type === "requests" ? [] : logs)];
		const expected = sorted(lines.filter(({ date }) => date >= from && date <= today)).map(
			unordered,
		);
		const pages = await pagesOf(query, driver);
		expect(pages[0]).toMatchObject({
			range,
			type,
			window: describePeriod(from, today),
			pages: { first: undefined, previous: undefined },
		});
		expect(pages.flatMap(({ items }) => items).map(lineOf), `${range}, ${type}`).toEqual(expected);
		for (const { items } of pages.slice(0, -1)) expect(items).toHaveLength(PAGE);
		expect(pages).toHaveLength(Math.ceil(expected.length / PAGE));
	}
	readOn.set(today, asked);
});
