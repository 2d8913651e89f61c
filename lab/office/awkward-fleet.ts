/** A fleet whose people type what spreadsheets trip over, and every file about its money. */
import { unzipSync } from "fflate";
import { daysAgo } from "../../tests/support/fleet-days.ts";
import { gather } from "../../tests/support/payouts.ts";
import { reportsClient } from "../../tests/support/reports.ts";
import { callStatements } from "../../tests/support/statement-calls.ts";
import { expectedOf, sampleText } from "../../tests/support/statements.ts";
import type { Answer, Client, Fleet } from "../../tests/support/worker.ts";

/** What a cell contains as typed, or after an apostrophe if it would be run. */
export const TEXTS = [
	"=1+1",
	'=HYPERLINK("https://evil.test","Click")',
	"+1 555 0100",
	"-2+3",
	"@SUM(A1:A9)",
	"|calc",
	"＝1+1",
	"a;=1+1",
	";=1+1",
	'","=1+1',
	'Said "full, please"',
	"Two\nlines",
	"Comma, semicolon; tab\there",
	"وقود للشاحنة",
	"👩‍🔧 Werkstatt Łódź",
	"_x0041_ <b>&amp;",
	"#REF!",
	"1/2",
	"5%",
	"12:30",
	"TRUE",
	"'quoted'",
	"a\u00a0b",
] as const;
/** Digits that are a name, not a number: CSV can't say so. */
export const DIGITS: readonly string[] = ["0042", "007", "1e5", "12345678901234567890"];
/** The account that the bills are booked on. */
export const ACCOUNT = "0449";
const NAMES = [
	["=Cmd", "O'Brien, Jr."],
	["محمد", "علي"],
	["@Sam;", '"Quote"'],
	["-Lee", "👩‍🔧"],
] as const;

const created = ({ status, text }: Answer): { id: string } => {
	if (status !== 201 && status !== 200) throw new Error(`${status} ${text.slice(0, 300)}`);
	return JSON.parse(text);
};

/** One driver's trips and requests; the texts are distributed among drivers. */
async function drive(client: Client, position: number): Promise<string[]> {
	const own = [...TEXTS, ...DIGITS].filter((_, at) => at % NAMES.length === position);
	const ids: string[] = [];
	for (const [at, text] of own.entries()) {
		const start = 1000 * (position + 1) + 100 * at;
		const trip = { date: daysAgo(at % 5), startOdometer: start, endOdometer: start + 33 + at };
		created(await client.call("POST", "/api/mileage", { ...trip, notes: text }));
		const request = {
			type: ["gas", "maintenance", "other"][at % 3],
			amount: `${7 + at * 311}.${String((at * 7 + 5) % 100).padStart(2, "0")}`,
			description: text,
		};
		ids.push(created(await client.call("POST", "/api/fund-requests", request)).id);
	}
	return ids;
}

/** The sample of payments by transaction, with a name that a spreadsheet would run. */
const statement = () => ({
	bytes: new TextEncoder().encode(
		sampleText("uber-payments-order").replaceAll(",Nora,Velez,", ",=Nora,Velez;+1,"),
	),
	name: expectedOf("uber-payments-order").uploadAs,
});

/** Every file about money that somebody can download, by its name. */
export async function filesOf(fleet: Fleet): Promise<ReadonlyMap<string, Uint8Array>> {
	const ada = await fleet.as("ada");
	const drivers: Client[] = [];
	const approved: string[] = [];
	const ids: string[] = [];
	for (const [position, [firstName, lastName]] of NAMES.entries()) {
		const email = `awkward${position}@milepost.test`;
		ids.push(created(await ada.call("POST", "/api/drivers", { email, firstName, lastName })).id);
		const driver = await fleet.client().signIn(email);
		drivers.push(driver);
		const requests = await drive(driver, position);
		for (const [at, id] of requests.slice(1).entries()) {
			const lower = at === 0 ? { approvedAmount: "1.05", adminNotes: "=2+2; part of it" } : {};
			created(await ada.call("PUT", `/api/fund-requests/${id}`, { status: "approved", ...lower }));
			approved.push(id);
		}
	}
	for (const [at, text] of [...TEXTS, ...DIGITS].entries()) {
		const fee = { driverId: ids[at % ids.length], category: "other", amount: `${at + 1}.10` };
		const more = {
			date: daysAgo(at % 6),
			referenceNumber: text.replace("\n", " "),
			description: text,
		};
		created(await ada.call("POST", "/api/uber-fees", { ...fee, ...more }));
	}
	const taxes = { taxType: "=Tax; 0%", quickbooksTaxCode: "=Tax; 0%" };
	await ada.post("/settings", { intent: "accounting", accountCode: ACCOUNT, ...taxes });
	const payout = await gather(ada, { requestIds: approved });
	const reference = { status: "paid", paidOn: daysAgo(0), reference: "0042; +1" };
	created(await ada.call("PUT", `/api/payouts/${payout.id}`, reference));
	const { body } = await callStatements(ada, {}, statement());
	return download(ada, drivers, {
		payout: payout.id,
		statement: body.id,
		person: ids[0] ?? "",
	});
}

/** Asks for each file. */
async function download(
	ada: Client,
	drivers: readonly Client[],
	made: { readonly payout: string; readonly statement: string; readonly person: string },
): Promise<ReadonlyMap<string, Uint8Array>> {
	const files = new Map<string, Uint8Array>();
	const year = daysAgo(0).slice(0, 4);
	const office = reportsClient(ada);
	const keep = async (
		name: string,
		asked: Promise<{ readonly status: number; readonly bytes: Uint8Array }>,
	) => {
		const { status, bytes } = await asked;
		if (status !== 200) throw new Error(`${name}: ${status} ${new TextDecoder().decode(bytes)}`);
		files.set(name, bytes);
	};
	for (const format of ["drivers", "requests", "xero", "quickbooks"])
		await keep(
			`payout-${format}.csv`,
			office.file(`/payouts/${made.payout}/export.csv?format=${format}`),
		);
	await keep("payout.pdf", office.file(`/payouts/${made.payout}.pdf`));
	await keep(
		"left-out.csv",
		office.file(`/uber-fees/import/left-out.csv?statement=${made.statement}`),
	);
	await keep("fund-requests.csv", office.file("/fund-requests/export.csv"));
	await keep("mileage-reports.csv", office.file("/mileage-reports/export.csv?range=month"));
	for (const type of ["weekly", "monthly", "driver", "expense"])
		for (const [format, ending] of [
			["csv", "csv"],
			["excel", "xlsx"],
			["pdf", "pdf"],
		] as const)
			await keep(
				`report-${type}.${ending}`,
				office.call({ type, format, startDate: daysAgo(20), endDate: daysAgo(0) }),
			);
	for (const [format, ending] of [
		["excel", "xlsx"],
		["pdf", "pdf"],
	] as const)
		await keep(
			`report-mileage-log.${ending}`,
			office.form("/reports/mileage-log", { driverId: made.person, year, format }),
		);
	for (const [position, driver] of drivers.entries()) {
		const own = reportsClient(driver);
		await keep(`statement-${position}.pdf`, own.file(`/history/payouts/${made.payout}.pdf`));
		await keep(`history-${position}.csv`, own.file("/history/export.csv?range=month"));
		for (const ending of ["pdf", "xlsx"])
			await keep(
				`tax-year-${position}.${ending}`,
				own.file(`/history/tax-year?year=${year}&format=${ending}`),
			);
		for (const ending of ["pdf", "csv"])
			await keep(
				`year-summary-${position}.${ending}`,
				own.file(`/history/year-summary?year=${year}&format=${ending}`),
			);
	}
	const { bytes } = await office.file(`/drivers/${made.person}/data.zip`);
	for (const [path, content] of Object.entries(unzipSync(bytes)))
		if (path.endsWith(".csv")) files.set(`data-${path.replaceAll("/", "-")}`, content);
	return files;
}
