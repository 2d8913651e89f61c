/** What drivers' reminders and the administrators' digest share. */
import { sql } from "drizzle-orm";
import { users } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { FleetSettings } from "../kernel/fleet-settings.ts";
import type { Site } from "../mail/queue.server.ts";
import type { ReminderSubject } from "../people/email-choices.ts";

/** What a day's reminders depend on. */
export type ReminderContext = {
	readonly now: number;
	/** Today in the fleet's time zone. */
	readonly today: CalendarDate;
	readonly timeZone: string;
	readonly site: Site;
	readonly settings: FleetSettings;
};

/** Shared by reminders and digests, so that nobody gets two a day: the recipient is added. */
export const dedupeKey = (today: CalendarDate) => `reminder:${today}`;

/** Whether a person is reminded: by their own choice, or else the fleet's. */
export const wantsReminder = (subject: ReminderSubject, settings: FleetSettings) =>
	sql`coalesce(${users[subject]}, ${settings[subject] ? sql`1` : sql`0`})`;
