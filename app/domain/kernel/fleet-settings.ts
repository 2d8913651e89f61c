/**
 * The fleet's settings: their valid values and defaults. Administrators change them on `/settings`;
 * a stored value overrides the default.
 * The guard reads them with the session, in the trip of every page and API request, so everyone who
 * has been admitted has them: `admin.settings.accountCode`. A scheduled task reads them itself,
 * with `selectSettings` (queries.server.ts) and `toFleetSettings`.
 * To add one: a line here, a field in a form of input.ts and fields.ts, and the control on the
 * screen, app/routes/_admin.settings. It needs no migration. One that overrides an environment
 * variable is also a line of `FromVariables`.
 */
import * as v from "valibot";
import { DEFAULT_UNITS, DISTANCE_UNITS } from "../../values/fleet-units.ts";
import { MAX_RECEIPT_MEGABYTES } from "./limits.ts";

/**
 * Valid settings in years. At least two: until then fees and trips of the year before last can
 * still come in, and emails that name a driver are still kept.
 */
export const RETENTION_YEARS = { least: 2, most: 30, byDefault: 7 } as const;

/** The maximum length of the fleet's name, like the variable's. */
export const MAX_FLEET_NAME = 60;

/** The minimum and maximum of each number: cents, percent, requests, miles, minutes, megabytes. */
export const LIMITS = {
	perMile: [1, 10_000],
	percent: [1, 99],
	requests: [0, 10_000],
	fees: [0, 100_000_000],
	tripMiles: [100, 3000],
	sameRequestMinutes: [1, 60],
	receiptMegabytes: [1, MAX_RECEIPT_MEGABYTES],
} as const satisfies Record<string, Limits>;
export type Limits = readonly [least: number, most: number];

/** The days that a week can start on. */
export const WEEK_STARTS = ["monday", "sunday"] as const;

const wholeIn = ([least, most]: Limits) =>
	v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

const entries = {
	/** The fleet's name. The default is the variable APP_NAME. */
	fleetName: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_FLEET_NAME)), "Milepost"),
	/** The unit of every amount and distance, fixed with the first: nothing is ever converted. */
	currency: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)), DEFAULT_UNITS.currency),
	distanceUnit: v.optional(v.picklist(DISTANCE_UNITS), DEFAULT_UNITS.distanceUnit),
	/** Whether a fleet with amounts from before it could choose units may still choose them, once. */
	unitsOpen: v.optional(v.boolean(), false),
	/** Cost per mile, in cents: under the first Excellent, under the second Good. */
	excellentUnderCents: v.optional(wholeIn(LIMITS.perMile), 85),
	goodUnderCents: v.optional(wholeIn(LIMITS.perMile), 100),
	/** The fleet's target: at most this many cents per mile. */
	targetCents: v.optional(wholeIn(LIMITS.perMile), 85),
	/** Above this many cents per mile, reports say 'Above target'. */
	aboveTargetOverCents: v.optional(wholeIn(LIMITS.perMile), 100),
	/** The target share of fuel in fuel and Uber fees, percent. */
	fuelTargetPercent: v.optional(wholeIn(LIMITS.percent), 70),
	/** More pending requests than this raise an alert. */
	pendingAlertOver: v.optional(wholeIn(LIMITS.requests), 5),
	/** More cents of Uber fees than this raise an alert. */
	feeAlertOverCents: v.optional(wholeIn(LIMITS.fees), 150_000),
	/** The form asks about longer trips, and they are flagged. */
	longTripMiles: v.optional(wholeIn(LIMITS.tripMiles), 1500),
	/** How long the same type, amount and description count as a likely duplicate. */
	sameRequestMinutes: v.optional(wholeIn(LIMITS.sameRequestMinutes), 10),
	/** The largest receipt, in megabytes. */
	receiptMegabytes: v.optional(wholeIn(LIMITS.receiptMegabytes), MAX_RECEIPT_MEGABYTES),
	/** Remind drivers who have logged no miles for three working days. */
	remindOfMiles: v.optional(v.boolean(), false),
	/** Remind drivers whose pending request has had no receipt for a day. */
	remindOfReceipts: v.optional(v.boolean(), true),
	/** Send administrators a digest on Mondays at 7:00 fleet time. */
	weeklyDigest: v.optional(v.boolean(), true),
	/**
	 * The account of a payout's lines in the accounting files, as the program writes it. The default
	 * is 'Motor Vehicle Expenses' in Xero's standard chart of accounts.
	 */
	accountCode: v.optional(v.string(), "449"),
	/**
	 * The account of a payout's settlements there. The default is 'Cost of Goods Sold' in Xero's
	 * standard chart of accounts.
	 */
	settlementAccountCode: v.optional(v.string(), "310"),
	/** The lines' tax rate in Xero's file, by its name there; '' leaves it out. */
	taxType: v.optional(v.string(), "Tax Exempt (0%)"),
	/** Their tax code in QuickBooks' file; '' leaves it out, as US companies do. */
	quickbooksTaxCode: v.optional(v.string(), ""),
	/** The first day of the weeks in which drivers are settled; fixed with the first settlement. */
	weekStartsOn: v.optional(v.picklist(WEEK_STARTS), "monday"),
	/** Whether the overview's list of first steps is dismissed. */
	setupDismissed: v.optional(v.boolean(), false),
	/**
	 * How many years a driver must have been inactive before they can be pseudonymized: by default,
	 * as long as business records usually have to be kept.
	 */
	keepDriverYears: v.optional(
		wholeIn([RETENTION_YEARS.least, RETENTION_YEARS.most]),
		RETENTION_YEARS.byDefault,
	),
};
const fleetSettings = v.object(entries);
/** The type a stored value must have to count. */
const SHAPES = new Map<string, v.GenericSchema>(Object.entries(entries));

export type FleetSettings = v.InferOutput<typeof fleetSettings>;

/** The settings if none have been changed. */
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

/**
 * Thresholds in money, whose defaults are dollars and dollars per mile: a fleet with another
 * currency or unit sets its own, which are kept even if they are the same numbers.
 */
export const MONEY_THRESHOLDS = [
	"excellentUnderCents",
	"goodUnderCents",
	"targetCents",
	"aboveTargetOverCents",
	"feeAlertOverCents",
] as const satisfies readonly (keyof Thresholds)[];

/** The defaults that are environment variables. */
export type FromVariables = Pick<FleetSettings, "fleetName">;

/**
 * The current settings. A stored value that this release can't read is ignored.
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
