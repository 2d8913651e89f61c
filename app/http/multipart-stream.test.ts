import { expect, it } from "vitest";
import { multipartEvents } from "./multipart-stream.ts";

const BOUNDARY = "----a-boundary";
const encoder = new TextEncoder();

/** The parts of a body that arrives in chunks of a given size. */
async function partsOf(body: string, size: number) {
	async function* chunks() {
		const bytes = encoder.encode(body);
		for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
	}
	const parts: { name: string | undefined; file: string | undefined; text: string }[] = [];
	const decoder = new TextDecoder();
	for await (const event of multipartEvents(chunks(), BOUNDARY)) {
		const last = parts.at(-1);
		if (event.kind === "end") parts.push({ name: "end", file: undefined, text: "" });
		else if (event.kind === "part")
			parts.push({ name: event.part.name, file: event.part.filename, text: "" });
		else if (last) last.text += decoder.decode(event.bytes);
	}
	return parts;
}

const CONTENT = `a,b\r\n1,2\r\n--not the end\r\n\r\n----a-bound\r${"x".repeat(90)}\r\n`;
const BODY = [
	`------a-boundary\r\nContent-Disposition: form-data; name="mode"\r\n\r\nready`,
	`------a-boundary\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${CONTENT}`,
	`------a-boundary\r\nContent-Disposition: form-data; name="empty"\r\n\r\n`,
	"------a-boundary--\r\n",
].join("\r\n");

it("finds the same parts however the body is cut", async () => {
	for (let size = 1; size < 40; size++)
		expect(await partsOf(BODY, size), `chunks of ${size}`).toEqual([
			{ name: "mode", file: undefined, text: "ready" },
			{ name: "file", file: "a.csv", text: CONTENT },
			{ name: "empty", file: undefined, text: "" },
			{ name: "end", file: undefined, text: "" },
		]);
});

it("accepts a file with a very long name", async () => {
	const name = `${"n".repeat(12_000)}.csv`;
	const [, file] = await partsOf(BODY.replace("a.csv", name), 1000);
	expect(file).toEqual({ name: "file", file: name, text: CONTENT });
});

it("stops early for a body that isn't multipart, has no end or an endless header", async () => {
	expect(await partsOf("no parts at all", 4)).toEqual([]);
	expect(await partsOf(`------a-boundary\r\nX: ${"y".repeat(70_000)}\r\n\r\nz`, 1000)).toEqual([]);
	expect((await partsOf(BODY.slice(0, 200), 16)).map(({ name }) => name)).toEqual(["mode", "file"]);
});

it("ends early at a header that isn't UTF-8", async () => {
	const bytes = new Uint8Array([
		...new TextEncoder().encode('--x\r\nContent-Disposition: form-data; name="'),
		0xff,
		...new TextEncoder().encode('"\r\n\r\nvalue\r\n--x--'),
	]);
	async function* body() {
		yield bytes;
	}
	const kinds: string[] = [];
	for await (const { kind } of multipartEvents(body(), "x")) kinds.push(kind);
	expect(kinds).toEqual([]);
});
