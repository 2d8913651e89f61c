/**
 * Where the phone's outbox appears once its module loads (app/offline/phone.ts); never without a
 * script.
 */
import { usePageContext } from "./page-context.tsx";

/**
 * The outbox of a driver's page. @param userId '' on the offline page, which uses the phone's own
 * user
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

/** On a signed-out page: how many entries wait on this phone, without showing them. */
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
