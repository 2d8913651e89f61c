CREATE TABLE `settings` (
	`id` text PRIMARY KEY NOT NULL,
	`chosen` text DEFAULT '{}' NOT NULL,
	`last_change_id` text,
	CONSTRAINT "settings_one_row" CHECK("settings"."id" = 'fleet'),
	CONSTRAINT "settings_chosen" CHECK(json_valid("settings"."chosen") and json_type("settings"."chosen") = 'object')
) STRICT;
--> statement-breakpoint
ALTER TABLE `users` ADD `remind_of_miles` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `remind_of_receipts` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `weekly_digest` integer;--> statement-breakpoint
CREATE INDEX `mails_urgent` ON `mails` (`send_after`) WHERE status = 'queued' and substr(kind, 1, 9) <> 'reminder-';--> statement-breakpoint
CREATE INDEX `mails_reminders` ON `mails` (`recipient_id`,`created_at`) WHERE substr(kind, 1, 9) = 'reminder-';
