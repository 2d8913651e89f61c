CREATE TABLE `audit_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
	CONSTRAINT "audit_action" CHECK(length("audit_events"."action") between 1 and 60),
	CONSTRAINT "audit_json" CHECK(("audit_events"."before" is null or json_valid("audit_events"."before")) and ("audit_events"."after" is null or json_valid("audit_events"."after")))
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit_events` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit_events` (`actor_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_action` ON `audit_events` (`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_entity` ON `audit_events` (`entity`,`entity_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `fee_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`added_by` text NOT NULL,
	`file_name` text NOT NULL,
	`row_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`undone_at` integer,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`added_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "fee_imports_file_name" CHECK(length("fee_imports"."file_name") between 1 and 200),
	CONSTRAINT "fee_imports_rows" CHECK("fee_imports"."row_count" > 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `fee_imports_submission` ON `fee_imports` (`added_by`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE INDEX `fee_imports_by_time` ON `fee_imports` (`created_at`);--> statement-breakpoint
CREATE TABLE `fund_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`driver_id` text NOT NULL,
	`type` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`description` text NOT NULL,
	`receipt_id` text,
	`receipt_name` text,
	`status` text NOT NULL,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	`captured_at` integer,
	`is_possible_duplicate` integer DEFAULT false NOT NULL,
	`admin_notes` text,
	`decided_at` integer,
	`decided_by` text,
	`withdrawn_at` integer,
	`replaces_id` text,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`decided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`replaces_id`) REFERENCES `fund_requests`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "requests_number" CHECK("fund_requests"."number" > 0),
	CONSTRAINT "requests_type" CHECK("fund_requests"."type" in ('gas', 'maintenance', 'other')),
	CONSTRAINT "requests_status" CHECK("fund_requests"."status" in ('pending', 'approved', 'rejected', 'withdrawn')),
	CONSTRAINT "requests_source" CHECK("fund_requests"."source" in ('form', 'json', 'outbox', 'seed')),
	CONSTRAINT "requests_amount" CHECK("fund_requests"."amount_cents" between 1 and 10000000),
	CONSTRAINT "requests_description" CHECK(length("fund_requests"."description") between 1 and 2000),
	CONSTRAINT "requests_receipt_name" CHECK("fund_requests"."receipt_name" is null or length("fund_requests"."receipt_name") between 1 and 200),
	CONSTRAINT "requests_notes" CHECK("fund_requests"."admin_notes" is null or length("fund_requests"."admin_notes") between 1 and 2000),
	CONSTRAINT "requests_duplicate" CHECK("fund_requests"."is_possible_duplicate" in (0, 1)),
	CONSTRAINT "requests_decision" CHECK(("fund_requests"."status" in ('approved', 'rejected')) = ("fund_requests"."decided_at" is not null) and ("fund_requests"."decided_at" is null) = ("fund_requests"."decided_by" is null)),
	CONSTRAINT "requests_withdrawal" CHECK(("fund_requests"."status" = 'withdrawn') = ("fund_requests"."withdrawn_at" is not null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `requests_number_once` ON `fund_requests` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `requests_submission` ON `fund_requests` (`driver_id`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `requests_receipt_once` ON `fund_requests` (`receipt_id`) WHERE receipt_id is not null;--> statement-breakpoint
CREATE INDEX `requests_by_driver` ON `fund_requests` (`driver_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_driver_status` ON `fund_requests` (`driver_id`,`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `requests_by_time` ON `fund_requests` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_status` ON `fund_requests` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_type` ON `fund_requests` (`type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_by_amount` ON `fund_requests` (`amount_cents`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_once` ON `identities` (`issuer`,`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_one_per_user` ON `identities` (`user_id`);--> statement-breakpoint
CREATE INDEX `identities_by_issuer` ON `identities` (`issuer`,`created_at`);--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recipient_id` text,
	`address` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`about_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`send_after` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`sent_at` integer,
	`dedupe_key` text NOT NULL,
	FOREIGN KEY (`recipient_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "mails_status" CHECK("mails"."status" in ('queued', 'sending', 'sent', 'failed', 'cancelled')),
	CONSTRAINT "mails_attempts" CHECK("mails"."attempts" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `mails_once` ON `mails` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `mails_waiting` ON `mails` (`status`,`send_after`);--> statement-breakpoint
CREATE INDEX `mails_by_time` ON `mails` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `mails_about` ON `mails` (`about_id`);--> statement-breakpoint
CREATE TABLE `mileage_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`driven_on` text NOT NULL,
	`start_miles` integer NOT NULL,
	`end_miles` integer NOT NULL,
	`miles` integer GENERATED ALWAYS AS (end_miles - start_miles) STORED NOT NULL,
	`notes` text,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	`captured_at` integer,
	`gap_miles` integer,
	`is_overlap` integer DEFAULT false NOT NULL,
	`is_out_of_order` integer DEFAULT false NOT NULL,
	`is_long` integer DEFAULT false NOT NULL,
	`voided_at` integer,
	`voided_by` text,
	`void_reason` text,
	`corrects_id` text,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`voided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`corrects_id`) REFERENCES `mileage_logs`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "mileage_driven_on" CHECK("mileage_logs"."driven_on" is date("mileage_logs"."driven_on")),
	CONSTRAINT "mileage_start" CHECK("mileage_logs"."start_miles" between 0 and 9999999),
	CONSTRAINT "mileage_end" CHECK("mileage_logs"."end_miles" between 0 and 9999999),
	CONSTRAINT "mileage_end_after_start" CHECK("mileage_logs"."end_miles" > "mileage_logs"."start_miles"),
	CONSTRAINT "mileage_notes" CHECK("mileage_logs"."notes" is null or length("mileage_logs"."notes") between 1 and 1000),
	CONSTRAINT "mileage_source" CHECK("mileage_logs"."source" in ('form', 'json', 'outbox', 'seed')),
	CONSTRAINT "mileage_flags" CHECK("mileage_logs"."is_overlap" in (0, 1) and "mileage_logs"."is_out_of_order" in (0, 1) and "mileage_logs"."is_long" in (0, 1)),
	CONSTRAINT "mileage_gap" CHECK("mileage_logs"."gap_miles" is null or "mileage_logs"."gap_miles" > 0),
	CONSTRAINT "mileage_void" CHECK(("mileage_logs"."voided_at" is null) = ("mileage_logs"."voided_by" is null)),
	CONSTRAINT "mileage_void_reason" CHECK("mileage_logs"."void_reason" is null or length("mileage_logs"."void_reason") between 1 and 500)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `mileage_same_trip` ON `mileage_logs` (`driver_id`,`driven_on`,`start_miles`,`end_miles`) WHERE voided_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `mileage_submission` ON `mileage_logs` (`driver_id`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE INDEX `mileage_by_driver_day` ON `mileage_logs` (`driver_id`,`driven_on`,`end_miles`,`id`);--> statement-breakpoint
CREATE INDEX `mileage_by_driver_reading` ON `mileage_logs` (`driver_id`,`start_miles`) WHERE voided_at is null;--> statement-breakpoint
CREATE INDEX `mileage_by_driver_received` ON `mileage_logs` (`driver_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `mileage_by_day` ON `mileage_logs` (`driven_on`,`id`);--> statement-breakpoint
CREATE INDEX `mileage_long` ON `mileage_logs` (`driver_id`,`start_miles`) WHERE is_long = 1 and voided_at is null;--> statement-breakpoint
CREATE INDEX `mileage_flagged` ON `mileage_logs` (`driven_on`,`id`) WHERE voided_at is null and (gap_miles is not null or is_overlap = 1 or is_out_of_order = 1 or is_long = 1);--> statement-breakpoint
CREATE TABLE `mileage_totals` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`miles` integer NOT NULL,
	`trips` integer NOT NULL,
	CONSTRAINT "mileage_totals_trips" CHECK("mileage_totals"."trips" >= 0 and "mileage_totals"."miles" >= "mileage_totals"."trips")
) STRICT;
--> statement-breakpoint
CREATE TABLE `receipts` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`object_key` text NOT NULL,
	`media_type` text NOT NULL,
	`byte_size` integer NOT NULL,
	`sha256` text NOT NULL,
	`file_name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "receipts_media_type" CHECK("receipts"."media_type" in ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
	CONSTRAINT "receipts_byte_size" CHECK("receipts"."byte_size" between 1 and 8388608),
	CONSTRAINT "receipts_sha256" CHECK(length("receipts"."sha256") = 64),
	CONSTRAINT "receipts_file_name" CHECK(length("receipts"."file_name") between 1 and 200)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_object` ON `receipts` (`object_key`);--> statement-breakpoint
CREATE INDEX `receipts_by_owner` ON `receipts` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `receipts_by_content` ON `receipts` (`sha256`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`ended_at` integer,
	`ended_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "sessions_token_hash" CHECK(length("sessions"."token_hash") = 64),
	CONSTRAINT "sessions_ended_reason" CHECK("sessions"."ended_reason" is null or "sessions"."ended_reason" in ('signed-out', 'rotated', 'deactivated', 'role-changed', 'ended-by-admin', 'too-many')),
	CONSTRAINT "sessions_end_has_reason" CHECK(("sessions"."ended_at" is null) = ("sessions"."ended_reason" is null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`ends_at`);--> statement-breakpoint
CREATE TABLE `sign_in_attempts` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`used_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_in_attempts_by_time` ON `sign_in_attempts` (`used_at`);--> statement-breakpoint
CREATE TABLE `uber_fees` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`category` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`charged_on` text NOT NULL,
	`reference_number` text,
	`description` text,
	`added_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	`deleted_by` text,
	`replaces_id` text,
	`import_id` text,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`added_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`deleted_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`import_id`) REFERENCES `fee_imports`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`replaces_id`) REFERENCES `uber_fees`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "fees_category" CHECK("uber_fees"."category" in ('commission', 'service_fee', 'booking_fee', 'other')),
	CONSTRAINT "fees_amount" CHECK("uber_fees"."amount_cents" between 1 and 10000000),
	CONSTRAINT "fees_charged_on" CHECK("uber_fees"."charged_on" is date("uber_fees"."charged_on")),
	CONSTRAINT "fees_reference" CHECK("uber_fees"."reference_number" is null or length("uber_fees"."reference_number") between 1 and 100),
	CONSTRAINT "fees_description" CHECK("uber_fees"."description" is null or length("uber_fees"."description") between 1 and 1000),
	CONSTRAINT "fees_deletion" CHECK(("uber_fees"."deleted_at" is null) = ("uber_fees"."deleted_by" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `fees_submission` ON `uber_fees` (`added_by`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE INDEX `fees_by_driver` ON `uber_fees` (`driver_id`,`charged_on`,`id`);--> statement-breakpoint
CREATE INDEX `fees_by_day` ON `uber_fees` (`charged_on`,`id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `fees_by_import` ON `uber_fees` (`import_id`);--> statement-breakpoint
CREATE INDEX `fees_by_reference` ON `uber_fees` (`reference_number`) WHERE deleted_at is null and reference_number is not null;--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`first_name` text DEFAULT '' NOT NULL,
	`last_name` text DEFAULT '' NOT NULL,
	`email` text,
	`unverified_email` text,
	`driver_number` integer,
	`approval_status` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text,
	`applied_at` integer,
	`approved_at` integer,
	`decided_by` text,
	`deactivated_at` integer,
	`invited_at` integer,
	`invite_expires_at` integer,
	`claimed_at` integer,
	`deleted_at` integer,
	`last_change_id` text,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`decided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "users_role" CHECK("users"."role" in ('admin', 'driver', 'none')),
	CONSTRAINT "users_approval_status" CHECK("users"."approval_status" in ('pending', 'approved', 'rejected')),
	CONSTRAINT "users_is_active" CHECK("users"."is_active" in (0, 1)),
	CONSTRAINT "users_first_name" CHECK(length("users"."first_name") between 0 and 80),
	CONSTRAINT "users_last_name" CHECK(length("users"."last_name") between 0 and 80),
	CONSTRAINT "users_email" CHECK("users"."email" is null or (length("users"."email") between 3 and 254 and "users"."email" = lower("users"."email"))),
	CONSTRAINT "users_driver_number" CHECK("users"."driver_number" is null or "users"."driver_number" > 0),
	CONSTRAINT "users_no_code_for_admins" CHECK("users"."driver_number" is null or "users"."role" <> 'admin')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_live_email` ON `users` (`email`) WHERE email is not null and deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_driver_number_once` ON `users` (`driver_number`) WHERE driver_number is not null;--> statement-breakpoint
CREATE INDEX `users_by_standing` ON `users` (`role`,`approval_status`,`is_active`,`last_name`,`first_name`,`id`);--> statement-breakpoint
CREATE INDEX `users_applications` ON `users` (`applied_at`,`id`) WHERE role = 'driver' and approval_status = 'pending' and applied_at is not null;--> statement-breakpoint
CREATE TRIGGER `audit_events_no_update` BEFORE UPDATE ON `audit_events`
BEGIN
	SELECT RAISE(ABORT, 'audit_events is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `audit_events_no_delete` BEFORE DELETE ON `audit_events`
BEGIN
	SELECT RAISE(ABORT, 'audit_events is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `mileage_readings_are_final` BEFORE UPDATE OF `driver_id`, `driven_on`, `start_miles`, `end_miles` ON `mileage_logs`
BEGIN
	SELECT RAISE(ABORT, 'a logged trip is corrected by voiding it and logging again');
END;--> statement-breakpoint
CREATE TRIGGER `mileage_totals_on_insert` AFTER INSERT ON `mileage_logs` WHEN NEW.voided_at IS NULL
BEGIN
	INSERT INTO `mileage_totals` (`driver_id`, `miles`, `trips`) VALUES (NEW.driver_id, NEW.end_miles - NEW.start_miles, 1), ('', NEW.end_miles - NEW.start_miles, 1)
	ON CONFLICT (`driver_id`) DO UPDATE SET `miles` = `miles` + excluded.`miles`, `trips` = `trips` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `mileage_totals_on_void` AFTER UPDATE OF `voided_at` ON `mileage_logs` WHEN (OLD.voided_at IS NULL) <> (NEW.voided_at IS NULL)
BEGIN
	UPDATE `mileage_totals` SET
		`miles` = `miles` + iif(NEW.voided_at IS NULL, 1, -1) * (NEW.end_miles - NEW.start_miles),
		`trips` = `trips` + iif(NEW.voided_at IS NULL, 1, -1)
	WHERE `driver_id` IN (NEW.driver_id, '');
END;--> statement-breakpoint
CREATE TRIGGER `mileage_totals_on_delete` AFTER DELETE ON `mileage_logs` WHEN OLD.voided_at IS NULL
BEGIN
	UPDATE `mileage_totals` SET `miles` = `miles` - (OLD.end_miles - OLD.start_miles), `trips` = `trips` - 1
	WHERE `driver_id` IN (OLD.driver_id, '');
END;
