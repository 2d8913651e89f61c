/**
 * What the Worker entry refuses before a body is read, and the headers every answer carries
 * (docs/security.md, 'Cross-site writes', 'Request bodies' and 'Headers').
 */

import { encodeBase64 } from "@oslojs/encoding";
import { REPORTS_GROUP, REPORTS_PATH } from "./violation-reports.ts";

/**
 * Characters of path and query: more than any page of ours leads to, and so few that an answer which
 * carries the address again has a head that every proxy takes.
 */
export const LONGEST_ADDRESS = 8000;

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
 * No inline script exists, so there is no nonce; a document's one inline style is named by its hash
 * (`policyWithStyles`).
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

/** Where a document's browser reports to; older ones know only the policy's `report-uri`. */
export const REPORTING_ENDPOINTS = `${REPORTS_GROUP}="${REPORTS_PATH}"`;

/**
 * The policy of a document with these styles in it: they alone, by their hash, beside what is
 * allowed anyway. What it stops is reported.
 */
export async function policyWithStyles(styles: string): Promise<string> {
	const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(styles));
	const source = `'sha256-${encodeBase64(new Uint8Array(hash))}'`;
	const policy = CONTENT_SECURITY_POLICY.replace("style-src 'self'", `style-src 'self' ${source}`);
	return `${policy}; report-uri ${REPORTS_PATH}; report-to ${REPORTS_GROUP}`;
}

/**
 * True when a write comes from our own pages. Browsers that send `Sec-Fetch-Site` are believed
 * about it; for the others the `Origin` must be exactly ours. `Host` and `X-Forwarded-*` are never
 * consulted.
 */
export function isSameOrigin(request: Request, origin: string): boolean {
	const site = request.headers.get("Sec-Fetch-Site");
	if (site !== null && site !== "none") return site === "same-origin";
	return request.headers.get("Origin") === origin;
}

/**
 * True for a form of our own pages sent by a browser that knows neither `Sec-Fetch-Site` nor
 * `Origin`, as text browsers don't: its `Referer` has to name one of our pages, which no page of
 * another site can make a browser say.
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
 * True when a report may come from a browser on one of our pages: Chromium sends it outside of any
 * page and names neither site nor origin, but what names another is another's.
 */
export function mayReport({ headers }: Request, origin: string): boolean {
	const site = headers.get("Sec-Fetch-Site") ?? "none";
	const from = headers.get("Origin") ?? origin;
	return (site === "same-origin" || site === "none") && from === origin;
}

/**
 * True when a browser fetches a page that nobody has asked for yet; older ones say so in headers of
 * their own.
 */
export function isSpeculative({ headers }: Request): boolean {
	return ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].some((name) =>
		/\b(prefetch|prerender|preview)\b/i.test(headers.get(name) ?? ""),
	);
}

/**
 * True when it is shown that no other site began a visit: it began on one of our own pages, or the
 * person typed the URL or chose a bookmark. A browser that doesn't say so has to name our page as
 * the one it comes from.
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
/** True for a form that can carry files. */
export const isMultipart = (contentType: string | null) =>
	mediaTypeOf(contentType) === "multipart/form-data";

const isFormType = (type: string) =>
	type === "application/x-www-form-urlencoded" || type === "multipart/form-data";
/** True for a form, sent either way. */
export const isForm = (contentType: string | null) => isFormType(mediaTypeOf(contentType));

/**
 * True when a body's media type is one its route takes: forms for pages, JSON for calls; without a
 * body no type is needed.
 */
export function isAcceptedType(
	contentType: string | null,
	kind: "page" | "api",
	size: number,
): boolean {
	const type = mediaTypeOf(contentType);
	if (size === 0 && type === "") return true;
	return kind === "page"
		? isFormType(type) || size === 0
		: type === "application/json" || (size === 0 && type === "");
}
