/**
 * The worker in which PDF.js reads and draws a PDF, both halves of it, so that ending this worker
 * ends all of it. A receipt is drawn as it is or not at all: anything that PDF.js leaves out is a
 * problem.
 *
 * The `legacy` build, because the other one needs last year's browsers. Version 5.4.624, because a
 * page could be given scripts by 5.6.83 up to 6.2.107 (CVE-2026-16633), and the legacy build of
 * 6.2.108 draws an empty page in Chromium 110 and before. `security.md` has the advisory.
 */
import { getDocument, PDFWorker } from "pdfjs-dist/legacy/build/pdf.mjs";
import { WorkerMessageHandler } from "pdfjs-dist/legacy/build/pdf.worker.mjs";
import openJpeg from "pdfjs-dist/wasm/openjpeg_nowasm_fallback.js?url";
import { PageCanvases, SoftMasks } from "./pdf-canvases.ts";

/** What the page sends. */
export type Order = {
	readonly data: ArrayBuffer;
	/** The width to draw pages in, in pixels. */
	readonly width: number;
	readonly port: MessagePort;
};

/** What it gets back: that the worker is ready, each page, and the file's page count. */
export type Drawn =
	| { readonly isReady: true }
	| { readonly page: ImageBitmap }
	| { readonly total: number }
	| { readonly problem: string };

/** How many pages are drawn: a receipt has one or two. */
const MAX_PAGES = 10;
/** The maximum number of pixels of one page, and of all pages together. */
const MAX_PIXELS = 8_000_000;
const MAX_PIXELS_TOGETHER = 24_000_000;
/** The maximum number of pixels of a picture in a PDF: a page scanned at 600 dots per inch has 35. */
const MAX_PICTURE_PIXELS = 40_000_000;

/**
 * PDF.js's warnings about how a file is written, which leave nothing out of its pages. With any
 * other, something is missing.
 */
const HARMLESS = new RegExp(
	`^Warning: (?:${[
		"TT: ",
		"Indexing all PDF objects",
		"XRef\\.parse - ",
		"readXRef - ",
		"indexObjects",
		"stringToPDFString",
		"FontFamily contains",
		"ICCBased color space",
		"CMYK fallback: DeviceCMYK",
		"PDFImage - using the Width/Height",
		"Jbig2Stream: Falling back to JS JBIG2 decoder",
		"JpegImage\\.parse - unexpected data",
		"readDataBlock - incorrect length",
		"getHexString - ",
		"Badly formatted number",
		"Lexer_getName",
		"Invalid PDF header version",
		"Invalid PDF catalog version",
		"_getLinearizationPage",
		"Ignoring non-standard key",
		"Bad value, for ",
		"Unable to read (?:mark info|permissions|page labels|document outline)",
		"Unable read to structTreeRoot info",
		"StructTree",
		"Search depth limit reached",
		"Empty, or invalid, /(?:MediaBox|CropBox) entry",
		"Empty /CropBox and /MediaBox intersection",
		'Empty "\\w+" stream',
		"getFontFileType: Unable to detect",
		'Invalid "Length1" property',
		'Unable to recover "Length1" property',
		"No cmap table available",
		".* preferred cmap table",
		"Unknown/unsupported post table version",
		"Incorrect 'loca' table length",
		"Not enough space in (?:glyfs|charstrings)",
		'Required "glyf" table is not found',
		"Missing subrsIndex",
		"Found too many parameters for stack-clearing command",
		"CFF stem hints are in wrong order",
		"CFFParser_parseDict",
		"parseFDSelect",
		"Couldn't find .* in CFF strings",
		"Invalid CFFDict value",
		"Ran out of space in font private use area",
		"charToGlyph - invalid fontCharCode",
		"Type1 font -- ",
		"AnnotationBorderStyle\\.setWidth",
		"Ignoring invalid lineEnding",
		"Invalid field flags",
		"Unknown field name",
		"Push buttons without action dictionaries",
		"Popup annotation has",
		"Unimplemented (?:widget field|annotation) type",
		"parseDestDictionary",
		"Invalid absolute docBaseUrl",
	].join("|")})`,
);

/** PDF.js fetches a font by its file's name. */
const FONTS = import.meta.glob<string>("/node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}", {
	query: "?url",
	import: "default",
	eager: true,
});

class StandardFonts {
	async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
		const url = FONTS[`/node_modules/pdfjs-dist/standard_fonts/${filename}`];
		if (!url) throw new Error(`There is no font ${filename}.`);
		return new Uint8Array(await (await fetch(url)).arrayBuffer());
	}
}

self.addEventListener("message", ({ data: order }: MessageEvent<Partial<Order>>) => {
	if (order.port) void draw(order as Order);
});

async function draw({ data, width, port }: Order): Promise<void> {
	const send = (message: Drawn, moved: Transferable[] = []) => port.postMessage(message, moved);
	let problem: unknown;
	// PDF.js says only here what it leaves out.
	console.warn = (message: unknown) => {
		if (!HARMLESS.test(String(message))) problem ??= message;
	};
	self.addEventListener("unhandledrejection", ({ reason }) => {
		problem ??= reason;
	});
	send({ isReady: true });
	try {
		const pdf = await open(data);
		const pages = Math.min(pdf.numPages, MAX_PAGES);
		for (let number = 1; number <= pages; number++) {
			const page = await pdf.getPage(number);
			const natural = page.getViewport({ scale: 1 });
			const pixels = Math.min(MAX_PIXELS, MAX_PIXELS_TOGETHER / pages);
			const most = Math.sqrt(pixels / (natural.width * natural.height));
			const viewport = page.getViewport({ scale: Math.min(width / natural.width, most) });
			const { canvas, context } = new PageCanvases().create(
				Math.ceil(viewport.width),
				Math.ceil(viewport.height),
			);
			await page.render({
				canvas: null,
				// Nothing tells it apart from an element's.
				canvasContext: context as unknown as CanvasRenderingContext2D,
				viewport,
			}).promise;
			page.cleanup();
			if (problem) throw problem;
			const bitmap = canvas.transferToImageBitmap();
			send({ page: bitmap }, [bitmap]);
		}
		send({ total: pdf.numPages });
	} catch (reason) {
		send({ problem: String(problem ?? reason) });
	}
}

/** Nothing in a receipt is compiled or fetched: no wasm, no forms, no scripts, no links. */
function open(data: ArrayBuffer) {
	const { port1, port2 } = new MessageChannel();
	WorkerMessageHandler.initializeFromPort(port2);
	const worker = new PDFWorker({ port: port1 as unknown as null });
	port1.start();
	port2.start();
	return getDocument({
		data,
		worker,
		CanvasFactory: PageCanvases,
		FilterFactory: SoftMasks,
		StandardFontDataFactory: StandardFonts,
		useWorkerFetch: false,
		// Its JPEG 2000 decoder is found under this URL and a name, which ends up in the query.
		wasmUrl: `${openJpeg}?/`,
		useWasm: false,
		isEvalSupported: false,
		isImageDecoderSupported: false,
		// A worker has no document to add fonts to, so text is drawn as shapes.
		disableFontFace: true,
		useSystemFonts: false,
		enableXfa: false,
		// Otherwise what was drawn so far counts as the page, without a warning.
		stopAtErrors: false,
		maxImageSize: MAX_PICTURE_PIXELS,
	}).promise;
}
