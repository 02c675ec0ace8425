import { join } from "node:path";
import type { RunningApp } from "../../../src/app";
import { importFile } from "../../../src/moving/import/import-file";
import type { Skipped } from "../../../src/moving/import/report";
import type { Client } from "../client";
import { makeWorld } from "../world";
import { backupFolder } from "./backups";
import { signInAll } from "./realm-view";
import { writeSlackExport } from "./slack-export";

/** Where exports of Slack are imported to. */
export const slackHost = "slack.example.org";

export const importSlack = (
  app: RunningApp,
  path: string,
  { isDry = false, tell = (_: Skipped): void => undefined } = {},
) =>
  importFile(
    app,
    path,
    { from: "slack", host: slackHost, name: "Acme", isDry },
    { progress: () => undefined, tell },
  );

export type Message = Record<string, unknown>;

/** All messages that somebody reads, as they were written or as HTML. */
export async function readAll(person: Client | undefined, asSource = true): Promise<Message[]> {
  const page = {
    anchor: "oldest",
    num_before: 0,
    num_after: 1000,
    narrow: [],
    apply_markdown: !asSource,
  };
  return (await person?.get("/messages", page))?.body.messages;
}

/** Exports that are written to a folder of the test's own and imported into worlds. */
export function slackImports() {
  const { folder, remove } = backupFolder();
  let made = 0;
  const nextPath = () => join(folder, `${made++}.zip`);

  async function imported(more: Record<string, unknown> = {}, flags: Record<string, string> = {}) {
    const world = await makeWorld(flags);
    const path = nextPath();
    writeSlackExport(path, more);
    const told: Skipped[] = [];
    const report = await importSlack(world.app, path, { tell: (one) => void told.push(one) });
    const people = await signInAll(world, slackHost);
    const person = (name: string) => people.get(`${name}@example.com`);
    return { world, path, report, told, person };
  }
  return { folder, remove, nextPath, imported };
}
