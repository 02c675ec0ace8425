import type { OptionGroup } from "../option";

/** The options of mail that channels receive. */
export const mailToChannels = {
  heading: "Mail to channels",
  options: {
    channel_email_domain: {
      type: "domain",
      fallback: undefined,
      help: "domain of the e-mail addresses of channels (default: channels have no addresses)",
      throwawayTakesIt: false,
    },
    smtp_port: {
      type: "integer",
      fallback: undefined,
      help: "port for incoming mail to channels (default: no incoming mail; 0: any free port)",
      min: 0,
      max: 65535,
      throwawayTakesIt: false,
    },
    smtp_host: {
      type: "text",
      fallback: undefined,
      help: "address that accepts incoming mail, e.g. 0.0.0.0 (default: the address in `host`)",
      throwawayTakesIt: false,
    },
    smtp_tls_certificate: {
      type: "text",
      fallback: undefined,
      help: "certificate (PEM file) to encrypt incoming mail, read again each hour (default: not encrypted)",
      throwawayTakesIt: { with: "smtp_port" },
    },
    smtp_tls_key: {
      type: "text",
      fallback: undefined,
      help: "key of the certificate for incoming mail (PEM file)",
      throwawayTakesIt: { with: "smtp_port" },
    },
    smtp_size_bytes_max: {
      type: "integer",
      fallback: 26_214_400,
      help: "largest mail that is accepted, in bytes",
      min: 65_536,
      throwawayTakesIt: true,
    },
    smtp_connections_max: {
      type: "integer",
      fallback: 50,
      help: "connections for incoming mail at a time; one client address may have half of them",
      min: 1,
      throwawayTakesIt: true,
    },
    smtp_connections_per_minute_per_address: {
      type: "integer",
      fallback: 60,
      help: "connections for incoming mail that one client address may open per minute (0: no limit)",
      throwawayTakesIt: true,
    },
  },
} satisfies OptionGroup;
