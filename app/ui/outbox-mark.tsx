/**
 * Where the phone's outbox shows itself once its module has come (app/offline/phone.ts); without a
 * script there is none.
 */
import { usePageContext } from "./page-context.tsx";

/**
 * The outbox of a driver's page. @param userId '' on the page that knows nobody: there it is the
 * phone's own user's
 */
export function OutboxMark({ userId }: { userId: string }) {
	const { hasServiceWorker, timeZone } = usePageContext();
	return (
		<section
			hidden
			aria-label="Outbox"
			data-outbox={userId}
			data-time-zone={timeZone}
			{...(hasServiceWorker ? { "data-worker": "/service-worker.js" } : {})}
			className="print:hidden"
		/>
	);
}

/** On a page for nobody: how much waits on this phone, and nothing of what. */
export function WaitingMark() {
	return (
		<p
			hidden
			data-waiting=""
			role="status"
			className="rounded-md border-s-4 border-accent bg-accent-soft p-3"
		/>
	);
}
