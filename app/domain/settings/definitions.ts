/**
 * The fleet's settings: what each may be, and its default. An administrator changes them on
 * `/settings`; what they set wins over the default.
 *
 * To read one on a page, put `selectSettings` (queries.server.ts) into the page's own batch and give
 * its rows to `toFleetSettings`:
 *
 *     const { admin, settings } = await requireAdmin(args, ({ build }) => ({
 *     	settings: selectSettings(build),
 *     }));
 *     const { accountCode, taxType } = toFleetSettings(settings);
 *
 * A setting that wins over a variable of the environment is given the variable as its default:
 * `toFleetSettings(settings, { fleetName: context.settings.appName })`.
 *
 * To add one: a line here, a field in a form of input.ts and fields.ts, and the control on the
 * screen, app/routes/_admin.settings. It needs no migration.
 */
import * as v from "valibot";
import { RETENTION_YEARS } from "../personal-data/retention.ts";

const fleetSettings = v.object({
	/** Remind drivers who have logged no miles for three working days. */
	remindOfMiles: v.fallback(v.boolean(), false),
	/** Remind drivers whose pending request has had no receipt for a day. */
	remindOfReceipts: v.fallback(v.boolean(), true),
	/** Send administrators a digest on Mondays at 7:00 of the fleet. */
	weeklyDigest: v.fallback(v.boolean(), true),
	/**
	 * The account of a payout's lines in the files for accounting programs, as the program has it.
	 * The default is 'Motor Vehicle Expenses' in Xero's standard chart of accounts.
	 */
	accountCode: v.fallback(v.string(), "449"),
	/** The tax rate of those lines, as the program has it; '' leaves it out. */
	taxType: v.fallback(v.string(), "Tax Exempt (0%)"),
	/** The overview no longer lists what is still to be set up. */
	setupDismissed: v.fallback(v.boolean(), false),
	/**
	 * How many years a driver must have been inactive before they can be pseudonymized: as long as
	 * business records usually have to be kept.
	 */
	keepDriverYears: v.fallback(v.number(), RETENTION_YEARS.byDefault),
});

export type FleetSettings = v.InferOutput<typeof fleetSettings>;
export type SettingName = keyof FleetSettings;

/** What counts while nobody has set anything. */
export const DEFAULT_SETTINGS: FleetSettings = v.parse(fleetSettings, {});

/**
 * The settings in force.
 * @param rows of `selectSettings`
 * @param defaults of settings that have a variable of the environment
 */
export function toFleetSettings(
	rows: readonly { readonly chosen: string }[],
	defaults: Partial<FleetSettings> = {},
): FleetSettings {
	const chosen: unknown = JSON.parse(rows[0]?.chosen ?? "{}");
	return v.parse(fleetSettings, { ...DEFAULT_SETTINGS, ...defaults, ...Object(chosen) });
}
