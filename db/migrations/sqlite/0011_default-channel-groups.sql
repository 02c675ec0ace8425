CREATE TABLE `default_channel_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`realm_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `default_channel_groups_name` ON `default_channel_groups` (`realm_id`,`name`);--> statement-breakpoint
CREATE TABLE `default_channel_group_channels` (
	`realm_id` integer NOT NULL,
	`group_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `group_id`, `channel_id`)
);
--> statement-breakpoint
CREATE INDEX `default_channel_group_channels_channel` ON `default_channel_group_channels` (`realm_id`,`channel_id`);