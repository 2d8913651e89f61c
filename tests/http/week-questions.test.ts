/** A driver's questions about a published week and the answers: on screen, by email and in the API. */
import { beforeEach, describe, expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { insertRow } from "../support/rows.ts";
import { insertSettlement, insertWeekMessage, published } from "../support/settlements.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const [ada, dana, omar] = [await fleet.as("ada"), await fleet.as("dana"), await fleet.as("omar")];
const person = { email: "vera@milepost.test", firstName: "Vera", lastName: "Viewer" };
await ada.call("POST", "/api/admin/create", { ...person, role: "viewer" });
const vera = await fleet.client().signIn(person.email);

const write = async (
	client: Client,
	path: string,
	text: string,
	key: string = crypto.randomUUID(),
) => {
	const { headers, ...answer } = await client.post(path, { intent: "write", text, key });
	return { ...answer, location: headers.get("Location") };
};
const post = (client: Client, text: unknown, to = id, key = "") =>
	client.call(
		"POST",
		`/api/settlements/${to}/messages`,
		{ text },
		key ? { headers: { "Idempotency-Key": key } } : {},
	);
const messages = async () =>
	sql<{ text: string; author_role: string; position: number }>(
		"select text, author_role, position from settlement_messages order by position",
	);
const mails = () =>
	sql<{ kind: string; address: string; subject: string; body: string }>(
		"select kind, address, subject, body from mails order by rowid",
	);
const said = ({ status, text }: { status: number; text: string }) => [
	status,
	(JSON.parse(text) as { message: string }).message,
];

let id = "";
let draft = "";
beforeEach(async () => {
	for (const table of ["settlement_messages", "settlement_lines", "settlements", "mails"])
		await sql(`delete from ${table}`);
	id = await insertSettlement(sql, 12, "dana", "2026-09-07", published(10_000));
	draft = await insertSettlement(sql, 13, "dana", "2026-09-14");
});

describe("a question about a week", () => {
	it("is asked on its page, answered by an administrator, and shown to both and to accountants", async () => {
		const page = await dana.get(`/earnings/${id}`);
		expect(page.text).toContain("Ask about this week");
		expect((await ada.get(`/settlements/${id}`)).text).not.toContain("Questions about this week");
		const asked = await write(dana, `/earnings/${id}`, "Why is <Tuesday> missing?");
		expect([asked.status, asked.location]).toEqual([303, `/earnings/${id}#messages`]);
		expect((await dana.get(`/earnings/${id}`)).text).toContain("Question sent");
		expect((await dana.get("/earnings")).text).toContain("Question sent");

		const week = await ada.get("/settlements?week=2026-09-07");
		expect(week.text).toContain("Questions from drivers (1)");
		expect(week.text).toContain(`href="/settlements/${id}#messages"`);
		// Whichever week the screen shows.
		expect((await ada.get("/settlements")).text).toContain("Why is &lt;Tuesday&gt; missing?");
		expect((await ada.get("/")).text).toContain("Answer 1 question");
		const shown = await ada.get(`/settlements/${id}`);
		expect(shown.text).toContain("Send answer");
		const read = await vera.get(`/settlements/${id}`);
		expect(read.text).toContain("Why is &lt;Tuesday&gt; missing?");
		expect(read.text).not.toContain("Send answer");
		expect((await vera.get("/")).text).not.toContain("Answer 1 question");
		expect(week.text).toMatch(
			/>Answer<span class="sr-only"> Dana Driver about ST-000012, [^<]+<\/span>/,
		);
		expect((await vera.get("/settlements")).text).toMatch(
			/>Open<span class="sr-only"> Dana Driver&#x27;s question about ST-000012, [^<]+<\/span>/,
		);

		const answered = await write(ada, `/settlements/${id}`, "It's in the next file.");
		expect([answered.status, answered.location]).toEqual([303, `/settlements/${id}#messages`]);
		const after = await dana.get(`/earnings/${id}`);
		expect(after.text).toContain("It&#x27;s in the next file.");
		expect((await dana.get("/earnings")).text).toContain("Answered");
		expect((await ada.get("/settlements")).text).not.toContain("Questions from drivers");
		expect((await ada.get("/")).text).not.toContain("Answer 1 question");
		expect(await messages()).toEqual([
			{ text: "Why is <Tuesday> missing?", author_role: "driver", position: 1 },
			{ text: "It's in the next file.", author_role: "admin", position: 2 },
		]);
	});

	it("is emailed once to each administrator, and each answer once to the driver", async () => {
		const key = crypto.randomUUID();
		for (let times = 0; times < 2; times++) await write(dana, `/earnings/${id}`, "Why?", key);
		const questions = await mails();
		expect(questions.map(({ kind }) => kind)).toEqual(questions.map(() => "settlement-question"));
		expect(questions.map(({ address }) => address).sort()).toEqual(
			[CAST.ada.email, CAST.ben.email].sort(),
		);
		expect(questions[0]).toMatchObject({
			subject: "Question about ST-000012",
			body: "Dana Driver asked about ST-000012, Sep 7, 2026 to Sep 13, 2026:\n\nWhy?\n\nAnswer it under Settlements.",
		});
		await sql("delete from mails");
		await write(ada, `/settlements/${id}`, "Because.");
		expect(await mails()).toEqual([
			{
				kind: "settlement-answer",
				address: CAST.dana.email,
				subject: "Answer about your week ST-000012",
				body: "Ada Admin answered your question about ST-000012, Sep 7, 2026 to Sep 13, 2026:\n\nBecause.\n\nEarnings has the whole conversation, and you can write back there.",
			},
		]);
	});

	it("is kept in its form when it can't be sent, and nothing is stored", async () => {
		const empty = await write(dana, `/earnings/${id}`, "  ");
		expect(empty.status).toBe(400);
		expect(empty.text).toContain("Write a message");
		for (let position = 1; position <= 50; position++)
			await insertWeekMessage(sql, id, position, "dana", "More");
		const full = await write(dana, `/earnings/${id}`, "One too many");
		expect(full.status).toBe(409);
		expect(full.text).toContain("One too many</textarea>");
		expect(full.text).toContain("ST-000012 already has 50 messages");
		expect(await messages()).toHaveLength(50);
	});

	it("is nobody else's, and there is none about a draft or a void week", async () => {
		for (const [client, to] of [
			[omar, id],
			[dana, draft],
			[dana, "no-such-week"],
		] as const) {
			expect((await write(client, `/earnings/${to}`, "Why?")).status).toBe(404);
			expect(said(await post(client, "Why?", to))).toEqual([404, "Settlement not found"]);
		}
		expect(said(await post(ada, "Because", draft))).toEqual([
			409,
			"ST-000013 isn't published, so its driver doesn't see it.",
		]);
		expect(said(await post(ada, "Because"))).toEqual([
			409,
			"The driver hasn't asked about ST-000012. Only they can start a conversation.",
		]);
		await insertWeekMessage(sql, id, 1, "dana", "Why?");
		await sql(
			"update settlements set status = 'void', voided_at = 1, voided_by = ? where id = ?",
			idOf("ada"),
			id,
		);
		expect((await ada.get("/settlements")).text).not.toContain("Questions from drivers");
		expect(said(await post(dana, "And?"))).toEqual([404, "Settlement not found"]);
		expect(await messages()).toHaveLength(1);
		expect(await mails()).toEqual([]);
	});

	it("has the same thread in JSON, for administrators and accountants", async () => {
		const asked = await post(dana, "Why?");
		expect(asked.status).toBe(201);
		await post(ada, "Because");
		for (const client of [ada, vera]) {
			const answer = await client.call("GET", `/api/settlements/${id}`);
			expect(JSON.parse(answer.text)).toMatchObject({
				number: "ST-000012",
				messages: [
					JSON.parse(asked.text),
					{ text: "Because", by: { firstName: "Ada", role: "admin" } },
				],
			});
		}
		expect((await post(vera, "Me too")).status).toBe(403);
		const key = crypto.randomUUID();
		expect((await post(dana, "Once", id, key)).status).toBe(201);
		expect((await post(dana, "Once", id, key)).headers.get("Idempotency-Replayed")).toBe("true");
		expect((await post(dana, "Other", id, key)).status).toBe(422);
		expect(await messages()).toHaveLength(3);
	});

	it("counts toward the same 60 messages an hour as the answers about requests", async () => {
		const other = await insertSettlement(sql, 14, "dana", "2026-09-21", published(1));
		for (let position = 1; position <= 30; position++) {
			await insertWeekMessage(sql, id, position, "dana", "More");
			await insertWeekMessage(sql, other, position, "dana", "More");
		}
		const refused = await post(dana, "One too many");
		expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "600"]);
		expect((await post(ada, "Because")).status).toBe(201);
	});

	it("is audited, and changes the settlement for those who ask what changed", async () => {
		await post(dana, "Why?");
		const [entry] = await sql<{ action: string; entity: string; text: string }>(
			"select action, entity, after ->> 'text' as text from audit_events order by id desc limit 1",
		);
		expect(entry).toEqual({
			action: "settlement.ask",
			entity: "settlement-message",
			text: "Why?",
		});
		const audit = await ada.get("/audit");
		expect(audit.text).toContain(`href="/settlements/${id}"`);
		const since = new Date(currentTime() - 60_000).toISOString();
		const changed = await ada.call("GET", `/api/settlements?updatedSince=${since}`);
		expect((JSON.parse(changed.text) as { id: string }[]).map((each) => each.id)).toEqual([id]);
	});

	it("can't be answered by whoever it is about", async () => {
		const own = await insertSettlement(sql, 15, "ada", "2026-09-07", published(1));
		await insertRow(sql, "settlement_messages", {
			...{ id: "own", settlement_id: own, position: 1, author_id: idOf("ada"), text: "Why?" },
			...{ author_role: "driver", source: "form", created_at: 1, payload_hash: "x" },
		});
		expect(said(await post(ada, "Because", own))).toEqual([
			409,
			"ST-000015 is your own. Someone else has to answer.",
		]);
		expect((await ada.get(`/settlements/${own}`)).text).not.toContain("Send answer");
	});
});
