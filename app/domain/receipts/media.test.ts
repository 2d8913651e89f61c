import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesFrom, fixture } from "../../../tests/receipts/corpus-file.ts";
import { FOREIGN, PDF } from "../../../tests/receipts/other-files.ts";
import { png } from "../../../tests/receipts/png-files.ts";
import { detectMediaType } from "./media.ts";

const KNOWN = [
	["image/jpeg", fixture("baseline.jpg"), 3],
	["image/png", png(), 8],
	["image/webp", fixture("lossy.webp"), 12],
	["application/pdf", PDF, 5],
] as const;

describe("a file's type", () => {
	it.each(KNOWN)("%s is detected by its leading bytes", (mediaType, bytes) => {
		expect(detectMediaType(bytes)).toEqual({ ok: true, value: mediaType });
	});

	it.each(KNOWN)(
		"%s cut off within them is incomplete, and one wrong byte makes it unknown",
		(mediaType, bytes, length) => {
			for (let at = 0; at < length; at++) {
				expect(detectMediaType(bytes.subarray(0, at))).toMatchObject({
					ok: false,
					reason: at === 0 ? "empty" : "broken",
				});
				const isLengthOfRiff = mediaType === "image/webp" && at >= 4 && at < 8;
				const changed = bytes.slice();
				changed[at] = (changed[at] ?? 0) ^ 0x80;
				expect(detectMediaType(changed).ok, `byte ${at}`).toBe(isLengthOfRiff);
			}
			expect(detectMediaType(bytes.subarray(0, length)).ok).toBe(true);
		},
	);

	it("counts only at the very beginning, but for a PDF's", () => {
		for (const [, bytes] of KNOWN.filter(([type]) => type !== "application/pdf"))
			expect(detectMediaType(bytesFrom("\n", bytes))).toMatchObject({
				ok: false,
				reason: "unsupported",
			});
	});

	it.each(FOREIGN)("%s is not accepted", (_, bytes, word) => {
		const answer = detectMediaType(bytes);
		expect(answer).toMatchObject({ ok: false, reason: "unsupported" });
		if (!answer.ok) expect(answer.details.message).toContain(word);
	});

	it("is recognized exactly by its signature", { timeout: 60_000 }, () => {
		const beginning = fc.constantFrom("\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "RIFF1234WEBP", "%PDF-");
		const flip = fc.option(fc.tuple(fc.nat(14), fc.integer({ min: 1, max: 255 })));
		fc.assert(
			fc.property(beginning, fc.uint8Array({ maxLength: 20 }), flip, (head, tail, change) => {
				const bytes = bytesFrom(head, tail);
				if (change && change[0] < bytes.length)
					bytes[change[0]] = (bytes[change[0]] ?? 0) ^ change[1];
				const text = Buffer.from(bytes).toString("latin1");
				const isRiff = text.startsWith("RIFF") && text.slice(8, 12) === "WEBP";
				const isOther = ["\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "%PDF-"].some((known) =>
					text.startsWith(known),
				);
				expect(detectMediaType(bytes).ok).toBe(isRiff || isOther);
			}),
			{ numRuns: 20_000 },
		);
	});
});
