/** Reports when a response has ended and how long it was. */

/**
 * How a response ended: fully sent, cancelled by the client, stalled (a connection can vanish
 * without notice) or failed; or the request's body broke off, so nobody may be reading.
 */
export type StreamEnd = "sent" | "cancelled" | "stalled" | "failed" | "aborted";

/**
 * How long to wait for the next read. It has to be shorter than the 30 seconds a Worker may run
 * after its response.
 */
const STALLED_AFTER_MS = 20_000;

type OnEnd = (bytes: number, end: StreamEnd, error?: unknown) => void;

/**
 * Passes a body through as it comes and counts its bytes.
 * @param onEnd called once, when the last byte has been read or the reader seems to be gone
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
