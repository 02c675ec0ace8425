CREATE TABLE `channel_folders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`rendered_description` text NOT NULL,
	`is_archived` integer DEFAULT false NOT NULL,
	`position` integer NOT NULL,
	`creator_id` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `channel_folders_order` ON `channel_folders` (`realm_id`,`position`);--> statement-breakpoint
CREATE TABLE `drafts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`to` text NOT NULL,
	`topic` text NOT NULL,
	`content` text NOT NULL,
	`edited_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `drafts_user` ON `drafts` (`realm_id`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`key` text,
	`lane` text,
	`payload` text NOT NULL,
	`generation` integer DEFAULT 0 NOT NULL,
	`run_at` integer NOT NULL,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`last_error` text,
	`failed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_key` ON `jobs` (`realm_id`,`name`,`key`) WHERE "jobs"."key" is not null;--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE "jobs"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `jobs_lane` ON `jobs` (`realm_id`,`name`,`lane`,`id`) WHERE "jobs"."lane" is not null;--> statement-breakpoint
CREATE TABLE `linkifiers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`position` integer NOT NULL,
	`pattern` text NOT NULL,
	`url_template` text NOT NULL,
	`reverse_template` text,
	`example_input` text,
	`alternative_url_templates` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `linkifiers_pattern` ON `linkifiers` (`realm_id`,`pattern`);--> statement-breakpoint
CREATE TABLE `message_edits` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`edited_at` integer NOT NULL,
	`prev_content` text,
	`prev_rendered_content` text,
	`prev_topic` text,
	`topic` text,
	`prev_channel_id` integer,
	`channel_id` integer
);
--> statement-breakpoint
CREATE INDEX `message_edits_message` ON `message_edits` (`realm_id`,`message_id`,`id`);--> statement-breakpoint
CREATE TABLE `muted_users` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`muted_user_id` integer NOT NULL,
	`muted_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `muted_user_id`)
);
--> statement-breakpoint
CREATE TABLE `navigation_views` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`fragment` text NOT NULL,
	`is_pinned` integer NOT NULL,
	`name` text,
	PRIMARY KEY(`realm_id`, `user_id`, `fragment`)
);
--> statement-breakpoint
CREATE TABLE `onboarding_steps` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `playgrounds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`pygments_language` text NOT NULL,
	`url_template` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `playgrounds_name` ON `playgrounds` (`realm_id`,`pygments_language`,`name`);--> statement-breakpoint
CREATE TABLE `profile_fields` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`type` integer NOT NULL,
	`name` text NOT NULL,
	`hint` text NOT NULL,
	`field_data` text NOT NULL,
	`position` integer NOT NULL,
	`is_in_summary` integer NOT NULL,
	`is_required` integer NOT NULL,
	`is_editable_by_user` integer NOT NULL,
	`is_for_matching` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `profile_fields_name` ON `profile_fields` (`realm_id`,`name`);--> statement-breakpoint
CREATE TABLE `realm_domains` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`domain` text NOT NULL,
	`allow_subdomains` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `realm_domains_domain` ON `realm_domains` (`realm_id`,`domain`);--> statement-breakpoint
CREATE TABLE `realm_emoji` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`active_name` text,
	`author_id` integer,
	`file_name` text NOT NULL,
	`is_animated` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `realm_emoji_name` ON `realm_emoji` (`realm_id`,`active_name`);--> statement-breakpoint
CREATE TABLE `reminders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`note` text NOT NULL,
	`content` text NOT NULL,
	`rendered_content` text NOT NULL,
	`deliver_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reminders_user` ON `reminders` (`realm_id`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `saved_snippets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `saved_snippets_user` ON `saved_snippets` (`realm_id`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `scheduled_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`channel_id` integer,
	`topic` text NOT NULL,
	`user_ids` text,
	`content` text NOT NULL,
	`rendered_content` text NOT NULL,
	`client` text NOT NULL,
	`read_by_sender` integer NOT NULL,
	`deliver_at` integer NOT NULL,
	`has_failed` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `scheduled_messages_user` ON `scheduled_messages` (`realm_id`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `search_changes` (
	`realm_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `message_id`)
);
--> statement-breakpoint
CREATE TABLE `search_progress` (
	`realm_id` integer PRIMARY KEY NOT NULL,
	`indexed_up_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `submessages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`sender_id` integer NOT NULL,
	`msg_type` text NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `submessages_message` ON `submessages` (`realm_id`,`message_id`,`id`);--> statement-breakpoint
CREATE TABLE `user_presences` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`active_at` integer,
	`connected_at` integer NOT NULL,
	`update_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `user_presences_update` ON `user_presences` (`realm_id`,`update_id`);--> statement-breakpoint
CREATE TABLE `user_statuses` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`status_text` text NOT NULL,
	`emoji_name` text NOT NULL,
	`emoji_code` text NOT NULL,
	`reaction_type` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`)
);
--> statement-breakpoint
ALTER TABLE `channels` ADD `folder_id` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `last_edited_at` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `last_moved_at` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `mentions_all_of` integer;--> statement-breakpoint
CREATE INDEX `messages_mentions_all` ON `messages` (`realm_id`,`mentions_all_of`,`id`) WHERE "messages"."mentions_all_of" is not null;--> statement-breakpoint
ALTER TABLE `realms` ADD `has_alert_words` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `realms` ADD `has_linkifiers` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `profile_data` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
UPDATE `realms` SET `has_alert_words` = true WHERE `id` IN (SELECT `realm_id` FROM `alert_words`);
--> statement-breakpoint
CREATE VIRTUAL TABLE `message_words` USING fts5(words, content='', contentless_delete=1, tokenize='ascii');
--> statement-breakpoint
CREATE TRIGGER `messages_changed` AFTER UPDATE OF channel_id, topic, rendered_content ON `messages` BEGIN
	INSERT OR IGNORE INTO `search_changes` (`realm_id`, `message_id`) VALUES (new.realm_id, new.id);
END;
--> statement-breakpoint
CREATE TRIGGER `messages_deleted` AFTER DELETE ON `messages` BEGIN
	DELETE FROM `message_words` WHERE rowid = old.id;
	DELETE FROM `search_changes` WHERE realm_id = old.realm_id AND message_id = old.id;
END;
