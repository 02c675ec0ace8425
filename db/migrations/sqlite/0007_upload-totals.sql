CREATE TABLE `upload_totals` (
	`realm_id` integer NOT NULL,
	`owner_id` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`realm_id`, `owner_id`)
);
