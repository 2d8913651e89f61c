/**
 * Reads every place where text is output in its own format, and finds injected text that became
 * active.
 */
import { unzipSync } from "fflate";
import Papa from "papaparse";
import { idOf } from "../../../tests/support/cast.ts";
import { daysAgo } from "../../../tests/support/fleet-days.ts";
import { readPdf } from "../../../tests/support/report-files.ts";
import type { Client, Fleet } from "../../../tests/support/worker.ts";
import { aliveInHtml, aliveInPdf, aliveInXml, isFormula, MARK } from "./injections.ts";

export type Format = "HTML" | "JSON" | "CSV" | "XLSX" | "PDF" | "email" | "log";
/** The result for one place. */
export type Found = {
	readonly place: string;
	readonly format: Format;
	/** How many injections were output there. */
	readonly texts: number;
	readonly alive: readonly string[];
};

const count = (text: string) => text.split(MARK).length - 1;

const ADMIN_PAGES = [
	...["/", "/fund-requests", "/fund-requests?status=pending", "/mileage-reports", "/uber-fees"],
	...["/payouts", "/drivers", "/audit", "/email", "/settings", "/account", "/reports"],
	...[`/drivers/${idOf("dana")}`, `/mileage-reports?driver=${idOf("dana")}`, `/find?q=${MARK}`],
];
const DRIVER_PAGES = ["/", "/mileage", "/requests", "/history", "/account", "/help"];

const CALLS = [
	"/api/fund-requests",
	"/api/uber-fees",
	"/api/mileage",
	"/api/drivers/all",
	"/api/charges",
];

/** Downloads a file as bytes. */
async function download(client: Client, path: string, body?: object) {
	const answer = await (body ? client.call("POST", path, body) : client.get(path));
	if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
	return { bytes: answer.raw, headers: [...answer.headers].map((pair) => pair.join(": ")) };
}

/** Finds active injections in a file. */
async function readFile(
	bytes: Uint8Array,
	format: Format,
): Promise<{ texts: number; alive: string[] }> {
	if (format === "PDF")
		return { texts: count((await readPdf(bytes)).text), alive: aliveInPdf(bytes) };
	if (format === "XLSX") {
		const parts = Object.entries(unzipSync(bytes)).map(
			([name, part]) => [name, Buffer.from(part).toString("utf8")] as const,
		);
		const alive = parts.flatMap(([name, xml]) => [
			...(/<f[ >]|<hyperlink|externalLink/.test(xml) ? [`a formula or link in ${name}`] : []),
			...aliveInXml(xml),
		]);
		return { texts: parts.reduce((sum, [, xml]) => sum + count(xml), 0), alive };
	}
	const text = new TextDecoder().decode(bytes);
	const { data, errors } = Papa.parse<string[]>(text, { delimiter: ",", newline: "\r\n" });
	const cells = data.flat();
	return {
		texts: count(text),
		alive: [...cells.filter(isFormula), ...errors.map(({ message }) => message)],
	};
}

/**
 * Reads every screen, API response and file of an administrator and a driver, every email and every
 * log line.
 */
export async function readPlaces(fleet: Fleet, ada: Client, dana: Client): Promise<Found[]> {
	const found: Found[] = [];
	const page = async (client: Client, who: string, path: string, format: Format) => {
		const { text, headers } = await client.get(path);
		const alive = format === "HTML" ? aliveInHtml(text) : [];
		if (headers.has("X-Evil")) alive.push("a header");
		found.push({ place: `${who} ${path}`, format, texts: count(text), alive });
	};
	const payouts = await fleet.sql<{ id: string }>(
		"select id from payouts order by number desc limit 3",
	);
	const numbers = await fleet.sql<{ number: number }>(
		"select number from fund_requests order by created_at desc limit 12",
	);
	for (const path of [
		...ADMIN_PAGES,
		...payouts.map(({ id }) => `/payouts/${id}`),
		...numbers.map(({ number }) => `/fund-requests?open=FR-${String(number).padStart(6, "0")}`),
	])
		await page(ada, "administrator", path, "HTML");
	for (const path of DRIVER_PAGES) await page(dana, "driver", path, "HTML");
	for (const path of CALLS) await page(ada, "administrator", path, "JSON");

	const file = async (client: Client, path: string, format: Format, body?: object) => {
		const { bytes, headers } = await download(client, path, body);
		const { texts, alive } = await readFile(bytes, format);
		if (headers.some((line) => /^x-evil/i.test(line))) alive.push("a header");
		found.push({ place: path, format, texts, alive });
	};
	for (const path of ["/fund-requests/export.csv", "/mileage-reports/export.csv"])
		await file(ada, path, "CSV");
	for (const { id } of payouts.slice(0, 1)) {
		for (const format of ["drivers", "requests", "xero", "quickbooks"])
			await file(ada, `/payouts/${id}/export.csv?format=${format}`, "CSV");
		await file(ada, `/payouts/${id}.pdf`, "PDF");
	}
	const dates = { startDate: daysAgo(6), endDate: daysAgo(0) };
	for (const type of ["driver", "expense"])
		for (const [format, read] of [
			["csv", "CSV"],
			["excel", "XLSX"],
			["pdf", "PDF"],
		] as const)
			await file(ada, "/api/reports/generate", read, { type, format, ...dates });
	const year = daysAgo(0).slice(0, 4);
	await file(dana, "/history/export.csv", "CSV");
	await file(dana, `/history/tax-year?year=${year}&format=excel`, "XLSX");
	await file(dana, `/history/tax-year?year=${year}&format=pdf`, "PDF");
	await file(dana, `/history/year-summary?year=${year}&format=csv`, "CSV");
	found.push(...(await readEmails(fleet)), readLog(fleet));
	return found;
}

/** Subjects and recipients must be single header lines. */
async function readEmails(fleet: Fleet): Promise<Found[]> {
	const mails = await fleet.sql<Record<"kind" | "address" | "subject" | "body", string>>(
		"select kind, address, subject, body from mails where subject || body like ?",
		`%${MARK}%`,
	);
	return mails.map(({ kind, address, subject, body }) => ({
		place: kind,
		format: "email",
		texts: count(subject) + count(body),
		// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
		alive: [subject, address].filter((line) => /[\u0000-\u001f\u007f\u2028]/.test(line)),
	}));
}

/** Each log line is one JSON object, whatever a request contained. */
function readLog({ lines }: Fleet): Found {
	const forged = lines.filter((line) => {
		if (!line.startsWith("{")) return line.includes(MARK);
		try {
			return "forged" in (JSON.parse(line) as object);
		} catch {
			return true;
		}
	});
	return { place: "the log", format: "log", texts: lines.length, alive: forged };
}
