/**
 * Shows the pages of a PDF. A worker draws them (pdf-drawing.ts), because it can be stopped at any
 * moment: whatever a file does, the page stays responsive and gets the memory back.
 */
import type { Drawn, Order } from "./pdf-drawing.ts";

/** How long the worker may take for a page: the first one, and then each further one. */
const PATIENCE_MS = 5000;

/**
 * All pages, or none of them, so that a part of a receipt never passes for the whole.
 * @param into the element whose contents the pages replace
 * @returns how many pages are left out
 * @throws Error if the PDF can't be shown as it is
 */
export async function drawPages(
	url: string,
	label: string,
	into: HTMLElement,
	signal: AbortSignal,
): Promise<number> {
	const answer = await fetch(url, { signal });
	if (!answer.ok) throw new Error(`the receipt answered ${answer.status}`);
	const data = await answer.arrayBuffer();
	signal.throwIfAborted();
	const width = Math.max(into.parentElement?.clientWidth ?? 0, 600) * devicePixelRatio;
	const { pages, total } = await drawn(data, width, signal);
	into.replaceChildren(
		...pages.map((bitmap, index) => {
			const canvas = document.createElement("canvas");
			canvas.width = bitmap.width;
			canvas.height = bitmap.height;
			canvas.setAttribute("role", "img");
			canvas.setAttribute("aria-label", `${label}, page ${index + 1} of ${total}`);
			canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
			bitmap.close();
			return canvas;
		}),
	);
	return total - pages.length;
}

/** The pages as the worker draws them. It is always terminated, with everything it holds. */
async function drawn(
	data: ArrayBuffer,
	width: number,
	signal: AbortSignal,
): Promise<{ pages: ImageBitmap[]; total: number }> {
	const worker = new Worker(new URL("./pdf-drawing.ts", import.meta.url), { type: "module" });
	const { port1: port, port2: far } = new MessageChannel();
	const pages: ImageBitmap[] = [];
	let clock: ReturnType<typeof setTimeout> | undefined;
	try {
		return await new Promise((resolve, reject) => {
			const wait = () => {
				clearTimeout(clock);
				clock = setTimeout(() => reject(new Error("no page in time")), PATIENCE_MS);
			};
			port.onmessage = ({ data: message }: MessageEvent<Drawn>) => {
				if ("problem" in message) return reject(new Error(message.problem));
				if ("total" in message) return resolve({ pages, total: message.total });
				// Until here the time was the connection's; from here it is the file's.
				if ("page" in message) pages.push(message.page);
				wait();
			};
			worker.onerror = () => reject(new Error("the worker failed"));
			signal.addEventListener("abort", () => reject(signal.reason), { once: true });
			const order: Order = { data, width, port: far };
			worker.postMessage(order, [data, far]);
		});
	} catch (problem) {
		for (const page of pages) page.close();
		throw problem;
	} finally {
		clearTimeout(clock);
		worker.terminate();
		port.close();
	}
}
