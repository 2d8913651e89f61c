/**
 * Statements that are too large, or come from someone who may not send them. A Worker of its own with
 * an ordinary heap: what the largest one allowed takes is large-statement.test.ts.
 */
import { expect, it } from "vitest";
import { multipart } from "../support/forms.ts";
import { generateStatement } from "../support/generated-statements.ts";
import { callStatements } from "../support/statement-calls.ts";
import { openFleet } from "../support/worker.ts";

const MEGABYTE = 1024 * 1024;
const fleet = await openFleet();
const ada = await fleet.as("ada");
const { bytes, name: NAME } = generateStatement(50_000, 2000).file;

it("a statement is refused with more rows or bytes, and read past 64 KB only for administrators", async () => {
	const text = new TextDecoder().decode(bytes);
	const longer = new TextEncoder().encode(`${text}\n${text.slice(text.lastIndexOf("\n") + 1)}`);
	const rows = await callStatements(ada, {}, { bytes: longer, name: NAME });
	expect(rows.status).toBe(422);
	expect(rows.body.message).toContain("50,000");
	const larger = new Uint8Array(20 * MEGABYTE + 1).fill(44);
	const size = await callStatements(ada, {}, { bytes: larger, name: NAME });
	expect(size.status).toBe(413);
	const form = await multipart({ intent: "upload" }, { bytes: larger, name: NAME }, "file");
	expect((await ada.request("/uber-fees/import", form)).status).toBe(413);
	const store = fleet.files;
	const objects = async () => (await store.list({ prefix: "s/" })).objects.length;
	const before = await objects();
	for (const [name, status] of [
		["dana", 403],
		["nora", 403],
	] as const) {
		const refused = await callStatements(await fleet.as(name), {}, { bytes, name: NAME });
		expect(refused.status).toBe(status);
	}
	expect((await callStatements(fleet.client(), {}, { bytes, name: NAME })).status).toBe(401);
	expect(await objects()).toBe(before);
});
