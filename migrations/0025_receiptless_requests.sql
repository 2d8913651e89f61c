-- The filter 'No receipt' lists every request without a file, not only those above $75.
DROP INDEX `requests_without_receipt`;--> statement-breakpoint
CREATE INDEX `requests_without_receipt` ON `fund_requests` (`receipt_id`,`created_at`,`id`) WHERE receipt_id is null;
