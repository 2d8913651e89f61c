CREATE TRIGGER `audit_events_no_replace` BEFORE INSERT ON `audit_events` WHEN EXISTS (SELECT 1 FROM `audit_events` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'audit_events is append-only');
END;
