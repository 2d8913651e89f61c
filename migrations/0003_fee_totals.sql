CREATE TABLE `fee_totals` (
	`driver_id` text NOT NULL,
	`category` text NOT NULL,
	`cents` integer NOT NULL,
	`entries` integer NOT NULL,
	PRIMARY KEY(`driver_id`, `category`),
	CONSTRAINT "fee_totals_category" CHECK("fee_totals"."category" in ('commission', 'service_fee', 'booking_fee', 'other')),
	CONSTRAINT "fee_totals_entries" CHECK("fee_totals"."entries" >= 0 and "fee_totals"."cents" >= "fee_totals"."entries")
) STRICT;
--> statement-breakpoint
INSERT INTO `fee_totals` (`driver_id`, `category`, `cents`, `entries`)
SELECT `driver_id`, `category`, sum(`amount_cents`), count(*) FROM `uber_fees` WHERE `deleted_at` IS NULL GROUP BY `driver_id`, `category`
UNION ALL
SELECT '', `category`, sum(`amount_cents`), count(*) FROM `uber_fees` WHERE `deleted_at` IS NULL GROUP BY `category`;
--> statement-breakpoint
CREATE TRIGGER `fee_values_are_final` BEFORE UPDATE OF `driver_id`, `category`, `amount_cents`, `charged_on` ON `uber_fees`
BEGIN
	SELECT RAISE(ABORT, 'a fee is changed by deleting it and adding it again');
END;--> statement-breakpoint
CREATE TRIGGER `fee_totals_on_insert` AFTER INSERT ON `uber_fees` WHEN NEW.deleted_at IS NULL
BEGIN
	INSERT INTO `fee_totals` (`driver_id`, `category`, `cents`, `entries`) VALUES (NEW.driver_id, NEW.category, NEW.amount_cents, 1), ('', NEW.category, NEW.amount_cents, 1)
	ON CONFLICT (`driver_id`, `category`) DO UPDATE SET `cents` = `cents` + excluded.`cents`, `entries` = `entries` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `fee_totals_on_deletion` AFTER UPDATE OF `deleted_at` ON `uber_fees` WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
	INSERT INTO `fee_totals` (`driver_id`, `category`, `cents`, `entries`) VALUES (NEW.driver_id, NEW.category, 0, 0), ('', NEW.category, 0, 0)
	ON CONFLICT (`driver_id`, `category`) DO NOTHING;
	UPDATE `fee_totals` SET
		`cents` = `cents` + iif(NEW.deleted_at IS NULL, 1, -1) * NEW.amount_cents,
		`entries` = `entries` + iif(NEW.deleted_at IS NULL, 1, -1)
	WHERE `driver_id` IN (NEW.driver_id, '') AND `category` = NEW.category;
END;--> statement-breakpoint
CREATE TRIGGER `fee_totals_on_delete` AFTER DELETE ON `uber_fees` WHEN OLD.deleted_at IS NULL
BEGIN
	UPDATE `fee_totals` SET `cents` = `cents` - OLD.amount_cents, `entries` = `entries` - 1
	WHERE `driver_id` IN (OLD.driver_id, '') AND `category` = OLD.category;
END;
