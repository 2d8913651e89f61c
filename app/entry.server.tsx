/**
 * Renders a document completely, with its styles and without any inline script. It is static
 * markup, because nothing hydrates the document; inside an island a text therefore has to be one
 * expression (islands/island.tsx).
 */
import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { renderToStaticMarkup } from "react-dom/server";
import { policyWithStyles, REPORTING_ENDPOINTS } from "./http/security.server.ts";
import driverStyles from "./styles/drivers.css?inline";
import { PageContextProvider } from "./ui/page-context.tsx";
import { describeError } from "./values/describe-error.ts";

type Sheet = { readonly styles: string; readonly policy: string };
/** Whether it is for administrators' pages, and the sheet; filled by the first page of each kind. */
const sheets = new Map<boolean, Sheet>();

/** The styles of a page, and the policy that allows them by their hash. */
async function sheetFor(isAdministrator: boolean): Promise<Sheet> {
	const known = sheets.get(isAdministrator);
	if (known) return known;
	// On demand, because most Workers answer a driver first.
	const styles = isAdministrator
		? (await import("./styles/administrators.css?inline")).default
		: driverStyles;
	const sheet = { styles, policy: await policyWithStyles(styles) };
	sheets.set(isAdministrator, sheet);
	return sheet;
}

export default async function handleRequest(
	request: Request,
	status: number,
	headers: Headers,
	remix: EntryContext,
	load: AppLoadContext,
): Promise<Response> {
	const { styles, policy } = await sheetFor(load.isAdministrator);
	const page = {
		appName: load.fleetName,
		styles,
		clientEntry: remix.manifest.entry.module,
		toast: load.toast,
		requestId: load.requestId,
		timeZone: load.settings.timeZone,
		today: load.today,
		hasServiceWorker: load.settings.hasServiceWorker,
	};
	const html = renderToStaticMarkup(
		<PageContextProvider value={page}>
			<RemixServer context={remix} url={request.url} />
		</PageContextProvider>,
	);
	headers.set("Content-Type", "text/html; charset=utf-8");
	headers.set("Content-Security-Policy", policy);
	headers.set("Reporting-Endpoints", REPORTING_ENDPOINTS);
	headers.set("Speculation-Rules", '"/speculation-rules.json"');
	return new Response(`<!DOCTYPE html>${html}`, { status, headers });
}

/** Unexpected errors are logged once, under the request's id; the visitor sees only the id. */
export function handleError(error: unknown, { context }: { context: AppLoadContext }): void {
	const { requestId } = context;
	console.error(JSON.stringify({ level: "error", requestId, error: describeError(error) }));
	context.reportFault(error);
}
