CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	`revoked_by` text,
	`submission_key` text,
	`payload_hash` text NOT NULL,
	`last_change_id` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`revoked_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "api_tokens_name" CHECK(length("api_tokens"."name") between 1 and 80),
	CONSTRAINT "api_tokens_scope" CHECK("api_tokens"."scope" in ('read', 'import', 'write')),
	CONSTRAINT "api_tokens_hash" CHECK(length("api_tokens"."token_hash") = 64),
	CONSTRAINT "api_tokens_expiry" CHECK("api_tokens"."expires_at" > "api_tokens"."created_at")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_once` ON `api_tokens` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_submissions` ON `api_tokens` (`owner_id`,`submission_key`) WHERE submission_key is not null;--> statement-breakpoint
CREATE INDEX `api_tokens_by_owner` ON `api_tokens` (`owner_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `api_tokens_by_time` ON `api_tokens` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `api_tokens_live` ON `api_tokens` (`expires_at`,`id`) WHERE revoked_at is null;