/** How the guard refuses: with a screen, JSON or a plain page, depending on the route. */
import { renderPlainPage } from "../http/plain-page.ts";
import { LIMIT_PERIOD } from "../http/rate-limit.server.ts";
import { apiRefusal, type GatedDriver, type GateRefusal, refusal } from "../http/refusal.ts";
import { failureToast } from "../messages.ts";
import type { Verdict } from "../routing/permissions.ts";
import { dateIn } from "../values/calendar-date.ts";
import type { Principal } from "./principal.server.ts";
import { refuseFile } from "./refuse-file.ts";
import { typedValues } from "./refused-form.server.ts";
import type { RequestContext } from "./request-context.ts";

/** The 503 when a database or the file store is down; a page keeps what was typed. */
export async function unavailable(
	context: RequestContext,
	error: Error,
	words?: string,
): Promise<Response> {
	const message = words ?? (await import("./unavailable-words.ts")).unavailableWords(context);
	console.error(
		JSON.stringify({
			level: "error",
			requestId: context.requestId,
			unavailable: error.message.slice(0, 256),
		}),
	);
	context.reportFault(error);
	const retry = { "Retry-After": "10" };
	if (context.rule.kind === "api") return apiRefusal(503, message, undefined, retry);
	if (context.rule.isFile)
		return renderPlainPage(503, "Temporarily unavailable", message, context.requestId, retry);
	const { typed } = typedValues(context);
	const intent = typed?.fields.find(([name]) => name === "intent")?.[1] ?? "";
	const toast = typed ? failureToast(context.rule.path, intent) : undefined;
	return refusal(
		{ kind: "unavailable", message, ...(typed ? { typed } : {}), ...(toast ? { toast } : {}) },
		503,
		retry,
	);
}

/** The 429 for someone who has changed or downloaded too much in an hour; keeps what was typed. */
export function tooMany(context: RequestContext): Response {
	const message = "You've made too many changes in the last hour. Please try again later.";
	const retry = { "Retry-After": "600" };
	if (context.rule.kind === "api") return apiRefusal(429, message, undefined, retry);
	if (context.rule.isFile)
		return renderPlainPage(429, "Too many files", message, context.requestId, retry);
	return refusal({ kind: "unavailable", message, ...typedValues(context) }, 429, retry);
}

/** The 429 for a token that was used too often in a minute. */
export const tooManyCalls = (): Response =>
	apiRefusal(
		429,
		"Too many requests with this token in the last minute. Please try again in a minute.",
		undefined,
		{ "Retry-After": LIMIT_PERIOD },
	);

/** The answer to someone the matrix doesn't admit. */
export async function refuse(
	context: RequestContext,
	verdict: Exclude<Verdict, "allow">,
	principal: Principal,
): Promise<Response> {
	if (context.bearer && (verdict === "unauthorized" || verdict === "sign-in"))
		return apiRefusal(401, "Unauthorized", undefined, { "WWW-Authenticate": "Bearer" });
	if (context.rule.kind === "api" || context.bearer) {
		if (verdict === "unauthorized") return apiRefusal(401, "Unauthorized");
		if (verdict === "not-found") return apiRefusal(404, "Not found");
		return apiRefusal(403, "Forbidden");
	}
	if (context.rule.isFile) return refuseFile(context, verdict, principal.isDeactivated);
	switch (verdict) {
		case "sign-in": {
			const typed = typedValues(context);
			if (principal.isDeactivated) return refusal({ kind: "deactivated", ...typed }, 401);
			return refusal({ kind: "sign-in", returnTo: context.address, ...typed }, 401);
		}
		case "gate":
			return gateRefusal(
				context,
				principal,
				context.method === "GET" || context.method === "HEAD" ? 200 : 403,
			);
		case "access-denied":
			return refusal({ kind: "access-denied", viewer: deniedPerson(principal) }, 403);
		case "not-found":
			return refusal({ kind: "not-found", hasNoRole: principal.kind === "none" }, 404);
		default:
			return refusal({ kind: "forbidden", message: "You don't have access to this." }, 403);
	}
}

/** The driver or accountant who is denied an administrator's page. */
function deniedPerson({ user, kind }: Principal) {
	if (!user || (kind !== "driver" && kind !== "viewer"))
		throw new Error("only drivers and accountants are denied access to a page");
	const { id, firstName, lastName } = user;
	return { id, role: kind, firstName, lastName };
}

/** The gate screen of a driver who has no access yet. */
export function gateRefusal(
	context: RequestContext,
	principal: Pick<Principal, "kind" | "user">,
	status: number,
	extra: Pick<GateRefusal, "form" | "toast"> = {},
	headers?: HeadersInit,
): Response {
	const { user, kind } = principal;
	if (!user || (kind !== "incomplete" && kind !== "pending" && kind !== "rejected"))
		throw new Error("only a gated driver has a gate");
	const driver: GatedDriver = {
		id: user.id,
		gate: kind,
		firstName: user.firstName,
		lastName: user.lastName,
		email: user.email ?? user.unverifiedEmail ?? "",
		appliedOn: dateIn(context.settings.timeZone, user.appliedAt ?? user.createdAt),
	};
	return refusal({ kind: "gate", driver, ...extra }, status, headers);
}
