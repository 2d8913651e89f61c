/** The payloads of the settings forms. */
import * as v from "valibot";
import { formatCount } from "../../values/count.ts";
import { optionalText, requiredText } from "../../values/fields.ts";
import { DISTANCE_UNITS } from "../../values/fleet-units.ts";
import { parseWhole } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import { amountBetween } from "../../values/money-input.ts";
import {
	DEFAULT_SETTINGS,
	LIMITS,
	type Limits,
	MAX_FLEET_NAME,
	RETENTION_YEARS,
	WEEK_STARTS,
} from "../kernel/fleet-settings.ts";
import { hasCents } from "./currencies.ts";
import { ACCOUNTING_FIELDS, RETENTION_FIELDS, UNIT_FIELDS } from "./fields.ts";

/** A form's switch: on if it is sent, off if it is absent. */
const switched = v.pipe(
	// A default; otherwise an absent switch would have no value.
	v.optional(v.picklist(["on", ""], "A switch is on, or it isn't sent"), ""),
	v.transform((sent) => sent === "on"),
);

/** Which reminders the fleet sends. */
export const remindersInput = v.object({
	remindOfMiles: switched,
	remindOfReceipts: switched,
	weeklyDigest: switched,
});

/** Whether the overview shows the first steps. */
export const setupInput = v.object({ setupDismissed: switched });

/** Must fit into one cell of a file, or one line of an email. */
const oneLine = v.transform((text: string) => text.replace(/\s+/g, " "));

/** The fleet's name; empty means the variable's. */
export const fleetInput = v.object({
	fleetName: v.pipe(
		optionalText(MAX_FLEET_NAME, "Enter a name that can be seen"),
		v.transform((name) => name?.replace(/\s+/g, " ")),
	),
});

/** What the fleet's amounts and distances are in. */
export const unitsInput = v.object({
	currency: v.optional(
		v.pipe(
			requiredText(UNIT_FIELDS.currency.missing, 10),
			v.toUpperCase(),
			v.check(hasCents, "Enter the code of a currency with two decimals, such as USD or EUR"),
		),
	),
	distanceUnit: v.optional(v.picklist(DISTANCE_UNITS, "Choose miles or kilometers")),
});

/** A typed amount of dollars, as cents. */
const dollars = ([least, most]: Limits) =>
	amountBetween(least, most, `Enter ${formatDollars(least)} to ${formatDollars(most)}`);

/** A typed whole number. */
const whole = ([least, most]: Limits) => {
	const words = `Enter a whole number from ${formatCount(least)} to ${formatCount(most)}`;
	return v.pipe(
		v.optional(v.string(), ""),
		v.trim(),
		v.transform(parseWhole),
		v.number(words),
		v.check((number) => number >= least && number <= most, words),
	);
};

/** The thresholds for costs, fees and requests. */
export const thresholdsInput = v.pipe(
	v.object({
		excellentUnderCents: dollars(LIMITS.perMile),
		goodUnderCents: dollars(LIMITS.perMile),
		targetCents: dollars(LIMITS.perMile),
		aboveTargetOverCents: dollars(LIMITS.perMile),
		fuelTargetPercent: whole(LIMITS.percent),
		pendingAlertOver: whole(LIMITS.requests),
		feeAlertOverCents: dollars(LIMITS.fees),
	}),
	v.forward(
		v.partialCheck(
			[["excellentUnderCents"], ["goodUnderCents"]],
			({ excellentUnderCents, goodUnderCents }) => excellentUnderCents < goodUnderCents,
			"Good must be more than Excellent",
		),
		["goodUnderCents"],
	),
);

/** When a driver's form asks before it accepts. */
export const questionsInput = v.object({
	longTripMiles: whole(LIMITS.tripMiles),
	sameRequestMinutes: whole(LIMITS.sameRequestMinutes),
});

/** The limit on receipts. */
export const receiptsInput = v.object({ receiptMegabytes: whole(LIMITS.receiptMegabytes) });

/** One line that may be empty. */
const optionalLine = v.pipe(
	optionalText(100),
	v.transform((text) => text ?? ""),
	oneLine,
);

/** How a payout's lines are booked. */
export const accountingInput = v.object({
	accountCode: v.pipe(requiredText(ACCOUNTING_FIELDS.accountCode.missing, 100), oneLine),
	settlementAccountCode: v.pipe(
		optionalText(100),
		v.transform((text) => text ?? DEFAULT_SETTINGS.settlementAccountCode),
		oneLine,
	),
	taxType: optionalLine,
	quickbooksTaxCode: optionalLine,
});

/** The first day of the weeks in which drivers are settled. */
export const weekInput = v.object({
	weekStartsOn: v.picklist(WEEK_STARTS, "A week starts on Monday or Sunday"),
});

const { least, most } = RETENTION_YEARS;

/** How long data about former drivers is kept. */
export const retentionInput = v.object({
	keepDriverYears: v.pipe(
		requiredText(RETENTION_FIELDS.keepDriverYears.missing, 10),
		v.check(
			(text) => /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most,
			`Enter a whole number from ${least} to ${most}`,
		),
		v.transform(Number),
	),
});
