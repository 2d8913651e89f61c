CREATE TABLE `request_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`position` integer NOT NULL,
	`author_id` text NOT NULL,
	`author_role` text NOT NULL,
	`text` text NOT NULL,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	`captured_at` integer,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`request_id`) REFERENCES `fund_requests`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "messages_position" CHECK("request_messages"."position" between 1 and 50),
	CONSTRAINT "messages_author_role" CHECK("request_messages"."author_role" in ('admin', 'driver')),
	CONSTRAINT "messages_text" CHECK(length("request_messages"."text") between 1 and 1000),
	CONSTRAINT "messages_source" CHECK("request_messages"."source" in ('form', 'json', 'outbox', 'seed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_in_order` ON `request_messages` (`request_id`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `messages_submission` ON `request_messages` (`author_id`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE INDEX `messages_by_author` ON `request_messages` (`author_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `fund_requests` ADD `question` text;
--> statement-breakpoint
CREATE TRIGGER `messages_are_final` BEFORE UPDATE ON `request_messages`
BEGIN
	SELECT RAISE(ABORT, 'a message is final');
END;
--> statement-breakpoint
CREATE TRIGGER `request_question_on_message` AFTER INSERT ON `request_messages`
BEGIN
	UPDATE `fund_requests` SET `question` = iif(NEW.author_role = 'admin', 'asked', 'answered')
	WHERE `id` = NEW.request_id;
END;
--> statement-breakpoint
-- A release that doesn't know the question adds receipts too.
CREATE TRIGGER `request_question_on_receipt` AFTER UPDATE OF `receipt_id` ON `fund_requests`
WHEN NEW.question = 'asked' AND NEW.status = 'pending' AND OLD.receipt_id IS NULL AND NEW.receipt_id IS NOT NULL
BEGIN
	UPDATE `fund_requests` SET `question` = 'answered' WHERE `id` = NEW.id;
END;
