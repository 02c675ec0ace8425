import type { Option } from "./option";

/** The options of mail: what is received, through which relay it goes out, and who it is from. */
export const mailOptions = {
  channel_email_domain: {
    type: "domain",
    fallback: undefined,
    help: "domain of the e-mail addresses of channels (default: channels have no addresses)",
  },
  smtp_port: {
    type: "integer",
    fallback: undefined,
    help: "port for incoming mail to channels (default: no incoming mail; 0: any free port)",
    min: 0,
    max: 65535,
  },
  smtp_host: {
    type: "text",
    fallback: undefined,
    help: "address that accepts incoming mail, e.g. 0.0.0.0 (default: the address in `host`)",
  },
  smtp_size_bytes_max: {
    type: "integer",
    fallback: 26_214_400,
    help: "largest mail that is accepted, in bytes",
    min: 65_536,
  },
  smtp_connections_max: {
    type: "integer",
    fallback: 50,
    help: "connections for incoming mail at a time; one client address may have half of them",
    min: 1,
  },
  smtp_connections_per_minute_per_address: {
    type: "integer",
    fallback: 60,
    help: "connections for incoming mail that one client address may open per minute (0: no limit)",
  },
  smtp_tls_certificate: {
    type: "text",
    fallback: undefined,
    help: "certificate (PEM file) to encrypt incoming mail, read again each hour (default: not encrypted)",
  },
  smtp_tls_key: {
    type: "text",
    fallback: undefined,
    help: "key of the certificate for incoming mail (PEM file)",
  },
  smtp_relay_host: {
    type: "text",
    fallback: undefined,
    help: "mail server (relay) that sends this server's mail (default: no mail is sent)",
    reloads: true,
  },
  smtp_relay_port: {
    type: "integer",
    fallback: 587,
    help: "port of the relay",
    min: 1,
    max: 65535,
    reloads: true,
  },
  smtp_relay_security: {
    type: "text",
    fallback: "starttls",
    help: "encryption of the connection to the relay: starttls, tls (from the start) or none",
    form: { pattern: /^(?:starttls|tls|none)$/, words: "starttls, tls or none" },
    reloads: true,
  },
  smtp_relay_user: {
    type: "text",
    fallback: undefined,
    help: "user name for signing in to the relay (default: none)",
    reloads: true,
  },
  smtp_relay_password: {
    type: "text",
    fallback: undefined,
    isSecret: true,
    help: "password for signing in to the relay",
    reloads: true,
  },
  smtp_relay_ca_file: {
    type: "text",
    fallback: undefined,
    help: "CA certificate (PEM file) of the relay, if the system does not trust it",
    reloads: true,
  },
  smtp_relay_timeout_seconds: {
    type: "integer",
    fallback: 30,
    help: "seconds after which sending one mail to the relay times out",
    min: 1,
    max: 600,
    reloads: true,
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
  },
} satisfies Record<string, Option>;
