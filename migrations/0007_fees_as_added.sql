DROP INDEX `fees_by_driver`;--> statement-breakpoint
DROP INDEX `fees_by_day`;--> statement-breakpoint
CREATE INDEX `fees_by_driver` ON `uber_fees` (`driver_id`,`charged_on`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `fees_by_day` ON `uber_fees` (`charged_on`,`created_at`,`id`) WHERE deleted_at is null;