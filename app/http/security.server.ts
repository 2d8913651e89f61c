/**
 * What the Worker entry refuses before it reads a body, and the headers of every response
 * (docs/security.md, 'Cross-site writes', 'Request bodies' and 'Headers').
 */

import { encodeBase64 } from "@oslojs/encoding";
import { REPORTS_GROUP, REPORTS_PATH } from "./violation-reports.ts";

/**
 * The maximum length of path and query: longer than any URL of ours, and short enough that a
 * response header with the URL in it passes every proxy.
 */
export const MAX_URL_LENGTH = 8000;

/**
 * On every response, static files included (public/_headers says the same; a test compares them).
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
	"Strict-Transport-Security": "max-age=63072000; includeSubDomains",
	"X-Content-Type-Options": "nosniff",
	"Referrer-Policy": "strict-origin-when-cross-origin",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":
		"accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
	"X-Frame-Options": "DENY",
};

/**
 * There is no inline script, so there is no nonce; a document's one inline style is allowed by its
 * hash (`policyWithStyles`).
 */
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

/** Where browsers report violations; older ones only know the policy's `report-uri`. */
export const REPORTING_ENDPOINTS = `${REPORTS_GROUP}="${REPORTS_PATH}"`;

/**
 * The policy of a document with these styles: it allows them by their hash in addition to the rest,
 * and reports violations.
 */
export async function policyWithStyles(styles: string): Promise<string> {
	const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(styles));
	const source = `'sha256-${encodeBase64(new Uint8Array(hash))}'`;
	const policy = CONTENT_SECURITY_POLICY.replace("style-src 'self'", `style-src 'self' ${source}`);
	return `${policy}; report-uri ${REPORTS_PATH}; report-to ${REPORTS_GROUP}`;
}

/**
 * Whether a write comes from our own pages. Browsers that send `Sec-Fetch-Site` are trusted about
 * it; for others the `Origin` must be exactly ours. `Host` and `X-Forwarded-*` are never used.
 */
export function isSameOrigin(request: Request, origin: string): boolean {
	const site = request.headers.get("Sec-Fetch-Site");
	if (site !== null && site !== "none") return site === "same-origin";
	return request.headers.get("Origin") === origin;
}

/**
 * Whether a form comes from our own pages in a browser that sends neither `Sec-Fetch-Site` nor
 * `Origin`, such as a text browser: its `Referer` has to be one of our pages, which no other site's
 * page can make a browser send.
 */
export function isFormFromOurPages({ headers }: Request, origin: string): boolean {
	return (
		isForm(headers.get("Content-Type")) &&
		!headers.has("Sec-Fetch-Site") &&
		!headers.has("Origin") &&
		isReferredBy(headers, origin)
	);
}

/**
 * Whether a report may come from a browser on one of our pages. Chromium sends reports outside any
 * page and names neither site nor origin, but a report that names another site isn't ours.
 */
export function mayReport({ headers }: Request, origin: string): boolean {
	const site = headers.get("Sec-Fetch-Site") ?? "none";
	const from = headers.get("Origin") ?? origin;
	return (site === "same-origin" || site === "none") && from === origin;
}

/** Whether a browser is prefetching a page; older ones say so in their own headers. */
export function isSpeculative({ headers }: Request): boolean {
	return ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].some((name) =>
		/\b(prefetch|prerender|preview)\b/i.test(headers.get(name) ?? ""),
	);
}

/**
 * Whether a visit demonstrably wasn't started by another site: it started on one of our own pages,
 * or the person typed the URL or chose a bookmark. A browser that doesn't say so has to send one of
 * our pages as its referrer.
 */
export function isFromOurPages({ headers }: Request, origin: string): boolean {
	const site = headers.get("Sec-Fetch-Site");
	if (site !== null) return site === "same-origin" || site === "none";
	return isReferredBy(headers, origin);
}

function isReferredBy(headers: Headers, origin: string): boolean {
	const referrer = headers.get("Referer") ?? "";
	return referrer === origin || referrer.startsWith(`${origin}/`);
}

const mediaTypeOf = (contentType: string | null) =>
	(contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
/** Whether it is a form that can include files. */
export const isMultipart = (contentType: string | null) =>
	mediaTypeOf(contentType) === "multipart/form-data";

const isFormType = (type: string) =>
	type === "application/x-www-form-urlencoded" || type === "multipart/form-data";
/** Whether it is a form in either encoding. */
export const isForm = (contentType: string | null) => isFormType(mediaTypeOf(contentType));

/**
 * Whether a route accepts a body's media type: forms for pages, JSON for the API. Without a body no
 * type is needed, and any will do: clients name one for an empty body too.
 */
export function isAcceptedType(
	contentType: string | null,
	kind: "page" | "api",
	size: number,
): boolean {
	if (size === 0) return true;
	const type = mediaTypeOf(contentType);
	return kind === "page" ? isFormType(type) : type === "application/json";
}
