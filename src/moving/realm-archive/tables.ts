/**
 * What of an organization an export holds, in the order in which it is written and taken in.
 * `imports.ts` of `src/import` says of each column which ids are in it.
 */
export const exportedTables = [
  "realms",
  "users",
  "user_groups",
  "user_group_members",
  "user_group_subgroups",
  "channel_folders",
  "channels",
  "profile_fields",
  "realm_domains",
  "linkifiers",
  "playgrounds",
  "realm_emoji",
  "bots",
  "bot_storage",
  "webhook_templates",
  "subscriptions",
  "subscription_periods",
  "user_topics",
  "alert_words",
  "muted_users",
  "navigation_views",
  "onboarding_steps",
  "user_presences",
  "user_statuses",
  "conversations",
  "conversation_members",
  "messages",
  "message_edits",
  "submessages",
  "reactions",
  "attachments",
  "attachment_messages",
  "message_flags",
  "read_watermarks",
  "read_blocks",
  "drafts",
  "saved_snippets",
  "scheduled_messages",
  "reminders",
] as const;

export type ExportedTable = (typeof exportedTables)[number];

/** What no export holds, and why. */
export const leftOutTables: Readonly<Record<string, string>> = {
  server_facts: "of the server",
  api_keys: "a secret",
  login_links: "a secret",
  sessions: "a secret",
  invitations: "holds secrets, and addresses of people who never came",
  webhook_secrets: "a secret",
  failed_sign_ins: "what people typed",
  invitations_sent: "counts for a day",
  event_log: "of the clients that were connected",
  event_queues: "of the clients that were connected",
  sent_locals: "of the clients that were connected",
  jobs: "made anew from what they are for",
  stray_pictures: "of the files there",
  search_progress: "made anew from the messages",
  search_changes: "made anew from the messages",
  message_words: "made anew from the messages",
  devices: "secrets of programs that were signed in",
  push_subscriptions: "secrets of programs that were signed in",
  pushed_messages: "of the programs that were signed in",
  address_proofs: "a secret",
  resumable_uploads: "not whole yet",
  upload_totals: "made anew from the files",
  missed_mail: "mail that is about to be sent",
  received_mails: "of the mail that came to the server",
  realm_exports: "of the server",
  realm_imports: "of the server",
};

/** The columns of secrets: they are empty in every export. */
export const secretColumns: Readonly<Record<string, readonly string[]>> = {
  users: ["password_hash"],
  bots: ["sealed_token"],
};
