CREATE TABLE `standing_marks` (
	`driver_id` text PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `standing_sets` (
	`end_day` integer PRIMARY KEY NOT NULL,
	`week_from` integer NOT NULL,
	`month_from` integer NOT NULL,
	`quarter_from` integer NOT NULL,
	`thirty_from` integer NOT NULL,
	`state` text DEFAULT 'building' NOT NULL,
	`built_to` text DEFAULT '' NOT NULL,
	`excellent_under` integer NOT NULL,
	`good_under` integer NOT NULL,
	`target_cents` integer NOT NULL,
	`active` integer DEFAULT 0 NOT NULL,
	`thirty_driving` integer DEFAULT 0 NOT NULL,
	`week_miles` integer DEFAULT 0 NOT NULL,
	`week_fuel_cents` integer DEFAULT 0 NOT NULL,
	`week_listed` integer DEFAULT 0 NOT NULL,
	`week_excellent` integer DEFAULT 0 NOT NULL,
	`week_good` integer DEFAULT 0 NOT NULL,
	`week_poor` integer DEFAULT 0 NOT NULL,
	`week_over` integer DEFAULT 0 NOT NULL,
	`week_over_cents` integer DEFAULT 0 NOT NULL,
	`week_idle` integer DEFAULT 0 NOT NULL,
	`week_idle_cents` integer DEFAULT 0 NOT NULL,
	`month_miles` integer DEFAULT 0 NOT NULL,
	`month_fuel_cents` integer DEFAULT 0 NOT NULL,
	`month_listed` integer DEFAULT 0 NOT NULL,
	`month_excellent` integer DEFAULT 0 NOT NULL,
	`month_good` integer DEFAULT 0 NOT NULL,
	`month_poor` integer DEFAULT 0 NOT NULL,
	`month_over` integer DEFAULT 0 NOT NULL,
	`month_over_cents` integer DEFAULT 0 NOT NULL,
	`month_idle` integer DEFAULT 0 NOT NULL,
	`month_idle_cents` integer DEFAULT 0 NOT NULL,
	`quarter_miles` integer DEFAULT 0 NOT NULL,
	`quarter_fuel_cents` integer DEFAULT 0 NOT NULL,
	`quarter_listed` integer DEFAULT 0 NOT NULL,
	`quarter_excellent` integer DEFAULT 0 NOT NULL,
	`quarter_good` integer DEFAULT 0 NOT NULL,
	`quarter_poor` integer DEFAULT 0 NOT NULL,
	`quarter_over` integer DEFAULT 0 NOT NULL,
	`quarter_over_cents` integer DEFAULT 0 NOT NULL,
	`quarter_idle` integer DEFAULT 0 NOT NULL,
	`quarter_idle_cents` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "standing_sets_state" CHECK("standing_sets"."state" in ('building', 'built', 'live', 'over'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `standings` (
	`end_day` integer NOT NULL,
	`driver_id` text NOT NULL,
	`is_active` integer NOT NULL,
	`last_name` text NOT NULL,
	`first_name` text NOT NULL,
	`target_cents` integer NOT NULL,
	`thirty_trips` integer DEFAULT 0 NOT NULL,
	`week_miles` integer DEFAULT 0 NOT NULL,
	`week_fuel_cents` integer DEFAULT 0 NOT NULL,
	`week_fuel_requests` integer DEFAULT 0 NOT NULL,
	`week_less_miles` integer GENERATED ALWAYS AS (-week_miles) VIRTUAL,
	`week_less_fuel` integer GENERATED ALWAYS AS (-week_fuel_cents) VIRTUAL,
	`week_per_mile` integer GENERATED ALWAYS AS (iif(week_miles > 0, (2 * week_fuel_cents + week_miles) / (2 * week_miles), null)) VIRTUAL,
	`week_over` integer GENERATED ALWAYS AS (iif(week_per_mile > target_cents, target_cents * week_miles - week_fuel_cents, null)) VIRTUAL,
	`week_best` integer GENERATED ALWAYS AS (iif(week_fuel_cents > 0 and week_per_mile <= target_cents, week_per_mile, null)) VIRTUAL,
	`month_miles` integer DEFAULT 0 NOT NULL,
	`month_fuel_cents` integer DEFAULT 0 NOT NULL,
	`month_fuel_requests` integer DEFAULT 0 NOT NULL,
	`month_less_miles` integer GENERATED ALWAYS AS (-month_miles) VIRTUAL,
	`month_less_fuel` integer GENERATED ALWAYS AS (-month_fuel_cents) VIRTUAL,
	`month_per_mile` integer GENERATED ALWAYS AS (iif(month_miles > 0, (2 * month_fuel_cents + month_miles) / (2 * month_miles), null)) VIRTUAL,
	`month_over` integer GENERATED ALWAYS AS (iif(month_per_mile > target_cents, target_cents * month_miles - month_fuel_cents, null)) VIRTUAL,
	`month_best` integer GENERATED ALWAYS AS (iif(month_fuel_cents > 0 and month_per_mile <= target_cents, month_per_mile, null)) VIRTUAL,
	`quarter_miles` integer DEFAULT 0 NOT NULL,
	`quarter_fuel_cents` integer DEFAULT 0 NOT NULL,
	`quarter_fuel_requests` integer DEFAULT 0 NOT NULL,
	`quarter_less_miles` integer GENERATED ALWAYS AS (-quarter_miles) VIRTUAL,
	`quarter_less_fuel` integer GENERATED ALWAYS AS (-quarter_fuel_cents) VIRTUAL,
	`quarter_per_mile` integer GENERATED ALWAYS AS (iif(quarter_miles > 0, (2 * quarter_fuel_cents + quarter_miles) / (2 * quarter_miles), null)) VIRTUAL,
	`quarter_over` integer GENERATED ALWAYS AS (iif(quarter_per_mile > target_cents, target_cents * quarter_miles - quarter_fuel_cents, null)) VIRTUAL,
	`quarter_best` integer GENERATED ALWAYS AS (iif(quarter_fuel_cents > 0 and quarter_per_mile <= target_cents, quarter_per_mile, null)) VIRTUAL,
	PRIMARY KEY(`end_day`, `driver_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `standing_sets_by_state` ON `standing_sets` (`state`,`end_day`);
--> statement-breakpoint
CREATE INDEX `standings_week` ON `standings` (`end_day`,`week_less_miles`,`week_less_fuel`,`last_name`,`first_name`,`driver_id`) WHERE is_active = 1 or week_miles > 0 or week_fuel_cents > 0;
--> statement-breakpoint
CREATE INDEX `standings_week_over` ON `standings` (`end_day`,`week_over`,`week_less_miles`,`last_name`,`first_name`,`driver_id`) WHERE week_over is not null;
--> statement-breakpoint
CREATE INDEX `standings_week_best` ON `standings` (`end_day`,`week_best`,`week_less_miles`,`week_less_fuel`,`last_name`,`first_name`,`driver_id`) WHERE week_best is not null;
--> statement-breakpoint
CREATE INDEX `standings_month` ON `standings` (`end_day`,`month_less_miles`,`month_less_fuel`,`last_name`,`first_name`,`driver_id`) WHERE is_active = 1 or month_miles > 0 or month_fuel_cents > 0;
--> statement-breakpoint
CREATE INDEX `standings_month_over` ON `standings` (`end_day`,`month_over`,`month_less_miles`,`last_name`,`first_name`,`driver_id`) WHERE month_over is not null;
--> statement-breakpoint
CREATE INDEX `standings_month_best` ON `standings` (`end_day`,`month_best`,`month_less_miles`,`month_less_fuel`,`last_name`,`first_name`,`driver_id`) WHERE month_best is not null;
--> statement-breakpoint
CREATE INDEX `standings_quarter` ON `standings` (`end_day`,`quarter_less_miles`,`quarter_less_fuel`,`last_name`,`first_name`,`driver_id`) WHERE is_active = 1 or quarter_miles > 0 or quarter_fuel_cents > 0;
--> statement-breakpoint
CREATE INDEX `standings_quarter_over` ON `standings` (`end_day`,`quarter_over`,`quarter_less_miles`,`last_name`,`first_name`,`driver_id`) WHERE quarter_over is not null;
--> statement-breakpoint
CREATE INDEX `standings_quarter_best` ON `standings` (`end_day`,`quarter_best`,`quarter_less_miles`,`quarter_less_fuel`,`last_name`,`first_name`,`driver_id`) WHERE quarter_best is not null;
--> statement-breakpoint
-- What a driver's standing adds to its set, and takes from it again.
CREATE TRIGGER `standing_counted` AFTER INSERT ON `standings`
BEGIN
	UPDATE `standing_sets` SET
		`active` = `active` + NEW.is_active,
		`thirty_driving` = `thirty_driving` + (NEW.thirty_trips > 0),
		`week_miles` = `week_miles` + NEW.week_miles,
		`week_fuel_cents` = `week_fuel_cents` + NEW.week_fuel_cents,
		`week_listed` = `week_listed` + (NEW.is_active = 1 OR NEW.week_miles > 0 OR NEW.week_fuel_cents > 0),
		`week_excellent` = `week_excellent` + (NEW.week_per_mile IS NOT NULL AND NEW.week_per_mile < excellent_under),
		`week_good` = `week_good` + (NEW.week_per_mile IS NOT NULL AND NEW.week_per_mile >= excellent_under AND NEW.week_per_mile < good_under),
		`week_poor` = `week_poor` + (NEW.week_per_mile IS NOT NULL AND NEW.week_per_mile >= good_under),
		`week_over` = `week_over` + (NEW.week_over IS NOT NULL),
		`week_over_cents` = `week_over_cents` + coalesce(-NEW.week_over, 0),
		`week_idle` = `week_idle` + (NEW.week_miles = 0 AND NEW.week_fuel_cents > 0),
		`week_idle_cents` = `week_idle_cents` + iif(NEW.week_miles = 0, NEW.week_fuel_cents, 0),
		`month_miles` = `month_miles` + NEW.month_miles,
		`month_fuel_cents` = `month_fuel_cents` + NEW.month_fuel_cents,
		`month_listed` = `month_listed` + (NEW.is_active = 1 OR NEW.month_miles > 0 OR NEW.month_fuel_cents > 0),
		`month_excellent` = `month_excellent` + (NEW.month_per_mile IS NOT NULL AND NEW.month_per_mile < excellent_under),
		`month_good` = `month_good` + (NEW.month_per_mile IS NOT NULL AND NEW.month_per_mile >= excellent_under AND NEW.month_per_mile < good_under),
		`month_poor` = `month_poor` + (NEW.month_per_mile IS NOT NULL AND NEW.month_per_mile >= good_under),
		`month_over` = `month_over` + (NEW.month_over IS NOT NULL),
		`month_over_cents` = `month_over_cents` + coalesce(-NEW.month_over, 0),
		`month_idle` = `month_idle` + (NEW.month_miles = 0 AND NEW.month_fuel_cents > 0),
		`month_idle_cents` = `month_idle_cents` + iif(NEW.month_miles = 0, NEW.month_fuel_cents, 0),
		`quarter_miles` = `quarter_miles` + NEW.quarter_miles,
		`quarter_fuel_cents` = `quarter_fuel_cents` + NEW.quarter_fuel_cents,
		`quarter_listed` = `quarter_listed` + (NEW.is_active = 1 OR NEW.quarter_miles > 0 OR NEW.quarter_fuel_cents > 0),
		`quarter_excellent` = `quarter_excellent` + (NEW.quarter_per_mile IS NOT NULL AND NEW.quarter_per_mile < excellent_under),
		`quarter_good` = `quarter_good` + (NEW.quarter_per_mile IS NOT NULL AND NEW.quarter_per_mile >= excellent_under AND NEW.quarter_per_mile < good_under),
		`quarter_poor` = `quarter_poor` + (NEW.quarter_per_mile IS NOT NULL AND NEW.quarter_per_mile >= good_under),
		`quarter_over` = `quarter_over` + (NEW.quarter_over IS NOT NULL),
		`quarter_over_cents` = `quarter_over_cents` + coalesce(-NEW.quarter_over, 0),
		`quarter_idle` = `quarter_idle` + (NEW.quarter_miles = 0 AND NEW.quarter_fuel_cents > 0),
		`quarter_idle_cents` = `quarter_idle_cents` + iif(NEW.quarter_miles = 0, NEW.quarter_fuel_cents, 0)
	WHERE `end_day` = NEW.end_day AND `state` <> 'over';
END;
--> statement-breakpoint
CREATE TRIGGER `standing_recounted` AFTER UPDATE ON `standings`
BEGIN
	UPDATE `standing_sets` SET
		`active` = `active` + NEW.is_active - OLD.is_active,
		`thirty_driving` = `thirty_driving` + (NEW.thirty_trips > 0) - (OLD.thirty_trips > 0),
		`week_miles` = `week_miles` + NEW.week_miles - OLD.week_miles,
		`week_fuel_cents` = `week_fuel_cents` + NEW.week_fuel_cents - OLD.week_fuel_cents,
		`week_listed` = `week_listed` + (NEW.is_active = 1 OR NEW.week_miles > 0 OR NEW.week_fuel_cents > 0) - (OLD.is_active = 1 OR OLD.week_miles > 0 OR OLD.week_fuel_cents > 0),
		`week_excellent` = `week_excellent` + (NEW.week_per_mile IS NOT NULL AND NEW.week_per_mile < excellent_under) - (OLD.week_per_mile IS NOT NULL AND OLD.week_per_mile < excellent_under),
		`week_good` = `week_good` + (NEW.week_per_mile IS NOT NULL AND NEW.week_per_mile >= excellent_under AND NEW.week_per_mile < good_under) - (OLD.week_per_mile IS NOT NULL AND OLD.week_per_mile >= excellent_under AND OLD.week_per_mile < good_under),
		`week_poor` = `week_poor` + (NEW.week_per_mile IS NOT NULL AND NEW.week_per_mile >= good_under) - (OLD.week_per_mile IS NOT NULL AND OLD.week_per_mile >= good_under),
		`week_over` = `week_over` + (NEW.week_over IS NOT NULL) - (OLD.week_over IS NOT NULL),
		`week_over_cents` = `week_over_cents` + coalesce(-NEW.week_over, 0) - coalesce(-OLD.week_over, 0),
		`week_idle` = `week_idle` + (NEW.week_miles = 0 AND NEW.week_fuel_cents > 0) - (OLD.week_miles = 0 AND OLD.week_fuel_cents > 0),
		`week_idle_cents` = `week_idle_cents` + iif(NEW.week_miles = 0, NEW.week_fuel_cents, 0) - iif(OLD.week_miles = 0, OLD.week_fuel_cents, 0),
		`month_miles` = `month_miles` + NEW.month_miles - OLD.month_miles,
		`month_fuel_cents` = `month_fuel_cents` + NEW.month_fuel_cents - OLD.month_fuel_cents,
		`month_listed` = `month_listed` + (NEW.is_active = 1 OR NEW.month_miles > 0 OR NEW.month_fuel_cents > 0) - (OLD.is_active = 1 OR OLD.month_miles > 0 OR OLD.month_fuel_cents > 0),
		`month_excellent` = `month_excellent` + (NEW.month_per_mile IS NOT NULL AND NEW.month_per_mile < excellent_under) - (OLD.month_per_mile IS NOT NULL AND OLD.month_per_mile < excellent_under),
		`month_good` = `month_good` + (NEW.month_per_mile IS NOT NULL AND NEW.month_per_mile >= excellent_under AND NEW.month_per_mile < good_under) - (OLD.month_per_mile IS NOT NULL AND OLD.month_per_mile >= excellent_under AND OLD.month_per_mile < good_under),
		`month_poor` = `month_poor` + (NEW.month_per_mile IS NOT NULL AND NEW.month_per_mile >= good_under) - (OLD.month_per_mile IS NOT NULL AND OLD.month_per_mile >= good_under),
		`month_over` = `month_over` + (NEW.month_over IS NOT NULL) - (OLD.month_over IS NOT NULL),
		`month_over_cents` = `month_over_cents` + coalesce(-NEW.month_over, 0) - coalesce(-OLD.month_over, 0),
		`month_idle` = `month_idle` + (NEW.month_miles = 0 AND NEW.month_fuel_cents > 0) - (OLD.month_miles = 0 AND OLD.month_fuel_cents > 0),
		`month_idle_cents` = `month_idle_cents` + iif(NEW.month_miles = 0, NEW.month_fuel_cents, 0) - iif(OLD.month_miles = 0, OLD.month_fuel_cents, 0),
		`quarter_miles` = `quarter_miles` + NEW.quarter_miles - OLD.quarter_miles,
		`quarter_fuel_cents` = `quarter_fuel_cents` + NEW.quarter_fuel_cents - OLD.quarter_fuel_cents,
		`quarter_listed` = `quarter_listed` + (NEW.is_active = 1 OR NEW.quarter_miles > 0 OR NEW.quarter_fuel_cents > 0) - (OLD.is_active = 1 OR OLD.quarter_miles > 0 OR OLD.quarter_fuel_cents > 0),
		`quarter_excellent` = `quarter_excellent` + (NEW.quarter_per_mile IS NOT NULL AND NEW.quarter_per_mile < excellent_under) - (OLD.quarter_per_mile IS NOT NULL AND OLD.quarter_per_mile < excellent_under),
		`quarter_good` = `quarter_good` + (NEW.quarter_per_mile IS NOT NULL AND NEW.quarter_per_mile >= excellent_under AND NEW.quarter_per_mile < good_under) - (OLD.quarter_per_mile IS NOT NULL AND OLD.quarter_per_mile >= excellent_under AND OLD.quarter_per_mile < good_under),
		`quarter_poor` = `quarter_poor` + (NEW.quarter_per_mile IS NOT NULL AND NEW.quarter_per_mile >= good_under) - (OLD.quarter_per_mile IS NOT NULL AND OLD.quarter_per_mile >= good_under),
		`quarter_over` = `quarter_over` + (NEW.quarter_over IS NOT NULL) - (OLD.quarter_over IS NOT NULL),
		`quarter_over_cents` = `quarter_over_cents` + coalesce(-NEW.quarter_over, 0) - coalesce(-OLD.quarter_over, 0),
		`quarter_idle` = `quarter_idle` + (NEW.quarter_miles = 0 AND NEW.quarter_fuel_cents > 0) - (OLD.quarter_miles = 0 AND OLD.quarter_fuel_cents > 0),
		`quarter_idle_cents` = `quarter_idle_cents` + iif(NEW.quarter_miles = 0, NEW.quarter_fuel_cents, 0) - iif(OLD.quarter_miles = 0, OLD.quarter_fuel_cents, 0)
	WHERE `end_day` = NEW.end_day AND `state` <> 'over';
END;
--> statement-breakpoint
CREATE TRIGGER `standing_discounted` AFTER DELETE ON `standings`
BEGIN
	UPDATE `standing_sets` SET
		`active` = `active` - OLD.is_active,
		`thirty_driving` = `thirty_driving` - (OLD.thirty_trips > 0),
		`week_miles` = `week_miles` - OLD.week_miles,
		`week_fuel_cents` = `week_fuel_cents` - OLD.week_fuel_cents,
		`week_listed` = `week_listed` - (OLD.is_active = 1 OR OLD.week_miles > 0 OR OLD.week_fuel_cents > 0),
		`week_excellent` = `week_excellent` - (OLD.week_per_mile IS NOT NULL AND OLD.week_per_mile < excellent_under),
		`week_good` = `week_good` - (OLD.week_per_mile IS NOT NULL AND OLD.week_per_mile >= excellent_under AND OLD.week_per_mile < good_under),
		`week_poor` = `week_poor` - (OLD.week_per_mile IS NOT NULL AND OLD.week_per_mile >= good_under),
		`week_over` = `week_over` - (OLD.week_over IS NOT NULL),
		`week_over_cents` = `week_over_cents` - coalesce(-OLD.week_over, 0),
		`week_idle` = `week_idle` - (OLD.week_miles = 0 AND OLD.week_fuel_cents > 0),
		`week_idle_cents` = `week_idle_cents` - iif(OLD.week_miles = 0, OLD.week_fuel_cents, 0),
		`month_miles` = `month_miles` - OLD.month_miles,
		`month_fuel_cents` = `month_fuel_cents` - OLD.month_fuel_cents,
		`month_listed` = `month_listed` - (OLD.is_active = 1 OR OLD.month_miles > 0 OR OLD.month_fuel_cents > 0),
		`month_excellent` = `month_excellent` - (OLD.month_per_mile IS NOT NULL AND OLD.month_per_mile < excellent_under),
		`month_good` = `month_good` - (OLD.month_per_mile IS NOT NULL AND OLD.month_per_mile >= excellent_under AND OLD.month_per_mile < good_under),
		`month_poor` = `month_poor` - (OLD.month_per_mile IS NOT NULL AND OLD.month_per_mile >= good_under),
		`month_over` = `month_over` - (OLD.month_over IS NOT NULL),
		`month_over_cents` = `month_over_cents` - coalesce(-OLD.month_over, 0),
		`month_idle` = `month_idle` - (OLD.month_miles = 0 AND OLD.month_fuel_cents > 0),
		`month_idle_cents` = `month_idle_cents` - iif(OLD.month_miles = 0, OLD.month_fuel_cents, 0),
		`quarter_miles` = `quarter_miles` - OLD.quarter_miles,
		`quarter_fuel_cents` = `quarter_fuel_cents` - OLD.quarter_fuel_cents,
		`quarter_listed` = `quarter_listed` - (OLD.is_active = 1 OR OLD.quarter_miles > 0 OR OLD.quarter_fuel_cents > 0),
		`quarter_excellent` = `quarter_excellent` - (OLD.quarter_per_mile IS NOT NULL AND OLD.quarter_per_mile < excellent_under),
		`quarter_good` = `quarter_good` - (OLD.quarter_per_mile IS NOT NULL AND OLD.quarter_per_mile >= excellent_under AND OLD.quarter_per_mile < good_under),
		`quarter_poor` = `quarter_poor` - (OLD.quarter_per_mile IS NOT NULL AND OLD.quarter_per_mile >= good_under),
		`quarter_over` = `quarter_over` - (OLD.quarter_over IS NOT NULL),
		`quarter_over_cents` = `quarter_over_cents` - coalesce(-OLD.quarter_over, 0),
		`quarter_idle` = `quarter_idle` - (OLD.quarter_miles = 0 AND OLD.quarter_fuel_cents > 0),
		`quarter_idle_cents` = `quarter_idle_cents` - iif(OLD.quarter_miles = 0, OLD.quarter_fuel_cents, 0)
	WHERE `end_day` = OLD.end_day AND `state` <> 'over';
END;
--> statement-breakpoint
-- A driver's standing in a set is worked out anew from the days by what is inserted here: the arithmetic stands once.
CREATE VIEW `standing_rebuilds` AS
SELECT 0 AS `end_day`, '' AS `driver_id` FROM `standing_sets` WHERE 0;
--> statement-breakpoint
CREATE TRIGGER `standing_rebuilt` INSTEAD OF INSERT ON `standing_rebuilds`
BEGIN
	DELETE FROM `standings` WHERE `end_day` = NEW.end_day AND `driver_id` = NEW.driver_id;
	INSERT INTO `standings` (`end_day`, `driver_id`, `is_active`, `last_name`, `first_name`, `target_cents`, `thirty_trips`, `week_miles`, `week_fuel_cents`, `week_fuel_requests`, `month_miles`, `month_fuel_cents`, `month_fuel_requests`, `quarter_miles`, `quarter_fuel_cents`, `quarter_fuel_requests`)
	SELECT chosen.end_day, person.id, person.is_active, person.last_name, person.first_name, chosen.target_cents,
		coalesce(sum(iif(counted.first_day >= chosen.thirty_from, counted.trips, 0)), 0),
		coalesce(sum(iif(counted.first_day >= chosen.week_from, counted.miles, 0)), 0),
		coalesce(sum(iif(counted.first_day >= chosen.week_from, counted.gas_cents, 0)), 0),
		coalesce(sum(iif(counted.first_day >= chosen.week_from, counted.gas_requests, 0)), 0),
		coalesce(sum(iif(counted.first_day >= chosen.month_from, counted.miles, 0)), 0),
		coalesce(sum(iif(counted.first_day >= chosen.month_from, counted.gas_cents, 0)), 0),
		coalesce(sum(iif(counted.first_day >= chosen.month_from, counted.gas_requests, 0)), 0),
		coalesce(sum(iif(counted.first_day >= chosen.quarter_from, counted.miles, 0)), 0),
		coalesce(sum(iif(counted.first_day >= chosen.quarter_from, counted.gas_cents, 0)), 0),
		coalesce(sum(iif(counted.first_day >= chosen.quarter_from, counted.gas_requests, 0)), 0)
	FROM `standing_sets` AS chosen
	CROSS JOIN `users` AS person
	LEFT JOIN `driver_totals` AS counted ON counted.driver_id = NEW.driver_id AND counted.days = 1
		AND counted.first_day BETWEEN (SELECT min(`quarter_from`, `thirty_from`) FROM `standing_sets` WHERE `end_day` = NEW.end_day) AND NEW.end_day
	WHERE chosen.end_day = NEW.end_day AND person.id = NEW.driver_id
		AND person.role = 'driver' AND person.approval_status = 'approved' AND person.deleted_at IS NULL
	GROUP BY person.id;
END;
--> statement-breakpoint
-- A change of a driver's days: in the set that is kept it is added at once; in one that is being built the driver is marked, to be worked out again.
CREATE TRIGGER `standings_followed` INSTEAD OF INSERT ON `total_changes` WHEN NEW.measure IN ('trip', 'gas')
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
-- Somebody becomes an approved driver, stops being one, or is called something else.
CREATE TRIGGER `standing_of_new_person` AFTER INSERT ON `users` WHEN NEW.role = 'driver' AND NEW.approval_status = 'approved'
BEGIN
	INSERT INTO `standing_rebuilds` (`end_day`, `driver_id`)
	SELECT `end_day`, NEW.id FROM `standing_sets` WHERE `state` = 'live';
	INSERT INTO `standing_marks` (`driver_id`)
	SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM `standing_marks` WHERE `driver_id` = NEW.id)
		AND EXISTS (SELECT 1 FROM `standing_sets` WHERE `state` IN ('building', 'built'));
END;
--> statement-breakpoint
CREATE TRIGGER `standing_of_person` AFTER UPDATE OF `role`, `approval_status`, `is_active`, `deleted_at`, `first_name`, `last_name` ON `users`
WHEN OLD.role IS NOT NEW.role OR OLD.approval_status IS NOT NEW.approval_status OR OLD.is_active IS NOT NEW.is_active OR OLD.deleted_at IS NOT NEW.deleted_at OR OLD.first_name IS NOT NEW.first_name OR OLD.last_name IS NOT NEW.last_name
BEGIN
	INSERT INTO `standing_rebuilds` (`end_day`, `driver_id`)
	SELECT `end_day`, NEW.id FROM `standing_sets` WHERE `state` = 'live';
	INSERT INTO `standing_marks` (`driver_id`)
	SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM `standing_marks` WHERE `driver_id` = NEW.id)
		AND EXISTS (SELECT 1 FROM `standing_sets` WHERE `state` IN ('building', 'built'));
END;
--> statement-breakpoint
CREATE TRIGGER `standing_of_nobody` AFTER DELETE ON `users`
BEGIN
	INSERT INTO `standing_rebuilds` (`end_day`, `driver_id`)
	SELECT `end_day`, OLD.id FROM `standing_sets` WHERE `state` = 'live';
	INSERT INTO `standing_marks` (`driver_id`)
	SELECT OLD.id WHERE NOT EXISTS (SELECT 1 FROM `standing_marks` WHERE `driver_id` = OLD.id)
		AND EXISTS (SELECT 1 FROM `standing_sets` WHERE `state` IN ('building', 'built'));
END;
