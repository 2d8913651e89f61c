/** One of our screens as the answer to a post at another address: a form that downloads a file has no page of its own to come back on. */
import type { RequestHandler } from "@remix-run/cloudflare";
import { ruleOf } from "../auth/permissions.ts";
import type { Toast } from "../messages.ts";
import type { RequestContext } from "./context.server.ts";

/** Renders what a GET of an address of ours would, for the same person and with this toast. */
export type RenderScreen = (address: string, toast: Toast) => Promise<Response>;

/** @param outer the context of the request that is answered */
export function screensOf(handle: RequestHandler, origin: string, outer: () => RequestContext): RenderScreen {
	return async (address, toast) => {
		const url = new URL(address, origin);
		const context = { ...outer(), rule: ruleOf(url.pathname), method: "GET", address: url.pathname + url.search, toast };
		return handle(new Request(url), context);
	};
}

/** The screen of a refused form, with the status of the refusal. What keeps the screen itself from being shown is answered instead. */
export async function refusedScreen(
	context: RequestContext,
	address: string,
	toast: Toast,
	status: number,
	more: Readonly<Record<string, string>> = {},
): Promise<Response> {
	const screen = await context.screen(address, toast);
	if (screen.status !== 200) return screen;
	const headers = new Headers(screen.headers);
	for (const [name, value] of Object.entries(more)) headers.set(name, value);
	return new Response(screen.body, { status, headers });
}
