/** Responses that are file downloads. */

/** A stream that reads the next piece on demand. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { done, value } = await pieces.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			await pieces.return(undefined);
		},
	});
}

/**
 * A file as a download; pieces are streamed, so that a file of any length is never in memory as a
 * whole.
 * @param fileName letters, digits, dots and hyphens
 */
export function download(
	fileName: string,
	{
		mediaType,
		content,
	}: { readonly mediaType: string; readonly content: Uint8Array | AsyncGenerator<Uint8Array> },
): Response {
	const headers = {
		"Content-Type": mediaType,
		"Content-Disposition": `attachment; filename="${fileName}"`,
	};
	return new Response(
		content instanceof Uint8Array ? (content as Uint8Array<ArrayBuffer>) : streamOf(content),
		{ headers },
	);
}
