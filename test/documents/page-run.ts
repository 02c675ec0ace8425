import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "bun";
import { command, freshFolder, type Outcome, type Server, serve } from "../cli/chatd";
import { commandsIn } from "../support/processes/command-line";

/* A page of the documents, followed by somebody who types its commands one after the other. */

const commandMilliseconds = 30_000;

/** Words of a page, the words that a test has in their place, and the reason. */
export type Replacement = readonly [before: string, after: string, because: string];

export interface PageRun {
  /** The folder that commands run in, with `data` in it. */
  folder: string;
  /** The server that a command of the page has started last. */
  server(): Server | undefined;
  /** The text with what the test has in place of addresses and folders. */
  replaced(text: string): string;
  /** Replacements whose words were on the page. */
  used: Set<Replacement>;
  /** Runs one line for a shell; one that serves is answered when the server takes requests. */
  type(line: string): Promise<Outcome>;
  end(): Promise<void>;
}

/** Begins a page in a folder of its own, with an empty home and a copy of some data. */
export function beginPage(seed: string, replacements: readonly Replacement[]): PageRun {
  const folder = freshFolder();
  for (const name of ["bin", "home", "etc", "backup"]) mkdirSync(join(folder, name));
  cpSync(seed, join(folder, "data"), { recursive: true });
  writeExecutable(join(folder, "bin/chatd"));
  const used = new Set<Replacement>();
  const exported: Record<string, string> = {};
  let server: Server | undefined;
  const replaced = (text: string) =>
    [...replacements, ...placesIn(folder)].reduce((words, replacement) => {
      const [before, after] = replacement;
      if (words.includes(before)) used.add(replacement);
      return words.replaceAll(before, after);
    }, text);
  const end = async () => {
    await server?.kill();
    server = undefined;
  };
  const type = async (line: string): Promise<Outcome> => {
    const text = replaced(line);
    const env = { HOME: join(folder, "home"), ...exported };
    if (text.startsWith("export ")) Object.assign(exported, variablesOf(text.slice(7)));
    const served = serveArgumentsOf(text);
    if (served === undefined) {
      if (stopsServers.test(text)) await end();
      return runLine(text, folder, env);
    }
    await end();
    server = await serve(served, { cwd: folder, env: { ...env, ...variablesOf(text) } });
    return outcomeOf(0, server.stdout(), server.stderr());
  };
  return { folder, server: () => server, replaced, used, type, end };
}

/** Commands before which the page says that all servers are stopped. */
const stopsServers = /chatd admin restore /;

/** Folders of a machine, which the account of the tests may not write to. */
const placesIn = (folder: string): Replacement[] =>
  [
    ["/var/lib/chatd", "data"],
    ["/etc/chatd", "etc"],
    ["/backup", "backup"],
    ["/tmp/restored", "restored"],
  ].map(([before = "", name = ""]) => [
    before,
    join(folder, name),
    "it is a folder of the machine",
  ]);

/** The command that people have on their PATH: the executable, where the suite has built it. */
function writeExecutable(path: string) {
  const words = command.map((word) => `'${word}'`).join(" ");
  writeFileSync(path, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(path, 0o755);
}

/** Arguments of `chatd serve`, if that is the line's command. */
function serveArgumentsOf(line: string): string[] | undefined {
  const [first, ...others] = commandsIn(line);
  const isServe = first?.[0] === "serve" && others.length === 0 && !first.includes("--help");
  return isServe ? first.slice(1) : undefined;
}

/** Variables at the beginning of a line: `NAME=value NAME=value …`. */
const variablesOf = (line: string): Record<string, string> =>
  Object.fromEntries(
    [...(/^(?:[A-Z0-9_]+=\S+ *)+/.exec(line)?.[0] ?? "").matchAll(/([A-Z0-9_]+)=(\S+)/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );

async function runLine(
  line: string,
  folder: string,
  env: Record<string, string>,
): Promise<Outcome> {
  const child = spawn(["bash", "-o", "pipefail", "-c", line], {
    cwd: folder,
    env: { PATH: `${join(folder, "bin")}:${process.env.PATH}`, BUN_JSC_useJIT: "0", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: commandMilliseconds,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return outcomeOf(code, stdout, stderr);
}

const outcomeOf = (code: number, stdout: string, stderr: string): Outcome => ({
  code,
  stdout,
  stderr,
  json: () => JSON.parse(stdout),
});
