/**
 * The flash toast: a signed cookie set with a redirect, read by the next page and then deleted. It
 * contains a name from messages.ts, never text.
 */
import { createCookie, redirect } from "@remix-run/cloudflare";
import type { Settings } from "../env.server.ts";
import {
	NAMED_TOASTS,
	type NamedToastName,
	TOASTS,
	type Toast,
	type ToastName,
} from "../messages.ts";

/** A toast by name, with the person it names. */
export type ToastRef = ToastName | readonly [NamedToastName, string];

const toastCookie = (settings: Settings) =>
	createCookie(settings.isHttps ? "__Host-toast" : "toast", {
		secrets: [settings.cookieSecret],
		httpOnly: true,
		sameSite: "lax",
		path: "/",
		maxAge: 60,
		secure: settings.isHttps,
	});

/** The toast left by the last response, if it is genuine. */
export async function readToast(request: Request, settings: Settings): Promise<Toast | undefined> {
	const header = request.headers.get("Cookie");
	if (!header?.includes("toast=")) return undefined;
	try {
		const ref: unknown = await toastCookie(settings).parse(header);
		if (typeof ref === "string" && Object.hasOwn(TOASTS, ref)) return TOASTS[ref as ToastName];
		if (Array.isArray(ref) && Object.hasOwn(NAMED_TOASTS, ref[0]))
			return NAMED_TOASTS[ref[0] as NamedToastName](String(ref[1]));
	} catch {
		// A cookie that isn't ours is no toast.
	}
	return undefined;
}

/** The `Set-Cookie` value that deletes a shown toast. */
export function clearToastCookie(settings: Settings): Promise<string> {
	return toastCookie(settings).serialize("", { maxAge: 0 });
}

/**
 * 303 to one of our pages, with a toast.
 * @param path relative path, with query and fragment
 */
export async function seeOther(
	path: string,
	settings: Settings,
	toast?: ToastRef,
): Promise<Response> {
	return redirect(path, {
		status: 303,
		...(toast ? { headers: { "Set-Cookie": await toastCookie(settings).serialize(toast) } } : {}),
	});
}
