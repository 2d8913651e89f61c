/**
 * What is stored of a picture looks exactly as the picture that was sent: both are drawn by a real
 * browser and compared pixel by pixel.
 */
import { afterAll, expect, it } from "vitest";
import { prepareReceipt } from "../../app/domain/receipts/prepare.ts";
import { receiptCorpus } from "../support/receipt-corpus.ts";
import { openBrowser } from "./browser.ts";

const browser = await openBrowser();
afterAll(() => browser.close());
const page = await browser.newPage();

type Drawn = { readonly width: number; readonly height: number; readonly pixels: string };

/**
 * A picture as the browser shows it, turned by its orientation; `undefined` when it cannot show it.
 */
async function drawn(mediaType: string, bytes: Uint8Array): Promise<Drawn | undefined> {
	return page.evaluate(
		async ([type, base64]) => {
			const blob = new Blob(
				[Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))],
				{ type },
			);
			const image = new Image();
			image.src = URL.createObjectURL(blob);
			try {
				await image.decode();
			} catch {
				return undefined;
			}
			const canvas = document.createElement("canvas");
			canvas.width = image.naturalWidth;
			canvas.height = image.naturalHeight;
			const context = canvas.getContext("2d");
			if (!context) throw new Error("no canvas");
			context.drawImage(image, 0, 0);
			URL.revokeObjectURL(image.src);
			const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data.join();
			return { width: canvas.width, height: canvas.height, pixels };
		},
		[mediaType, Buffer.from(bytes).toString("base64")] as const,
	);
}

const pictures = receiptCorpus().flatMap(({ what, bytes, givenName, expected }) => {
	if (
		typeof expected === "string" ||
		expected.mediaType === "application/pdf" ||
		expected.isNotShown
	)
		return [];
	// The same picture under forty names is drawn once.
	return givenName.startsWith("receipt.") ? [{ what, bytes, expected }] : [];
});

it("shows every cleaned picture as it was", async () => {
	const differing: string[] = [];
	let turned = 0;
	for (const { what, bytes, expected } of pictures) {
		const prepared = prepareReceipt(bytes, "receipt");
		if (!prepared.ok) expect.unreachable(what);
		const before = await drawn(expected.mediaType, bytes);
		const after = await drawn(expected.mediaType, prepared.value.bytes);
		if (!before || before.pixels !== after?.pixels || before.width !== after.width)
			differing.push(`${what}${before ? "" : " (never shown)"}`);
		if (after && expected.size && after.width === expected.size[1]) turned++;
	}
	console.info(
		`receipts in the browser: ${pictures.length} pictures compared, ${differing.length} differ, ${turned} shown turned`,
	);
	expect(differing).toEqual([]);
	expect(turned).toBeGreaterThan(20);
});

it("would notice a lost orientation and a lost color profile", async () => {
	for (const name of ["JPEG orientation 6 big endian", "JPEG color profile"]) {
		const { bytes } = pictures.find(({ what }) => what === name) ?? expect.unreachable(name);
		const plain = pictures.find(({ what }) => what === "JPEG baseline") ?? expect.unreachable();
		expect((await drawn("image/jpeg", bytes))?.pixels).not.toBe(
			(await drawn("image/jpeg", plain.bytes))?.pixels,
		);
	}
});
