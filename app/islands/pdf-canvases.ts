/** The canvases that PDF.js draws on in a worker, and the filters that it uses on them. */

/** The maximum number of pixels of all canvases together before a file is given up. */
const MAX_HELD_PIXELS = 100_000_000;

type Context = OffscreenCanvasRenderingContext2D;
type Held = { canvas: OffscreenCanvas | null; context: Context | null };
type Table = readonly number[];

let held = 0;
const hold = (pixels: number) => {
	held += pixels;
	if (held > MAX_HELD_PIXELS) throw new Error("The PDF needs more canvases than fit into memory.");
};

/** The `CanvasFactory` of PDF.js. */
export class PageCanvases {
	create(width: number, height: number): { canvas: OffscreenCanvas; context: Context } {
		hold(width * height);
		const canvas = new OffscreenCanvas(width, height);
		// Drawn on the CPU, not on the GPU that all pages share.
		const context = canvas.getContext("2d", { willReadFrequently: true });
		if (!context) throw new Error("This browser can't draw outside of a page.");
		return { canvas, context: withMasks(context) };
	}

	reset({ canvas }: Held, width: number, height: number): void {
		if (!canvas) return;
		hold(width * height - canvas.width * canvas.height);
		canvas.width = width;
		canvas.height = height;
	}

	destroy(each: Held): void {
		if (!each.canvas) return;
		held -= each.canvas.width * each.canvas.height;
		each.canvas.width = 0;
		each.canvas.height = 0;
		each.canvas = null;
		each.context = null;
	}
}

/** What happens to the pixels of the next picture drawn, by the filter's name. */
const filters = new Map<string, (pixels: Uint8ClampedArray) => void>();

function named(name: string, filter: (pixels: Uint8ClampedArray) => void): string {
	filters.set(name, filter);
	return name;
}

/**
 * The `FilterFactory` of PDF.js: soft masks, which a document would do with SVG filters. Filters of
 * colors (transfer functions) aren't offered; a PDF with one isn't shown.
 */
export class SoftMasks {
	addFilter(maps: unknown): string {
		if (maps) throw new Error("The PDF has a transfer function.");
		return "none";
	}
	addHCMFilter(): string {
		return "none";
	}
	addHighlightHCMFilter(): string {
		return "none";
	}
	addAlphaFilter(table: Table): string {
		return named(`alpha ${table}`, (pixels) => {
			for (let at = 3; at < pixels.length; at += 4) pixels[at] = table[pixels[at] ?? 0] ?? 0;
		});
	}
	addLuminosityFilter(table: Table | null): string {
		return named(`luminosity ${table ?? ""}`, (pixels) => {
			for (let at = 0; at < pixels.length; at += 4) {
				const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
				const light = Math.round(0.3 * red + 0.59 * green + 0.11 * blue);
				pixels[at + 3] = table ? (table[light] ?? 0) : light;
			}
		});
	}
	destroy(): void {}
}

/**
 * Teaches a context those filters. PDF.js sets one right before its picture, and draws that with
 * all nine arguments.
 */
function withMasks(context: Context): Context {
	let filter = "none";
	Object.defineProperty(context, "filter", {
		get: () => filter,
		set: (name: string) => {
			filter = name;
		},
	});
	const drawImage = context.drawImage.bind(context) as (...all: unknown[]) => void;
	context.drawImage = (...all: unknown[]) => {
		const change = filters.get(filter);
		filter = "none";
		if (!change) return drawImage(...all);
		const [mask, x, y, width, height, ...place] = all as [OffscreenCanvas, ...number[]];
		const copy = new OffscreenCanvas(width ?? 0, height ?? 0);
		const pen = copy.getContext("2d", { willReadFrequently: true });
		if (!pen) throw new Error("This browser can't draw outside of a page.");
		pen.drawImage(mask, -(x ?? 0), -(y ?? 0));
		const image = pen.getImageData(0, 0, copy.width, copy.height);
		change(image.data);
		pen.putImageData(image, 0, 0);
		drawImage(copy, 0, 0, copy.width, copy.height, ...place);
	};
	return context;
}
