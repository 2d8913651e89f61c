ALTER TABLE `mails` ADD `first_tried_at` integer;--> statement-breakpoint
ALTER TABLE `mails` ADD `may_have_been_sent` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `mails` ADD `provider_id` text;--> statement-breakpoint
ALTER TABLE `mails` ADD `bounced_at` integer;--> statement-breakpoint
CREATE INDEX `mails_provider_id` ON `mails` (`provider_id`) WHERE provider_id is not null;--> statement-breakpoint
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`gathered_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `notices_waiting` ON `notices` (`created_at`) WHERE gathered_at is null;--> statement-breakpoint
CREATE INDEX `notices_gathered` ON `notices` (`gathered_at`) WHERE gathered_at is not null;--> statement-breakpoint
CREATE TABLE `bounces` (
	`address` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `bounces_by_time` ON `bounces` (`at`);
