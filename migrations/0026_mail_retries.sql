ALTER TABLE `mails` ADD `key_at` integer;--> statement-breakpoint
ALTER TABLE `mails` ADD `uncertain_at` integer;--> statement-breakpoint
ALTER TABLE `mails` ADD `batch_id` text;--> statement-breakpoint
CREATE INDEX `mails_uncertain` ON `mails` (`send_after`) WHERE status = 'queued' and uncertain_at is not null;--> statement-breakpoint
CREATE INDEX `mails_batch` ON `mails` (`batch_id`) WHERE batch_id is not null;