CREATE TABLE `agreements` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`number` integer NOT NULL,
	`starts_on` text NOT NULL,
	`base` text NOT NULL,
	`fares_basis_points` integer NOT NULL,
	`tips_basis_points` integer NOT NULL,
	`promotions_basis_points` integer NOT NULL,
	`tolls_to` text NOT NULL,
	`weekly_rent_cents` integer NOT NULL,
	`weekly_fee_cents` integer NOT NULL,
	`fleet_basis_points` integer NOT NULL,
	`per_mile_mills` integer NOT NULL,
	`threshold_miles` integer,
	`thereafter_mills` integer,
	`tax_year_start` text,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "agreements_number" CHECK("agreements"."number" > 0),
	CONSTRAINT "agreements_starts_on" CHECK("agreements"."starts_on" is date("agreements"."starts_on")),
	CONSTRAINT "agreements_base" CHECK("agreements"."base" in ('net', 'gross')),
	CONSTRAINT "agreements_fares" CHECK("agreements"."fares_basis_points" between 0 and 10000),
	CONSTRAINT "agreements_tips" CHECK("agreements"."tips_basis_points" between 0 and 10000),
	CONSTRAINT "agreements_promotions" CHECK("agreements"."promotions_basis_points" between 0 and 10000),
	CONSTRAINT "agreements_tolls_to" CHECK("agreements"."tolls_to" in ('driver', 'fleet')),
	CONSTRAINT "agreements_weekly_rent" CHECK("agreements"."weekly_rent_cents" between 0 and 10000000),
	CONSTRAINT "agreements_weekly_fee" CHECK("agreements"."weekly_fee_cents" between 0 and 10000000),
	CONSTRAINT "agreements_fleet" CHECK("agreements"."fleet_basis_points" between 0 and 10000),
	CONSTRAINT "agreements_per_mile" CHECK("agreements"."per_mile_mills" between 0 and 100000),
	CONSTRAINT "agreements_threshold" CHECK(("agreements"."threshold_miles" is null or "agreements"."threshold_miles" between 1 and 9999999) and ("agreements"."threshold_miles" is null) = ("agreements"."thereafter_mills" is null)),
	CONSTRAINT "agreements_thereafter" CHECK("agreements"."thereafter_mills" is null or "agreements"."thereafter_mills" between 0 and 100000),
	CONSTRAINT "agreements_tax_year" CHECK(("agreements"."tax_year_start" is null or "agreements"."tax_year_start" in ('01-01', '04-06')) and ("agreements"."threshold_miles" is null or "agreements"."tax_year_start" is not null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `agreements_number_once` ON `agreements` (`driver_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `agreements_submission` ON `agreements` (`created_by`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE INDEX `agreements_by_start` ON `agreements` (`driver_id`,`starts_on`,`number`);--> statement-breakpoint
CREATE INDEX `agreements_by_time` ON `agreements` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `charges` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`kind` text NOT NULL,
	`charged_on` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`direction` text NOT NULL,
	`instalments` integer NOT NULL,
	`note` text,
	`settled_instalments` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`voided_at` integer,
	`voided_by` text,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`voided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "charges_kind" CHECK("charges"."kind" in ('rent', 'fuel-card', 'toll', 'fine', 'damage', 'advance', 'deposit', 'bonus', 'other')),
	CONSTRAINT "charges_charged_on" CHECK("charges"."charged_on" is date("charges"."charged_on")),
	CONSTRAINT "charges_amount" CHECK("charges"."amount_cents" between 1 and 10000000),
	CONSTRAINT "charges_direction" CHECK("charges"."direction" in ('against', 'for')),
	CONSTRAINT "charges_instalments" CHECK("charges"."instalments" between 1 and 52 and "charges"."instalments" <= "charges"."amount_cents"),
	CONSTRAINT "charges_note" CHECK("charges"."note" is null or length("charges"."note") between 1 and 1000),
	CONSTRAINT "charges_settled" CHECK("charges"."settled_instalments" between 0 and "charges"."instalments" and ("charges"."voided_at" is null or "charges"."settled_instalments" = 0)),
	CONSTRAINT "charges_void" CHECK(("charges"."voided_at" is null) = ("charges"."voided_by" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `charges_submission` ON `charges` (`created_by`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE INDEX `charges_by_driver` ON `charges` (`driver_id`,`charged_on`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `charges_by_day` ON `charges` (`charged_on`,`created_at`,`id`) WHERE voided_at is null;
--> statement-breakpoint
CREATE TRIGGER `agreements_are_final` BEFORE UPDATE OF `id`, `driver_id`, `number`, `starts_on`, `base`, `fares_basis_points`, `tips_basis_points`, `promotions_basis_points`, `tolls_to`, `weekly_rent_cents`, `weekly_fee_cents`, `fleet_basis_points`, `per_mile_mills`, `threshold_miles`, `thereafter_mills`, `tax_year_start`, `created_at`, `created_by` ON `agreements`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: an agreement is final');
END;
--> statement-breakpoint
CREATE TRIGGER `charge_values_are_final` BEFORE UPDATE OF `id`, `driver_id`, `kind`, `charged_on`, `amount_cents`, `direction`, `instalments`, `created_at`, `created_by` ON `charges`
BEGIN
	SELECT RAISE(ABORT, 'constraint failed: the values of a charge are final');
END;
