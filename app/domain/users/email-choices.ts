/** Which reminders a person wants: on, off, or whatever the fleet has chosen. */
import * as v from "valibot";
import { REMINDER_SUBJECTS, type ReminderSubject } from "../reminders/rules.ts";

/** What a person has chosen; null follows the fleet. */
export type EmailChoices = { readonly [Subject in ReminderSubject]?: boolean | null };

/** A choice as a form sends it: nothing follows the fleet. */
const choice = v.pipe(
	v.optional(v.picklist(["on", "off", ""], "Choose on or off"), ""),
	v.transform((sent) => (sent === "" ? null : sent === "on")),
);

/** The choices that a form of `/account` sends. */
export const emailChoicesInput = {
	driver: v.object({ remindOfMiles: choice, remindOfReceipts: choice }),
	admin: v.object({ weeklyDigest: choice }),
};

/** The reminders that somebody in a role can get. */
export const subjectsFor = (role: "admin" | "driver"): readonly ReminderSubject[] =>
	REMINDER_SUBJECTS[role];
