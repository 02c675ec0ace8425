import type { OptionGroup } from "../option";

/** The options of signing in: passwords, sessions of browsers, and tokens of other programs. */
export const signIn = {
  heading: "Sign-in",
  options: {
    session_life_seconds: {
      type: "integer",
      fallback: 2_592_000,
      help: "seconds after which a browser has to sign in again",
      min: 60,
      max: 31_536_000,
      reloads: true,
      throwawayTakesIt: true,
    },
    session_idle_seconds: {
      type: "integer",
      fallback: 1_209_600,
      help: "seconds without a request after which a browser has to sign in again",
      min: 60,
      max: 31_536_000,
      reloads: true,
      throwawayTakesIt: true,
    },
    sessions_per_user_max: {
      type: "integer",
      fallback: 100,
      help: "browsers in which a user may be signed in; a new one replaces the oldest",
      min: 1,
      reloads: true,
      throwawayTakesIt: true,
    },
    jwt_secret: {
      type: "text",
      fallback: undefined,
      isSecret: true,
      form: { pattern: /^.{32,}$/, words: "a text of at least 32 characters" },
      help: "secret of JSON Web Tokens by which another program signs people in (default: none)",
      throwawayTakesIt: false,
    },
    failed_sign_ins_per_address_max: {
      type: "integer",
      fallback: 100,
      help: "failed sign-ins that a node accepts from one client address in half an hour, and four times as many per day (0: no limit)",
      throwawayTakesIt: true,
    },
    password_hashes_at_once: {
      type: "integer",
      fallback: 2,
      help: "passwords that are hashed at a time",
      min: 1,
      max: 64,
      throwawayTakesIt: true,
    },
    password_checks_waiting_max: {
      type: "integer",
      fallback: 64,
      help: "passwords that may wait to be hashed; more sign-ins are refused",
      min: 1,
      reloads: true,
      throwawayTakesIt: true,
    },
  },
} satisfies OptionGroup;
