/** Every figure on screens, in the API and in files, according to the model and as read. */
import Papa from "papaparse";
import type { Client } from "../../../tests/support/worker.ts";
import { CATEGORIES, type ModelFleet } from "./fleet.ts";
import type { Stage } from "./play.ts";

/** A figure: where it is, what the model says, and what was read. */
export type Figure = { readonly where: string; readonly expected: string; readonly found: string };

const dollars = (cents: number) =>
	`$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
const decimal = (cents: number) => (cents / 100).toFixed(2);
const cents = (text: string) => Math.round(Number(text.replace(/[$,]/g, "")) * 100);
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const count = (number: number, what: string) =>
	`${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;

/** The text of a page, in pieces. */
const words = (html: string) =>
	html
		.replace(/<head>[\s\S]*?<\/head>/, "")
		.replace(/<(script|select|nav|datalist|template)[\s\S]*?<\/\1>/g, "")
		.replace(/<!--.*?-->/g, "")
		.replace(/<[^>]+>/g, "|")
		.replace(/(\|\s*)+/g, "|")
		.split("|");
/** The piece after the first one with this label. */
function after(pieces: readonly string[], label: string, many = 1): string {
	const at = pieces.indexOf(label);
	return at < 0 ? `no ${label}` : pieces.slice(at + 1, at + 1 + many).join(" ");
}

/** One driver's totals or, without an owner, everyone's. */
function totals({ money, types, trips, fees }: ModelFleet, owner?: number) {
	const own = <T extends { readonly owner: number }>(rows: readonly T[]) =>
		owner === undefined ? rows : rows.filter((row) => row.owner === owner);
	const live = own(trips).filter(({ isVoided }) => !isVoided);
	const requests = own(money.requests.map((request, number) => ({ ...request, number })));
	const pending = requests.filter(({ status }) => status === "pending");
	const approved = requests.filter(({ status }) => status === "approved");
	const charged = own(fees).filter(({ isDeleted }) => !isDeleted);
	const isPaid = (payout: number | undefined) =>
		payout !== undefined && money.payouts[payout]?.status === "paid";
	return {
		miles: sum(live.map(({ miles }) => miles)),
		trips: live.length,
		pending: pending.length,
		pendingCents: sum(pending.map(({ asked }) => asked)),
		approved: approved.length,
		approvedCents: sum(approved.map((each) => each.approved ?? 0)),
		fuelCents: sum(
			approved.filter(({ number }) => types[number] === "gas").map((each) => each.approved ?? 0),
		),
		ready: approved.filter(({ payout }) => payout === undefined),
		inOpen: approved.filter(({ payout }) => payout !== undefined && !isPaid(payout)),
		paid: approved.filter(({ payout }) => isPaid(payout)),
		feeCents: sum(charged.map((fee) => fee.cents)),
		fees: charged,
	};
}
const centsOf = (requests: readonly { readonly approved: number | undefined }[]) =>
	sum(requests.map(({ approved }) => approved ?? 0));

/** Figures of the whole fleet, as administrators see them. */
export async function fleetFigures(
	model: ModelFleet,
	{ ada, requests, payouts, fees }: Stage,
	/** Drivers and applications that existed before the sequence. */
	before: { readonly drivers: number; readonly applications: number },
): Promise<Figure[]> {
	const figures: Figure[] = [];
	const add = (where: string, expected: string | number, found: string | number) =>
		figures.push({ where, expected: String(expected), found: String(found) });
	const page = async (path: string) => words((await ada.get(path)).text);
	const json = async <T>(path: string) => JSON.parse((await ada.get(path)).text) as T;
	const all = totals(model);
	const of = (status: string) =>
		model.drivers.filter((each) => each.status === status && each.isActive).length;

	const overview = await page("/");
	add("overview, drivers", before.drivers + of("approved"), after(overview, "Total Drivers"));
	add("overview, pending", all.pending, after(overview, "Pending Requests"));
	add("overview, fees", dollars(all.feeCents), after(overview, "Total Uber Fees"));
	add("overview, miles", all.miles.toLocaleString("en-US"), after(overview, "Total Miles"));
	add("overview, fuel", dollars(all.fuelCents), after(overview, "Fuel Expenses"));

	const feePage = await page("/uber-fees");
	add("fees, total", dollars(all.feeCents), after(feePage, "Total Uber Fees"));
	const breakdown = feePage.slice(feePage.lastIndexOf("Fee Breakdown by Category"));
	for (const category of CATEGORIES) {
		const own = all.fees.filter((fee) => fee.category === category);
		const expected = `${own.length} ${dollars(sum(own.map((fee) => fee.cents)))}`;
		add(`fees, ${category}`, expected, after(breakdown, category.replace("_", " "), 2));
	}

	const desk = await page("/payouts");
	for (const [label, part] of [
		["Ready to pay", all.ready],
		["In open payouts", all.inOpen],
	] as const)
		add(
			`payouts, ${label}`,
			`${dollars(centsOf(part))} ${count(part.length, "request")}`,
			after(desk, label, 2),
		);
	add("payouts, paid", dollars(centsOf(all.paid)), after(desk, "Paid"));

	const week = await json<Record<string, string>>("/api/analytics/weekly-summary");
	add("weekly summary, fuel", decimal(all.fuelCents), week.fuelExpenses ?? "");
	add("weekly summary, fees", decimal(all.feeCents), week.uberFees ?? "");
	add("weekly summary, total", decimal(all.fuelCents + all.feeCents), week.totalSpend ?? "");

	type Row = Record<string, string | null>;
	const apiRequests = new Map(
		(await json<Row[]>("/api/fund-requests")).map((row) => [row.id, row] as const),
	);
	const file = await ada.get("/fund-requests/export.csv");
	const lines = Papa.parse<Row>(file.text, { header: true }).data;
	const exported = new Map(lines.map((row) => [row.Description, row] as const));
	add("API, requests", model.money.requests.length, apiRequests.size);
	for (const [number, { status, asked, approved }] of model.money.requests.entries()) {
		const row = apiRequests.get(requests[number] ?? "");
		const expected = `${status} ${decimal(asked)} ${approved === undefined ? "" : decimal(approved)}`;
		add(`API, R${number}`, expected, `${row?.status} ${row?.amount} ${row?.approvedAmount ?? ""}`);
		const line = exported.get(`R${number}`);
		const shown = `${line?.Status?.toLowerCase()} ${line?.Asked} ${line?.["Approved Amount"]}`;
		add(`file, R${number}`, expected, shown);
	}
	const paid = new Map((await json<Row[]>("/api/payouts")).map((row) => [row.id, row] as const));
	for (const [number, { status, total }] of model.money.payouts.entries()) {
		const row = paid.get(payouts[number] ?? "");
		add(`API, payout ${number}`, `${status} ${decimal(total)}`, `${row?.status} ${row?.total}`);
	}
	const charged = new Map(
		(await json<Row[]>("/api/uber-fees")).map((row) => [row.id, row] as const),
	);
	for (const [number, fee] of model.fees.entries()) {
		const row = charged.get(fees[number] ?? "");
		const expected = fee.isDeleted ? "gone" : `${fee.category} ${decimal(fee.cents)}`;
		add(`API, fee ${number}`, expected, row ? `${row.category} ${row.amount}` : "gone");
	}
	return figures;
}

/** One driver's figures, on their own screens and on administrators'. */
export async function driverFigures(
	model: ModelFleet,
	{ ada, people }: Stage,
	driver: number,
): Promise<Figure[]> {
	const figures: Figure[] = [];
	const person = people[driver];
	const state = model.drivers[driver];
	if (!person || state?.status !== "approved") return [];
	const add = (where: string, expected: string | number, found: string | number) =>
		figures.push({
			where: `driver ${driver}, ${where}`,
			expected: String(expected),
			found: String(found),
		});
	const own = totals(model, driver);
	const miles = own.miles.toLocaleString("en-US");

	const room = words((await ada.get(`/drivers/${person.id}`)).text);
	add("their page, miles", miles, after(room, "Miles"));
	add("their page, approved", dollars(own.approvedCents), after(room, "Approved requests"));
	add("their page, fees", dollars(own.feeCents), after(room, "Uber fees"));
	const unpaid = centsOf(own.ready) + centsOf(own.inOpen);
	add("their page, unpaid", dollars(unpaid), after(room, "To be paid"));

	if (!model.canWork(driver)) return figures;
	const see = async (client: Client, path: string) => (await client.get(path)).text;
	const home = words(await see(person.client, "/"));
	add("dashboard, miles", `${miles} mi`, after(home, "This Week"));
	add("dashboard, pending", own.pending, after(home, "Pending Requests"));
	add("dashboard, approved", dollars(own.approvedCents), after(home, "This Month"));

	const history = words(await see(person.client, "/history"));
	add("history, miles", `${miles} ${count(own.trips, "trip")}`, after(history, "Miles", 2));
	add(
		"history, approved",
		`${dollars(own.approvedCents)} ${count(own.approved, "request")}`,
		after(history, "Approved", 2),
	);
	add(
		"history, pending",
		`${dollars(own.pendingCents)} ${count(own.pending, "request")}`,
		after(history, "Pending", 2),
	);
	const file = await see(person.client, "/history/export.csv");
	const lines = Papa.parse<Record<string, string>>(file, { header: true }).data;
	const filed = (status: RegExp) =>
		sum(
			lines
				.filter((line) => status.test(line.Status ?? ""))
				.map((line) => cents(line["Amount/Miles"] ?? "")),
		);
	add("history file, miles", own.miles, filed(/^Logged$/) / 100);
	add("history file, approved", own.approvedCents, filed(/^(Approved$|Paid )/));
	add("history file, pending", own.pendingCents, filed(/^Pending$/));

	type Row = Record<string, string | number>;
	const rows = async (path: string) => JSON.parse(await see(person.client, path)) as Row[];
	const logged = (await rows("/api/mileage")).filter(({ status }) => status === "logged");
	add("API, miles", own.miles, sum(logged.map((row) => Number(row.calculatedMiles))));
	const asked = await rows("/api/fund-requests");
	const agreed = asked.map((row) => (row.approvedAmount ? cents(String(row.approvedAmount)) : 0));
	add("API, approved", own.approvedCents, sum(agreed));
	const charged = await rows("/api/uber-fees");
	add("API, fees", own.feeCents, sum(charged.map((row) => cents(String(row.amount)))));
	return figures;
}
