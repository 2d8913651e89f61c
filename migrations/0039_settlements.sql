CREATE TABLE `settlement_lines` (
	`settlement_id` text NOT NULL,
	`place` integer NOT NULL,
	`kind` text NOT NULL,
	`platform` text,
	`text` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`about_week` text,
	`charge_id` text,
	PRIMARY KEY(`settlement_id`, `place`),
	FOREIGN KEY (`settlement_id`) REFERENCES `settlements`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`charge_id`) REFERENCES `charges`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "settlement_lines_kind" CHECK("settlement_lines"."kind" in ('fares', 'tips', 'promotions', 'tolls', 'miles', 'cash', 'transfers', 'rent', 'fee', 'charge', 'correction')),
	CONSTRAINT "settlement_lines_text" CHECK(length("settlement_lines"."text") between 1 and 500),
	CONSTRAINT "settlement_lines_about" CHECK(("settlement_lines"."kind" = 'correction') = ("settlement_lines"."about_week" is not null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `settlement_lines_by_charge` ON `settlement_lines` (`charge_id`) WHERE charge_id is not null;--> statement-breakpoint
CREATE TABLE `settlement_marks` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`since` text NOT NULL,
	CONSTRAINT "settlement_marks_since" CHECK("settlement_marks"."since" is date("settlement_marks"."since"))
) STRICT;
--> statement-breakpoint
CREATE TABLE `settlements` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`driver_id` text NOT NULL,
	`week_from` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`carried_in_cents` integer,
	`result_cents` integer,
	`published_at` integer,
	`published_by` text,
	`voided_at` integer,
	`voided_by` text,
	`carried_by` text,
	`payout_id` text,
	`last_change_id` text,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`published_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`voided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "settlements_number" CHECK("settlements"."number" > 0),
	CONSTRAINT "settlements_week" CHECK("settlements"."week_from" is date("settlements"."week_from")),
	CONSTRAINT "settlements_status" CHECK("settlements"."status" in ('draft', 'published', 'paid', 'void')),
	CONSTRAINT "settlements_sums" CHECK(("settlements"."result_cents" is null) = ("settlements"."published_at" is null) and ("settlements"."carried_in_cents" is null) = ("settlements"."published_at" is null) and ("settlements"."carried_in_cents" is null or "settlements"."carried_in_cents" <= 0)),
	CONSTRAINT "settlements_publication" CHECK(("settlements"."published_at" is null) = ("settlements"."published_by" is null) and ("settlements"."status" = 'void' or ("settlements"."status" = 'draft') = ("settlements"."published_at" is null))),
	CONSTRAINT "settlements_void" CHECK(("settlements"."status" = 'void') = ("settlements"."voided_at" is not null) and ("settlements"."voided_at" is null) = ("settlements"."voided_by" is null)),
	CONSTRAINT "settlements_carried" CHECK("settlements"."carried_by" is null or "settlements"."result_cents" < 0),
	CONSTRAINT "settlements_payout" CHECK("settlements"."payout_id" is null or "settlements"."result_cents" > 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `settlements_number_once` ON `settlements` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `settlements_once` ON `settlements` (`driver_id`,`week_from`) WHERE status <> 'void';--> statement-breakpoint
CREATE INDEX `settlements_by_week` ON `settlements` (`week_from`,`number`);--> statement-breakpoint
CREATE INDEX `settlements_by_driver` ON `settlements` (`driver_id`,`number`);--> statement-breakpoint
CREATE INDEX `settlements_by_status` ON `settlements` (`status`,`number`);--> statement-breakpoint
CREATE INDEX `settlements_unpaid` ON `settlements` (`driver_id`,`number`) WHERE status = 'published' and payout_id is null and result_cents > 0;--> statement-breakpoint
CREATE INDEX `settlements_to_carry` ON `settlements` (`driver_id`,`week_from`) WHERE result_cents < 0 and carried_by is null;--> statement-breakpoint
CREATE INDEX `settlements_carriers` ON `settlements` (`carried_by`) WHERE carried_by is not null;--> statement-breakpoint
CREATE TRIGGER `settled_money_on_update` AFTER UPDATE OF `is_live` ON `statement_money`
WHEN OLD.is_live <> NEW.is_live AND EXISTS (SELECT 1 FROM `settlements` WHERE `driver_id` = NEW.driver_id AND `week_from` BETWEEN date(NEW.counts_to, '-6 days') AND NEW.counts_to AND `status` <> 'void' AND `status` <> 'draft')
BEGIN
	INSERT INTO `settlement_marks` (`driver_id`, `since`) SELECT NEW.driver_id, NEW.counts_to WHERE NOT EXISTS (SELECT 1 FROM `settlement_marks` WHERE `driver_id` = NEW.driver_id);
	UPDATE `settlement_marks` SET `since` = NEW.counts_to WHERE `driver_id` = NEW.driver_id AND `since` > NEW.counts_to;
END;
--> statement-breakpoint
CREATE TRIGGER `settled_money_on_delete` AFTER DELETE ON `statement_money`
WHEN OLD.is_live = 1 AND EXISTS (SELECT 1 FROM `settlements` WHERE `driver_id` = OLD.driver_id AND `week_from` BETWEEN date(OLD.counts_to, '-6 days') AND OLD.counts_to AND `status` <> 'void' AND `status` <> 'draft')
BEGIN
	INSERT INTO `settlement_marks` (`driver_id`, `since`) SELECT OLD.driver_id, OLD.counts_to WHERE NOT EXISTS (SELECT 1 FROM `settlement_marks` WHERE `driver_id` = OLD.driver_id);
	UPDATE `settlement_marks` SET `since` = OLD.counts_to WHERE `driver_id` = OLD.driver_id AND `since` > OLD.counts_to;
END;
--> statement-breakpoint
CREATE TRIGGER `settled_miles_on_insert` AFTER INSERT ON `mileage_logs`
WHEN EXISTS (SELECT 1 FROM `settlements` WHERE `driver_id` = NEW.driver_id AND `week_from` >= date(NEW.driven_on, '-6 days') AND `status` <> 'void' AND `status` <> 'draft')
BEGIN
	INSERT INTO `settlement_marks` (`driver_id`, `since`) SELECT NEW.driver_id, NEW.driven_on WHERE NOT EXISTS (SELECT 1 FROM `settlement_marks` WHERE `driver_id` = NEW.driver_id);
	UPDATE `settlement_marks` SET `since` = NEW.driven_on WHERE `driver_id` = NEW.driver_id AND `since` > NEW.driven_on;
END;
--> statement-breakpoint
CREATE TRIGGER `settled_miles_on_void` AFTER UPDATE OF `voided_at` ON `mileage_logs`
WHEN (OLD.voided_at IS NULL) <> (NEW.voided_at IS NULL) AND EXISTS (SELECT 1 FROM `settlements` WHERE `driver_id` = NEW.driver_id AND `week_from` >= date(NEW.driven_on, '-6 days') AND `status` <> 'void' AND `status` <> 'draft')
BEGIN
	INSERT INTO `settlement_marks` (`driver_id`, `since`) SELECT NEW.driver_id, NEW.driven_on WHERE NOT EXISTS (SELECT 1 FROM `settlement_marks` WHERE `driver_id` = NEW.driver_id);
	UPDATE `settlement_marks` SET `since` = NEW.driven_on WHERE `driver_id` = NEW.driver_id AND `since` > NEW.driven_on;
END;
--> statement-breakpoint
CREATE TRIGGER `settled_agreement_on_insert` AFTER INSERT ON `agreements`
WHEN EXISTS (SELECT 1 FROM `settlements` WHERE `driver_id` = NEW.driver_id AND `week_from` >= date(NEW.starts_on, '-6 days') AND `status` <> 'void' AND `status` <> 'draft')
BEGIN
	INSERT INTO `settlement_marks` (`driver_id`, `since`) SELECT NEW.driver_id, NEW.starts_on WHERE NOT EXISTS (SELECT 1 FROM `settlement_marks` WHERE `driver_id` = NEW.driver_id);
	UPDATE `settlement_marks` SET `since` = NEW.starts_on WHERE `driver_id` = NEW.driver_id AND `since` > NEW.starts_on;
END;
--> statement-breakpoint
CREATE TRIGGER `settled_charge_on_insert` AFTER INSERT ON `charges`
WHEN EXISTS (SELECT 1 FROM `settlements` WHERE `driver_id` = NEW.driver_id AND `week_from` >= date(NEW.charged_on, '-6 days') AND `status` <> 'void' AND `status` <> 'draft')
BEGIN
	INSERT INTO `settlement_marks` (`driver_id`, `since`) SELECT NEW.driver_id, NEW.charged_on WHERE NOT EXISTS (SELECT 1 FROM `settlement_marks` WHERE `driver_id` = NEW.driver_id);
	UPDATE `settlement_marks` SET `since` = NEW.charged_on WHERE `driver_id` = NEW.driver_id AND `since` > NEW.charged_on;
END;
--> statement-breakpoint
CREATE TRIGGER `settled_charge_on_void` AFTER UPDATE OF `voided_at` ON `charges`
WHEN (OLD.voided_at IS NULL) <> (NEW.voided_at IS NULL) AND EXISTS (SELECT 1 FROM `settlements` WHERE `driver_id` = NEW.driver_id AND `week_from` >= date(NEW.charged_on, '-6 days') AND `status` <> 'void' AND `status` <> 'draft')
BEGIN
	INSERT INTO `settlement_marks` (`driver_id`, `since`) SELECT NEW.driver_id, NEW.charged_on WHERE NOT EXISTS (SELECT 1 FROM `settlement_marks` WHERE `driver_id` = NEW.driver_id);
	UPDATE `settlement_marks` SET `since` = NEW.charged_on WHERE `driver_id` = NEW.driver_id AND `since` > NEW.charged_on;
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_values_are_final` BEFORE UPDATE OF `number`, `driver_id`, `week_from`, `created_at`, `created_by` ON `settlements`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: a settlement is changed by voiding it and making another');
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_sums_are_final` BEFORE UPDATE OF `carried_in_cents`, `result_cents` ON `settlements`
WHEN OLD.result_cents IS NOT NULL AND (NEW.result_cents IS NOT OLD.result_cents OR NEW.carried_in_cents IS NOT OLD.carried_in_cents)
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: what was published stays as it is');
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_lines_are_final` BEFORE UPDATE ON `settlement_lines`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: what was published stays as it is');
END;
