DROP TRIGGER `mileage_totals_on_insert`;
--> statement-breakpoint
DROP TRIGGER `mileage_totals_on_void`;
--> statement-breakpoint
DROP TRIGGER `mileage_totals_on_delete`;
--> statement-breakpoint
DROP TRIGGER `fee_totals_on_insert`;
--> statement-breakpoint
DROP TRIGGER `fee_totals_on_deletion`;
--> statement-breakpoint
DROP TRIGGER `fee_totals_on_delete`;
--> statement-breakpoint
DROP TABLE `fee_totals`;
--> statement-breakpoint
DROP TABLE `mileage_totals`;
--> statement-breakpoint
-- The table is made anew for its new column; a request that replaces another is detached meanwhile, since the reference is RESTRICT.
CREATE TABLE `__replacing` (`id` text PRIMARY KEY NOT NULL, `replaces_id` text NOT NULL) STRICT;
--> statement-breakpoint
INSERT INTO `__replacing` SELECT `id`, `replaces_id` FROM `fund_requests` WHERE `replaces_id` IS NOT NULL;
--> statement-breakpoint
UPDATE `fund_requests` SET `replaces_id` = NULL WHERE `replaces_id` IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `__new_fund_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`driver_id` text NOT NULL,
	`type` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`description` text NOT NULL,
	`receipt_id` text,
	`receipt_name` text,
	`status` text NOT NULL,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	`requested_on` text NOT NULL,
	`captured_at` integer,
	`is_possible_duplicate` integer DEFAULT false NOT NULL,
	`admin_notes` text,
	`decided_at` integer,
	`decided_by` text,
	`withdrawn_at` integer,
	`replaces_id` text,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`decided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`replaces_id`) REFERENCES `fund_requests`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "requests_number" CHECK("__new_fund_requests"."number" > 0),
	CONSTRAINT "requests_type" CHECK("__new_fund_requests"."type" in ('gas', 'maintenance', 'other')),
	CONSTRAINT "requests_status" CHECK("__new_fund_requests"."status" in ('pending', 'approved', 'rejected', 'withdrawn')),
	CONSTRAINT "requests_source" CHECK("__new_fund_requests"."source" in ('form', 'json', 'outbox', 'seed')),
	CONSTRAINT "requests_requested_on" CHECK("__new_fund_requests"."requested_on" is date("__new_fund_requests"."requested_on")),
	CONSTRAINT "requests_amount" CHECK("__new_fund_requests"."amount_cents" between 1 and 10000000),
	CONSTRAINT "requests_description" CHECK(length("__new_fund_requests"."description") between 1 and 2000),
	CONSTRAINT "requests_receipt_name" CHECK("__new_fund_requests"."receipt_name" is null or length("__new_fund_requests"."receipt_name") between 1 and 200),
	CONSTRAINT "requests_notes" CHECK("__new_fund_requests"."admin_notes" is null or length("__new_fund_requests"."admin_notes") between 1 and 2000),
	CONSTRAINT "requests_duplicate" CHECK("__new_fund_requests"."is_possible_duplicate" in (0, 1)),
	CONSTRAINT "requests_decision" CHECK(("__new_fund_requests"."status" in ('approved', 'rejected')) = ("__new_fund_requests"."decided_at" is not null) and ("__new_fund_requests"."decided_at" is null) = ("__new_fund_requests"."decided_by" is null)),
	CONSTRAINT "requests_withdrawal" CHECK(("__new_fund_requests"."status" = 'withdrawn') = ("__new_fund_requests"."withdrawn_at" is not null))
) STRICT;
--> statement-breakpoint
-- Until now a request's date was worked out when it was asked for; rows of before get theirs in the default zone, America/New_York.
-- A fleet in another zone runs `npm run admin -- recount` once (README).
INSERT INTO `__new_fund_requests` (`id`, `number`, `driver_id`, `type`, `amount_cents`, `description`, `receipt_id`, `receipt_name`, `status`, `source`, `created_at`, `captured_at`, `is_possible_duplicate`, `admin_notes`, `decided_at`, `decided_by`, `withdrawn_at`, `submission_key`, `payload_hash`, `last_change_id`, `requested_on`)
SELECT `id`, `number`, `driver_id`, `type`, `amount_cents`, `description`, `receipt_id`, `receipt_name`, `status`, `source`, `created_at`, `captured_at`, `is_possible_duplicate`, `admin_notes`, `decided_at`, `decided_by`, `withdrawn_at`, `submission_key`, `payload_hash`, `last_change_id`, date(`created_at` / 1000 - 3600 * iif(
	`created_at` / 1000 >= unixepoch(strftime('%Y', `created_at` / 1000, 'unixepoch') || '-03-08 07:00:00', 'weekday 0')
	AND `created_at` / 1000 < unixepoch(strftime('%Y', `created_at` / 1000, 'unixepoch') || '-11-01 06:00:00', 'weekday 0'), 4, 5), 'unixepoch')
FROM `fund_requests`;
--> statement-breakpoint
DROP TABLE `fund_requests`;
--> statement-breakpoint
ALTER TABLE `__new_fund_requests` RENAME TO `fund_requests`;
--> statement-breakpoint
UPDATE `fund_requests` SET `replaces_id` = (SELECT `replaces_id` FROM `__replacing` WHERE `__replacing`.`id` = `fund_requests`.`id`) WHERE `id` IN (SELECT `id` FROM `__replacing`);
--> statement-breakpoint
DROP TABLE `__replacing`;
--> statement-breakpoint
CREATE UNIQUE INDEX `requests_number_once` ON `fund_requests` (`number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `requests_submission` ON `fund_requests` (`driver_id`,`submission_key`) WHERE submission_key is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `requests_receipt_once` ON `fund_requests` (`receipt_id`) WHERE receipt_id is not null;
--> statement-breakpoint
CREATE INDEX `requests_by_driver` ON `fund_requests` (`driver_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `requests_by_driver_status` ON `fund_requests` (`driver_id`,`status`,`created_at`);
--> statement-breakpoint
CREATE INDEX `requests_by_time` ON `fund_requests` (`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `requests_by_status` ON `fund_requests` (`status`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `requests_by_type` ON `fund_requests` (`type`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `requests_by_band` ON `fund_requests` ((amount_cents > 5000) + (amount_cents > 10000),`created_at`,`id`);
--> statement-breakpoint
CREATE TABLE `driver_totals` (
	`driver_id` text NOT NULL,
	`days` integer NOT NULL,
	`first_day` integer NOT NULL,
	`miles` integer DEFAULT 0 NOT NULL,
	`trips` integer DEFAULT 0 NOT NULL,
	`gas_cents` integer DEFAULT 0 NOT NULL,
	`gas_requests` integer DEFAULT 0 NOT NULL,
	`maintenance_cents` integer DEFAULT 0 NOT NULL,
	`maintenance_requests` integer DEFAULT 0 NOT NULL,
	`other_cents` integer DEFAULT 0 NOT NULL,
	`other_requests` integer DEFAULT 0 NOT NULL,
	`pending_cents` integer DEFAULT 0 NOT NULL,
	`pending_requests` integer DEFAULT 0 NOT NULL,
	`commission_cents` integer DEFAULT 0 NOT NULL,
	`commission_fees` integer DEFAULT 0 NOT NULL,
	`service_fee_cents` integer DEFAULT 0 NOT NULL,
	`service_fee_fees` integer DEFAULT 0 NOT NULL,
	`booking_fee_cents` integer DEFAULT 0 NOT NULL,
	`booking_fee_fees` integer DEFAULT 0 NOT NULL,
	`other_fee_cents` integer DEFAULT 0 NOT NULL,
	`other_fee_fees` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`driver_id`, `days`, `first_day`),
	CONSTRAINT "totals_block" CHECK("driver_totals"."days" in (0, 1, 4, 16, 64, 256, 1024) and ("driver_totals"."days" <> 0 or "driver_totals"."first_day" = 0)),
	CONSTRAINT "totals_trips" CHECK("driver_totals"."trips" >= 0 and "driver_totals"."miles" >= "driver_totals"."trips"),
	CONSTRAINT "totals_gas" CHECK("driver_totals"."gas_requests" >= 0 and "driver_totals"."gas_cents" >= "driver_totals"."gas_requests"),
	CONSTRAINT "totals_maintenance" CHECK("driver_totals"."maintenance_requests" >= 0 and "driver_totals"."maintenance_cents" >= "driver_totals"."maintenance_requests"),
	CONSTRAINT "totals_other" CHECK("driver_totals"."other_requests" >= 0 and "driver_totals"."other_cents" >= "driver_totals"."other_requests"),
	CONSTRAINT "totals_pending" CHECK("driver_totals"."pending_requests" >= 0 and "driver_totals"."pending_cents" >= "driver_totals"."pending_requests"),
	CONSTRAINT "totals_commission" CHECK("driver_totals"."commission_fees" >= 0 and "driver_totals"."commission_cents" >= "driver_totals"."commission_fees"),
	CONSTRAINT "totals_service_fee" CHECK("driver_totals"."service_fee_fees" >= 0 and "driver_totals"."service_fee_cents" >= "driver_totals"."service_fee_fees"),
	CONSTRAINT "totals_booking_fee" CHECK("driver_totals"."booking_fee_fees" >= 0 and "driver_totals"."booking_fee_cents" >= "driver_totals"."booking_fee_fees"),
	CONSTRAINT "totals_other_fee" CHECK("driver_totals"."other_fee_fees" >= 0 and "driver_totals"."other_fee_cents" >= "driver_totals"."other_fee_fees")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- What is inserted here is added to, or taken from, every block that holds its day: the arithmetic of blocks stands once.
CREATE VIEW `total_changes` AS
SELECT `driver_id`, '' AS `changed_on`, '' AS `measure`, 0 AS `amount`, 0 AS `entries` FROM `driver_totals` WHERE 0;
--> statement-breakpoint
CREATE TRIGGER `total_changes_added` INSTEAD OF INSERT ON `total_changes` WHEN NEW.entries > 0
BEGIN
	INSERT INTO `driver_totals` (`driver_id`, `days`, `first_day`, `miles`, `trips`, `gas_cents`, `gas_requests`, `maintenance_cents`, `maintenance_requests`, `other_cents`, `other_requests`, `pending_cents`, `pending_requests`, `commission_cents`, `commission_fees`, `service_fee_cents`, `service_fee_fees`, `booking_fee_cents`, `booking_fee_fees`, `other_fee_cents`, `other_fee_fees`)
	SELECT who.driver, block.column1, iif(block.column1 = 0, 0, at.day - at.day % block.column1),
		iif(NEW.measure = 'trip', NEW.amount, 0), iif(NEW.measure = 'trip', NEW.entries, 0),
		iif(NEW.measure = 'gas', NEW.amount, 0), iif(NEW.measure = 'gas', NEW.entries, 0),
		iif(NEW.measure = 'maintenance', NEW.amount, 0), iif(NEW.measure = 'maintenance', NEW.entries, 0),
		iif(NEW.measure = 'other', NEW.amount, 0), iif(NEW.measure = 'other', NEW.entries, 0),
		iif(NEW.measure = 'pending', NEW.amount, 0), iif(NEW.measure = 'pending', NEW.entries, 0),
		iif(NEW.measure = 'commission', NEW.amount, 0), iif(NEW.measure = 'commission', NEW.entries, 0),
		iif(NEW.measure = 'service_fee', NEW.amount, 0), iif(NEW.measure = 'service_fee', NEW.entries, 0),
		iif(NEW.measure = 'booking_fee', NEW.amount, 0), iif(NEW.measure = 'booking_fee', NEW.entries, 0),
		iif(NEW.measure = 'other_fee', NEW.amount, 0), iif(NEW.measure = 'other_fee', NEW.entries, 0)
	FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who,
		(VALUES (0), (1), (4), (16), (64), (256), (1024)) AS block,
		(SELECT cast(julianday(NEW.changed_on) + 0.5 AS integer) AS day) AS at
	WHERE true
	ON CONFLICT (`driver_id`, `days`, `first_day`) DO UPDATE SET
		`miles` = `miles` + excluded.`miles`,
		`trips` = `trips` + excluded.`trips`,
		`gas_cents` = `gas_cents` + excluded.`gas_cents`,
		`gas_requests` = `gas_requests` + excluded.`gas_requests`,
		`maintenance_cents` = `maintenance_cents` + excluded.`maintenance_cents`,
		`maintenance_requests` = `maintenance_requests` + excluded.`maintenance_requests`,
		`other_cents` = `other_cents` + excluded.`other_cents`,
		`other_requests` = `other_requests` + excluded.`other_requests`,
		`pending_cents` = `pending_cents` + excluded.`pending_cents`,
		`pending_requests` = `pending_requests` + excluded.`pending_requests`,
		`commission_cents` = `commission_cents` + excluded.`commission_cents`,
		`commission_fees` = `commission_fees` + excluded.`commission_fees`,
		`service_fee_cents` = `service_fee_cents` + excluded.`service_fee_cents`,
		`service_fee_fees` = `service_fee_fees` + excluded.`service_fee_fees`,
		`booking_fee_cents` = `booking_fee_cents` + excluded.`booking_fee_cents`,
		`booking_fee_fees` = `booking_fee_fees` + excluded.`booking_fee_fees`,
		`other_fee_cents` = `other_fee_cents` + excluded.`other_fee_cents`,
		`other_fee_fees` = `other_fee_fees` + excluded.`other_fee_fees`;
END;
--> statement-breakpoint
CREATE TRIGGER `total_changes_taken` INSTEAD OF INSERT ON `total_changes` WHEN NEW.entries < 0
BEGIN
	UPDATE `driver_totals` SET
		`miles` = `miles` + iif(NEW.measure = 'trip', NEW.amount, 0), `trips` = `trips` + iif(NEW.measure = 'trip', NEW.entries, 0),
		`gas_cents` = `gas_cents` + iif(NEW.measure = 'gas', NEW.amount, 0), `gas_requests` = `gas_requests` + iif(NEW.measure = 'gas', NEW.entries, 0),
		`maintenance_cents` = `maintenance_cents` + iif(NEW.measure = 'maintenance', NEW.amount, 0), `maintenance_requests` = `maintenance_requests` + iif(NEW.measure = 'maintenance', NEW.entries, 0),
		`other_cents` = `other_cents` + iif(NEW.measure = 'other', NEW.amount, 0), `other_requests` = `other_requests` + iif(NEW.measure = 'other', NEW.entries, 0),
		`pending_cents` = `pending_cents` + iif(NEW.measure = 'pending', NEW.amount, 0), `pending_requests` = `pending_requests` + iif(NEW.measure = 'pending', NEW.entries, 0),
		`commission_cents` = `commission_cents` + iif(NEW.measure = 'commission', NEW.amount, 0), `commission_fees` = `commission_fees` + iif(NEW.measure = 'commission', NEW.entries, 0),
		`service_fee_cents` = `service_fee_cents` + iif(NEW.measure = 'service_fee', NEW.amount, 0), `service_fee_fees` = `service_fee_fees` + iif(NEW.measure = 'service_fee', NEW.entries, 0),
		`booking_fee_cents` = `booking_fee_cents` + iif(NEW.measure = 'booking_fee', NEW.amount, 0), `booking_fee_fees` = `booking_fee_fees` + iif(NEW.measure = 'booking_fee', NEW.entries, 0),
		`other_fee_cents` = `other_fee_cents` + iif(NEW.measure = 'other_fee', NEW.amount, 0), `other_fee_fees` = `other_fee_fees` + iif(NEW.measure = 'other_fee', NEW.entries, 0)
	WHERE (`driver_id`, `days`, `first_day`) IN (
		SELECT who.driver, block.column1, iif(block.column1 = 0, 0, at.day - at.day % block.column1)
		FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who,
			(VALUES (0), (1), (4), (16), (64), (256), (1024)) AS block,
			(SELECT cast(julianday(NEW.changed_on) + 0.5 AS integer) AS day) AS at
	);
END;
--> statement-breakpoint
INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
SELECT `driver_id`, `driven_on`, 'trip', sum(`miles`), count(*) FROM `mileage_logs` WHERE `voided_at` IS NULL GROUP BY `driver_id`, `driven_on`;
--> statement-breakpoint
INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
SELECT `driver_id`, `requested_on`, iif(`status` = 'pending', 'pending', `type`), sum(`amount_cents`), count(*) FROM `fund_requests`
WHERE `status` IN ('pending', 'approved') GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
SELECT `driver_id`, `charged_on`, iif(`category` = 'other', 'other_fee', `category`), sum(`amount_cents`), count(*) FROM `uber_fees`
WHERE `deleted_at` IS NULL GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE TRIGGER `mileage_totals_on_insert` AFTER INSERT ON `mileage_logs` WHEN NEW.voided_at IS NULL
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.driven_on, 'trip', (NEW.end_miles - NEW.start_miles), 1;
END;
--> statement-breakpoint
CREATE TRIGGER `mileage_totals_on_void` AFTER UPDATE OF `voided_at` ON `mileage_logs` WHEN (OLD.voided_at IS NULL) <> (NEW.voided_at IS NULL)
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.driven_on, 'trip', -(OLD.end_miles - OLD.start_miles), -1 WHERE OLD.voided_at IS NULL;
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.driven_on, 'trip', (NEW.end_miles - NEW.start_miles), 1 WHERE NEW.voided_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `mileage_totals_on_delete` AFTER DELETE ON `mileage_logs` WHEN OLD.voided_at IS NULL
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.driven_on, 'trip', -(OLD.end_miles - OLD.start_miles), -1;
END;
--> statement-breakpoint
CREATE TRIGGER `request_values_are_final` BEFORE UPDATE OF `driver_id`, `type`, `amount_cents`, `created_at` ON `fund_requests`
BEGIN
	SELECT RAISE(ABORT, 'a request is changed by withdrawing it and submitting another');
END;
--> statement-breakpoint
CREATE TRIGGER `request_totals_on_insert` AFTER INSERT ON `fund_requests` WHEN NEW.status IN ('pending', 'approved')
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.requested_on, iif(NEW.status = 'pending', 'pending', NEW.type), (NEW.amount_cents), 1;
END;
--> statement-breakpoint
CREATE TRIGGER `request_totals_on_update` AFTER UPDATE OF `status`, `requested_on` ON `fund_requests` WHEN OLD.status <> NEW.status OR OLD.requested_on <> NEW.requested_on
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.requested_on, iif(OLD.status = 'pending', 'pending', OLD.type), -(OLD.amount_cents), -1 WHERE OLD.status IN ('pending', 'approved');
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.requested_on, iif(NEW.status = 'pending', 'pending', NEW.type), (NEW.amount_cents), 1 WHERE NEW.status IN ('pending', 'approved');
END;
--> statement-breakpoint
CREATE TRIGGER `request_totals_on_delete` AFTER DELETE ON `fund_requests` WHEN OLD.status IN ('pending', 'approved')
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.requested_on, iif(OLD.status = 'pending', 'pending', OLD.type), -(OLD.amount_cents), -1;
END;
--> statement-breakpoint
CREATE TRIGGER `fee_totals_on_insert` AFTER INSERT ON `uber_fees` WHEN NEW.deleted_at IS NULL
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.charged_on, iif(NEW.category = 'other', 'other_fee', NEW.category), (NEW.amount_cents), 1;
END;
--> statement-breakpoint
CREATE TRIGGER `fee_totals_on_deletion` AFTER UPDATE OF `deleted_at` ON `uber_fees` WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.charged_on, iif(OLD.category = 'other', 'other_fee', OLD.category), -(OLD.amount_cents), -1 WHERE OLD.deleted_at IS NULL;
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.charged_on, iif(NEW.category = 'other', 'other_fee', NEW.category), (NEW.amount_cents), 1 WHERE NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `fee_totals_on_delete` AFTER DELETE ON `uber_fees` WHEN OLD.deleted_at IS NULL
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.charged_on, iif(OLD.category = 'other', 'other_fee', OLD.category), -(OLD.amount_cents), -1;
END;
