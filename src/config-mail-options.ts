import type { Option } from "./config-option";

/** The options of mail: what is received, through which relay it goes out, and who it is from. */
export const mailOptions = {
  channel_email_domain: {
    type: "domain",
    fallback: undefined,
    help: "the domain of channels' e-mail addresses (without it they have none)",
  },
  smtp_port: {
    type: "integer",
    fallback: undefined,
    help: "port to receive incoming mail to channels on (without it there is none; 0: any free one)",
    min: 0,
    max: 65535,
  },
  smtp_size_bytes_max: {
    type: "integer",
    fallback: 26_214_400,
    help: "largest mail that is received",
    min: 65_536,
  },
  smtp_connections_max: {
    type: "integer",
    fallback: 50,
    help: "connections for mail at the same time; one address has half of them",
    min: 1,
  },
  smtp_connections_per_minute_per_address: {
    type: "integer",
    fallback: 60,
    help: "connections of an address that sends mail (0: any number)",
  },
  smtp_tls_certificate: {
    type: "text",
    fallback: undefined,
    help: "file with the certificate (PEM) for encrypted mail, read again each hour; without it mail comes unencrypted",
  },
  smtp_tls_key: {
    type: "text",
    fallback: undefined,
    help: "file with the certificate's key (PEM)",
  },
  smtp_relay_host: {
    type: "text",
    fallback: undefined,
    help: "mail server that outgoing mail is handed to (without it none is sent)",
  },
  smtp_relay_port: {
    type: "integer",
    fallback: 587,
    help: "port of the server for outgoing mail",
    min: 1,
    max: 65535,
  },
  smtp_relay_security: {
    type: "text",
    fallback: "starttls",
    help: "how to speak to the server for outgoing mail: starttls, tls (from the start) or none",
    form: { pattern: /^(?:starttls|tls|none)$/, words: "starttls, tls or none" },
  },
  smtp_relay_user: {
    type: "text",
    fallback: undefined,
    help: "whom to sign in as at the server for outgoing mail (default: nobody)",
  },
  smtp_relay_password: {
    type: "text",
    fallback: undefined,
    isSecret: true,
    help: "the password to sign in there",
  },
  smtp_relay_ca_file: {
    type: "text",
    fallback: undefined,
    help: "PEM file of the authority that vouches for the server for outgoing mail, where the system does not know it",
  },
  smtp_relay_timeout_seconds: {
    type: "integer",
    fallback: 30,
    help: "time to hand one mail over",
    min: 1,
    max: 600,
  },
  mail_from: {
    type: "text",
    fallback: undefined,
    help: "address that mail comes from (default: noreply@ and the host of the organization)",
    form: {
      pattern: /^[^\s@<>"(),:;]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/,
      words: "an e-mail address",
    },
  },
} satisfies Record<string, Option>;
