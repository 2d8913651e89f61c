/**
 * What a fleet sees of a year once it is archived: the same as before, everywhere. The archive is a
 * second real D1 behind the Worker.
 */
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { archiveYear } from "../../app/domain/archive/archive-year.server.ts";
import { closeYear } from "../../app/domain/archive/commands/close-year.server.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo, midnight } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { readCsv, readPdf, readXlsx } from "../support/report-files.ts";
import { insertRequest } from "../support/requests.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = fleet.sql.bind(fleet);
const [dana, ada] = [await fleet.as("dana"), await fleet.as("ada")];
const YEAR = Number(daysAgo(0).slice(0, 4)) - 2;
const DANA = idOf("dana");
const store = fleet.databaseOf("ARCHIVE");
const dayOf = (year: number, each: number) =>
	`${year}-${String(1 + (each % 12)).padStart(2, "0")}-${String(1 + (each % 28)).padStart(2, "0")}`;

const range = `startDate=${YEAR}-01-01&endDate=${YEAR}-12-31`;
const reports = `/mileage-reports?range=custom&${range}`;
/** Every address that shows trips of the year, or what they come to. */
const ADDRESSES: readonly (readonly [Client, string])[] = [
	[dana, "/api/mileage"],
	[dana, "/api/mileage?limit=7"],
	[dana, `/api/mileage?${range}`],
	[dana, `/api/mileage?${range}&limit=60`],
	[ada, "/api/mileage"],
	[ada, `/api/mileage?${range}`],
	[ada, `/api/mileage?endDate=${YEAR}-06-30&limit=25`],
	[dana, "/"],
	[dana, "/mileage"],
	[dana, "/history"],
	[dana, "/history?range=quarter&type=mileage"],
	[dana, "/history/export.csv?range=quarter"],
	[ada, "/"],
	[ada, reports],
	[ada, `${reports}&driver=${DANA}`],
	[ada, `/mileage-reports/export.csv?range=custom&${range}`],
	[ada, `/drivers/${DANA}`],
	[ada, `/drivers/${idOf("ivan")}`],
	[ada, `/api/analytics/driver-efficiency?${range}`],
	[ada, "/api/analytics/weekly-summary"],
];
/** Reports and downloads of the year, by how they are read back. */
const FILES: readonly (readonly [Client, string, (bytes: Uint8Array) => unknown])[] = [
	[dana, `/history/tax-year?year=${YEAR}&format=xlsx`, readXlsx],
	[dana, `/history/tax-year?year=${YEAR}&format=pdf`, pagesOfPdf],
	[dana, `/history/tax-year?year=${YEAR - 1}&format=xlsx`, readXlsx],
	[dana, `/history/year-summary?year=${YEAR}&format=csv`, readCsv],
	[ada, `/reports/mileage-log?driverId=${DANA}&year=${YEAR}&format=xlsx&paper=letter`, readXlsx],
	[ada, `/drivers/${DANA}/data.zip`, entriesOfZip],
];

async function pagesOfPdf(bytes: Uint8Array) {
	return (await readPdf(bytes)).pages;
}

/** What the ZIP has of the trips and of the audit. */
function entriesOfZip(bytes: Uint8Array) {
	const files = unzipSync(bytes);
	const text = (name: string) => new TextDecoder().decode(files[name]);
	const audit: { entity: string }[] = JSON.parse(text("audit.json"));
	return {
		mileage: [text("mileage.json"), text("mileage.csv")],
		audit: audit.filter(({ entity }) => entity === "mileage-log"),
	};
}

async function bytesOf(client: Client, path: string): Promise<Uint8Array> {
	const Cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
	const [address = "", query = ""] = path.split("?");
	// What a form asks for is posted.
	const answer = path.startsWith("/reports/")
		? await fleet.worker.dispatchFetch(fleet.origin + address, {
				method: "POST",
				redirect: "manual",
				headers: {
					Cookie,
					Origin: fleet.origin,
					"Sec-Fetch-Site": "same-origin",
					"Content-Type": "application/x-www-form-urlencoded",
				},
				body: query,
			})
		: await fleet.worker.dispatchFetch(fleet.origin + path, { headers: { Cookie } });
	expect(answer.status, path).toBe(200);
	return new Uint8Array(await answer.arrayBuffer());
}

/** A screen without what is new with every answer, and without the links that void. */
const settled = (text: string) =>
	text
		.replace(/name="key" value="[^"]+"/g, "")
		.replace(/<a [^>]*dialog=void[^>]*>[\s\S]*?<\/a>/g, "")
		.replace(/<span class="flex flex-1 justify-end"><\/span>/g, "");

async function everything() {
	const seen: Record<string, unknown> = {};
	for (const [client, path] of ADDRESSES) {
		const { status, text } = await client.get(path);
		seen[`${client === ada ? "ada" : "dana"} ${path}`] = [status, settled(text)];
	}
	for (const [client, path, read] of FILES) {
		const found = JSON.stringify(await read(await bytesOf(client, path)));
		// When it was made, to the minute.
		seen[path] = found.replace(/\d{1,2}:\d\d\s?[AP]M/g, "").replace(/\d{5}\.\d{4,}/g, "");
	}
	for (const path of [reports, `${reports}&driver=${DANA}`])
		seen[`${path} pages`] = await walk(path);
	return seen;
}

/** The entries of every page, there and back. */
async function walk(path: string): Promise<string[][]> {
	const pages: string[][] = [];
	let address: string | undefined = path;
	for (const label of ["Next page", "Previous page"])
		while (address && pages.length < 30) {
			const { text } = await ada.get(address);
			pages.push([...text.matchAll(/id="log-([^"]+)"/g)].map(([, id = ""]) => id));
			const nav = /<nav aria-label="Entries pagination"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? "";
			const link: string | undefined = new RegExp(`href="([^"#]*)#entries"[^>]*>${label}`).exec(
				nav,
			)?.[1];
			if (!link) break;
			address = link.replaceAll("&amp;", "&");
		}
	return pages;
}

/** The call that lists every trip there is, and so reaches into any closed year. */
const ALL = "/api/mileage";
/** How often an answer went to a database; calls that are streamed don't say it in time. */
const trips = ({ headers }: { readonly headers: Headers }) =>
	Number(/desc="(\d+) trips?,/.exec(headers.get("Server-Timing") ?? "")?.[1] ?? Number.NaN);
const tripsBefore = new Map<string, number>();

let before: Record<string, unknown> = {};
let moved = 0;

beforeAll(async () => {
	for (const [first, owner, count] of [
		[1000, "dana", 70],
		[1100, "omar", 40],
		[1200, "ivan", 30],
	] as const)
		for (let each = 0; each < count; each++) {
			const day = dayOf(YEAR - (each % 10 === 9 ? 1 : 0), each);
			const isVoided = each % 8 === 5;
			await insertLog(sql, first + each, owner, day, 10 + each, {
				created_at: midnight(day) + 70_000_000,
				notes: each % 3 ? null : `=1+${each} "Łódź"\nand on`,
				gap_miles: each % 2 ? 3 : null,
				...(isVoided
					? {
							voided_at: midnight(day) + 80_000_000,
							voided_by: idOf(each % 16 === 5 ? owner : "ada"),
						}
					: {}),
			});
		}
	await insertRequest(sql, 900, "dana", {
		created_at: midnight(`${YEAR}-05-05`),
		requested_on: `${YEAR}-05-05`,
		status: "rejected",
		decided_at: 1,
		decided_by: idOf("ada"),
	});
	before = await everything();
	for (const [client, path] of ADDRESSES) tripsBefore.set(path, trips(await client.get(path)));
	const operator = {
		role: "operator",
		db: new Database(fleet.database),
		now: currentTime(),
	} as const;
	expect(await closeYear(operator, YEAR, ZONE)).toMatchObject({ ok: true });
	({ moved } = await archiveYear(operator, new Database(store), YEAR));
}, 120_000);

describe("an archived year", () => {
	it("looks the same on every screen, in every API call and in every file", async () => {
		expect(moved).toBeGreaterThan(90);
		const after = await everything();
		expect(Object.keys(after)).toEqual(Object.keys(before));
		for (const [name, seen] of Object.entries(before)) expect(after[name], name).toEqual(seen);
	});

	it("costs open years no extra trip", async () => {
		const open = ADDRESSES.filter(([, path]) => !path.includes(String(YEAR)) && path !== ALL);
		expect(open.length).toBeGreaterThan(8);
		for (const [client, path] of open)
			expect([path, trips(await client.get(path))]).toEqual([path, tripsBefore.get(path)]);
		// The same look sees what does ask the archive.
		expect(trips(await ada.get(reports))).toBeGreaterThan(tripsBefore.get(reports) ?? 9);
	});

	it("offers no entry to void, and says why", async () => {
		const page = await ada.get(`${reports}&driver=${DANA}`);
		expect(page.text).not.toContain("dialog=void");
		const [archived] = (await store.prepare("select id from mileage_logs limit 1").all()).results;
		const answer = await ada.postAndFollow("/mileage-reports", {
			intent: "void",
			id: String(archived?.id),
			reason: "Wrong van",
		});
		expect(answer.text).toContain("archived and can&#x27;t be voided");
	});

	it("takes no more trips", async () => {
		const trip = { date: `${YEAR}-07-01`, startOdometer: 1, endOdometer: 2 };
		const answer = await dana.call("POST", "/api/mileage", trip);
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("This year is closed");
	});

	it("is never shown in part: without the archive there is a message instead of figures", async () => {
		await store.prepare("alter table mileage_logs rename to away").all();
		for (const [client, path] of [
			[dana, `/api/mileage?${range}`],
			[ada, `${reports}&driver=${DANA}`],
			[dana, `/history/tax-year?year=${YEAR}&format=xlsx`],
		] as const) {
			const answer = await client.get(path, { mayFail: true });
			expect(answer.status, path).toBe(503);
			expect(answer.text).toMatch(/Trips of closed years can(&#x27;|')t be read right now/);
		}
		expect((await dana.get("/")).status).toBe(200);
		expect((await ada.get("/mileage-reports")).status).toBe(200);
		expect((await dana.get("/api/mileage?limit=5")).status).toBe(200);
		expect(fleet.takeErrors()).toHaveLength(3);
		await store.prepare("alter table away rename to mileage_logs").all();
		expect((await dana.get(`/api/mileage?${range}`)).status).toBe(200);
	});
});
