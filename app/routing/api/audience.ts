/** Who a call of the API is for, by the permission matrix. */
import { PRINCIPALS, type Verdict, verdictFor } from "../permissions.ts";
import type { Method, RouteRule } from "../routes.ts";

const REFUSED: Readonly<Partial<Record<Verdict, number>>> = {
	unauthorized: 401,
	forbidden: 403,
	"not-found": 404,
};

/** Who a call answers, and what it answers everyone else. */
export function audienceOf(rule: RouteRule, method: Method) {
	const audience = rule.methods[method];
	const verdicts = audience
		? PRINCIPALS.map((each) => [each, verdictFor(audience, each)] as const)
		: [];
	const admitted = verdicts.flatMap(([each, verdict]) => (verdict === "allow" ? [each] : []));
	const who = admitted.includes("visitor")
		? "Anyone"
		: admitted.includes("none")
			? "Anyone who is signed in"
			: admitted.includes("incomplete")
				? "Applicants and administrators"
				: [
						...(admitted.includes("viewer")
							? ["Administrators and accountants"]
							: admitted.includes("admin")
								? ["Administrators"]
								: []),
						...(admitted.includes("driver") ? ["drivers, their own rows only"] : []),
					].join(", and ");
	return {
		who: who.charAt(0).toUpperCase() + who.slice(1),
		isOpen: admitted.includes("visitor"),
		scopes: admitted.flatMap((each) => (each.endsWith("Token") ? each.replace("Token", "") : [])),
		statuses: verdicts.flatMap(([, verdict]) => REFUSED[verdict] ?? []),
	};
}
