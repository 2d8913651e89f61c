/** GET /api/openapi.json: what the API takes and answers, as OpenAPI 3.1. */
import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";

export async function loader({ context: { settings } }: LoaderFunctionArgs) {
	// Few requests need it, so it isn't loaded when the Worker starts.
	const { describeApi } = await import("../routing/api/document.ts");
	return json(describeApi(settings.appName, settings.origin));
}
