-- An entry is never deleted, so the next number is always the largest plus one, and no sequence has to be written with each.
CREATE TABLE `audit_rebuilt` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text,
	`actor_role` text NOT NULL,
	`session_ref` text,
	`request_id` text,
	`action` text NOT NULL,
	`entity` text NOT NULL,
	`entity_id` text NOT NULL,
	`before` text,
	`after` text,
	`reason` text,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "audit_action" CHECK(length("audit_rebuilt"."action") between 1 and 60),
	CONSTRAINT "audit_json" CHECK(("audit_rebuilt"."before" is null or json_valid("audit_rebuilt"."before")) and ("audit_rebuilt"."after" is null or json_valid("audit_rebuilt"."after")))
) STRICT;
--> statement-breakpoint
INSERT INTO `audit_rebuilt` (`id`, `at`, `actor_id`, `actor_role`, `session_ref`, `request_id`, `action`, `entity`, `entity_id`, `before`, `after`, `reason`) SELECT `id`, `at`, `actor_id`, `actor_role`, `session_ref`, `request_id`, `action`, `entity`, `entity_id`, `before`, `after`, `reason` FROM `audit_events` ORDER BY `id`;
--> statement-breakpoint
DROP TABLE `audit_events`;
--> statement-breakpoint
ALTER TABLE `audit_rebuilt` RENAME TO `audit_events`;
--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit_events` (`at`);
--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit_events` (`actor_id`,`at`);
--> statement-breakpoint
CREATE INDEX `audit_by_action` ON `audit_events` (`action`,`at`);
--> statement-breakpoint
CREATE INDEX `audit_by_entity` ON `audit_events` (`entity`,`entity_id`,`at`);
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
CREATE TRIGGER `audit_events_no_delete` BEFORE DELETE ON `audit_events`
BEGIN
	SELECT RAISE(ABORT, 'audit_events is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_events_no_replace` BEFORE INSERT ON `audit_events` WHEN EXISTS (SELECT 1 FROM `audit_events` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'audit_events is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `webhooks_are_told` AFTER INSERT ON `audit_events` WHEN EXISTS (SELECT 1 FROM `webhooks` WHERE `removed_at` IS NULL AND `switched_off_at` IS NULL) AND NEW.action IN ('driver.join', 'profile.complete', 'driver.approve', 'driver.create', 'request.submit', 'request.approve', 'request.reject', 'request.reopen', 'request.undo', 'payout.pay', 'payout.reopen', 'fee.import', 'settlement.publish', 'webhook.test')
BEGIN
	INSERT INTO `webhook_deliveries` (`id`, `webhook_id`, `sequence`, `event`, `row_id`, `created_at`, `status`, `send_after`)
	SELECT lower(hex(randomblob(16))), hook.id, NEW.id, told.event, NEW.entity_id, NEW.at, 'queued',
		max(NEW.at, coalesce((SELECT max(earlier.send_after) FROM webhook_deliveries AS earlier
			WHERE earlier.webhook_id = hook.id AND earlier.row_id = NEW.entity_id AND earlier.status = 'queued'), 0))
	FROM (SELECT json_extract('{"driver.join":"driver.applied","profile.complete":"driver.applied","driver.approve":"driver.approved","driver.create":"driver.approved","request.submit":"request.created","request.approve":"request.decided","request.reject":"request.decided","request.reopen":"request.reopened","request.undo":"request.reopened","payout.pay":"payout.paid","payout.reopen":"payout.reopened","fee.import":"statement.imported","settlement.publish":"settlement.published","webhook.test":"webhook.test"}', '$."' || NEW.action || '"') AS event) AS told
	JOIN `webhooks` AS hook ON hook.removed_at IS NULL AND hook.switched_off_at IS NULL
	WHERE (EXISTS (SELECT 1 FROM json_each(hook.events) WHERE value = told.event)
			OR told.event = 'webhook.test' AND hook.id = NEW.entity_id)
		AND (NEW.action <> 'driver.join' OR EXISTS (SELECT 1 FROM users WHERE id = NEW.entity_id AND applied_at IS NOT NULL))
		AND (NEW.action <> 'profile.complete' OR EXISTS (SELECT 1 FROM users WHERE id = NEW.entity_id AND role = 'driver' AND approval_status = 'pending' AND applied_at IS NULL));
END;
