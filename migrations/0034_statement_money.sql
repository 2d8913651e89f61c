CREATE TABLE `statement_money` (
	`import_id` text NOT NULL,
	`row_key` text NOT NULL,
	`is_live` integer DEFAULT false NOT NULL,
	`driver_id` text NOT NULL,
	`platform` text NOT NULL,
	`format` text NOT NULL,
	`row_number` integer NOT NULL,
	`counts_from` text NOT NULL,
	`counts_to` text NOT NULL,
	`proof` text NOT NULL,
	`fare_cents` integer NOT NULL,
	`fee_cents` integer NOT NULL,
	`tip_cents` integer NOT NULL,
	`promotion_cents` integer NOT NULL,
	`other_earning_cents` integer NOT NULL,
	`toll_cents` integer NOT NULL,
	`tax_cents` integer NOT NULL,
	`third_party_cents` integer NOT NULL,
	`cash_cents` integer NOT NULL,
	`transfer_cents` integer NOT NULL,
	`recorded` text,
	`replaced_by` text,
	PRIMARY KEY(`import_id`, `row_key`),
	FOREIGN KEY (`driver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "statement_money_row_key" CHECK(length("statement_money"."row_key") between 1 and 400),
	CONSTRAINT "statement_money_is_live" CHECK("statement_money"."is_live" in (0, 1)),
	CONSTRAINT "statement_money_platform" CHECK("statement_money"."platform" in ('uber', 'bolt')),
	CONSTRAINT "statement_money_format" CHECK("statement_money"."format" in ('uber-payments-order', 'uber-payments-driver', 'bolt-earnings-per-driver', 'columns')),
	CONSTRAINT "statement_money_proof" CHECK("statement_money"."proof" in ('proven', 'unproven', 'unstated')),
	CONSTRAINT "statement_money_counts_from" CHECK("statement_money"."counts_from" is date("statement_money"."counts_from")),
	CONSTRAINT "statement_money_counts_to" CHECK("statement_money"."counts_to" is date("statement_money"."counts_to")),
	CONSTRAINT "statement_money_days" CHECK("statement_money"."counts_from" <= "statement_money"."counts_to")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `statement_money_once` ON `statement_money` (`row_key`) WHERE is_live = 1;--> statement-breakpoint
CREATE INDEX `statement_money_by_driver` ON `statement_money` (`driver_id`,`counts_to`);--> statement-breakpoint
CREATE INDEX `statement_money_replaced` ON `statement_money` (`replaced_by`) WHERE replaced_by is not null;--> statement-breakpoint
ALTER TABLE `fee_imports` ADD `is_money_only` integer;