/** Requests whose whole response must arrive in time. */

export type WholeResponse = {
	readonly status: number;
	readonly ok: boolean;
	readonly headers: Headers;
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** The bytes as UTF-8. */
	readonly text: () => string;
};

/**
 * Fetches a response with its body.
 * @param limit milliseconds for all of it
 * @throws DOMException a TimeoutError if it is late, completely or in part; otherwise what fetch throws
 */
export async function fetchWithin(
	url: string,
	init: Omit<RequestInit, "signal">,
	limit: number,
): Promise<WholeResponse> {
	// Node can lose a fetch's signal to garbage collection while the body is arriving, and the fetch
	// then waits forever. This timer ends the wait, and the connection, whatever becomes of the signal.
	const abort = new AbortController();
	let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => {
			const fault = new DOMException(`no response within ${limit} ms`, "TimeoutError");
			reject(fault);
			abort.abort(fault);
			reader?.cancel(fault).catch(() => undefined);
		}, limit);
	});
	const read = async () => {
		const { status, ok, headers, body } = await fetch(url, { ...init, signal: abort.signal });
		reader = body?.getReader();
		const parts: Uint8Array[] = [];
		for (let part = await reader?.read(); part?.value; part = await reader?.read())
			parts.push(part.value);
		const bytes = new Uint8Array(Buffer.concat(parts));
		return { status, ok, headers, bytes, text: () => new TextDecoder().decode(bytes) };
	};
	try {
		return await Promise.race([read(), late]);
	} finally {
		clearTimeout(timer);
	}
}

/** Why fetch failed; only the error's cause says so. */
export function causeOf(error: unknown): string {
	const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
	if (!(cause instanceof Error)) return "unknown reason";
	return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}
