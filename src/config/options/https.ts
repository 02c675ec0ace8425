import type { OptionGroup } from "../option";

const hostName = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*";

/** The options of https: certificates that the server gets by itself, or your own. */
export const https = {
  heading: "HTTPS",
  options: {
    https: {
      type: "text",
      fallback: undefined,
      help: "host for which to get a certificate and speak https, e.g. chat.example.com; separate several by commas. You agree to the terms of the certificate authority (Let's Encrypt)",
      form: {
        pattern: new RegExp(`^${hostName}(?:, ?${hostName})*$`, "i"),
        words: "like chat.example.com, or several hosts with commas",
      },
      isUsual: true,
      throwawayTakesIt: false,
    },
    tls_certificate: {
      type: "text",
      fallback: undefined,
      help: "your own certificate with its chain (PEM file), to speak https",
      reloads: true,
      isUsual: true,
      throwawayTakesIt: true,
    },
    tls_key: {
      type: "text",
      fallback: undefined,
      help: "key of that certificate (PEM file)",
      reloads: true,
      isUsual: true,
      throwawayTakesIt: true,
    },
    http_port: {
      type: "integer",
      fallback: undefined,
      help: "port that redirects http to https and answers the certificate authority (default: 80 with https, else none; 0: any free port)",
      min: 0,
      max: 65535,
      throwawayTakesIt: false,
    },
    acme_directory: {
      type: "address",
      fallback: "https://acme-v02.api.letsencrypt.org/directory",
      help: "URL of the certificate authority's ACME directory",
      form: { pattern: /^https:\/\/\S+$/, words: "like https://ca.example.com/acme/directory" },
      throwawayTakesIt: false,
    },
    acme_ca_file: {
      type: "text",
      fallback: undefined,
      help: "CA certificate (PEM file) for the connection to a private certificate authority",
      throwawayTakesIt: false,
    },
    acme_email: {
      type: "text",
      fallback: undefined,
      help: "e-mail address for mail from the certificate authority",
      form: { pattern: /^[^@\s]+@[^@\s]+$/, words: "an e-mail address" },
      throwawayTakesIt: false,
    },
  },
} satisfies OptionGroup;
