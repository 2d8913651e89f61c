-- What is done to a driver's standing when their days change: the arithmetic stands once, for changes and for moves.
CREATE VIEW `standing_changes` AS
SELECT `driver_id`, '' AS `changed_on`, '' AS `measure`, 0 AS `amount`, 0 AS `entries` FROM `driver_totals` WHERE 0;
--> statement-breakpoint
CREATE TRIGGER `standing_changed` INSTEAD OF INSERT ON `standing_changes`
BEGIN
	UPDATE `standings` SET
		`thirty_trips` = `thirty_trips` + iif(NEW.measure = 'trip' AND (SELECT `thirty_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.entries, 0),
		`week_miles` = `week_miles` + iif(NEW.measure = 'trip' AND (SELECT `week_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.amount, 0),
		`week_fuel_cents` = `week_fuel_cents` + iif(NEW.measure = 'gas' AND (SELECT `week_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.amount, 0),
		`week_fuel_requests` = `week_fuel_requests` + iif(NEW.measure = 'gas' AND (SELECT `week_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.entries, 0),
		`month_miles` = `month_miles` + iif(NEW.measure = 'trip' AND (SELECT `month_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.amount, 0),
		`month_fuel_cents` = `month_fuel_cents` + iif(NEW.measure = 'gas' AND (SELECT `month_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.amount, 0),
		`month_fuel_requests` = `month_fuel_requests` + iif(NEW.measure = 'gas' AND (SELECT `month_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.entries, 0),
		`quarter_miles` = `quarter_miles` + iif(NEW.measure = 'trip' AND (SELECT `quarter_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.amount, 0),
		`quarter_fuel_cents` = `quarter_fuel_cents` + iif(NEW.measure = 'gas' AND (SELECT `quarter_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.amount, 0),
		`quarter_fuel_requests` = `quarter_fuel_requests` + iif(NEW.measure = 'gas' AND (SELECT `quarter_from` FROM `standing_sets` AS s WHERE s.end_day = `standings`.end_day) <= cast(julianday(NEW.changed_on) + 0.5 AS integer), NEW.entries, 0)
	WHERE `driver_id` = NEW.driver_id AND `end_day` IN (
		SELECT `end_day` FROM `standing_sets` WHERE `state` = 'live'
			AND cast(julianday(NEW.changed_on) + 0.5 AS integer) BETWEEN min(`quarter_from`, `thirty_from`) AND `end_day`
	);
	INSERT INTO `standing_marks` (`driver_id`)
	SELECT NEW.driver_id WHERE NOT EXISTS (SELECT 1 FROM `standing_marks` WHERE `driver_id` = NEW.driver_id)
		AND EXISTS (SELECT 1 FROM `standing_sets` WHERE `state` IN ('building', 'built')
			AND cast(julianday(NEW.changed_on) + 0.5 AS integer) BETWEEN min(`quarter_from`, `thirty_from`) AND `end_day`);
END;
--> statement-breakpoint
DROP TRIGGER `standings_followed`;
--> statement-breakpoint
CREATE TRIGGER `standings_followed` INSTEAD OF INSERT ON `total_changes` WHEN NEW.measure IN ('trip', 'gas')
BEGIN
	INSERT INTO `standing_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.changed_on, NEW.measure, NEW.amount, NEW.entries;
END;
--> statement-breakpoint
-- A request that is counted under another measure, or with another amount, stays in its blocks: each is written once instead of twice.
CREATE VIEW `total_moves` AS
SELECT `driver_id`, '' AS `changed_on`, '' AS `before`, 0 AS `before_cents`, '' AS `after`, 0 AS `after_cents` FROM `driver_totals` WHERE 0;
--> statement-breakpoint
CREATE TRIGGER `total_moved` INSTEAD OF INSERT ON `total_moves`
BEGIN
	UPDATE `driver_totals` SET
		`gas_cents` = `gas_cents` + iif(NEW.after = 'gas', NEW.after_cents, 0) - iif(NEW.before = 'gas', NEW.before_cents, 0),
		`gas_requests` = `gas_requests` + (NEW.after = 'gas') - (NEW.before = 'gas'),
		`maintenance_cents` = `maintenance_cents` + iif(NEW.after = 'maintenance', NEW.after_cents, 0) - iif(NEW.before = 'maintenance', NEW.before_cents, 0),
		`maintenance_requests` = `maintenance_requests` + (NEW.after = 'maintenance') - (NEW.before = 'maintenance'),
		`other_cents` = `other_cents` + iif(NEW.after = 'other', NEW.after_cents, 0) - iif(NEW.before = 'other', NEW.before_cents, 0),
		`other_requests` = `other_requests` + (NEW.after = 'other') - (NEW.before = 'other'),
		`pending_cents` = `pending_cents` + iif(NEW.after = 'pending', NEW.after_cents, 0) - iif(NEW.before = 'pending', NEW.before_cents, 0),
		`pending_requests` = `pending_requests` + (NEW.after = 'pending') - (NEW.before = 'pending')
	WHERE (`driver_id`, `days`, `first_day`) IN (
		SELECT who.driver, block.column1, iif(block.column1 = 0, 0, at.day - at.day % block.column1)
		FROM (SELECT NEW.driver_id AS driver UNION ALL SELECT '') AS who,
			(VALUES (0), (1), (4), (16), (64), (256), (1024)) AS block,
			(SELECT cast(julianday(NEW.changed_on) + 0.5 AS integer) AS day) AS at
	);
	INSERT INTO `standing_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.changed_on, 'gas',
		iif(NEW.after = 'gas', NEW.after_cents, 0) - iif(NEW.before = 'gas', NEW.before_cents, 0), (NEW.after = 'gas') - (NEW.before = 'gas')
	WHERE NEW.after = 'gas' OR NEW.before = 'gas';
END;
--> statement-breakpoint
DROP TRIGGER `request_totals_on_update`;
--> statement-breakpoint
CREATE TRIGGER `request_totals_on_update` AFTER UPDATE OF `status`, `requested_on`, `approved_amount_cents` ON `fund_requests`
WHEN OLD.status <> NEW.status OR OLD.requested_on <> NEW.requested_on
	OR (NEW.status = 'approved' AND OLD.approved_amount_cents IS NOT NEW.approved_amount_cents)
BEGIN
	INSERT INTO `total_moves` (`driver_id`, `changed_on`, `before`, `before_cents`, `after`, `after_cents`)
	SELECT NEW.driver_id, NEW.requested_on,
		iif(OLD.status = 'pending', 'pending', OLD.type), iif(OLD.status = 'approved', coalesce(OLD.approved_amount_cents, OLD.amount_cents), OLD.amount_cents),
		iif(NEW.status = 'pending', 'pending', NEW.type), iif(NEW.status = 'approved', coalesce(NEW.approved_amount_cents, NEW.amount_cents), NEW.amount_cents)
	WHERE OLD.status IN ('pending', 'approved') AND NEW.status IN ('pending', 'approved') AND OLD.requested_on = NEW.requested_on;
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.requested_on, iif(OLD.status = 'pending', 'pending', OLD.type),
		-iif(OLD.status = 'approved', coalesce(OLD.approved_amount_cents, OLD.amount_cents), OLD.amount_cents), -1
	WHERE OLD.status IN ('pending', 'approved') AND NOT (NEW.status IN ('pending', 'approved') AND OLD.requested_on = NEW.requested_on);
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.requested_on, iif(NEW.status = 'pending', 'pending', NEW.type),
		iif(NEW.status = 'approved', coalesce(NEW.approved_amount_cents, NEW.amount_cents), NEW.amount_cents), 1
	WHERE NEW.status IN ('pending', 'approved') AND NOT (OLD.status IN ('pending', 'approved') AND OLD.requested_on = NEW.requested_on);
END;
