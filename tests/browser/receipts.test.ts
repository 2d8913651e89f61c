/**
 * Stored images look exactly like the images that were sent: a real browser draws both, and they
 * are compared pixel by pixel.
 */
import { afterAll, expect, it } from "vitest";
import { prepareReceipt } from "../../app/domain/receipts/prepare.ts";
import { receiptCorpus } from "../support/receipt-corpus.ts";
import { openBrowser } from "./browser.ts";

const browser = await openBrowser();
afterAll(() => browser.close());
const page = await browser.newPage();

type DrawnImage = { readonly width: number; readonly height: number; readonly pixels: string };

/**
 * An image as the browser draws it, with its orientation applied; `undefined` if it can't be drawn.
 */
async function drawn(mediaType: string, bytes: Uint8Array): Promise<DrawnImage | undefined> {
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

const images = receiptCorpus().flatMap(({ what, bytes, givenName, expected }) => {
	if (
		typeof expected === "string" ||
		expected.mediaType === "application/pdf" ||
		expected.isNotShown
	)
		return [];
	// The corpus has the same image under forty names; it is drawn only once.
	return givenName.startsWith("receipt.") ? [{ what, bytes, expected }] : [];
});

it("shows every stored image exactly as it was sent", async () => {
	const differing: string[] = [];
	let turned = 0;
	for (const { what, bytes, expected } of images) {
		const prepared = prepareReceipt(bytes, "receipt");
		if (!prepared.ok) expect.unreachable(what);
		const before = await drawn(expected.mediaType, bytes);
		const after = await drawn(expected.mediaType, prepared.value.bytes);
		if (!before || before.pixels !== after?.pixels || before.width !== after.width)
			differing.push(`${what}${before ? "" : " (never shown)"}`);
		if (after && expected.size && after.width === expected.size[1]) turned++;
	}
	console.info(
		`receipts in the browser: ${images.length} images compared, ${differing.length} differ, ${turned} shown rotated`,
	);
	expect(differing).toEqual([]);
	expect(turned).toBeGreaterThan(20);
});

it("would notice a lost orientation and a lost color profile", async () => {
	for (const name of ["JPEG orientation 6 big endian", "JPEG color profile"]) {
		const { bytes } = images.find(({ what }) => what === name) ?? expect.unreachable(name);
		const plain = images.find(({ what }) => what === "JPEG baseline") ?? expect.unreachable();
		expect((await drawn("image/jpeg", bytes))?.pixels).not.toBe(
			(await drawn("image/jpeg", plain.bytes))?.pixels,
		);
	}
});
