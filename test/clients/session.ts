import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "bun";
import { freshFolder, quicklyCompiled, readCredentials, sqlite } from "../cli/chatd";
import { startServer } from "../support/processes/server-process";
import { lacking } from "../support/processes/tools";
import { buildBinary } from "./binary";

/** JSON from the wire: tests look into it freely. */
export type Answers = ReturnType<typeof JSON.parse>;

const scriptMilliseconds = 60_000;

/** Time that a test file may take to build, to start and to run its script. */
export const setupMilliseconds = 90_000;

/** The files that a client is given. */
export interface ClientFiles {
  /** File that people download for their client, as Alice has it. */
  zuliprc: string;
  /** Everybody's API keys. */
  credentials: string;
  site: string;
}

/** Installs a client; undefined when it cannot be had, which is said loudly. */
export function findClient<Place>(name: string, prepare: () => Place): Place | undefined {
  try {
    return prepare();
  } catch (error) {
    lacking(`${name} cannot be had (${error})`);
    return undefined;
  }
}

/**
 * Starts the executable, which knows nothing of this checkout, with the organization that tests
 * start with.
 */
export async function serveOrganization(more: string[] = []) {
  const folder = freshFolder();
  const credentials = join(folder, "credentials.json");
  const { place, credentials: keys } = await sqlite.provisioned();
  const serve = [buildBinary(folder), "serve", "--host", "127.0.0.1", "--port", "0", ...place];
  const server = await startServer([...serve, ...more], quicklyCompiled).ready();
  const site = `http://localhost:${new URL(server.site).port}`;
  writeFileSync(credentials, JSON.stringify({ ...keys, site }));
  return { folder, credentials, server };
}

/**
 * Runs a program of a client with a home folder below a folder, and nothing of this environment but
 * what is given.
 */
export async function runClient(
  command: string[],
  folder: string,
  environment: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const run = spawn(command, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: scriptMilliseconds,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);
  return { code, stdout, stderr };
}

/**
 * Runs a client's script against the executable, which knows nothing of this checkout, and answers
 * what it printed.
 */
export async function runScript(command: (files: ClientFiles) => string[]): Promise<Answers> {
  const { folder, credentials, server } = await serveOrganization();
  const files = { zuliprc: writeZuliprc(folder, credentials), credentials, site: server.site };
  const { code, stdout, stderr } = await runClient(command(files), folder);
  if (code !== 0) throw new Error(`the script failed: ${stderr}\n${server.log()}`);
  expect(await server.stop()).toBe(0);
  return JSON.parse(stdout);
}

/**
 * File that people download for their client, as Alice has it or somebody else, which only they may
 * read; `more` are sections that a client adds.
 */
export function writeZuliprc(
  folder: string,
  credentials: string,
  more = "",
  email = "alice@example.com",
): string {
  const path = join(folder, email === "alice@example.com" ? "zuliprc" : `zuliprc-${email}`);
  const { site, users } = readCredentials(credentials);
  const owner = users.find((user) => user.email === email);
  writeFileSync(path, `[api]\nemail=${email}\nkey=${owner?.api_key}\nsite=${site}\n${more}`, {
    mode: 0o600,
  });
  return path;
}

export const namesOf = (channels: { name: string }[]) => channels.map(({ name }) => name).sort();
export const contentsOf = ({ messages }: Answers) =>
  messages.map(({ content }: { content: string }) => content);
