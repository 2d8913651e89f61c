/**
 * Reopening a decided request in the dialog and through the API, with its audit entry and the email
 * to the driver (docs/product.md, 'Fund requests and receipts').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { formsIn, formWith } from "../support/forms.ts";
import { decide, rowOf } from "../support/fund-requests.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const reopen = (client: typeof ada, id: string, body: object = {}) =>
	client.call("PUT", `/api/fund-requests/${id}`, { status: "pending", ...body });
const stored = async (id: string) =>
	(
		await sql(
			"select status, admin_notes, decided_at, decided_by from fund_requests where id = ?",
			id,
		)
	)[0];
const mails = () =>
	sql<{ kind: string; status: string }>("select kind, status, body from mails order by rowid");
const PENDING = { status: "pending", admin_notes: null, decided_at: null, decided_by: null };

beforeEach(async () => {
	for (const table of ["fund_requests", "mails"]) await sql(`delete from ${table}`);
});

describe("reopening through the API", () => {
	it("makes the request pending again, records it in the audit and emails the driver", async () => {
		const id = await insertRequest(fleet.sql.bind(fleet), 1, "dana", { amount_cents: 4210 });
		await decide(ada, id, "rejected", { adminNotes: "No receipt" });
		await sql("update mails set status = 'sent'");
		const answer = await reopen(ben, id, { adminNotes: "The receipt has arrived" });
		expect(answer.status).toBe(200);
		expect(JSON.parse(answer.text)).toMatchObject({ id, status: "pending", adminNotes: null });
		expect(await stored(id)).toEqual(PENDING);
		const [entry] = await sql<{ actor_id: string; before: string; after: string }>(
			"select actor_id, before, after from audit_events where action = 'request.reopen' and entity_id = ? order by id desc",
			id,
		);
		expect(entry?.actor_id).toBe(idOf("ben"));
		expect(JSON.parse(entry?.before ?? "")).toEqual({
			status: "rejected",
			approvedAmountCents: null,
			adminNotes: "No receipt",
		});
		expect(JSON.parse(entry?.after ?? "")).toEqual({
			status: "pending",
			approvedAmountCents: null,
			adminNotes: "The receipt has arrived",
		});
		expect(await mails()).toEqual([
			expect.objectContaining({ kind: "request-decided", status: "sent" }),
			expect.objectContaining({
				kind: "request-reopened",
				body: "Ben Backup reopened your request FR-000001 for $42.10.\n\nFuel\n\nNote: The receipt has arrived\n\nIt is pending again. You'll get another email when it's decided.",
			}),
		]);
		// It can be decided again, and reopened again.
		await decide(ben, id, "approved");
		await sql("update fund_requests set decided_at = decided_at - 600000");
		expect((await reopen(ada, id)).status).toBe(200);
		expect((await mails()).filter(({ kind }) => kind === "request-reopened")).toHaveLength(2);
	});

	it("cancels the unsent email about the decision", async () => {
		const id = await insertRequest(fleet.sql.bind(fleet), 1, "dana");
		await decide(ada, id, "approved");
		expect((await reopen(ben, id)).status).toBe(200);
		expect((await mails()).map(({ kind, status }) => [kind, status])).toEqual([
			["request-decided", "cancelled"],
			["request-reopened", expect.stringMatching(/queued|sen/)],
		]);
	});

	it("is a silent undo within ten minutes, for the person who decided", async () => {
		const id = await insertRequest(fleet.sql.bind(fleet), 1, "dana");
		await decide(ada, id, "approved");
		const [last] = await sql<{ id: number }>("select max(id) as id from audit_events");
		expect((await reopen(ada, id)).status).toBe(200);
		expect((await mails()).map(({ kind, status }) => [kind, status])).toEqual([
			["request-decided", "cancelled"],
		]);
		expect(await sql("select action from audit_events where id > ?", last?.id)).toEqual([
			{ action: "request.undo" },
		]);
	});

	it("within ten minutes tells the driver after all if there is a note", async () => {
		const id = await insertRequest(fleet.sql.bind(fleet), 1, "dana");
		await decide(ada, id, "rejected");
		expect((await reopen(ada, id, { adminNotes: "Wrong button, sorry" })).status).toBe(200);
		expect((await mails()).map(({ kind, status }) => [kind, status])).toEqual([
			["request-decided", "cancelled"],
			["request-reopened", expect.stringMatching(/queued|sen/)],
		]);
		expect(await sql("select body from mails where kind = 'request-reopened'")).toEqual([
			{ body: expect.stringContaining("Note: Wrong button, sorry") },
		]);
	});

	it("is refused for a pending, withdrawn or unknown request and for your own, and changes nothing", async () => {
		const pending = await insertRequest(fleet.sql.bind(fleet), 1, "dana");
		const withdrawn = await insertRequest(fleet.sql.bind(fleet), 2, "dana", {
			status: "withdrawn",
			withdrawn_at: 1,
		});
		const own = await insertRequest(fleet.sql.bind(fleet), 3, "ada", {
			status: "approved",
			decided_at: 1,
			decided_by: idOf("ben"),
		});
		const said = async (id: string) => {
			const { status, text } = await reopen(ada, id);
			return [status, (JSON.parse(text) as { message: string }).message];
		};
		expect(await said(pending)).toEqual([409, "FR-000001 is pending."]);
		expect(await said(withdrawn)).toEqual([
			409,
			expect.stringContaining("FR-000002 was withdrawn by its driver"),
		]);
		expect(await said(own)).toEqual([
			409,
			"FR-000003 is your own request. Another administrator has to decide it.",
		]);
		expect(await said(requestId(9))).toEqual([404, "Fund request not found"]);
		expect((await stored(own)) as object).toMatchObject({ status: "approved" });
		expect(await mails()).toEqual([]);
		expect(
			(await ada.call("PUT", `/api/fund-requests/${pending}`, { status: "open" })).text,
		).toContain("status must be approved, rejected or pending");
	});

	it("succeeds once in 20 simultaneous attempts", async () => {
		const id = await insertRequest(fleet.sql.bind(fleet), 1, "dana");
		await decide(ada, id, "approved");
		await sql("update fund_requests set decided_at = decided_at - 600000");
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, each) => reopen(each % 2 ? ada : ben, id)),
		);
		expect(answers.map(({ status }) => status).sort()).toEqual([
			200,
			...Array.from({ length: 19 }, () => 409),
		]);
		expect((await mails()).filter(({ kind }) => kind === "request-reopened")).toHaveLength(1);
	});
});

describe("reopening in the dialog", () => {
	it("is offered in the request's history, accepts a note, and returns to the row", async () => {
		const id = await insertRequest(fleet.sql.bind(fleet), 1, "dana");
		await decide(ada, id, "rejected", { adminNotes: "No receipt" });
		const history = (await ben.get(`/fund-requests?dialog=timeline&id=${id}`)).text;
		const link =
			/href="([^"]+)"[^>]*>Reopen request</.exec(history)?.[1]?.replaceAll("&amp;", "&") ?? "";
		expect(link).toBe(`/fund-requests?dialog=reopen&id=${id}`);
		const { text } = await ben.get(link);
		const form = formWith(text, "Reopen");
		expect(form.fields).toMatchObject({ intent: "reopen", id });
		const answer = await ben.post(form.action, { ...form.fields, adminNotes: "Receipt found" });
		expect([answer.status, answer.headers.get("Location")]).toEqual([
			303,
			`/fund-requests?changed=1#request-${id}`,
		]);
		const after = await ben.get("/fund-requests");
		expect(after.text).toContain("Request reopened");
		expect(rowOf(after.text, id)).toContain(">Pending<");
		const told = (await ben.get(`/fund-requests?dialog=timeline&id=${id}`)).text.replace(
			/<[^>]+>/g,
			" ",
		);
		expect(told).toContain("Reopened by Ben Backup");
		expect(told).toContain("Receipt found");
		expect((await ben.get("/audit?kind=request.reopen")).text.replace(/<[^>]+>/g, "")).toContain(
			"Ben Backup reopened FR-000001",
		);
	});

	it("isn't offered for a pending request, for your own, or while the decision can be undone", async () => {
		const pending = await insertRequest(fleet.sql.bind(fleet), 1, "dana");
		const own = await insertRequest(fleet.sql.bind(fleet), 2, "ada", {
			status: "approved",
			decided_at: 1,
			decided_by: idOf("ben"),
		});
		const undoable = await insertRequest(fleet.sql.bind(fleet), 3, "dana");
		await decide(ada, undoable, "approved");
		for (const id of [pending, own, undoable]) {
			expect((await ada.get(`/fund-requests?dialog=timeline&id=${id}`)).text).not.toContain(
				"Reopen request",
			);
			const forms = formsIn((await ada.get(`/fund-requests?dialog=reopen&id=${id}`)).text);
			expect(forms.some(({ html }) => html.includes('value="reopen"'))).toBe(false);
		}
	});

	it("promises no email for what is a silent undo", async () => {
		const id = await insertRequest(fleet.sql.bind(fleet), 1, "dana");
		await decide(ada, id, "approved");
		await ada.post("/fund-requests", { intent: "reopen", id });
		expect((await ada.get("/fund-requests")).text).toContain("Decision undone");
		await decide(ada, id, "approved");
		await ben.post("/fund-requests", { intent: "reopen", id });
		expect((await ben.get("/fund-requests")).text).toContain("The driver will get an email.");
	});

	it("says why it failed, and keeps the note", async () => {
		const id = await insertRequest(fleet.sql.bind(fleet), 1, "dana");
		const refused = await ben.post("/fund-requests", { intent: "reopen", id, adminNotes: "x" });
		expect(refused.status).toBe(409);
		expect(refused.text).toContain("FR-000001 is pending.");
		const tooLong = await ben.post("/fund-requests", {
			intent: "reopen",
			id,
			adminNotes: "x".repeat(2001),
		});
		expect(tooLong.status).toBe(400);
		expect((await ben.post("/fund-requests", { intent: "reopen", id: "x" })).status).toBe(400);
	});
});
