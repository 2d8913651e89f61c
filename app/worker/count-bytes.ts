/** Tells when an answer is over and how long it was. */

/**
 * How an answer ended: sent whole, hung up on, no longer asked for (a connection can vanish without
 * a word), or broken on the way.
 */
export type StreamEnd = "sent" | "cancelled" | "stalled" | "failed";

/**
 * Milliseconds without anybody asking for the next bytes; shorter than the 30 seconds that a Worker
 * gets after its answer.
 */
const STALLED_AFTER_MS = 20_000;

/** What is told when an answer is over. */
type OnEnd = (bytes: number, end: StreamEnd, error?: unknown) => void;

/**
 * The same body, watched. Bytes pass through as they come.
 * @param onEnd called once: when the last byte was taken, or it seems that nobody takes any more
 */
export function countBytes(
	body: ReadableStream<Uint8Array>,
	onEnd: OnEnd,
	stalledAfter?: number,
): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	const next = async () => (await reader.read()).value;
	return watched({ next, stop: (reason) => reader.cancel(reason) }, onEnd, stalledAfter);
}

/**
 * The same for a body that is in memory as a whole: it goes out in one piece, without a stream
 * behind the stream, which takes longer than a page's HTML.
 */
export function countWhole(
	bytes: Uint8Array,
	onEnd: OnEnd,
	stalledAfter?: number,
): ReadableStream<Uint8Array> {
	let rest: Uint8Array | undefined = bytes.byteLength > 0 ? bytes : undefined;
	const next = () => {
		const piece = rest;
		rest = undefined;
		return piece;
	};
	return watched({ next, stop: () => undefined }, onEnd, stalledAfter);
}

type Source = {
	/** The next bytes; undefined after the last. */
	readonly next: () => Promise<Uint8Array | undefined> | Uint8Array | undefined;
	readonly stop: (reason: unknown) => Promise<void> | undefined;
};

function watched(
	{ next, stop }: Source,
	onEnd: OnEnd,
	stalledAfter = STALLED_AFTER_MS,
): ReadableStream<Uint8Array> {
	let bytes = 0;
	let hasEnded = false;
	let waiting: ReturnType<typeof setTimeout> | undefined;
	const end = (how: StreamEnd, error?: unknown) => {
		clearTimeout(waiting);
		if (!hasEnded) onEnd(bytes, how, error);
		hasEnded = true;
	};
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			clearTimeout(waiting);
			try {
				const piece = await next();
				if (!piece) {
					end("sent");
					controller.close();
					return;
				}
				bytes += piece.byteLength;
				waiting = setTimeout(() => end("stalled"), stalledAfter);
				controller.enqueue(piece);
			} catch (error) {
				end("failed", error);
				controller.error(error);
			}
		},
		async cancel(reason) {
			end("cancelled");
			await stop(reason);
		},
	});
}
