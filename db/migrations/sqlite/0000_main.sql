CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`hash` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`realm_id`,`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`realm_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`description` text NOT NULL,
	`rendered_description` text NOT NULL,
	`invite_only` integer NOT NULL,
	`history_public_to_subscribers` integer NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`is_archived` integer DEFAULT false NOT NULL,
	`creator_id` integer,
	`first_message_id` integer,
	`topics_policy` text DEFAULT 'inherit' NOT NULL,
	`message_retention_days` integer,
	`settings` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `channels_name` ON `channels` (`realm_id`,`name_key`);--> statement-breakpoint
CREATE TABLE `conversation_members` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`conversation_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `conversation_id`)
);
--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_ids` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_users` ON `conversations` (`realm_id`,`user_ids`);--> statement-breakpoint
CREATE TABLE `event_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`type` text NOT NULL,
	`audience` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `event_log_realm` ON `event_log` (`realm_id`,`id`);--> statement-breakpoint
CREATE TABLE `event_queues` (
	`realm_id` integer NOT NULL,
	`id` text NOT NULL,
	`user_id` integer NOT NULL,
	`api_key_id` integer,
	`registered_at` integer NOT NULL,
	`options` text NOT NULL,
	`idle_timeout_seconds` integer NOT NULL,
	`last_seen` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `event_queues_user` ON `event_queues` (`realm_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `message_flags` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`flag` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `message_id`, `flag`)
);
--> statement-breakpoint
CREATE INDEX `message_flags_flag` ON `message_flags` (`realm_id`,`user_id`,`flag`,`message_id`);--> statement-breakpoint
CREATE INDEX `message_flags_message` ON `message_flags` (`realm_id`,`message_id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`sender_id` integer NOT NULL,
	`channel_id` integer,
	`sent_channel_id` integer,
	`placed_at` integer DEFAULT 0 NOT NULL,
	`conversation_id` integer,
	`topic` text NOT NULL,
	`topic_key` text NOT NULL,
	`content` text NOT NULL,
	`rendered_content` text NOT NULL,
	`client` text NOT NULL,
	`sent_at` integer NOT NULL,
	`read_by_sender` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `messages_topic` ON `messages` (`realm_id`,`channel_id`,`topic_key`,`id`) WHERE "messages"."channel_id" is not null;--> statement-breakpoint
CREATE INDEX `messages_sent_channel` ON `messages` (`realm_id`,`sent_channel_id`,`id`) WHERE "messages"."sent_channel_id" is not null;--> statement-breakpoint
CREATE INDEX `messages_conversation` ON `messages` (`realm_id`,`conversation_id`,`id`) WHERE "messages"."conversation_id" is not null;--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (`realm_id`,`sender_id`,`id`);--> statement-breakpoint
CREATE TABLE `reactions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`emoji_name` text NOT NULL,
	`emoji_code` text NOT NULL,
	`reaction_type` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reactions_message` ON `reactions` (`realm_id`,`message_id`,`user_id`,`reaction_type`,`emoji_code`);--> statement-breakpoint
CREATE TABLE `read_blocks` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`scope` integer NOT NULL,
	`block` integer NOT NULL,
	`bits` blob NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `scope`, `block`)
);
--> statement-breakpoint
CREATE TABLE `read_watermarks` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`scope` integer NOT NULL,
	`read_up_to` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `scope`)
);
--> statement-breakpoint
CREATE TABLE `realms` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`host` text NOT NULL,
	`uuid` text NOT NULL,
	`name` text NOT NULL,
	`settings` text DEFAULT '{}' NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `realms_id` ON `realms` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `realms_host` ON `realms` (`host`);--> statement-breakpoint
CREATE TABLE `sent_locals` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`queue_id` text NOT NULL,
	`local_id` text NOT NULL,
	`message_id` integer NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`realm_id`, `queue_id`, `local_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `server_facts` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subscription_periods` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`from_message` integer NOT NULL,
	`to_message` integer,
	`from_log` integer NOT NULL,
	`to_log` integer,
	PRIMARY KEY(`realm_id`, `user_id`, `channel_id`, `from_log`)
);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`is_active` integer NOT NULL,
	`color` text NOT NULL,
	`is_muted` integer DEFAULT false NOT NULL,
	`pin_to_top` integer DEFAULT false NOT NULL,
	`desktop_notifications` integer,
	`email_notifications` integer,
	`push_notifications` integer,
	`audible_notifications` integer,
	`wildcard_mentions_notify` integer,
	PRIMARY KEY(`realm_id`, `user_id`, `channel_id`)
);
--> statement-breakpoint
CREATE INDEX `subscriptions_channel` ON `subscriptions` (`realm_id`,`channel_id`,`is_active`,`user_id`);--> statement-breakpoint
CREATE TABLE `user_group_members` (
	`realm_id` integer NOT NULL,
	`group_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `group_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `user_group_members_user` ON `user_group_members` (`realm_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `user_group_subgroups` (
	`realm_id` integer NOT NULL,
	`group_id` integer NOT NULL,
	`subgroup_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `group_id`, `subgroup_id`)
);
--> statement-breakpoint
CREATE TABLE `user_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`is_system` integer NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`creator_id` integer,
	`settings` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_groups_name` ON `user_groups` (`realm_id`,`name`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`full_name` text NOT NULL,
	`role` integer NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`bot_type` integer,
	`bot_owner_id` integer,
	`is_system_bot` integer DEFAULT false NOT NULL,
	`timezone` text DEFAULT '' NOT NULL,
	`settings` text DEFAULT '{}' NOT NULL,
	`password_hash` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`realm_id`,`email_key`);