-- All time is the sum of the blocks of 256 days: no block of its own, and two rows fewer with every change.
DROP TRIGGER `total_changes_added`;
--> statement-breakpoint
CREATE TRIGGER `total_changes_added` INSTEAD OF INSERT ON `total_changes` WHEN NEW.entries > 0
BEGIN
	INSERT INTO `block_totals` (`driver_id`, `days`, `first_day`, `miles`, `trips`, `gas_cents`, `gas_requests`, `maintenance_cents`, `maintenance_requests`, `other_cents`, `other_requests`, `pending_cents`, `pending_requests`, `commission_cents`, `commission_fees`, `service_fee_cents`, `service_fee_fees`, `booking_fee_cents`, `booking_fee_fees`, `other_fee_cents`, `other_fee_fees`)
	SELECT who.driver, block.column1, at.day - at.day % block.column1,
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
		(VALUES (1), (16), (256)) AS block,
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
DROP TRIGGER `total_changes_taken`;
--> statement-breakpoint
CREATE TRIGGER `total_changes_taken` INSTEAD OF INSERT ON `total_changes` WHEN NEW.entries < 0
BEGIN
	UPDATE `block_totals` SET
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
		SELECT who.driver, block.column1, at.day - at.day % block.column1
		FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who,
			(VALUES (1), (16), (256)) AS block,
			(SELECT cast(julianday(NEW.changed_on) + 0.5 AS integer) AS day) AS at
	);
END;
--> statement-breakpoint
DROP TRIGGER `credit_changes_added`;
--> statement-breakpoint
CREATE TRIGGER `credit_changes_added` INSTEAD OF INSERT ON `credit_changes` WHEN NEW.entries > 0
BEGIN
	INSERT INTO `block_totals` (`driver_id`, `days`, `first_day`, `commission_credit_cents`, `commission_credits`, `service_fee_credit_cents`, `service_fee_credits`, `booking_fee_credit_cents`, `booking_fee_credits`, `other_fee_credit_cents`, `other_fee_credits`)
	SELECT who.driver, block.column1, at.day - at.day % block.column1,
		iif(NEW.measure = 'commission', NEW.amount, 0), iif(NEW.measure = 'commission', NEW.entries, 0),
		iif(NEW.measure = 'service_fee', NEW.amount, 0), iif(NEW.measure = 'service_fee', NEW.entries, 0),
		iif(NEW.measure = 'booking_fee', NEW.amount, 0), iif(NEW.measure = 'booking_fee', NEW.entries, 0),
		iif(NEW.measure = 'other_fee', NEW.amount, 0), iif(NEW.measure = 'other_fee', NEW.entries, 0)
	FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who,
		(VALUES (1), (16), (256)) AS block,
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
DROP TRIGGER `credit_changes_taken`;
--> statement-breakpoint
CREATE TRIGGER `credit_changes_taken` INSTEAD OF INSERT ON `credit_changes` WHEN NEW.entries < 0
BEGIN
	UPDATE `block_totals` SET
		`commission_credit_cents` = `commission_credit_cents` + iif(NEW.measure = 'commission', NEW.amount, 0), `commission_credits` = `commission_credits` + iif(NEW.measure = 'commission', NEW.entries, 0),
		`service_fee_credit_cents` = `service_fee_credit_cents` + iif(NEW.measure = 'service_fee', NEW.amount, 0), `service_fee_credits` = `service_fee_credits` + iif(NEW.measure = 'service_fee', NEW.entries, 0),
		`booking_fee_credit_cents` = `booking_fee_credit_cents` + iif(NEW.measure = 'booking_fee', NEW.amount, 0), `booking_fee_credits` = `booking_fee_credits` + iif(NEW.measure = 'booking_fee', NEW.entries, 0),
		`other_fee_credit_cents` = `other_fee_credit_cents` + iif(NEW.measure = 'other_fee', NEW.amount, 0), `other_fee_credits` = `other_fee_credits` + iif(NEW.measure = 'other_fee', NEW.entries, 0)
	WHERE (`driver_id`, `days`, `first_day`) IN (
		SELECT who.driver, block.column1, at.day - at.day % block.column1
		FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who,
			(VALUES (1), (16), (256)) AS block,
			(SELECT cast(julianday(NEW.changed_on) + 0.5 AS integer) AS day) AS at
	);
END;
--> statement-breakpoint
DROP TRIGGER `total_moved`;
--> statement-breakpoint
CREATE TRIGGER `total_moved` INSTEAD OF INSERT ON `total_moves`
BEGIN
	UPDATE `block_totals` SET
		`gas_cents` = `gas_cents` + iif(NEW.after = 'gas', NEW.after_cents, 0) - iif(NEW.before = 'gas', NEW.before_cents, 0),
		`gas_requests` = `gas_requests` + (NEW.after = 'gas') - (NEW.before = 'gas'),
		`maintenance_cents` = `maintenance_cents` + iif(NEW.after = 'maintenance', NEW.after_cents, 0) - iif(NEW.before = 'maintenance', NEW.before_cents, 0),
		`maintenance_requests` = `maintenance_requests` + (NEW.after = 'maintenance') - (NEW.before = 'maintenance'),
		`other_cents` = `other_cents` + iif(NEW.after = 'other', NEW.after_cents, 0) - iif(NEW.before = 'other', NEW.before_cents, 0),
		`other_requests` = `other_requests` + (NEW.after = 'other') - (NEW.before = 'other'),
		`pending_cents` = `pending_cents` + iif(NEW.after = 'pending', NEW.after_cents, 0) - iif(NEW.before = 'pending', NEW.before_cents, 0),
		`pending_requests` = `pending_requests` + (NEW.after = 'pending') - (NEW.before = 'pending')
	WHERE (`driver_id`, `days`, `first_day`) IN (
		SELECT who.driver, block.column1, at.day - at.day % block.column1
		FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who,
			(VALUES (1), (16), (256)) AS block,
			(SELECT cast(julianday(NEW.changed_on) + 0.5 AS integer) AS day) AS at
	);
	INSERT INTO `standing_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.changed_on, 'gas',
		iif(NEW.after = 'gas', NEW.after_cents, 0) - iif(NEW.before = 'gas', NEW.before_cents, 0), (NEW.after = 'gas') - (NEW.before = 'gas')
	WHERE NEW.after = 'gas' OR NEW.before = 'gas';
END;
--> statement-breakpoint
DELETE FROM `block_totals` WHERE `days` = 0;
--> statement-breakpoint
DROP VIEW `driver_totals`;
--> statement-breakpoint
-- The release that is being replaced reads these too.
CREATE VIEW `driver_totals` AS
SELECT `driver_id`, `days`, `first_day`, `miles`, `trips`, `gas_cents`, `gas_requests`, `maintenance_cents`, `maintenance_requests`, `other_cents`, `other_requests`, `pending_cents`, `pending_requests`, `commission_cents`, `commission_fees`, `service_fee_cents`, `service_fee_fees`, `booking_fee_cents`, `booking_fee_fees`, `other_fee_cents`, `other_fee_fees`, `commission_credit_cents`, `commission_credits`, `service_fee_credit_cents`, `service_fee_credits`, `booking_fee_credit_cents`, `booking_fee_credits`, `other_fee_credit_cents`, `other_fee_credits` FROM `block_totals`
UNION ALL
SELECT `driver_id`, `days` * 4, `first_day` - `first_day` % (`days` * 4), sum(`miles`), sum(`trips`), sum(`gas_cents`), sum(`gas_requests`), sum(`maintenance_cents`), sum(`maintenance_requests`), sum(`other_cents`), sum(`other_requests`), sum(`pending_cents`), sum(`pending_requests`), sum(`commission_cents`), sum(`commission_fees`), sum(`service_fee_cents`), sum(`service_fee_fees`), sum(`booking_fee_cents`), sum(`booking_fee_fees`), sum(`other_fee_cents`), sum(`other_fee_fees`), sum(`commission_credit_cents`), sum(`commission_credits`), sum(`service_fee_credit_cents`), sum(`service_fee_credits`), sum(`booking_fee_credit_cents`), sum(`booking_fee_credits`), sum(`other_fee_credit_cents`), sum(`other_fee_credits`) FROM `block_totals`
WHERE `days` IN (1, 16, 256) GROUP BY 1, 2, 3
UNION ALL
SELECT `driver_id`, 0, 0, sum(`miles`), sum(`trips`), sum(`gas_cents`), sum(`gas_requests`), sum(`maintenance_cents`), sum(`maintenance_requests`), sum(`other_cents`), sum(`other_requests`), sum(`pending_cents`), sum(`pending_requests`), sum(`commission_cents`), sum(`commission_fees`), sum(`service_fee_cents`), sum(`service_fee_fees`), sum(`booking_fee_cents`), sum(`booking_fee_fees`), sum(`other_fee_cents`), sum(`other_fee_fees`), sum(`commission_credit_cents`), sum(`commission_credits`), sum(`service_fee_credit_cents`), sum(`service_fee_credits`), sum(`booking_fee_credit_cents`), sum(`booking_fee_credits`), sum(`other_fee_credit_cents`), sum(`other_fee_credits`) FROM `block_totals`
WHERE `days` = 256 GROUP BY 1;
