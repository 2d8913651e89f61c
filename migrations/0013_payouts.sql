CREATE TABLE `payout_requests` (
	`payout_id` text NOT NULL,
	`request_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	PRIMARY KEY(`payout_id`, `driver_id`, `request_id`),
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`request_id`) REFERENCES `fund_requests`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "payout_requests_amount" CHECK("payout_requests"."amount_cents" between 1 and 10000000)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payout_requests_once` ON `payout_requests` (`request_id`,`payout_id`);--> statement-breakpoint
CREATE INDEX `payout_requests_by_driver` ON `payout_requests` (`driver_id`,`payout_id`);--> statement-breakpoint
CREATE TABLE `payout_totals` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`ready_cents` integer DEFAULT 0 NOT NULL,
	`ready_requests` integer DEFAULT 0 NOT NULL,
	`open_cents` integer DEFAULT 0 NOT NULL,
	`open_requests` integer DEFAULT 0 NOT NULL,
	`paid_cents` integer DEFAULT 0 NOT NULL,
	`paid_requests` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "payout_totals_ready" CHECK("payout_totals"."ready_requests" >= 0 and "payout_totals"."ready_cents" >= "payout_totals"."ready_requests"),
	CONSTRAINT "payout_totals_open" CHECK("payout_totals"."open_requests" >= 0 and "payout_totals"."open_cents" >= "payout_totals"."open_requests"),
	CONSTRAINT "payout_totals_paid" CHECK("payout_totals"."paid_requests" >= 0 and "payout_totals"."paid_cents" >= "payout_totals"."paid_requests")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payout_totals_ready_first` ON `payout_totals` (`ready_cents`,`driver_id`) WHERE ready_requests > 0 and driver_id <> '';--> statement-breakpoint
CREATE TABLE `payouts` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`total_cents` integer NOT NULL,
	`driver_count` integer NOT NULL,
	`request_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`paid_on` text,
	`reference` text,
	`paid_at` integer,
	`paid_by` text,
	`cancelled_at` integer,
	`cancelled_by` text,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`paid_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`cancelled_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "payouts_number" CHECK("payouts"."number" > 0),
	CONSTRAINT "payouts_status" CHECK("payouts"."status" in ('open', 'paid', 'cancelled')),
	CONSTRAINT "payouts_requests" CHECK("payouts"."request_count" between 1 and 500),
	CONSTRAINT "payouts_drivers" CHECK("payouts"."driver_count" >= 1 and "payouts"."driver_count" <= "payouts"."request_count"),
	CONSTRAINT "payouts_total" CHECK("payouts"."total_cents" >= "payouts"."request_count"),
	CONSTRAINT "payouts_payment" CHECK(("payouts"."status" = 'paid') = ("payouts"."paid_on" is not null) and ("payouts"."paid_on" is null) = ("payouts"."paid_at" is null) and ("payouts"."paid_at" is null) = ("payouts"."paid_by" is null)),
	CONSTRAINT "payouts_paid_on" CHECK("payouts"."paid_on" is null or "payouts"."paid_on" is date("payouts"."paid_on")),
	CONSTRAINT "payouts_reference" CHECK("payouts"."reference" is null or ("payouts"."status" = 'paid' and length("payouts"."reference") between 1 and 100)),
	CONSTRAINT "payouts_cancellation" CHECK(("payouts"."status" = 'cancelled') = ("payouts"."cancelled_at" is not null) and ("payouts"."cancelled_at" is null) = ("payouts"."cancelled_by" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_number_once` ON `payouts` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_submission` ON `payouts` (`created_by`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
ALTER TABLE `fund_requests` ADD `payout_id` text REFERENCES payouts(id) ON DELETE restrict;--> statement-breakpoint
CREATE INDEX `requests_unpaid` ON `fund_requests` (`number`) WHERE status = 'approved' and payout_id is null;--> statement-breakpoint
CREATE INDEX `requests_unpaid_by_driver` ON `fund_requests` (`driver_id`,`number`) WHERE status = 'approved' and payout_id is null;--> statement-breakpoint
ALTER TABLE `mails` ADD `carried_by` text;
--> statement-breakpoint
-- What is approved already is unpaid.
INSERT INTO `payout_totals` (`driver_id`, `ready_cents`, `ready_requests`)
SELECT `driver_id`, sum(coalesce(`approved_amount_cents`, `amount_cents`)), count(*) FROM `fund_requests` WHERE `status` = 'approved' GROUP BY `driver_id`;
--> statement-breakpoint
INSERT INTO `payout_totals` (`driver_id`, `ready_cents`, `ready_requests`)
SELECT '', coalesce(sum(`ready_cents`), 0), coalesce(sum(`ready_requests`), 0) FROM `payout_totals`;
--> statement-breakpoint
-- What is inserted here is added to its driver's totals and the fleet's; the sign says which way.
CREATE VIEW `payout_total_changes` AS
SELECT `driver_id`, '' AS `standing`, 0 AS `cents`, 0 AS `requests` FROM `payout_totals` WHERE 0;
--> statement-breakpoint
CREATE TRIGGER `payout_totals_changed` INSTEAD OF INSERT ON `payout_total_changes`
BEGIN
	INSERT INTO `payout_totals` (`driver_id`)
	SELECT who.driver FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who
	WHERE NOT EXISTS (SELECT 1 FROM `payout_totals` WHERE `driver_id` = who.driver);
	UPDATE `payout_totals` SET
		`ready_cents` = `ready_cents` + iif(NEW.standing = 'ready', NEW.cents, 0),
		`ready_requests` = `ready_requests` + iif(NEW.standing = 'ready', NEW.requests, 0),
		`open_cents` = `open_cents` + iif(NEW.standing = 'open', NEW.cents, 0),
		`open_requests` = `open_requests` + iif(NEW.standing = 'open', NEW.requests, 0),
		`paid_cents` = `paid_cents` + iif(NEW.standing = 'paid', NEW.cents, 0),
		`paid_requests` = `paid_requests` + iif(NEW.standing = 'paid', NEW.requests, 0)
	WHERE `driver_id` IN (NEW.driver_id, '');
END;
--> statement-breakpoint
CREATE TRIGGER `request_standing_on_insert` AFTER INSERT ON `fund_requests` WHEN NEW.status = 'approved'
BEGIN
	INSERT INTO `payout_total_changes` (`driver_id`, `standing`, `cents`, `requests`)
	SELECT NEW.driver_id, iif(NEW.payout_id IS NULL, 'ready', (SELECT iif(`status` = 'paid', 'paid', 'open') FROM `payouts` WHERE `id` = NEW.payout_id)),
		coalesce(NEW.approved_amount_cents, NEW.amount_cents), 1;
END;
--> statement-breakpoint
CREATE TRIGGER `request_standing_on_update` AFTER UPDATE OF `status`, `approved_amount_cents`, `payout_id` ON `fund_requests`
WHEN OLD.status = 'approved' OR NEW.status = 'approved'
BEGIN
	INSERT INTO `payout_total_changes` (`driver_id`, `standing`, `cents`, `requests`)
	SELECT OLD.driver_id, iif(OLD.payout_id IS NULL, 'ready', (SELECT iif(`status` = 'paid', 'paid', 'open') FROM `payouts` WHERE `id` = OLD.payout_id)),
		-coalesce(OLD.approved_amount_cents, OLD.amount_cents), -1
	WHERE OLD.status = 'approved';
	INSERT INTO `payout_total_changes` (`driver_id`, `standing`, `cents`, `requests`)
	SELECT NEW.driver_id, iif(NEW.payout_id IS NULL, 'ready', (SELECT iif(`status` = 'paid', 'paid', 'open') FROM `payouts` WHERE `id` = NEW.payout_id)),
		coalesce(NEW.approved_amount_cents, NEW.amount_cents), 1
	WHERE NEW.status = 'approved';
END;
--> statement-breakpoint
CREATE TRIGGER `request_standing_on_delete` AFTER DELETE ON `fund_requests` WHEN OLD.status = 'approved'
BEGIN
	INSERT INTO `payout_total_changes` (`driver_id`, `standing`, `cents`, `requests`)
	SELECT OLD.driver_id, iif(OLD.payout_id IS NULL, 'ready', (SELECT iif(`status` = 'paid', 'paid', 'open') FROM `payouts` WHERE `id` = OLD.payout_id)),
		-coalesce(OLD.approved_amount_cents, OLD.amount_cents), -1;
END;
--> statement-breakpoint
CREATE TRIGGER `payout_standing` AFTER UPDATE OF `status` ON `payouts` WHEN (OLD.status = 'paid') <> (NEW.status = 'paid')
BEGIN
	INSERT INTO `payout_total_changes` (`driver_id`, `standing`, `cents`, `requests`)
	SELECT `driver_id`, iif(OLD.status = 'paid', 'paid', 'open'), -sum(`amount_cents`), -count(*) FROM `payout_requests` WHERE `payout_id` = OLD.id GROUP BY `driver_id`;
	INSERT INTO `payout_total_changes` (`driver_id`, `standing`, `cents`, `requests`)
	SELECT `driver_id`, iif(NEW.status = 'paid', 'paid', 'open'), sum(`amount_cents`), count(*) FROM `payout_requests` WHERE `payout_id` = NEW.id GROUP BY `driver_id`;
END;
--> statement-breakpoint
-- A release that doesn't know payouts would take an approval back under one: it fails instead.
CREATE TRIGGER `request_in_payout_is_final` BEFORE UPDATE OF `status`, `approved_amount_cents` ON `fund_requests`
WHEN OLD.payout_id IS NOT NULL AND (NEW.status <> OLD.status OR NEW.approved_amount_cents IS NOT OLD.approved_amount_cents)
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the request stands in a payout');
END;
--> statement-breakpoint
CREATE TRIGGER `request_enters_payout` BEFORE UPDATE OF `payout_id` ON `fund_requests`
WHEN NEW.payout_id IS NOT NULL AND OLD.payout_id IS NOT NEW.payout_id AND (OLD.payout_id IS NOT NULL OR NEW.status <> 'approved' OR NOT EXISTS (
	SELECT 1 FROM `payout_requests` AS line JOIN `payouts` ON `payouts`.`id` = line.payout_id
	WHERE line.request_id = NEW.id AND line.payout_id = NEW.payout_id AND line.driver_id = NEW.driver_id
		AND line.amount_cents = coalesce(NEW.approved_amount_cents, NEW.amount_cents) AND `payouts`.`status` = 'open'))
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the request may not enter this payout');
END;
--> statement-breakpoint
CREATE TRIGGER `request_leaves_payout` BEFORE UPDATE OF `payout_id` ON `fund_requests`
WHEN NEW.payout_id IS NULL AND OLD.payout_id IS NOT NULL
	AND (SELECT `status` FROM `payouts` WHERE `id` = OLD.payout_id) <> 'cancelled'
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the payout is not cancelled');
END;
--> statement-breakpoint
CREATE TRIGGER `payout_values_are_final` BEFORE UPDATE OF `number`, `total_cents`, `driver_count`, `request_count`, `created_at`, `created_by` ON `payouts`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: a payout is changed by cancelling it and making another');
END;
--> statement-breakpoint
CREATE TRIGGER `payout_status_follows` BEFORE UPDATE OF `status` ON `payouts`
WHEN NOT (NEW.status = OLD.status OR OLD.status = 'open' OR (OLD.status = 'paid' AND NEW.status = 'open'))
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: a payout is cancelled only while it is open, and for good');
END;
--> statement-breakpoint
CREATE TRIGGER `payout_requests_are_final` BEFORE UPDATE ON `payout_requests`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the requests of a payout are kept as they are');
END;
