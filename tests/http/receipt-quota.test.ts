/**
 * A driver's daily storage quota is checked before anything is stored, so the tests count objects
 * in the store as well as answers.
 */

import { afterEach, describe, expect, it } from "vitest";
import { MAX_FILES_PER_DAY } from "../../app/domain/kernel/limits.ts";
import type { CastName } from "../support/cast.ts";
import { formsIn, formWith, multipart, type SentFile } from "../support/forms.ts";
import { useUpReceipts } from "../support/receipt-quota.ts";
import {
	fill,
	idIn,
	JPEG,
	PDF,
	PNG,
	readStoredRequest,
	send,
	shownRow,
	uniqueText,
} from "../support/request-form.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();

/** Every key in the store. */
async function storedKeys(): Promise<string[]> {
	const bucket = fleet.files;
	const keys: string[] = [];
	for (let cursor: string | undefined; ; ) {
		const page = await bucket.list(cursor ? { cursor } : {});
		keys.push(...page.objects.map(({ key }) => key));
		if (!page.truncated) return keys.sort();
		cursor = page.cursor;
	}
}
const rowKeys = async () =>
	(
		await fleet.sql<{ key: string }>("select object_key as key from receipts order by object_key")
	).map(({ key }) => key);
const upload = async (client: Client, file: SentFile, headers: Record<string, string> = {}) => {
	const sent = await multipart({}, file);
	return client.request("/api/receipts", { ...sent, headers: { ...sent.headers, ...headers } });
};
const useUp = (name: CastName) =>
	useUpReceipts((query, ...values) => fleet.sql(query, ...values), name);

afterEach(async () => {
	expect(
		(await rowKeys()).filter((key) => key.startsWith("r/")),
		"one row per object",
	).toEqual(await storedKeys());
	expect(await fleet.sql("select * from loose_objects"), "nothing left half uploaded").toEqual([]);
});

describe("the daily quota", () => {
	it("stores as many objects as were answered 201 to 200 simultaneous uploads", async () => {
		const client = await fleet.as("lena");
		const before = (await storedKeys()).length;
		const answers = await Promise.all(Array.from({ length: 200 }, () => upload(client, PNG)));
		const accepted = answers.filter(({ status }) => status === 201);
		expect(accepted).toHaveLength(MAX_FILES_PER_DAY);
		expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - MAX_FILES_PER_DAY);
		expect((await storedKeys()).length - before).toBe(MAX_FILES_PER_DAY);
	});

	it("stores no file from an invalid form or with a request, but saves the request", async () => {
		await useUp("omar");
		const client = await fleet.as("omar");
		const before = await storedKeys();
		const refused = await send(client, await fill(client, { amount: "" }), JPEG);
		expect(refused.status).toBe(400);
		expect(refused.text).toContain("limit of 50 receipts");
		const saved = await send(client, await fill(client), JPEG);
		expect(saved.headers.get("Location")).toMatch(
			/^\/requests\?receipt=filesToday&of=[^#]+#request-/,
		);
		const id = idIn(saved);
		expect((await readStoredRequest(fleet, id)).receipt_id).toBeNull();
		const added = await send(client, { intent: "add-receipt", id }, JPEG);
		expect(added.status).toBe(429);
		expect(shownRow(added.text, id)).toContain("limit of 50 receipts");
		expect(await storedKeys()).toEqual(before);
	});

	it("counts a form's file once, however often it is sent at the same time", async () => {
		const client = await fleet.as("dana");
		const before = (await storedKeys()).length;
		const answers = await Promise.all(
			Array.from({ length: 20 }, () => upload(client, PDF, { "Idempotency-Key": "once" })),
		);
		expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect((await storedKeys()).length - before).toBe(1);
	});
});

describe("a receipt that its request can't have", () => {
	it("isn't stored for someone else's request, an unknown or withdrawn one, or one that has a receipt", async () => {
		const dana = await fleet.as("dana");
		const foreign = idIn(await send(await fleet.as("omar"), await fill(await fleet.as("omar"))));
		const withdrawn = idIn(await send(dana, await fill(dana)));
		expect((await send(dana, { intent: "withdraw", id: withdrawn })).status).toBe(303);
		const complete = idIn(await send(dana, await fill(dana), PNG));
		const before = await storedKeys();
		for (const [id, status, words] of [
			[foreign, 404, "You have no request by that ID."],
			[crypto.randomUUID(), 404, "You have no request by that ID."],
			[withdrawn, 409, "is already withdrawn."],
			[complete, 409, "has a receipt already."],
		] as const) {
			const answer = await send(dana, { intent: "add-receipt", id }, JPEG);
			expect([answer.status, answer.text.includes(words)], words).toEqual([status, true]);
		}
		expect(await storedKeys()).toEqual(before);
	});
});

describe("a form that is shown again", () => {
	it("keeps its file in a row of its own, which the request then uses", async () => {
		const client = await fleet.as("dana");
		const shown = await send(
			client,
			await fill(client, { amount: "", description: uniqueText("Corrected") }),
			JPEG,
		);
		expect(shown.status).toBe(400);
		const { fields } = formWith(shown.text, "Submit Request");
		const sent = await send(client, { ...fields, amount: "12.50" });
		expect((await readStoredRequest(fleet, idIn(sent))).receipt_id).not.toBeNull();
		expect(formsIn((await client.get("/requests")).text).length).toBeGreaterThan(0);
	});
});
