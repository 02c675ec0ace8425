CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` integer,
	`way` text NOT NULL,
	`key_id` integer,
	`address` text NOT NULL,
	`client` text NOT NULL,
	`action` text NOT NULL,
	`target_kind` text NOT NULL,
	`target_ids` text NOT NULL,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_realm` ON `audit_log` (`realm_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_actor` ON `audit_log` (`realm_id`,`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_target` ON `audit_log` (`realm_id`,`target_kind`,`id`);