/** What the forms about settings may say. */
import * as v from "valibot";
import { optionalText, requiredText } from "../../values/fields.ts";
import { RETENTION_YEARS } from "../personal-data/retention.ts";
import { ACCOUNTING_FIELDS, RETENTION_FIELDS } from "./fields.ts";

/** A switch of a form: on when it is sent, off when it is absent. */
const switched = v.pipe(
	// A default, or nothing would be said of a switch that isn't sent.
	v.optional(v.picklist(["on", ""], "A switch is on, or it isn't sent"), ""),
	v.transform((sent) => sent === "on"),
);

/** Which reminders the fleet sends. */
export const remindersInput = v.object({
	remindOfMiles: switched,
	remindOfReceipts: switched,
	weeklyDigest: switched,
});

/** Whether the overview lists what is still to be set up. */
export const setupInput = v.object({ setupDismissed: switched });

/** It stands in one cell of a file. */
const oneLine = v.transform((text: string) => text.replace(/\s+/g, " "));

/** How the lines of a payout are booked. */
export const accountingInput = v.object({
	accountCode: v.pipe(requiredText(ACCOUNTING_FIELDS.accountCode.missing, 100), oneLine),
	taxType: v.pipe(
		optionalText(100),
		v.transform((text) => text ?? ""),
		oneLine,
	),
});

const { least, most } = RETENTION_YEARS;

/** How long what is known of former drivers is kept. */
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
