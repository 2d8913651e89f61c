DROP INDEX `requests_by_driver_status`;--> statement-breakpoint
CREATE INDEX `requests_by_driver_status` ON `fund_requests` (`driver_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_amount` ON `fund_requests` (`amount_cents`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_status_amount` ON `fund_requests` (`status`,`amount_cents`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_question` ON `fund_requests` (`question`,`created_at`,`id`) WHERE question is not null and status = 'pending';--> statement-breakpoint
CREATE INDEX `requests_duplicate` ON `fund_requests` (`is_possible_duplicate`,`created_at`,`id`) WHERE is_possible_duplicate = 1;--> statement-breakpoint
CREATE INDEX `requests_without_receipt` ON `fund_requests` (`receipt_id`,`created_at`,`id`) WHERE receipt_id is null and amount_cents > 7500;--> statement-breakpoint
CREATE INDEX `requests_not_in_payout` ON `fund_requests` (`status`,`payout_id`,`created_at`,`id`) WHERE status = 'approved' and payout_id is null;--> statement-breakpoint
CREATE INDEX `requests_in_payout` ON `fund_requests` ((payout_id is null),`created_at`,`id`) WHERE payout_id is not null;--> statement-breakpoint
CREATE INDEX `requests_by_decision` ON `fund_requests` (`decided_by`,`decided_at`) WHERE decided_at is not null;