/** Whose portal a screen belongs to, and the counts that its navigation shows. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { SQL } from "drizzle-orm";
import { selectQuestionsFor, selectWaiting } from "../domain/reminders/waiting.server.ts";
import { hintOf } from "./proof.server.ts";
import type { RequestContext } from "./request-context.ts";

type Args = LoaderFunctionArgs | ActionFunctionArgs;

/** Whose portal it is; administrators and accountants share one. */
export type Portal = "admin" | "driver";

/** Whether it is a screen, which shows people what needs their attention. */
export const isScreen = ({ context: { rule }, request }: Args) =>
	request.method === "GET" && rule.kind === "page" && !rule.isFile;

/**
 * Whose screen it is, as far as that is known yet: for screens of both portals, by the cookie's
 * hint.
 */
export const likelyPortal = (context: RequestContext): Portal => {
	const { GET } = context.rule.methods;
	return GET === "adminPage" || GET === "readerPage" ? "admin" : hintOf(context);
};

export const selectWaitingOf = (portal: Portal, { me }: { readonly me: SQL<string> }) =>
	portal === "admin" ? selectWaiting() : selectQuestionsFor(me);
