import type { OptionGroup } from "../option";

/** The options of mail that the server sends: through which relay, and who it is from. */
export const outgoingMail = {
  heading: "Outgoing mail",
  options: {
    smtp_relay_host: {
      type: "text",
      fallback: undefined,
      help: "mail server (relay) that sends this server's mail (default: no mail is sent)",
      reloads: true,
      isUsual: true,
      throwawayTakesIt: false,
    },
    smtp_relay_port: {
      type: "integer",
      fallback: 587,
      help: "port of the relay",
      min: 1,
      max: 65535,
      reloads: true,
      isUsual: true,
      throwawayTakesIt: false,
    },
    smtp_relay_user: {
      type: "text",
      fallback: undefined,
      help: "user name for signing in to the relay (default: none)",
      reloads: true,
      isUsual: true,
      throwawayTakesIt: false,
    },
    smtp_relay_password: {
      type: "text",
      fallback: undefined,
      isSecret: true,
      help: "password for signing in to the relay",
      reloads: true,
      throwawayTakesIt: { with: "smtp_relay_host" },
    },
    mail_from: {
      type: "text",
      fallback: undefined,
      help: "sender address of mail (default: noreply@ and the host of the organization)",
      form: {
        pattern: /^[^\s@<>"(),:;]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/,
        words: "an e-mail address",
      },
      reloads: true,
      isUsual: true,
      throwawayTakesIt: false,
    },
    smtp_relay_security: {
      type: "text",
      fallback: "starttls",
      help: "encryption of the connection to the relay: starttls, tls (from the start) or none",
      values: ["starttls", "tls", "none"],
      reloads: true,
      throwawayTakesIt: false,
    },
    smtp_relay_ca_file: {
      type: "text",
      fallback: undefined,
      help: "CA certificate (PEM file) of the relay, if the system does not trust it",
      reloads: true,
      throwawayTakesIt: false,
    },
    smtp_relay_timeout_seconds: {
      type: "integer",
      fallback: 30,
      help: "seconds after which sending one mail to the relay times out",
      min: 1,
      max: 600,
      reloads: true,
      throwawayTakesIt: true,
    },
  },
} satisfies OptionGroup;
