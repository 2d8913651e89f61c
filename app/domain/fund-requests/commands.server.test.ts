import { describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { AccessLost, openDatabase } from "../../../tests/support/database.ts";
import { MAX_FILES_PER_DAY, MAX_REQUESTS_PER_HOUR } from "../kernel/limits.ts";
import { saveReceiptRow } from "../receipts/commands/keep.server.ts";
import type { StoredFile } from "../receipts/commands/receipt-row.server.ts";
import { addReceipt } from "./commands/add-receipt.server.ts";
import { submitRequest } from "./commands/submit.server.ts";
import { withdrawRequest } from "./commands/withdraw.server.ts";
import type { SubmitRequest } from "./input.ts";
import { selectDuplicates } from "./review.server.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const HOUR = 3_600_000;
const MINUTE = 60_000;
const bench = await openDatabase("everyone", NOON);

let counted = 0;
/** A unique request, unless told otherwise. */
const asking = (more: Partial<SubmitRequest> = {}): SubmitRequest => ({
	type: "gas",
	amount: 4550,
	description: `Fuel ${++counted}`,
	receiptUrl: undefined,
	key: undefined,
	confirm: undefined,
	replacesId: undefined,
	...more,
});
const stored = (more: Partial<StoredFile> = {}, owner: "dana" | "omar" = "dana"): StoredFile => {
	const id = crypto.randomUUID();
	return {
		id,
		ownerId: idOf(owner),
		objectKey: `r/${id}`,
		mediaType: "image/jpeg",
		byteSize: 1000,
		sha256: "a".repeat(64),
		fileName: "receipt.jpg",
		...more,
	};
};
const made = async (...args: Parameters<typeof submitRequest>) => {
	const outcome = await submitRequest(...args);
	if (!outcome.ok) expect.unreachable(outcome.reason);
	return outcome.value.request;
};
const requestRow = async (id: string) =>
	(await bench.rows<Record<string, unknown>>("select * from fund_requests where id = ?", id))[0] ??
	expect.unreachable(id);
const decide = (id: string, status: string) =>
	bench.rows(
		"update fund_requests set status = ?, decided_at = ?, decided_by = ? where id = ?",
		status,
		NOON,
		idOf("ada"),
		id,
	);

describe("submitRequest", () => {
	it("stores the request with its number, its audit row, and a mail to every administrator", async () => {
		const driver = await bench.driver("dana");
		const request = await made(
			driver,
			asking({ description: "Full tank", amount: 123_456 }),
			"form",
		);
		expect(request).toMatchObject({
			number: 1,
			status: "pending",
			amountCents: 123_456,
			driverId: idOf("dana"),
			source: "form",
		});
		const [event] = await bench.rows<{ actor_id: string; after: string }>(
			"select * from audit_events where entity_id = ?",
			request.id,
		);
		expect(event).toMatchObject({ action: "request.submit", actor_id: idOf("dana") });
		expect(JSON.parse(event?.after ?? "")).toEqual({
			type: "gas",
			amountCents: 123_456,
			receiptId: null,
		});
		expect(
			await bench.rows(
				"select subject, body from notices where id = ?",
				`new-request:${request.id}`,
			),
		).toEqual([
			{
				subject: "New fund request FR-000001",
				body: "Dana Driver asks for $1,234.56 (gas): Full tank",
			},
		]);
	});

	it("gives 40 parallel requests 40 numbers", async () => {
		const drivers = await Promise.all(
			(["dana", "omar"] as const).map((name) => bench.driver(name, NOON - 5 * HOUR)),
		);
		const requests = await Promise.all(
			Array.from({ length: 40 }, (_, each) =>
				made(drivers[each % 2] ?? expect.unreachable(), asking(), "json"),
			),
		);
		expect(new Set(requests.map(({ number }) => number)).size).toBe(40);
	});

	it("returns the first result for the same key, and refuses the key with other values", async () => {
		const driver = await bench.driver("lena");
		const input = asking({ key: "key-of-lena-1" });
		const first = await made(driver, input, "json");
		const again = await submitRequest(driver, input, "json");
		expect(again).toMatchObject({ ok: true, value: { isReplay: true, request: { id: first.id } } });
		expect(await submitRequest(driver, { ...input, amount: 1 }, "json")).toMatchObject({
			ok: false,
			reason: "key-reused",
			details: { id: first.id },
		});
		expect(
			await bench.rows("select 1 from fund_requests where submission_key = 'key-of-lena-1'"),
		).toHaveLength(1);
		expect(
			await bench.rows("select 1 from audit_events where entity_id = ?", first.id),
		).toHaveLength(1);
		// Keys are per driver.
		expect((await made(await bench.driver("omar"), input, "json")).id).not.toBe(first.id);
	});

	it("stores 20 parallel submissions of one key once", async () => {
		const driver = await bench.driver("lena");
		const input = asking({ key: "key-of-lena-2" });
		const outcomes = await Promise.all(
			Array.from({ length: 20 }, () => submitRequest(driver, input, "form")),
		);
		const values = outcomes.map((outcome) =>
			outcome.ok ? outcome.value : expect.unreachable(outcome.reason),
		);
		expect(new Set(values.map(({ request }) => request.id)).size).toBe(1);
		expect(values.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
	});

	it("asks about the same request within 10 minutes on a form, then stores and flags it once confirmed", async () => {
		const driver = await bench.driver("omar");
		const input = asking();
		await made(driver, input, "form");
		const later = await bench.driver("omar", NOON + 10 * MINUTE - 1);
		const asked = await submitRequest(later, input, "form");
		if (asked.ok || asked.reason !== "ask-again") return expect.unreachable();
		const other = await submitRequest(
			later,
			{ ...input, amount: 4551, confirm: asked.details.confirm },
			"form",
		);
		expect(other).toMatchObject({ ok: true, value: { request: { isPossibleDuplicate: false } } });
		const taken = await submitRequest(later, { ...input, confirm: asked.details.confirm }, "form");
		expect(taken).toMatchObject({ ok: true, value: { request: { isPossibleDuplicate: true } } });
	});

	it("asks and flags by the minutes that an administrator has set", async () => {
		const within = async (minutes: number, later: number) => {
			const at = async (moment: number) => {
				const driver = await bench.driver("omar", moment);
				return { ...driver, settings: { ...driver.settings, sameRequestMinutes: minutes } };
			};
			const input = asking();
			await made(await at(NOON), input, "form");
			return submitRequest(await at(NOON + later), input, "form");
		};
		expect(await within(2, 2 * MINUTE - 1)).toMatchObject({
			reason: "ask-again",
			details: { minutes: 2 },
		});
		expect(await within(2, 2 * MINUTE)).toMatchObject({
			ok: true,
			value: { request: { isPossibleDuplicate: false } },
		});
		expect(await within(60, 60 * MINUTE - 1)).toMatchObject({ reason: "ask-again" });
	});

	it("never asks a JSON call, flags its duplicate, but not after 10 minutes or a withdrawal", async () => {
		const driver = await bench.driver("omar");
		const input = asking();
		const first = await made(driver, input, "json");
		expect((await made(driver, input, "json")).isPossibleDuplicate).toBe(true);
		const later = await bench.driver("omar", NOON + 10 * MINUTE);
		expect((await made(later, input, "form")).isPossibleDuplicate).toBe(false);
		const withdrawn = asking();
		const { id } = await made(driver, withdrawn, "form");
		await withdrawRequest(driver, id);
		expect((await made(driver, withdrawn, "form")).isPossibleDuplicate).toBe(false);
		expect(first.isPossibleDuplicate).toBe(false);
	});

	it("names the other request of a flagged one, also once the setting is lower", async () => {
		const input = asking();
		const within = async (sameRequestMinutes: number, at: number) => {
			const driver = await bench.driver("lena", at);
			return made(
				{ ...driver, settings: { ...driver.settings, sameRequestMinutes } },
				input,
				"json",
			);
		};
		const first = await within(60, NOON);
		const second = await within(60, NOON + 30 * MINUTE);
		const third = await within(10, NOON + 2 * HOUR);
		expect([second, third].map((request) => request.isPossibleDuplicate)).toEqual([true, false]);
		const { db } = await bench.admin("ada");
		const { found } = await db.batch({ found: selectDuplicates(db.build, { id: second.id }) });
		expect(found.map(({ id }) => id)).toEqual([first.id]);
	});

	it(`refuses more than ${MAX_REQUESTS_PER_HOUR} an hour, parallel ones too`, async () => {
		const then = NOON + 100 * HOUR;
		const driver = await bench.driver("lena", then);
		const outcomes = await Promise.all(
			Array.from({ length: MAX_REQUESTS_PER_HOUR + 10 }, () =>
				submitRequest(driver, asking(), "json"),
			),
		);
		expect(outcomes.filter(({ ok }) => ok)).toHaveLength(MAX_REQUESTS_PER_HOUR);
		for (const outcome of outcomes) if (!outcome.ok) expect(outcome.reason).toBe("too-many");
		expect((await submitRequest(await bench.driver("omar", then), asking(), "json")).ok).toBe(true);
		expect(
			(await submitRequest(await bench.driver("lena", then + HOUR), asking(), "json")).ok,
		).toBe(true);
	});

	it("refuses a driver who was deactivated since the guard looked, and keeps nothing", async () => {
		const driver = await bench.driver("lena", NOON + 200 * HOUR);
		await bench.rows("update users set is_active = 0 where id = ?", idOf("lena"));
		await expect(
			submitRequest(driver, asking({ description: "Too late" }), "form"),
		).rejects.toThrow(AccessLost);
		await bench.rows("update users set is_active = 1 where id = ?", idOf("lena"));
		expect(await bench.rows("select 1 from fund_requests where description = 'Too late'")).toEqual(
			[],
		);
	});
});

describe("the receipt of a request", () => {
	it("comes with it as a file, whose row is written in the same batch", async () => {
		const driver = await bench.driver("dana");
		const file = stored({ fileName: "pump.jpg" });
		const request = await made(driver, asking(), "form", file);
		expect(request.receiptId).toBe(file.id);
		expect(
			await bench.rows("select owner_id, file_name from receipts where id = ?", file.id),
		).toEqual([{ owner_id: idOf("dana"), file_name: "pump.jpg" }]);
	});

	it("stays for the next attempt when the request is refused", async () => {
		const driver = await bench.driver("dana");
		const input = asking();
		await made(driver, input, "form");
		const file = stored();
		expect(await submitRequest(driver, input, "form", file)).toMatchObject({
			ok: false,
			reason: "ask-again",
		});
		const next = await made(driver, asking({ receiptUrl: { kind: "file", id: file.id } }), "form");
		expect(next.receiptId).toBe(file.id);
	});

	it("has to be the driver's own, and unused", async () => {
		const omars = stored({}, "omar");
		await saveReceiptRow(await bench.driver("omar"), omars);
		const dana = await bench.driver("dana");
		const of = (id: string) => asking({ receiptUrl: { kind: "file", id } });
		for (const id of [omars.id, crypto.randomUUID()])
			expect(await submitRequest(dana, of(id), "json")).toMatchObject({
				ok: false,
				reason: "no-such-receipt",
			});
		const own = stored();
		await saveReceiptRow(dana, own);
		await made(dana, of(own.id), "json");
		expect(await submitRequest(dana, of(own.id), "json")).toMatchObject({
			ok: false,
			reason: "no-such-receipt",
		});
	});

	it("may be a bare name", async () => {
		const request = await made(
			await bench.driver("dana"),
			asking({ receiptUrl: { kind: "name", name: "pump.jpg" } }),
			"json",
		);
		expect(request).toMatchObject({ receiptId: null, receiptName: "pump.jpg" });
	});

	it("is left out when the day's quota is used up, and the request is saved", async () => {
		// 2026-11-25, late in the evening in the fleet's time zone, when it is the next day in UTC.
		const evening = Date.UTC(2026, 10, 26, 3);
		const driver = await bench.driver("omar", evening);
		for (let each = 0; each < MAX_FILES_PER_DAY; each++)
			expect((await saveReceiptRow(driver, stored({}, "omar"))).ok).toBe(true);
		expect(await saveReceiptRow(driver, stored({}, "omar"))).toMatchObject({
			ok: false,
			reason: "quota",
			details: { words: "filesToday" },
		});
		const outcome = await submitRequest(driver, asking(), "form", stored({}, "omar"));
		expect(outcome).toMatchObject({
			ok: true,
			value: { quota: "filesToday", request: { receiptId: null, status: "pending" } },
		});
		const request = outcome.ok ? outcome.value.request : expect.unreachable();
		expect(await addReceipt(driver, request.id, stored({}, "omar"))).toMatchObject({
			ok: false,
			reason: "quota",
			details: { words: "filesToday" },
		});
		const tomorrow = await bench.driver("omar", Date.UTC(2026, 10, 26, 5, 1));
		expect((await addReceipt(tomorrow, request.id, stored({}, "omar"))).ok).toBe(true);
	});

	it("counts bytes too", async () => {
		const driver = await bench.driver("omar", Date.UTC(2026, 10, 30, 17));
		const large = { byteSize: 8 * 1024 * 1024 };
		for (let each = 0; each < 25; each++)
			expect((await saveReceiptRow(driver, stored(large, "omar"))).ok).toBe(true);
		expect(await saveReceiptRow(driver, stored({ byteSize: 1 }, "omar"))).toMatchObject({
			ok: false,
			details: { words: "bytesToday" },
		});
	});
});

describe("replacing a pending request", () => {
	it("withdraws the old one, sends the new one and moves the receipt, in one step", async () => {
		const driver = await bench.driver("dana");
		const file = stored();
		const old = await made(driver, asking(), "form", file);
		const input = asking({
			amount: 5000,
			replacesId: old.id,
			receiptUrl: { kind: "file", id: file.id },
			key: "replacing-1",
		});
		const next = await made(driver, input, "form");
		expect(next).toMatchObject({
			receiptId: file.id,
			replacesId: old.id,
			status: "pending",
			isPossibleDuplicate: false,
		});
		expect(await requestRow(old.id)).toMatchObject({
			status: "withdrawn",
			receipt_id: null,
			withdrawn_at: NOON,
		});
		expect(
			await bench.rows("select action from audit_events where entity_id = ? order by id", old.id),
		).toEqual([{ action: "request.submit" }, { action: "request.withdraw" }]);
		expect(await submitRequest(driver, input, "form")).toMatchObject({
			ok: true,
			value: { isReplay: true, request: { id: next.id } },
		});
	});

	it("changes nothing when the old one was decided, is another's, or is unknown", async () => {
		const driver = await bench.driver("dana");
		const decided = await made(driver, asking(), "form");
		await decide(decided.id, "approved");
		const omars = await made(await bench.driver("omar"), asking(), "form");
		for (const id of [decided.id, omars.id, crypto.randomUUID()]) {
			const outcome = await submitRequest(
				driver,
				asking({ replacesId: id, description: "Instead" }),
				"form",
			);
			expect(outcome).toMatchObject({ ok: false, reason: "not-to-replace" });
		}
		expect(await bench.rows("select 1 from fund_requests where description = 'Instead'")).toEqual(
			[],
		);
		expect((await requestRow(decided.id)).status).toBe("approved");
		expect((await requestRow(omars.id)).status).toBe("pending");
	});

	it("keeps the old one when the new one is refused", async () => {
		const driver = await bench.driver("dana");
		const other = asking();
		await made(driver, other, "form");
		const old = await made(driver, asking(), "form");
		expect(await submitRequest(driver, { ...other, replacesId: old.id }, "form")).toMatchObject({
			ok: false,
			reason: "ask-again",
		});
		expect((await requestRow(old.id)).status).toBe("pending");
	});

	it("has one winner out of ten", async () => {
		const driver = await bench.driver("dana");
		const old = await made(driver, asking(), "form");
		const outcomes = await Promise.all(
			Array.from({ length: 10 }, () =>
				submitRequest(driver, asking({ replacesId: old.id }), "form"),
			),
		);
		expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
		expect(
			await bench.rows("select 1 from fund_requests where replaces_id = ?", old.id),
		).toHaveLength(1);
	});
});

describe("withdrawRequest", () => {
	it("withdraws one's own pending request once, with its audit row", async () => {
		const driver = await bench.driver("dana");
		const { id } = await made(driver, asking(), "form");
		expect(await withdrawRequest(driver, id)).toMatchObject({
			ok: true,
			value: { status: "withdrawn" },
		});
		expect(await withdrawRequest(driver, id)).toMatchObject({
			ok: false,
			reason: "not-pending",
			details: { status: "withdrawn" },
		});
		expect(
			await bench.rows(
				"select before, after from audit_events where entity_id = ? and action = 'request.withdraw'",
				id,
			),
		).toEqual([{ before: '{"status":"pending"}', after: '{"status":"withdrawn"}' }]);
	});

	it("tells the loser of a race what was decided", async () => {
		const driver = await bench.driver("dana");
		const { id } = await made(driver, asking(), "form");
		await decide(id, "rejected");
		expect(await withdrawRequest(driver, id)).toMatchObject({
			ok: false,
			reason: "not-pending",
			details: { status: "rejected" },
		});
		expect((await requestRow(id)).status).toBe("rejected");
	});

	it("doesn't find another driver's", async () => {
		const { id } = await made(await bench.driver("omar"), asking(), "form");
		for (const each of [id, crypto.randomUUID()])
			expect(await withdrawRequest(await bench.driver("dana"), each)).toMatchObject({
				ok: false,
				reason: "not-found",
			});
		expect((await requestRow(id)).status).toBe("pending");
	});
});

describe("addReceipt", () => {
	it("adds one to a pending and to an approved request, once, in the place of a bare name", async () => {
		const driver = await bench.driver("dana");
		const pending = await made(
			driver,
			asking({ receiptUrl: { kind: "name", name: "pump.jpg" } }),
			"json",
		);
		const approved = await made(driver, asking(), "form");
		await decide(approved.id, "approved");
		for (const { id } of [pending, approved]) {
			const file = stored();
			expect(await addReceipt(driver, id, file)).toMatchObject({
				ok: true,
				value: { receiptId: file.id, receiptName: null },
			});
			expect((await addReceipt(driver, id, file)).ok).toBe(true);
			expect(await addReceipt(driver, id, stored())).toMatchObject({
				ok: false,
				reason: "not-pending",
				details: { receiptId: file.id },
			});
			expect(
				await bench.rows(
					"select 1 from audit_events where entity_id = ? and action = 'request.add-receipt'",
					id,
				),
			).toHaveLength(1);
		}
	});

	it("adds none to a rejected or withdrawn request, nor to another driver's", async () => {
		const driver = await bench.driver("dana");
		const rejected = await made(driver, asking(), "form");
		await decide(rejected.id, "rejected");
		const withdrawn = await made(driver, asking(), "form");
		await withdrawRequest(driver, withdrawn.id);
		for (const { id } of [rejected, withdrawn])
			expect(await addReceipt(driver, id, stored())).toMatchObject({
				ok: false,
				reason: "not-pending",
			});
		const omars = await made(await bench.driver("omar"), asking(), "form");
		expect(await addReceipt(driver, omars.id, stored())).toMatchObject({
			ok: false,
			reason: "not-found",
		});
		for (const { id } of [rejected, withdrawn, omars])
			expect((await requestRow(id)).receipt_id).toBeNull();
	});
});
