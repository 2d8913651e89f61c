ALTER TABLE `payout_requests` ADD `paid_on` text;--> statement-breakpoint
CREATE INDEX `payout_requests_by_day` ON `payout_requests` (`driver_id`,`paid_on`,`payout_id`,`amount_cents`);--> statement-breakpoint
ALTER TABLE `users` ADD `days_off` text;--> statement-breakpoint
CREATE INDEX `payouts_by_status` ON `payouts` (`status`,`number`);--> statement-breakpoint
CREATE INDEX `payouts_by_day` ON `payouts` (`paid_on`,`number`) WHERE paid_on is not null;--> statement-breakpoint
CREATE INDEX `payouts_by_reference` ON `payouts` (reference collate nocase,`number`) WHERE reference is not null;--> statement-breakpoint
DROP TRIGGER `payout_requests_are_final`;
--> statement-breakpoint
UPDATE `payout_requests` SET `paid_on` = (SELECT `paid_on` FROM `payouts` WHERE `id` = `payout_requests`.`payout_id`);
--> statement-breakpoint
CREATE TRIGGER `payout_requests_are_final` BEFORE UPDATE OF `payout_id`, `request_id`, `driver_id`, `amount_cents` ON `payout_requests`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the requests of a payout are kept as they are');
END;
--> statement-breakpoint
CREATE TRIGGER `payout_day_follows` AFTER UPDATE OF `paid_on` ON `payouts` WHEN OLD.paid_on IS NOT NEW.paid_on
BEGIN
	UPDATE `payout_requests` SET `paid_on` = NEW.paid_on WHERE `payout_id` = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `payout_day_on_insert` AFTER INSERT ON `payout_requests`
WHEN NEW.paid_on IS NOT (SELECT `paid_on` FROM `payouts` WHERE `id` = NEW.payout_id)
BEGIN
	UPDATE `payout_requests` SET `paid_on` = (SELECT `paid_on` FROM `payouts` WHERE `id` = NEW.payout_id)
	WHERE `payout_id` = NEW.payout_id AND `driver_id` = NEW.driver_id AND `request_id` = NEW.request_id;
END;
