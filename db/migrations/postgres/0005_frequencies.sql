-- How often a value of a column stands in messages is not guessed from where most of them are: one channel may have nearly
-- all, and whoever asks for another one is not to have all messages read through.
ALTER TABLE "messages"
	ALTER COLUMN "channel_id" SET (n_distinct = -0.01),
	ALTER COLUMN "sent_channel_id" SET (n_distinct = -0.01),
	ALTER COLUMN "conversation_id" SET (n_distinct = -0.01),
	ALTER COLUMN "topic_key" SET (n_distinct = -0.01),
	ALTER COLUMN "sender_id" SET (n_distinct = -0.01),
	ALTER COLUMN "mentions_all_of" SET (n_distinct = -0.01);
--> statement-breakpoint
ANALYZE "messages";
