DROP INDEX `requests_unpaid`;--> statement-breakpoint
DROP INDEX `payout_totals_ready_first`;