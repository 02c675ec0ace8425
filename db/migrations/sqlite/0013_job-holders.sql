ALTER TABLE `jobs` ADD `holder_id` integer;--> statement-breakpoint
CREATE INDEX `jobs_holder` ON `jobs` (`realm_id`,`name`,`holder_id`,`due_at`) WHERE "jobs"."holder_id" is not null;