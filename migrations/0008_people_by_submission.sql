ALTER TABLE `users` ADD `submission_key` text;--> statement-breakpoint
ALTER TABLE `users` ADD `payload_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_submissions` ON `users` (`created_by`,`submission_key`) WHERE submission_key is not null;