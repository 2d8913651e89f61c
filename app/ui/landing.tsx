/** The landing screen, also for visitors who must sign in first. */
import type { Typed } from "../http/refusal.ts";
import { DEACTIVATED, TOASTS } from "../messages.ts";
import { WaitingMark } from "./outbox-mark.tsx";
import { usePageContext } from "./page-context.tsx";
import { Alert } from "./primitives/alert.tsx";
import { ButtonLink } from "./primitives/button.tsx";
import { Card, CardTitle } from "./primitives/card.tsx";
import { TypedAgain } from "./resend-form.tsx";
import { Standalone } from "./standalone.tsx";

const TAGLINE = "Secure access for drivers and fleet administrators";

/** The address that signs in and comes back. */
export function signInUrl(returnTo?: string): string {
	return returnTo && returnTo !== "/"
		? `/api/login?returnTo=${encodeURIComponent(returnTo)}`
		: "/api/login";
}

export function Landing({ isDeactivated = false }: { isDeactivated?: boolean }) {
	const { appName } = usePageContext();
	return (
		<Standalone title={appName} icon="road">
			<p className="text-lg text-quiet">{TAGLINE}</p>
			<WaitingMark />
			{isDeactivated ? <Alert variant="bad">{DEACTIVATED}</Alert> : null}
			<ButtonLink href="/api/login" className="min-h-12 w-full">
				Sign In
			</ButtonLink>
		</Standalone>
	);
}

/**
 * A visitor on a protected page: the landing screen with the toast. A plain visit moves on to
 * sign-in by itself; what was typed never does.
 */
export function SignInNeeded({
	returnTo,
	typed,
	isDeactivated = false,
}: {
	returnTo: string;
	typed?: Typed | undefined;
	isDeactivated?: boolean;
}) {
	const { appName } = usePageContext();
	const movesOn = !typed && !isDeactivated;
	const address = signInUrl(typed ? typed.action : returnTo);
	return (
		<Standalone title={appName} icon="road" toast={TOASTS.unauthorized}>
			<p className="text-lg text-quiet">{TAGLINE}</p>
			<WaitingMark />
			{isDeactivated ? <Alert variant="bad">{DEACTIVATED}</Alert> : null}
			{movesOn ? <div data-go={address} data-go-after="500" /> : null}
			{typed && typed.fields.length > 0 ? (
				<Card className="grid gap-4">
					<CardTitle>Sign in, then send again</CardTitle>
					<p>
						You were signed out, so this wasn't saved. Nothing you typed is lost. Sign in using a
						new tab, then come back to this page and send it.
					</p>
					<ButtonLink href="/api/login" target="_blank" rel="noopener" variant="outline">
						Sign In (opens a new tab)
					</ButtonLink>
					<TypedAgain typed={typed} button="Send again" />
				</Card>
			) : (
				<ButtonLink href={address} className="min-h-12 w-full">
					Sign In
				</ButtonLink>
			)}
		</Standalone>
	);
}
