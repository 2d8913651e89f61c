ALTER TABLE `staged_fees` ADD `reference_number` text;--> statement-breakpoint
ALTER TABLE `staged_fees` ADD `description` text;