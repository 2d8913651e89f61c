ALTER TABLE `fee_imports` ADD `unmatched_drivers` integer;--> statement-breakpoint
ALTER TABLE `fee_imports` ADD `unmatched_cents` integer;