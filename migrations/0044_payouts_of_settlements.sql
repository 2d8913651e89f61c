CREATE TABLE `payout_settlements` (
	`payout_id` text NOT NULL,
	`settlement_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`paid_on` text,
	PRIMARY KEY(`payout_id`, `driver_id`, `settlement_id`),
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`settlement_id`) REFERENCES `settlements`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "payout_settlements_amount" CHECK("payout_settlements"."amount_cents" > 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payout_settlements_once` ON `payout_settlements` (`settlement_id`,`payout_id`);--> statement-breakpoint
CREATE INDEX `payout_settlements_by_driver` ON `payout_settlements` (`driver_id`,`payout_id`);--> statement-breakpoint
CREATE INDEX `payout_settlements_by_day` ON `payout_settlements` (`driver_id`,`paid_on`,`payout_id`,`amount_cents`);--> statement-breakpoint
ALTER TABLE `payout_totals` ADD `ready_settled_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payout_totals` ADD `ready_settlements` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payout_totals` ADD `open_settled_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payout_totals` ADD `open_settlements` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payout_totals` ADD `paid_settled_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payout_totals` ADD `paid_settlements` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `payout_totals_owed_first` ON `payout_totals` ((ready_cents + ready_settled_cents),`driver_id`) WHERE ready_requests + ready_settlements > 0 and driver_id <> '';--> statement-breakpoint
ALTER TABLE `payouts` ADD `settlement_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `settlements_unpaid_first` ON `settlements` (`number`) WHERE status = 'published' and payout_id is null and result_cents > 0;
--> statement-breakpoint
-- What is published already is unpaid.
INSERT INTO `payout_totals` (`driver_id`)
SELECT DISTINCT `driver_id` FROM `settlements` WHERE `status` = 'published' AND `result_cents` > 0 AND `driver_id` NOT IN (SELECT `driver_id` FROM `payout_totals`);
--> statement-breakpoint
UPDATE `payout_totals` SET
	`ready_settled_cents` = (SELECT sum(`result_cents`) FROM `settlements` WHERE `settlements`.`driver_id` = `payout_totals`.`driver_id` AND `status` = 'published' AND `result_cents` > 0),
	`ready_settlements` = (SELECT count(*) FROM `settlements` WHERE `settlements`.`driver_id` = `payout_totals`.`driver_id` AND `status` = 'published' AND `result_cents` > 0)
WHERE `driver_id` IN (SELECT `driver_id` FROM `settlements` WHERE `status` = 'published' AND `result_cents` > 0);
--> statement-breakpoint
UPDATE `payout_totals` SET
	`ready_settled_cents` = (SELECT coalesce(sum(`ready_settled_cents`), 0) FROM `payout_totals` WHERE `driver_id` <> ''),
	`ready_settlements` = (SELECT coalesce(sum(`ready_settlements`), 0) FROM `payout_totals` WHERE `driver_id` <> '')
WHERE `driver_id` = '';
--> statement-breakpoint
-- What is inserted here is added to its driver's totals and the fleet's; the sign says which way.
CREATE VIEW `settled_total_changes` AS
SELECT `driver_id`, '' AS `standing`, 0 AS `cents`, 0 AS `settlements` FROM `payout_totals` WHERE 0;
--> statement-breakpoint
CREATE TRIGGER `settled_totals_changed` INSTEAD OF INSERT ON `settled_total_changes`
BEGIN
	INSERT INTO `payout_totals` (`driver_id`)
	SELECT who.driver FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who
	WHERE NOT EXISTS (SELECT 1 FROM `payout_totals` WHERE `driver_id` = who.driver);
	UPDATE `payout_totals` SET
		`ready_settled_cents` = `ready_settled_cents` + iif(NEW.standing = 'ready', NEW.cents, 0),
		`ready_settlements` = `ready_settlements` + iif(NEW.standing = 'ready', NEW.settlements, 0),
		`open_settled_cents` = `open_settled_cents` + iif(NEW.standing = 'open', NEW.cents, 0),
		`open_settlements` = `open_settlements` + iif(NEW.standing = 'open', NEW.settlements, 0),
		`paid_settled_cents` = `paid_settled_cents` + iif(NEW.standing = 'paid', NEW.cents, 0),
		`paid_settlements` = `paid_settlements` + iif(NEW.standing = 'paid', NEW.settlements, 0)
	WHERE `driver_id` IN (NEW.driver_id, '');
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_standing_on_insert` AFTER INSERT ON `settlements`
WHEN NEW.result_cents > 0 AND NEW.status IN ('published', 'paid')
BEGIN
	INSERT INTO `settled_total_changes` (`driver_id`, `standing`, `cents`, `settlements`)
	SELECT NEW.driver_id, iif(NEW.status = 'paid', 'paid', iif(NEW.payout_id IS NULL, 'ready', 'open')), NEW.result_cents, 1;
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_standing_on_update` AFTER UPDATE OF `status`, `result_cents`, `payout_id` ON `settlements`
WHEN coalesce(NEW.result_cents, 0) > 0 AND (OLD.status IN ('published', 'paid') OR NEW.status IN ('published', 'paid'))
BEGIN
	INSERT INTO `settled_total_changes` (`driver_id`, `standing`, `cents`, `settlements`)
	SELECT OLD.driver_id, iif(OLD.status = 'paid', 'paid', iif(OLD.payout_id IS NULL, 'ready', 'open')), -OLD.result_cents, -1
	WHERE OLD.result_cents > 0 AND OLD.status IN ('published', 'paid');
	INSERT INTO `settled_total_changes` (`driver_id`, `standing`, `cents`, `settlements`)
	SELECT NEW.driver_id, iif(NEW.status = 'paid', 'paid', iif(NEW.payout_id IS NULL, 'ready', 'open')), NEW.result_cents, 1
	WHERE NEW.status IN ('published', 'paid');
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_standing_on_delete` AFTER DELETE ON `settlements`
WHEN OLD.result_cents > 0 AND OLD.status IN ('published', 'paid')
BEGIN
	INSERT INTO `settled_total_changes` (`driver_id`, `standing`, `cents`, `settlements`)
	SELECT OLD.driver_id, iif(OLD.status = 'paid', 'paid', iif(OLD.payout_id IS NULL, 'ready', 'open')), -OLD.result_cents, -1;
END;
--> statement-breakpoint
-- Also when a release that doesn't know them changes their payout.
CREATE TRIGGER `settlements_follow_payout` AFTER UPDATE OF `status` ON `payouts` WHEN NEW.status <> OLD.status
BEGIN
	UPDATE `settlements` SET `status` = iif(NEW.status = 'paid', 'paid', 'published'), `payout_id` = iif(NEW.status = 'cancelled', NULL, NEW.id)
	WHERE `id` IN (SELECT `settlement_id` FROM `payout_settlements` WHERE `payout_id` = NEW.id) AND `payout_id` = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_in_payout_is_final` BEFORE UPDATE OF `status` ON `settlements`
WHEN NEW.status <> OLD.status AND (OLD.payout_id IS NOT NULL OR NEW.status = 'paid')
	AND NEW.status IS NOT (SELECT iif(`status` = 'paid', 'paid', 'published') FROM `payouts` WHERE `id` = OLD.payout_id)
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the settlement is paid as its payout is');
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_enters_payout` BEFORE UPDATE OF `payout_id` ON `settlements`
WHEN NEW.payout_id IS NOT NULL AND OLD.payout_id IS NOT NEW.payout_id AND (OLD.payout_id IS NOT NULL OR NEW.status <> 'published' OR NOT EXISTS (
	SELECT 1 FROM `payout_settlements` AS line JOIN `payouts` ON `payouts`.`id` = line.payout_id
	WHERE line.settlement_id = NEW.id AND line.payout_id = NEW.payout_id AND line.driver_id = NEW.driver_id
		AND line.amount_cents = NEW.result_cents AND `payouts`.`status` = 'open'))
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the settlement may not enter this payout');
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_leaves_payout` BEFORE UPDATE OF `payout_id` ON `settlements`
WHEN NEW.payout_id IS NULL AND OLD.payout_id IS NOT NULL
	AND (SELECT `status` FROM `payouts` WHERE `id` = OLD.payout_id) <> 'cancelled'
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the payout is not cancelled');
END;
--> statement-breakpoint
CREATE TRIGGER `payout_settlement_count_is_final` BEFORE UPDATE OF `settlement_count` ON `payouts`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: a payout is changed by cancelling it and making another');
END;
--> statement-breakpoint
CREATE TRIGGER `payout_settlements_are_final` BEFORE UPDATE OF `payout_id`, `settlement_id`, `driver_id`, `amount_cents` ON `payout_settlements`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the settlements of a payout are kept as they are');
END;
--> statement-breakpoint
CREATE TRIGGER `settled_day_follows` AFTER UPDATE OF `paid_on` ON `payouts` WHEN OLD.paid_on IS NOT NEW.paid_on
BEGIN
	UPDATE `payout_settlements` SET `paid_on` = NEW.paid_on WHERE `payout_id` = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `settled_day_on_insert` AFTER INSERT ON `payout_settlements`
WHEN NEW.paid_on IS NOT (SELECT `paid_on` FROM `payouts` WHERE `id` = NEW.payout_id)
BEGIN
	UPDATE `payout_settlements` SET `paid_on` = (SELECT `paid_on` FROM `payouts` WHERE `id` = NEW.payout_id)
	WHERE `payout_id` = NEW.payout_id AND `driver_id` = NEW.driver_id AND `settlement_id` = NEW.settlement_id;
END;
