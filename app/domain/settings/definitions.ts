/**
 * The fleet's settings: what each may be, and its default. An administrator changes them on
 * `/settings`; what they set wins over the default.
 *
 * The guard reads them with the session, in the trip of every page and call, so whoever has been
 * admitted has them: `admin.settings.accountCode`. A task on schedule reads them itself, with
 * `selectSettings` (queries.server.ts) and `toFleetSettings`.
 *
 * To add one: a line here, a field in a form of input.ts and fields.ts, and the control on the
 * screen, app/routes/_admin.settings. It needs no migration. One that wins over a variable of the
 * environment is also a line of `FromVariables`.
 */
import * as v from "valibot";
import { RETENTION_YEARS } from "../personal-data/retention.ts";
import { MAX_MEGABYTES } from "../receipts/rules.ts";

/** Characters of the fleet's name, like the variable's. */
export const MAX_FLEET_NAME = 60;

/** The least and the most of each number: cents, percent, requests, miles, minutes, megabytes. */
export const LIMITS = {
	perMile: [1, 10_000],
	percent: [1, 99],
	requests: [0, 10_000],
	fees: [0, 100_000_000],
	tripMiles: [100, 3000],
	sameRequestMinutes: [1, 60],
	receiptMegabytes: [1, MAX_MEGABYTES],
} as const satisfies Record<string, Limits>;
export type Limits = readonly [least: number, most: number];

const wholeIn = ([least, most]: Limits) =>
	v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

const entries = {
	/** What the fleet is called. The default is the variable APP_NAME. */
	fleetName: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_FLEET_NAME)), "Milepost"),
	/** Cost per mile, in cents: under the first Excellent, under the second Good. */
	excellentUnderCents: v.optional(wholeIn(LIMITS.perMile), 85),
	goodUnderCents: v.optional(wholeIn(LIMITS.perMile), 100),
	/** The fleet's target: at most this many cents per mile. */
	targetCents: v.optional(wholeIn(LIMITS.perMile), 85),
	/** Reports say 'Above target' of more cents per mile than this. */
	aboveTargetOverCents: v.optional(wholeIn(LIMITS.perMile), 100),
	/** Fuel's share of fuel and Uber fees that is aimed at, percent. */
	fuelTargetPercent: v.optional(wholeIn(LIMITS.percent), 70),
	/** More pending requests than this raise an alert. */
	pendingAlertOver: v.optional(wholeIn(LIMITS.requests), 5),
	/** More cents of Uber fees than this raise an alert. */
	feeAlertOverCents: v.optional(wholeIn(LIMITS.fees), 150_000),
	/** A trip of more miles is asked about on the form and flagged. */
	longTripMiles: v.optional(wholeIn(LIMITS.tripMiles), 1500),
	/** For so long the same type, amount and description count as a likely duplicate. */
	sameRequestMinutes: v.optional(wholeIn(LIMITS.sameRequestMinutes), 10),
	/** The largest receipt, in megabytes. */
	receiptMegabytes: v.optional(wholeIn(LIMITS.receiptMegabytes), MAX_MEGABYTES),
	/** Remind drivers who have logged no miles for three working days. */
	remindOfMiles: v.optional(v.boolean(), false),
	/** Remind drivers whose pending request has had no receipt for a day. */
	remindOfReceipts: v.optional(v.boolean(), true),
	/** Send administrators a digest on Mondays at 7:00 of the fleet. */
	weeklyDigest: v.optional(v.boolean(), true),
	/**
	 * The account of a payout's lines in the files for accounting programs, as the program has it.
	 * The default is 'Motor Vehicle Expenses' in Xero's standard chart of accounts.
	 */
	accountCode: v.optional(v.string(), "449"),
	/** The tax rate of those lines, as the program has it; '' leaves it out. */
	taxType: v.optional(v.string(), "Tax Exempt (0%)"),
	/** The overview no longer lists what is still to be set up. */
	setupDismissed: v.optional(v.boolean(), false),
	/**
	 * How many years a driver must have been inactive before they can be pseudonymized: as long as
	 * business records usually have to be kept.
	 */
	keepDriverYears: v.optional(
		wholeIn([RETENTION_YEARS.least, RETENTION_YEARS.most]),
		RETENTION_YEARS.byDefault,
	),
};
const fleetSettings = v.object(entries);
/** The shape a stored value must have to count. */
const SHAPES = new Map<string, v.GenericSchema>(Object.entries(entries));

export type FleetSettings = v.InferOutput<typeof fleetSettings>;
export type SettingName = keyof FleetSettings;

/** The settings in force when none have been changed. */
export const DEFAULT_SETTINGS: FleetSettings = v.parse(fleetSettings, {});

/** The thresholds for costs, fees and requests; the defaults are those of docs/product.md §9. */
export type Thresholds = Pick<
	FleetSettings,
	| "excellentUnderCents"
	| "goodUnderCents"
	| "targetCents"
	| "aboveTargetOverCents"
	| "fuelTargetPercent"
	| "pendingAlertOver"
	| "feeAlertOverCents"
>;

/** The defaults that are variables of the environment. */
export type FromVariables = Pick<FleetSettings, "fleetName">;

/**
 * The settings in force. A stored value that this release can't read counts as not set.
 * @param rows of `selectSettings`
 */
export function toFleetSettings(
	rows: readonly { readonly chosen: string }[],
	defaults: FromVariables,
): FleetSettings {
	const chosen: unknown = JSON.parse(rows[0]?.chosen ?? "{}");
	const readable = Object.entries(Object(chosen)).filter(([name, value]) => {
		const shape = SHAPES.get(name);
		return shape !== undefined && v.is(shape, value);
	});
	return v.parse(fleetSettings, { ...defaults, ...Object.fromEntries(readable) });
}
