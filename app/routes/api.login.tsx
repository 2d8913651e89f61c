/**
 * GET /api/login: goes to the only provider, or shows a page of links to several; locally the local
 * sign-in.
 */

import {
	type ActionFunctionArgs,
	json,
	type LoaderFunctionArgs,
	redirect,
} from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { describeDevice } from "../auth/device.ts";
import { currentPrincipal } from "../auth/guard.server.ts";
import {
	type LocalSignInProps,
	localIdentity,
	localScreen,
} from "../auth/local-sign-in/handlers.server.ts";
import { sessionCookie } from "../auth/session.server.ts";
import { signIn } from "../auth/sign-in.server.ts";
import { isWrong } from "../env.server.ts";
import { refusal } from "../http/refusal.ts";
import { EMAIL_TAKEN, SIGN_IN_NOT_SET_UP } from "../messages.ts";
import { safeReturnTo } from "../routing/return-to.ts";
import { LocalSignIn } from "../ui/local-sign-in.tsx";
import { ButtonLink } from "../ui/primitives/button.tsx";
import { Standalone } from "../ui/standalone.tsx";
import { useView } from "../ui/use-view.ts";

export const handle = { title: "Sign in" };

/** Locally, scripts sign in as the same few people again and again. */
const MAX_LOCAL_SESSIONS = 200;

type Links = readonly { readonly id: string; readonly name: string }[];
type Data = {
	readonly local: LocalSignInProps | undefined;
	readonly providers: Links;
	readonly returnTo: string;
	readonly isFresh: boolean;
};

export async function loader(args: LoaderFunctionArgs): Promise<Data> {
	const { context, request } = args;
	const query = new URL(request.url).searchParams;
	const returnTo = safeReturnTo(query.get("returnTo"));
	// Opened by itself, the local page is for signing in as someone else.
	const isOnItsWay = !__LOCAL_SIGN_IN__ || query.has("returnTo");
	// Asked to sign in again, which an unattended screen can't do.
	const isFresh = query.has("fresh");
	const isSignedIn = (await currentPrincipal(args)).user !== undefined;
	if (context.method !== "POST" && isSignedIn && !isFresh && isOnItsWay)
		throw redirect(returnTo, 302);
	const { providers } = context.settings;
	const chosen =
		providers.find(({ id }) => id === query.get("provider")) ??
		(providers.length === 1 && !__LOCAL_SIGN_IN__ ? providers[0] : undefined);
	if (chosen) {
		const { startOpenId } = await import("../auth/openid.server.ts");
		throw await startOpenId(context, chosen, returnTo, request, isFresh);
	}
	if (__LOCAL_SIGN_IN__)
		return { local: await localScreen(context, returnTo), providers: [], returnTo, isFresh };
	if (isWrong(context.settings, "OIDC_PROVIDERS"))
		throw refusal({ kind: "sign-in-failed", message: SIGN_IN_NOT_SET_UP }, 503);
	if (providers.length === 0)
		throw refusal(
			{
				kind: "sign-in-failed",
				message: "No sign-in provider is set up for this fleet yet. Set OIDC_PROVIDERS to add one.",
			},
			503,
		);
	return {
		local: undefined,
		providers: providers.map(({ id, name }) => ({ id, name })),
		returnTo,
		isFresh,
	};
}

export async function action(args: ActionFunctionArgs) {
	if (!__LOCAL_SIGN_IN__) throw refusal({ kind: "not-found" }, 404);
	const { context } = args;
	const typed = await localIdentity(context);
	if ("invalid" in typed) return typed.invalid;
	const outcome = await signIn(context.db, typed.identity, {
		presentedHash: context.presented?.tokenHash,
		device: describeDevice(args.request),
		maxSessions: MAX_LOCAL_SESSIONS,
		now: context.now,
		requestId: context.requestId,
	});
	if (outcome.ok)
		return redirect(typed.returnTo, {
			status: 303,
			headers: {
				"Set-Cookie": await sessionCookie(
					outcome.value.token,
					outcome.value.user,
					context.settings.isHttps,
				),
			},
		});
	if (outcome.reason === "deactivated") throw refusal({ kind: "deactivated" }, 403);
	return json({ typed: typed.identity.subject, error: EMAIL_TAKEN }, { status: 409 });
}

export default function Login() {
	const { local, providers, returnTo, isFresh } = useView<Data>();
	const refused = useActionData<{ typed: string; error: string }>();
	if (__LOCAL_SIGN_IN__ && local)
		return <LocalSignIn {...local} typed={refused?.typed} error={refused?.error} />;
	return (
		<Standalone title="Sign in" icon="road">
			<p>Choose how to sign in.</p>
			{providers.map(({ id, name }) => (
				<ButtonLink
					key={id}
					href={`/api/login?provider=${id}${isFresh ? "&fresh" : ""}&returnTo=${encodeURIComponent(returnTo)}`}
				>
					Continue with {name}
				</ButtonLink>
			))}
		</Standalone>
	);
}
