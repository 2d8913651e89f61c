/** Makes a large photo in a file field smaller before its form is sent, for slow connections. */

/** Shown while a form waits for its photo. */
export const PREPARING = "Preparing the photo...";

/** The maximum bytes of a picture that is sent unchanged, and pixels of its long edge. */
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
/** How long a form waits for its photo to be made smaller, in milliseconds. */
const PATIENCE_MS = 10_000;

export const isPicture = (file: File) => file.type.startsWith("image/");

/** A JPEG of the picture, upright, with a long edge of at most the given length. */
async function resizeImage(
	picture: ImageBitmap,
	longEdge: number,
	quality: number,
): Promise<Blob | null> {
	const scale = Math.min(1, longEdge / Math.max(picture.width, picture.height));
	const canvas = document.createElement("canvas");
	canvas.width = Math.max(1, Math.round(picture.width * scale));
	canvas.height = Math.max(1, Math.round(picture.height * scale));
	const context = canvas.getContext("2d");
	if (!context) return null;
	// A JPEG has no transparency, so the background is white.
	context.fillStyle = "#fff";
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.drawImage(picture, 0, 0, canvas.width, canvas.height);
	return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

/** A smaller copy of a large picture; `undefined` if it is sent unchanged. */
async function shrinkPhoto(file: File): Promise<File | undefined> {
	if (!isPicture(file) || file.size <= SMALL_ENOUGH) return undefined;
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

/** Replaces the chosen file. */
function replaceFile(field: HTMLInputElement, file: File): void {
	const transfer = new DataTransfer();
	transfer.items.add(file);
	field.files = transfer.files;
}

/** Dispatched at a field whose photo has been replaced by a smaller copy. */
export const SMALLER = "smaller";

/**
 * Replaces every large photo that is chosen in the field, also one chosen before this call, and
 * holds back its form until that is done.
 * @param onHold called when the form begins and ends to wait for its photo
 */
export function keepPhotosSmall(input: HTMLInputElement, onHold: (isHeld: boolean) => void): void {
	const { form } = input;
	let shrinking: Promise<void> | undefined;
	const take = async () => {
		const file = input.files?.[0];
		if (!file) return;
		try {
			const smaller = await shrinkPhoto(file);
			// Another file may have been chosen, or the form sent, meanwhile.
			if (!smaller || input.files?.[0] !== file) return;
			replaceFile(input, smaller);
			input.dispatchEvent(new Event(SMALLER));
		} catch {
			// What can't be made smaller is sent unchanged; the server decides whether to accept it.
		}
	};
	const change = () => {
		const work = take().finally(() => {
			if (shrinking === work) shrinking = undefined;
		});
		shrinking = work;
	};
	/** A form waits for its photo: unchanged, it may be larger than what is accepted. */
	const hold = (event: SubmitEvent) => {
		if (!shrinking) return;
		event.preventDefault();
		event.stopImmediatePropagation();
		onHold(true);
		let isLeft = false;
		window.addEventListener("pagehide", () => (isLeft = true), { once: true });
		void settled().then(() => {
			onHold(false);
			// Whoever went back doesn't want it sent when the page is shown again.
			if (!isLeft) form?.requestSubmit(event.submitter);
		});
	};
	/** Waits for the chosen photo, and for another one chosen meanwhile, but not forever. */
	const settled = async () => {
		let isLate = false;
		const patience = new Promise<void>((pass) => setTimeout(pass, PATIENCE_MS)).then(() => {
			isLate = true;
		});
		while (shrinking && !isLate) await Promise.race([shrinking, patience]);
		shrinking = undefined;
	};
	if (input.files?.length) change();
	input.addEventListener("change", change);
	form?.addEventListener("submit", hold, { capture: true });
}
