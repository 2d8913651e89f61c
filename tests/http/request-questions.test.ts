/**
 * Questions and answers sent by pages and a phone's outbox, with and without a receipt, and the
 * preset reasons for a rejection (docs/product.md, 'Fund requests and receipts').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { fixture } from "../receipts/corpus-file.ts";
import { PDF } from "../receipts/other-files.ts";
import { idOf } from "../support/cast.ts";
import { formsIn, formWith, multipart, type SentFile } from "../support/forms.ts";
import { decide, rowOf } from "../support/fund-requests.ts";
import { insertReceipt, insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const dana = await fleet.as("dana");
const omar = await fleet.as("omar");
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const plain = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const RECEIPT = { bytes: PDF, name: "pump.pdf" };
const LOCKED = { bytes: fixture("password-protected.pdf"), name: "locked.pdf" };
const LOCKED_WORDS = "This PDF is protected with a password. Save it without one.";
const threads = () =>
	sql<{ text: string; source: string }>(
		"select text, source, captured_at from request_messages order by position",
	);
const request = async () =>
	(
		await sql<{ status: string; question: string; receipt_id: string | null; admin_notes: string }>(
			"select status, question, receipt_id, admin_notes from fund_requests where number = 1",
		)
	)[0];

let id = "";
beforeEach(async () => {
	for (const table of ["request_messages", "fund_requests", "mails"])
		await sql(`delete from ${table}`);
	id = await insertRequest(sql, 1, "dana", { amount_cents: 4210 });
});
const ask = (text = "Which car?") =>
	ada.call("POST", `/api/fund-requests/${id}/messages`, { text });

/** Text that only the question form contains. */
const QUESTION = "The driver gets an email";

describe("the administrator's dialog", () => {
	const dialog = async () =>
		formWith((await ada.get(`/fund-requests?type=gas&dialog=ask&id=${id}`)).text, QUESTION);

	it("is linked from the row, sends the question, and returns to the row, which shows it", async () => {
		const { text } = await ada.get("/fund-requests?type=gas");
		expect(rowOf(text, id)).toContain('href="/fund-requests?type=gas&amp;open=FR-000001"');
		const form = await dialog();
		expect(form.fields).toMatchObject({ intent: "ask", id, text: "" });
		const answer = await ada.post(form.action, { ...form.fields, text: "Which <car>?" });
		expect([answer.status, answer.headers.get("Location")]).toEqual([
			303,
			`/fund-requests?type=gas&changed=1#request-${id}`,
		]);
		// Sending the form again returns the same question.
		expect((await ada.post(form.action, { ...form.fields, text: "Which <car>?" })).status).toBe(
			303,
		);
		expect(await threads()).toMatchObject([{ text: "Which <car>?", source: "form" }]);
		const after = await ada.get("/fund-requests");
		expect(after.text).toContain("Question sent");
		expect(rowOf(after.text, id)).toContain(">Question<");
		expect(rowOf(after.text, id)).toContain(">Pending<");
		const history = (await ada.get(`/fund-requests?dialog=timeline&id=${id}`)).text;
		expect(plain(history)).toContain("Asked by Ada Admin");
		expect(history).toContain("Which &lt;car&gt;?");
		expect(history).toContain("Ask a question");
	});

	it("says what is wrong and keeps what was typed", async () => {
		const form = await dialog();
		const empty = await ada.post(form.action, { ...form.fields, text: " " });
		expect(empty.status).toBe(400);
		expect(formWith(empty.text, QUESTION).html).toContain("Write a message");
		const long = await ada.post(form.action, { ...form.fields, text: "x".repeat(1001) });
		expect(long.status).toBe(400);
		expect(formWith(long.text, QUESTION).fields.text).toBe("x".repeat(1000));
		await decide(ada, id, "approved");
		const late = await ada.post(form.action, { ...form.fields, text: "Which car?" });
		expect(late.status).toBe(409);
		expect(late.text).toContain("FR-000001 was approved by Ada Admin");
		expect(await threads()).toEqual([]);
	});

	it("doesn't exist for your own request or a decided one", async () => {
		const own = await insertRequest(sql, 2, "ada");
		for (const each of [own, id]) {
			if (each === id) await decide(ada, id, "approved");
			const { text } = await ada.get(`/fund-requests?dialog=ask&id=${each}`);
			expect(formsIn(text).some(({ fields }) => fields.intent === "ask")).toBe(false);
			expect(rowOf(text, each)).not.toContain("dialog=ask");
		}
	});

	it("shows the thread when deciding, and the badge disappears with the decision", async () => {
		await ask("Which car?");
		await dana.call("POST", `/api/fund-requests/${id}/messages`, { text: "The white one" });
		expect(rowOf((await ada.get("/fund-requests")).text, id)).toContain(">Answered<");
		const text = plain((await ada.get(`/fund-requests?dialog=approve&id=${id}`)).text);
		expect(text).toMatch(/Ada Admin , .* Which car\? Dana Driver , .* The white one/);
		await decide(ada, id, "approved");
		expect(rowOf((await ada.get("/fund-requests")).text, id)).not.toContain(">Answered<");
		expect((await ada.get("/fund-requests/export.csv")).text).toContain(",Answered,\r\n");
	});
});

it("the thread is in the driver's history too, pending or decided, and in nobody else's", async () => {
	const opened = async (client = dana) =>
		plain((await client.get(`/history?open=request-${id}`)).text);
	expect((await dana.get(`/history?open=request-${id}`)).text).not.toContain("Messages about");
	await ask("Which car?");
	await dana.call("POST", `/api/fund-requests/${id}/messages`, { text: "The white one" });
	expect(await opened()).toMatch(/Ada Admin , .* Which car\? Dana Driver , .* The white one/);
	await decide(ada, id, "approved");
	expect(await opened()).toMatch(/Which car\? .* The white one/);
	expect(await opened(omar)).not.toContain("Which car?");
});

describe("the driver's form", () => {
	const form = async () => formWith((await dana.get("/requests")).text, "Your answer");
	const send = async (fields: Record<string, string>, file?: SentFile, client = dana) =>
		client.request("/requests", await multipart(fields, file));

	it("appears once someone has asked, and sends text", async () => {
		expect((await dana.get("/requests")).text).not.toContain("Your answer");
		await ask();
		expect((await dana.get("/")).text).toContain(">Question<");
		expect((await dana.get("/history")).text).toContain(">Question<");
		const page = await dana.get("/requests");
		expect(plain(page.text)).toContain("Which car?");
		expect(page.text).toContain(">Question<");
		const { fields } = await form();
		const answer = await send({ ...fields, text: "The white one" });
		expect([answer.status, answer.headers.get("Location")]).toEqual([
			303,
			`/requests#request-${id}`,
		]);
		expect((await send({ ...fields, text: "The white one" })).status).toBe(303);
		expect((await threads()).map(({ text }) => text)).toEqual(["Which car?", "The white one"]);
		const after = await dana.get("/requests");
		expect(after.text).toContain("Answer sent");
		expect(after.text).toContain(">Answered<");
	});

	it("sends a receipt instead of text, and notifies the administrator who asked", async () => {
		await ask("Where is the receipt?");
		await sql("delete from mails");
		const { fields } = await form();
		expect((await send(fields, RECEIPT)).status).toBe(303);
		expect(await request()).toMatchObject({
			question: "answered",
			receipt_id: expect.any(String),
		});
		expect(await sql("select kind, body from mails")).toEqual([
			{ kind: "request-answer", body: "Dana Driver added a receipt to FR-000001 for $42.10." },
		]);
	});

	it("sends both, with one email", async () => {
		await ask();
		await sql("delete from mails");
		const { fields } = await form();
		expect((await send({ ...fields, text: "The white one" }, RECEIPT)).status).toBe(303);
		expect(await request()).toMatchObject({ receipt_id: expect.any(String) });
		expect(await sql("select kind from mails")).toEqual([{ kind: "request-answer" }]);
	});

	it("sends the text whatever is wrong with the file, and says so", async () => {
		await ask();
		const { fields } = await form();
		const answer = await send(
			{ ...fields, text: "The white one" },
			{ bytes: new TextEncoder().encode("<svg/>"), name: "logo.svg" },
		);
		expect(answer.status).toBe(400);
		expect(answer.text).toContain("Your answer was sent.");
		expect(await threads()).toHaveLength(2);
		expect(await request()).toMatchObject({ receipt_id: null });
	});

	it("is in the request's history in the order it happened: the text, then its receipt", async () => {
		// The audit keeps what other tests did to the usual one.
		id = await insertRequest(sql, 77, "dana", { amount_cents: 4210 });
		await ask();
		const { fields } = await form();
		expect((await send({ ...fields, text: "The white one" }, RECEIPT)).status).toBe(303);
		const history = plain((await ada.get(`/fund-requests?dialog=timeline&id=${id}`)).text);
		expect(
			[...history.matchAll(/(Asked|Answered|Receipt added) by (Ada Admin|Dana Driver)/g)].map(
				([event]) => event,
			),
		).toEqual(["Asked by Ada Admin", "Answered by Dana Driver", "Receipt added by Dana Driver"]);
	});

	it("keeps the text beside a PDF with a password, and says why the file wasn't saved", async () => {
		await ask();
		const { fields } = await form();
		const answer = await send({ ...fields, text: "The white one" }, LOCKED);
		expect(answer.status).toBe(400);
		expect(plain(answer.text)).toContain("Your answer was sent.");
		expect(plain(answer.text)).toContain(LOCKED_WORDS);
		expect((await threads()).map(({ text }) => text)).toEqual(["Which car?", "The white one"]);
		expect(await request()).toMatchObject({ question: "answered", receipt_id: null });
		expect(await sql("select id from receipts where file_name = ?", LOCKED.name)).toEqual([]);
	});

	it("needs one of the two, and keeps what was typed when refused", async () => {
		await ask();
		const { fields } = await form();
		const empty = await send(fields);
		expect(empty.status).toBe(400);
		expect((await dana.get("/requests")).text).not.toContain("Write an answer");
		expect(empty.text).toContain("Write an answer, or choose the receipt");
		const long = await send({ ...fields, text: "x".repeat(1001) });
		expect(long.status).toBe(400);
		expect(formWith(long.text, "Your answer").html).toContain("Use 1000 characters or fewer");
		expect(formWith(long.text, "Your answer").fields.text).toHaveLength(1001);
		expect(long.text).not.toContain("Choose the receipt again.");
		const both = await send({ ...fields, text: "x".repeat(1001) }, RECEIPT);
		expect(both.text).toContain("Choose the receipt again.");
		await decide(ada, id, "rejected");
		const late = await send({ ...fields, text: "The white one" });
		expect(late.status).toBe(409);
		expect(late.text).toContain("FR-000001 is already rejected.");
	});

	it("is only for the request's driver", async () => {
		await ask();
		const { fields } = await form();
		const foreign = { ...fields, asUser: idOf("omar"), text: "Mine" };
		expect((await send(foreign, undefined, omar)).status).toBe(404);
		expect((await send(foreign, RECEIPT, omar)).status).toBe(404);
		expect((await send({ ...fields, text: "Mine" }, undefined, omar)).status).toBe(409);
		expect(await threads()).toHaveLength(1);
		expect(await request()).toMatchObject({ receipt_id: null });
	});

	it("has no field for a second receipt", async () => {
		const receipt = await insertReceipt(sql, 1, "dana");
		await sql("update fund_requests set receipt_id = ?", receipt);
		await ask("Unreadable");
		const { html } = await form();
		expect(html).not.toContain('type="file"');
		expect(html).toContain("To send another receipt, choose Correct below.");
	});
});

describe("an answer from a phone's outbox", () => {
	const HOUR = 3_600_000;
	const replay = async (more: Record<string, string>, file?: SentFile, client = dana) => {
		const fields = { key: "answer-1", asUser: idOf("dana"), requestId: id, ...more };
		const sent = await multipart(fields, file);
		const headers = { ...sent.headers, "Captured-Ago": String(2 * HOUR) };
		const { status, text } = await client.request("/api/outbox/answers", { ...sent, headers });
		return [status, JSON.parse(text) as Record<string, unknown>] as const;
	};

	it("is stored once, with the time it was saved and its receipt", async () => {
		await ask();
		const fields = { intent: "answer", number: "FR-000001", text: "The white one" };
		expect(await replay(fields, RECEIPT)).toEqual([
			200,
			{ received: true, words: "Answer about FR-000001" },
		]);
		expect(await replay(fields, RECEIPT)).toEqual([
			200,
			{ received: true, words: "Already received: Answer about FR-000001" },
		]);
		expect(await threads()).toEqual([
			expect.objectContaining({ text: "Which car?" }),
			{ text: "The white one", source: "outbox", captured_at: expect.any(Number) },
		]);
		expect(await request()).toMatchObject({ receipt_id: expect.any(String) });
	});

	it("can be just a receipt, and is sent again when the response was lost", async () => {
		await ask();
		for (let time = 0; time < 2; time++)
			expect(await replay({}, RECEIPT)).toEqual([
				200,
				{ received: true, words: "Answer about FR-000001" },
			]);
	});

	it("keeps its text beside a PDF with a password, and says why the file wasn't saved", async () => {
		await ask();
		const [status, body] = await replay({ text: "The white one" }, LOCKED);
		expect([status, body]).toEqual([
			200,
			{
				received: true,
				words: `Answer about FR-000001. The receipt wasn't saved: ${LOCKED_WORDS}`,
			},
		]);
		expect((await threads()).map(({ text }) => text)).toEqual(["Which car?", "The white one"]);
		expect(await request()).toMatchObject({ question: "answered", receipt_id: null });
	});

	it("is refused with a message when it is empty, or its request has been decided or is another driver's", async () => {
		await ask();
		expect((await replay({}))[0]).toBe(400);
		expect(await replay({ text: "Mine" }, undefined, omar)).toEqual([
			409,
			expect.objectContaining({ reason: "other-account" }),
		]);
		expect((await replay({ text: "Mine", asUser: idOf("omar") }, undefined, omar))[0]).toBe(404);
		await decide(ada, id, "rejected");
		expect(await replay({ text: "Too late" })).toEqual([
			409,
			{ message: "FR-000001 is already rejected." },
		]);
		expect(await threads()).toHaveLength(1);
	});

	it("adds its receipt to a request that was approved meanwhile, and says what became of its text", async () => {
		await ask();
		await decide(ada, id, "approved");
		for (let time = 0; time < 2; time++)
			expect(await replay({ text: "Here it is" }, RECEIPT)).toEqual([
				409,
				{
					message: "FR-000001 is already approved. The receipt was added, the text wasn't.",
				},
			]);
		expect(await request()).toMatchObject({ receipt_id: expect.any(String) });
		expect(await threads()).toHaveLength(1);
	});
});

describe("a rejection", () => {
	const dialog = async () =>
		formWith((await ada.get(`/fund-requests?dialog=reject&id=${id}`)).text, "Admin Notes");

	it("offers ready-made reasons, none preselected", async () => {
		const { html, fields } = await dialog();
		for (const reason of ["Receipt unreadable", "Not a fleet expense", "Duplicate", "Personal use"])
			expect(html).toContain(`value="${reason}"`);
		expect(fields.reason).toBe("");
		expect((await ada.post("/fund-requests", fields)).status).toBe(303);
		expect(await request()).toMatchObject({ status: "rejected", admin_notes: null });
	});

	it.each([
		["Receipt unreadable", "", "Receipt unreadable"],
		["Duplicate", "See FR-000002", "Duplicate. See FR-000002"],
		["", "Because", "Because"],
	])("with the reason '%s' and the note '%s' tells the driver '%s'", async (reason, note, told) => {
		const { fields } = await dialog();
		const answer = await ada.post("/fund-requests", { ...fields, reason, adminNotes: note });
		expect(answer.status).toBe(303);
		expect((await request())?.admin_notes).toBe(told);
	});

	it("keeps the reason when the note is too long by itself or with the reason", async () => {
		const { fields, action } = await dialog();
		for (const length of [2001, 1990]) {
			const answer = await ada.post(action, {
				...fields,
				reason: "Personal use",
				adminNotes: "x".repeat(length),
			});
			expect(answer.status).toBe(400);
			const again = formWith(answer.text, "Admin Notes");
			expect(again.fields.reason).toBe("Personal use");
			expect(again.html).toContain("2000 characters");
		}
		expect((await ada.post(action, { ...fields, reason: "Boredom" })).status).toBe(400);
		expect(await request()).toMatchObject({ status: "pending" });
	});
});
