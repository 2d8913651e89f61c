/**
 * The document: language, title, styles, the browser's module. No inline script, no loader data, no
 * client router.
 */
import type { HeadersFunction } from "@remix-run/cloudflare";
import { Outlet, useMatches, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { signInAddress } from "./routing/return-to.ts";
import { errorTitle, keptForm, RefusalScreen, toRefusal } from "./ui/error-screens.tsx";
import { usePageContext } from "./ui/page-context.tsx";
import { fleetUnits, isDefaultUnits } from "./values/fleet-units.ts";

/** What a route says about its document: a title, or one made from its loader's data. */
export type Handle = { readonly title?: string | ((data: unknown) => string) };

/** A document would keep only the cookies of a refusal's headers; Retry-After belongs on it too. */
export const headers: HeadersFunction = ({ errorHeaders }) => {
	const wait = errorHeaders?.get("Retry-After");
	return new Headers(wait ? { "Retry-After": wait } : undefined);
};

function useTitle(): string {
	const { appName } = usePageContext();
	const error = useRouteError();
	const leaf = useMatches().at(-1);
	if (error) return `${errorTitle(error)} · ${appName}`;
	const title = (leaf?.handle as Handle | undefined)?.title;
	const text = typeof title === "function" ? title(leaf?.data) : title;
	return text ? `${text} · ${appName}` : appName;
}

/**
 * Without a script, a visitor on a protected page is sent to sign-in by a refresh after a second
 * (docs/product.md, 'People, sign-in and gates').
 */
function MoveOn() {
	const refusal = toRefusal(useRouteError());
	if (refusal?.kind !== "sign-in" || keptForm(refusal)) return null;
	return (
		<noscript>
			<meta httpEquiv="refresh" content={`1; url=${signInAddress(refusal.returnTo)}`} />
		</noscript>
	);
}

/** What the page's script writes amounts and distances in, if it isn't dollars and miles. */
function documentUnits() {
	const { currency, distanceUnit } = fleetUnits();
	return isDefaultUnits(fleetUnits())
		? {}
		: { "data-currency": currency, "data-distance-unit": distanceUnit };
}

export function Layout({ children }: { children: ReactNode }) {
	const { clientEntry, styles } = usePageContext();
	return (
		<html lang="en" {...documentUnits()}>
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
				<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
				<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#19212b" />
				<title>{useTitle()}</title>
				{/* In the document: what can be read after one round trip waits for no second one. */}
				<style
					// biome-ignore lint/security/noDangerouslySetInnerHtml: the build's own text, named by its hash
					dangerouslySetInnerHTML={{ __html: styles }}
				/>
				<link rel="icon" href="/icon.svg" type="image/svg+xml" />
				<link rel="apple-touch-icon" href="/icon-192.png" />
				<link rel="manifest" href="/manifest.webmanifest" />
				<script type="module" src={clientEntry} />
				<MoveOn />
			</head>
			<body className="min-h-dvh bg-canvas font-sans text-base text-ink print:bg-transparent">
				{children}
			</body>
		</html>
	);
}

export default function App() {
	return <Outlet />;
}

export function ErrorBoundary() {
	return <RefusalScreen error={useRouteError()} />;
}
