/** Which reminders a person wants: on, off, or whatever the fleet has chosen. */
import * as v from "valibot";

/** The reminders of each role: names of settings, and of a person's own choices. */
export const REMINDER_SUBJECTS = {
	driver: ["remindOfMiles", "remindOfReceipts"],
	admin: ["weeklyDigest"],
	viewer: [],
} as const;
export type ReminderSubject = (typeof REMINDER_SUBJECTS)["driver" | "admin"][number];

/** The kinds of email in the queue; each starts with `reminder-`. */
export const KIND = {
	miles: "reminder-miles",
	receipts: "reminder-receipts",
	both: "reminder-both",
	digest: "reminder-digest",
} as const;

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
	viewer: v.object({}),
};

/** The reminders for a role. */
export const subjectsFor = (role: keyof typeof REMINDER_SUBJECTS): readonly ReminderSubject[] =>
	REMINDER_SUBJECTS[role];
