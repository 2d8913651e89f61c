ALTER TABLE `users` ADD `pseudonymized_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `audit_erased_at` integer;--> statement-breakpoint
CREATE INDEX `users_in_erasure` ON `users` (`pseudonymized_at`,`id`) WHERE pseudonymized_at is not null and audit_erased_at is null;--> statement-breakpoint
CREATE INDEX `mails_by_recipient` ON `mails` (`recipient_id`,`created_at`,`id`);
--> statement-breakpoint
-- While a former driver is pseudonymized, a text may be replaced by its digest, and nothing else.
DROP TRIGGER `audit_events_no_update`;
--> statement-breakpoint
CREATE TRIGGER `audit_events_no_update` BEFORE UPDATE ON `audit_events`
WHEN NOT (EXISTS (SELECT 1 FROM `users` WHERE `pseudonymized_at` IS NOT NULL AND `audit_erased_at` IS NULL)
		AND NEW.`id` IS OLD.`id` AND NEW.`at` IS OLD.`at` AND NEW.`actor_id` IS OLD.`actor_id` AND NEW.`actor_role` IS OLD.`actor_role`
		AND NEW.`session_ref` IS OLD.`session_ref` AND NEW.`request_id` IS OLD.`request_id` AND NEW.`action` IS OLD.`action`
		AND NEW.`entity` IS OLD.`entity` AND NEW.`entity_id` IS OLD.`entity_id`
		AND (NEW.`before` IS OLD.`before` OR (OLD.`before` IS NOT NULL AND NEW.`before` IS NOT NULL AND length(NEW.`before`) = 77
			AND substr(NEW.`before`, 1, 11) = '{"erased":"' AND substr(NEW.`before`, 76) = '"}'
			AND substr(NEW.`before`, 12, 64) NOT GLOB '*[^0-9a-f]*'))
		AND (NEW.`after` IS OLD.`after` OR (OLD.`after` IS NOT NULL AND NEW.`after` IS NOT NULL AND length(NEW.`after`) = 77
			AND substr(NEW.`after`, 1, 11) = '{"erased":"' AND substr(NEW.`after`, 76) = '"}'
			AND substr(NEW.`after`, 12, 64) NOT GLOB '*[^0-9a-f]*'))
		AND (NEW.`reason` IS OLD.`reason` OR (OLD.`reason` IS NOT NULL AND NEW.`reason` IS NOT NULL AND length(NEW.`reason`) = 77
			AND substr(NEW.`reason`, 1, 11) = '{"erased":"' AND substr(NEW.`reason`, 76) = '"}'
			AND substr(NEW.`reason`, 12, 64) NOT GLOB '*[^0-9a-f]*')))
BEGIN
	SELECT RAISE(ABORT, 'audit_events is append-only');
END;
--> statement-breakpoint
DROP TRIGGER `messages_are_final`;
--> statement-breakpoint
CREATE TRIGGER `messages_are_final` BEFORE UPDATE ON `request_messages`
WHEN NOT (NEW.`text` = 'Removed' AND NEW.`payload_hash` = 'removed'
		AND NEW.`id` IS OLD.`id` AND NEW.`request_id` IS OLD.`request_id` AND NEW.`position` IS OLD.`position` AND NEW.`author_id` IS OLD.`author_id`
		AND NEW.`author_role` IS OLD.`author_role` AND NEW.`source` IS OLD.`source` AND NEW.`created_at` IS OLD.`created_at` AND NEW.`captured_at` IS OLD.`captured_at`
		AND NEW.`submission_key` IS OLD.`submission_key` AND NEW.`last_change_id` IS OLD.`last_change_id`
		AND (SELECT `pseudonymized_at` FROM `users`
			WHERE `users`.`id` = (SELECT `driver_id` FROM `fund_requests` WHERE `fund_requests`.`id` = OLD.request_id)) IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'a message is final');
END;
