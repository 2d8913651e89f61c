/** What the audit says about an entry, from the database's rows. */
import { describe, expect, it } from "vitest";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { Database } from "../../db/client.server.ts";
import { auditEntries } from "../../domain/audit/queries.server.ts";
import { parseSearch } from "../../domain/audit/search.ts";
import { sendAgain } from "../../domain/mail/commands/send-again.server.ts";
import { recordView } from "../../domain/receipts/commands/record-view.server.ts";
import { toEntryView } from "./entry.server.ts";

const bench = await openDatabase();
const { build } = new Database(bench.batches);

/** The newest entry. */
async function latest() {
	const { rows } = await new Database(bench.batches).batch({
		rows: auditEntries(build, parseSearch(new URLSearchParams()), ZONE),
	});
	const [row] = rows;
	if (!row) throw new Error("the audit is empty");
	return toEntryView(row, ZONE);
}

describe("the values of an entry", () => {
	const note = (action: string, entity: string, before: object, after: object) =>
		bench.rows(
			`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id, before, after)
				values (?, ?, 'admin', ?, ?, ?, ?, ?)`,
			currentTime(),
			idOf("ada"),
			action,
			entity,
			idOf("dana"),
			JSON.stringify(before),
			JSON.stringify(after),
		);

	it.each<[string, string, object, object, string[]]>([
		["user.change-role", "user", { role: "driver" }, { role: "viewer" }, ["Driver → Accountant"]],
		[
			"charge.add",
			"charge",
			{},
			{ kind: "fuel-card", direction: "against", instalments: 4 },
			["Fuel card", "Against the driver", "4"],
		],
		[
			"agreement.make",
			"agreement",
			{},
			{ base: "net", tollsTo: "fleet", taxYearStart: "04-06" },
			["After platform fees", "The fleet", "April 6"],
		],
		["token.make", "api-token", {}, { name: "read", scope: "read" }, ["read", "Read"]],
		["alias.add", "platform-driver", {}, { platform: "columns" }, ["Other files"]],
		[
			"settlement.publish",
			"settlement",
			{ status: "draft" },
			{ status: "published" },
			["Draft → Published"],
		],
		["payout.cancel", "payout", { status: "open" }, { status: "cancelled" }, ["Open → Canceled"]],
		[
			"request.withdraw",
			"fund-request",
			{ status: "pending" },
			{ status: "withdrawn" },
			["Pending → Withdrawn"],
		],
		["fee.add", "uber-fee", {}, { category: "service_fee" }, ["service fee"]],
		[
			"settings.change",
			"settings",
			{ weekStartsOn: "monday", distanceUnit: "mi" },
			{ weekStartsOn: "sunday", distanceUnit: "km" },
			["Monday → Sunday", "mi → km"],
		],
	])("%s is told in the words of the screens", async (action, entity, before, after, expected) => {
		await note(action, entity, before, after);
		expect((await latest()).changes.map(({ text }) => text)).toEqual(expected);
	});
});

describe("an entry", () => {
	it("about an email leads to it as long as it is kept", async () => {
		await insertRow(bench.rows, "mails", {
			...{ id: "mail", kind: "settlement-voided", recipient_id: idOf("dana"), about_id: "week" },
			...{ address: "x@milepost.test", subject: "s", body: "b", status: "failed" },
			...{ created_at: 1, send_after: 1, dedupe_key: "mail" },
		});
		expect(await sendAgain(await bench.admin("ada"), "mail")).toMatchObject({ ok: true });
		expect((await latest()).href).toBe("/email#mail-mail");
		await bench.rows("delete from mails");
		expect(await latest()).toMatchObject({ thing: "an email", href: undefined });
	});
});

describe("an entry about a receipt", () => {
	it("leads to it while it is there", async () => {
		const id = "50000000-0000-4000-8000-000000000001";
		await bench.rows(
			`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
				values (?, ?, 'r/one', 'image/png', 100, ?, 'pump.png', 1)`,
			id,
			idOf("dana"),
			"a".repeat(64),
		);
		await recordView(await bench.admin("ada"), id);
		expect(await latest()).toMatchObject({
			thing: "the receipt pump.png",
			href: `/api/receipts/${id}`,
			owner: { words: "Dana Driver (DRV-0001)" },
		});
		await bench.rows("delete from receipts where id = ?", id);
		expect(await latest()).toMatchObject({
			verb: "opened",
			thing: "a receipt",
			href: undefined,
			owner: undefined,
		});
	});
});
