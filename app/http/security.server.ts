/** What the Worker entry refuses before anything is parsed, and the headers every answer carries (reliability.md §2.4, 2.8, 2.9). */

/** Bytes a body may have unless its route says otherwise, and fields a form may have. */
export const BODY_LIMIT = 64 * 1024;
export const FIELD_LIMIT = 50;
/** Fields of a form with a table around it: 500 ticked rows, and what says what to do with them. */
export const ROWS_FIELD_LIMIT = 510;

/** On every response, static files included (public/_headers says the same; a test compares them). */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
	"Strict-Transport-Security": "max-age=63072000; includeSubDomains",
	"X-Content-Type-Options": "nosniff",
	"Referrer-Policy": "strict-origin-when-cross-origin",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy": "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
	"X-Frame-Options": "DENY",
};

/** No inline script or style exists, so there is no nonce. */
export const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' blob:",
	"font-src 'self'",
	"connect-src 'self'",
	"manifest-src 'self'",
	"worker-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"object-src 'none'",
	"frame-ancestors 'none'",
].join("; ");

/**
 * True when a write comes from our own pages. Browsers that send `Sec-Fetch-Site` are believed about it; for the others the `Origin`
 * must be exactly ours. `Host` and `X-Forwarded-*` are never consulted.
 */
export function isSameOrigin(request: Request, origin: string): boolean {
	const site = request.headers.get("Sec-Fetch-Site");
	if (site !== null && site !== "none") return site === "same-origin";
	return request.headers.get("Origin") === origin;
}

/** Bytes the body of a route that takes a receipt may have: the largest file and its form. */
export const FILE_BODY_LIMIT = 9 * 1024 * 1024;
/** How much of a refused body is read and thrown away, so that its sender hears the answer and can use the connection again. */
export const DRAIN_LIMIT = 1024 * 1024;
/** The same of a receipt that is too large: a phone's photos and scans. */
const FILE_DRAIN_LIMIT = 64 * 1024 * 1024;

/** The beginning of a body, and whether there was more. */
export type BodyRead = { readonly bytes: Uint8Array<ArrayBuffer>; readonly isCut: boolean };

/**
 * At most `limit` bytes of a body, counted as they arrive, whatever `Content-Length` says.
 * @param drain read on so far, keeping nothing
 */
export async function readBody(request: Pick<Request, "body">, limit: number, drain = 0): Promise<BodyRead> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	const reader = request.body?.getReader();
	for (;;) {
		const part = await reader?.read();
		if (!part || part.done) break;
		if (size < limit) chunks.push(part.value.subarray(0, limit - size));
		size += part.value.byteLength;
		if (size > Math.max(drain, limit)) {
			await reader?.cancel();
			break;
		}
	}
	const bytes = new Uint8Array(Math.min(size, limit));
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, offset);
		offset += chunk.byteLength;
	}
	return { bytes, isCut: size > limit };
}

/**
 * The whole body, or `undefined` when it is larger than `limit` bytes.
 */
export async function bodyWithin(request: Pick<Request, "headers" | "body">, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
	if (Number(request.headers.get("Content-Length") ?? 0) > limit) return undefined;
	const { bytes, isCut } = await readBody(request, limit, DRAIN_LIMIT);
	return isCut ? undefined : bytes;
}

/**
 * The body of a form that may carry a file. A larger one is cut and closed, so that what was typed before the file is kept and the file
 * is seen to be too large.
 */
export async function formWithFile(request: Pick<Request, "headers" | "body">): Promise<Uint8Array<ArrayBuffer>> {
	const { bytes, isCut } = await readBody(request, FILE_BODY_LIMIT, FILE_DRAIN_LIMIT);
	const boundary = /boundary="?([^";]+)"?/i.exec(request.headers.get("Content-Type") ?? "")?.[1];
	if (!isCut || !boundary) return bytes;
	const end = new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
	const closed = new Uint8Array(bytes.byteLength + end.byteLength);
	closed.set(bytes);
	closed.set(end, bytes.byteLength);
	return closed;
}

const mediaTypeOf = (contentType: string | null) => (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
/** True for a form that can carry files. */
export const isMultipart = (contentType: string | null) => mediaTypeOf(contentType) === "multipart/form-data";

const isForm = (type: string) => type === "application/x-www-form-urlencoded" || type === "multipart/form-data";

/** True when a body's media type is one its route takes: forms for pages, JSON for calls; without a body no type is needed. */
export function isAcceptedType(contentType: string | null, kind: "page" | "call", size: number): boolean {
	const type = mediaTypeOf(contentType);
	if (size === 0 && type === "") return true;
	return kind === "page" ? isForm(type) || size === 0 : type === "application/json" || (size === 0 && type === "");
}

/**
 * True when a form's body names more fields than any form of ours has; counted without parsing it. The media type says how a body is read,
 * so it says how its fields are counted: a boundary named beside another type, or beside the real one, hides none.
 */
export function hasTooManyFields(bytes: Uint8Array<ArrayBuffer>, contentType: string | null, limit = FIELD_LIMIT): boolean {
	const text = new TextDecoder("latin1").decode(bytes);
	const count = mediaTypeOf(contentType) === "multipart/form-data" ? text.split(/content-disposition/i).length - 1 : text.split("&").length;
	return count > limit;
}
