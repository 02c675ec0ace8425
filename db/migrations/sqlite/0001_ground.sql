CREATE TABLE `alert_words` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`word_key` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `word_key`)
);
--> statement-breakpoint
CREATE TABLE `attachment_messages` (
	`realm_id` integer NOT NULL,
	`attachment_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `attachment_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `attachment_messages_message` ON `attachment_messages` (`realm_id`,`message_id`);--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`owner_id` integer NOT NULL,
	`path_id` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_path` ON `attachments` (`realm_id`,`path_id`);--> statement-breakpoint
CREATE INDEX `attachments_owner` ON `attachments` (`realm_id`,`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `failed_sign_ins` (
	`realm_id` integer NOT NULL,
	`email_key` text NOT NULL,
	`failures` integer NOT NULL,
	`failed_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `email_key`)
);
--> statement-breakpoint
CREATE TABLE `login_links` (
	`realm_id` integer NOT NULL,
	`hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `hash`)
);
--> statement-breakpoint
CREATE INDEX `login_links_user` ON `login_links` (`realm_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `user_topics` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`topic_key` text NOT NULL,
	`topic` text NOT NULL,
	`visibility_policy` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `channel_id`, `topic_key`)
);
--> statement-breakpoint
CREATE INDEX `user_topics_topic` ON `user_topics` (`realm_id`,`channel_id`,`topic_key`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `sealed` text;--> statement-breakpoint
ALTER TABLE `realms` ADD `user_defaults` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `realms` ADD `deletion_at` integer;--> statement-breakpoint
ALTER TABLE `realms` ADD `uploaded_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `chosen_settings` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (`realm_id`,`full_name`);--> statement-breakpoint
CREATE INDEX `users_role` ON `users` (`realm_id`,`role`);--> statement-breakpoint
CREATE INDEX `messages_realm` ON `messages` (`realm_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_channel` ON `messages` (`realm_id`,`channel_id`,`id`) WHERE "messages"."channel_id" is not null;