/**
 * GET /speculation-rules.json: which links a browser may prefetch when a finger or pointer is on
 * them (docs/decisions/0057).
 */

/** A driver's own pages without a query: they read little, leave no trace and change nothing. */
const PAGES = ["/", "/mileage", "/requests", "/history"];

export function loader() {
	const rules = {
		prefetch: [{ where: { href_matches: PAGES }, eagerness: "moderate" }],
	};
	return new Response(JSON.stringify(rules), {
		headers: {
			"Content-Type": "application/speculationrules+json",
			"Cache-Control": "public, max-age=86400",
		},
	});
}
