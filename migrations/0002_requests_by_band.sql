DROP INDEX `requests_by_amount`;--> statement-breakpoint
CREATE INDEX `requests_by_band` ON `fund_requests` ((amount_cents > 5000) + (amount_cents > 10000),`created_at`,`id`);