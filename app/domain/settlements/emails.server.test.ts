/** The email about a published week, on real D1. */
import { beforeEach, describe, expect, it } from "vitest";
import { insertAgreement, insertCharge } from "../../../tests/support/agreements.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertMoney } from "../../../tests/support/settlements.ts";
import { Database } from "../../db/client.server.ts";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { sendAgain } from "../mail/commands/send-again.server.ts";
import { deliverMail } from "../mail/delivery.server.ts";
import type { Message } from "../mail/rules.ts";
import { draftWeek } from "./commands/draft.server.ts";
import { publishSettlements } from "./commands/publish.server.ts";
import { voidSettlements } from "./commands/void.server.ts";

const NOW = Date.UTC(2026, 10, 25, 17);
const bench = await openDatabase("everyone", NOW);
const WEEK = { from: parseCalendarDate("2026-11-16"), to: parseCalendarDate("2026-11-22") };
const mails = () =>
	bench.rows<{ recipient_id: string; status: string; subject: string; body: string }>(
		"select recipient_id, status, subject, body from mails where kind = 'settlement-published' order by substr(body, instr(body, '(ST-'), 12)",
	);

/** Drafts and publishes the week for everyone; returns the ids. */
async function publishWeek() {
	const ada = await bench.admin("ada");
	await draftWeek(ada, WEEK);
	const rows = await bench.rows<{ id: string }>("select id from settlements order by number");
	const ids = rows.map(({ id }) => id);
	expect(await publishSettlements(ada, ids, {})).toMatchObject({ ok: true });
	return ids;
}
/** Delivers what is due after so many minutes; returns the subjects. */
async function deliver(minutes: number) {
	const taken: Message[] = [];
	await deliverMail(
		new Database(bench.batches),
		{
			isRepeatable: true,
			send: async (message) => {
				taken.push(message);
				return undefined;
			},
		},
		() => NOW + minutes * 60_000,
	);
	return taken.map(({ subject }) => subject);
}

beforeEach(async () => {
	await insertAgreement(bench.rows, 1, "dana", "2026-11-16", { weekly_rent_cents: 10_000 });
	await insertAgreement(bench.rows, 2, "omar", "2026-11-16");
	await insertMoney(bench.rows, "dana", "dana", WEEK, { fare_cents: 100_000, cash_cents: -5_000 });
	await insertCharge(bench.rows, 1, "omar", { charged_on: WEEK.from });
});

it("tells each driver once what their week comes to, ten minutes later", async () => {
	await publishWeek();
	expect(await mails()).toEqual([
		{
			recipient_id: idOf("dana"),
			status: "queued",
			subject: "Your week Nov 16 to Nov 22, 2026: $450.00 (ST-000001)",
			body: [
				"Your week Nov 16 to Nov 22, 2026 (ST-000001) is published.",
				"",
				"Uber: Fares after fees: 60% of $1,000.00: $600.00",
				"Uber: Cash collected: -$50.00",
				"Weekly rent: -$100.00",
				"",
				"Result: $450.00",
				"Payable: $450.00",
				"",
				"Earnings shows where each line comes from. No tax, VAT, social insurance or minimum wage is worked out.",
			].join("\n"),
		},
		{
			recipient_id: idOf("omar"),
			status: "queued",
			subject: "Your week Nov 16 to Nov 22, 2026: -$250.00 (ST-000002)",
			body: expect.stringContaining(
				"Damage: -$250.00\n\nResult: -$250.00\nCarried out to the next week: -$250.00\nPayable: $0.00",
			),
		},
	]);
	expect(await deliver(9)).toEqual([]);
	expect(await deliver(11)).toHaveLength(2);
	expect(await deliver(30)).toEqual([]);
});

it("says nothing of a week that is voided before it is sent", async () => {
	const [id = ""] = await publishWeek();
	expect(await voidSettlements(await bench.admin("ben"), [id])).toMatchObject({ ok: true });
	expect((await mails()).map(({ status }) => status)).toEqual(["cancelled", "queued"]);
	expect(await deliver(11)).toEqual(["Your week Nov 16 to Nov 22, 2026: -$250.00 (ST-000002)"]);
});

describe("a week that is voided after its driver was told", () => {
	const voidOf = async (ids: readonly string[]) =>
		expect(await voidSettlements(await bench.admin("ben"), ids)).toMatchObject({ ok: true });

	it.each([
		["was sent", "status = 'sent'"],
		["is being sent", `status = 'sending', send_after = ${NOW + 60_000}`],
		["may have been sent", "status = 'failed', may_have_been_sent = 1"],
	])("tells them so if its email %s", async (_, is) => {
		const [id = "", other = ""] = await publishWeek();
		await bench.rows(`update mails set ${is} where about_id = ?`, id);
		await voidOf([id, other]);
		expect(
			await bench.rows(
				"select recipient_id, subject, body, about_id from mails where kind = 'settlement-voided'",
			),
		).toEqual([
			{
				recipient_id: idOf("dana"),
				subject: "Your week Nov 16, 2026 to Nov 22, 2026 was voided (ST-000001)",
				body: "Ben Backup voided your week Nov 16, 2026 to Nov 22, 2026 (ST-000001). What the email about it said no longer counts.\n\nYou'll get another email if the week is published again.",
				about_id: id,
			},
		]);
		expect(await deliver(1)).toEqual([
			"Your week Nov 16, 2026 to Nov 22, 2026 was voided (ST-000001)",
		]);
	});

	it("isn't resent once the week is published again", async () => {
		const [id = ""] = await publishWeek();
		await bench.rows("update mails set status = 'sent' where about_id = ?", id);
		await voidOf([id]);
		await bench.rows("update mails set status = 'failed' where kind = 'settlement-voided'");
		const [mail] = await bench.rows<{ id: string }>(
			"select id from mails where kind = 'settlement-voided'",
		);
		const again = async () =>
			sendAgain(await bench.admin("ada", NOW + 120_000), mail?.id ?? expect.unreachable());
		expect(await again()).toMatchObject({ ok: true });
		await bench.rows("update mails set status = 'failed' where kind = 'settlement-voided'");
		const ada = await bench.admin("ada");
		await draftWeek(ada, WEEK);
		const [draft] = await bench.rows<{ id: string }>(
			"select id from settlements where status = 'draft'",
		);
		expect(await publishSettlements(ada, [draft?.id ?? ""], {})).toMatchObject({ ok: true });
		expect(await again()).toMatchObject({ reason: "outdated" });
	});
});
