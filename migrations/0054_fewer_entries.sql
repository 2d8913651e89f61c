-- One index says that a trip is there once and finds the readings around it.
DROP INDEX `mileage_same_trip`;
--> statement-breakpoint
DROP INDEX `mileage_by_driver_reading`;
--> statement-breakpoint
CREATE UNIQUE INDEX `mileage_same_trip` ON `mileage_logs` (`driver_id`,`start_miles`,`end_miles`,`driven_on`) WHERE voided_at is null;
--> statement-breakpoint
DROP INDEX `fees_by_import`;
--> statement-breakpoint
CREATE INDEX `fees_by_import` ON `uber_fees` (`import_id`) WHERE import_id is not null;
