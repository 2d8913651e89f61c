ALTER TABLE `settlements` ADD `lacks_agreement` integer;--> statement-breakpoint
CREATE INDEX `settlements_live_in_week` ON `settlements` (`week_from`,`number`) WHERE status <> 'void';--> statement-breakpoint
CREATE INDEX `settlements_void_in_week` ON `settlements` (`week_from`,`number`) WHERE status = 'void';--> statement-breakpoint
CREATE INDEX `settlements_without_agreement` ON `settlements` (`week_from`,`number`) WHERE lacks_agreement = 1 and status = 'draft';--> statement-breakpoint
CREATE INDEX `settlement_marks_latest` ON `settlement_marks` (`since`,`driver_id`);--> statement-breakpoint
CREATE INDEX `statement_money_unproven` ON `statement_money` (`counts_to`) WHERE proof = 'unproven' and is_live = 1;--> statement-breakpoint
CREATE INDEX `statement_money_of_days` ON `statement_money` (`counts_to`,`counts_from`) WHERE counts_from <> counts_to and is_live = 1;--> statement-breakpoint
CREATE TRIGGER `settlement_lacks_agreement` AFTER INSERT ON `settlements`
WHEN NEW.status = 'draft' AND NOT EXISTS (SELECT 1 FROM `agreements` WHERE `driver_id` = NEW.driver_id AND `starts_on` <= NEW.week_from)
BEGIN
	UPDATE `settlements` SET `lacks_agreement` = 1 WHERE `id` = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_gets_agreement` AFTER INSERT ON `agreements`
BEGIN
	UPDATE `settlements` SET `lacks_agreement` = NULL
	WHERE `driver_id` = NEW.driver_id AND `week_from` >= NEW.starts_on AND `status` <> 'void' AND `lacks_agreement` = 1;
END;
--> statement-breakpoint
UPDATE `settlements` SET `lacks_agreement` = 1 WHERE `status` = 'draft'
	AND NOT EXISTS (SELECT 1 FROM `agreements` WHERE `agreements`.`driver_id` = `settlements`.`driver_id` AND `starts_on` <= `week_from`);
