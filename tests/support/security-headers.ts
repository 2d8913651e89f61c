/**
 * The headers that every response must have, and what no page may contain (docs/security.md,
 * 'Headers').
 */
import { createHash } from "node:crypto";
import type { Answer } from "./worker.ts";

/** Copied from docs/security.md, not from the code. */
const HEADERS: Readonly<Record<string, string>> = {
	"Strict-Transport-Security": "max-age=63072000; includeSubDomains",
	"X-Content-Type-Options": "nosniff",
	"Referrer-Policy": "strict-origin-when-cross-origin",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"X-Frame-Options": "DENY",
	"Content-Security-Policy":
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64");

/** The faults in a response's headers and HTML; empty if there are none. */
export function faultsOf(answer: Answer): string[] {
	const policy = answer.headers.get("Content-Security-Policy") ?? "";
	// A document's policy allows its own styles in addition to what all responses allow.
	const isDocument = answer.styles !== "";
	const others = policy
		.replace(` 'sha256-${sha256(answer.styles)}'`, "")
		.replace(isDocument ? "; report-uri /api/csp-reports; report-to csp" : "", "");
	const faults = Object.entries(HEADERS)
		.filter(([name, value]) =>
			name === "Content-Security-Policy" ? others !== value : answer.headers.get(name) !== value,
		)
		.map(([name]) => `${name}: ${answer.headers.get(name)}`);
	const endpoints = answer.headers.get("Reporting-Endpoints");
	if (endpoints !== (isDocument ? 'csp="/api/csp-reports"' : null))
		faults.push(`Reporting-Endpoints: ${endpoints}`);
	if (!answer.headers.get("Permissions-Policy")?.includes("geolocation=()"))
		faults.push("no Permissions-Policy");
	for (const name of [
		"X-Powered-By",
		"Server",
		"X-Remix-Catch",
		"X-Remix-Response",
		"X-Remix-Error",
	])
		if (answer.headers.has(name)) faults.push(`reveals ${name}`);
	if (answer.headers.get("Content-Type")?.startsWith("text/html"))
		faults.push(...inlineIn(answer.text));
	return faults;
}

/** Finds inline scripts, styles other than the document's own, and inline event handlers. */
function inlineIn(html: string): string[] {
	const faults: string[] = [];
	for (const [whole, attributes = "", content = ""] of html.matchAll(
		/<script\b([^>]*)>([\s\S]*?)<\/script>/gi,
	))
		if (!/\bsrc="\/assets\//.test(attributes) || content.trim() !== "")
			faults.push(whole.slice(0, 80));
	if (/<style\b/i.test(html)) faults.push("<style>");
	for (const [tag] of html.matchAll(/<[a-z][^>]*>/gi)) {
		const bare = tag.replace(/"[^"]*"|'[^']*'/g, '""');
		if (/\sstyle=/i.test(bare) || /\son[a-z]+=/i.test(bare)) faults.push(tag.slice(0, 80));
		if (/(href|src|action)="\s*(javascript|data|vbscript):/i.test(tag))
			faults.push(tag.slice(0, 80));
	}
	if (/__remixContext|__remixManifest|__remixRouteModules/.test(html))
		faults.push("contains the framework's data");
	return faults;
}
