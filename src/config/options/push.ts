import { type OptionGroup, webAddress } from "../option";

/** The options of notifications on mobile devices and in browsers. */
export const push = {
  heading: "Push notifications",
  options: {
    push_relay_url: {
      type: "address",
      fallback: undefined,
      help: "URL of the push relay, which sends notifications to mobile devices (default: none)",
      form: { pattern: webAddress, words: "like https://push.example.com" },
      isUsual: true,
      throwawayTakesIt: false,
    },
    push_relay_id: {
      type: "text",
      fallback: undefined,
      help: "ID of this server at the push relay",
      throwawayTakesIt: false,
    },
    push_relay_key: {
      type: "text",
      fallback: undefined,
      isSecret: true,
      help: "key of this server at the push relay",
      throwawayTakesIt: { with: "push_relay_url" },
    },
    push_devices_per_user_max: {
      type: "integer",
      fallback: 50,
      help: "devices and browsers that may get a user's notifications; a new one replaces the oldest",
      min: 1,
      max: 1_000,
      reloads: true,
      throwawayTakesIt: true,
    },
  },
} satisfies OptionGroup;
