CREATE TABLE `daily_tasks` (
	`name` text PRIMARY KEY NOT NULL,
	`finished_on` text,
	`cursor` text,
	`counts` text DEFAULT '{}' NOT NULL,
	`claimed_until` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "daily_tasks_counts" CHECK(json_valid("daily_tasks"."counts"))
) STRICT;
--> statement-breakpoint
CREATE TABLE `loose_objects` (
	`object_key` text PRIMARY KEY NOT NULL,
	`owner_id` text,
	`byte_size` integer NOT NULL,
	`created_at` integer NOT NULL,
	`condemned_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "loose_objects_byte_size" CHECK("loose_objects"."byte_size" between 0 and 8388608)
) STRICT;
--> statement-breakpoint
CREATE INDEX `loose_objects_by_owner` ON `loose_objects` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `loose_objects_by_time` ON `loose_objects` (`created_at`);--> statement-breakpoint
CREATE INDEX `loose_objects_condemned` ON `loose_objects` (`condemned_at`) WHERE condemned_at is not null;--> statement-breakpoint
CREATE TRIGGER `receipts_claim_object` AFTER INSERT ON `receipts`
BEGIN
	DELETE FROM `loose_objects` WHERE `object_key` = NEW.`object_key`;
END;
