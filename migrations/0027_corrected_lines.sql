ALTER TABLE `staged_fees` ADD `replaces_id` text;--> statement-breakpoint
ALTER TABLE `statement_lines` ADD `cents` integer;--> statement-breakpoint
ALTER TABLE `statement_lines` ADD `fee_id` text;--> statement-breakpoint
ALTER TABLE `statement_lines` ADD `recorded_cents` integer;--> statement-breakpoint
ALTER TABLE `statement_lines` ADD `replaced_by` text;--> statement-breakpoint
CREATE INDEX `statement_lines_replaced` ON `statement_lines` (`replaced_by`,`fee_id`) WHERE replaced_by is not null;