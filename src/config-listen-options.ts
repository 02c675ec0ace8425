import type { Option } from "./config-option";

const host = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*";

/** The options of what is listened at, and of https there. */
export const listenOptions = {
  host: { type: "text", fallback: "0.0.0.0", help: "address to listen on" },
  port: {
    type: "integer",
    fallback: 8080,
    help: "port to listen on (0: any free one; with https 443, where none is given)",
    min: 0,
    max: 65535,
  },
  https: {
    type: "text",
    fallback: undefined,
    help: "host to get a certificate for and to speak https at, e.g. chat.example.com; several with commas. The terms of the authority (Let's Encrypt) are agreed to",
    form: {
      pattern: new RegExp(`^${host}(?:, ?${host})*$`, "i"),
      words: "like chat.example.com, or several hosts with commas",
    },
  },
  acme_directory: {
    type: "address",
    fallback: "https://acme-v02.api.letsencrypt.org/directory",
    help: "address of the certificate authority's directory (ACME)",
    form: { pattern: /^https:\/\/\S+$/, words: "like https://ca.example.com/acme/directory" },
  },
  acme_ca_file: {
    type: "text",
    fallback: undefined,
    help: "certificate (PEM file) that vouches for that directory, where it is a private one",
  },
  acme_email: {
    type: "text",
    fallback: undefined,
    help: "address that the certificate authority may write to",
    form: { pattern: /^[^@\s]+@[^@\s]+$/, words: "an e-mail address" },
  },
  http_port: {
    type: "integer",
    fallback: undefined,
    help: "port at which http leads to https, and the certificate authority asks (default: 80 with https, else none; 0: any free one)",
    min: 0,
    max: 65535,
  },
  tls_certificate: {
    type: "text",
    fallback: undefined,
    help: "certificate and its chain (PEM file) of your own, to speak https with",
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
    help: "Unix socket to listen on, in place of host and port, e.g. unix:/run/chatd/chatd.sock; a proxy at it is trusted",
    form: { pattern: /^unix:\/\S/, words: "like unix:/run/chatd/chatd.sock" },
  },
  listen_mode: {
    type: "text",
    fallback: "660",
    help: "mode of that socket, which says who may connect: 600, 660 or 666",
    form: { pattern: /^0?6[06][06]$/, words: "600, 660 or 666" },
  },
} satisfies Record<string, Option>;
