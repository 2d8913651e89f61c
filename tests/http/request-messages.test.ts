/**
 * Questions about pending requests and the drivers' answers through the API: in text or as a
 * receipt, emailed and audited (docs/product.md, 'Fund requests and receipts').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const dana = await fleet.as("dana");
const omar = await fleet.as("omar");
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const post = (client: typeof ada, id: string, text: unknown, key = "") =>
	client.call(
		"POST",
		`/api/fund-requests/${id}/messages`,
		{ text },
		key ? { headers: { "Idempotency-Key": key } } : {},
	);
const jsonOf = ({ text }: { text: string }) => JSON.parse(text) as Record<string, unknown>;
const said = async (answer: Promise<{ status: number; text: string }>) => {
	const { status, text } = await answer;
	return [status, (JSON.parse(text) as { message: string }).message];
};
const listed = async (client: typeof ada) =>
	(
		JSON.parse((await client.call("GET", "/api/fund-requests")).text) as Record<string, unknown>[]
	)[0];
const mails = () =>
	sql<{ kind: string; address: string; body: string }>(
		"select kind, address, subject, body from mails order by rowid",
	);
const count = async () =>
	(await sql<{ n: number }>("select count(*) as n from request_messages"))[0]?.n;

let id = "";
beforeEach(async () => {
	for (const table of ["request_messages", "fund_requests", "mails"])
		await sql(`delete from ${table}`);
	id = await insertRequest(sql, 1, "dana", { amount_cents: 4210 });
});

describe("a thread", () => {
	it("is started by an administrator, answered by the driver, and shown to both, newest last", async () => {
		expect(await listed(dana)).toMatchObject({ question: null, messages: [] });
		const asked = await post(ada, id, "  Which car was it?\r\n");
		expect(asked.status).toBe(201);
		expect(jsonOf(asked)).toEqual({
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			by: { firstName: "Ada", lastName: "Admin", role: "admin" },
			text: "Which car was it?",
			createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
		});
		expect(await listed(dana)).toMatchObject({ status: "pending", question: "asked" });
		const answered = await post(dana, id, "The white one");
		expect(answered.status).toBe(201);
		await post(ben, id, "Number plate?");
		for (const client of [ada, dana])
			expect(await listed(client)).toMatchObject({
				question: "asked",
				messages: [
					jsonOf(asked),
					{ ...jsonOf(answered), by: { firstName: "Dana", lastName: "Driver", role: "driver" } },
					{ text: "Number plate?", by: { firstName: "Ben" } },
				],
			});
		await post(dana, id, "ABC 123");
		expect(await listed(ada)).toMatchObject({ question: "answered" });
	});

	it("stays with the decided request, including in the decision's response", async () => {
		await post(ada, id, "Which car?");
		const decided = await ada.call("PUT", `/api/fund-requests/${id}`, { status: "approved" });
		expect(decided.status).toBe(200);
		expect(jsonOf(decided)).toMatchObject({
			status: "approved",
			question: "asked",
			messages: [{ text: "Which car?" }],
		});
	});

	it("is open only while the request is pending", async () => {
		await post(ada, id, "Which car?");
		await ada.call("PUT", `/api/fund-requests/${id}`, { status: "rejected" });
		expect(await said(post(dana, id, "The white one"))).toEqual([
			409,
			"FR-000001 is already rejected.",
		]);
		expect(await said(post(ben, id, "Why?"))).toEqual([
			409,
			expect.stringContaining("FR-000001 was rejected by Ada Admin"),
		]);
		const withdrawn = await insertRequest(sql, 2, "dana", {
			status: "withdrawn",
			withdrawn_at: currentTime(),
		});
		expect((await post(ada, withdrawn, "Why?")).status).toBe(409);
		expect(await count()).toBe(1);
	});

	it("can't be started by a driver, joined by another driver, or held on your own request", async () => {
		expect(await said(post(dana, id, "Hello?"))).toEqual([
			409,
			"No one has asked about FR-000001. Only an administrator can start a conversation.",
		]);
		await post(ada, id, "Which car?");
		const foreign = await said(post(omar, id, "Mine"));
		expect(foreign).toEqual([404, "You have no request by that ID."]);
		expect(await said(post(omar, requestId(99), "Mine"))).toEqual(foreign);
		expect(await said(post(ada, requestId(99), "Where?"))).toEqual([404, "Fund request not found"]);
		const own = await insertRequest(sql, 3, "ada");
		expect(await said(post(ada, own, "Me?"))).toEqual([
			409,
			"FR-000003 is your own request. Another administrator has to decide it.",
		]);
		expect(await count()).toBe(1);
	});

	it("accepts up to 1,000 characters", async () => {
		for (const text of ["", "  ", undefined, "x".repeat(1001), "a\u202eb"]) {
			const answer = await post(ada, id, text);
			expect(answer.status, String(text)).toBe(400);
			expect(jsonOf(answer)).toMatchObject({ fields: { text: [expect.any(String)] } });
		}
		expect((await post(ada, id, "x".repeat(1000))).status).toBe(201);
	});

	it("has at most 50 messages", async () => {
		for (let position = 1; position <= 49; position++)
			await insertRow(sql, "request_messages", {
				id: `60000000-0000-4000-8000-${String(position).padStart(12, "0")}`,
				request_id: id,
				position,
				author_id: idOf(position % 2 ? "ada" : "dana"),
				author_role: position % 2 ? "admin" : "driver",
				text: `Message ${position}`,
				source: "form",
				created_at: 1,
				payload_hash: "x",
			});
		expect((await post(dana, id, "The fiftieth")).status).toBe(201);
		for (const client of [ada, dana])
			expect(await said(post(client, id, "One more"))).toEqual([
				409,
				"FR-000001 already has 50 messages, and can't have more.",
			]);
		const { messages } = (await listed(ada)) as { messages: { text: string }[] };
		expect(messages.map(({ text }) => text)).toEqual([
			...Array.from({ length: 49 }, (_, position) => `Message ${position + 1}`),
			"The fiftieth",
		]);
	});

	it("accepts 60 messages of a driver in an hour", async () => {
		await post(ada, id, "Which car?");
		const other = await insertRequest(sql, 2, "dana");
		for (let position = 1; position <= 50; position++)
			for (const [request, most] of [
				[other, 50],
				[requestId(1), 10],
			] as const)
				if (position <= most)
					await insertRow(sql, "request_messages", {
						id: crypto.randomUUID(),
						request_id: request,
						position: request === other ? position : position + 1,
						author_id: idOf("dana"),
						author_role: "driver",
						text: "More",
						source: "form",
						created_at: currentTime() - 1000,
						payload_hash: "x",
					});
		const answer = await post(dana, id, "And more");
		expect(answer.status).toBe(429);
		expect(answer.headers.get("Retry-After")).toBe("600");
	});
});

describe("sending a message again", () => {
	it("with the same key returns the first result, even if the request has been decided since", async () => {
		const first = await post(ada, id, "Which car?", "question-1");
		const again = await post(ada, id, "Which car?", "question-1");
		expect([again.status, again.text]).toEqual([201, first.text]);
		expect(again.headers.get("Idempotency-Replayed")).toBe("true");
		await ada.call("PUT", `/api/fund-requests/${id}`, { status: "approved" });
		expect((await post(ada, id, "Which car?", "question-1")).status).toBe(201);
		expect((await post(ada, id, "Other", "question-1")).status).toBe(422);
		// A key belongs to one person.
		expect((await post(ben, id, "Which car?", "question-1")).status).toBe(409);
		expect(await count()).toBe(1);
		expect((await mails()).filter(({ kind }) => kind === "request-question")).toHaveLength(1);
	});
});

describe("an accepted message", () => {
	it("is emailed to the driver if a question, and to every administrator who asked if an answer", async () => {
		await post(ada, id, "Which car?");
		expect(await mails()).toEqual([
			{
				kind: "request-question",
				address: CAST.dana.email,
				subject: "Question about your request FR-000001",
				body: "Ada Admin asked about your request FR-000001 for $42.10:\n\nWhich car?\n\nAnswer it under Fund Requests.",
			},
		]);
		await sql("delete from mails");
		await post(dana, id, "The white one");
		expect(await mails()).toEqual([
			{
				kind: "request-answer",
				address: CAST.ada.email,
				subject: "Answer about FR-000001",
				body: "Dana Driver answered about FR-000001 for $42.10:\n\nThe white one",
			},
		]);
		await post(ben, id, "Number plate?");
		await sql("delete from mails");
		await post(dana, id, "ABC 123");
		expect((await mails()).map(({ address }) => address).sort()).toEqual([
			CAST.ada.email,
			CAST.ben.email,
		]);
	});

	it("is emailed to no one if it was refused", async () => {
		await post(omar, id, "Mine");
		await post(dana, id, "Hello?");
		expect(await mails()).toEqual([]);
	});

	it("is in the audit, with its text", async () => {
		await post(ada, id, "Which car?");
		await post(dana, id, "The white one");
		expect(
			await sql(
				"select action, actor_id, after ->> 'text' as text from audit_events where entity = 'request-message' order by id desc limit 2",
			),
		).toEqual([
			{ action: "request.answer", actor_id: idOf("dana"), text: "The white one" },
			{ action: "request.ask", actor_id: idOf("ada"), text: "Which car?" },
		]);
		const page = (await ada.get("/audit")).text;
		expect(page.replace(/<[^>]+>/g, "")).toContain(
			"Dana Driver (DRV-0001) answered a question about FR-000001".replace(" (DRV-0001)", ""),
		);
		expect(page).toContain('href="/fund-requests?open=FR-000001"');
	});
});

describe("a receipt", () => {
	const attach = async (request: string) => {
		const receipt = await insertReceipt(sql, Math.floor(Math.random() * 1e9), "dana");
		await sql("update fund_requests set receipt_id = ? where id = ?", receipt, request);
	};

	it("answers only an open question", async () => {
		const other = await insertRequest(sql, 2, "dana");
		await attach(other);
		await post(ada, id, "Where is the receipt?");
		await attach(id);
		const rows = await sql<{ question: string | null }>(
			"select question from fund_requests order by number",
		);
		expect(rows.map(({ question }) => question)).toEqual(["answered", null]);
	});
});
