import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshFolder, readCredentials } from "../cli/chatd";
import { Client } from "../support/client";
import { startServer } from "../support/processes/server-process";
import { requireTool } from "../support/processes/tools";
import { signedByItself } from "../support/servers/certificates";
import { openTunnel, type Tunnel } from "../support/servers/tunnel";
import { buildBinary } from "./binary";
import { findClient, runClient, setupMilliseconds } from "./session";
import { preparePrograms } from "./setup";

/*
 * apprise speaks https at port 443 of the organization's host alone. It comes through a proxy,
 * which leads there.
 */

const hasTools = requireTool("make") && requireTool("python3") && requireTool("openssl");
const programs = hasTools ? findClient("the Python package apprise", preparePrograms) : undefined;

const host = "acme.example.com";
const organization = `
realm: {name: Acme, host: ${host}, user_defaults: {email_address_visibility: 1}}
users:
  - {email: olga@example.com, name: Olga Owner, role: owner}
bots:
  - {email: watch-bot@${host}, name: Watch, kind: generic, owner: olga@example.com}
channels:
  - {name: alarms, description: "", subscribers: [olga@example.com, watch-bot@${host}]}
`;

let tunnel: Tunnel | undefined;
let stopServer: () => Promise<unknown> = async () => undefined;
let folder: string;
let olga: Client;
let key: string;
const certificate = hasTools ? signedByItself(host, [host]) : undefined;

/** Runs apprise with an address as its documentation has it: botname, organization, key, target. */
function notify(target: string) {
  const [python, apprise] = ["python", "apprise"].map((name) => join(programs ?? "", name));
  const text = ["--title", "disk", "--body", "The disk is full."];
  const address = `zulip://watch@${host}/${key}/${target}`;
  return runClient([`${python}`, `${apprise}`, ...text, address], folder, {
    HTTPS_PROXY: `http://127.0.0.1:${tunnel?.port}`,
    REQUESTS_CA_BUNDLE: certificate?.certificate ?? "",
  });
}

/** The newest message that Olga has. */
async function newest(): Promise<object> {
  const asked = { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false };
  const unchecked: BunFetchRequestInit = { tls: { rejectUnauthorized: false } };
  const { body } = await olga.ask("GET", "/messages", asked, unchecked);
  return body.messages[0];
}

describe.skipIf(programs === undefined)("apprise, unmodified,", () => {
  beforeAll(async () => {
    folder = freshFolder();
    const [file, credentials] = [join(folder, "acme.yaml"), join(folder, "credentials.json")];
    writeFileSync(file, organization);
    const serve = ["serve", "--ephemeral", "--host", "127.0.0.1", "--port", "0"];
    const https = ["--tls-certificate", certificate?.certificate, "--tls-key", certificate?.key];
    const given = ["--apply", file, "--credentials", credentials];
    const command = [buildBinary(folder), ...serve, ...https.map(String), ...given];
    const server = await startServer(command).ready();
    stopServer = server.stop;
    tunnel = await openTunnel(Number(new URL(server.site).port));
    const { users } = readCredentials(credentials);
    const keyOf = (email: string) => users.find((user) => user.email === email)?.api_key ?? "";
    key = keyOf(`watch-bot@${host}`);
    const own = { email: "olga@example.com", apiKey: keyOf("olga@example.com") };
    olga = new Client(server.site, host, own);
  }, setupMilliseconds);

  afterAll(async () => {
    tunnel?.close();
    await stopServer();
  });

  test("writes to a channel as a bot, which it knows by its address", async () => {
    const { code, stdout, stderr } = await notify("alarms");
    if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}${stdout}`);
    const message = { sender_full_name: "Watch", content: "The disk is full." };
    expect(await newest()).toMatchObject({
      ...message,
      display_recipient: "alarms",
      subject: "disk",
    });
  });

  test("writes to a person", async () => {
    expect((await notify("olga@example.com")).code).toBe(0);
    const message = { sender_full_name: "Watch", content: "The disk is full." };
    expect(await newest()).toMatchObject({ ...message, type: "private" });
  });
});
