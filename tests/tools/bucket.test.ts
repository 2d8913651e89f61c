/** Objects of a bucket over Cloudflare's API, when the connection isn't what it should be. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { remoteReceipts } from "../../tools/backup-place.ts";

let cuts = 0;
let refusals = 0;
const server = createServer((_, response) => {
	if (refusals-- > 0) return void response.writeHead(429, { "Retry-After": "0.1" }).end();
	response.writeHead(200, { "Content-Length": "9" });
	if (cuts-- > 0) response.write("a re", () => response.destroy());
	else response.end("a receipt");
});
await new Promise<void>((pass) => server.listen(0, "127.0.0.1", pass));
afterAll(() => new Promise((pass) => server.close(pass)));
const { port } = server.address() as AddressInfo;
const store = remoteReceipts(
	{ url: `http://127.0.0.1:${port}/accounts/a/d1/database/d/query`, token: "t" },
	{ name: "receipts", jurisdiction: undefined },
);

it("a file is read again when the connection ends in the middle of it", async () => {
	cuts = 1;
	expect(new TextDecoder().decode(await store.get("r/r1"))).toBe("a receipt");
});

it("waits as long as Cloudflare's limit of requests lasts", async () => {
	refusals = 10;
	expect(new TextDecoder().decode(await store.get("r/r1"))).toBe("a receipt");
});

it("says which bucket it was when that doesn't help", async () => {
	cuts = 100;
	await expect(store.get("r/r1")).rejects.toThrow(
		"The bucket receipts doesn't answer (no connection).",
	);
});
