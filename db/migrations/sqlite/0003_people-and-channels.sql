CREATE TABLE `bot_storage` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `key`)
);
--> statement-breakpoint
CREATE TABLE `bots` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`default_sending_channel_id` integer,
	`default_events_channel_id` integer,
	`default_all_public_channels` integer DEFAULT false NOT NULL,
	`payload_url` text DEFAULT '' NOT NULL,
	`interface_type` integer DEFAULT 1 NOT NULL,
	`sealed_token` text,
	`service_name` text,
	`config_data` text DEFAULT '{}' NOT NULL,
	`storage_bytes` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`inviter_id` integer NOT NULL,
	`email` text,
	`email_key` text,
	`hash` text NOT NULL,
	`sealed` text,
	`role` integer NOT NULL,
	`channel_ids` text NOT NULL,
	`group_ids` text NOT NULL,
	`with_defaults` integer NOT NULL,
	`notifies_inviter` integer NOT NULL,
	`welcome_text` text,
	`invited_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_hash` ON `invitations` (`realm_id`,`hash`);--> statement-breakpoint
CREATE INDEX `invitations_email` ON `invitations` (`realm_id`,`email_key`);--> statement-breakpoint
CREATE INDEX `invitations_inviter` ON `invitations` (`realm_id`,`inviter_id`);--> statement-breakpoint
CREATE TABLE `invitations_sent` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`inviter_id` integer NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `invitations_sent_at` ON `invitations_sent` (`realm_id`,`sent_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`realm_id` integer NOT NULL,
	`api_key_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `api_key_id`)
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`realm_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `stray_pictures` (
	`realm_id` integer NOT NULL,
	`file_key` text NOT NULL,
	`remove_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `file_key`)
);
--> statement-breakpoint
CREATE INDEX `stray_pictures_due` ON `stray_pictures` (`remove_at`);--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`integration` text NOT NULL,
	`sealed_secret` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `integration`)
);
--> statement-breakpoint
CREATE TABLE `webhook_templates` (
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`topic` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`realm_id`, `name`)
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `is_session` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `channels` ADD `is_web_public` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `channels` ADD `is_recently_active` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `channels` ADD `weekly_traffic` integer;--> statement-breakpoint
ALTER TABLE `channels` ADD `address_generation` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `realms` ADD `icon_file` text;--> statement-breakpoint
ALTER TABLE `realms` ADD `logo_file` text;--> statement-breakpoint
ALTER TABLE `realms` ADD `night_logo_file` text;--> statement-breakpoint
ALTER TABLE `users` ADD `avatar_source` text DEFAULT 'G' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `avatar_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `avatar_file` text;--> statement-breakpoint
ALTER TABLE `users` ADD `is_imported_stub` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `awaits_first_sign_in` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `is_deleted` integer DEFAULT false NOT NULL;--> statement-breakpoint
INSERT INTO `users` (`realm_id`, `email`, `email_key`, `full_name`, `role`, `bot_type`, `is_system_bot`, `created_at`)
SELECT `id`, 'email-gateway@' || `host`, 'email-gateway@' || `host`, 'Email Gateway', 400, 1, true, `created_at` FROM `realms` WHERE true ON CONFLICT DO NOTHING;