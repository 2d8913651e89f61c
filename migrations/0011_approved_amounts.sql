ALTER TABLE `fund_requests` ADD `approved_amount_cents` integer;
--> statement-breakpoint
-- The bounds stand in triggers: SQLite cannot add a CHECK over two columns to a table that is there.
CREATE TRIGGER `request_approved_amount_on_insert` BEFORE INSERT ON `fund_requests`
WHEN NEW.approved_amount_cents IS NOT NULL AND (NEW.status <> 'approved' OR NEW.approved_amount_cents NOT BETWEEN 1 AND NEW.amount_cents)
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: requests_approved_amount');
END;
--> statement-breakpoint
CREATE TRIGGER `request_approved_amount_on_update` BEFORE UPDATE OF `approved_amount_cents` ON `fund_requests`
WHEN NEW.approved_amount_cents IS NOT NULL AND (NEW.status <> 'approved' OR NEW.approved_amount_cents NOT BETWEEN 1 AND NEW.amount_cents)
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: requests_approved_amount');
END;
--> statement-breakpoint
-- A release that doesn't know the column takes approvals back without clearing it.
CREATE TRIGGER `request_approved_amount_cleared` AFTER UPDATE OF `status` ON `fund_requests`
WHEN NEW.status <> 'approved' AND NEW.approved_amount_cents IS NOT NULL
BEGIN
	UPDATE `fund_requests` SET `approved_amount_cents` = NULL WHERE `id` = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER `request_totals_on_insert`;
--> statement-breakpoint
DROP TRIGGER `request_totals_on_update`;
--> statement-breakpoint
DROP TRIGGER `request_totals_on_delete`;
--> statement-breakpoint
CREATE TRIGGER `request_totals_on_insert` AFTER INSERT ON `fund_requests` WHEN NEW.status IN ('pending', 'approved')
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.requested_on, iif(NEW.status = 'pending', 'pending', NEW.type),
		iif(NEW.status = 'approved', coalesce(NEW.approved_amount_cents, NEW.amount_cents), NEW.amount_cents), 1;
END;
--> statement-breakpoint
CREATE TRIGGER `request_totals_on_update` AFTER UPDATE OF `status`, `requested_on`, `approved_amount_cents` ON `fund_requests`
WHEN OLD.status <> NEW.status OR OLD.requested_on <> NEW.requested_on
	OR (NEW.status = 'approved' AND OLD.approved_amount_cents IS NOT NEW.approved_amount_cents)
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.requested_on, iif(OLD.status = 'pending', 'pending', OLD.type),
		-iif(OLD.status = 'approved', coalesce(OLD.approved_amount_cents, OLD.amount_cents), OLD.amount_cents), -1
	WHERE OLD.status IN ('pending', 'approved');
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT NEW.driver_id, NEW.requested_on, iif(NEW.status = 'pending', 'pending', NEW.type),
		iif(NEW.status = 'approved', coalesce(NEW.approved_amount_cents, NEW.amount_cents), NEW.amount_cents), 1
	WHERE NEW.status IN ('pending', 'approved');
END;
--> statement-breakpoint
CREATE TRIGGER `request_totals_on_delete` AFTER DELETE ON `fund_requests` WHEN OLD.status IN ('pending', 'approved')
BEGIN
	INSERT INTO `total_changes` (`driver_id`, `changed_on`, `measure`, `amount`, `entries`)
	SELECT OLD.driver_id, OLD.requested_on, iif(OLD.status = 'pending', 'pending', OLD.type),
		-iif(OLD.status = 'approved', coalesce(OLD.approved_amount_cents, OLD.amount_cents), OLD.amount_cents), -1;
END;
