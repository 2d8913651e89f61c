/** GET /service-worker.js: the worker, or, when it is switched off, one that takes itself away. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

/**
 * Replaces a worker that is to be gone: it drops the caches and its own registration. The outbox is not touched; pages send what waits there.
 */
const FAREWELL = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
	event.waitUntil((async () => {
		for (const name of await caches.keys()) await caches.delete(name);
		await self.registration.unregister();
	})());
});
`;

export function loader({ context }: LoaderFunctionArgs) {
	return new Response(context.settings.hasServiceWorker ? __SERVICE_WORKER__ : FAREWELL, {
		headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" },
	});
}
