/**
 * Browsers' reports of content security policy violations (docs/security.md, 'Headers'). Anyone can
 * send one, so nothing in it is trusted: it is reduced to a directive, an origin and a path of
 * ours.
 */
import * as v from "valibot";
import type { Env } from "../env.server.ts";

/** The reporting URL in the policy of every document. */
export const REPORTS_PATH = "/api/csp-reports";
/** The name of that endpoint in the policy. */
export const REPORTS_GROUP = "csp";
/**
 * The maximum size of a body of reports: Chromium sends what a page has collected in a few seconds.
 */
export const REPORTS_LIMIT = 16 * 1024;
/** Reports read per body. */
const MAX_REPORTS = 10;
/** Reports that an isolate logs per minute. */
const LINES_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/** What is kept of a report. */
export type Violation = {
	/** The directive that was violated. */
	readonly directive: string;
	/** The blocked resource's origin, or its kind: `inline`, `eval`, `data`. */
	readonly blocked: string;
	/** The page's path, without its query. */
	readonly path: string;
};

const text = v.optional(v.string(), "");
/** What Firefox and Safari send, by `report-uri`. */
const single = v.object({
	"csp-report": v.object({
		"document-uri": v.string(),
		"effective-directive": text,
		"violated-directive": text,
		"blocked-uri": text,
		"source-file": v.nullish(v.string(), ""),
	}),
});
/** What Chromium sends, by `report-to`; other types of report may be included. */
const several = v.array(v.object({ type: v.string(), body: v.unknown() }));
const body = v.object({
	documentURL: v.string(),
	effectiveDirective: text,
	blockedURL: text,
	sourceFile: v.nullish(v.string(), ""),
});

type Report = { document: string; directive: string; blocked: string; source: string };

/** The media types of reports. */
export const isReportType = (contentType: string | null): boolean =>
	/^\s*application\/(csp-report|reports\+json)\s*(;|$)/i.test(contentType ?? "");

function reportsIn(parsed: unknown): readonly Report[] | undefined {
	const one = v.safeParse(single, parsed);
	if (one.success) {
		const report = one.output["csp-report"];
		const directive = report["effective-directive"] || report["violated-directive"];
		return [
			{
				document: report["document-uri"],
				directive,
				blocked: report["blocked-uri"],
				source: report["source-file"],
			},
		];
	}
	const list = v.safeParse(several, parsed);
	if (!list.success) return undefined;
	return list.output.slice(0, MAX_REPORTS).flatMap((each) => {
		const read = each.type === "csp-violation" ? v.safeParse(body, each.body) : undefined;
		if (!read?.success) return [];
		const { documentURL, effectiveDirective, blockedURL, sourceFile } = read.output;
		return [
			{
				document: documentURL,
				directive: effectiveDirective,
				blocked: blockedURL,
				source: sourceFile,
			},
		];
	});
}

/** Extensions add their own scripts and styles to pages; blocking those isn't a fault. */
const isOfExtension = (address: string) => /^[a-z-]*(extension|webkit-masked-url)\b/i.test(address);

/** `script-src-elem` of `script-src-elem 'self'`; undefined if no directive's name. */
const nameOf = (directive: string) => /^[a-z-]{1,40}(?=\s|$)/.exec(directive)?.[0];

/** An origin, or a word: `inline`, `eval`, `data`, `blob`. */
function originOf(blocked: string): string {
	if (/^[a-z-]{1,20}$/.test(blocked)) return blocked;
	if (!URL.canParse(blocked)) return "unknown";
	const { origin, protocol } = new URL(blocked);
	return origin === "null" ? protocol.slice(0, 20).replace(":", "") : origin.slice(0, 100);
}

/**
 * What a body reports about our own pages; `undefined` if it isn't a report.
 * @param origin our own
 */
export function parseViolations(json: string, origin: string): readonly Violation[] | undefined {
	let parsed: unknown;
	try {
		parsed = JSON.parse(json);
	} catch {
		return undefined;
	}
	return reportsIn(parsed)?.flatMap(({ document, directive, blocked, source }) => {
		const name = nameOf(directive);
		if (!name || !URL.canParse(document) || isOfExtension(blocked) || isOfExtension(source))
			return [];
		const page = new URL(document);
		if (page.origin !== origin) return [];
		return [{ directive: name, blocked: originOf(blocked), path: page.pathname.slice(0, 256) }];
	});
}

/**
 * Counts the lines of one isolate: neither a page broken on every phone nor a flood of reports
 * fills the log.
 */
export class LineBudget {
	#began = Number.NEGATIVE_INFINITY;
	#used = 0;

	/** True, and takes a line, while the minute has one left. */
	take(now: number): boolean {
		if (now - this.#began >= MINUTE_MS || now < this.#began) {
			this.#began = now;
			this.#used = 0;
		}
		this.#used += 1;
		return this.#used <= LINES_PER_MINUTE;
	}
}

/**
 * Writes one data point, where a dataset is bound.
 * @param route the page's line in the route table: a path could identify a row
 */
export function countViolation(
	env: Pick<Env, "METRICS" | "CF_VERSION_METADATA">,
	route: string,
	{ directive, blocked }: Violation,
): void {
	try {
		env.METRICS?.writeDataPoint({
			indexes: ["csp"],
			blobs: [route, "CSP", directive, blocked, env.CF_VERSION_METADATA?.id ?? "local"],
		});
	} catch (error) {
		console.error(JSON.stringify({ level: "warn", metrics: String(error).slice(0, 200) }));
	}
}
