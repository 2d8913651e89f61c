/** GET /api/callback: checks a provider's answer and starts a session. */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { describeDevice } from "../auth/device.ts";
import { sessionCookie } from "../auth/session.server.ts";
import { signIn } from "../auth/sign-in.server.ts";
import { isWrong } from "../env.server.ts";
import { refusal } from "../http/refusal.ts";
import { EMAIL_TAKEN, SIGN_IN_NOT_SET_UP } from "../messages.ts";

export async function loader({ context, request }: LoaderFunctionArgs) {
	if (isWrong(context.settings, "OIDC_PROVIDERS"))
		throw refusal({ kind: "sign-in-failed", message: SIGN_IN_NOT_SET_UP }, 503);
	// Loaded on demand: few requests sign anyone in.
	const { clearAttemptCookie, finishOpenId } = await import("../auth/openid.server.ts");
	const { identity, returnTo } = await finishOpenId(context, request);
	const outcome = await signIn(context.db, identity, {
		presentedHash: context.presented?.tokenHash,
		device: describeDevice(request),
		now: context.now,
		requestId: context.requestId,
	});
	const headers = new Headers({ "Set-Cookie": await clearAttemptCookie(context.settings) });
	if (outcome.ok) {
		headers.append(
			"Set-Cookie",
			await sessionCookie(outcome.value.token, outcome.value.user, context.settings.isHttps),
		);
		throw redirect(returnTo, { status: 303, headers });
	}
	if (outcome.reason === "deactivated") throw refusal({ kind: "deactivated" }, 403, headers);
	throw refusal({ kind: "sign-in-failed", message: EMAIL_TAKEN }, 403, headers);
}

export default function Callback() {
	return null;
}
