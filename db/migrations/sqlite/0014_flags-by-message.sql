DROP INDEX `message_flags_message`;--> statement-breakpoint
CREATE INDEX `message_flags_message` ON `message_flags` (`realm_id`,`message_id`,`flag`,`user_id`);