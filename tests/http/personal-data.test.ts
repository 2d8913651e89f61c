/** The ZIP of everything stored about a person, read back and compared with the rows. */
import { unzipSync } from "fflate";
import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo, describeDate } from "../support/fleet-days.ts";
import {
	FIRST_NAME,
	insertWholePerson,
	LAST_NAME,
	MARK,
	markedText,
	wholeFiles,
} from "../support/whole-person.ts";
import { openFleet } from "../support/worker.ts";

const LIMIT = 30;
const fleet = await openFleet({ isFresh: true, transferLimit: { limit: LIMIT, period: 60 } });
const sql = fleet.sql.bind(fleet);
const ada = await fleet.as("ada");
const DANA = idOf("dana");
const PATH = `/drivers/${DANA}/data.zip`;
type Row = Record<string, string | number | boolean | null>;
let files: Record<string, Uint8Array> = {};

async function archive(path: string) {
	const answer = await ada.get(path);
	expect(answer.status).toBe(200);
	return { headers: answer.headers, bytes: answer.raw };
}
const textOf = (name: string) => new TextDecoder().decode(files[name] ?? expect.unreachable(name));
const rowsOf = (name: string): Row[] => JSON.parse(textOf(`${name}.json`));
const exports = () =>
	sql<{ entity_id: string; actor_id: string; after: string }>(
		"select entity_id, actor_id, after from audit_events where action = 'person.export'",
	);

beforeAll(async () => {
	await insertWholePerson(sql, "dana", { since: currentTime() - 90 * 86_400_000, first: 500 });
	const bucket = fleet.files;
	for (const [key, bytes] of wholeFiles) await bucket.put(key, bytes);
	await sql(`insert into settings (id, chosen) values ('fleet', '{"fleetName":"Harbor Cabs"}')`);
	files = unzipSync((await archive(PATH)).bytes);
});

describe("the ZIP of a person", () => {
	it("has every one of their rows, and no others", async () => {
		const tables = {
			identities: "identities where user_id = ?",
			"sign-ins": "sessions where user_id = ?",
			tokens: "api_tokens where owner_id = ?",
			mileage: "mileage_logs where driver_id = ?",
			"fund-requests": "fund_requests where driver_id = ?",
			messages:
				"request_messages where request_id in (select id from fund_requests where driver_id = ?)",
			"settlement-messages":
				"settlement_messages where settlement_id in (select id from settlements where driver_id = ?)",
			payouts: `(select driver_id from payout_requests union all select driver_id
				from payout_settlements) where driver_id = ?`,
			"uber-fees": "uber_fees where driver_id = ?",
			agreements: "agreements where driver_id = ?",
			charges: "charges where driver_id = ?",
			settlements:
				"settlements left join settlement_lines on settlement_id = id where driver_id = ?",
			"platform-drivers": "platform_drivers where driver_id = ?",
			receipts: "receipts where owner_id = ?",
			emails: `mails where recipient_id = ? or about_id = ?1
				or about_id in (select id from fund_requests where driver_id = ?1)
				or about_id in (select id from settlements where driver_id = ?1)`,
			notices: `notices where id = 'new-application:' || ?
				or id in (select 'new-request:' || id from fund_requests where driver_id = ?1)`,
		};
		for (const [name, rest] of Object.entries(tables)) {
			const query = `select count(*) as n from ${rest.replace("?", "?1")}`;
			const [stored] = await sql<{ n: number }>(query, DANA);
			expect(rowsOf(name).length, name).toBe(stored?.n);
			expect(stored?.n, name).toBeGreaterThan(0);
		}
		const audited = rowsOf("audit").map(({ action }) => action);
		for (const action of ["driver.rename", "mileage.log", "mileage.void", "request.reject"])
			expect(audited).toContain(action);
		for (const action of ["agreement.make", "charge.add", "settlement.answer"])
			expect(audited).toContain(action);
		for (const action of ["request.ask", "fee.add", "alias.add"]) expect(audited).toContain(action);
		// One of the emails has been deleted since.
		expect(audited.filter((action) => action === "email.send-again")).toHaveLength(2);
		// The download is recorded before its first byte, so it includes its own entry.
		expect(audited).toContain("person.export");
		expect(new Set(rowsOf("audit").map(({ id }) => id)).size).toBe(audited.length);
	});

	it("has every value as it is stored", async () => {
		expect(rowsOf("profile")).toEqual([
			expect.objectContaining({
				id: DANA,
				driverId: "DRV-0001",
				firstName: FIRST_NAME,
				lastName: LAST_NAME,
				email: `${MARK}.dana@milepost.test`,
				emailBounce: markedText("bounce"),
				isActive: true,
			}),
		]);
		const trips = await sql<{ id: string; miles: number; notes: string; driven_on: string }>(
			"select id, miles, notes, driven_on from mileage_logs where driver_id = ?",
			DANA,
		);
		const told = new Map(rowsOf("mileage").map((row) => [row.id, row]));
		for (const { id, miles, notes, driven_on: date } of trips)
			expect(told.get(id)).toMatchObject({ miles, notes, date });
		expect(rowsOf("mileage")).toContainEqual(
			expect.objectContaining({
				notes: markedText("voided trip"),
				voidReason: markedText("void reason"),
			}),
		);
		expect(rowsOf("fund-requests")).toContainEqual(
			expect.objectContaining({
				requestNumber: "FR-000500",
				amount: "42.10",
				approvedAmount: "40.00",
				description: markedText("request 0"),
				adminNotes: markedText("approved for less"),
				decidedBy: "Ada Admin",
				payout: "PO-000500",
			}),
		);
		expect(rowsOf("payouts")).toEqual([
			expect.objectContaining({
				...{ payout: "PO-000500", amount: "40.00", reference: "Bank 77" },
				...{ requestNumber: "FR-000500", settlement: null },
			}),
			expect.objectContaining({
				...{ payout: "PO-000500", amount: "60.00", reference: "Bank 77" },
				...{ requestNumber: null, settlement: "ST-000500" },
			}),
		]);
		// Emails to administrators about them belong to their data, too.
		expect(rowsOf("emails").filter(({ recipient }) => recipient === "Ada Admin")).toHaveLength(3);
		expect(rowsOf("notices").map(({ body }) => body)).toEqual([
			markedText("notice"),
			markedText("notice"),
		]);
		expect(rowsOf("messages").map(({ text }) => text)).toEqual([
			markedText("message 0"),
			markedText("message 1"),
		]);
	});

	it("has the same rows in its spreadsheets, with no formula in them", () => {
		const names = Object.keys(files).filter((name) => name.endsWith(".json"));
		expect(names).toHaveLength(19);
		for (const name of names) {
			const text = textOf(name.replace(".json", ".csv"));
			const { data, errors } = Papa.parse<Record<string, string>>(text, {
				header: true,
				skipEmptyLines: true,
			});
			expect(errors).toEqual([]);
			const plain = (value: unknown) => String(value ?? "").replace(/^'(?=[=+\-@|\t\r\n])/, "");
			const shown = rowsOf(name.replace(".json", "")).map((row) =>
				Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])),
			);
			expect(
				data.map((row) =>
					Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])),
				),
				name,
			).toEqual(shown);
			for (const cell of data.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^=/);
		}
	});

	it("has their receipts exactly as stored, uncompressed", () => {
		const folder = Object.keys(files).filter((name) => name.startsWith("receipts/"));
		expect(folder.sort()).toEqual([
			"receipts/receipt-50000000-0000-4000-8000-000000000502.png",
			"receipts/receipt-FR-000500.png",
			"receipts/receipt-FR-000501.png",
		]);
		expect(files["receipts/receipt-FR-000500.png"]).toEqual(wholeFiles.get(`r/${MARK}-1`));
		expect(files["receipts/receipt-FR-000501.png"]).toEqual(wholeFiles.get(`r/${MARK}-2`));
	});

	it("explains in an index what it contains and what is left out", () => {
		const index = textOf("README.txt");
		expect(index).toContain(
			`Harbor Cabs: everything that is held about ${FIRST_NAME} ${LAST_NAME} (DRV-0001)`,
		);
		expect(index).toContain("Downloaded by Ada Admin");
		expect(index).toContain("receipts: 3 files");
		for (const name of Object.keys(files))
			if (name.endsWith(".json")) expect(index).toContain(`  ${name.replace(".json", "")} (`);
	});

	it("contains no hash or key of a session or a submission", async () => {
		const secrets = await sql<{ secret: string }>(
			`select token_hash as secret from sessions union select token_hash from api_tokens union select payload_hash from mileage_logs where length(payload_hash) > 20
			union select session_ref from audit_events where session_ref is not null`,
		);
		const all = Object.values(files)
			.map((bytes) => new TextDecoder().decode(bytes))
			.join();
		expect(secrets.length).toBeGreaterThan(2);
		for (const { secret } of secrets) expect(all).not.toContain(secret);
	});
});

describe("downloading it", () => {
	it("is recorded for both people, and shown in the audit", async () => {
		const before = (await exports()).length;
		const { headers } = await archive(PATH);
		expect(headers.get("Content-Type")).toBe("application/zip");
		expect(headers.get("Cache-Control")).toContain("no-store");
		const fileName = /filename="(personal-data-DRV-0001-[\d-]+\.zip)"/.exec(
			headers.get("Content-Disposition") ?? "",
		)?.[1];
		expect((await exports()).slice(before)).toEqual([
			{ entity_id: DANA, actor_id: idOf("ada"), after: JSON.stringify({ fileName }) },
		]);
		const page = (await ada.get(`/audit?person=${DANA}`)).text.replace(/<[^>]+>/g, "");
		expect(page).toContain("Ada Admin exported all data of");
	});

	it("starts from a link on the person's page, without a script", async () => {
		expect((await ada.get(`/drivers/${DANA}`)).text).toContain(`href="${PATH}"`);
	});

	it("is refused to a prefetch, and neither a prefetch nor HEAD is audited", async () => {
		const before = await exports();
		for (const name of ["Sec-Purpose", "Purpose"])
			expect((await ada.get(PATH, { headers: { [name]: "prefetch" } })).status).toBe(403);
		expect((await ada.request(PATH, { method: "HEAD" })).status).toBe(200);
		expect(await exports()).toEqual(before);
	});

	it("answers 503 and no data when it can't be audited", async () => {
		await sql(
			"create trigger audit_is_full before insert on audit_events when new.action = 'person.export' begin select raise(abort, 'disk full'); end",
		);
		const answer = await ada.get(PATH, { mayFail: true });
		await sql("drop trigger audit_is_full");
		expect(answer.status).toBe(503);
		expect(answer.headers.get("Content-Disposition")).toBeNull();
		fleet.takeErrors();
	});

	it("answers 404 for an unknown person or part", async () => {
		for (const path of [`/drivers/${idOf("dana").replace("1", "2")}9/data.zip`, `${PATH}?part=2`])
			expect((await ada.get(path)).status, path).toBe(404);
		for (const part of ["0", "-1", "x", "99999"])
			expect((await ada.get(`${PATH}?part=${part}`)).status, part).toBe(404);
	});

	it("names receipts whose file is gone", async () => {
		const bucket = fleet.files;
		await bucket.delete(`r/${MARK}-2`);
		const { bytes } = await archive(PATH);
		const index = new TextDecoder().decode(unzipSync(bytes)["README.txt"]);
		expect(index).toContain("missing from the file store:\r\n  receipts/receipt-FR-000501.png");
		expect(index).toContain("receipts: 2 files");
	});

	it("is split into parts when there are many receipts", async () => {
		const bucket = fleet.files;
		const omar = idOf("omar");
		await sql(
			`with recursive number (n) as (select 1 union all select n + 1 from number where n < 401)
			insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
			select printf('51000000-0000-4000-8000-%012d', n), ?, printf('51000000-0000-4000-8000-%012d', n),
				'image/png', 100, printf('%064d', n), 'receipt.png', n from number`,
			omar,
		);
		const last = (
			await sql<{ object_key: string }>(
				"select object_key from receipts where owner_id = ? order by created_at desc, id desc limit 1",
				omar,
			)
		)[0]?.object_key;
		await bucket.put(last ?? "", new Uint8Array([1, 2, 3]));
		const second = unzipSync((await archive(`/drivers/${omar}/data.zip?part=2`)).bytes);
		expect(Object.keys(second).sort()).toEqual(["README.txt", `receipts/receipt-${last}.png`]);
		const index = new TextDecoder().decode(second["README.txt"]);
		expect(index).toContain("This is part 2 of 2.");
		expect(index).toContain(`${fleet.origin}/drivers/${omar}/data.zip?part=1`);
	});
});

describe("an administrator who downloads many ZIPs", () => {
	it("is limited per minute", async () => {
		const ben = await fleet.as("ben");
		const statuses: number[] = [];
		// The minute and its count may end during the test.
		for (let each = 0; each <= 2 * LIMIT && !statuses.includes(429); each++)
			statuses.push((await ben.request(PATH, { method: "HEAD" })).status);
		expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true);
		expect(statuses.at(-1)).toBe(429);
	});
});

describe("pseudonymizing", () => {
	const IVAN = idOf("ivan");
	const page = `/drivers/${IVAN}`;
	const dialog = `${page}?dialog=pseudonymize`;
	const setDeactivated = (years: number) =>
		sql(
			"update users set deactivated_at = ? where id = ?",
			currentTime() - years * 365.25 * 86_400_000,
			IVAN,
		);
	/** Makes pseudonymizing possible, by the setting's shortest time. */
	async function makeOffered() {
		await setDeactivated(3);
		return ada.post("/settings", { intent: "retention", keepDriverYears: "2" });
	}
	const confirm = (code: string) => ada.post(dialog, { intent: "pseudonymize", code });
	const plain = (html: string) => html.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");

	it("is offered from the day determined by the setting", async () => {
		await setDeactivated(3);
		const early = (await ada.get(dialog)).text;
		expect(plain(early)).toMatch(/stay under their name until \w+ \d+, \d{4}\./);
		expect(early).not.toContain("Pseudonymize Former Driver");
		expect((await confirm("DRV-0004")).status).toBe(409);
		for (const years of ["1", "31", "", "x", "2.5"])
			expect(
				(await ada.post("/settings", { intent: "retention", keepDriverYears: years })).status,
			).toBe(400);
		const saved = await makeOffered();
		expect(saved.headers.get("Location")).toBe("/settings#retention");
		expect((await ada.get("/settings")).text).toMatch(/name="keepDriverYears"[^>]*value="2"/);
		expect((await ada.get(page)).text).toContain(`href="${dialog}"`);
	});

	it("asks for the driver ID, and accepts no other", async () => {
		await makeOffered();
		const asked = await ada.get(dialog);
		expect(asked.headers.get("Server-Timing")).toContain("1 trip,");
		expect(plain(asked.text)).toContain("Ivan Inactive becomes &#x27;Former driver DRV-0004&#x27;");
		expect(plain(asked.text)).toContain("nightly exports for up to 12 months");
		const refused = await confirm("DRV-0001");
		expect(refused.status).toBe(409);
		expect(refused.text).toContain("Pseudonymize Former Driver");
		expect(plain(refused.text)).toContain("isn&#x27;t the driver ID of Ivan Inactive");
		expect((await confirm("")).status).toBe(400);
	});

	it("asks for the name of a driver from before driver IDs", async () => {
		await makeOffered();
		await sql("update users set driver_number = null where id = ?", IVAN);
		const asked = plain((await ada.get(dialog)).text);
		expect(asked).toContain("Pseudonymize Former Driver");
		expect(asked).toContain("Ivan Inactive becomes &#x27;Former driver&#x27;.");
		expect(asked).toContain("Type Ivan Inactive to confirm");
		expect((await confirm("N/A")).status).toBe(409);
		expect((await confirm("Ivan Inactive")).status).toBe(303);
		expect(plain((await ada.get(page)).text)).toContain("kept as Former driver.");
	});

	it("shows the pseudonym from then on, in two round trips, and offers no more actions", async () => {
		await makeOffered();
		const answer = await confirm("drv 4");
		expect(answer.status).toBe(303);
		expect(answer.headers.get("Location")).toBe(page);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const shown = await ada.get(page);
		expect(plain(shown.text)).toContain("Their records are now kept as Former driver DRV-0004.");
		expect(plain(shown.text)).toContain("this person can no longer be identified");
		expect(shown.text).not.toContain("Ivan");
		expect(shown.text).not.toContain("Activate");
		const lists = (await ada.get("/drivers")).text;
		expect(lists).toContain("Former driver DRV-0004");
		expect(lists).not.toContain("Ivan");
		expect((await ada.get("/find?q=ivan")).text).not.toContain("Inactive");
		const audit = plain((await ada.get("/audit?kind=driver.pseudonymize")).text);
		expect(audit).toContain("Ada Admin pseudonymized Former driver DRV-0004");
		expect((await confirm("DRV-0004")).status).toBe(409);
	});
});

describe("erasing an applicant", () => {
	const REX = idOf("rex");
	const dialog = `/drivers/${REX}?dialog=pseudonymize`;
	const erase = (typed: string, client = ada) =>
		client.post(dialog, { intent: "pseudonymize", code: typed });
	const setApplied = (days: number) => {
		const at = currentTime() - days * 86_400_000;
		return sql("update users set applied_at = ?, created_at = ? where id = ?", at, at, REX);
	};

	it("is refused too early, with the date, to a driver, and without the name", async () => {
		await setApplied(3);
		expect((await ada.get(dialog)).text).not.toContain("Erase Applicant");
		const early = await erase("Rex Refused");
		expect(early.status).toBe(409);
		expect(early.text).toContain(`be pseudonymized before ${describeDate(daysAgo(-27))}.`);
		await setApplied(31);
		expect((await ada.get(dialog)).text).toContain("Erase Applicant");
		expect((await erase("Rex", await fleet.as("dana"))).status).toBe(403);
		const wrong = await erase("Rex");
		expect([wrong.status, (await erase("")).status]).toEqual([409, 400]);
		expect(wrong.text).toContain("Erase Applicant");
		expect((await ada.get("/drivers")).text).toContain("Rex Refused");
	});

	it("removes them from every list", async () => {
		await setApplied(31);
		const answer = await erase("rex  refused");
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/drivers/${REX}`]);
		expect((await ada.get(`/drivers/${REX}`)).text).toContain(
			"Nothing is left of the application.",
		);
		expect((await ada.get("/drivers")).text).not.toContain("Rex");
		expect((await erase("Rex Refused")).status).toBe(409);
	});

	it("is announced in Settings", async () => {
		expect((await ada.get("/settings")).text).toContain("can be erased 30 days after");
	});
});
