/**
 * Checks every request before Remix sees it: the route table, the same-origin rule and the size of
 * its body. Only a large body makes it ask the database.
 */
import { healthAnswer } from "../auth/health-answer.server.ts";
import { columnOf } from "../auth/principal.server.ts";
import { proofOf } from "../auth/proof.server.ts";
import type { RequestContext } from "../auth/request-context.ts";
import { type Env, parseSettings, type SettingFault, SettingsError } from "../env.server.ts";
import {
	BODY_LIMIT,
	BodyReader,
	FILE_BODY_LIMIT,
	FORM_DRAIN_LIMIT,
	readBodyWithin,
} from "../http/body.server.ts";
import {
	emptyForm,
	FIELD_LIMIT,
	type FormLimits,
	parseFormBody,
	TEXT_LIMIT,
} from "../http/form-body.server.ts";
import { renderPlainPage } from "../http/plain-page.ts";
import { isOverTransferLimit, LIMIT_PERIOD } from "../http/rate-limit.server.ts";
import { apiRefusal } from "../http/refusal.ts";
import {
	isAcceptedType,
	isForm,
	isFormFromOurPages,
	isMultipart,
	isSameOrigin,
	isSpeculative,
	MAX_URL_LENGTH,
	mayReport,
} from "../http/security.server.ts";
import { isReportType, REPORTS_LIMIT } from "../http/violation-reports.ts";
import { TOO_MANY_STATEMENTS } from "../messages.ts";
import { maxLengthFor, ROWS_FIELD_LIMIT } from "../routing/field-limits.ts";
import { allowedMethods, findRule, type RouteRule, verdictForMethod } from "../routing/routes.ts";
import { receiveStatement } from "./receive-statement.ts";
import { createContext, type IncomingRequest, type SentBody } from "./request-context.ts";

const NO_SUCH_PAGE = "This page doesn't exist.";

/**
 * Refuses what no parser or database should see; otherwise returns the request and context for
 * Remix.
 */
export async function checkRequest(
	arrival: IncomingRequest,
): Promise<Response | { request: Request; context: RequestContext }> {
	const { request, env, requestId } = arrival;
	const { method } = request;
	const url = new URL(request.url);
	const rule = findRule(url.pathname);
	const refuse = (
		status: number,
		title: string,
		sentence: string,
		headers: Record<string, string> = {},
	) =>
		rule.kind === "api"
			? apiRefusal(status, sentence, undefined, headers)
			: renderPlainPage(status, title, sentence, requestId, headers);

	if (url.pathname.length + url.search.length > MAX_URL_LENGTH)
		return refuse(414, "Link too long", "This link is too long.");
	if (
		url.searchParams.has("_data") ||
		url.pathname.endsWith(".data") ||
		url.pathname === "/__manifest"
	)
		return refuse(404, "404 Page Not Found", NO_SUCH_PAGE);
	const bare = url.pathname.replace(/(.)\/$/, "$1");
	if (bare !== url.pathname && findRule(bare).path === bare)
		return new Response(null, { status: 308, headers: { Location: bare + url.search } });
	const allowed = allowedMethods(rule);
	if (!allowed.includes(method))
		return refuse(405, "Method not allowed", "This URL doesn't support that method.", {
			Allow: allowed.join(", "),
		});

	if (rule.noPrefetch && isSpeculative(request))
		return refuse(403, "Prefetch not allowed", "This page can't be prefetched.");

	const missing = essentialFaults(env);
	// Monitors are told even if nothing else can be answered.
	if (missing && rule.path === "/healthz") return healthAnswer(env, false, missing, arrival.now);
	const sent: SentBody = {
		form: { ...emptyForm(), isSenderKnown: false },
		bytes: new Uint8Array(0),
		upload: undefined,
	};
	const context = await createContext(arrival, rule, sent);
	if (method !== "GET" && method !== "HEAD") {
		if (!mayWrite(request, context, parseSettings(env).origin))
			return refuse(
				403,
				"Request blocked",
				"This request didn't come from one of our pages, so it was blocked.",
			);
		const contentType = request.headers.get("Content-Type");
		if (isForm(contentType) && takesForms(rule, contentType)) {
			const read = await readForm(request, context);
			if (!read)
				return refuse(429, "Too many statements", TOO_MANY_STATEMENTS, {
					"Retry-After": LIMIT_PERIOD,
				});
			Object.assign(sent, read);
			if (sent.form.fault === "too-many-fields")
				return refuse(400, "Too many fields", "This form has too many fields.");
		} else {
			const limit = rule.takesReports ? REPORTS_LIMIT : BODY_LIMIT;
			const bytes = await readBodyWithin(request, limit);
			if (!bytes)
				return refuse(
					413,
					"Request too large",
					`Requests are limited to ${limit / 1024} KB. Nothing was saved.`,
				);
			const isAccepted = rule.takesReports
				? isReportType(contentType)
				: isAcceptedType(contentType, rule.kind, bytes.byteLength);
			if (!isAccepted) return refuse(415, "Unsupported form", unsupportedMessage(rule));
			sent.bytes = bytes;
		}
	}
	return { request: toRemixRequest(request, rule), context };
}

/** The wrong settings without which nothing can be answered. */
function essentialFaults(env: Env): readonly SettingFault[] | undefined {
	try {
		parseSettings(env);
		return undefined;
	} catch (error) {
		if (error instanceof SettingsError) return error.faults;
		throw error;
	}
}

/** Whether a write's origin is allowed: only our own pages, unless its route says otherwise. */
function mayWrite(
	request: Request,
	{ rule, bearer }: Pick<RequestContext, "rule" | "bearer">,
	origin: string,
): boolean {
	// No browser sends a token by itself.
	if (rule.isSigned || bearer) return true;
	if (rule.takesReports) return mayReport(request, origin);
	return isSameOrigin(request, origin) || isFormFromOurPages(request, origin);
}

function unsupportedMessage(rule: RouteRule): string {
	if (rule.takesReports) return "Send a report as application/reports+json.";
	return rule.kind === "api"
		? "Send the body as application/json."
		: "This form was sent in an unsupported format.";
}

/**
 * Pages accept forms. API routes do where the table says so; those that accept a file take
 * multipart forms only.
 */
const takesForms = (rule: RouteRule, contentType: string | null) =>
	rule.kind === "page" || rule.takesForm || (rule.takesFile && isMultipart(contentType));

/**
 * Reads the posted form. Anything past 64 KB is read only where the route accepts a file and the
 * database knows the session. A statement is read only for an administrator within their limit per
 * minute; past that limit nothing is read.
 */
async function readForm(
	request: Request,
	context: RequestContext,
): Promise<Pick<SentBody, "form" | "upload"> | undefined> {
	const { rule } = context;
	const contentType = request.headers.get("Content-Type");
	const limits: FormLimits = {
		fields: rule.takesRows ? ROWS_FIELD_LIMIT : FIELD_LIMIT,
		text: TEXT_LIMIT,
		most: maxLengthFor,
	};
	const reader = new BodyReader(request);
	const beginning = await reader.first(BODY_LIMIT);
	const hasMore = beginning.isCut && rule.takesFile === true && isMultipart(contentType);
	const sender = hasMore ? await findSender(context) : undefined;
	const isSenderKnown = sender !== undefined;
	if (sender && rule.takesStatement) {
		if (await isOverTransferLimit(context.env, "statements", sender)) return undefined;
		const received = await receiveStatement(
			reader,
			contentType ?? "",
			limits,
			context.env.RECEIPTS,
		);
		await reader.drain(FORM_DRAIN_LIMIT);
		return { form: { ...received.form, isSenderKnown }, upload: received.upload };
	}
	const form = parseFormBody(
		isSenderKnown ? await reader.first(FILE_BODY_LIMIT) : beginning,
		contentType,
		limits,
	);
	await reader.drain(FORM_DRAIN_LIMIT);
	const isLeftOut = hasMore && !isSenderKnown && form.fault !== "too-many-fields";
	return {
		form: { ...form, ...(isLeftOut ? { fault: "left-out" } : {}), isSenderKnown },
		upload: undefined,
	};
}

/**
 * The user id behind a live session or token; for a statement, only if they may send one. None
 * while the database is down.
 */
async function findSender(context: RequestContext): Promise<string | undefined> {
	const { db, rule, method } = context;
	const proof = proofOf(context);
	if (!proof) return undefined;
	try {
		const { rows } = await db.batch({ rows: proof.statement });
		const principal = proof.read(rows as unknown as readonly unknown[]);
		const isAllowed = verdictForMethod(rule, method, columnOf(principal)) === "allow";
		return isAllowed || !rule.takesStatement ? principal.user?.id : undefined;
	} catch {
		return undefined;
	}
}

/**
 * The request that Remix gets. Its body is in the context, and it has none of the headers by which
 * Remix would check the origin again and fail. Remix decodes paths and ignores their case; the
 * route table does neither, so a path that isn't in the table is replaced by one that only the
 * catch-all routes match.
 */
function toRemixRequest(request: Request, rule: RouteRule): Request {
	const isRead = request.method === "GET" || request.method === "HEAD";
	const headers = isRead ? request.headers : new Headers(request.headers);
	// Remix checks the origin of writes only.
	if (!isRead)
		for (const name of ["Origin", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-For"])
			headers.delete(name);
	const address = rule.path.endsWith("*")
		? new URL(rule.path === "*" ? "/-" : "/api/-", request.url)
		: request.url;
	return new Request(address, { method: request.method, headers });
}
