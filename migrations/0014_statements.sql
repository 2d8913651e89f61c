CREATE TABLE `column_choices` (
	`head_hash` text PRIMARY KEY NOT NULL,
	`mapping` text NOT NULL,
	`chosen_at` integer NOT NULL,
	CONSTRAINT "column_choices_head_hash" CHECK(length("column_choices"."head_hash") = 64),
	CONSTRAINT "column_choices_mapping" CHECK(json_valid("column_choices"."mapping"))
) STRICT;
--> statement-breakpoint
CREATE TABLE `platform_drivers` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`platform` text NOT NULL,
	`platform_id` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`added_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	`last_change_id` text,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`added_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "platform_drivers_platform" CHECK(length("platform_drivers"."platform") between 1 and 40),
	CONSTRAINT "platform_drivers_platform_id" CHECK(length("platform_drivers"."platform_id") between 1 and 200),
	CONSTRAINT "platform_drivers_name" CHECK(length("platform_drivers"."name") between 0 and 200)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `platform_drivers_once` ON `platform_drivers` (`platform`,`platform_id`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `platform_drivers_by_driver` ON `platform_drivers` (`driver_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `platform_drivers_by_time` ON `platform_drivers` (`created_at`,`id`) WHERE removed_at is null;--> statement-breakpoint
CREATE TABLE `staged_fees` (
	`import_id` text NOT NULL,
	`fee_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`category` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`is_credit` integer NOT NULL,
	`charged_on` text NOT NULL,
	PRIMARY KEY(`import_id`, `fee_id`),
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "staged_fees_category" CHECK("staged_fees"."category" in ('commission', 'service_fee', 'booking_fee', 'other')),
	CONSTRAINT "staged_fees_amount" CHECK("staged_fees"."amount_cents" between 1 and 10000000),
	CONSTRAINT "staged_fees_is_credit" CHECK("staged_fees"."is_credit" in (0, 1)),
	CONSTRAINT "staged_fees_charged_on" CHECK("staged_fees"."charged_on" is date("staged_fees"."charged_on"))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `staged_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `staged_imports_by_time` ON `staged_imports` (`created_at`);--> statement-breakpoint
CREATE TABLE `statement_files` (
	`id` text PRIMARY KEY NOT NULL,
	`added_by` text NOT NULL,
	`file_name` text NOT NULL,
	`content_tag` text NOT NULL,
	`facts` text NOT NULL,
	`answers` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`added_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "statement_files_file_name" CHECK(length("statement_files"."file_name") between 1 and 200),
	CONSTRAINT "statement_files_facts" CHECK(json_valid("statement_files"."facts")),
	CONSTRAINT "statement_files_answers" CHECK(json_valid("statement_files"."answers"))
) STRICT;
--> statement-breakpoint
CREATE INDEX `statement_files_by_end` ON `statement_files` (`expires_at`);--> statement-breakpoint
CREATE TABLE `statement_lines` (
	`import_id` text NOT NULL,
	`line_key` text NOT NULL,
	`is_live` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`import_id`, `line_key`),
	CONSTRAINT "statement_lines_line_key" CHECK(length("statement_lines"."line_key") between 1 and 400),
	CONSTRAINT "statement_lines_is_live" CHECK("statement_lines"."is_live" in (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `statement_lines_once` ON `statement_lines` (`line_key`) WHERE is_live = 1;--> statement-breakpoint
ALTER TABLE `driver_totals` ADD `commission_credit_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `driver_totals` ADD `commission_credits` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `driver_totals` ADD `service_fee_credit_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `driver_totals` ADD `service_fee_credits` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `driver_totals` ADD `booking_fee_credit_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `driver_totals` ADD `booking_fee_credits` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `driver_totals` ADD `other_fee_credit_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `driver_totals` ADD `other_fee_credits` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `fee_imports` ADD `format` text;--> statement-breakpoint
ALTER TABLE `fee_imports` ADD `platform` text;--> statement-breakpoint
ALTER TABLE `fee_imports` ADD `period_from` text;--> statement-breakpoint
ALTER TABLE `fee_imports` ADD `period_to` text;--> statement-breakpoint
CREATE INDEX `fee_imports_by_period` ON `fee_imports` (`platform`,`period_to`) WHERE undone_at is null and platform is not null;--> statement-breakpoint
ALTER TABLE `uber_fees` ADD `is_credit` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `fees_by_replaced` ON `uber_fees` (`replaces_id`) WHERE replaces_id is not null;
--> statement-breakpoint
-- Credits stand in columns of their own, because no column of a total may fall below zero; whoever reads a sum of fees takes them off. This view is to them what total_changes is to the rest.
CREATE VIEW `credit_changes` AS
SELECT `driver_id`, '' AS `changed_on`, '' AS `measure`, 0 AS `amount`, 0 AS `entries` FROM `driver_totals` WHERE 0;
--> statement-breakpoint
CREATE TRIGGER `credit_changes_added` INSTEAD OF INSERT ON `credit_changes` WHEN NEW.entries > 0
BEGIN
	INSERT INTO `driver_totals` (`driver_id`, `days`, `first_day`, `commission_credit_cents`, `commission_credits`, `service_fee_credit_cents`, `service_fee_credits`, `booking_fee_credit_cents`, `booking_fee_credits`, `other_fee_credit_cents`, `other_fee_credits`)
	SELECT who.driver, block.column1, iif(block.column1 = 0, 0, at.day - at.day % block.column1),
		iif(NEW.measure = 'commission', NEW.amount, 0), iif(NEW.measure = 'commission', NEW.entries, 0),
		iif(NEW.measure = 'service_fee', NEW.amount, 0), iif(NEW.measure = 'service_fee', NEW.entries, 0),
		iif(NEW.measure = 'booking_fee', NEW.amount, 0), iif(NEW.measure = 'booking_fee', NEW.entries, 0),
		iif(NEW.measure = 'other_fee', NEW.amount, 0), iif(NEW.measure = 'other_fee', NEW.entries, 0)
	FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who,
		(VALUES (0), (1), (4), (16), (64), (256), (1024)) AS block,
		(SELECT cast(julianday(NEW.changed_on) + 0.5 AS integer) AS day) AS at
	WHERE true
	ON CONFLICT (`driver_id`, `days`, `first_day`) DO UPDATE SET
		`commission_credit_cents` = `commission_credit_cents` + excluded.`commission_credit_cents`,
		`commission_credits` = `commission_credits` + excluded.`commission_credits`,
		`service_fee_credit_cents` = `service_fee_credit_cents` + excluded.`service_fee_credit_cents`,
		`service_fee_credits` = `service_fee_credits` + excluded.`service_fee_credits`,
		`booking_fee_credit_cents` = `booking_fee_credit_cents` + excluded.`booking_fee_credit_cents`,
		`booking_fee_credits` = `booking_fee_credits` + excluded.`booking_fee_credits`,
		`other_fee_credit_cents` = `other_fee_credit_cents` + excluded.`other_fee_credit_cents`,
		`other_fee_credits` = `other_fee_credits` + excluded.`other_fee_credits`;
END;
--> statement-breakpoint
CREATE TRIGGER `credit_changes_taken` INSTEAD OF INSERT ON `credit_changes` WHEN NEW.entries < 0
BEGIN
	UPDATE `driver_totals` SET
		`commission_credit_cents` = `commission_credit_cents` + iif(NEW.measure = 'commission', NEW.amount, 0), `commission_credits` = `commission_credits` + iif(NEW.measure = 'commission', NEW.entries, 0),
		`service_fee_credit_cents` = `service_fee_credit_cents` + iif(NEW.measure = 'service_fee', NEW.amount, 0), `service_fee_credits` = `service_fee_credits` + iif(NEW.measure = 'service_fee', NEW.entries, 0),
		`booking_fee_credit_cents` = `booking_fee_credit_cents` + iif(NEW.measure = 'booking_fee', NEW.amount, 0), `booking_fee_credits` = `booking_fee_credits` + iif(NEW.measure = 'booking_fee', NEW.entries, 0),
		`other_fee_credit_cents` = `other_fee_credit_cents` + iif(NEW.measure = 'other_fee', NEW.amount, 0), `other_fee_credits` = `other_fee_credits` + iif(NEW.measure = 'other_fee', NEW.entries, 0)
	WHERE (`driver_id`, `days`, `first_day`) IN (
		SELECT who.driver, block.column1, iif(block.column1 = 0, 0, at.day - at.day % block.column1)
		FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who,
			(VALUES (0), (1), (4), (16), (64), (256), (1024)) AS block,
			(SELECT cast(julianday(NEW.changed_on) + 0.5 AS integer) AS day) AS at
	);
END;
--> statement-breakpoint
CREATE TRIGGER `credits_are_never_negative` BEFORE UPDATE OF `commission_credit_cents`, `commission_credits`, `service_fee_credit_cents`, `service_fee_credits`, `booking_fee_credit_cents`, `booking_fee_credits`, `other_fee_credit_cents`, `other_fee_credits` ON `driver_totals`
WHEN NEW.commission_credits < 0 OR NEW.commission_credit_cents < NEW.commission_credits OR NEW.service_fee_credits < 0 OR NEW.service_fee_credit_cents < NEW.service_fee_credits OR NEW.booking_fee_credits < 0 OR NEW.booking_fee_credit_cents < NEW.booking_fee_credits OR NEW.other_fee_credits < 0 OR NEW.other_fee_credit_cents < NEW.other_fee_credits
BEGIN
	SELECT RAISE(ABORT, 'CHECK constraint failed: totals_credits');
END;
--> statement-breakpoint
CREATE TRIGGER `fee_is_credit_or_not` BEFORE INSERT ON `uber_fees` WHEN NEW.is_credit NOT IN (0, 1)
BEGIN
	SELECT RAISE(ABORT, 'CHECK constraint failed: fees_is_credit');
END;
--> statement-breakpoint
CREATE TRIGGER `fee_credit_is_final` BEFORE UPDATE OF `is_credit` ON `uber_fees`
BEGIN
	SELECT RAISE(ABORT, 'a fee is changed by deleting it and adding it again');
END;
--> statement-breakpoint
DROP TRIGGER `fee_totals_on_insert`;
--> statement-breakpoint
CREATE TRIGGER `fee_totals_on_insert` AFTER INSERT ON `uber_fees` WHEN NEW.deleted_at IS NULL
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.charged_on, iif(NEW.category = 'other', 'other_fee', NEW.category), (NEW.amount_cents), 1 WHERE NEW.is_credit = 0;
	INSERT INTO `credit_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.charged_on, iif(NEW.category = 'other', 'other_fee', NEW.category), (NEW.amount_cents), 1 WHERE NEW.is_credit = 1;
END;
--> statement-breakpoint
DROP TRIGGER `fee_totals_on_deletion`;
--> statement-breakpoint
CREATE TRIGGER `fee_totals_on_deletion` AFTER UPDATE OF `deleted_at` ON `uber_fees` WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.charged_on, iif(OLD.category = 'other', 'other_fee', OLD.category), -(OLD.amount_cents), -1 WHERE OLD.deleted_at IS NULL AND OLD.is_credit = 0;
	INSERT INTO `credit_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.charged_on, iif(OLD.category = 'other', 'other_fee', OLD.category), -(OLD.amount_cents), -1 WHERE OLD.deleted_at IS NULL AND OLD.is_credit = 1;
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.charged_on, iif(NEW.category = 'other', 'other_fee', NEW.category), (NEW.amount_cents), 1 WHERE NEW.deleted_at IS NULL AND NEW.is_credit = 0;
	INSERT INTO `credit_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.charged_on, iif(NEW.category = 'other', 'other_fee', NEW.category), (NEW.amount_cents), 1 WHERE NEW.deleted_at IS NULL AND NEW.is_credit = 1;
END;
--> statement-breakpoint
DROP TRIGGER `fee_totals_on_delete`;
--> statement-breakpoint
CREATE TRIGGER `fee_totals_on_delete` AFTER DELETE ON `uber_fees` WHEN OLD.deleted_at IS NULL
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.charged_on, iif(OLD.category = 'other', 'other_fee', OLD.category), -(OLD.amount_cents), -1 WHERE OLD.is_credit = 0;
	INSERT INTO `credit_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.charged_on, iif(OLD.category = 'other', 'other_fee', OLD.category), -(OLD.amount_cents), -1 WHERE OLD.is_credit = 1;
END;
