CREATE INDEX `requests_by_status_type` ON `fund_requests` (`status`,`type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_status_band` ON `fund_requests` (`status`,(amount_cents > 5000) + (amount_cents > 10000),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_type_band` ON `fund_requests` (`type`,(amount_cents > 5000) + (amount_cents > 10000),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_status_type_band` ON `fund_requests` (`status`,`type`,(amount_cents > 5000) + (amount_cents > 10000),`created_at`,`id`);