DROP INDEX `audit_by_time`;--> statement-breakpoint
DROP INDEX `audit_by_actor`;--> statement-breakpoint
DROP INDEX `audit_by_action`;--> statement-breakpoint
DROP INDEX `audit_by_entity`;--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit_events` (`at`);--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit_events` (`actor_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_by_action` ON `audit_events` (`action`,`at`);--> statement-breakpoint
CREATE INDEX `audit_by_entity` ON `audit_events` (`entity`,`entity_id`,`at`);--> statement-breakpoint
DROP INDEX `requests_by_driver`;--> statement-breakpoint
DROP INDEX `requests_by_time`;--> statement-breakpoint
DROP INDEX `requests_by_status`;--> statement-breakpoint
DROP INDEX `requests_by_type`;--> statement-breakpoint
DROP INDEX `requests_by_band`;--> statement-breakpoint
DROP INDEX `requests_by_status_type`;--> statement-breakpoint
DROP INDEX `requests_by_status_band`;--> statement-breakpoint
DROP INDEX `requests_by_type_band`;--> statement-breakpoint
DROP INDEX `requests_by_status_type_band`;--> statement-breakpoint
DROP INDEX `requests_by_driver_status`;--> statement-breakpoint
DROP INDEX `requests_by_amount`;--> statement-breakpoint
DROP INDEX `requests_by_status_amount`;--> statement-breakpoint
DROP INDEX `requests_by_question`;--> statement-breakpoint
DROP INDEX `requests_duplicate`;--> statement-breakpoint
DROP INDEX `requests_not_in_payout`;--> statement-breakpoint
DROP INDEX `requests_in_payout`;--> statement-breakpoint
DROP INDEX `requests_without_receipt`;--> statement-breakpoint
DROP INDEX `requests_late`;--> statement-breakpoint
CREATE INDEX `requests_by_driver` ON `fund_requests` (`driver_id`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_time` ON `fund_requests` (`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_status` ON `fund_requests` (`status`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_type` ON `fund_requests` (`type`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_band` ON `fund_requests` ((amount_cents > 5000) + (amount_cents > 10000),`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_status_type` ON `fund_requests` (`status`,`type`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_status_band` ON `fund_requests` (`status`,(amount_cents > 5000) + (amount_cents > 10000),`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_type_band` ON `fund_requests` (`type`,(amount_cents > 5000) + (amount_cents > 10000),`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_status_type_band` ON `fund_requests` (`status`,`type`,(amount_cents > 5000) + (amount_cents > 10000),`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_driver_status` ON `fund_requests` (`driver_id`,`status`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_amount` ON `fund_requests` (`amount_cents`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_status_amount` ON `fund_requests` (`status`,`amount_cents`,`created_at`,`number`);--> statement-breakpoint
CREATE INDEX `requests_by_question` ON `fund_requests` (`question`,`created_at`,`number`) WHERE question is not null and status = 'pending';--> statement-breakpoint
CREATE INDEX `requests_duplicate` ON `fund_requests` (`is_possible_duplicate`,`created_at`,`number`) WHERE is_possible_duplicate = 1;--> statement-breakpoint
CREATE INDEX `requests_not_in_payout` ON `fund_requests` (`status`,`payout_id`,`created_at`,`number`) WHERE status = 'approved' and payout_id is null;--> statement-breakpoint
CREATE INDEX `requests_in_payout` ON `fund_requests` ((payout_id is null),`created_at`,`number`) WHERE payout_id is not null;--> statement-breakpoint
CREATE INDEX `requests_without_receipt` ON `fund_requests` (`receipt_id`,`created_at`,`number`) WHERE receipt_id is null;--> statement-breakpoint
CREATE INDEX `requests_late` ON `fund_requests` ((julianday(requested_on) - julianday(spent_on) > 60),`created_at`,`number`) WHERE (julianday(requested_on) - julianday(spent_on) > 60);--> statement-breakpoint
DROP INDEX `mileage_by_driver_day`;--> statement-breakpoint
CREATE INDEX `mileage_by_driver_day` ON `mileage_logs` (`driver_id`,`driven_on`,`end_miles`);