CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`event` text NOT NULL,
	`row_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`status` text NOT NULL,
	`send_after` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`may_have_arrived` integer DEFAULT false NOT NULL,
	`delivered_at` integer,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "webhook_deliveries_event" CHECK(length("webhook_deliveries"."event") between 1 and 60),
	CONSTRAINT "webhook_deliveries_status" CHECK("webhook_deliveries"."status" in ('queued', 'sending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_attempts" CHECK("webhook_deliveries"."attempts" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`send_after`,`sequence`) WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_row` ON `webhook_deliveries` (`webhook_id`,`row_id`,`sequence`) WHERE status in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX `webhook_deliveries_under_way` ON `webhook_deliveries` (`send_after`) WHERE status = 'sending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_time` ON `webhook_deliveries` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`added_by` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`secret` text NOT NULL,
	`older_secret` text,
	`older_secret_until` integer,
	`created_at` integer NOT NULL,
	`failing_since` integer,
	`switched_off_at` integer,
	`removed_at` integer,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`added_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "webhooks_url" CHECK(length("webhooks"."url") between 12 and 500),
	CONSTRAINT "webhooks_events" CHECK(json_type("webhooks"."events") = 'array'),
	CONSTRAINT "webhooks_secret" CHECK(iif("webhooks"."removed_at" is null, length("webhooks"."secret") = 50, "webhooks"."secret" = '')),
	CONSTRAINT "webhooks_older_secret" CHECK(("webhooks"."older_secret" is null) = ("webhooks"."older_secret_until" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_submissions` ON `webhooks` (`added_by`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE INDEX `webhooks_there` ON `webhooks` (`created_at`,`id`) WHERE removed_at is null;
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
