/**
 * What is still to be set up in a fleet (docs/decisions/0062): each step is ticked off by the
 * database's or deployment's state, none by hand.
 */
import type { RequestContext } from "../../auth/request-context.ts";
import { feeCount, requestCount, type Totals } from "../../domain/analytics/rules.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { DEFAULT_SETTINGS, MONEY_THRESHOLDS } from "../../domain/kernel/fleet-settings.ts";
import { isDefaultUnits } from "../../values/fleet-units.ts";

/** A QR code: modules per side, and the path of its dark ones, one unit each. */
export type QrCode = { readonly size: number; readonly path: string };

type Facts = {
	readonly admin: Pick<AdminContext, "user" | "settings">;
	readonly settings: RequestContext["settings"];
	/** Rows of `selectSettings`. */
	readonly chosen: readonly { readonly chosen: string }[];
	/** Drivers, including invited ones and applicants. */
	readonly people: number;
	readonly ever: Totals;
};

/** The steps of a fleet; undefined if all are done or an administrator has dismissed them. */
export async function firstStepsFrom({ admin, settings, chosen, people, ever }: Facts) {
	const { fleetName, setupDismissed, targetCents, pendingAlertOver } = admin.settings;
	const { currency, distanceUnit, unitsOpen } = admin.settings;
	if (setupDismissed) return undefined;
	/** Drivers use it, so the list moves to the end. */
	const isAtWork = ever.trips > 0 || requestCount(ever) > 0;
	/** Its targets are still dollars per mile, which it doesn't use. */
	const lacksTargets = !isDefaultUnits(admin.settings) && !hasOwnTargets(chosen);
	const done = {
		name: admin.user.firstName !== "" && admin.user.lastName !== "",
		fleet: fleetName !== DEFAULT_SETTINGS.fleetName,
		drivers: people > 0,
		phones: isAtWork,
		email: settings.mail !== undefined,
		settings: chosen.length > 0 && !unitsOpen && !lacksTargets,
	};
	if (Object.values(done).every(Boolean)) return undefined;
	return {
		done,
		isAtWork,
		fleetName,
		targetCents,
		pendingAlertOver,
		currency,
		distanceUnit,
		areUnitsOpen: unitsOpen || !(isAtWork || feeCount(ever) > 0),
		lacksTargets,
		origin: settings.origin,
		firstName: admin.user.firstName,
		lastName: admin.user.lastName,
		qr: done.phones ? undefined : await qrCodeOf(settings.origin),
	};
}

export type FirstSteps = NonNullable<Awaited<ReturnType<typeof firstStepsFrom>>>;

function hasOwnTargets([row]: Facts["chosen"]): boolean {
	const own: object = JSON.parse(row?.chosen ?? "{}");
	return MONEY_THRESHOLDS.every((name) => Object.hasOwn(own, name));
}

/** The QR code of a URL, with the quiet zone that cameras need. */
async function qrCodeOf(address: string): Promise<QrCode> {
	const { encode } = await import("uqr");
	const { data, size } = encode(address, { border: 4 });
	const path = data
		.map((row, y) => {
			const bits = row.map((isDark) => (isDark ? "1" : "0")).join("");
			return [...bits.matchAll(/1+/g)]
				.map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`)
				.join("");
		})
		.join("");
	return { size, path };
}
