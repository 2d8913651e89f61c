/** Payouts that hold settlements: the API, the screens and the files. */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo, describePeriod } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { deletePayouts, gather, insertApproved } from "../support/payouts.ts";
import { readPdf } from "../support/report-files.ts";
import { insertSettlement, published, settlementId } from "../support/settlements.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const [ada, ben, dana] = [await fleet.as("ada"), await fleet.as("ben"), await fleet.as("dana")];
const run = fleet.sql.bind(fleet);
const TODAY = daysAgo(0);
const FIRST = parseCalendarDate("2026-01-05");
const WEEK = describePeriod(FIRST, addDays(FIRST, 6));
const PAYMENT = { status: "paid", paidOn: TODAY, reference: "ACH 42" };
const plain = (html: string) =>
	html
		.replace(/<script[\s\S]*?<\/script>/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ");
/** A PDF's text. */
async function pdfOf(client: typeof ada, path: string): Promise<string> {
	const answer = await client.get(path);
	expect(answer.status).toBe(200);
	return (await readPdf(answer.raw)).text;
}
async function call<Body>(method: string, path: string, body?: object, status = 200) {
	const answer = await ada.call(method, path, body);
	expect(answer.status, answer.text).toBe(status);
	return JSON.parse(answer.text) as Body;
}
type Settlement = {
	readonly status: string;
	readonly payout: { readonly number: string; readonly status: string } | null;
};
const settlement = (id: string) => call<Settlement>("GET", `/api/settlements/${id}`);

let [own, omars, request] = ["", "", ""];
beforeEach(async () => {
	await deletePayouts(run);
	own = await insertSettlement(run, 1, "dana", FIRST, published(311_00));
	omars = await insertSettlement(run, 2, "omar", FIRST, published(20_00));
	await insertSettlement(run, 3, "lena", FIRST, published(-5_00));
	request = await insertApproved(run, 1, "dana", 12_50);
});

describe("the API", () => {
	it("pays settlements beside requests, and each settlement says where it is", async () => {
		const made = await gather(ada, { requestIds: [request], settlementIds: [own] });
		expect(made).toMatchObject({
			total: "323.50",
			lines: [
				{
					...{ driverIdCode: "DRV-0001", amount: "323.50" },
					requests: [{ id: request, requestNumber: "FR-000001", amount: "12.50" }],
					settlements: [{ id: own, number: "ST-000001", amount: "311.00" }],
				},
			],
		});
		expect(await settlement(own)).toMatchObject({
			...{ status: "published", payout: { number: made.number, status: "open" } },
		});
		const put = (body: object, status = 200) =>
			call("PUT", `/api/payouts/${made.id}`, body, status);
		const voided = { status: "void" };
		const refused = await call<{ message: string }>("PUT", `/api/settlements/${own}`, voided, 409);
		expect(refused.message).toMatch(/^ST-000001 .* is in PO-000001\. Nothing was voided\.$/);
		expect(await put({ ...PAYMENT, paidOn: "2026-01-10" }, 400)).toMatchObject({
			fields: { paidOn: [expect.stringContaining("It can't be paid before")] },
		});
		await put(PAYMENT);
		expect(await settlement(own)).toMatchObject({ status: "paid", payout: { status: "paid" } });
		await call("PUT", `/api/settlements/${own}`, voided, 409);
		await put({ status: "open" });
		expect(await settlement(own)).toMatchObject({
			status: "published",
			payout: { status: "open" },
		});
		await put({ status: "cancelled" });
		expect(await settlement(own)).toMatchObject({ status: "published", payout: null });
		await call("PUT", `/api/settlements/${own}`, voided);
	});

	it("takes both kinds of all or of one driver, and nothing that is below zero", async () => {
		const first = await gather(ada, { driverId: idOf("dana") });
		expect(first.total).toBe("323.50");
		const rest = await gather(ada, { all: true });
		expect(rest.lines).toMatchObject([{ requests: [], settlements: [{ id: omars }] }]);
		const list = await call<{ id: string }[]>("GET", `/api/payouts?driverId=${idOf("omar")}`);
		expect(list.map(({ id }) => id)).toEqual([rest.id]);
		const since = await call<{ id: string }[]>(
			"GET",
			"/api/settlements?updatedSince=2020-01-01T00:00:00Z",
		);
		expect(since.map(({ id }) => id).sort()).toEqual([own, omars].sort());
	});

	it("names what prevents it: 409", async () => {
		await gather(ben, { settlementIds: [own] });
		const ids = [own, omars, settlementId(3), settlementId(99)];
		const refused = await call("POST", "/api/payouts", { settlementIds: ids }, 409);
		expect(refused).toEqual({
			message:
				"No payout was created: 3 of 4 can't be paid. ST-000001 is in PO-000001. ST-000003 has nothing to pay. Settlement not found.",
			requests: [],
			settlements: [
				{ id: own, number: "ST-000001", reason: "ST-000001 is in PO-000001." },
				{ id: ids[2], number: "ST-000003", reason: "ST-000003 has nothing to pay." },
				{ id: ids[3], number: null, reason: "Settlement not found." },
			],
		});
		for (const body of [
			{ settlementIds: [] },
			{ settlementIds: [own], all: true },
			{ settlementIds: own },
			{
				...{ requestIds: Array(300).fill(request), settlementIds: Array(201).fill(own) },
			},
		])
			await call("POST", "/api/payouts", body, 400);
	});
});

describe("the screens", () => {
	it("count settlements in what is to be paid, by driver and row by row", async () => {
		const { text } = await ada.get("/payouts");
		expect(plain(text)).toMatch(/Ready to pay \$343\.50 1 request and 2 settlements/);
		expect(plain(text)).toMatch(/Dana Driver DRV-0001 1 1 \$323\.50/);
		const choose = await ada.get(`/payouts?choose=${idOf("dana")}`);
		expect(plain(choose.text)).toContain("Choose Dana Driver&#x27;s requests and settlements");
		expect(plain(choose.text)).toContain(`ST-000001 Dana Driver DRV-0001 ${WEEK} $311.00`);
		const form = formWith(choose.text, "Create payout");
		const ticked = { ...form.fields, ids: request, settlementIds: own };
		const made = await ada.post(form.action, ticked);
		expect(made.status).toBe(303);
		const refused = await ada.post(form.action, { ...ticked, key: "other", ids: "" });
		expect(refused.status).toBe(409);
		expect(plain(refused.text)).toContain("No payout was created. ST-000001 is in PO-000001.");
		const path = made.headers.get("Location") ?? "";
		const page = await ada.get(path);
		expect(plain(page.text)).toContain("Requests and settlements 1 + 1");
		expect(plain(page.text)).toContain(`ST-000001 Settlement, ${WEEK} $311.00`);
		const cancel = plain((await ada.get(`${path}?dialog=cancel`)).text);
		expect(cancel).toContain("Its 1 request and 1 settlement of $323.50 will be unpaid again");
		const after = plain((await ada.get("/payouts?status=open")).text);
		expect(after).toMatch(/In open payouts \$323\.50 1 request and 1 settlement/);
		expect(after).toMatch(/PO-000001 .* Open 1 1 1 \$323\.50/);
		expect(plain((await ada.get("/")).text)).toContain("$343.50 approved but unpaid");
	});

	it("say of settlements alone, without naming requests, that they are unpaid again", async () => {
		const made = await gather(ada, { settlementIds: [own] });
		await call("PUT", `/api/payouts/${made.id}`, PAYMENT);
		const page = `/payouts/${made.id}`;
		const undone = await ada.postAndFollow(page, { intent: "reopen" });
		expect(plain(undone.text)).toContain("Payout reopened Nothing in it is counted as paid.");
		const canceled = await ada.postAndFollow(page, { intent: "cancel" });
		expect(plain(canceled.text)).toContain("Payout canceled Everything in it is unpaid again.");
	});

	it("tell drivers what is to be paid and what was, with a statement", async () => {
		expect(plain((await dana.get("/")).text)).toContain("To be paid $323.50 (2)");
		const made = await gather(ada, { driverId: idOf("dana") });
		await call("PUT", `/api/payouts/${made.id}`, PAYMENT);
		expect(plain((await dana.get("/")).text)).toContain("Paid $323.50 on ");
		const person = plain((await ada.get(`/drivers/${idOf("dana")}`)).text);
		expect(person).toMatch(/Paid this year \$323\.50/);
		const text = await pdfOf(dana, `/history/payouts/${made.id}.pdf`);
		for (const words of ["ST-000001", WEEK, "$311.00", "FR-000001", "$323.50"])
			expect(text).toContain(words);
	});
});

describe("the files", () => {
	const rows = (text: string) => text.trimEnd().split("\r\n").slice(1);

	it("have settlements after the requests, and bills book them to an account of their own", async () => {
		await ada.post("/settings", {
			...{ intent: "accounting", accountCode: "6200", settlementAccountCode: "  5000 " },
			...{ taxType: "Exempt", quickbooksTaxCode: "" },
		});
		const made = await gather(ada, { driverId: idOf("dana") });
		await call("PUT", `/api/payouts/${made.id}`, PAYMENT);
		const file = async (format: string) =>
			rows((await ada.get(`/payouts/${made.id}/export.csv?format=${format}`)).text);
		const paid = `PO-000001,Paid,${TODAY},ACH 42,DRV-0001,Dana Driver`;
		expect(await file("drivers")).toEqual([`${paid},1,323.50,1`]);
		expect((await file("requests"))[1]).toBe(
			`${paid},ST-000001,Settlement,"${WEEK}",${addDays(FIRST, 6)},311.00`,
		);
		const words = `"ST-000001 Settlement: ${WEEK}"`;
		expect((await file("xero"))[1]).toBe(
			`Dana Driver,PO-000001-DRV-0001,${TODAY},${TODAY},${words},1,311.00,5000,Exempt`,
		);
		expect((await file("xero"))[0]).toMatch(/,12\.50,6200,Exempt$/);
		expect((await file("quickbooks"))[1]).toContain(`,5000,${words},311.00,`);
		await ada.post("/settings", {
			...{ intent: "accounting", accountCode: "449", settlementAccountCode: "" },
			...{ taxType: "Tax Exempt (0%)", quickbooksTaxCode: "" },
		});
		expect((await file("xero"))[1]).toContain(",311.00,310,");
		expect(rows((await ada.get("/payouts/export.csv")).text)[0]).toMatch(/,1,1,323\.50,1$/);
		const text = await pdfOf(ada, `/payouts/${made.id}.pdf`);
		for (const each of ["Settlements", "ST-000001", "$311.00", "$323.50"])
			expect(text).toContain(each);
	});

	it("have no column of settlements in a payout of settlements alone but theirs", async () => {
		const made = await gather(ada, { settlementIds: [omars] });
		const text = await pdfOf(ada, `/payouts/${made.id}.pdf`);
		expect(text).toContain("ST-000002");
		expect(text).not.toContain("Request ID");
		expect(plain((await ada.get(`/payouts/${made.id}`)).text)).toContain("Settlements 1");
	});
});
