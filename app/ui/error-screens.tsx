/** The screen of every refusal and error, shown by the boundary in root.tsx. */
import { isRouteErrorResponse } from "@remix-run/react";
import type { Refusal, TypedForm } from "../http/refusal.ts";
import { TOASTS, UNAVAILABLE } from "../messages.ts";
import { Gate } from "./gate-screens.tsx";
import { Landing, SignInNeeded } from "./landing.tsx";
import { usePageContext } from "./page-context.tsx";
import { Alert } from "./primitives/alert.tsx";
import { ButtonLink } from "./primitives/button.tsx";
import { Card } from "./primitives/card.tsx";
import { ResendForm } from "./resend-form.tsx";
import { EmptyPortal, SignOut } from "./shell.tsx";
import { SignInLink } from "./sign-in-link.tsx";
import { Standalone } from "./standalone.tsx";
import { hasTyped } from "./typed-fields.ts";

/** The refusal that was thrown; Remix's own 404 counts as one. */
export function toRefusal(error: unknown): Refusal | undefined {
	if (!isRouteErrorResponse(error)) return undefined;
	const data: unknown = error.data;
	if (typeof data === "object" && data !== null && "kind" in data) return data as Refusal;
	return error.status === 404 ? { kind: "not-found" } : undefined;
}

/** The form of a refused post, if something was typed into it. */
export const keptForm = ({ typed }: { typed?: TypedForm }): TypedForm | undefined =>
	typed && hasTyped(typed) ? typed : undefined;

const TITLES: Readonly<Record<Refusal["kind"], string>> = {
	"sign-in": "Sign in",
	deactivated: "Account deactivated",
	gate: "Your application",
	"access-denied": "Access Denied",
	forbidden: "Not allowed",
	"not-found": "404 Page Not Found",
	"bad-request": "That didn't work",
	unavailable: "Temporarily unavailable",
	"sign-in-failed": "Sign-in failed",
};

const ERROR_TITLE = "Something went wrong";

/** The document's title for an error. */
export function errorTitle(error: unknown): string {
	const refusal = toRefusal(error);
	if (refusal?.kind === "gate")
		return {
			incomplete: "Complete Your Profile",
			pending: "Application Under Review",
			rejected: "Application Not Approved",
		}[refusal.driver.gate];
	return refusal ? TITLES[refusal.kind] : ERROR_TITLE;
}

export function RefusalScreen({ error }: { error: unknown }) {
	const refusal = toRefusal(error);
	if (!refusal) return <Unexpected />;
	switch (refusal.kind) {
		case "sign-in":
			return <SignInNeeded returnTo={refusal.returnTo} typed={keptForm(refusal)} />;
		case "deactivated":
			return keptForm(refusal) ? (
				<SignInNeeded returnTo="/" typed={refusal.typed} isDeactivated />
			) : (
				<Landing isDeactivated />
			);
		case "gate":
			return <Gate driver={refusal.driver} form={refusal.form} toast={refusal.toast} />;
		case "access-denied":
			return <EmptyPortal viewer={refusal.viewer} toast={TOASTS.accessDenied} />;
		case "not-found":
			return (
				<Standalone title={TITLES["not-found"]} icon="cross">
					<p>This page doesn't exist.</p>
					{refusal.hasNoRole ? (
						<SignOut variant="gate" />
					) : (
						<ButtonLink href="/">Go to home page</ButtonLink>
					)}
				</Standalone>
			);
		case "forbidden":
		case "bad-request":
			return (
				<Standalone title={TITLES[refusal.kind]} icon="cross">
					<p>{refusal.message}</p>
					{refusal.kind === "bad-request" && refusal.typed ? (
						<Card>
							<ResendForm typed={refusal.typed} />
						</Card>
					) : null}
					<ButtonLink href="/" variant="outline">
						Go to home page
					</ButtonLink>
				</Standalone>
			);
		case "unavailable":
			return (
				<Standalone title={TITLES.unavailable} icon="clock" toast={refusal.toast}>
					<Alert variant="bad">{refusal.message ?? UNAVAILABLE}</Alert>
					{refusal.typed && refusal.typed.fields.length > 0 ? (
						<Card className="grid gap-4">
							<p>What you typed is still here. Sending it again won't save it twice.</p>
							<ResendForm typed={refusal.typed} />
						</Card>
					) : (
						<ButtonLink href="/" variant="outline">
							Try the home page
						</ButtonLink>
					)}
				</Standalone>
			);
		case "sign-in-failed":
			return (
				<Standalone title={TITLES["sign-in-failed"]} icon="cross">
					<p>{refusal.message}</p>
					<SignInLink href="/api/login" />
				</Standalone>
			);
	}
}

function Unexpected() {
	const { requestId } = usePageContext();
	return (
		<Standalone title={ERROR_TITLE} icon="cross">
			<p>This wasn't your fault. Please try again in a moment.</p>
			<p className="text-sm text-quiet">
				If it happens again, give your fleet administrator this reference: {requestId}
			</p>
			<ButtonLink href="/">Go to home page</ButtonLink>
		</Standalone>
	);
}
