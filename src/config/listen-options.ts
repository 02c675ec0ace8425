import type { Option } from "./option";

const host = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*";

/** The options of what is listened at, and of https there. */
export const listenOptions = {
  host: { type: "text", fallback: "0.0.0.0", help: "address to listen on" },
  port: {
    type: "integer",
    fallback: 8080,
    help: "port to listen on (0: any free port; with https the default is 443)",
    min: 0,
    max: 65535,
  },
  https: {
    type: "text",
    fallback: undefined,
    help: "host for which to get a certificate and speak https, e.g. chat.example.com; separate several by commas. You agree to the terms of the certificate authority (Let's Encrypt)",
    form: {
      pattern: new RegExp(`^${host}(?:, ?${host})*$`, "i"),
      words: "like chat.example.com, or several hosts with commas",
    },
  },
  acme_directory: {
    type: "address",
    fallback: "https://acme-v02.api.letsencrypt.org/directory",
    help: "URL of the certificate authority's ACME directory",
    form: { pattern: /^https:\/\/\S+$/, words: "like https://ca.example.com/acme/directory" },
  },
  acme_ca_file: {
    type: "text",
    fallback: undefined,
    help: "CA certificate (PEM file) for the connection to a private certificate authority",
  },
  acme_email: {
    type: "text",
    fallback: undefined,
    help: "e-mail address for mail from the certificate authority",
    form: { pattern: /^[^@\s]+@[^@\s]+$/, words: "an e-mail address" },
  },
  http_port: {
    type: "integer",
    fallback: undefined,
    help: "port that redirects http to https and answers the certificate authority (default: 80 with https, else none; 0: any free port)",
    min: 0,
    max: 65535,
  },
  tls_certificate: {
    type: "text",
    fallback: undefined,
    help: "your own certificate with its chain (PEM file), to speak https",
    reloads: true,
  },
  tls_key: {
    type: "text",
    fallback: undefined,
    help: "key of that certificate (PEM file)",
    reloads: true,
  },
  listen: {
    type: "text",
    fallback: undefined,
    help: "Unix socket to listen on instead of host and port, e.g. unix:/run/chatd/chatd.sock; a proxy that connects to it is trusted",
    form: {
      pattern: /^unix:\/\S/,
      words:
        "like unix:/run/chatd/chatd.sock, because it names a Unix socket: --host and --port set an address and a port",
    },
  },
  listen_mode: {
    type: "text",
    fallback: "660",
    help: "file mode of that socket, which decides who may connect: 600, 660 or 666",
    form: { pattern: /^0?6[06][06]$/, words: "600, 660 or 666" },
  },
} satisfies Record<string, Option>;
