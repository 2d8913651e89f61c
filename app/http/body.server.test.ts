/** Bodies are read only as far as needed, whatever their headers claim. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BODY_LIMIT, BodyReader, readBodyWithin } from "./body.server.ts";

const OURS = "https://fleet.example";

/** A request whose body arrives in these parts, and how many of them were read. */
function streaming(parts: Uint8Array[], headers: HeadersInit = {}) {
	let pulled = 0;
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			const part = parts[pulled++];
			if (part) controller.enqueue(part);
			else controller.close();
		},
	});
	return {
		request: new Request(OURS, { method: "POST", body, headers, duplex: "half" } as RequestInit),
		pulled: () => pulled,
	};
}

describe("BodyReader", () => {
	it("reads on from where it stopped, and knows whether there is more", async () => {
		const parts = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(parts, fc.nat(300), fc.nat(300), async (chunks, one, other) => {
				const whole = Buffer.concat(chunks);
				const reader = new BodyReader(streaming(chunks).request);
				for (const limit of [Math.min(one, other), Math.max(one, other)]) {
					const { bytes, isCut } = await reader.first(limit);
					expect(Buffer.from(bytes).equals(whole.subarray(0, limit))).toBe(true);
					expect(isCut).toBe(whole.length > limit);
				}
			}),
		);
	});

	it("reads no more of a long body than it was asked for", async () => {
		const { request, pulled } = streaming(Array.from({ length: 3000 }, () => new Uint8Array(1024)));
		const reader = new BodyReader(request);
		await reader.first(64 * 1024);
		expect(pulled()).toBeLessThan(70);
		await reader.drain(100 * 1024 * 1024);
		expect(pulled()).toBe(3001);
	});
});

describe("readBodyWithin", () => {
	it("returns the bytes as sent, however they were split", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 }),
				async (parts) => {
					const whole = Uint8Array.from(parts.flatMap((part) => [...part]));
					const body = await readBodyWithin(streaming(parts).request, 400);
					expect(body && Buffer.from(body).equals(Buffer.from(whole))).toBe(true);
				},
			),
		);
	});

	it("accepts exactly the limit and not one byte more", async () => {
		expect(
			(
				await readBodyWithin(
					new Request(OURS, { method: "POST", body: "x".repeat(BODY_LIMIT) }),
					BODY_LIMIT,
				)
			)?.byteLength,
		).toBe(65_536);
		expect(
			await readBodyWithin(
				new Request(OURS, { method: "POST", body: "x".repeat(BODY_LIMIT + 1) }),
				BODY_LIMIT,
			),
		).toBeUndefined();
	});

	it("reads at most a megabyte of a body that is too large, with no Content-Length or a false one", async () => {
		const endless = Array.from({ length: 3000 }, () => new Uint8Array(1024));
		for (const length of [undefined, "10", "lots", "-5"]) {
			const { request, pulled } = streaming(
				endless,
				length === undefined ? {} : { "Content-Length": length },
			);
			expect(await readBodyWithin(request, 10_000)).toBeUndefined();
			expect(pulled()).toBeLessThan(1100);
		}
	});

	it("reads nothing of a body that says it is too large", async () => {
		const { request, pulled } = streaming([new Uint8Array(10)], {
			"Content-Length": "99999999999",
		});
		expect(await readBodyWithin(request, 10_000)).toBeUndefined();
		expect(pulled()).toBeLessThanOrEqual(1);
	});

	it("is empty without a body", async () => {
		expect((await readBodyWithin(new Request(OURS, { method: "POST" }), 10))?.byteLength).toBe(0);
	});
});
