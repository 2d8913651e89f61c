/**
 * Emails sent by the built Worker: stored when there is no provider, and sent through a real HTTP
 * provider when there is one (docs/product.md, 'Mail').
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { formWith } from "../support/forms.ts";
import { insertRow } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";

type ReceivedEmail = {
	readonly authorization: string | undefined;
	readonly key: string | undefined;
	readonly body: { from: string; to: string[]; subject: string; text: string; html: string };
};
const taken: ReceivedEmail[] = [];
let answer = 200;
const provider = createServer((request, response) => {
	let text = "";
	request.setEncoding("utf8").on("data", (part: string) => (text += part));
	request.on("end", () => {
		if (answer === 200)
			taken.push({
				authorization: request.headers.authorization,
				key: request.headers["idempotency-key"] as string,
				body: JSON.parse(text),
			});
		response.writeHead(answer, { "Content-Type": "application/json" }).end("{}");
	});
}).listen(0, "127.0.0.1");
await new Promise((resolve) => provider.once("listening", resolve));
afterAll(() => provider.close());

const sending = await openFleet({
	isFresh: true,
	vars: {
		MAIL_PROVIDER: "resend",
		MAIL_FROM: "Milepost <fleet@milepost.test>",
		MAIL_API_KEY: "secret-key",
		MAIL_API_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/emails`,
	},
});
const keeping = await openFleet({ isFresh: true });

/** Waits for work that goes on after the response. */
const until = (isSo: () => Promise<boolean> | boolean): Promise<void> =>
	expect.poll(isSo).toBe(true);

beforeEach(() => {
	answer = 200;
	taken.length = 0;
});

describe("with a provider", () => {
	it("sends the approval once, after the response, with the email's own idempotency key", async () => {
		const admin = await sending.as("ada");
		expect((await admin.call("PUT", `/api/drivers/${idOf("nora")}/approve`)).status).toBe(200);
		await until(() => taken.length > 0);
		expect(taken).toHaveLength(1);
		expect(taken[0]).toMatchObject({
			authorization: "Bearer secret-key",
			body: { from: "Milepost <fleet@milepost.test>", to: [CAST.nora.email] },
		});
		expect(taken[0]?.body.text).toContain("DRV-");
		expect(taken[0]?.body.html).toMatch(/<p>.*DRV-.*<\/p>/s);
		const [mail] = await sending.sql<{ id: string; status: string }>(
			"select id, status from mails where kind = 'driver-approved'",
		);
		expect(mail?.id).toBe(taken[0]?.key);
		await until(
			async () =>
				(
					await sending.sql(
						"select 1 from mails where kind = 'driver-approved' and status = 'sent'",
					)
				).length === 1,
		);
		expect((await admin.get("/email")).text).toContain("Sent</span>");
	});

	it("keeps the decision when the provider is down, and shows the failure", async () => {
		answer = 500;
		const admin = await sending.as("ada");
		const made = await admin.call("POST", "/api/drivers", {
			email: "late@milepost.test",
			firstName: "Lat",
			lastName: "E",
		});
		expect(made.status).toBe(201);
		await until(
			async () =>
				(
					await sending.sql(
						"select 1 from mails where address = 'late@milepost.test' and status = 'queued' and attempts = 0 and last_error is not null",
					)
				).length === 1,
		);
		const waiting = (await admin.get("/email")).text;
		expect(waiting).toContain("The email provider returned 500");
		expect(waiting).toContain("Emails are waiting for the email provider");
		expect(JSON.parse((await admin.get("/api/drivers")).text)).toEqual(
			expect.arrayContaining([expect.objectContaining({ email: "late@milepost.test" })]),
		);
		// The next minute's run sends it.
		answer = 200;
		await sending.sql("update mails set send_after = 0 where address = 'late@milepost.test'");
		const worker = await sending.worker.getWorker();
		await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(currentTime()) });
		await until(() => taken.some(({ body }) => body.to[0] === "late@milepost.test"));
	});

	const insertEmail = (status: "failed" | "sent") =>
		insertRow((query, ...values) => sending.sql(query, ...values), "mails", {
			...{ id: "e".repeat(32), kind: "invitation", address: "late@milepost.test", subject: "s" },
			...{ body: "b", about_id: "a", status, created_at: 1, send_after: 1, dedupe_key: "late" },
		});

	it("resends a failed email when an administrator asks", async () => {
		await insertEmail("failed");
		const admin = await sending.as("ada");
		const page = await admin.get("/email");
		expect(page.text).toContain("1 email couldn&#x27;t be sent.");
		expect(page.headers.get("Server-Timing")).toContain("1 trip,");
		const answered = await admin.post("/email", formWith(page.text, "Send again").fields);
		expect(answered.status).toBe(303);
		expect(answered.headers.get("Server-Timing")).toContain("2 trips");
		await until(() => taken.some(({ body }) => body.to[0] === "late@milepost.test"));
		expect((await admin.post("/email", { id: "0".repeat(32) })).status).toBe(404);
		const audit = await admin.get("/audit?kind=email.send-again");
		expect(audit.text.replace(/<[^>]+>/g, "")).toContain("Ada Admin resent an email");
		expect(audit.text).toContain("late@milepost.test");
		expect(audit.text.match(/<tr id="entry-/g)).toHaveLength(1);
	});

	it("never resends an email that was sent", async () => {
		await insertEmail("sent");
		const refused = await (await sending.as("ada")).post("/email", { id: "e".repeat(32) });
		expect(refused.status).toBe(409);
		expect(refused.text).toContain(
			"Failed to resend the email. You can resend only emails that couldn&#x27;t be sent.",
		);
		expect(
			await sending.sql("select 1 from audit_events where action = 'email.send-again'"),
		).toEqual([]);
	});
});

describe("emails that failed", () => {
	it("are resent all at once when an administrator asks, but those that may have been sent", async () => {
		await sending.sql(`insert into mails (id, kind, address, subject, body, about_id, status, may_have_been_sent, created_at, send_after, dedupe_key)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 7)
			select printf('%032d', i), 'invitation', 'again' || i || '@milepost.test', 's', 'b', 'a', 'failed', i > 5, i, i, 'again-' || i from n`);
		const admin = await sending.as("ada");
		const page = await admin.get("/email");
		expect(page.text).toContain("5 emails couldn&#x27;t be sent.");
		const form = formWith(page.text, "Send all failed again");
		const answered = await admin.post("/email", form.fields);
		expect(answered.status).toBe(303);
		expect((await admin.get("/email")).text).toContain("The emails will be resent");
		const sent = () =>
			sending.sql<{ address: string }>(
				"select address from mails where status = 'sent' and address like 'again%' order by address",
			);
		await until(async () => (await sent()).length === 5);
		expect(await sending.sql("select 1 from mails where status = 'failed'")).toHaveLength(2);
		const audited = `select entity_id as id from audit_events where action = 'email.send-again'
			and entity_id like '00000%' order by entity_id`;
		expect(await sending.sql<{ id: string }>(audited)).toHaveLength(5);
		// Sent twice, the form finds nothing left.
		await admin.post("/email", form.fields);
		expect((await admin.get("/email")).text).toContain("Nothing to resend");
		expect(await sending.sql(audited)).toHaveLength(5);
	});
});

describe("without a provider", () => {
	it("stores emails where administrators can read them, and says so", async () => {
		const admin = await keeping.as("ada");
		expect((await admin.get("/email")).text).toContain("No emails yet");
		await admin.call("POST", "/api/drivers", {
			email: "kept@milepost.test",
			firstName: "Kept",
			lastName: "Here",
		});
		const { text } = await admin.get("/email");
		expect(text).toContain("Email delivery isn&#x27;t set up");
		expect(text).toContain("kept@milepost.test");
		expect(text).toContain("Waiting</span>");
		expect(await keeping.sql("select 1 from mails where status <> 'queued'")).toHaveLength(0);
	});

	it("paginates by cursor", async () => {
		await keeping.sql(`insert into mails (id, kind, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
			select lower(hex(randomblob(16))), 'invitation', 'x@milepost.test', 'Paged ' || i, 'b', 'a', 'sent', i, i, 'paged-' || i from n`);
		const admin = await keeping.as("ada");
		const first = await admin.get("/email");
		const next = /href="(\/email\?after=[^"]+)"/.exec(first.text)?.[1] ?? "";
		const second = await admin.get(next);
		const subjects = (text: string) =>
			[...text.matchAll(/Paged (\d+)/g)].map(([, number]) => Number(number));
		expect([...subjects(first.text), ...subjects(second.text)]).toEqual(
			Array.from({ length: 60 }, (_, each) => 60 - each),
		);
		expect((await admin.get("/email?after=nonsense")).status).toBe(200);
	});
});
