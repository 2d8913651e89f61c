/**
 * Receipts of fund requests: refused files, uploading, who may see one and how it is served, and a
 * failing file store (docs/product.md §2, §7, 'Fund requests and receipts').
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_BYTES } from "../../app/domain/receipts/rules.ts";
import { fixture } from "../receipts/corpus-file.ts";
import { type CastName, idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { textOf } from "../support/drivers.ts";
import { withoutFileStore } from "../support/failing-store.ts";
import { formsIn, formWith, multipart, type SentFile } from "../support/forms.ts";
import { receiptCorpus } from "../support/receipt-corpus.ts";
import {
	countStored,
	fill,
	idIn,
	JPEG,
	large,
	PDF,
	PNG,
	readStoredRequest,
	SVG,
	send,
	shownRow,
	uniqueText,
} from "../support/request-form.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";

const state = mkdtempSync(join(tmpdir(), "milepost-requests-"));
// Registered before the fleet is opened, so it runs after the fleet is closed, which still writes
// there.
afterAll(() => rmSync(state, { recursive: true, force: true }));
const fleet = await openFleet({ state });
const LOCKED: SentFile = {
	bytes: fixture("password-protected.pdf"),
	name: "invoice.pdf",
	type: "application/pdf",
};
const rowOf = (id: string) => readStoredRequest(fleet, id);

describe("a refused file", () => {
	it.each([
		["8 MB and a byte", () => large(MAX_BYTES + 1), "over 8 MB"],
		["20 MB", () => large(20 * 1024 * 1024), "over 8 MB"],
		["an SVG called PNG", () => SVG, "SVG files aren&#x27;t accepted"],
		["an empty file", () => ({ bytes: new Uint8Array(), name: "empty.jpg" }), "This file is empty"],
		["a PDF with a password", () => LOCKED, "protected with a password. Save it without one."],
	])("(%s) doesn't prevent its request", async (_, file, why) => {
		const client = await fleet.as("dana");
		const [before] = await fleet.sql<{ n: number }>("select count(*) as n from receipts");
		const fields = await fill(client, {
			description: uniqueText("Kept although its file was not"),
		});
		const answer = await send(client, fields, file());
		expect(answer.status).toBe(303);
		const location = answer.headers.get("Location") ?? "";
		const id = idIn(answer);
		expect(await rowOf(id)).toMatchObject({ receipt_id: null, description: fields.description });
		const page = await client.get(location.replace(/#.*/, ""));
		expect(page.text).toContain("Request saved, but the receipt wasn&#x27;t.");
		expect(page.text).toContain(why);
		expect(page.text).toContain(
			"Fund request submitted successfully. The receipt wasn&#x27;t saved",
		);
		expect(await fleet.sql("select count(*) as n from receipts")).toEqual([before]);
		const { fields: row } = formsIn(shownRow(page.text, id))[0] ?? expect.unreachable();
		const added = await send(client, row, PDF);
		expect(added.status).toBe(303);
		expect(added.headers.get("Location")).toBe(`/requests#request-${id}`);
		expect(added.headers.get("Server-Timing")).toContain("3 trips");
		expect((await client.get("/requests")).text).toContain("Receipt added");
		expect((await rowOf(id)).receipt_id).not.toBeNull();
	});

	it("with a password is refused by call and from an outbox too, and one for its owner isn't", async () => {
		const client = await fleet.as("dana");
		const words = "This PDF is protected with a password. Save it without one.";
		const call = async (file: SentFile) =>
			client.request("/api/receipts", await multipart({}, file));
		const refused = await call(LOCKED);
		expect([refused.status, JSON.parse(refused.text)]).toEqual([
			400,
			{ message: words, fields: { receipt: [words] } },
		]);
		expect((await call({ ...LOCKED, bytes: fixture("owner-locked.pdf") })).status).toBe(201);
		const fields = await fill(client, { description: uniqueText("With a password") });
		const outbox = await client.request(
			"/api/outbox/requests",
			await multipart({ ...fields, key: "locked-outbox" }, LOCKED),
		);
		expect(outbox.text).toContain(words);
		expect(
			await fleet.sql(
				"select receipt_id from fund_requests where description = ?",
				fields.description,
			),
		).toEqual([{ receipt_id: null }]);
	});

	it("is stored without what comes before a PDF", async () => {
		const client = await fleet.as("dana");
		const late = { ...PDF, bytes: Buffer.concat([Buffer.from("\ufeff\r\n"), PDF.bytes]) };
		const sent = await client.request("/api/receipts", await multipart({}, late));
		expect(sent.status).toBe(201);
		expect(
			await fleet.sql(
				"select byte_size, sha256 from receipts where id = ?",
				(JSON.parse(sent.text) as { id: string }).id,
			),
		).toEqual([
			{
				byte_size: PDF.bytes.length,
				sha256: createHash("sha256").update(PDF.bytes).digest("hex"),
			},
		]);
	});

	it("is explained in the request's row when added later", async () => {
		const client = await fleet.as("dana");
		const id = idIn(await send(client, await fill(client)));
		const add = { intent: "add-receipt", id };
		for (const [file, status, words] of [
			[SVG, 400, "SVG files aren&#x27;t accepted"],
			[large(20 * 1024 * 1024), 413, "over 8 MB"],
			[undefined, 400, "Choose a receipt first."],
		] as const) {
			const answer = await send(client, add, file);
			expect(answer.status).toBe(status);
			expect(shownRow(answer.text, id)).toContain(words);
			expect(shownRow(answer.text, id)).toMatch(/<details[^>]* open=""/);
		}
		expect((await send(client, add, PNG)).status).toBe(303);
		// Sending the same file again changes nothing; a different one is too late.
		expect((await send(client, add, PNG)).status).toBe(303);
		const late = await send(client, add, JPEG);
		expect(late.status).toBe(409);
		expect(late.text).toContain("has a receipt already");
		const foreign = await send(await fleet.as("omar"), add, JPEG);
		expect(foreign.status).toBe(404);
	});

	it("doesn't replace a file that was kept earlier", async () => {
		const client = await fleet.as("dana");
		const first = await send(client, await fill(client, { amount: "" }), JPEG);
		const kept = formWith(first.text, "Submit Request").fields;
		const second = await send(client, kept, SVG);
		expect(second.text).toContain("The receipt wasn&#x27;t saved. SVG files aren&#x27;t accepted");
		expect(second.text).toContain("Receipt selected: pump.jpg");
	});
});

describe("a file that looks like a form", () => {
	const inside = 'Content-Disposition: form-data; name="amount"\r\n\r\n9999\r\n&amount=9999&';
	const tricky: SentFile = {
		bytes: Buffer.concat([Buffer.from(`%PDF-1.4\n${inside.repeat(60)}\n`), PDF.bytes]),
		name: "mail-archive.pdf",
		type: "application/pdf",
	};

	it("is stored as a file, and none of its bytes are read as fields", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client, { amount: "12.50" });
		expect(await rowOf(idIn(await send(client, fields, tricky)))).toMatchObject({
			amount_cents: 1250,
			receipt_id: expect.any(String),
		});
		const call = await client.request("/api/receipts", await multipart({}, tricky));
		expect(call.status).toBe(201);
		const outbox = await multipart({ ...(await fill(client)), key: "tricky-outbox" }, tricky);
		expect((await client.request("/api/outbox/requests", outbox)).status).toBe(200);
	});
});

describe("a body past 64 KB", () => {
	const photo = (size: number) => ({ ...large(size), name: "pump.jpg" });

	it("costs one more round trip than a smaller one", async () => {
		const client = await fleet.as("dana");
		const sent = async (file: SentFile) => send(client, await fill(client), file);
		const [small, big] = [await sent(PDF), await sent(photo(300_000))];
		expect([small.status, big.status]).toEqual([303, 303]);
		expect((await rowOf(idIn(big))).receipt_id).not.toBeNull();
		expect(costOf(big).trips).toBe(costOf(small).trips + 1);
	});

	it("costs no more than a smaller one after the session has ended", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client, { description: "Typed while the session ended" });
		await fleet.sql(
			"update sessions set ended_at = 1, ended_reason = 'signed-out' where user_id = ?",
			idOf("dana"),
		);
		const answer = await send(client, fields, photo(3_000_000));
		expect(answer.status).toBe(401);
		expect(answer.text).toContain("Typed while the session ended");
		expect(answer.text).toContain("The file wasn&#x27;t included.");
		const { fields: kept } = formWith(answer.text, "Send again");
		const again = await fleet.as("dana");
		expect((await again.post("/requests", kept)).status).toBe(303);
	});
});

describe("POST /api/receipts", () => {
	const upload = async (
		client: Client,
		file: SentFile | undefined,
		headers: Record<string, string> = {},
		field = "receipt",
	) => {
		const sent = await multipart({}, file, field);
		return client.request("/api/receipts", { ...sent, headers: { ...sent.headers, ...headers } });
	};

	it.each(["receipt", "file"])(
		"stores the file in the field %s, stripped of metadata, for a later request",
		async (field) => {
			const client = await fleet.as("dana");
			const placed =
				receiptCorpus().find(
					({ hasPlace, expected }) => hasPlace && typeof expected !== "string",
				) ?? expect.unreachable();
			const answer = await upload(
				client,
				{ bytes: placed.bytes, name: "/photos/my receipt.jpg" },
				{},
				field,
			);
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
				description: uniqueText("By call"),
				receiptUrl: body.receiptUrl,
			});
			expect(JSON.parse(made.text).receiptUrl).toBe(body.receiptUrl);
		},
	);

	it("returns the same receipt for the same file and key, and refuses another file", async () => {
		const client = await fleet.as("dana");
		const headers = { "Idempotency-Key": "receipt-key-1" };
		const first = await upload(client, PDF, headers);
		expect(first.headers.has("Idempotency-Replayed")).toBe(false);
		const again = await upload(client, PDF, headers);
		expect([again.text, again.headers.get("Idempotency-Replayed")]).toEqual([first.text, "true"]);
		const changed = await upload(client, PNG, headers);
		expect([changed.status, JSON.parse(changed.text)]).toEqual([
			422,
			{ message: "This was already submitted with different values" },
		]);
		const { id } = JSON.parse(first.text);
		expect((await client.get(`/api/receipts/${id}`)).bytes).toBe(JSON.parse(first.text).byteSize);
		const atOnce = await Promise.all(
			[PDF, PNG].map((file) => upload(client, file, { "Idempotency-Key": "receipt-key-2" })),
		);
		expect(atOnce.map(({ status }) => status).sort()).toEqual([201, 422]);
		expect((await upload(client, PDF)).text).not.toBe(first.text);
		const other = await upload(await fleet.as("omar"), PDF, headers);
		expect(JSON.parse(other.text).id).not.toBe(JSON.parse(first.text).id);
	});

	it("accepts a photo with a long name, and shows the end of the name", async () => {
		const client = await fleet.as("omar");
		const name = `${"n".repeat(12_000)}.jpg`;
		const answer = await upload(client, { ...JPEG, name });
		expect(answer.status, answer.text).toBe(201);
		expect(JSON.parse(answer.text).fileName).toBe(`${"n".repeat(196)}.jpg`);
	});

	it("says why it refuses", async () => {
		const client = await fleet.as("dana");
		for (const [file, status, words] of [
			[SVG, 400, "SVG files aren't accepted"],
			[undefined, 400, "field named receipt"],
			[large(MAX_BYTES + 1), 413, "over 8 MB"],
			[large(20 * 1024 * 1024), 413, "over 8 MB"],
		] as const) {
			const answer = await upload(client, file);
			expect(answer.status).toBe(status);
			expect(JSON.parse(answer.text).message).toContain(words);
		}
		expect((await client.call("POST", "/api/receipts", { receipt: "x" })).status).toBe(415);
	});

	it("accepts 50 files a day and no more", async () => {
		const client = await fleet.as("lena");
		const answers: number[] = [];
		for (let each = 0; each < 51; each++) answers.push((await upload(client, PNG)).status);
		expect(answers).toEqual([...Array(50).fill(201), 429]);
		const last = await upload(client, PNG);
		expect(JSON.parse(last.text).message).toContain("limit of 50 receipts");
		expect(last.headers.get("Retry-After")).toBe("3600");
	});
});

describe("GET /api/receipts/{id}", () => {
	const attached = async (name: CastName, file: SentFile) => {
		const client = await fleet.as(name);
		const row = await rowOf(idIn(await send(client, await fill(client), file)));
		return {
			id: row.receipt_id ?? expect.unreachable(),
			number: `FR-${String(row.number).padStart(6, "0")}`,
		};
	};

	it("is for its owner and administrators, and not found for anyone else", async () => {
		const { id } = await attached("dana", JPEG);
		const unknown = crypto.randomUUID();
		const seen: Record<string, string> = {};
		for (const name of ["dana", "ada", "ben", "omar", "lena", "nora", "nina", "rex"] as const) {
			const client = await fleet.as(name);
			const answer = await client.get(`/api/receipts/${id}`);
			const none = await client.get(`/api/receipts/${unknown}`);
			expect(none.status, name).toBe(["nora", "nina", "rex"].includes(name) ? 403 : 404);
			seen[name] = String(answer.status);
			if (answer.status !== 200) expect(answer.text, name).toBe(none.text);
		}
		expect(seen).toEqual({
			dana: "200",
			ada: "200",
			ben: "200",
			omar: "404",
			lena: "404",
			nora: "403",
			nina: "403",
			rex: "403",
		});
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
	])(
		"serves %s with its type, and lets nothing in it run",
		async (_, file, mediaType, way, extension) => {
			const { id, number } = await attached("omar", file);
			const client = await fleet.as("omar");
			const { headers, raw } = await client.get(`/api/receipts/${id}`);
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
			const [row] = await fleet.sql<{ sha256: string; byte_size: number }>(
				"select sha256, byte_size from receipts where id = ?",
				id,
			);
			expect(headers.get("Content-Length")).toBe(String(row?.byte_size));
			expect(createHash("sha256").update(raw).digest("hex")).toBe(row?.sha256);
			const head = await client.request(`/api/receipts/${id}`, { method: "HEAD" });
			expect([head.status, head.text]).toEqual([200, ""]);
		},
	);

	it("is 404 and a logged error when the file is gone", async () => {
		const { id } = await attached("omar", PNG);
		await fleet.files.delete(`r/${id}`);
		const answer = await (await fleet.as("omar")).get(`/api/receipts/${id}`);
		expect(answer.status).toBe(404);
		expect(fleet.takeErrors()).toEqual([expect.stringContaining("is missing")]);
	});
});

describe("when the file store fails", () => {
	const without = <T>(act: () => Promise<T>) => withoutFileStore(state, act);
	beforeAll(async () => {
		const client = await fleet.as("dana");
		await send(client, await fill(client), PNG);
	});
	const fileStoreErrors = () =>
		fleet.takeErrors().filter((line) => line.includes('"fileStore"')).length;

	it("saves the request, says what happened to its file, and takes the file later", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client);
		const answer = await without(() => send(client, fields, JPEG));
		expect(answer.status).toBe(303);
		const saved = answer.headers.get("Location") ?? "";
		const id = idIn(answer);
		expect(saved).toBe(`/requests?receipt=storeDown&of=${id}#request-${id}`);
		expect(fileStoreErrors()).toBe(1);
		const newer = idIn(await send(client, await fill(client)));
		const again = await without(() => send(client, fields, JPEG));
		expect(again.headers.get("Location")).toBe(saved);
		const saysIt = async () => {
			const { text } = await client.get(saved);
			return [id, newer].map((each) =>
				shownRow(text, each).includes("This receipt can&#x27;t be saved right now."),
			);
		};
		expect(await saysIt()).toEqual([true, false]);
		expect(fileStoreErrors()).toBe(1);
		const failed = await without(() => send(client, { intent: "add-receipt", id }, JPEG, true));
		expect(failed.status).toBe(503);
		expect(shownRow(failed.text, id)).toContain("This receipt can&#x27;t be saved right now.");
		expect(fileStoreErrors()).toBe(1);
		expect((await send(client, { intent: "add-receipt", id }, JPEG)).status).toBe(303);
		expect(await saysIt()).toEqual([false, false]);
		const { receipt_id } = await rowOf(id);
		expect((await client.get(`/api/receipts/${receipt_id}`)).status).toBe(200);
		const shown = await without(() => client.get(`/api/receipts/${receipt_id}`, { mayFail: true }));
		expect(shown.status).toBe(503);
		expect(shown.headers.get("Retry-After")).toBe("10");
		expect(fileStoreErrors()).toBe(1);
	});

	it("leaves a correction the receipt that it had, says so, and recognizes a resend", async () => {
		const client = await fleet.as("dana");
		const old = idIn(await send(client, await fill(client), JPEG));
		const { receipt_id } = await rowOf(old);
		const fields = await fill(client, { amount: "12" }, `/requests?correct=${old}`);
		const answer = await without(() => send(client, fields, PNG));
		const id = idIn(answer);
		expect(await rowOf(id)).toMatchObject({ receipt_id });
		const page = await client.get(answer.headers.get("Location") ?? "");
		expect(textOf(page.text)).toContain(
			"Fund request corrected. The new receipt wasn't saved, so it has the previous one.",
		);
		expect(textOf(page.text)).toContain(
			"The request has the previous receipt. To replace it, select Correct.",
		);
		expect(shownRow(page.text, id)).not.toContain("Add receipt");
		const again = await send(client, fields, PNG);
		expect(idIn(again)).toBe(id);
		expect(again.headers.get("Location")).toContain("has=previous");
		expect(await rowOf(id)).toMatchObject({ receipt_id });
		expect(fileStoreErrors()).toBe(1);
	});

	it("says which receipt a request has whose form was refused with one", async () => {
		const client = await fleet.as("dana");
		const refused = async () => {
			const { text } = await send(client, await fill(client, { amount: "" }), JPEG);
			return { ...formWith(text, "Submit Request").fields, amount: "8" };
		};
		const said = async (answer: Answer) =>
			textOf((await client.get(answer.headers.get("Location") ?? "")).text);
		const same = await said(await send(client, await refused(), JPEG));
		expect(same).toContain("Fund request submitted successfully");
		expect(same).not.toContain("previous");
		const fields = await refused();
		const other = await without(() => send(client, fields, PNG));
		expect(await said(other)).toContain(
			"Fund request submitted successfully. The new receipt wasn't saved, so it has the previous one.",
		);
		expect(fileStoreErrors()).toBe(1);
	});

	it("keeps what was typed when the form is refused too", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client, { amount: "" });
		const { status, text } = await without(() => send(client, fields, JPEG));
		expect(status).toBe(400);
		expect(text).toContain(
			"The receipt wasn&#x27;t saved. This receipt can&#x27;t be saved right now.",
		);
		expect(formWith(text, "Submit Request").fields).toEqual(fields);
		expect(fileStoreErrors()).toBe(1);
	});

	it("answers an upload with 503 and stores no row", async () => {
		const client = await fleet.as("dana");
		const [before] = await countStored(fleet);
		const sent = await multipart({}, PDF);
		const answer = await without(() => client.request("/api/receipts", { ...sent, mayFail: true }));
		expect(answer.status).toBe(503);
		expect(answer.headers.get("Retry-After")).toBe("10");
		expect(await countStored(fleet)).toEqual([before]);
		expect(fileStoreErrors()).toBe(1);
	});
});
