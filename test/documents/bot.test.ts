import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "bun";
import { readCredentials, waitFor } from "../cli/chatd";
import { findClient, serveOrganization } from "../clients/session";
import { preparePython } from "../clients/setup";
import { Client } from "../support/client";
import { requireTool } from "../support/processes/tools";
import { blocksOf } from "./blocks";

/* The bot of docs/bots.md, run by the package that it names. */

const heardMilliseconds = 30_000;
const hasTools = requireTool("python3");
const python = hasTools ? findClient("the Python package zulip", preparePython) : undefined;
let end = async () => {};
afterAll(() => end());

/** The page's script, with the address and the key that a reader puts into it. */
function scriptOfPage(site: string, key: string): string {
  const script = blocksOf("docs/bots.md").find(({ language }) => language === "python")?.text ?? "";
  const places = {
    'api_key="…"': `api_key="${key}"`,
    "http://localhost:8080": site,
    "robot-bot@localhost": "robot-bot@example.com",
  };
  return Object.entries(places).reduce((text, [before, after]) => {
    expect(text).toContain(before);
    return text.replace(before, after);
  }, script);
}

describe.skipIf(python === undefined)("the bot of docs/bots.md", () => {
  test("says hello in its channel, and prints what it hears", async () => {
    const { folder, credentials, server } = await serveOrganization();
    const { users } = readCredentials(credentials);
    const keyOf = (email: string) => users.find((user) => user.email === email)?.api_key ?? "";
    const email = "alice@example.com";
    const alice = new Client(server.site, "localhost", { email, apiKey: keyOf(email) });
    const file = join(folder, "bot.py");
    writeFileSync(file, scriptOfPage(server.site, keyOf("robot-bot@example.com")));
    const bot = spawn([python ?? "", "-u", file], {
      env: { PATH: process.env.PATH, HOME: folder },
      stdin: "ignore",
      stdout: Bun.file(join(folder, "printed")),
      stderr: Bun.file(join(folder, "complaints")),
      timeout: 2 * heardMilliseconds,
      killSignal: "SIGKILL",
    });
    end = async () => {
      bot.kill("SIGKILL");
      await bot.exited;
      await server.kill();
    };
    // Nobody can see from outside when the bot has its queue: Alice writes until it hears her.
    const printed = await waitFor(
      async () => {
        await alice.post("/messages", {
          type: "direct",
          to: ["robot-bot@example.com"],
          content: "Hi",
        });
        const text = await Bun.file(join(folder, "printed")).text();
        return text === "" ? undefined : text;
      },
      heardMilliseconds,
      () => bot.exitCode !== null,
    );
    expect(printed).toMatch(/^(<p>)?Hi/);
    const { body } = await alice.get("/messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: "channel", operand: "general" }],
      apply_markdown: false,
    });
    expect(body.messages).toMatchObject([{ content: "Hi **all**", subject: "hello" }]);
  }, 90_000);
});
