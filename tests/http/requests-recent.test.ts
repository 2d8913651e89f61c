/**
 * Recent Requests: correcting and withdrawing requests, reading decisions, and the pages of the
 * list (docs/product.md §2, §5, 'Fund requests and receipts').
 */
import { describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { textOf } from "../support/drivers.ts";
import { dayOf } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { fill, idIn, JPEG, readStoredRequest, send, shownRow } from "../support/request-form.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const rowOf = (id: string) => readStoredRequest(fleet, id);

describe("a driver's request", () => {
	it("is corrected in one step while pending, and its receipt moves to the correction", async () => {
		const client = await fleet.as("dana");
		const old = idIn(await send(client, await fill(client, { amount: "1000" }), JPEG));
		const { receipt_id } = await rowOf(old);
		const page = await client.get(`/requests?correct=${old}`);
		expect(page.headers.get("Server-Timing")).toContain("1 trip,");
		expect(page.text).toContain("You&#x27;re correcting a pending request");
		expect(page.text).toContain("Receipt selected: pump.jpg");
		const { fields } = formWith(page.text, "Submit Request");
		expect(fields).toMatchObject({
			type: "gas",
			amount: "1000.00",
			replacesId: old,
			receiptUrl: `/api/receipts/${receipt_id}`,
		});
		const answer = await send(client, { ...fields, amount: "100.00" });
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const id = idIn(answer);
		expect(await rowOf(id)).toMatchObject({ amount_cents: 10_000, receipt_id });
		expect(await rowOf(old)).toMatchObject({ status: "withdrawn", receipt_id: null });
		const after = (await client.get("/requests")).text;
		expect(after).toContain("Fund request corrected");
		expect(shownRow(after, old)).toContain(">Withdrawn</span>");
	});

	it("isn't corrected if it has been decided since, and a new one is offered instead", async () => {
		const client = await fleet.as("dana");
		const old = idIn(await send(client, await fill(client)));
		const { fields } = formWith(
			(await client.get(`/requests?correct=${old}`)).text,
			"Submit Request",
		);
		await fleet.sql(
			"update fund_requests set status = 'approved', decided_at = ?, decided_by = ? where id = ?",
			currentTime(),
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
		const { text } = await client.get(`/requests?correct=${old}`);
		expect(textOf(text)).toMatch(
			/FR-\d{6} is already approved\. It can no longer be corrected\. The form below sends a new request\./,
		);
		expect(formWith(text, "Submit Request").fields.replacesId).toBeUndefined();
	});

	it("is withdrawn after a confirmation", async () => {
		const client = await fleet.as("dana");
		const id = idIn(await send(client, await fill(client)));
		const link =
			/href="(\/requests\?dialog=withdraw[^"]+)"/.exec(
				shownRow((await client.get("/requests")).text, id),
			)?.[1] ?? "";
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
		const late = textOf((await client.get(link.replaceAll("&amp;", "&"))).text);
		expect(late).toMatch(/FR-\d{6} is already withdrawn\. Submit New/);
		expect(late).not.toContain("Withdraw this request?");
		const again = await client.post("/requests", fields);
		expect(again.status).toBe(409);
		expect(again.text).toContain("is already withdrawn");
	});

	it("can't be withdrawn by another driver", async () => {
		const id = idIn(await send(await fleet.as("dana"), await fill(await fleet.as("dana"))));
		const omar = await fleet.as("omar");
		expect((await omar.get(`/requests?dialog=withdraw&id=${id}`)).text).not.toContain(
			"Withdraw this request?",
		);
		const { text } = await omar.get(`/requests?correct=${id}`);
		expect(formWith(text, "Submit Request").fields.replacesId).toBeUndefined();
		expect(text).not.toContain("is already");
		for (const each of [id, "1' or 1=1"])
			expect((await omar.post("/requests", { intent: "withdraw", id: each })).status).toBe(404);
		expect((await rowOf(id)).status).toBe("pending");
	});

	it("shows who decided it, when, and the note", async () => {
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

	it("is in a list of 20 per page, and changing it returns to its page", async () => {
		const client = await fleet.as("lena");
		const now = currentTime();
		for (let each = 0; each < 45; each++) {
			// Three share each timestamp, so pages split rows with the same one.
			const createdAt = now - 5 * 3_600_000 - Math.floor(each / 3) * 1000;
			await fleet.sql(
				"insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash) values (?, ?, ?, 'gas', 100, ?, 'pending', 'seed', ?, ?, 'seed')",
				`20000000-0000-4000-8000-${String(each).padStart(12, "0")}`,
				9000 + each,
				idOf("lena"),
				`Paged ${each}`,
				createdAt,
				dayOf(createdAt),
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
			path = (/href="([^"]*)"[^>]*>Older requests/.exec(text)?.[1] ?? "")
				.replaceAll("&amp;", "&")
				.replace(/#.*/, "");
		}
		expect(seen).toHaveLength(45);
		expect(new Set(seen).size).toBe(45);
		const [, second = ""] =
			/href="([^"#]*)#recent"[^>]*>Older requests/.exec((await client.get("/requests")).text) ?? [];
		const id = seen[25] ?? "";
		const link =
			/href="(\/requests\?dialog=withdraw[^"]+)"/.exec(
				shownRow((await client.get(second)).text, id),
			)?.[1] ?? "";
		const { fields, action } = formWith(
			(await client.get(link.replaceAll("&amp;", "&"))).text,
			"Withdraw request",
		);
		expect((await client.post(action, fields)).headers.get("Location")).toBe(
			`${second}#request-${id}`,
		);
		expect((await client.get("/requests?after=nonsense")).status).toBe(200);
	});
});
