/** Which reminders a person wants: on, off, or whatever the fleet has chosen. */
import * as v from "valibot";
import { REMINDER_SUBJECTS, type ReminderSubject } from "../reminders/rules.ts";

/** What a person has chosen; null follows the fleet. */
export type EmailChoices = { readonly [Subject in ReminderSubject]?: boolean | null };

/** A choice from a form; empty follows the fleet. */
const choice = v.pipe(
	v.optional(v.picklist(["on", "off", ""], "Choose on or off"), ""),
	v.transform((sent) => (sent === "" ? null : sent === "on")),
);

/** The choices in the form of `/account`. */
export const emailChoicesInput = {
	driver: v.object({ remindOfMiles: choice, remindOfReceipts: choice }),
	admin: v.object({ weeklyDigest: choice }),
};

/** The reminders for a role. */
export const subjectsFor = (role: "admin" | "driver"): readonly ReminderSubject[] =>
	REMINDER_SUBJECTS[role];
