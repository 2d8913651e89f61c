/**
 * A driver's own figures on a phone: the dashboard with Recent Activity, and the history with its
 * filters, pages and export. Everything shown is compared with the rows, in plain arithmetic, with
 * and without JavaScript.
 */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { beforeAll, describe, expect, it } from "vitest";
import { type CastName, idOf } from "../support/cast.ts";
import { scripts } from "../support/extent.ts";
import { dayOf, daysAgo, describeDate, describePeriod, midnight } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { money } from "../support/moving-clock.ts";
import { insertRequest } from "../support/requests.ts";
import { openStage, signIn, turnPage } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
const HOUR = 3_600_000;

/** Rows next to the edges of every window, and enough others for three pages. */
beforeAll(async () => {
	for (const name of ["dana", "lena"] as const)
		await sql("delete from mileage_logs where driver_id = ?", idOf(name));
	const days = [
		0,
		1,
		2,
		5,
		6,
		7,
		8,
		20,
		28,
		29,
		30,
		31,
		...Array.from({ length: 45 }, (_, each) => 40 + each),
		88,
		89,
		90,
	];
	for (const day of days) await insertLog(sql, 200 - day, "dana", daysAgo(day), 40 + day);
	await insertLog(sql, 201, "dana", daysAgo(0), 1250);
	const voided = { voided_at: 1, void_reason: "The readings are another van's" };
	await insertLog(sql, 202, "dana", daysAgo(1), 600, { ...voided, voided_by: idOf("ada") });
	await insertLog(sql, 203, "dana", daysAgo(4), 700, { ...voided, voided_by: idOf("dana") });
	const requests = [
		[midnight(daysAgo(0)), "gas", "pending", 41_20],
		[midnight(daysAgo(1)) + 9 * HOUR, "maintenance", "approved", 1_234_50],
		[midnight(daysAgo(3)) + 8 * HOUR, "other", "rejected", 12_00],
		[midnight(daysAgo(6)), "gas", "withdrawn", 33_00],
		[midnight(daysAgo(29)), "gas", "approved", 60_05],
		[midnight(daysAgo(29)) - 1, "gas", "approved", 99_99],
		[midnight(daysAgo(45)) + 7 * HOUR, "other", "pending", 7_00],
		[midnight(daysAgo(89)), "maintenance", "approved", 250_00],
		[midnight(daysAgo(89)) - 1, "gas", "pending", 18_00],
	] as const;
	for (const [position, [created_at, type, status, amount_cents]] of requests.entries()) {
		const isDecided = status === "approved" || status === "rejected";
		await insertRequest(sql, position + 1, "dana", {
			created_at,
			type,
			status,
			amount_cents,
			decided_at: isDecided ? created_at + 1 : null,
			decided_by: isDecided ? idOf("ada") : null,
			withdrawn_at: status === "withdrawn" ? created_at + 1 : null,
		});
	}
	await insertRequest(sql, 50, "omar", {
		created_at: midnight(daysAgo(40)),
		amount_cents: 5_000_00,
	});
});

type LogRow = {
	driven_on: string;
	end_miles: number;
	miles: number;
	driver_id: string;
	voided_by: string | null;
	void_reason: string;
};
type RequestRow = { created_at: number; type: string; amount_cents: number; status: string };
type Line = {
	day: string;
	kind: "request" | "log";
	at: number;
	cells: string[];
	csv: string[];
	recent: string[];
};

const rowsOf = async (name: CastName) => ({
	logs: await stage.fleet.sql<LogRow>("select * from mileage_logs where driver_id = ?", idOf(name)),
	requests: await stage.fleet.sql<RequestRow>(
		"select * from fund_requests where driver_id = ?",
		idOf(name),
	),
});
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const grouped = (number: number) => number.toLocaleString("en-US");
const since = (days: number) => daysAgo(days - 1);

/** Newest date first; on the same date, requests before trips, and higher readings first. */
const order = (one: Line, other: Line) =>
	other.day.localeCompare(one.day) || other.kind.localeCompare(one.kind) || other.at - one.at;

/** A driver's trips and requests as the screens show them. */
async function linesOf(name: CastName): Promise<Line[]> {
	const { logs, requests } = await rowsOf(name);
	const trips = logs.map((row): Line => {
		const [day, kind] = [row.driven_on, "log" as const];
		const status = row.voided_by === null ? "Logged" : "Voided";
		const reason =
			row.voided_by && row.voided_by !== row.driver_id
				? `Administrator's reason: ${row.void_reason}`
				: "";
		const what = ["Mileage Log", "Daily route logging"];
		return {
			day,
			kind,
			at: row.end_miles,
			cells: [describeDate(day), ...what, `${grouped(row.miles)} miles`, status + reason],
			csv: [day, ...what, String(row.miles), status, ""],
			recent: ["Mileage logged", `${grouped(row.miles)} miles logged`, describeDate(day), status],
		};
	});
	const asked = requests.map((row): Line => {
		const [day, kind] = [dayOf(row.created_at), "request" as const];
		const status = row.status.replace(/^./, (first) => first.toUpperCase());
		const [what, dollars] = [["Fund Request", `${row.type} request`], money(row.amount_cents)];
		const asked = (row.amount_cents / 100).toFixed(2);
		return {
			day,
			kind,
			at: row.created_at,
			cells: [describeDate(day), ...what, dollars, status],
			csv: [day, ...what, asked, status, asked],
			recent: [
				`Fund request ${row.status}`,
				`${dollars} for ${row.type} request`,
				describeDate(day),
				status,
			],
		};
	});
	return [...trips, ...asked].sort(order);
}

/** The dashboard's figures, calculated from the rows. */
async function figuresOf(name: CastName): Promise<string[][]> {
	const { logs, requests } = await rowsOf(name);
	const miles = sum(
		logs
			.filter((row) => row.voided_by === null && row.driven_on >= since(7))
			.map((row) => row.miles),
	);
	const approved = requests.filter(
		(row) => row.status === "approved" && dayOf(row.created_at) >= since(30),
	);
	const cents = sum(approved.map((row) => row.amount_cents));
	const window = (days: number) =>
		[since(days), daysAgo(0)].map((day) => describeDate(day).replace(/, \d+$/, "")).join(" – ");
	return [
		["This Week", `${grouped(miles)} mi`, window(7)],
		[
			"Pending Requests",
			String(requests.filter(({ status }) => status === "pending").length),
			"Awaiting a decision",
		],
		["This Month", money(cents), `Approved, ${window(30)}`],
		[
			"Avg per Mile",
			money(miles === 0 ? 0 : Math.round(cents / miles)),
			"Approved $ (30 days) ÷ miles (7 days)",
		],
	];
}

async function recentOf(name: CastName): Promise<string[][]> {
	const lines = await linesOf(name);
	const newest = (kind: Line["kind"], count: number) =>
		lines.filter((line) => line.kind === kind).slice(0, count);
	return [...newest("request", 3), ...newest("log", 2)].sort(order).map(({ recent }) => recent);
}

const figuresOn = (page: Page) =>
	page
		.locator("main dl > div")
		.evaluateAll((cards) =>
			cards.map((card) =>
				[...card.querySelectorAll("dt, dd span")].map(({ textContent }) => textContent ?? ""),
			),
		);
const recentOn = (page: Page) =>
	page
		.getByRole("region", { name: "Recent Activity" })
		.locator("li")
		.evaluateAll((items) =>
			items.map((item) =>
				[...item.querySelectorAll("h3, p, span:not(:has(span))")].map(
					({ textContent }) => textContent ?? "",
				),
			),
		);
const linesOn = (page: Page) =>
	page
		.locator("tbody tr")
		.evaluateAll((rows) =>
			rows.map((row) =>
				[...row.querySelectorAll("th, td")].map(({ textContent }) => textContent ?? ""),
			),
		);

async function go(page: Page, place: string, heading: string): Promise<void> {
	await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: place }).click();
	await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
	await page.waitForLoadState();
}

async function changeDriver(page: Page, email: string): Promise<void> {
	await page.getByRole("button", { name: "Sign Out" }).click();
	await page.getByText("Secure access for drivers and fleet administrators").waitFor();
	await signIn(page, email);
}

const RANGES = [
	["week", "This Week", 7],
	["month", "This Month", 30],
	["quarter", "This Quarter", 90],
] as const;
const TYPES = [
	["all", "All Activity", ["log", "request"]],
	["mileage", "Mileage Logs", ["log"]],
	["requests", "Fund Requests", ["request"]],
] as const;

async function ask(
	page: Page,
	range: (typeof RANGES)[number],
	type: (typeof TYPES)[number],
): Promise<void> {
	await page.getByLabel("Date Range").selectOption({ label: range[1] });
	await page.getByLabel("Type", { exact: true }).selectOption({ label: type[1] });
	await page.getByRole("button", { name: "Apply", exact: true }).click();
	await page.waitForURL(`${stage.fleet.origin}/history?range=${range[0]}&type=${type[0]}`);
	// The chosen filters stay selected and show their dates.
	await expect.poll(() => page.getByLabel("Date Range").inputValue()).toBe(range[0]);
	await expect.poll(() => page.getByLabel("Type", { exact: true }).inputValue()).toBe(type[0]);
	await page.getByText(describePeriod(since(range[2]), daysAgo(0)), { exact: true }).waitFor();
}

async function exportOf(page: Page): Promise<string> {
	const [download] = await Promise.all([
		page.waitForEvent("download"),
		page.getByRole("link", { name: "Export CSV" }).click(),
	]);
	expect(download.suggestedFilename()).toBe(`history-${daysAgo(0)}.csv`);
	return readFile(await download.path(), "utf8");
}
const fileOf = (lines: readonly Line[]) =>
	`\ufeff${["Date,Type,Description,Amount/Miles,Status,Asked,Purpose,Personal Miles,Spent On", ...lines.map(({ csv }) => `${csv.join(",")},,,`)].map((line) => `${line}\r\n`).join("")}`;

describe.each(scripts("with JavaScript"))("%s", (_, javaScript) => {
	it("adds up the dashboard, counts entries made from it, and says when there is nothing", async () => {
		const page = await stage.visit({ javaScript });
		await signIn(page, "dana@milepost.test");
		await page.getByRole("heading", { name: "Driver Dashboard", level: 1 }).waitFor();
		const before = await figuresOn(page);
		expect(before).toEqual(await figuresOf("dana"));
		expect(await recentOn(page)).toEqual(await recentOf("dana"));

		await page.getByRole("main").getByRole("link", { name: "Log Daily Mileage" }).click();
		const start = Number(await page.getByLabel("Starting Odometer").inputValue());
		await page.getByLabel("Ending Odometer").fill(String(start + 41));
		await page.getByRole("button", { name: "Log Mileage" }).click();
		await page.getByText("Mileage log created successfully").waitFor();
		await go(page, "Dashboard", "Driver Dashboard");
		await page.getByRole("main").getByRole("link", { name: "Submit New Fund Request" }).click();
		await page.getByLabel("Request Type").selectOption({ label: "Gas/Fuel" });
		await page.getByLabel("Amount").fill("45,50");
		await page.getByLabel("Description").fill(javaScript ? "With a script" : "Plain");
		await page.getByRole("button", { name: "Submit Request" }).click();
		await page.getByText("Fund request submitted successfully").waitFor();
		await go(page, "Dashboard", "Driver Dashboard");
		const after = await figuresOn(page);
		expect(after).toEqual(await figuresOf("dana"));
		const [was, is] = [before, after].map((figures) =>
			figures.map(([, figure = ""]) => Number(figure.replace(/[^\d.]/g, ""))),
		);
		expect([(is?.[0] ?? 0) - (was?.[0] ?? 0), (is?.[1] ?? 0) - (was?.[1] ?? 0), is?.[2]]).toEqual([
			41,
			1,
			was?.[2],
		]);
		const recent = await recentOn(page);
		expect(recent).toEqual(await recentOf("dana"));
		expect(recent).toContainEqual([
			"Fund request pending",
			"$45.50 for gas request",
			describeDate(daysAgo(0)),
			"Pending",
		]);
		expect(recent).toContainEqual([
			"Mileage logged",
			"41 miles logged",
			describeDate(daysAgo(0)),
			"Logged",
		]);

		await changeDriver(page, "lena@milepost.test");
		await page.getByText("No recent activity", { exact: true }).waitFor();
		expect(await recentOn(page)).toEqual([]);
		const nothing = await figuresOn(page);
		expect(nothing).toEqual(await figuresOf("lena"));
		expect(nothing.map(([, figure]) => figure)).toEqual(["0 mi", "0", "$0.00", "$0.00"]);
		await page
			.getByRole("region", { name: "Recent Activity" })
			.getByRole("link", { name: "View all activity" })
			.click();
		await page.getByText("No activity found for the selected filters", { exact: true }).waitFor();
	});

	it("filters the history, pages through it and exports all of it", async () => {
		const page = await stage.visit({ javaScript });
		await signIn(page, "dana@milepost.test");
		await go(page, "History", "History & Reports");
		await expect.poll(() => page.getByLabel("Date Range").inputValue()).toBe("month");
		await expect.poll(() => page.getByLabel("Type", { exact: true }).inputValue()).toBe("all");
		await expect
			.poll(() => page.getByRole("button", { name: "Filter Applied" }).isDisabled())
			.toBe(true);
		if (javaScript)
			for (const [choice, shown] of [
				["quarter", 0],
				["month", 1],
			] as const) {
				await page.getByLabel("Date Range").selectOption(choice);
				expect(await page.getByRole("button", { name: "Filter Applied" }).count()).toBe(shown);
			}
		const lines = await linesOf("dana");
		const turned: number[] = [];
		for (const range of RANGES)
			for (const type of TYPES) {
				await ask(page, range, type);
				const wanted = lines.filter(
					({ day, kind }) => day >= since(range[2]) && type[2].some((each) => each === kind),
				);
				const pages = [await linesOn(page)];
				while (await turnPage(page, "Next page")) pages.push(await linesOn(page));
				const where = `${range[1]}, ${type[1]}`;
				expect(pages.flat(), where).toEqual(wanted.map(({ cells }) => cells));
				expect(
					pages.map(({ length }) => length),
					where,
				).toEqual(pages.map((_, position) => Math.min(60, wanted.length - 60 * position)));
				turned.push(pages.length);
				// The export has all pages, whichever page it starts from.
				expect(await exportOf(page), where).toBe(fileOf(wanted));
				if (pages.length === 1) continue;
				expect(await turnPage(page, "First page"), where).toBe(true);
				expect(await linesOn(page), where).toEqual(pages[0]);
			}
		expect(Math.max(...turned)).toBe(2);

		await changeDriver(page, "omar@milepost.test");
		await go(page, "History", "History & Reports");
		await ask(page, RANGES[1], TYPES[2]);
		await page.getByText("No activity found for the selected filters", { exact: true }).waitFor();
		expect([
			await page.getByRole("table").count(),
			await page.getByRole("navigation", { name: "Pagination" }).count(),
		]).toEqual([0, 0]);
		expect(await exportOf(page)).toBe(fileOf([]));
		await ask(page, RANGES[2], TYPES[2]);
		expect(await linesOn(page)).toEqual([
			[describeDate(daysAgo(40)), "Fund Request", "gas request", "$5,000.00", "Pending"],
		]);
	});
});
