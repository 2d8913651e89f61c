/** Renders the pages of a PDF. Its library is loaded with this module, by pages that show one. */
import { GlobalWorkerOptions, getDocument } from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";

GlobalWorkerOptions.workerSrc = workerUrl;

/** How many pages are rendered: a receipt has one or two. */
const MAX_PAGES = 10;
/** The maximum number of pixels in a canvas, so that a page of any size fits into memory. */
const MAX_PIXELS = 8_000_000;

/**
 * @param into the element whose contents the pages replace
 * @returns how many pages are left out
 */
export async function drawPages(
	url: string,
	label: string,
	into: HTMLElement,
	signal: AbortSignal,
): Promise<number> {
	const answer = await fetch(url, { signal });
	if (!answer.ok) throw new Error(`the receipt answered ${answer.status}`);
	// Nothing in a receipt is compiled or fetched: no wasm, no forms, no scripts, no links.
	const loading = getDocument({
		data: await answer.arrayBuffer(),
		useWasm: false,
		enableXfa: false,
		stopAtErrors: false,
		isImageDecoderSupported: false,
	});
	try {
		const { numPages, getPage } = await loading.promise.then((pdf) => ({
			numPages: pdf.numPages,
			getPage: (number: number) => pdf.getPage(number),
		}));
		const pages: HTMLCanvasElement[] = [];
		for (let number = 1; number <= Math.min(numPages, MAX_PAGES); number++) {
			signal.throwIfAborted();
			const page = await getPage(number);
			const natural = page.getViewport({ scale: 1 });
			const width = Math.max(into.parentElement?.clientWidth ?? 0, 600) * devicePixelRatio;
			const most = Math.sqrt(MAX_PIXELS / (natural.width * natural.height));
			const viewport = page.getViewport({ scale: Math.min(width / natural.width, most) });
			const canvas = document.createElement("canvas");
			canvas.width = Math.ceil(viewport.width);
			canvas.height = Math.ceil(viewport.height);
			canvas.setAttribute("role", "img");
			canvas.setAttribute("aria-label", `${label}, page ${number} of ${numPages}`);
			await page.render({ canvas, viewport }).promise;
			pages.push(canvas);
		}
		into.replaceChildren(...pages);
		return numPages - pages.length;
	} finally {
		await loading.destroy();
	}
}
