import { type Command, Help, Option } from "commander";
import type { OptionName } from "../src/config/config";

interface OptionGroup {
  heading: string;
  /** Options that most people need, shown by `--help`. */
  usual: readonly OptionName[];
  /** Further options, shown only by `--help-all`. */
  further: readonly OptionName[];
}

/** Options of the configuration by subject, in the order in which the help lists them. */
export const optionGroups: readonly OptionGroup[] = [
  {
    heading: "Address and data:",
    usual: ["host", "port", "url", "trusted_proxies", "data", "database", "log_level"],
    further: [
      "listen",
      "listen_mode",
      "database_connections_max",
      "database_wait_seconds",
      "migration_copies_kept",
      "drain_seconds",
      "outbound_networks_allowed",
    ],
  },
  {
    heading: "Monitoring:",
    usual: ["metrics_listen", "access_log"],
    further: ["traces", "traces_sample_percent"],
  },
  {
    heading: "HTTPS:",
    usual: ["https", "tls_certificate", "tls_key"],
    further: ["http_port", "acme_directory", "acme_ca_file", "acme_email"],
  },
  {
    heading: "Outgoing mail:",
    usual: ["smtp_relay_host", "smtp_relay_port", "smtp_relay_user", "mail_from"],
    further: ["smtp_relay_security", "smtp_relay_ca_file", "smtp_relay_timeout_seconds"],
  },
  {
    heading: "Mail to channels:",
    usual: [],
    further: [
      "channel_email_domain",
      "smtp_port",
      "smtp_host",
      "smtp_tls_certificate",
      "smtp_tls_key",
      "smtp_size_bytes_max",
      "smtp_connections_max",
      "smtp_connections_per_minute_per_address",
    ],
  },
  {
    heading: "Push notifications:",
    usual: ["push_relay_url"],
    further: ["push_relay_id", "push_devices_per_user_max"],
  },
  {
    heading: "Files:",
    usual: ["max_file_upload_size_mib", "upload_quota_mib"],
    further: [
      "upload_quota_per_user_mib",
      "unlinked_upload_days",
      "file_store",
      "s3_endpoint",
      "s3_bucket",
      "s3_region",
      "s3_access_key_id",
      "max_avatar_file_size_mib",
      "max_icon_file_size_mib",
      "max_logo_file_size_mib",
      "bot_storage_size_bytes_max",
    ],
  },
  {
    heading: "Organizations:",
    usual: [],
    further: [
      "web_public_streams_enabled",
      "gravatar_enabled",
      "jitsi_server_url",
      "big_blue_button_url",
      "can_access_all_users_group_limits_presence",
      "min_deactivated_realm_deletion_days",
      "max_deactivated_realm_deletion_days",
      "audit_log_days",
    ],
  },
  {
    heading: "Sign-in:",
    usual: [],
    further: [
      "session_life_seconds",
      "session_idle_seconds",
      "sessions_per_user_max",
      "failed_sign_ins_per_address_max",
      "password_hashes_at_once",
      "password_checks_waiting_max",
    ],
  },
  {
    heading: "Request limits:",
    usual: [],
    further: [
      "requests_per_minute_per_user",
      "requests_per_minute_per_key",
      "requests_per_minute_per_address",
      "request_size_bytes_max",
      "answer_size_bytes_max",
      "answers_in_progress_bytes_max",
      "heartbeat_seconds",
      "queue_idle_seconds",
      "queue_events_max",
      "queues_per_user_max",
    ],
  },
  {
    heading: "Limits for people and organizations:",
    usual: [],
    further: [
      "invitations_per_day_per_user",
      "invitations_per_day_per_realm",
      "channels_per_day_per_user",
      "channels_per_realm_max",
      "user_groups_per_day_per_user",
      "user_groups_per_realm_max",
      "bots_per_user_max",
    ],
  },
];

/** Heading of the options that belong to the command itself. */
export const commandOptions = "Options:";

/**
 * Makes the help of a command show only the usual options, and all with `--help-all`. `further` are
 * the long names of the options that `--help` leaves out: `--drain-seconds`.
 */
export function withShortHelp(command: Command, further: ReadonlySet<string>): Command {
  let isAll = false;
  const help = new Help();
  return command
    .configureHelp({
      visibleOptions: (of) =>
        help.visibleOptions(of).filter(({ long }) => isAll || !further.has(long ?? "")),
    })
    .addOption(new Option("--help-all", "display help with all options").helpGroup(commandOptions))
    .addHelpText("after", () => (isAll ? "" : "\n--help-all lists all options."))
    .on("option:help-all", () => {
      isAll = true;
      command.help();
    });
}
