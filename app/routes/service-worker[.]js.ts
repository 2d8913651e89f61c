/** GET /service-worker.js: the worker or, when it is switched off, one that unregisters itself. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { publicUnits } from "../auth/public-units.server.ts";
import type { Fleet } from "../offline/fleet.ts";
import { computeFingerprint } from "../values/fingerprint.ts";
import { isDefaultUnits } from "../values/fleet-units.ts";

/**
 * Replaces a worker that is to be removed: it deletes the caches and its own registration. The
 * outbox is unchanged; pages send what is in it.
 */
const FAREWELL = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
	event.waitUntil((async () => {
		for (const name of await caches.keys()) await caches.delete(name);
		await self.registration.unregister();
	})());
});
`;

export async function loader({ context }: LoaderFunctionArgs) {
	const { appName, timeZone, hasServiceWorker } = context.settings;
	const units = await publicUnits(context);
	const { currency, distanceUnit } = units;
	const shown = isDefaultUnits(units) ? [] : [currency, distanceUnit];
	const fleet: Fleet = {
		timeZone,
		stamp: (await computeFingerprint([appName, timeZone, ...shown])).slice(0, 8),
	};
	const { SCRIPT } = await import("../http/service-worker-script.ts");
	return new Response(
		hasServiceWorker ? `self.FLEET=${JSON.stringify(fleet)};\n${SCRIPT}` : FAREWELL,
		{
			headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" },
		},
	);
}
