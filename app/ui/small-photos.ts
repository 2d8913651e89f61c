/** Makes a large photo smaller, for slow connections. */

/** The maximum bytes of a picture that is sent unchanged, and pixels of a photo's long edge. */
const SMALL_ENOUGH = 600_000;
const LONG_EDGE = 2000;
/**
 * Tried in this order until the picture is small enough: edge in pixels, JPEG quality. A receipt is
 * still readable at the last one.
 */
const ATTEMPTS = [
	[LONG_EDGE, 0.8],
	[LONG_EDGE, 0.6],
	[1400, 0.6],
] as const;
const ENOUGH = 900_000;

/** The sides of a camera's photo, the short one by the long one. */
const USUAL_SHAPE = 3 / 4;

/**
 * A JPEG of the picture, upright, with a long edge of at most the given length. One longer than a
 * photo gets as many pixels as a photo, or a long receipt would be too narrow to read.
 */
async function resizeImage(
	picture: ImageBitmap,
	longEdge: number,
	quality: number,
): Promise<Blob | null> {
	const { width, height } = picture;
	const byEdge = longEdge / Math.max(width, height);
	const byPixels = longEdge * Math.sqrt(USUAL_SHAPE / (width * height));
	const scale = Math.min(1, Math.max(byEdge, byPixels));
	const canvas = document.createElement("canvas");
	canvas.width = Math.max(1, Math.round(width * scale));
	canvas.height = Math.max(1, Math.round(height * scale));
	const context = canvas.getContext("2d");
	if (!context) return null;
	// A JPEG has no transparency, so the background is white.
	context.fillStyle = "#fff";
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.drawImage(picture, 0, 0, canvas.width, canvas.height);
	return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

/**
 * A smaller copy of a large picture; `undefined` if it is sent unchanged.
 * @throws if the browser can't read the picture
 */
export async function shrinkPhoto(file: File): Promise<File | undefined> {
	if (!file.type.startsWith("image/") || file.size <= SMALL_ENOUGH) return undefined;
	const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
	try {
		let best: Blob | null = null;
		for (const [longEdge, quality] of ATTEMPTS) {
			best = await resizeImage(picture, longEdge, quality);
			if (best && best.size <= ENOUGH) break;
		}
		if (best?.type !== "image/jpeg" || best.size >= file.size) return undefined;
		return new File([best], `${file.name.replace(/\.[^.]*$/, "")}.jpg`, {
			type: best.type,
			lastModified: file.lastModified,
		});
	} finally {
		picture.close();
	}
}
