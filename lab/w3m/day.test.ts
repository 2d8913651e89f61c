/**
 * A driver's day in a text browser that has neither scripts nor styles, and sends neither `Origin`
 * nor `Sec-Fetch-Site`: with w3m's own forms, files and cookies.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { FaultyNetwork } from "../../tests/offline/faulty-network.ts";
import { idOf } from "../../tests/support/cast.ts";
import { openFleet } from "../../tests/support/worker.ts";
import { freePort } from "../../tools/free-port.ts";
import { Terminal } from "./terminal.ts";

const [near, far] = [await freePort(), await freePort()];
const origin = `http://localhost:${near}`;
const fleet = await openFleet({ port: far, origin });
/**
 * w3m speaks HTTP/1.0 and can't read chunked answers. Cloudflare's network answers in kind; a bare
 * workerd doesn't, but this proxy in front of it does.
 */
const line = await FaultyNetwork.open(near, far);
const place = mkdtempSync(join(tmpdir(), "milepost-day-"));
const photo = join(place, "pump.jpg");
copyFileSync("tests/fixtures/receipts/baseline.jpg", photo);

let w3m: Terminal | undefined;
afterEach(async () => {
	w3m?.close();
	await line.close();
	rmSync(place, { recursive: true });
});

it("signs in, logs a trip, asks for money with a receipt, answers, reads and signs out", async () => {
	w3m = new Terminal(`${origin}/`);
	await w3m.sees("Secure access for drivers and fleet administrators");
	w3m.follow("Sign In");
	await w3m.sees("Demo accounts");
	await w3m.fill("Email", "dana@milepost.test");
	w3m.follow("Sign In", "Email");
	await w3m.sees("Driver Dashboard");

	w3m.follow("Log Mileage");
	await w3m.sees("Starting Odometer");
	const [, start = ""] = /Starting Odometer\[(\d+)/.exec(w3m.screen()) ?? [];
	const end = Number(start) + 68;
	await w3m.fill("Ending Odometer", String(end));
	await w3m.write("Notes", "By text browser");
	w3m.follow("Log Mileage", "Calculated Miles");
	await w3m.sees("Mileage log created successfully");
	await w3m.sees(`Your last entry ended at ${end.toLocaleString("en-US")}`);
	expect(
		await fleet.sql("select end_miles, miles from mileage_logs where notes = 'By text browser'"),
	).toEqual([{ end_miles: end, miles: 68 }]);

	w3m.follow("Fund Requests");
	await w3m.sees("Submit New Fund Request");
	await w3m.choose("Request Type", "Gas/Fuel", 1);
	await w3m.fill("Amount", "45.50");
	await w3m.write("Description", "Fuel by text");
	w3m.attach("Choose file", photo);
	await w3m.sees("Fund request submitted successfully");
	await w3m.sees("pump.jpg");
	const [request] = await fleet.sql<{ id: string }>(
		"select fund_requests.id, amount_cents, file_name from fund_requests join receipts on receipts.id = receipt_id where description = 'Fuel by text'",
	);
	expect(request).toMatchObject({ amount_cents: 4550, file_name: "pump.jpg" });

	const ada = await fleet.as("ada");
	await ada.call("POST", `/api/fund-requests/${request?.id}/messages`, { text: "Which van?" });
	w3m.follow("Dashboard");
	await w3m.sees("1 request needs your answer");
	w3m.follow("Answer", "answer");
	await w3m.sees("Which van?");
	await w3m.write("Your answer", "The white one");
	w3m.follow("Send answer");
	await w3m.sees("Answer sent");
	await w3m.sees("Answered");

	w3m.follow("History");
	await w3m.sees("68 miles");
	await w3m.sees("gas request");

	w3m.follow("Sign Out");
	await w3m.sees("Secure access for drivers and fleet administrators");
	expect(
		await fleet.sql(
			"select count(*) as n from sessions where user_id = ? and ended_at is null",
			idOf("dana"),
		),
	).toEqual([{ n: 0 }]);
});
