CREATE TABLE `audit_salts` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`salt` text NOT NULL,
	CONSTRAINT "audit_salts_salt" CHECK(length("audit_salts"."salt") between 32 and 32)
) STRICT;
--> statement-breakpoint
CREATE TABLE `audit_seals` (
	`last_event_id` integer PRIMARY KEY NOT NULL,
	`entries` integer NOT NULL,
	`hash` text NOT NULL,
	`sealed_at` integer NOT NULL,
	CONSTRAINT "audit_seals_entries" CHECK("audit_seals"."entries" > 0),
	CONSTRAINT "audit_seals_hash" CHECK(length("audit_seals"."hash") between 64 and 64)
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_update` BEFORE UPDATE ON `audit_seals`
BEGIN
	SELECT RAISE(ABORT, 'audit_seals is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_delete` BEFORE DELETE ON `audit_seals`
BEGIN
	SELECT RAISE(ABORT, 'audit_seals is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `audit_seals_in_order` BEFORE INSERT ON `audit_seals` WHEN NEW.`last_event_id` <= (SELECT max(`last_event_id`) FROM `audit_seals`)
BEGIN
	SELECT RAISE(ABORT, 'audit_seals is append-only');
END;
