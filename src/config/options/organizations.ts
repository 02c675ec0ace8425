import { type OptionGroup, webAddress } from "../option";

/** The options of what organizations may do, and how long their data is kept. */
export const organizations = {
  heading: "Organizations",
  options: {
    web_public_streams_enabled: {
      type: "flag",
      fallback: false,
      help: "whether channels may be open to the web",
      throwawayTakesIt: true,
    },
    gravatar_enabled: {
      type: "flag",
      fallback: true,
      help: "whether profile pictures may come from Gravatar",
      throwawayTakesIt: true,
    },
    jitsi_server_url: {
      type: "address",
      fallback: "https://meet.jit.si",
      help: "Jitsi Meet server for video calls, or none",
      form: { pattern: webAddress, words: "like https://meet.example.com, or none" },
      throwawayTakesIt: true,
    },
    big_blue_button_url: {
      type: "address",
      fallback: undefined,
      help: "BigBlueButton for video calls, as bbb-conf --secret shows it: https://bbb.example.com/bigbluebutton (default: none)",
      form: { pattern: webAddress, words: "like https://bbb.example.com/bigbluebutton" },
      throwawayTakesIt: false,
    },
    big_blue_button_secret: {
      type: "text",
      fallback: undefined,
      isSecret: true,
      help: "the secret that BigBlueButton shares with this server (bbb-conf --secret)",
      throwawayTakesIt: { with: "big_blue_button_url" },
    },
    can_access_all_users_group_limits_presence: {
      type: "flag",
      fallback: true,
      help: "whether people see presence only of people whom they are allowed to see",
      throwawayTakesIt: true,
    },
    min_deactivated_realm_deletion_days: {
      type: "integer",
      fallback: 14,
      help: "shortest time, in days, after which the data of a deactivated organization may be deleted",
      reloads: true,
      throwawayTakesIt: true,
    },
    max_deactivated_realm_deletion_days: {
      type: "integer",
      fallback: undefined,
      help: "longest time, in days, for which the data of a deactivated organization is kept (default: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    audit_log_days: {
      type: "integer",
      fallback: 400,
      help: "days for which entries of the audit log are kept (0: forever)",
      min: 0,
      max: 36_500,
      reloads: true,
      throwawayTakesIt: true,
    },
  },
} satisfies OptionGroup;
