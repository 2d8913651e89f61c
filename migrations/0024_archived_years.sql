CREATE TABLE `archived_days` (
	`driver_id` text NOT NULL,
	`driven_on` text NOT NULL,
	`miles` integer DEFAULT 0 NOT NULL,
	`trips` integer DEFAULT 0 NOT NULL,
	`voided_miles` integer DEFAULT 0 NOT NULL,
	`voided_trips` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`driver_id`, `driven_on`),
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "archived_days_driven_on" CHECK("archived_days"."driven_on" is date("archived_days"."driven_on")),
	CONSTRAINT "archived_days_trips" CHECK("archived_days"."trips" >= 0 and "archived_days"."miles" >= "archived_days"."trips"),
	CONSTRAINT "archived_days_voided" CHECK("archived_days"."voided_trips" >= 0 and "archived_days"."voided_miles" >= "archived_days"."voided_trips")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `archived_years` (
	`year` integer PRIMARY KEY NOT NULL,
	`closed_at` integer NOT NULL,
	`finished_at` integer,
	`entries` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "archived_years_year" CHECK("archived_years"."year" between 2000 and 2999),
	CONSTRAINT "archived_years_entries" CHECK("archived_years"."entries" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `mileage_corrections` ON `mileage_logs` (`corrects_id`) WHERE corrects_id is not null;
--> statement-breakpoint
-- A trip that leaves for the archive goes on counting: its figures are kept by the statement that removes it.
DROP TRIGGER `mileage_totals_on_delete`;
--> statement-breakpoint
CREATE TRIGGER `mileage_totals_on_delete` AFTER DELETE ON `mileage_logs`
WHEN OLD.voided_at IS NULL AND NOT EXISTS (SELECT 1 FROM `archived_years` WHERE `finished_at` IS NULL AND OLD.driven_on < (`year` + 1) || '-01-01')
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.driven_on, 'trip', -(OLD.end_miles - OLD.start_miles), -1;
END;
--> statement-breakpoint
CREATE TRIGGER `mileage_days_on_archiving` AFTER DELETE ON `mileage_logs`
WHEN EXISTS (SELECT 1 FROM `archived_years` WHERE `finished_at` IS NULL AND OLD.driven_on < (`year` + 1) || '-01-01')
BEGIN
	INSERT INTO `archived_days` (`driver_id`, `driven_on`, `miles`, `trips`, `voided_miles`, `voided_trips`)
	VALUES (OLD.driver_id, OLD.driven_on,
		iif(OLD.voided_at IS NULL, OLD.end_miles - OLD.start_miles, 0), OLD.voided_at IS NULL,
		iif(OLD.voided_at IS NULL, 0, OLD.end_miles - OLD.start_miles), OLD.voided_at IS NOT NULL)
	ON CONFLICT (`driver_id`, `driven_on`) DO UPDATE SET
		`miles` = `miles` + excluded.`miles`, `trips` = `trips` + excluded.`trips`,
		`voided_miles` = `voided_miles` + excluded.`voided_miles`, `voided_trips` = `voided_trips` + excluded.`voided_trips`;
	UPDATE `archived_years` SET `entries` = `entries` + 1 WHERE `finished_at` IS NULL;
END;
