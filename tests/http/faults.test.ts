/**
 * How a fault of D1, R2 or the email provider shows: each line of the table in docs/operations.md
 * is provoked, and its log line, data point and webhook message are checked.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { multipart } from "../support/forms.ts";
import { fill, JPEG, send } from "../support/request-form.ts";
import { insertRow } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";

let status = 500;
const told: string[] = [];
/** Stands in for the email provider and the operator's webhook. */
const outside = createServer(async (request, response) => {
	const body = String(await buffer(request));
	if (request.url === "/webhook") {
		told.push((JSON.parse(body) as { text: string }).text);
		response.end();
	} else if (status === 0) response.destroy();
	else response.writeHead(status).end("{}");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => outside.once("listening", resolve));
afterAll(() => outside.close());
const address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;

/** Each failure has its own text, because the same one is reported only once a minute. */
const DOWN = `let failures = 0;
const fail = () => Promise.reject(new Error("R2 is down, " + "abcdefghijklmnopqrstuvwxyz"[failures++ % 26]));
const get = (key) => (key.endsWith("gone") ? Promise.resolve(null) : fail());
export default () => ({ get, head: fail, put: fail, list: fail, delete: fail });`;
const METRICS = `export default () => ({
	writeDataPoint: (point) => console.log("METRIC " + JSON.stringify(point)),
});`;
const fleet = await openFleet({
	standIns: { RECEIPTS: DOWN, BACKUPS: DOWN, METRICS },
	vars: {
		MAIL_PROVIDER: "resend",
		MAIL_FROM: "fleet@milepost.test",
		MAIL_API_KEY: "key",
		MAIL_API_URL: `${address}/emails`,
		ERROR_WEBHOOK: `${address}/webhook`,
	},
});
// Those of 7:00 in the fleet's time zone would be sent beside the email that a fault is about.
await fleet.sql("insert into daily_tasks (name, finished_on) values ('reminders', '9999-12-31')");
const [ada, dana] = [await fleet.as("ada"), await fleet.as("dana")];

/** Runs something while a table is missing, so every statement that needs it fails. */
async function without(table: string, act: () => Promise<unknown>): Promise<void> {
	await fleet.sql(`alter table ${table} rename to hidden`);
	await act();
	await fleet.sql(`alter table hidden rename to ${table}`);
}
const MINUTE = 60_000;
let minutes = 0;
async function runMinute(at: number): Promise<void> {
	const worker = await fleet.worker.getWorker();
	await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(at) });
}
async function tick(): Promise<void> {
	// Longer than a failed step's claim lasts, and than an email waits for its next attempt.
	minutes += 17;
	await runMinute(currentTime() + minutes * MINUTE);
}
let emailCount = 0;
let waits = 0;
/** The email made last. */
const email = () => `mail-${emailCount}`;
async function insertDueEmail(): Promise<void> {
	emailCount += 1;
	for (const each of ["mails", "notices"]) await fleet.sql(`delete from ${each}`);
	await fleet.sql(
		`insert into mails (id, kind, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
		values (?1, 'invitation', ?2, 's', 'b', 'x', 'queued', ?3, 1, ?1)`,
		email(),
		CAST.dana.email,
		currentTime(),
	);
}
/** Makes one email due, and the provider answer with this status. */
async function emailGets(answer: number): Promise<void> {
	status = answer;
	await insertDueEmail();
	await tick();
}
/** The same after half an hour of attempts: a monitor sees them, and the operator is told. */
async function emailGetsOnly(answer: number): Promise<void> {
	await emailGets(answer);
	// Each in a minute of its own, since one fault is told once a minute.
	const at = currentTime() + waits++ * MINUTE;
	const since = at - 30 * MINUTE - 5000;
	await fleet.sql(
		"update mails set first_tried_at = ?, send_after = ? where id = ?",
		since,
		since,
		email(),
	);
	await runMinute(at);
	await healthCacheExpires();
	const { emailDelaySeconds } = JSON.parse((await fleet.client().get("/healthz", ANY)).text);
	expect(emailDelaySeconds).toBeGreaterThan(DELAY);
}
/** A health check's result is cached for a second. */
const healthCacheExpires = () => new Promise((resolve) => setTimeout(resolve, 1100));
const ANY = { mayFail: true };
/** A download that may break off halfway. */
const broken = (path: string) => ada.get(path, ANY).catch(() => undefined);
const insertReceipt = (id: string, key: string) =>
	fleet.sql(
		`insert or ignore into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
		values (?, ?, ?, 'image/png', 9, ?, 'a.png', 5)`,
		...[id, idOf("dana"), key, "a".repeat(64)],
	);
const STATEMENT = "70000000-0000-4000-8000-000000000002";
const RECEIPT = "70000000-0000-4000-8000-000000000001";
const GONE = "70000000-0000-4000-8000-000000000003";
const ZIP = `/drivers/${idOf("dana")}/data.zip`;

const FAULTS: Readonly<Record<string, () => Promise<unknown>>> = {
	"D1 fails under a page": () => without("sessions", () => ada.get("/drivers", ANY)),
	"D1 fails in the middle of a download": () => without("identities", () => broken(ZIP)),
	"D1 fails under a monitor": () => without("mails", () => fleet.client().get("/healthz", ANY)),
	"D1 fails under the schedule": () => without("notices", tick),
	"R2 refuses a file": async () =>
		dana.request("/api/receipts", { ...(await multipart({}, JPEG)), mayFail: true }),
	"R2 refuses the file of a form, which is saved without it": async () =>
		send(dana, await fill(dana), JPEG),
	"R2 doesn't show a receipt": async () => {
		await insertReceipt(RECEIPT, `r/${RECEIPT}`);
		return dana.get(`/api/receipts/${RECEIPT}`, ANY);
	},
	"R2 has lost a receipt": async () => {
		await insertReceipt(GONE, "r/gone");
		return dana.get(`/api/receipts/${GONE}`);
	},
	"R2 fails in the middle of a download": async () => {
		await insertReceipt(RECEIPT, `r/${RECEIPT}`);
		return broken(ZIP);
	},
	"R2 fails under a statement": async () => {
		await insertRow(fleet.sql.bind(fleet), "statement_files", {
			id: STATEMENT,
			added_by: idOf("ada"),
			file_name: "statement.csv",
			content_tag: "x",
			facts: JSON.stringify({ format: "bolt-earnings-per-driver", platform: "bolt", period: null }),
			created_at: currentTime(),
			expires_at: currentTime() + 3_600_000,
		});
		return ada.get(`/uber-fees/import?statement=${STATEMENT}`, ANY);
	},
	"R2 fails under a monitor": () => fleet.client().get("/healthz", ANY),
	"R2 fails under the sweep": tick,
	"R2 refuses the nightly export": tick,
	"The mail provider fails": () => emailGetsOnly(500),
	"The mail provider refuses a message for good": () => emailGets(422),
	"The mail provider can't be reached": () => emailGetsOnly(0),
	"A Worker ends while an email is on its way, so that it may have been sent": async () => {
		await insertDueEmail();
		await fleet.sql(
			`update mails set status = 'sending', send_after = 1, first_tried_at = 1, attempts = 1
			where id = ?`,
			email(),
		);
		await tick();
	},
};

const manual = readFileSync("docs/operations.md", "utf8");
const table = (head: string) =>
	(manual.split(head)[1] ?? "")
		.split("\n\n")[0]
		?.split("\n")
		.slice(2)
		.map((line) => line.split("|").map((cell) => cell.trim())) ?? [];
const rows = table("| fault | in the log | data point | webhook | alert |").map(
	([, fault = "", log = "", point = "", webhook = "", alert = ""]) => ({
		...{ fault, log, point, webhook, alert },
	}),
);
const alerts = table("| what | alert when | what it means |").map(([, what = "", when = ""]) => ({
	what,
	when,
}));
const alertOn = (what: string) => alerts.find((each) => each.what.startsWith(what));
const DELAY = Number(/\d+/.exec(alertOn("`emailDelaySeconds`")?.when ?? "")?.[0]);
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
const hasAll = (text: string, cell: string) => codes(cell).every((code) => text.includes(code));

describe("a fault shows as docs/operations.md says", () => {
	const seen: string[][] = [];
	afterAll(() => {
		for (const cells of seen) console.log(cells.join(" | "));
	});

	it("and every line of its table is covered", () => {
		expect(rows.map(({ fault }) => fault)).toEqual(Object.keys(FAULTS));
	});

	it.each(rows)("$fault", async ({ fault, log, point, webhook, alert }) => {
		if (fault.endsWith("monitor")) await healthCacheExpires();
		const before = fleet.lines.length;
		told.length = 0;
		await FAULTS[fault]?.();
		const fresh = () => fleet.lines.slice(before);
		const logged = () => fresh().filter((line) => hasAll(line, log));
		await expect.poll(() => logged().length, { message: log }).toBeGreaterThan(0);
		const points = () =>
			fresh()
				.filter((line) => line.startsWith("METRIC "))
				.map((line) => (JSON.parse(line.slice(7)) as { blobs: string[] }).blobs);
		const [route, ...more] = codes(point);
		if (route) {
			const isIt = (blobs: string[]) =>
				blobs[0] === route && more.every((each) => blobs.includes(each));
			await expect.poll(() => points().some(isIt), { message: point }).toBe(true);
		} else expect(point).toMatch(/^none/);
		if (webhook.startsWith("none")) expect(told).toEqual([]);
		else
			await expect
				.poll(() => told.filter((text) => hasAll(text, webhook)).length, { message: webhook })
				.toBe(1);
		const known = alertOn(alert);
		expect(known, alert).toBeDefined();
		fleet.takeErrors();
		// One line says what is wrong, and none that something was.
		expect(fresh().filter((line) => line.includes("[object "))).toEqual([]);
		// workerd repeats it, perhaps only after the test has ended: takeErrors has to leave that line out.
		if (more.includes("failed"))
			await expect
				.poll(() => fresh().some((line) => line.includes("Uncaught exception")))
				.toBe(true);
		const heard = told.find((text) => hasAll(text, webhook)) ?? webhook;
		seen.push([fault, logged()[0]?.slice(0, 160) ?? "", point, heard, alert]);
	});
});
