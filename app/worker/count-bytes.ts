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
	stalledAfter = STALLED_AFTER_MS,
): ReadableStream<Uint8Array> {
	const reader = body.getReader();
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
				const { value: piece } = await reader.read();
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
			await reader.cancel(reason);
		},
	});
}
