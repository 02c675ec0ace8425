import { randomBytes } from "node:crypto";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeReferenceExport } from "../support/archives/reference-export";
import { writeSlackExport } from "../support/archives/slack-export";
import { freePort } from "../support/processes/free-port";
import { signedByItself } from "../support/servers/certificates";
import { blocksOf } from "./blocks";
import type { Replacement } from "./page-run";

/* Things that a page takes for granted, and words that a test has in place of its addresses. */

export interface Plan {
  /** Words in place of those of the page. They have to be there. */
  replacements?: readonly Replacement[];
  /** Files that the page takes for granted, written into its folder. */
  prepare?: (folder: string) => void;
  /** Commands that somebody has typed before. */
  before?: readonly string[];
  /** Exit codes that are not 0, by the beginning of the command. */
  ends?: Readonly<Record<string, number>>;
  /** Text that a command shows, by its beginning. */
  shows?: Readonly<Record<string, RegExp>>;
}

/** Services of other machines that a test has on this one. */
export interface Neighbours {
  postgres: string | undefined;
  s3: {
    endpoint: string;
    bucket: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
  };
  relayPort: number;
  receiver: string;
}

const secret = randomBytes(32).toString("hex");
const key = /[A-Za-z0-9]{32}$/m;
const addBob = "chatd admin user add bob@example.com --name Bob --role member";
const newestKeyOfBob =
  "chatd admin api-key list bob@example.com --json | grep -oE '\"id\": *[0-9]+' | grep -oE '[0-9]+' | tail -n 1";

/** Example of the page about organizations, which another page serves. */
const organizationOfPage = () =>
  blocksOf("docs/organization-file.md").find(({ language }) => language === "yaml")?.text ?? "";

/** Plans of pages that need nothing of other machines. */
const plansAlone: Record<string, Plan> = {
  "docs/tuning.md": {
    replacements: [["127.0.0.1:9464", `127.0.0.1:${freePort()}`, "the port may be taken"]],
  },
  "docs/testing-clients.md": {
    replacements: [["9991", String(freePort()), "the port may be taken"]],
    shows: { "curl -sS http://localhost:9991": /"result":"success"/ },
  },
  "docs/webhooks.md": {
    prepare: (folder) => writeFileSync(join(folder, "secret.txt"), "leek and potato soup\n"),
    shows: { "chatd admin bot add ci": key },
  },
  "docs/https.md": {
    prepare(folder) {
      const { certificate, key } = signedByItself("chat.example.com", ["chat.example.com"]);
      cpSync(certificate, join(folder, "etc/fullchain.pem"));
      cpSync(certificate, join(folder, "etc/ca.pem"));
      cpSync(key, join(folder, "etc/privkey.pem"));
    },
  },
  "docs/install.md": {
    replacements: [["sudo chatd", "chatd", "the account of the tests owns the data"]],
  },
  "docs/metrics.md": {
    replacements: [["127.0.0.1:9464", `127.0.0.1:${freePort()}`, "the port may be taken"]],
  },
  "docs/moving.md": {
    prepare(folder) {
      writeSlackExport(join(folder, "slack-export.zip"));
      writeReferenceExport(join(folder, "export.tar.gz"));
    },
  },
  "docs/organization-file.md": { ends: { "chatd admin apply org.yaml --diff": 3 } },
  "docs/security.md": {
    before: [addBob, "chatd admin api-key issue bob@example.com"],
    replacements: [
      ["deactivate bob@example.com", "deactivate --yes bob@example.com", "nobody can be asked"],
      ["revoke 17", `revoke $(${newestKeyOfBob})`, "keys of the tests have other numbers"],
    ],
  },
  "docs/service.md": {
    prepare: (folder) => cpSync(join(folder, "data/secret"), join(folder, "etc/secret")),
    replacements: [["sudo chatd", "chatd", "the account of the tests owns the data"]],
  },
  "docs/upgrade.md": {
    replacements: [["before-schema-11-1764230400", "before-schema-*", "its name has a time in it"]],
  },
};

export const plansWith = (neighbours: Neighbours): Record<string, Plan> => ({
  ...plansAlone,
  "docs/commands.md": {
    prepare(folder) {
      writeFileSync(join(folder, "password.txt"), "correct-horse-battery\n");
      writeFileSync(join(folder, "org.yaml"), organizationOfPage());
    },
    replacements: [["--port 9000", "--port 0", "the port may be taken"], ...database(neighbours)],
    shows: { "chatd admin user login-link": /https?:\/\/\S+/, "chatd admin api-key issue": key },
  },
  "docs/bots.md": {
    replacements: [
      ["https://bot.example.com/", neighbours.receiver, "it is on the internet"],
      ["@localhost", "@chat.example.com", "the organization of the tests has another host"],
    ],
    before: ["export CHATD_OUTBOUND_NETWORKS_ALLOWED=127.0.0.0/8"],
    shows: { "chatd admin bot add robot": key },
  },
  "docs/files.md": {
    replacements: [
      ["https://s3.example.com", neighbours.s3.endpoint, "it is on the internet"],
      ["BUCKET=chat", `BUCKET=${neighbours.s3.bucket}`, "the store of the tests has its own"],
      ["REGION=eu-1", `REGION=${neighbours.s3.region}`, "the store of the tests has its own"],
      ["ACCESS_KEY_ID=…", `ACCESS_KEY_ID=${neighbours.s3.accessKeyId}`, "it is left to the reader"],
      [
        "SECRET_ACCESS_KEY=…",
        `SECRET_ACCESS_KEY=${neighbours.s3.secretAccessKey}`,
        "it is left to the reader",
      ],
    ],
  },
  "docs/mail.md": {
    replacements: [
      [
        'smtp_relay_host = "smtp.example.com"',
        `smtp_relay_host = "127.0.0.1"\nsmtp_relay_port = ${neighbours.relayPort}\nsmtp_relay_security = "none"`,
        "the relay is on the internet",
      ],
      ["smtp_port = 25 ", "smtp_port = 0 ", "the port is for root alone"],
    ],
    shows: { "chatd admin mail test": /The mail server took it/ },
  },
  "docs/several-nodes.md": { replacements: database(neighbours) },
});

const database = ({ postgres }: Neighbours): Replacement[] =>
  postgres === undefined
    ? []
    : [
        ["postgres://user:password@host/chatd", postgres, "the database of the tests has its own"],
        ["CHATD_SECRET=…", `CHATD_SECRET=${secret}`, "it is left to the reader"],
      ];
