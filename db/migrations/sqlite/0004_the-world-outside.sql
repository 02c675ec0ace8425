CREATE TABLE `address_proofs` (
	`realm_id` integer NOT NULL,
	`hash` text NOT NULL,
	`user_id` integer,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `hash`)
);
--> statement-breakpoint
CREATE INDEX `address_proofs_email` ON `address_proofs` (`realm_id`,`email_key`);--> statement-breakpoint
CREATE INDEX `address_proofs_user` ON `address_proofs` (`realm_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`api_key_id` integer NOT NULL,
	`sealed_push_key` text,
	`push_key_id` integer,
	`push_token_id` text,
	`pending_push_token_id` text,
	`push_token_kind` text,
	`push_token_updated_at` integer,
	`push_error_code` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `devices_user` ON `devices` (`realm_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `missed_mail` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`from_message` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `missed_mail_due` ON `missed_mail` (`realm_id`,`due_at`);--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`api_key_id` integer NOT NULL,
	`kind` text NOT NULL,
	`target_hash` text NOT NULL,
	`sealed_target` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_target` ON `push_subscriptions` (`realm_id`,`user_id`,`kind`,`target_hash`);--> statement-breakpoint
CREATE TABLE `pushed_messages` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`pushed_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `pushed_messages_message` ON `pushed_messages` (`realm_id`,`message_id`);--> statement-breakpoint
CREATE TABLE `realm_exports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`requested_at` integer NOT NULL,
	`finished_at` integer,
	`failed_at` integer,
	`deleted_at` integer,
	`file` text
);
--> statement-breakpoint
CREATE INDEX `realm_exports_user` ON `realm_exports` (`realm_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `realm_imports` (
	`realm_id` integer PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`shifts` text NOT NULL,
	`current_table` text,
	`last_row` integer,
	`skipped` text DEFAULT '{}' NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE TABLE `received_mails` (
	`realm_id` integer NOT NULL,
	`digest` text NOT NULL,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `digest`)
);
--> statement-breakpoint
CREATE INDEX `received_mails_age` ON `received_mails` (`received_at`);--> statement-breakpoint
CREATE TABLE `resumable_uploads` (
	`realm_id` integer NOT NULL,
	`id` text NOT NULL,
	`owner_id` integer NOT NULL,
	`file_key` text NOT NULL,
	`name` text NOT NULL,
	`metadata` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`attachment_id` integer,
	PRIMARY KEY(`realm_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `resumable_uploads_owner` ON `resumable_uploads` (`realm_id`,`owner_id`);--> statement-breakpoint
CREATE INDEX `resumable_uploads_age` ON `resumable_uploads` (`created_at`);--> statement-breakpoint
ALTER TABLE `attachments` ADD `image_width` integer;--> statement-breakpoint
ALTER TABLE `attachments` ADD `image_height` integer;--> statement-breakpoint
ALTER TABLE `attachments` ADD `is_animated` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `attachments` ADD `unlinked_at` integer;--> statement-breakpoint
ALTER TABLE `realm_emoji` ADD `source_digest` text;--> statement-breakpoint
ALTER TABLE `realms` ADD `icon_digest` text;--> statement-breakpoint
ALTER TABLE `realms` ADD `logo_digest` text;--> statement-breakpoint
ALTER TABLE `realms` ADD `night_logo_digest` text;--> statement-breakpoint
CREATE INDEX `subscriptions_email` ON `subscriptions` (`realm_id`,`channel_id`) WHERE "subscriptions"."email_notifications" is not null;--> statement-breakpoint
CREATE INDEX `subscriptions_push` ON `subscriptions` (`realm_id`,`channel_id`) WHERE "subscriptions"."push_notifications" is not null;