/**
 * POST /api/csp-reports: a browser reports what the content security policy blocked on one of our
 * pages. It sends no cookie and needs none; nothing is stored, a line is logged.
 */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { apiRefusal } from "../http/refusal.ts";
import { countViolation, LineBudget, parseViolations } from "../http/violation-reports.ts";
import { findRule } from "../routing/routes.ts";

const budget = new LineBudget();

export async function action({ context }: ActionFunctionArgs) {
	const { env, settings, now, requestId } = context;
	const violations = parseViolations(context.bodyText(), settings.origin);
	if (!violations) return apiRefusal(400, "This isn't a report about the content security policy.");
	for (const violation of violations)
		if (budget.take(now)) {
			console.warn(JSON.stringify({ level: "warn", requestId, csp: violation }));
			countViolation(env, findRule(violation.path).path, violation);
		}
	return new Response(null, { status: 204 });
}
