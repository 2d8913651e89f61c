ALTER TABLE `fund_requests` ADD `spent_on` text;--> statement-breakpoint
CREATE INDEX `requests_late` ON `fund_requests` ((julianday(requested_on) - julianday(spent_on) > 60),`created_at`,`id`) WHERE (julianday(requested_on) - julianday(spent_on) > 60);--> statement-breakpoint
ALTER TABLE `mileage_logs` ADD `purpose` text;--> statement-breakpoint
ALTER TABLE `mileage_logs` ADD `personal_miles` integer;--> statement-breakpoint
CREATE INDEX `mileage_purposes` ON `mileage_logs` (`driver_id`,`created_at`,`purpose`) WHERE purpose is not null and voided_at is null;--> statement-breakpoint
CREATE INDEX `mileage_personal` ON `mileage_logs` (`driver_id`,`driven_on`,`personal_miles`) WHERE personal_miles > 0 and voided_at is null;