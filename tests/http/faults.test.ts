/**
 * What reveals a fault of D1, R2 or the mail provider: each line of the table in docs/operations.md is
 * made to happen, and its log line and data point are read.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { multipart } from "../support/forms.ts";
import { fill, JPEG, send } from "../support/request-form.ts";
import { insertRow } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";

let status = 500;
const provider = createServer((request, response) => {
	request.resume().on("end", () => {
		if (status === 0) response.destroy();
		else response.writeHead(status).end("{}");
	});
}).listen(0, "127.0.0.1");
await new Promise((resolve) => provider.once("listening", resolve));
afterAll(() => provider.close());

const DOWN = `const fail = () => Promise.reject(new Error("R2 is down"));
export default () => ({ get: fail, head: fail, put: fail, list: fail, delete: fail });`;
const METRICS = `export default () => ({
	writeDataPoint: (point) => console.log("METRIC " + JSON.stringify(point)),
});`;
const fleet = await openFleet({
	standIns: { RECEIPTS: DOWN, BACKUPS: DOWN, METRICS },
	vars: {
		MAIL_PROVIDER: "resend",
		MAIL_FROM: "fleet@milepost.test",
		MAIL_API_KEY: "key",
		MAIL_API_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/emails`,
	},
});
const [ada, dana] = [await fleet.as("ada"), await fleet.as("dana")];

/** While a table is gone, every statement that needs it fails. */
async function without(table: string, act: () => Promise<unknown>): Promise<void> {
	await fleet.sql(`alter table ${table} rename to hidden`);
	await act();
	await fleet.sql(`alter table hidden rename to ${table}`);
}
let minutes = 0;
async function tick(): Promise<void> {
	// Longer than the claim of a step that has failed.
	minutes += 16;
	const worker = await fleet.worker.getWorker();
	const scheduledTime = new Date(currentTime() + minutes * 60_000);
	await worker.scheduled({ cron: "* * * * *", scheduledTime });
}
let mails = 0;
/** One message is due, and the provider answers like this. */
async function mailMeets(answer: number): Promise<void> {
	mails += 1;
	status = answer;
	await fleet.sql("delete from mails");
	await fleet.sql(
		`insert into mails (id, kind, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
		values (?, 'invitation', ?, 's', 'b', 'x', 'queued', 1, 1, ?)`,
		`mail-${mails}`,
		CAST.dana.email,
		`mail-${mails}`,
	);
	await tick();
}
const STATEMENT = "70000000-0000-4000-8000-000000000002";
const RECEIPT = "70000000-0000-4000-8000-000000000001";

const FAULTS: Readonly<Record<string, () => Promise<unknown>>> = {
	"D1 fails under a page": () => without("sessions", () => ada.get("/drivers", { mayFail: true })),
	"D1 fails under a monitor": () =>
		without("mails", () => fleet.client().get("/healthz", { mayFail: true })),
	"D1 fails under the schedule": () => without("notices", tick),
	"R2 refuses a file": async () =>
		dana.request("/api/receipts", { ...(await multipart({}, JPEG)), mayFail: true }),
	"R2 refuses the file of a form, which is saved without it": async () =>
		send(dana, await fill(dana), JPEG),
	"R2 doesn't show a receipt": async () => {
		await fleet.sql(
			`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
			values (?, ?, ?, 'image/png', 9, ?, 'a.png', 5)`,
			...[RECEIPT, idOf("dana"), `r/${RECEIPT}`, "a".repeat(64)],
		);
		return dana.get(`/api/receipts/${RECEIPT}`, { mayFail: true });
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
		return ada.get(`/uber-fees/import?statement=${STATEMENT}`, { mayFail: true });
	},
	"R2 fails under a monitor": () => fleet.client().get("/healthz", { mayFail: true }),
	"R2 fails under the sweep": tick,
	"R2 refuses the nightly export": tick,
	"The mail provider fails": () => mailMeets(500),
	"The mail provider refuses a message for good": () => mailMeets(422),
	"The mail provider can't be reached": () => mailMeets(0),
};

const manual = readFileSync("docs/operations.md", "utf8");
const table = (head: string) =>
	(manual.split(head)[1] ?? "")
		.split("\n\n")[0]
		?.split("\n")
		.slice(2)
		.map((line) => line.split("|").map((cell) => cell.trim())) ?? [];
const rows = table("| fault | in the log | data point | alert |");
const alerts = table("| what | alert when | what it means |").map(([, what = ""]) => what);
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

describe("a fault shows as docs/operations.md says", () => {
	it("and every line of its table is tried", () => {
		expect(rows.map(([, fault]) => fault)).toEqual(Object.keys(FAULTS));
	});

	it.each(
		rows.map(([, fault = "", log = "", point = "", alert = ""]) => ({ fault, log, point, alert })),
	)("$fault", async ({ fault, log, point, alert }) => {
		// Health is shared for a second.
		if (fault.endsWith("monitor")) await new Promise((resolve) => setTimeout(resolve, 1100));
		const before = fleet.lines.length;
		await FAULTS[fault]?.();
		const fresh = () => fleet.lines.slice(before);
		const logged = () => fresh().filter((line) => codes(log).every((code) => line.includes(code)));
		await expect.poll(() => logged().length, { message: log }).toBeGreaterThan(0);
		const points = () =>
			fresh()
				.filter((line) => line.startsWith("METRIC "))
				.map((line) => (JSON.parse(line.slice(7)) as { blobs: string[] }).blobs);
		if (point === "none") expect(points()).toEqual([]);
		else {
			const [route, kind] = codes(point);
			await expect.poll(() => points().some((b) => b[0] === route && b[2] === kind)).toBe(true);
		}
		expect(
			alerts.some((what) => what.startsWith(alert)),
			alert,
		).toBe(true);
		fleet.takeErrors();
	});
});
