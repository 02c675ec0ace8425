DROP INDEX "message_flags_message";--> statement-breakpoint
CREATE INDEX "message_flags_message" ON "message_flags" USING btree ("realm_id","message_id","flag","user_id");