import type { OptionGroup } from "../option";

/** The options of how much people and organizations may make. */
export const limitsOfPeople = {
  heading: "Limits for people and organizations",
  options: {
    invitations_per_day_per_user: {
      type: "integer",
      fallback: 100,
      help: "e-mail addresses that one person may invite per day (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    invitations_per_day_per_realm: {
      type: "integer",
      fallback: 1_000,
      help: "e-mail addresses that an organization may invite, and that may ask to join it, per day (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    channels_per_day_per_user: {
      type: "integer",
      fallback: 50,
      help: "channels that a person who is not an administrator may create per day, including by bots (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    channels_per_realm_max: {
      type: "integer",
      fallback: 5_000,
      help: "channels that an organization may have, including archived ones; the last tenth is reserved for administrators (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    user_groups_per_day_per_user: {
      type: "integer",
      fallback: 50,
      help: "user groups that a person who is not an administrator may create per day, including by bots (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    user_groups_per_realm_max: {
      type: "integer",
      fallback: 2_000,
      help: "user groups that an organization may have, including deactivated ones; the last tenth is reserved for administrators (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    bots_per_user_max: {
      type: "integer",
      fallback: 500,
      help: "bots that one person may have, including deactivated ones (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
  },
} satisfies OptionGroup;
