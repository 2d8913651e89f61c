/**
 * Renders a document completely, with its styles and without any inline script. It is static
 * markup, because nothing hydrates the document; inside an island a text therefore has to be one
 * expression (islands/island.tsx).
 */
import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { renderToStaticMarkup } from "react-dom/server";
import { policyWithStyles, REPORTING_ENDPOINTS } from "./http/security.server.ts";
import styles from "./styles.css?inline";
import { PageContextProvider } from "./ui/page-context.tsx";
import { describeError } from "./values/describe-error.ts";

/** The policy of every document, made by the first of them. */
let policy: Promise<string> | undefined;

export default async function handleRequest(
	request: Request,
	status: number,
	headers: Headers,
	remix: EntryContext,
	load: AppLoadContext,
): Promise<Response> {
	const page = {
		appName: load.fleetName,
		styles,
		clientEntry: remix.manifest.entry.module,
		toast: load.toast,
		requestId: load.requestId,
		timeZone: load.settings.timeZone,
		hasServiceWorker: load.settings.hasServiceWorker,
	};
	const html = renderToStaticMarkup(
		<PageContextProvider value={page}>
			<RemixServer context={remix} url={request.url} />
		</PageContextProvider>,
	);
	headers.set("Content-Type", "text/html; charset=utf-8");
	policy ??= policyWithStyles(styles);
	headers.set("Content-Security-Policy", await policy);
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
