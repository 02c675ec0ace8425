-- version 5, written by make migrations
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`hash` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL
, `sealed` text, `is_session` integer DEFAULT false NOT NULL)--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`realm_id`,`hash`)--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`realm_id`,`user_id`)--> statement-breakpoint
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
, `folder_id` integer, `is_web_public` integer DEFAULT false NOT NULL, `is_recently_active` integer DEFAULT true NOT NULL, `weekly_traffic` integer, `address_generation` integer DEFAULT 0 NOT NULL)--> statement-breakpoint
CREATE UNIQUE INDEX `channels_name` ON `channels` (`realm_id`,`name_key`)--> statement-breakpoint
CREATE TABLE `conversation_members` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`conversation_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `conversation_id`)
)--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_ids` text NOT NULL
)--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_users` ON `conversations` (`realm_id`,`user_ids`)--> statement-breakpoint
CREATE TABLE `event_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`type` text NOT NULL,
	`audience` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
)--> statement-breakpoint
CREATE INDEX `event_log_realm` ON `event_log` (`realm_id`,`id`)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE INDEX `event_queues_user` ON `event_queues` (`realm_id`,`user_id`)--> statement-breakpoint
CREATE TABLE `message_flags` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`flag` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `message_id`, `flag`)
)--> statement-breakpoint
CREATE INDEX `message_flags_flag` ON `message_flags` (`realm_id`,`user_id`,`flag`,`message_id`)--> statement-breakpoint
CREATE INDEX `message_flags_message` ON `message_flags` (`realm_id`,`message_id`)--> statement-breakpoint
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
, `last_edited_at` integer, `last_moved_at` integer, `mentions_all_of` integer)--> statement-breakpoint
CREATE INDEX `messages_topic` ON `messages` (`realm_id`,`channel_id`,`topic_key`,`id`) WHERE "messages"."channel_id" is not null--> statement-breakpoint
CREATE INDEX `messages_sent_channel` ON `messages` (`realm_id`,`sent_channel_id`,`id`) WHERE "messages"."sent_channel_id" is not null--> statement-breakpoint
CREATE INDEX `messages_conversation` ON `messages` (`realm_id`,`conversation_id`,`id`) WHERE "messages"."conversation_id" is not null--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (`realm_id`,`sender_id`,`id`)--> statement-breakpoint
CREATE TABLE `reactions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`emoji_name` text NOT NULL,
	`emoji_code` text NOT NULL,
	`reaction_type` text NOT NULL
)--> statement-breakpoint
CREATE UNIQUE INDEX `reactions_message` ON `reactions` (`realm_id`,`message_id`,`user_id`,`reaction_type`,`emoji_code`)--> statement-breakpoint
CREATE TABLE `read_blocks` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`scope` integer NOT NULL,
	`block` integer NOT NULL,
	`bits` blob NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `scope`, `block`)
)--> statement-breakpoint
CREATE TABLE `read_watermarks` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`scope` integer NOT NULL,
	`read_up_to` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `scope`)
)--> statement-breakpoint
CREATE TABLE `realms` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`host` text NOT NULL,
	`uuid` text NOT NULL,
	`name` text NOT NULL,
	`settings` text DEFAULT '{}' NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL
, `user_defaults` text DEFAULT '{}' NOT NULL, `deletion_at` integer, `uploaded_bytes` integer DEFAULT 0 NOT NULL, `has_alert_words` integer DEFAULT false NOT NULL, `has_linkifiers` integer DEFAULT false NOT NULL, `icon_file` text, `logo_file` text, `night_logo_file` text, `icon_digest` text, `logo_digest` text, `night_logo_digest` text)--> statement-breakpoint
CREATE UNIQUE INDEX `realms_id` ON `realms` (`id`)--> statement-breakpoint
CREATE UNIQUE INDEX `realms_host` ON `realms` (`host`)--> statement-breakpoint
CREATE TABLE `sent_locals` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`queue_id` text NOT NULL,
	`local_id` text NOT NULL,
	`message_id` integer NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`realm_id`, `queue_id`, `local_id`, `user_id`)
)--> statement-breakpoint
CREATE TABLE `server_facts` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
)--> statement-breakpoint
CREATE TABLE `subscription_periods` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`from_message` integer NOT NULL,
	`to_message` integer,
	`from_log` integer NOT NULL,
	`to_log` integer,
	PRIMARY KEY(`realm_id`, `user_id`, `channel_id`, `from_log`)
)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE INDEX `subscriptions_channel` ON `subscriptions` (`realm_id`,`channel_id`,`is_active`,`user_id`)--> statement-breakpoint
CREATE TABLE `user_group_members` (
	`realm_id` integer NOT NULL,
	`group_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `group_id`, `user_id`)
)--> statement-breakpoint
CREATE INDEX `user_group_members_user` ON `user_group_members` (`realm_id`,`user_id`)--> statement-breakpoint
CREATE TABLE `user_group_subgroups` (
	`realm_id` integer NOT NULL,
	`group_id` integer NOT NULL,
	`subgroup_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `group_id`, `subgroup_id`)
)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE UNIQUE INDEX `user_groups_name` ON `user_groups` (`realm_id`,`name`)--> statement-breakpoint
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
, `chosen_settings` text DEFAULT '[]' NOT NULL, `profile_data` text DEFAULT '{}' NOT NULL, `avatar_source` text DEFAULT 'G' NOT NULL, `avatar_version` integer DEFAULT 1 NOT NULL, `avatar_file` text, `is_imported_stub` integer DEFAULT false NOT NULL, `awaits_first_sign_in` integer DEFAULT false NOT NULL, `is_deleted` integer DEFAULT false NOT NULL)--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`realm_id`,`email_key`)--> statement-breakpoint
CREATE TABLE `alert_words` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`word_key` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `word_key`)
)--> statement-breakpoint
CREATE TABLE `attachment_messages` (
	`realm_id` integer NOT NULL,
	`attachment_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `attachment_id`, `message_id`)
)--> statement-breakpoint
CREATE INDEX `attachment_messages_message` ON `attachment_messages` (`realm_id`,`message_id`)--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`owner_id` integer NOT NULL,
	`path_id` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL
, `image_width` integer, `image_height` integer, `is_animated` integer DEFAULT false NOT NULL, `unlinked_at` integer)--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_path` ON `attachments` (`realm_id`,`path_id`)--> statement-breakpoint
CREATE INDEX `attachments_owner` ON `attachments` (`realm_id`,`owner_id`,`id`)--> statement-breakpoint
CREATE TABLE `failed_sign_ins` (
	`realm_id` integer NOT NULL,
	`email_key` text NOT NULL,
	`failures` integer NOT NULL,
	`failed_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `email_key`)
)--> statement-breakpoint
CREATE TABLE `login_links` (
	`realm_id` integer NOT NULL,
	`hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `hash`)
)--> statement-breakpoint
CREATE INDEX `login_links_user` ON `login_links` (`realm_id`,`user_id`)--> statement-breakpoint
CREATE TABLE `user_topics` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`topic_key` text NOT NULL,
	`topic` text NOT NULL,
	`visibility_policy` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `channel_id`, `topic_key`)
)--> statement-breakpoint
CREATE INDEX `user_topics_topic` ON `user_topics` (`realm_id`,`channel_id`,`topic_key`)--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (`realm_id`,`full_name`)--> statement-breakpoint
CREATE INDEX `users_role` ON `users` (`realm_id`,`role`)--> statement-breakpoint
CREATE INDEX `messages_realm` ON `messages` (`realm_id`,`id`)--> statement-breakpoint
CREATE INDEX `messages_channel` ON `messages` (`realm_id`,`channel_id`,`id`) WHERE "messages"."channel_id" is not null--> statement-breakpoint
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
)--> statement-breakpoint
CREATE INDEX `channel_folders_order` ON `channel_folders` (`realm_id`,`position`)--> statement-breakpoint
CREATE TABLE `drafts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`to` text NOT NULL,
	`topic` text NOT NULL,
	`content` text NOT NULL,
	`edited_at` integer NOT NULL
)--> statement-breakpoint
CREATE INDEX `drafts_user` ON `drafts` (`realm_id`,`user_id`,`id`)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_key` ON `jobs` (`realm_id`,`name`,`key`) WHERE "jobs"."key" is not null--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE "jobs"."due_at" is not null--> statement-breakpoint
CREATE INDEX `jobs_lane` ON `jobs` (`realm_id`,`name`,`lane`,`id`) WHERE "jobs"."lane" is not null--> statement-breakpoint
CREATE TABLE `linkifiers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`position` integer NOT NULL,
	`pattern` text NOT NULL,
	`url_template` text NOT NULL,
	`reverse_template` text,
	`example_input` text,
	`alternative_url_templates` text NOT NULL
)--> statement-breakpoint
CREATE UNIQUE INDEX `linkifiers_pattern` ON `linkifiers` (`realm_id`,`pattern`)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE INDEX `message_edits_message` ON `message_edits` (`realm_id`,`message_id`,`id`)--> statement-breakpoint
CREATE TABLE `muted_users` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`muted_user_id` integer NOT NULL,
	`muted_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `muted_user_id`)
)--> statement-breakpoint
CREATE TABLE `navigation_views` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`fragment` text NOT NULL,
	`is_pinned` integer NOT NULL,
	`name` text,
	PRIMARY KEY(`realm_id`, `user_id`, `fragment`)
)--> statement-breakpoint
CREATE TABLE `onboarding_steps` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `name`)
)--> statement-breakpoint
CREATE TABLE `playgrounds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`pygments_language` text NOT NULL,
	`url_template` text NOT NULL
)--> statement-breakpoint
CREATE UNIQUE INDEX `playgrounds_name` ON `playgrounds` (`realm_id`,`pygments_language`,`name`)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE UNIQUE INDEX `profile_fields_name` ON `profile_fields` (`realm_id`,`name`)--> statement-breakpoint
CREATE TABLE `realm_domains` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`domain` text NOT NULL,
	`allow_subdomains` integer NOT NULL
)--> statement-breakpoint
CREATE UNIQUE INDEX `realm_domains_domain` ON `realm_domains` (`realm_id`,`domain`)--> statement-breakpoint
CREATE TABLE `realm_emoji` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`active_name` text,
	`author_id` integer,
	`file_name` text NOT NULL,
	`is_animated` integer NOT NULL
, `source_digest` text)--> statement-breakpoint
CREATE UNIQUE INDEX `realm_emoji_name` ON `realm_emoji` (`realm_id`,`active_name`)--> statement-breakpoint
CREATE TABLE `reminders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`note` text NOT NULL,
	`content` text NOT NULL,
	`rendered_content` text NOT NULL,
	`deliver_at` integer NOT NULL
)--> statement-breakpoint
CREATE INDEX `reminders_user` ON `reminders` (`realm_id`,`user_id`,`id`)--> statement-breakpoint
CREATE TABLE `saved_snippets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
)--> statement-breakpoint
CREATE INDEX `saved_snippets_user` ON `saved_snippets` (`realm_id`,`user_id`,`id`)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE INDEX `scheduled_messages_user` ON `scheduled_messages` (`realm_id`,`user_id`,`id`)--> statement-breakpoint
CREATE TABLE `search_changes` (
	`realm_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `message_id`)
)--> statement-breakpoint
CREATE TABLE `search_progress` (
	`realm_id` integer PRIMARY KEY NOT NULL,
	`indexed_up_to` integer NOT NULL
)--> statement-breakpoint
CREATE TABLE `submessages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`sender_id` integer NOT NULL,
	`msg_type` text NOT NULL,
	`content` text NOT NULL
)--> statement-breakpoint
CREATE INDEX `submessages_message` ON `submessages` (`realm_id`,`message_id`,`id`)--> statement-breakpoint
CREATE TABLE `user_presences` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`active_at` integer,
	`connected_at` integer NOT NULL,
	`update_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`)
)--> statement-breakpoint
CREATE INDEX `user_presences_update` ON `user_presences` (`realm_id`,`update_id`)--> statement-breakpoint
CREATE TABLE `user_statuses` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`status_text` text NOT NULL,
	`emoji_name` text NOT NULL,
	`emoji_code` text NOT NULL,
	`reaction_type` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`)
)--> statement-breakpoint
CREATE INDEX `messages_mentions_all` ON `messages` (`realm_id`,`mentions_all_of`,`id`) WHERE "messages"."mentions_all_of" is not null--> statement-breakpoint
CREATE VIRTUAL TABLE `message_words` USING fts5(words, content='', contentless_delete=1, tokenize='ascii')--> statement-breakpoint
CREATE TRIGGER `messages_changed` AFTER UPDATE OF channel_id, topic, rendered_content ON `messages` BEGIN
	INSERT OR IGNORE INTO `search_changes` (`realm_id`, `message_id`) VALUES (new.realm_id, new.id);
END--> statement-breakpoint
CREATE TRIGGER `messages_deleted` AFTER DELETE ON `messages` BEGIN
	DELETE FROM `message_words` WHERE rowid = old.id;
	DELETE FROM `search_changes` WHERE realm_id = old.realm_id AND message_id = old.id;
END--> statement-breakpoint
CREATE TABLE `bot_storage` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `key`)
)--> statement-breakpoint
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
)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_hash` ON `invitations` (`realm_id`,`hash`)--> statement-breakpoint
CREATE INDEX `invitations_email` ON `invitations` (`realm_id`,`email_key`)--> statement-breakpoint
CREATE INDEX `invitations_inviter` ON `invitations` (`realm_id`,`inviter_id`)--> statement-breakpoint
CREATE TABLE `invitations_sent` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`inviter_id` integer NOT NULL,
	`sent_at` integer NOT NULL
)--> statement-breakpoint
CREATE INDEX `invitations_sent_at` ON `invitations_sent` (`realm_id`,`sent_at`)--> statement-breakpoint
CREATE TABLE `sessions` (
	`realm_id` integer NOT NULL,
	`api_key_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `api_key_id`)
)--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`realm_id`,`user_id`)--> statement-breakpoint
CREATE TABLE `stray_pictures` (
	`realm_id` integer NOT NULL,
	`file_key` text NOT NULL,
	`remove_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `file_key`)
)--> statement-breakpoint
CREATE INDEX `stray_pictures_due` ON `stray_pictures` (`remove_at`)--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`integration` text NOT NULL,
	`sealed_secret` text NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `integration`)
)--> statement-breakpoint
CREATE TABLE `webhook_templates` (
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`topic` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`realm_id`, `name`)
)--> statement-breakpoint
CREATE TABLE `address_proofs` (
	`realm_id` integer NOT NULL,
	`hash` text NOT NULL,
	`user_id` integer,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `hash`)
)--> statement-breakpoint
CREATE INDEX `address_proofs_email` ON `address_proofs` (`realm_id`,`email_key`)--> statement-breakpoint
CREATE INDEX `address_proofs_user` ON `address_proofs` (`realm_id`,`user_id`)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE INDEX `devices_user` ON `devices` (`realm_id`,`user_id`)--> statement-breakpoint
CREATE TABLE `missed_mail` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`from_message` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`)
)--> statement-breakpoint
CREATE INDEX `missed_mail_due` ON `missed_mail` (`realm_id`,`due_at`)--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`api_key_id` integer NOT NULL,
	`kind` text NOT NULL,
	`target_hash` text NOT NULL,
	`sealed_target` text NOT NULL,
	`created_at` integer NOT NULL
)--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_target` ON `push_subscriptions` (`realm_id`,`user_id`,`kind`,`target_hash`)--> statement-breakpoint
CREATE TABLE `pushed_messages` (
	`realm_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`pushed_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `user_id`, `message_id`)
)--> statement-breakpoint
CREATE INDEX `pushed_messages_message` ON `pushed_messages` (`realm_id`,`message_id`)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE INDEX `realm_exports_user` ON `realm_exports` (`realm_id`,`user_id`)--> statement-breakpoint
CREATE TABLE `realm_imports` (
	`realm_id` integer PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`shifts` text NOT NULL,
	`current_table` text,
	`last_row` integer,
	`skipped` text DEFAULT '{}' NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
)--> statement-breakpoint
CREATE TABLE `received_mails` (
	`realm_id` integer NOT NULL,
	`digest` text NOT NULL,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `digest`)
)--> statement-breakpoint
CREATE INDEX `received_mails_age` ON `received_mails` (`received_at`)--> statement-breakpoint
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
)--> statement-breakpoint
CREATE INDEX `resumable_uploads_owner` ON `resumable_uploads` (`realm_id`,`owner_id`)--> statement-breakpoint
CREATE INDEX `resumable_uploads_age` ON `resumable_uploads` (`created_at`)--> statement-breakpoint
CREATE INDEX `subscriptions_email` ON `subscriptions` (`realm_id`,`channel_id`) WHERE "subscriptions"."email_notifications" is not null--> statement-breakpoint
CREATE INDEX `subscriptions_push` ON `subscriptions` (`realm_id`,`channel_id`) WHERE "subscriptions"."push_notifications" is not null
