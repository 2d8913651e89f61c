/**
 * A fleet in dollars and miles, and one each in euros and zlotys with kilometers, through every
 * page, call, file and email: no sign and no word of another currency or distance stands anywhere.
 * JSON's names stay as they are, and nobody here types such a word.
 */
import { unzipSync } from "fflate";
import Papa from "papaparse";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settlementWeek } from "../../app/domain/statements/settlement-week.ts";
import { ROUTES } from "../../app/routing/routes.ts";
import { addDays, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { oneIn } from "../support/extent.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertLog, logId } from "../support/mileage.ts";
import { gather } from "../support/payouts.ts";
import { readPdf } from "../support/report-files.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { insertLine, insertSettlement, published } from "../support/settlements.ts";
import { callStatements } from "../support/statement-calls.ts";
import { sampleBytes } from "../support/statements.ts";
import { type Client, type Fleet, openFleet } from "../support/worker.ts";

type Case = {
	readonly currency: string;
	readonly distanceUnit: "mi" | "km";
	readonly sign: string;
	/** What stands nowhere. */
	readonly foreign: RegExp;
	/** What stands on the screens of both portals. */
	readonly own: readonly string[];
};

const MILES = "\\bmiles?\\b|\\bmi\\b";
const CASES: readonly Case[] = [
	{
		currency: "USD",
		distanceUnit: "mi",
		sign: "$",
		foreign: /€|\beuros?\b|\bPLN\b|zlot|zł|\bkilomet|\bkm\b/i,
		own: ["$12.50", "In dollars, such as 45.50", "Total Miles", "Calculated Miles", "30 mi"],
	},
	{
		currency: "EUR",
		distanceUnit: "km",
		sign: "€",
		foreign: new RegExp(`\\$|\\bdollars?\\b|${MILES}`, "i"),
		own: [
			"€12.50",
			"In euros, such as 45.50",
			"Total Kilometers",
			"Calculated Kilometers",
			"30 km",
		],
	},
	{
		currency: "PLN",
		distanceUnit: "km",
		sign: "PLN\u00a0",
		foreign: new RegExp(`\\$|\\bdollars?\\b|€|\\beuros?\\b|${MILES}`, "i"),
		own: ["PLN\u00a012.50", "In Polish zlotys, such as 45.50", "Total Kilometers", "30 km"],
	},
];
type Played = Case & { readonly fleet: Fleet };
const fleets: readonly Played[] = await Promise.all(
	oneIn(2, CASES).map(async (each) => ({ ...each, fleet: await openFleet() })),
);

/** Codes that the form of the settings gives as examples, both units that it offers, and the change. */
const OFFERED = /such as USD, EUR or PLN|^(Kilometers|Miles|mi|km|mi → km|USD → \w+)$/;
const OFFERING = /^\/(settings|audit)?(\?|$)/;
const ATTRIBUTES = /\s(?:aria-label|alt|title|placeholder|content|data-label|value)="([^"]*)"/g;
const decoded = (text: string) =>
	text
		.replaceAll("&#x27;", "'")
		.replaceAll("&quot;", '"')
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&amp;", "&");

/** All strings in a value of JSON, without its names. */
function stringsIn(value: unknown, ...names: readonly string[]): string[] {
	if (typeof value === "string") return [value];
	if (typeof value !== "object" || value === null) return [];
	// The kind of a settlement's line is a name too.
	return Object.entries(value).flatMap(([name, each]) =>
		["kind", ...names].includes(name) ? [] : stringsIn(each, ...names),
	);
}

/** What a person sees or hears of a document, and what its script writes with. */
function wordsOfHtml(html: string): string[] {
	const body = html.replace(/<style>[\s\S]*?<\/style>/, "");
	const texts = body.split(/<[^>]*>/).map((text) => text.trim());
	const attributes = [...html.matchAll(ATTRIBUTES)].map(([, text = ""]) => text);
	const props = [...html.matchAll(/\sdata-props="([^"]*)"/g)].flatMap(([, json = ""]) =>
		stringsIn(JSON.parse(decoded(json))),
	);
	const words = [...texts, ...attributes].map(decoded).filter(Boolean);
	// The API's description shows values of JSON.
	const shown = words.flatMap((text) =>
		text.startsWith("{\n") ? stringsIn(JSON.parse(text)) : [text],
	);
	return [...shown, ...props];
}

async function wordsOf(path: string, type: string, bytes: Uint8Array): Promise<string[]> {
	const text = () => new TextDecoder().decode(bytes);
	if (type.startsWith("text/html")) return wordsOfHtml(text());
	if (/^application\/(manifest\+)?json/.test(type)) return stringsIn(JSON.parse(text() || "null"));
	if (type.startsWith("text/csv")) return text().split(/[,\r\n]+/);
	if (type === "application/pdf") return (await readPdf(bytes)).text.split(/ (?=[A-Z])/);
	// A person's files have JSON's names.
	if (path.endsWith("data.zip"))
		return Object.entries(unzipSync(bytes)).flatMap(([name, part]) => {
			const file = new TextDecoder().decode(part);
			// Its files call that kind their `line`.
			if (name.endsWith(".json")) return stringsIn(JSON.parse(file), "line");
			return name.endsWith(".csv")
				? stringsIn(Papa.parse(file, { header: true }).data, "line")
				: [file];
		});
	if (/zip|spreadsheet/.test(type))
		return Object.entries(unzipSync(bytes)).flatMap(([, part]) => {
			// A name of cells is written with `$`.
			const xml = new TextDecoder()
				.decode(part)
				.replace(/<definedName[\s\S]*?<\/definedName>/g, "");
			const formats = [...xml.matchAll(/formatCode="([^"]*)"/g)].map(([, code = ""]) => code);
			return [...xml.split(/<[^>]*>/), ...formats].map(decoded);
		});
	// Scripts have every unit's words, and are the same for every fleet.
	return type.startsWith("text/javascript") || path.startsWith("/api/receipts") ? [] : [text()];
}

/** Texts of another fleet's currency or distance, except where both are offered. */
const foreignIn = (words: readonly string[], { foreign }: Case, path = "") =>
	words.filter((text) => foreign.test(text) && !(OFFERING.test(path) && OFFERED.test(text)));

describe.each(fleets)("a fleet in $currency and $distanceUnit", (own) => {
	const { currency, distanceUnit, sign, fleet } = own;
	const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
	const ids: Record<string, string> = {};
	let people: { ada: Client; dana: Client; visitor: Client };

	beforeAll(async () => {
		const [ada, dana] = [await fleet.as("ada"), await fleet.as("dana")];
		// The cast has trips, as a fleet may have that couldn't choose before.
		await sql(`insert into settings (id, chosen) values ('fleet', '{"unitsOpen":true}')`);
		const { text } = await ada.get("/settings");
		const { fields } = formWith(text, "Save currency and distance");
		expect(fields).toMatchObject({ currency: "USD", distanceUnit: "mi" });
		const chosen = await ada.post("/settings", { ...fields, currency, distanceUnit });
		expect(chosen.status).toBe(303);
		if (currency !== "USD") expect((await ada.get("/")).text).toContain("fuel cost per kilometer");
		await ada.post("/settings", {
			intent: "thresholds",
			excellentUnderCents: "0.20",
			goodUnderCents: "0.30",
			targetCents: "0.20",
			aboveTargetOverCents: "0.30",
			fuelTargetPercent: "70",
			pendingAlertOver: "0",
			feeAlertOverCents: "1.00",
		});
		const at = { decided_at: currentTime(), decided_by: idOf("ada") };
		await insertLog(sql, 1, "dana", daysAgo(1), 30, { gap_miles: 12, is_long: 1 });
		await insertLog(sql, 2, "dana", daysAgo(2), 40, {
			voided_at: 1,
			voided_by: idOf("ada"),
			void_reason: "Wrong",
		});
		const trip = { date: daysAgo(0), startOdometer: "9000", endOdometer: "9030", purpose: "Work" };
		await dana.call("POST", "/api/mileage", { ...trip, personalMiles: "3" });
		await insertRequest(sql, 1, "dana", { amount_cents: 1250, is_possible_duplicate: 1 });
		await insertRequest(sql, 2, "dana", { amount_cents: 9000, status: "approved", ...at });
		await insertRequest(sql, 3, "omar", { amount_cents: 80_000, status: "approved", ...at });
		await insertRequest(sql, 4, "lena", { amount_cents: 800, status: "rejected", ...at });
		await insertFee(sql, 1, "dana", daysAgo(3), { category: "service_fee" });
		const asked = await dana.call("POST", "/api/fund-requests", {
			type: "gas",
			amount: `${sign}45.50`,
			description: "Fuel",
		});
		expect(asked.status, asked.text).toBe(201);
		const decided = await ada.call("PUT", `/api/fund-requests/${JSON.parse(asked.text).id}`, {
			status: "approved",
			approvedAmount: "12.50",
			adminNotes: "Less",
		});
		expect(decided.status, decided.text).toBe(200);
		ids.payouts = (await gather(ada, { all: true })).id;
		const paid = await ada.call("PUT", `/api/payouts/${ids.payouts}`, {
			status: "paid",
			paidOn: daysAgo(0),
			method: "Bank",
		});
		expect(paid.status, paid.text).toBe(200);
		await insertRequest(sql, 900, "dana", { amount_cents: 777, status: "approved", ...at });
		const week = settlementWeek(parseCalendarDate(daysAgo(7)), 1);
		const terms = { from: week.from, faresPercent: 60, weeklyRent: "120.00", perMileMills: 725 };
		const agreed = await ada.call("POST", "/api/agreements", { driverId: idOf("dana"), ...terms });
		expect(agreed.status, agreed.text).toBe(201);
		ids.settlement = await insertSettlement(sql, 1, "dana", week.from);
		ids.earnings = await insertSettlement(sql, 2, "dana", addDays(week.from, -7), published(4_200));
		await insertLine(sql, ids.earnings, 0, 4_200, { kind: "fee", text: "Weekly fee" });
		await fleet.sql(
			"update settings set chosen = json_patch(chosen, ?)",
			JSON.stringify({ remindOfMiles: true, remindOfReceipts: true }),
		);
	});

	// Reminders are read two weeks ahead, when sessions of today have ended.
	beforeEach(async () => {
		people = {
			ada: await fleet.as("ada"),
			dana: await fleet.as("dana"),
			visitor: fleet.client(),
		};
	});

	it("has its own units in the API, and fixes them with what is stored", async () => {
		for (const client of [people.ada, people.dana])
			expect(JSON.parse((await client.get("/api/auth/user")).text).fleet).toEqual({
				currency,
				distanceUnit,
			});
		const form = { intent: "units", currency: "GBP", distanceUnit };
		const refused = await people.ada.post("/settings", form);
		expect(refused.status).toBe(409);
		expect(refused.text).toContain("nothing is converted");
		expect((await people.ada.post("/settings", { ...form, currency: "JPY" })).status).toBe(400);
		expect((await people.ada.post("/settings", { ...form, currency })).status).toBe(303);
		expect((await people.dana.post("/settings", form)).status).toBe(403);
	});

	it("says in its own words what it doesn't take", async () => {
		const typed = currency === "EUR" ? "45.50 USD" : "45.50 €";
		const refused = await people.dana.call("POST", "/api/fund-requests", {
			type: "gas",
			amount: typed,
			description: "Fuel",
		});
		expect(refused.status).toBe(400);
		const name = { USD: "US dollars", EUR: "euros", PLN: "Polish zlotys" }[currency];
		expect(refused.text).toContain(`another currency. Enter it in ${name}, such as 12.50`);
	});

	it("has them on every page, in every call and in every file", async () => {
		const statement = await callStatements(
			people.ada,
			{},
			{ bytes: sampleBytes("uber-payments-order"), name: "payments_order.csv" },
		);
		ids.statement = statement.body.id;
		const found: string[] = [];
		let words = "";
		const look = async (client: Client, path: string, body?: object) => {
			const answer = await (body ? client.call("POST", path, body) : client.get(path));
			const { status } = answer;
			if (status >= 300 && status < 400) return status;
			const type = answer.headers.get("Content-Type") ?? "";
			const texts = await wordsOf(path, type, answer.raw);
			words += texts.join("\n");
			for (const each of foreignIn(texts, own, path)) found.push(`${path}: ${each.slice(0, 200)}`);
			return status;
		};
		const entries: readonly (readonly [string, string])[] = [
			["/history/tax-year", "year=YEAR&format=pdf"],
			["/history/tax-year", "year=YEAR&format=excel"],
			["/history/year-summary", "year=YEAR&format=pdf"],
			["/history/year-summary", "year=YEAR&format=csv"],
			["/uber-fees/import/left-out.csv", `statement=${ids.statement}`],
			["/uber-fees/import", `statement=${ids.statement}`],
			["/mileage", `dialog=void&id=${logId(1)}`],
			["/mileage", `correct=${logId(1)}`],
			["/history", `open=mileage-${logId(1)}`],
			["/history", `open=request-${requestId(1)}`],
			["/fund-requests", `dialog=approve&id=${requestId(1)}`],
			["/fund-requests", `dialog=timeline&id=${requestId(1)}`],
			["/fund-requests", "status=pending&open=FR-000001"],
			["/fund-requests", "status=pending&select=all"],
			["/mileage-reports", "range=quarter&show=flagged"],
			["/mileage-reports", `dialog=void&id=${logId(1)}`],
			["/mileage-reports", `driver=${idOf("dana")}&range=quarter`],
			["/payouts", "choose=all"],
			["/payouts/:id/export.csv", "format=xero"],
			["/payouts/:id/export.csv", "format=quickbooks"],
			["/find", "q=FR-000001"],
			["/find", "q=dana"],
			["/reports", "report=invalid&type=driver&range=custom&format=pdf"],
		];
		const fill = (path: string, query = "") => {
			const id = path.includes("payouts")
				? ids.payouts
				: /earnings|settlements.*pdf/.test(path)
					? ids.earnings
					: path.includes("settlements")
						? ids.settlement
						: path.includes("fund-requests")
							? requestId(1)
							: idOf("dana");
			return `${path.replace(":id", id ?? "")}${query ? `?${query.replace("YEAR", daysAgo(1).slice(0, 4))}` : ""}`;
		};
		const paths = [
			...ROUTES.filter(({ methods }) => methods.GET && methods.GET !== undefined).map(({ path }) =>
				fill(path),
			),
			...entries.map(([path, query]) => fill(path, query)),
			// The description of the API is the same for every fleet.
		].filter((path) => !/logout|callback|\*|openapi|api\/docs/.test(path));
		const reached = new Set<string>();
		for (const [name, client] of Object.entries(people))
			for (const path of paths) {
				const status = await look(client, path);
				if (status === 200) reached.add(path);
				if (status >= 500) found.push(`${name} ${path}: ${status}`);
			}
		const dates = { startDate: daysAgo(6), endDate: daysAgo(0) };
		for (const type of ["driver", "expense", "weekly", "monthly"])
			for (const format of ["csv", "excel", "pdf"]) {
				const body = { type, format, ...dates };
				expect(await look(people.ada, "/api/reports/generate", body)).toBe(200);
			}
		expect(found).toEqual([]);
		const missed = paths.filter((path) => !reached.has(path));
		expect(
			missed.filter(
				(path) =>
					!/receipts|reports\/|profile|login|tax-year$|year-summary$|left-out.csv$|\/outbox$|\/find\?/.test(
						path,
					),
			),
		).toEqual([]);
		for (const text of own.own) expect(words).toContain(text);
	});

	it("has them in every email", async () => {
		const settled = await people.ada.call("PUT", `/api/settlements/${ids.settlement}`, {
			status: "published",
		});
		expect(settled.status, settled.text).toBe(200);
		const worker = await fleet.worker.getWorker();
		const now = new Date(currentTime());
		const monday = now.setUTCDate(now.getUTCDate() + ((8 - now.getUTCDay()) % 7 || 7));
		const noon = new Date(monday + 7 * 86_400_000).setUTCHours(17);
		await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(noon) });
		const mails = await fleet.sql<{ kind: string; subject: string; body: string }>(
			"select kind, subject, body from mails union all select 'notice', subject, body from notices",
		);
		const texts = mails.flatMap(({ subject, body }) => [subject, body]);
		expect(foreignIn(texts, own)).toEqual([]);
		const all = texts.join("\n");
		for (const text of [
			`You were paid ${sign}`,
			`for ${sign}12.50 (asked ${sign}45.50)`,
			`Weekly rent: -${sign}120.00`,
		])
			expect(all).toContain(text);
		const distance = distanceUnit === "km" ? "kilometers" : "miles";
		expect(all).toContain(`Reminder: log your ${distance}`);
		expect(all).toContain(`${distance === "miles" ? "Miles" : "Kilometers"}: `);
	});
});
