/** A payout's downloads: CSV files, accounting files, PDFs, and their audit entries. */
import { beforeAll, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { rowOf } from "../support/fund-requests.ts";
import { plain } from "../support/mileage-reports.ts";
import { gather, insertApproved, type PayoutBody } from "../support/payouts.ts";
import { readPdf } from "../support/report-files.ts";
import { requestId } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const [ada, dana, omar] = [await fleet.as("ada"), await fleet.as("dana"), await fleet.as("omar")];
const run = fleet.sql.bind(fleet);
const TODAY = daysAgo(0);
const american = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
let payout: PayoutBody;
const file = (format: string) => ada.get(`/payouts/${payout.id}/export.csv?format=${format}`);
const MARK = [0xef, 0xbb, 0xbf];
const firstBytes = async (format: string) => [...(await file(format)).raw.slice(0, 3)];
const rowsOf = (text: string) => text.trimEnd().split("\r\n");

beforeAll(async () => {
	await ada.post("/settings", {
		intent: "accounting",
		accountCode: "6200",
		taxType: "Tax on Purchases",
		quickbooksTaxCode: "Exempt",
	});
	const ids = [
		await insertApproved(run, 1, "dana", 12_50, {
			requested_on: "2026-11-02",
			created_at: 1_793_642_400_000,
		}),
		await insertApproved(run, 2, "omar", 1_234_56, {
			type: "maintenance",
			description: "Brakes,\n=front",
			requested_on: "2026-11-03",
		}),
		await insertApproved(run, 3, "dana", 7_25, { requested_on: "2026-11-04" }),
	];
	payout = await gather(ada, { requestIds: ids });
	await ada.call("PUT", `/api/payouts/${payout.id}`, {
		status: "paid",
		paidOn: TODAY,
		reference: "ACH 42",
	});
});

describe("the CSV files", () => {
	it("have a line for each driver", async () => {
		const { status, headers, text } = await file("drivers");
		expect(status).toBe(200);
		expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
		expect(headers.get("Content-Disposition")).toBe(
			'attachment; filename="payout-PO-000001-drivers.csv"',
		);
		expect(await firstBytes("drivers")).toEqual(MARK);
		expect(rowsOf(text)).toEqual([
			"Payout,Status,Paid on,Reference,Driver ID,Driver,Requests,Amount,Settlements",
			`PO-000001,Paid,${TODAY},ACH 42,DRV-0001,Dana Driver,2,19.75,0`,
			`PO-000001,Paid,${TODAY},ACH 42,DRV-0002,Omar Okafor,1,1234.56,0`,
		]);
		expect((await ada.get(`/payouts/${payout.id}/export.csv`)).text).toBe(text);
	});

	it("have a line for each request", async () => {
		const { text } = await file("requests");
		expect(await firstBytes("requests")).toEqual(MARK);
		expect(text).toContain(
			`PO-000001,Paid,${TODAY},ACH 42,DRV-0001,Dana Driver,FR-000001,Gas/Fuel,Fuel,2026-11-02,12.50\r\n`,
		);
		expect(text).toContain('Maintenance,"Brakes,\n=front",2026-11-03,1234.56\r\n');
	});

	it("are bills for Xero, without a byte order mark", async () => {
		const { text } = await file("xero");
		expect(rowsOf(text)).toEqual([
			"ContactName,InvoiceNumber,InvoiceDate,DueDate,Description,Quantity,UnitAmount,AccountCode,TaxType",
			`Dana Driver,PO-000001-DRV-0001,${TODAY},${TODAY},FR-000001 Gas/Fuel: Fuel,1,12.50,6200,Tax on Purchases`,
			`Dana Driver,PO-000001-DRV-0001,${TODAY},${TODAY},FR-000003 Gas/Fuel: Fuel,1,7.25,6200,Tax on Purchases`,
			`Omar Okafor,PO-000001-DRV-0002,${TODAY},${TODAY},"FR-000002 Maintenance: Brakes, =front",1,1234.56,6200,Tax on Purchases`,
		]);
		expect(await firstBytes("xero")).toEqual([..."Con"].map((each) => each.charCodeAt(0)));
	});

	it("are bills for QuickBooks, without a byte order mark", async () => {
		const { text } = await file("quickbooks");
		const day = american(TODAY);
		expect(rowsOf(text)).toEqual([
			"Bill No,Vendor,Bill Date,Due Date,Memo,Account,Line Description,Line Amount,Line Tax Code",
			`PO-000001-DRV-0001,Dana Driver,${day},${day},Payout PO-000001,6200,FR-000001 Gas/Fuel: Fuel,12.50,Exempt`,
			`PO-000001-DRV-0001,Dana Driver,${day},${day},Payout PO-000001,6200,FR-000003 Gas/Fuel: Fuel,7.25,Exempt`,
			`PO-000001-DRV-0002,Omar Okafor,${day},${day},Payout PO-000001,6200,"FR-000002 Maintenance: Brakes, =front",1234.56,Exempt`,
		]);
		expect(await firstBytes("quickbooks")).toEqual([..."Bil"].map((each) => each.charCodeAt(0)));
	});

	it("leave QuickBooks' tax code empty unless the fleet has set one", async () => {
		await ada.post("/settings", {
			intent: "accounting",
			accountCode: "6200",
			quickbooksTaxCode: "",
		});
		expect(rowsOf((await file("quickbooks")).text)[1]).toMatch(/ Fuel,12\.50,$/);
		expect(rowsOf((await file("xero")).text)[1]).toMatch(/,6200,Tax on Purchases$/);
	});

	it("name a vendor as QuickBooks accepts it", async () => {
		await run(
			"update users set last_name = ? where id = ?",
			`O: "Kafor" ${"x".repeat(65)}`,
			idOf("omar"),
		);
		await run("update users set first_name = ? where id = ?", "y".repeat(60), idOf("omar"));
		const { text } = await file("quickbooks");
		expect(text).toContain(`,${"y".repeat(60)} O Kafor ${"x".repeat(31)},`);
		await run(
			"update users set first_name = 'Omar', last_name = 'Okafor' where id = ?",
			idOf("omar"),
		);
	});

	it("refuse another format and an unknown payout", async () => {
		expect((await file("pdf")).status).toBe(400);
		expect((await ada.get(`/payouts/${requestId(9)}/export.csv`)).status).toBe(404);
		expect((await ada.get(`/payouts/${requestId(9)}.pdf`)).status).toBe(404);
	});
});

describe("the PDFs", () => {
	const pdfOf = async (client: typeof ada, path: string) => {
		const { headers, raw } = await client.get(path);
		expect(headers.get("Content-Type")).toBe("application/pdf");
		return (await readPdf(raw)).text;
	};

	it("list every driver and request, the total, and lines to sign", async () => {
		const text = await pdfOf(ada, `/payouts/${payout.id}.pdf`);
		for (const words of [
			"Payout PO-000001",
			"Dana Driver",
			"Omar Okafor",
			"$19.75",
			"$1,234.56",
			"$1,254.31",
			"ACH 42",
			"Name and signature",
		])
			expect(text).toContain(words);
	});

	it("include a statement with only the driver's own line", async () => {
		const text = await pdfOf(dana, `/history/payouts/${payout.id}.pdf`);
		for (const words of [
			"Payout Statement PO-000001",
			"Dana Driver (DRV-0001)",
			"$19.75",
			"FR-000003",
		])
			expect(text).toContain(words);
		expect(text).not.toMatch(/Omar|1,234\.56|FR-000002/);
		expect((await (await fleet.as("lena")).get(`/history/payouts/${payout.id}.pdf`)).status).toBe(
			404,
		);
		expect((await omar.get(`/history/payouts/${payout.id}.pdf`)).status).toBe(200);
	});

	it("include no statement while the payout is open", async () => {
		const made = await gather(ada, { requestIds: [await insertApproved(run, 9, "dana", 1_00)] });
		expect((await dana.get(`/history/payouts/${made.id}.pdf`)).status).toBe(404);
	});
});

it("shows the driver which payout paid a request: on the request, in History and in its CSV", async () => {
	const day = new Date(`${TODAY}T00:00Z`).toLocaleDateString("en-US", {
		month: "short",
		day: "numeric",
		timeZone: "UTC",
	});
	const words = `Paid ${day} · PO-000001`;
	const requests = (await omar.get("/requests")).text;
	expect(requests).toContain(words);
	expect(requests).toContain(`href="/history/payouts/${payout.id}.pdf"`);
	expect((await omar.get("/history?range=quarter")).text).toContain(words);
	expect((await omar.get("/history/export.csv?range=quarter")).text).toMatch(
		new RegExp(`maintenance request,1234\\.56,${words},1234\\.56,,,\\r\\n`),
	);
	const list = (await ada.get("/fund-requests")).text;
	expect(plain(rowOf(list, requestId(2)))).toContain(`Paid ${day}|PO-000001`);
	expect((await ada.get("/fund-requests?open=FR-000002")).text).toContain(words);
});

it("records every file in the audit before sending it, and nothing for HEAD", async () => {
	const entries = () =>
		fleet.sql<{ action: string; actor_id: string; entity_id: string; after: string }>(
			"select action, actor_id, entity_id, after from audit_events where action like 'payout.%port' or action = 'payout.statement' order by id desc limit 1",
		);
	await file("xero");
	expect(await entries()).toEqual([
		{
			action: "payout.export",
			actor_id: idOf("ada"),
			entity_id: "payout-PO-000001-xero.csv",
			after: '{"format":"xero"}',
		},
	]);
	await omar.get(`/history/payouts/${payout.id}.pdf`);
	expect(await entries()).toMatchObject([{ action: "payout.statement", actor_id: idOf("omar") }]);
	await ada.request(`/payouts/${payout.id}/export.csv`, { method: "HEAD" });
	expect(await entries()).toMatchObject([{ action: "payout.statement" }]);
});
