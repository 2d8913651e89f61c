/** What pseudonymizing a driver leaves of administrators' emails about several people. */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { Database } from "../../db/client.server.ts";
import { gatherNotices } from "../mail/notices.server.ts";
import { DIGEST_DELAY_MS } from "../mail/rules.ts";
import { pseudonymizeDriver } from "./commands/pseudonymize.server.ts";

const NOW = currentTime();
const YEAR = 365.25 * 86_400_000;
const IVAN = idOf("ivan");
const bench = await openDatabase("everyone", NOW);
const db = new Database(bench.batches);

type Digest = { subject: string; body: string; status: string };
const digests = () =>
	bench.rows<Digest>(
		"select subject, body, status from mails where kind = 'admin-digest' order by recipient_id",
	);
let last = 0;
const note = (id: string, subject: string, body: string) =>
	insertRow(bench.rows, "notices", { id, subject, body, created_at: NOW - YEAR + ++last });
const noteApplicant = (id: string, name: string) =>
	note(`new-application:${id}`, `New driver application: ${name}`, `${name} has applied.`);
const noteRequest = (id: string, body: string) =>
	note(`new-request:${id}`, "New fund request FR-000900", body);
/** Queues the digest while Ana Lim and her request are still undecided, then pseudonymizes her. */
async function pseudonymize(status: string) {
	await bench.rows("update users set approval_status = 'pending' where id = ?", IVAN);
	await gatherNotices(db, NOW - YEAR + 2 * DIGEST_DELAY_MS);
	await bench.rows("update users set approval_status = 'approved' where id = ?", IVAN);
	await bench.rows(
		"update fund_requests set status = 'rejected', decided_at = ?, decided_by = ? where driver_id = ?",
		NOW - 8 * YEAR,
		idOf("ada"),
		IVAN,
	);
	await bench.rows("update mails set status = ?", status);
	const outcome = await pseudonymizeDriver(await bench.admin("ada"), IVAN, "DRV-0004", 7);
	expect(outcome).toMatchObject({ ok: true });
}

beforeEach(async () => {
	for (const table of ["mails", "notices"]) await bench.rows(`delete from ${table}`);
	await bench.rows(
		`update users set first_name = 'Ana', last_name = 'Lim', deactivated_at = ?,
			pseudonymized_at = null, audit_erased_at = null where id = ?`,
		NOW - 8 * YEAR,
		IVAN,
	);
});

describe("a digest that is still to be sent", () => {
	it("keeps everyone whose name is or contains the driver's", async () => {
		await noteApplicant("someone", "Ana Lima");
		await noteApplicant("namesake", "Ana Lim");
		await noteRequest("someone-else", "Dana Driver asks for $1.00 (gas): with Ana Lim");
		await pseudonymize("queued");
		const body = [
			"New driver application: Ana Lima\nAna Lima has applied.",
			"New driver application: Ana Lim\nAna Lim has applied.",
			"New fund request FR-000900\nDana Driver asks for $1.00 (gas): with Ana Lim",
		].join("\n\n");
		expect(await digests()).toEqual(
			Array(2).fill({ subject: "3 items to review", body, status: "queued" }),
		);
	});

	it("loses the driver's own items, whatever they were called then, and is sent", async () => {
		const request = await insertRequest(bench.rows, 900, "ivan");
		await noteApplicant(IVAN, "Anna Lim-Ortiz");
		await noteRequest(request, "Ana Lim asks for $9.00 (gas): my own words\n\nand more");
		await noteApplicant("someone", "Ana Lima");
		await pseudonymize("queued");
		const body = "Removed\n\nRemoved\n\nNew driver application: Ana Lima\nAna Lima has applied.";
		expect(await digests()).toEqual(
			Array(2).fill({ subject: "3 items to review", body, status: "queued" }),
		);
	});

	it("isn't sent if it is about nobody else", async () => {
		await noteApplicant(IVAN, "Ana Lim");
		await pseudonymize("queued");
		expect(await digests()).toEqual(
			Array(2).fill({ subject: "Removed", body: "Removed", status: "cancelled" }),
		);
	});
});

describe("a digest that was sent", () => {
	it("loses the driver's own item, and stays as sent", async () => {
		await noteApplicant(IVAN, "Ana Lim");
		await pseudonymize("sent");
		expect(await digests()).toEqual(
			Array(2).fill({ subject: "Removed", body: "Removed", status: "sent" }),
		);
	});
});
