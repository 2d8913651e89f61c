/** The landing screen, also for visitors who must sign in first. */
import type { ReactNode } from "react";
import type { TypedForm } from "../http/refusal.ts";
import { DEACTIVATED, TOASTS } from "../messages.ts";
import { signInAddress } from "../routing/return-to.ts";
import { inUnits } from "../values/fleet-units.ts";
import { Icon, type IconName } from "./icons.tsx";
import { WaitingMark } from "./outbox-mark.tsx";
import { usePageContext } from "./page-context.tsx";
import { MILEAGE_PICTURE, Picture } from "./pictures/picture.tsx";
import { Alert } from "./primitives/alert.tsx";
import { ButtonLink } from "./primitives/button.tsx";
import { Card, CardTitle } from "./primitives/card.tsx";
import { ResendForm } from "./resend-form.tsx";
import { SignInLink } from "./sign-in-link.tsx";
import { Standalone } from "./standalone.tsx";
import { Toast } from "./toast.tsx";

const TAGLINE = "Secure access for drivers and fleet administrators";

const PROMISES: readonly (readonly [IconName, title: string, text: string])[] = [
	[
		"road",
		"Log a day in seconds",
		"Enter one odometer reading, on a page that opens in about a second on Slow 3G and works offline. One tap is one entry, even if the answer is lost.",
	],
	["camera", "Request funds with a photo", "See when a request is approved and when it's paid."],
	[
		"chart",
		"Know what every mile costs",
		"Approve, pay and report in one place. Every night the books are checked, to the cent.",
	],
];

/** Explains the product to new visitors; for everyone else, the button comes first. */
export function Landing({ isDeactivated = false }: { isDeactivated?: boolean }) {
	const { appName } = usePageContext();
	return (
		<Welcome>
			<div className="grid gap-6">
				<h1 className="flex items-center gap-3 text-[min(var(--text-lg),8vw)] font-semibold">
					<span className="grid size-11 shrink-0 place-items-center rounded-lg bg-accent text-on-accent">
						<Icon name="road" className="size-7" />
					</span>
					<span className="min-w-0">{appName}</span>
				</h1>
				<p className="text-[min(var(--text-2xl),11vw)] leading-[1.15] font-semibold text-balance">
					Fleet mileage and fund requests, without the paperwork
				</p>
				<p className="text-quiet">{TAGLINE}</p>
				<WaitingMark />
				{isDeactivated ? <Alert variant="bad">{DEACTIVATED}</Alert> : null}
				<SignInLink href="/api/login" className="min-h-12 w-full sm:w-48" />
				<ul className="grid gap-4 border-t border-line pt-6">
					{PROMISES.map(([icon, title, text]) => (
						<li key={title} className="grid grid-cols-[auto_1fr] gap-x-3">
							<span className="text-accent">
								<Icon name={icon} className="size-6" />
							</span>
							<span>
								<b className="block font-semibold">{inUnits(title)}</b>
								<span className="text-quiet">{text}</span>
							</span>
						</li>
					))}
				</ul>
			</div>
			<Picture of={MILEAGE_PICTURE} />
		</Welcome>
	);
}

// Not centered on a phone: late content would move what is already painted.
function Welcome({ children }: { children: ReactNode }) {
	const { toast } = usePageContext();
	return (
		<>
			{toast ? <Toast toast={toast} /> : null}
			<main
				id="main"
				className="mx-auto grid min-h-dvh max-w-4xl grid-cols-1 gap-10 px-4 py-10 sm:items-center md:grid-cols-[1fr_auto] md:gap-16"
			>
				{children}
			</main>
		</>
	);
}

/**
 * A visitor on a protected page: the landing screen with the toast. It goes on to sign-in by
 * itself, unless it keeps what was typed.
 */
export function SignInNeeded({
	returnTo,
	typed,
	isDeactivated = false,
}: {
	returnTo: string;
	typed?: TypedForm | undefined;
	isDeactivated?: boolean;
}) {
	const { appName } = usePageContext();
	const movesOn = !typed && !isDeactivated;
	const address = signInAddress(returnTo);
	const toast = movesOn ? TOASTS.unauthorized : TOASTS.loggedOut;
	return (
		<Standalone title={appName} icon="road" toast={isDeactivated ? undefined : toast}>
			<p className="text-lg text-quiet">{TAGLINE}</p>
			<WaitingMark />
			{isDeactivated ? <Alert variant="bad">{DEACTIVATED}</Alert> : null}
			{movesOn ? <div data-go={address} data-go-after="500" /> : null}
			{typed ? (
				<Card className="grid gap-4">
					<CardTitle>Sign in, then send again</CardTitle>
					<p>
						{isDeactivated
							? "This wasn't saved, but nothing you typed is lost. Once your administrator has reactivated your account, sign in using a new tab"
							: "You were signed out, so this wasn't saved. Nothing you typed is lost. Sign in using a new tab"}
						, then come back to this page and send it.
					</p>
					<ButtonLink href="/api/login" target="_blank" rel="noopener" variant="outline">
						Sign In (opens a new tab)
					</ButtonLink>
					<ResendForm typed={typed} />
				</Card>
			) : (
				<SignInLink href={address} className="min-h-12 w-full" />
			)}
		</Standalone>
	);
}
