CREATE TABLE `settlement_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`settlement_id` text NOT NULL,
	`position` integer NOT NULL,
	`author_id` text NOT NULL,
	`author_role` text NOT NULL,
	`text` text NOT NULL,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`settlement_id`) REFERENCES `settlements`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "settlement_messages_position" CHECK("settlement_messages"."position" between 1 and 50),
	CONSTRAINT "settlement_messages_author_role" CHECK("settlement_messages"."author_role" in ('admin', 'driver')),
	CONSTRAINT "settlement_messages_text" CHECK(length("settlement_messages"."text") between 1 and 1000),
	CONSTRAINT "settlement_messages_source" CHECK("settlement_messages"."source" in ('form', 'json', 'outbox', 'seed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `settlement_messages_in_order` ON `settlement_messages` (`settlement_id`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `settlement_messages_submission` ON `settlement_messages` (`author_id`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE INDEX `settlement_messages_by_author` ON `settlement_messages` (`author_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `settlements` ADD `question` text;--> statement-breakpoint
CREATE INDEX `settlements_asked` ON `settlements` (`question`,`number`) WHERE question = 'asked' and status <> 'void';
--> statement-breakpoint
CREATE TRIGGER `settlement_messages_are_final` BEFORE UPDATE ON `settlement_messages`
WHEN NOT (NEW.`text` = 'Removed' AND NEW.`payload_hash` = 'removed'
		AND NEW.`id` IS OLD.`id` AND NEW.`settlement_id` IS OLD.`settlement_id` AND NEW.`position` IS OLD.`position` AND NEW.`author_id` IS OLD.`author_id`
		AND NEW.`author_role` IS OLD.`author_role` AND NEW.`source` IS OLD.`source` AND NEW.`created_at` IS OLD.`created_at`
		AND NEW.`submission_key` IS OLD.`submission_key` AND NEW.`last_change_id` IS OLD.`last_change_id`
		AND (SELECT `pseudonymized_at` FROM `users`
			WHERE `users`.`id` = (SELECT `driver_id` FROM `settlements` WHERE `settlements`.`id` = OLD.settlement_id)) IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'a message is final');
END;
--> statement-breakpoint
CREATE TRIGGER `settlement_question_on_message` AFTER INSERT ON `settlement_messages`
BEGIN
	UPDATE `settlements` SET `question` = iif(NEW.author_role = 'driver', 'asked', 'answered')
	WHERE `id` = NEW.settlement_id;
END;
