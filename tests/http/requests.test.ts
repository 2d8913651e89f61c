/** Fund Requests without JavaScript, its receipts and its calls (spec §2, §5, §7; decisions 'Fund requests and receipts'). */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MOST_BYTES } from "../../app/domain/receipts/rules.ts";
import { dateIn, showDate } from "../../app/values/calendar-date.ts";
import { type CastName, idOf, ZONE } from "../cast.ts";
import { formsIn, formWith, multipart, type SentFile } from "../forms.ts";
import { receiptCorpus } from "../receipt-corpus.ts";
import { type Answer, type Client, openFleet } from "../worker.ts";

const state = mkdtempSync(join(tmpdir(), "milepost-requests-"));
const fleet = await openFleet({ state });
afterAll(() => rmSync(state, { recursive: true, force: true }));

const corpus = receiptCorpus();
const named = (mediaType: string, name: string): SentFile => {
	const found = corpus.find(({ expected }) => typeof expected !== "string" && expected.mediaType === mediaType && !expected.isNotShown);
	return { bytes: found?.bytes ?? expect.unreachable(mediaType), name };
};
const JPEG = named("image/jpeg", "pump.jpg");
const PNG = named("image/png", "wash.png");
const PDF = named("application/pdf", "invoice.pdf");
const SVG = {
	bytes: new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
	name: "receipt.png",
	type: "image/png",
};
const large = (size: number): SentFile => {
	const bytes = new Uint8Array(size);
	bytes.set(JPEG.bytes);
	return { bytes, name: "huge.jpg", type: "image/jpeg" };
};

let counted = 0;
/** The form as it stands, with some fields typed over; like no other unless it is told to be. */
async function fill(client: Client, typed: Record<string, string> = {}, path = "/requests") {
	const { fields } = formWith((await client.get(path)).text, "Submit Request");
	const filled: Record<string, string> = { ...fields, type: "gas", amount: "45.50", description: `Fuel ${++counted}`, ...typed };
	return filled;
}
const send = async (client: Client, fields: Record<string, string>, file?: SentFile, mayFail = false) =>
	client.request("/requests", { ...(await multipart(fields, file)), mayFail });
const idIn = (answer: Answer) =>
	/#request-([0-9a-f-]{36})$/.exec(answer.headers.get("Location") ?? "")?.[1] ?? expect.unreachable(answer.text.slice(0, 400));
type Row = { number: number; receipt_id: string | null; status: string; amount_cents: number; type: string; description: string };
const rowOf = async (id: string) => (await fleet.sql<Row>("select * from fund_requests where id = ?", id))[0] ?? expect.unreachable(id);
const counts = () => fleet.sql("select (select count(*) from fund_requests) as requests, (select count(*) from receipts) as receipts");
/** The row of a request in the list's HTML. */
const shownRow = (text: string, id: string) =>
	new RegExp(`<li id="request-${id}"[\\s\\S]*?</li>`).exec(text)?.[0] ?? expect.unreachable(id);
const typedIn = ({ fields }: { fields: Record<string, string> }) => {
	const { receipt: _, receiptUrl: __, confirm: ___, ...typed } = fields;
	return typed;
};

describe("the form", () => {
	it("offers the three types, a decimal amount, and a file that names what it takes", async () => {
		const client = await fleet.as("lena");
		const { status, text, headers } = await client.get("/requests");
		expect(status).toBe(200);
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		for (const words of [
			">Fund Requests</h1>",
			"Submit New Fund Request",
			"Recent Requests",
			"No fund requests yet",
			"JPEG, PNG, WebP or PDF, up to 8 MB",
		])
			expect(text).toContain(words);
		const { html, fields } = formWith(text, "Submit Request");
		expect(html).toMatch(
			/<option value=""[^>]*>Choose a type<.*value="gas"[^>]*>Gas\/Fuel<.*value="maintenance"[^>]*>Vehicle Maintenance<.*value="other"[^>]*>Other</,
		);
		expect(html).toMatch(/^<form[^>]*enctype="multipart\/form-data"/i);
		expect(html).toMatch(/inputMode="decimal"/i);
		expect(html).toContain('accept="image/jpeg,image/png,image/webp,application/pdf"');
		expect(html).not.toMatch(/\srequired/);
		expect(Object.keys(fields).sort()).toEqual(["amount", "asUser", "description", "key", "receipt", "type"]);
		// What was typed stands before the file, so that it survives when the file is cut off.
		for (const name of ["key", "type", "amount", "description"])
			expect(html.indexOf(`name="${name}"`)).toBeLessThan(html.indexOf('name="receipt"'));
	});

	it.each([
		["a photo", JPEG, "image/jpeg"],
		["a PNG", PNG, "image/png"],
		["a PDF", PDF, "application/pdf"],
	])("submits a request with %s in two trips, says so, lists it, and offers a fresh form", async (_, file, mediaType) => {
		const client = await fleet.as("dana");
		const fields = await fill(client, { type: "maintenance", amount: "1234,5", description: "New <tyres>\nboth front" });
		const answer = await send(client, { ...fields, description: `${fields.description} ${mediaType}` }, file);
		expect(answer.status).toBe(303);
		expect(answer.headers.get("Location")).toMatch(/^\/requests#request-/);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const id = idIn(answer);
		expect(await rowOf(id)).toMatchObject({ type: "maintenance", amount_cents: 123_450, status: "pending" });
		const page = await client.get("/requests");
		expect(page.text).toContain("Fund request submitted successfully");
		const row = shownRow(page.text, id);
		const { number, receipt_id } = await rowOf(id);
		for (const words of [
			"Vehicle Maintenance",
			`FR-${String(number).padStart(6, "0")}`,
			"$1,234.50",
			`Submitted ${showDate(dateIn(ZONE, Date.now()))}`,
			"New &lt;tyres&gt;\nboth front",
			">Pending</span>",
			`href="/api/receipts/${receipt_id}"`,
			file.name,
		])
			expect(row).toContain(words);
		expect(row).not.toContain("Add receipt");
		const fresh = formWith(page.text, "Submit Request").fields;
		expect(fresh).toMatchObject({ type: "", amount: "", description: "" });
		expect(fresh.key).not.toBe(fields.key);
		const stored = await client.get(`/api/receipts/${receipt_id}`);
		expect(stored.status).toBe(200);
		expect(stored.headers.get("Content-Type")).toBe(mediaType);
	});

	it("submits without a file, and by an ordinary form too", async () => {
		const client = await fleet.as("dana");
		const id = idIn(await send(client, await fill(client)));
		expect((await rowOf(id)).receipt_id).toBeNull();
		expect(shownRow((await client.get("/requests")).text, id)).toContain("Add receipt");
		expect((await client.post("/requests", await fill(client))).status).toBe(303);
	});

	it.each([
		["the type is missing", { type: "" }, "Please fill in all required fields"],
		["the amount is missing", { amount: " " }, "Please fill in all required fields"],
		["the description is missing", { description: "" }, "Please fill in all required fields"],
		["everything is missing", { type: "", amount: "", description: "" }, "Please fill in all required fields"],
		["the type is none of the three", { type: "bribe" }, "Please choose one of the request types"],
		["the amount is ambiguous", { amount: "1,250" }, "can be read in two ways"],
		["the amount has three decimals", { amount: "1.255" }, "at most two decimals"],
		["the amount has an exponent", { amount: "1e3" }, "at most two decimals"],
		["the amount is negative", { amount: "-5" }, "at most two decimals"],
		["the amount is 0", { amount: "0.00" }, "above 0 and at most 100,000.00"],
		["the amount is too large", { amount: "100000.01" }, "above 0 and at most 100,000.00"],
		["the description is too long", { description: "x".repeat(2001) }, "at most 2000 characters"],
	])("refuses when %s, keeps what was typed and stores no request", async (_, typed, message) => {
		const client = await fleet.as("dana");
		const [before] = await counts();
		const fields = await fill(client, typed);
		const { status, text } = await send(client, fields);
		expect(status).toBe(400);
		expect(text).toContain(message);
		expect(formWith(text, "Submit Request").fields).toEqual({
			...fields,
			...("type" in typed && typed.type === "bribe" ? { type: "" } : {}),
		});
		expect(await counts()).toEqual([before]);
	});

	it("keeps the file of a form that was not right, and sends it with the next", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client, { amount: "" });
		const { status, text } = await send(client, fields, JPEG);
		expect(status).toBe(400);
		expect(text).toContain("Receipt selected: pump.jpg");
		const kept = formWith(text, "Submit Request").fields;
		expect(kept.receiptUrl).toMatch(/^\/api\/receipts\/[0-9a-f-]{36}$/);
		// Wrong once more, without choosing the file again.
		const again = await send(client, { ...kept, amount: "x" });
		expect(again.text).toContain("Receipt selected: pump.jpg");
		const id = idIn(await send(client, { ...formWith(again.text, "Submit Request").fields, amount: "12" }));
		expect(`/api/receipts/${(await rowOf(id)).receipt_id}`).toBe(kept.receiptUrl);
	});

	it("asks about the same request within 10 minutes, keeps its file, and takes it when the form is sent again", async () => {
		const client = await fleet.as("omar");
		const fields = await fill(client);
		await send(client, fields);
		const second = { ...fields, key: crypto.randomUUID() };
		const { status, text } = await send(client, second, PDF);
		expect(status).toBe(409);
		expect(text).toContain("press Submit Request again");
		expect(text).toContain("Receipt selected: invoice.pdf");
		const asked = formWith(text, "Submit Request");
		expect(typedIn(asked)).toEqual(typedIn({ fields: second }));
		const id = idIn(await send(client, asked.fields));
		const page = await client.get("/requests");
		expect(page.text).toContain("Fund request submitted successfully");
		expect(shownRow(page.text, id)).toContain("Possible duplicate");
		expect(shownRow(page.text, id)).toContain("invoice.pdf");
	});

	it("answers the resend of a submission with the same request, file and all", async () => {
		const client = await fleet.as("omar");
		const fields = await fill(client);
		const first = await send(client, fields, JPEG);
		const [before] = await counts();
		const again = await send(client, fields, JPEG);
		expect(again.status).toBe(303);
		expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
		const { number } = await rowOf(idIn(first));
		const page = await client.get("/requests");
		expect(page.text).toMatch(new RegExp(`Already received: FR-${String(number).padStart(6, "0")}, \\d\\d:\\d\\d<`));
		expect(await counts()).toEqual([before]);
		const changed = await send(client, { ...fields, amount: "99" });
		expect(changed.status).toBe(409);
		expect(changed.text).toContain(`that is FR-${String(number).padStart(6, "0")}`);
		const renewed = formWith(changed.text, "Submit Request").fields;
		expect(renewed.key).not.toBe(fields.key);
		expect((await send(client, renewed)).status).toBe(303);
	});
});

describe("a file that cannot be taken", () => {
	it.each([
		["8 MB and a byte", () => large(MOST_BYTES + 1), "larger than 8 MB"],
		["20 MB", () => large(20 * 1024 * 1024), "larger than 8 MB"],
		["an SVG called PNG", () => SVG, "An SVG cannot be a receipt"],
		["an empty file", () => ({ bytes: new Uint8Array(), name: "empty.jpg" }), "This file is empty"],
	])("(%s) does not stand in the way of its request", async (_, file, why) => {
		const client = await fleet.as("dana");
		const [before] = await fleet.sql<{ n: number }>("select count(*) as n from receipts");
		const fields = await fill(client, { description: `Kept although its file was not ${++counted}` });
		const answer = await send(client, fields, file());
		expect(answer.status).toBe(303);
		const location = answer.headers.get("Location") ?? "";
		const id = idIn(answer);
		expect(await rowOf(id)).toMatchObject({ receipt_id: null, description: fields.description });
		const page = await client.get(location.replace(/#.*/, ""));
		expect(page.text).toContain("The request is saved, the file is not.");
		expect(page.text).toContain(why);
		expect(page.text).toContain("Fund request submitted successfully. The receipt was not stored");
		expect(await fleet.sql("select count(*) as n from receipts")).toEqual([before]);
		const { fields: row } = formsIn(shownRow(page.text, id))[0] ?? expect.unreachable();
		const added = await send(client, row, PDF);
		expect(added.status).toBe(303);
		expect(added.headers.get("Location")).toBe(`/requests#request-${id}`);
		expect(added.headers.get("Server-Timing")).toContain("2 trips");
		expect((await client.get("/requests")).text).toContain("Receipt added");
		expect((await rowOf(id)).receipt_id).not.toBeNull();
	});

	it("is told beside its row when it is added later", async () => {
		const client = await fleet.as("dana");
		const id = idIn(await send(client, await fill(client)));
		const add = { intent: "add-receipt", id };
		for (const [file, status, words] of [
			[SVG, 400, "An SVG cannot be a receipt"],
			[large(20 * 1024 * 1024), 413, "larger than 8 MB"],
			[undefined, 400, "Please choose the receipt first."],
		] as const) {
			const answer = await send(client, add, file);
			expect(answer.status).toBe(status);
			expect(shownRow(answer.text, id)).toContain(words);
			expect(shownRow(answer.text, id)).toMatch(/<details[^>]* open=""/);
		}
		expect((await send(client, add, PNG)).status).toBe(303);
		// The same again is the same; another is too late.
		expect((await send(client, add, PNG)).status).toBe(303);
		const late = await send(client, add, JPEG);
		expect(late.status).toBe(409);
		expect(late.text).toContain("has a receipt already");
		const foreign = await send(await fleet.as("omar"), add, JPEG);
		expect(foreign.status).toBe(404);
	});

	it("does not lose an earlier file that is kept", async () => {
		const client = await fleet.as("dana");
		const first = await send(client, await fill(client, { amount: "" }), JPEG);
		const kept = formWith(first.text, "Submit Request").fields;
		const second = await send(client, kept, SVG);
		expect(second.text).toContain("The file was not kept. An SVG cannot be a receipt");
		expect(second.text).toContain("Receipt selected: pump.jpg");
	});
});

describe("mending a request", () => {
	it("corrects a pending one in one step; its receipt moves over", async () => {
		const client = await fleet.as("dana");
		const old = idIn(await send(client, await fill(client, { amount: "1000" }), JPEG));
		const { receipt_id } = await rowOf(old);
		const page = await client.get(`/requests?correct=${old}`);
		expect(page.headers.get("Server-Timing")).toContain("1 trip,");
		expect(page.text).toContain("You are correcting a pending request");
		expect(page.text).toContain("Receipt selected: pump.jpg");
		const { fields } = formWith(page.text, "Submit Request");
		expect(fields).toMatchObject({ type: "gas", amount: "1000.00", replacesId: old, receiptUrl: `/api/receipts/${receipt_id}` });
		const answer = await send(client, { ...fields, amount: "100.00" });
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const id = idIn(answer);
		expect(await rowOf(id)).toMatchObject({ amount_cents: 10_000, receipt_id });
		expect(await rowOf(old)).toMatchObject({ status: "withdrawn", receipt_id: null });
		const after = (await client.get("/requests")).text;
		expect(after).toContain("Fund request corrected");
		expect(shownRow(after, old)).toContain(">Withdrawn</span>");
	});

	it("does not correct one that was decided meanwhile, and offers to send a new one", async () => {
		const client = await fleet.as("dana");
		const old = idIn(await send(client, await fill(client)));
		const { fields } = formWith((await client.get(`/requests?correct=${old}`)).text, "Submit Request");
		await fleet.sql(
			"update fund_requests set status = 'approved', decided_at = ?, decided_by = ? where id = ?",
			Date.now(),
			idOf("ada"),
			old,
		);
		const answer = await send(client, { ...fields, amount: "77" });
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("can no longer be corrected");
		const next = formWith(answer.text, "Submit Request").fields;
		expect(next).toMatchObject({ amount: "77", description: fields.description });
		expect(next.replacesId).toBeUndefined();
		expect((await send(client, next)).status).toBe(303);
		expect((await client.get(`/requests?correct=${old}`)).text).not.toContain("You are correcting");
	});

	it("withdraws after asking", async () => {
		const client = await fleet.as("dana");
		const id = idIn(await send(client, await fill(client)));
		const link = /href="(\/requests\?dialog=withdraw[^"]+)"/.exec(shownRow((await client.get("/requests")).text, id))?.[1] ?? "";
		const dialog = await client.get(link.replaceAll("&amp;", "&"));
		expect(dialog.text).toContain("Withdraw this request?");
		const { fields, action } = formWith(dialog.text, "Withdraw request");
		const answer = await client.post(action, fields);
		expect(answer.headers.get("Location")).toBe(`/requests#request-${id}`);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const page = (await client.get("/requests")).text;
		expect(page).toContain("Request withdrawn");
		expect(shownRow(page, id)).toContain(">Withdrawn</span>");
		expect(shownRow(page, id)).not.toMatch(/Correct|Add receipt/);
		const again = await client.post("/requests", fields);
		expect(again.status).toBe(409);
		expect(again.text).toContain("is already withdrawn");
	});

	it("withdraws nobody else's", async () => {
		const id = idIn(await send(await fleet.as("dana"), await fill(await fleet.as("dana"))));
		const omar = await fleet.as("omar");
		expect((await omar.get(`/requests?dialog=withdraw&id=${id}`)).text).not.toContain("Withdraw this request?");
		expect((await omar.get(`/requests?correct=${id}`)).text).not.toContain("You are correcting");
		for (const each of [id, "1' or 1=1"]) expect((await omar.post("/requests", { intent: "withdraw", id: each })).status).toBe(404);
		expect((await rowOf(id)).status).toBe("pending");
	});

	it("shows who decided, when, and the note", async () => {
		const client = await fleet.as("dana");
		const id = idIn(await send(client, await fill(client)));
		await fleet.sql(
			"update fund_requests set status = 'rejected', decided_at = ?, decided_by = ?, admin_notes = ? where id = ?",
			Date.UTC(2026, 0, 2, 3, 4),
			idOf("ada"),
			"Please <ask> first",
			id,
		);
		const row = shownRow((await client.get("/requests")).text, id);
		expect(row).toContain("Rejected by Ada Admin on Jan 1, 2026 at 10:04 PM");
		expect(row).toContain("Note: Please &lt;ask&gt; first");
		expect(row).toContain(">Rejected</span>");
	});

	it("pages the list by 20, and comes back to the page it acted on", async () => {
		const client = await fleet.as("lena");
		const now = Date.now();
		for (let each = 0; each < 45; each++) {
			await fleet.sql(
				"insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash) values (?, ?, ?, 'gas', 100, ?, 'pending', 'seed', ?, date('now'), 'seed')",
				`20000000-0000-4000-8000-${String(each).padStart(12, "0")}`,
				9000 + each,
				idOf("lena"),
				`Paged ${each}`,
				// Three at each moment, so that pages part rows of the same moment.
				now - 5 * 3_600_000 - Math.floor(each / 3) * 1000,
			);
		}
		const seen: string[] = [];
		let path = "/requests";
		for (let page = 0; page < 5 && path; page++) {
			const { text, headers } = await client.get(path);
			expect(headers.get("Server-Timing")).toContain("1 trip,");
			const ids = [...text.matchAll(/<li id="request-([0-9a-f-]{36})"/g)].map(([, id = ""]) => id);
			seen.push(...ids);
			if (page < 2) expect(ids).toHaveLength(20);
			path = (/href="([^"]*)"[^>]*>Older requests/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&").replace(/#.*/, "");
		}
		expect(seen).toHaveLength(45);
		expect(new Set(seen).size).toBe(45);
		const [, second = ""] = /href="([^"#]*)#recent"[^>]*>Older requests/.exec((await client.get("/requests")).text) ?? [];
		const id = seen[25] ?? "";
		const link = /href="(\/requests\?dialog=withdraw[^"]+)"/.exec(shownRow((await client.get(second)).text, id))?.[1] ?? "";
		const { fields, action } = formWith((await client.get(link.replaceAll("&amp;", "&"))).text, "Withdraw request");
		expect((await client.post(action, fields)).headers.get("Location")).toBe(`${second}#request-${id}`);
		expect((await client.get("/requests?after=nonsense")).status).toBe(200);
	});
});

describe("POST /api/receipts", () => {
	const upload = async (client: Client, file: SentFile | undefined, headers: Record<string, string> = {}, field = "receipt") => {
		const sent = await multipart({}, file, field);
		return client.request("/api/receipts", { ...sent, headers: { ...sent.headers, ...headers } });
	};

	it.each(["receipt", "file"])("keeps the file of the field %s, stripped, for a request that names it", async (field) => {
		const client = await fleet.as("dana");
		const placed = corpus.find(({ hasPlace, expected }) => hasPlace && typeof expected !== "string") ?? expect.unreachable();
		const answer = await upload(client, { bytes: placed.bytes, name: "/photos/my receipt.jpg" }, {}, field);
		expect(answer.status).toBe(201);
		const body = JSON.parse(answer.text);
		expect(body).toEqual({
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			receiptUrl: `/api/receipts/${body.id}`,
			fileName: "my receipt.jpg",
			mediaType: typeof placed.expected === "string" ? "" : placed.expected.mediaType,
			byteSize: expect.any(Number),
		});
		expect(body.byteSize).toBeLessThan(placed.bytes.length);
		const made = await client.call("POST", "/api/fund-requests", {
			type: "gas",
			amount: "5",
			description: `By call ${++counted}`,
			receiptUrl: body.receiptUrl,
		});
		expect(JSON.parse(made.text).receiptUrl).toBe(body.receiptUrl);
	});

	it("answers the same file under the same key with the same receipt", async () => {
		const client = await fleet.as("dana");
		const headers = { "Idempotency-Key": "receipt-key-1" };
		const first = await upload(client, PDF, headers);
		expect((await upload(client, PDF, headers)).text).toBe(first.text);
		expect((await upload(client, PDF)).text).not.toBe(first.text);
		const other = await upload(await fleet.as("omar"), PDF, headers);
		expect(JSON.parse(other.text).id).not.toBe(JSON.parse(first.text).id);
	});

	it("says why it refuses", async () => {
		const client = await fleet.as("dana");
		for (const [file, status, words] of [
			[SVG, 400, "An SVG cannot be a receipt"],
			[undefined, 400, "field named receipt"],
			[large(MOST_BYTES + 1), 413, "larger than 8 MB"],
			[large(20 * 1024 * 1024), 413, "larger than 8 MB"],
		] as const) {
			const answer = await upload(client, file);
			expect(answer.status).toBe(status);
			expect(JSON.parse(answer.text).message).toContain(words);
		}
		expect((await client.call("POST", "/api/receipts", { receipt: "x" })).status).toBe(415);
	});

	it("takes 50 files a day and no more", async () => {
		const client = await fleet.as("lena");
		const answers: number[] = [];
		for (let each = 0; each < 51; each++) answers.push((await upload(client, PNG)).status);
		expect(answers).toEqual([...Array(50).fill(201), 429]);
		const last = await upload(client, PNG);
		expect(JSON.parse(last.text).message).toContain("50 receipt files today");
		expect(last.headers.get("Retry-After")).toBe("3600");
	});
});

describe("GET /api/receipts/{id}", () => {
	const attached = async (name: CastName, file: SentFile) => {
		const client = await fleet.as(name);
		const row = await rowOf(idIn(await send(client, await fill(client), file)));
		return { id: row.receipt_id ?? expect.unreachable(), number: `FR-${String(row.number).padStart(6, "0")}` };
	};

	it("goes to its owner and to administrators; for everybody else there is none", async () => {
		const { id } = await attached("dana", JPEG);
		const unknown = crypto.randomUUID();
		const seen: Record<string, string> = {};
		for (const name of ["dana", "ada", "ben", "omar", "lena", "nora", "nina", "rex"] as const) {
			const client = await fleet.as(name);
			const answer = await client.get(`/api/receipts/${id}`);
			const none = await client.get(`/api/receipts/${unknown}`);
			expect(none.status).toBe(404);
			seen[name] = String(answer.status);
			if (answer.status === 404) expect(answer.text, name).toBe(none.text);
		}
		expect(seen).toEqual({ dana: "200", ada: "200", ben: "200", omar: "404", lena: "404", nora: "404", nina: "404", rex: "404" });
		expect((await fleet.client().get(`/api/receipts/${id}`)).status).toBe(401);
		for (const odd of ["x", "1%27", `${id}x`, id.toUpperCase().replace(/^./, "Z")])
			expect((await (await fleet.as("ada")).get(`/api/receipts/${odd}`)).status).toBe(404);
		const views = await fleet.sql<{ actor_id: string }>(
			"select actor_id from audit_events where action = 'receipt.view' and entity_id = ?",
			id,
		);
		expect(views.map(({ actor_id }) => actor_id).sort()).toEqual([idOf("ada"), idOf("ben")]);
	});

	it.each([
		["a photo", JPEG, "image/jpeg", "inline", "jpg"],
		["a PDF", PDF, "application/pdf", "attachment", "pdf"],
	])("sends %s as what it is, and lets nothing in it run", async (_, file, mediaType, way, extension) => {
		const { id, number } = await attached("omar", file);
		const client = await fleet.as("omar");
		const { headers } = await client.get(`/api/receipts/${id}`);
		expect(
			Object.fromEntries(
				[
					"Content-Type",
					"X-Content-Type-Options",
					"Content-Security-Policy",
					"Cross-Origin-Resource-Policy",
					"Cache-Control",
					"Content-Disposition",
				].map((name) => [name, headers.get(name)]),
			),
		).toEqual({
			"Content-Type": mediaType,
			"X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; sandbox",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control": "private, no-store",
			"Content-Disposition": `${way}; filename="receipt-${number}.${extension}"`,
		});
		const [row] = await fleet.sql<{ sha256: string; byte_size: number }>("select sha256, byte_size from receipts where id = ?", id);
		expect(headers.get("Content-Length")).toBe(String(row?.byte_size));
		const bytes = await fleet.worker.dispatchFetch(`${fleet.origin}/api/receipts/${id}`, {
			headers: { Cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
		});
		expect(
			createHash("sha256")
				.update(new Uint8Array(await bytes.arrayBuffer()))
				.digest("hex"),
		).toBe(row?.sha256);
		const head = await client.request(`/api/receipts/${id}`, { method: "HEAD" });
		expect([head.status, head.text]).toEqual([200, ""]);
	});

	it("is 404, and an error in the log, when the file is gone", async () => {
		const { id } = await attached("omar", PNG);
		await (await fleet.worker.getR2Bucket("RECEIPTS")).delete(`r/${id}`);
		const answer = await (await fleet.as("omar")).get(`/api/receipts/${id}`);
		expect(answer.status).toBe(404);
		expect(fleet.takeErrors()).toEqual([expect.stringContaining("is missing")]);
	});
});

describe("the calls", () => {
	const body = (more: object = {}) => ({ type: "gas", amount: "45.50", description: `By call ${++counted}`, ...more });

	it("creates, and lists a driver's own and the administrator's all, newest first", async () => {
		const client = await fleet.as("omar");
		const made = await client.call(
			"POST",
			"/api/fund-requests",
			body({ amount: 12.5, description: "Wash", type: "other", receiptUrl: "" }),
		);
		expect(made.status).toBe(201);
		const created = JSON.parse(made.text);
		expect(created).toMatchObject({
			requestNumber: expect.stringMatching(/^FR-\d{6}$/),
			driverId: idOf("omar"),
			driverIdCode: "DRV-0002",
			driver: { firstName: "Omar", lastName: "Okafor" },
			type: "other",
			amount: "12.50",
			description: "Wash",
			receiptUrl: null,
			status: "pending",
			adminNotes: null,
			decidedBy: null,
		});
		await fleet.sql(
			"update fund_requests set status = 'approved', decided_at = ?, decided_by = ?, admin_notes = 'Fine' where id = ?",
			Date.now(),
			idOf("ben"),
			created.id,
		);
		const own = JSON.parse((await client.get("/api/fund-requests")).text) as Record<string, unknown>[];
		expect(own[0]).toMatchObject({
			id: created.id,
			status: "approved",
			adminNotes: "Fine",
			decidedBy: { firstName: "Ben", lastName: "Backup" },
		});
		expect(new Set(own.map(({ driverId }) => driverId))).toEqual(new Set([idOf("omar")]));
		const moments = own.map(({ createdAt }) => String(createdAt));
		expect(moments).toEqual(moments.toSorted().toReversed());
		const [all] = await fleet.sql<{ n: number }>("select count(*) as n from fund_requests");
		const admin = await fleet.as("ada");
		const answer = await admin.get("/api/fund-requests");
		expect(JSON.parse(answer.text)).toHaveLength(all?.n ?? 0);
		expect(answer.headers.get("Server-Timing")).toContain("1 trip,");
		expect(JSON.parse((await admin.get("/api/fund-requests?limit=3")).text)).toHaveLength(3);
		expect((await admin.get("/api/fund-requests?limit=0")).status).toBe(400);
	});

	it("uses the form's words", async () => {
		const client = await fleet.as("omar");
		const missing = await client.call("POST", "/api/fund-requests", { type: "gas", amount: "1" });
		expect(missing.status).toBe(400);
		expect(JSON.parse(missing.text)).toEqual({
			message: "Please fill in all required fields",
			fields: { description: ["Please fill in all required fields"] },
		});
		for (const wrong of [
			{ amount: "1e3" },
			{ amount: 1.255 },
			{ type: "bribe" },
			{ receiptUrl: "https://evil.test/x.png" },
			{ receiptUrl: "//evil.test" },
			{ receiptUrl: "javascript:alert(1)" },
			{ receiptUrl: "../x" },
		])
			expect((await client.call("POST", "/api/fund-requests", body(wrong))).status, JSON.stringify(wrong)).toBe(400);
	});

	it("keeps a bare file name as the receipt's name, with nothing to open", async () => {
		const client = await fleet.as("omar");
		const made = JSON.parse((await client.call("POST", "/api/fund-requests", body({ receiptUrl: "pump <1>.jpg" }))).text);
		expect(made.receiptUrl).toBe("pump <1>.jpg");
		const row = shownRow((await client.get("/requests")).text, made.id);
		expect(row).toContain("pump &lt;1&gt;.jpg");
		expect(row).not.toContain("/api/receipts/");
	});

	it("refuses another's receipt, a used one and an unknown one alike", async () => {
		const dana = await fleet.as("dana");
		const { receiptUrl } = JSON.parse((await dana.request("/api/receipts", await multipart({}, JPEG))).text);
		const omar = await fleet.as("omar");
		const answers = [await omar.call("POST", "/api/fund-requests", body({ receiptUrl }))];
		await dana.call("POST", "/api/fund-requests", body({ receiptUrl }));
		answers.push(await dana.call("POST", "/api/fund-requests", body({ receiptUrl })));
		answers.push(await dana.call("POST", "/api/fund-requests", body({ receiptUrl: `/api/receipts/${crypto.randomUUID()}` })));
		expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
	});

	it("answers the same Idempotency-Key with the first result, and refuses it for other values", async () => {
		const client = await fleet.as("omar");
		const headers = { "Idempotency-Key": "request-call-1" };
		const sent = body();
		const first = await client.call("POST", "/api/fund-requests", sent, { headers });
		const again = await client.call("POST", "/api/fund-requests", sent, { headers });
		expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([201, first.text, "true"]);
		expect((await client.call("POST", "/api/fund-requests", { ...sent, amount: "1" }, { headers })).status).toBe(422);
	});

	it("never asks about a duplicate, and flags it", async () => {
		const client = await fleet.as("omar");
		const sent = body();
		await client.call("POST", "/api/fund-requests", sent);
		expect(JSON.parse((await client.call("POST", "/api/fund-requests", sent)).text).isPossibleDuplicate).toBe(true);
	});

	it("replaces a pending request, and says 409 when it cannot", async () => {
		const client = await fleet.as("omar");
		const { id } = JSON.parse((await client.call("POST", "/api/fund-requests", body())).text);
		expect((await client.call("POST", "/api/fund-requests", body({ replacesId: id }))).status).toBe(201);
		const late = await client.call("POST", "/api/fund-requests", body({ replacesId: id }));
		expect(late.status).toBe(409);
		expect(JSON.parse(late.text).message).toContain("can no longer be corrected");
	});

	it("ignores a driverId, a status and a number in the body", async () => {
		const client = await fleet.as("omar");
		const made = await client.call(
			"POST",
			"/api/fund-requests",
			body({ driverId: idOf("dana"), status: "approved", requestNumber: "FR-000001", id: idOf("dana") }),
		);
		expect(JSON.parse(made.text)).toMatchObject({ driverId: idOf("omar"), status: "pending" });
	});
});

describe("when the database fails", () => {
	it.each(["users", "fund_requests", "receipts", "mails"])("keeps what was typed, says so, and saves nothing (%s gone)", async (table) => {
		const client = await fleet.as("omar");
		const fields = await fill(client, { description: `Do not lose me ${table}` });
		await fleet.sql(`alter table ${table} rename to hidden`);
		const answer = await send(client, fields, JPEG, true);
		await fleet.sql(`alter table hidden rename to ${table}`);
		expect(answer.status).toBe(503);
		expect(answer.text).toContain("Failed to submit fund request");
		expect(answer.text).toContain("The file you chose cannot be kept here.");
		const { fields: kept, action } = formWith(answer.text, "Send again");
		expect(action).toBe("/requests");
		const { receipt: _, ...typed } = fields;
		expect(kept).toEqual(typed);
		expect(fleet.takeErrors()).toHaveLength(1);
		expect((await client.post("/requests", kept)).status).toBe(303);
		expect(await fleet.sql("select 1 from fund_requests where description = ?", fields.description)).toHaveLength(1);
	});
});

describe("when the file store fails", () => {
	/** What workerd reads and writes for the bucket is put away, and a link to itself stands in its place: neither there nor missing. */
	async function without<T>(act: () => Promise<T>): Promise<T> {
		const folder = join(state, "r2", "milepost-receipts", "blobs");
		expect(readdirSync(folder).length).toBeGreaterThan(0);
		renameSync(folder, `${folder}-away`);
		symlinkSync("blobs", folder);
		try {
			return await act();
		} finally {
			rmSync(folder);
			renameSync(`${folder}-away`, folder);
		}
	}
	beforeAll(async () => {
		const client = await fleet.as("dana");
		await send(client, await fill(client), PNG);
	});
	const fileStoreErrors = () => fleet.takeErrors().filter((line) => line.includes('"fileStore"')).length;

	it("saves the request, says what happened to its file, and takes the file later", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client);
		const answer = await without(() => send(client, fields, JPEG));
		expect(answer.status).toBe(303);
		expect(answer.headers.get("Location")).toMatch(/^\/requests\?receipt=storeDown#request-/);
		const id = idIn(answer);
		expect((await client.get("/requests?receipt=storeDown")).text).toContain("This receipt cannot be stored right now.");
		expect(fileStoreErrors()).toBe(1);
		const failed = await without(() => send(client, { intent: "add-receipt", id }, JPEG, true));
		expect(failed.status).toBe(503);
		expect(shownRow(failed.text, id)).toContain("This receipt cannot be stored right now.");
		expect(fileStoreErrors()).toBe(1);
		expect((await send(client, { intent: "add-receipt", id }, JPEG)).status).toBe(303);
		const { receipt_id } = await rowOf(id);
		expect((await client.get(`/api/receipts/${receipt_id}`)).status).toBe(200);
		const shown = await without(() => client.get(`/api/receipts/${receipt_id}`, { mayFail: true }));
		expect(shown.status).toBe(503);
		expect(shown.headers.get("Retry-After")).toBe("10");
		expect(fileStoreErrors()).toBe(1);
	});

	it("keeps what was typed when the form was not right either", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client, { amount: "" });
		const { status, text } = await without(() => send(client, fields, JPEG));
		expect(status).toBe(400);
		expect(text).toContain("The file was not kept. This receipt cannot be stored right now.");
		expect(formWith(text, "Submit Request").fields).toEqual(fields);
		expect(fileStoreErrors()).toBe(1);
	});

	it("answers an upload with 503 and leaves no row", async () => {
		const client = await fleet.as("dana");
		const [before] = await counts();
		const sent = await multipart({}, PDF);
		const answer = await without(() => client.request("/api/receipts", { ...sent, mayFail: true }));
		expect(answer.status).toBe(503);
		expect(answer.headers.get("Retry-After")).toBe("10");
		expect(await counts()).toEqual([before]);
		expect(fileStoreErrors()).toBe(1);
	});
});
