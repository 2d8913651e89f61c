/**
 * What the service worker knows about the fleet: the server writes it above the worker's script, so
 * any change is a new worker.
 */

/** No personal data: it is the same on every phone. */
export type Fleet = {
	/** IANA name. */
	readonly timeZone: string;
	/** Changes with every setting that the offline page shows. */
	readonly stamp: string;
};

declare const self: { readonly FLEET: Fleet };

/** The fleet's settings when this worker was fetched. */
export const FLEET: Fleet = self.FLEET;
