/** The emails' former URL. */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	await requireAdmin(args);
	throw redirect(`/email${new URL(args.request.url).search}`, 301);
}

/** Shown to nobody; without it a visitor would get no page. */
export default function Outbox() {
	return null;
}
