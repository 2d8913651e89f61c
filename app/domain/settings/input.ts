/** What the forms about settings may say. */
import * as v from "valibot";
import { isVisible, optionalText, requiredText } from "../../values/fields.ts";
import { MAX_FLEET_NAME } from "./definitions.ts";
import { ACCOUNTING_FIELDS } from "./fields.ts";

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

/** It stands in one cell of a file, or in one line of an email. */
const oneLine = v.transform((text: string) => text.replace(/\s+/g, " "));

/** What the fleet is called; nothing leaves it to the variable. */
export const fleetInput = v.object({
	fleetName: v.pipe(
		optionalText(MAX_FLEET_NAME),
		v.check((name) => name === undefined || isVisible(name), "Enter a name that can be seen"),
		v.transform((name) => name?.replace(/\s+/g, " ")),
	),
});

/** How the lines of a payout are booked. */
export const accountingInput = v.object({
	accountCode: v.pipe(requiredText(ACCOUNTING_FIELDS.accountCode.missing, 100), oneLine),
	taxType: v.pipe(
		optionalText(100),
		v.transform((text) => text ?? ""),
		oneLine,
	),
});
