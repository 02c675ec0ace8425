import type { LogLevel } from "../core/log";
import { listenOptions } from "./listen-options";
import { mailOptions } from "./mail-options";
import type { Option } from "./option";
import { signInOptions } from "./sign-in-options";
import { watchingOptions } from "./watching-options";

/** An address of a service, maybe with a path. */
const webAddress = /^https?:\/\/[^?#\s]+$/i;

/** The options by their configuration key: `--port`, `CHATD_PORT`, `port = 8080` in the file. */
export const options = {
  ...listenOptions,
  data: { type: "text", fallback: "./data", help: "folder for the database, the secret and files" },
  database: {
    type: "text",
    fallback: undefined,
    help: "URL of a PostgreSQL database (postgres://…), to use it instead of SQLite",
    form: { pattern: /^postgres(ql)?:\/\//, words: "like postgres://user@host/name" },
  },
  database_connections_max: {
    type: "integer",
    fallback: undefined,
    help: "highest number of connections from a node to PostgreSQL (default: 23)",
    min: 5,
  },
  database_wait_seconds: {
    type: "integer",
    fallback: 300,
    help: "seconds for which a starting server waits for PostgreSQL (0: it does not wait)",
    min: 0,
  },
  migration_copies_kept: {
    type: "integer",
    fallback: 3,
    help: "number of the newest copies from before migrations that are kept (0: all)",
    min: 0,
  },
  secret: {
    type: "text",
    fallback: undefined,
    isSecret: true,
    help: "the server's secret (default: the file `secret` in the data folder)",
  },
  url: {
    type: "address",
    fallback: undefined,
    help: "public address, e.g. https://chat.example.com",
    form: { pattern: /^https?:\/\/[^/?#\s]+$/i, words: "like https://chat.example.com" },
  },
  log_level: {
    type: "level",
    fallback: "info",
    help: "lowest level of the log: debug, info, warn or error",
    reloads: true,
  },
  request_size_bytes_max: {
    type: "integer",
    fallback: 1_048_576,
    help: "largest request body, in bytes",
    min: 16_384,
    reloads: true,
  },
  answer_size_bytes_max: {
    type: "integer",
    fallback: 8 * 1024 * 1024,
    help: "largest response with messages or events, in bytes; the rest comes with the next request",
    min: 65_536,
  },
  answers_in_progress_bytes_max: {
    type: "integer",
    fallback: 128 * 1024 * 1024,
    help: "memory, in bytes, for all responses that a node prepares or sends at a time; one person may use an eighth of it",
    min: 1_048_576,
  },
  max_file_upload_size_mib: {
    type: "integer",
    fallback: 100,
    help: "largest uploaded file, in MiB",
    min: 0,
    reloads: true,
  },
  upload_quota_mib: {
    type: "integer",
    fallback: 10_240,
    help: "MiB for all files of an organization, including unfinished uploads (0: no limit)",
    min: 0,
    reloads: true,
  },
  upload_quota_per_user_mib: {
    type: "integer",
    fallback: 2_048,
    help: "MiB for all files of a person, including unfinished uploads (0: no limit)",
    min: 0,
    reloads: true,
  },
  unlinked_upload_days: {
    type: "integer",
    fallback: undefined,
    help: "days after which a file that no message links to is removed (default: it is kept)",
    min: 1,
    reloads: true,
  },
  file_store: {
    type: "text",
    fallback: "local",
    help: "where new files go: local (the data folder) or s3",
    form: { pattern: /^(local|s3)$/, words: "local or s3" },
  },
  s3_endpoint: {
    type: "address",
    fallback: undefined,
    help: "address of an S3-compatible store for files",
    form: { pattern: webAddress, words: "like https://s3.example.com" },
  },
  s3_bucket: {
    type: "text",
    fallback: undefined,
    help: "bucket of that store; use it for nothing else",
  },
  s3_region: { type: "text", fallback: "us-east-1", help: "region of that store" },
  s3_access_key_id: {
    type: "text",
    fallback: undefined,
    help: "key id with which the server signs in to that store",
  },
  s3_secret_access_key: {
    type: "text",
    fallback: undefined,
    isSecret: true,
    help: "secret key that goes with that key id",
  },
  bot_storage_size_bytes_max: {
    type: "integer",
    fallback: 10_000_000,
    help: "bytes that a bot may store in all",
    min: 0,
    reloads: true,
  },
  max_avatar_file_size_mib: {
    type: "integer",
    fallback: 5,
    help: "largest profile picture, in MiB",
    min: 0,
    max: 50,
    reloads: true,
  },
  max_icon_file_size_mib: {
    type: "integer",
    fallback: 5,
    help: "largest icon of an organization, in MiB",
    min: 0,
    max: 50,
    reloads: true,
  },
  max_logo_file_size_mib: {
    type: "integer",
    fallback: 5,
    help: "largest logo of an organization, in MiB",
    min: 0,
    max: 50,
    reloads: true,
  },
  drain_seconds: {
    type: "integer",
    fallback: 0,
    help: "seconds for which a server that was told to stop still accepts requests, while /readyz answers 503",
    min: 0,
    max: 3_600,
    reloads: true,
  },
  heartbeat_seconds: {
    type: "integer",
    fallback: 50,
    help: "seconds after which a poll for events is answered without events",
    min: 1,
    max: 55,
  },
  queue_idle_seconds: {
    type: "integer",
    fallback: 600,
    help: "seconds without a poll after which an event queue is removed",
    min: 1,
    reloads: true,
  },
  queue_events_max: {
    type: "integer",
    fallback: 10_000,
    help: "highest number of events in an event queue",
    min: 100,
  },
  queues_per_user_max: {
    type: "integer",
    fallback: 1_000,
    help: "highest number of event queues of one user",
    min: 1,
    reloads: true,
  },
  ...signInOptions,
  requests_per_minute_per_user: {
    type: "integer",
    fallback: 2_400,
    help: "requests that a user may send to a node per minute (0: no limit)",
    reloads: true,
  },
  requests_per_minute_per_key: {
    type: "integer",
    fallback: 1_200,
    help: "requests with one API key that a node accepts per minute (0: no limit)",
    reloads: true,
  },
  requests_per_minute_per_address: {
    type: "integer",
    fallback: 600,
    help: "requests without sign-in that a node accepts from one client address per minute (0: no limit)",
    reloads: true,
  },
  invitations_per_day_per_user: {
    type: "integer",
    fallback: 100,
    help: "e-mail addresses that one person may invite per day (0: no limit)",
    reloads: true,
  },
  invitations_per_day_per_realm: {
    type: "integer",
    fallback: 1_000,
    help: "e-mail addresses that an organization may invite, and that may ask to join it, per day (0: no limit)",
    reloads: true,
  },
  channels_per_day_per_user: {
    type: "integer",
    fallback: 50,
    help: "channels that a person who is not an administrator may create per day, including by bots (0: no limit)",
    reloads: true,
  },
  channels_per_realm_max: {
    type: "integer",
    fallback: 5_000,
    help: "channels that an organization may have, including archived ones; the last tenth is reserved for administrators (0: no limit)",
    reloads: true,
  },
  user_groups_per_day_per_user: {
    type: "integer",
    fallback: 50,
    help: "user groups that a person who is not an administrator may create per day, including by bots (0: no limit)",
    reloads: true,
  },
  user_groups_per_realm_max: {
    type: "integer",
    fallback: 2_000,
    help: "user groups that an organization may have, including deactivated ones; the last tenth is reserved for administrators (0: no limit)",
    reloads: true,
  },
  bots_per_user_max: {
    type: "integer",
    fallback: 500,
    help: "bots that one person may have, including deactivated ones (0: no limit)",
    reloads: true,
  },
  ...mailOptions,
  push_relay_url: {
    type: "address",
    fallback: undefined,
    help: "URL of the push relay, which sends notifications to mobile devices (default: none)",
    form: { pattern: webAddress, words: "like https://push.example.com" },
  },
  push_relay_id: {
    type: "text",
    fallback: undefined,
    help: "ID of this server at the push relay",
  },
  push_relay_key: {
    type: "text",
    fallback: undefined,
    isSecret: true,
    help: "key of this server at the push relay",
  },
  push_devices_per_user_max: {
    type: "integer",
    fallback: 50,
    help: "devices and browsers that may get a user's notifications; a new one replaces the oldest",
    min: 1,
    max: 1_000,
    reloads: true,
  },
  web_public_streams_enabled: {
    type: "flag",
    fallback: false,
    help: "whether channels may be open to the web",
  },
  gravatar_enabled: {
    type: "flag",
    fallback: true,
    help: "whether profile pictures may come from Gravatar",
  },
  can_access_all_users_group_limits_presence: {
    type: "flag",
    fallback: true,
    help: "whether people see presence only of people whom they are allowed to see",
  },
  jitsi_server_url: {
    type: "address",
    fallback: "https://meet.jit.si",
    help: "Jitsi Meet server for video calls, or none",
    form: { pattern: webAddress, words: "like https://meet.example.com, or none" },
  },
  big_blue_button_url: {
    type: "address",
    fallback: undefined,
    help: "BigBlueButton for video calls, as bbb-conf --secret shows it: https://bbb.example.com/bigbluebutton (default: none)",
    form: { pattern: webAddress, words: "like https://bbb.example.com/bigbluebutton" },
  },
  big_blue_button_secret: {
    type: "text",
    fallback: undefined,
    isSecret: true,
    help: "the secret that BigBlueButton shares with this server (bbb-conf --secret)",
  },
  min_deactivated_realm_deletion_days: {
    type: "integer",
    fallback: 14,
    help: "shortest time, in days, after which the data of a deactivated organization may be deleted",
    reloads: true,
  },
  max_deactivated_realm_deletion_days: {
    type: "integer",
    fallback: undefined,
    help: "longest time, in days, for which the data of a deactivated organization is kept (default: no limit)",
    reloads: true,
  },
  audit_log_days: {
    type: "integer",
    fallback: 400,
    help: "days for which entries of the audit log are kept (0: forever)",
    min: 0,
    max: 36_500,
    reloads: true,
  },
  ...watchingOptions,
  trusted_proxies: {
    type: "networks",
    fallback: undefined,
    help: "proxies in front of the server, whose X-Forwarded-For and X-Forwarded-Proto are trusted, e.g. 127.0.0.1,10.0.0.0/8",
  },
  outbound_networks_allowed: {
    type: "networks",
    fallback: undefined,
    help: "private networks that webhooks may reach, besides the public internet, e.g. 10.20.0.0/16",
    reloads: true,
  },
} satisfies Record<string, Option>;

export type OptionName = keyof typeof options;

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

type Given<Type> = Type extends "integer"
  ? number
  : Type extends "flag"
    ? boolean
    : Type extends "level"
      ? LogLevel
      : string;

type Missing<Type, Fallback> = Type extends "address"
  ? undefined
  : Fallback extends undefined
    ? undefined
    : never;

/** Everything that an operator can set: `max_file_upload_size_mib` is `maxFileUploadSizeMib`. */
export type Config = Readonly<{
  [Name in OptionName as CamelCase<Name>]:
    | Given<(typeof options)[Name]["type"]>
    | Missing<(typeof options)[Name]["type"], (typeof options)[Name]["fallback"]>;
}>;
