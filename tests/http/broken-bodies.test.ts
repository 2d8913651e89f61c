/** A connection that ends in the middle of a body is no fault, whoever reads it. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, afterEach, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { openFleet } from "../support/worker.ts";

const told: string[] = [];
const webhook = createServer((request, response) => {
	told.push(request.url ?? "");
	response.end("ok");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => webhook.once("listening", resolve));
afterAll(() => webhook.close());
const fleet = await openFleet({
	port: await freePort(),
	vars: { ERROR_WEBHOOK: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/faults` },
});
const ada = await fleet.as("ada");
const dana = await fleet.as("dana");

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=x";
const fileOf = (field: string) =>
	`--x\r\nContent-Disposition: form-data; name="${field}"; filename="a.csv"\r\n\r\n`;
/** A body's beginning that is longer than what is read without asking who sends it. */
const long = (start: string) => start + "a,b\n".repeat(40_000);

/** Sends the beginning of a request and hangs up; resolves when the Worker has logged it. */
async function breakOff(
	path: string,
	type: string,
	body: string,
	{ cookie = "", framing = "Content-Length: 500000", method = "POST" } = {},
): Promise<{ status: number; end: string; path: string }> {
	const before = fleet.lines.length;
	const socket = connect(Number(new URL(fleet.origin).port), "localhost");
	await new Promise((resolve) => socket.once("connect", resolve));
	socket.on("error", () => undefined);
	socket.write(
		`${method} ${path} HTTP/1.1\r\nHost: ${new URL(fleet.origin).host}\r\nOrigin: ${fleet.origin}\r\n` +
			`Content-Type: ${type}\r\nCookie: ${cookie}\r\n${framing}\r\n\r\n${body}`,
	);
	// Half closed: what it would answer could still be read.
	setTimeout(() => socket.end(), 100);
	const logged = () =>
		fleet.lines
			.slice(before)
			.find((line) => line.includes('"requestId"') && line.includes('"status"'));
	await expect.poll(logged, { timeout: 10_000 }).toBeDefined();
	socket.destroy();
	return JSON.parse(logged() ?? "{}");
}

afterEach(() => {
	// The runtime itself complains about a malformed chunk.
	expect(fleet.takeErrors().filter((line) => line.includes('"level":"error"'))).toEqual([]);
	expect(told).toEqual([]);
});

const CASES: readonly (readonly [string, string, string, string, string])[] = [
	["a form of a visitor", "/mileage", FORM, "notes", ""],
	["a form", "/mileage", FORM, "notes=half", dana.cookie],
	["JSON", "/api/mileage", "application/json", '{"a":', dana.cookie],
	["a receipt", "/api/receipts", MULTIPART, fileOf("file"), dana.cookie],
	["a long receipt", "/api/receipts", MULTIPART, long(fileOf("file")), dana.cookie],
	["a statement", "/api/statements", MULTIPART, fileOf("file"), ada.cookie],
	["a long statement", "/api/statements", MULTIPART, long(fileOf("file")), ada.cookie],
	["a long statement's form", "/uber-fees/import", MULTIPART, long(fileOf("file")), ada.cookie],
	["a browser's report", "/api/csp-reports", "application/reports+json", "[{", ""],
	["an event of the mail provider", "/api/mail/events", "application/json", "{", ""],
	["a phone's entry", "/api/outbox/mileage", MULTIPART, fileOf("receipt"), dana.cookie],
];

it.each(CASES)("%s is cut off without a fault", async (_, path, type, body, cookie) => {
	expect(await breakOff(path, type, body, { cookie })).toMatchObject({
		status: 400,
		end: "aborted",
		path,
	});
});

it("a chunked body that isn't one is no fault either", async () => {
	const framing = "Transfer-Encoding: chunked";
	const line = await breakOff("/mileage", FORM, "5\r\nnotes\r\nzz\r\n", { framing });
	expect(line).toMatchObject({ status: 400, end: "aborted" });
});

it("a refused request keeps its answer when its body breaks off", async () => {
	const line = await breakOff("/nowhere", FORM, "notes", { method: "PUT" });
	expect(line.status).toBeLessThan(500);
});

it("stores nothing of a statement that was cut off", async () => {
	const store = fleet.files;
	expect((await store.list()).objects).toEqual([]);
	expect(await fleet.sql("select count(*) as n from fee_imports")).toEqual([{ n: 0 }]);
});
