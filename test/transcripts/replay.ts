import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "bun";
import { openApp } from "../../src/app";
import { loadConfig } from "../../src/config/config";
import { systemClock } from "../../src/core/clock";
import { makeLog } from "../../src/core/log";
import { takePort } from "../../src/core/network/site";
import { serve } from "../../src/server";
import { command, readCredentials } from "../cli/chatd";
import { copyProvisioned, credentialsIn, provision } from "../support/databases/provisioned";
import { pythonPath } from "../support/processes/tools";
import { scratchFolder } from "../support/scratch-folder";
import { openPortWithSharedRoutes } from "../support/shared-routes";

const recordings = join(import.meta.dir, "../recorded/transcripts");
const cast = join(import.meta.dir, "cast.yaml");
const password = "correct-horse-battery";
const level = "481";
/** Longer than any scenario takes on a busy machine, shorter than the suite's patience. */
const scenarioMilliseconds = 100_000;
/**
 * A poll that waits for what never comes is answered after this; the replayer itself gives up after
 * 30 s.
 */
const heartbeatSeconds = "4";
/** Scenarios wait more than they work. */
const atOnceMax = 8;

/** A step that did not go as recorded. */
export interface Deviation {
  /** Its number in the file. */
  step: number;
  what: string;
}

export interface Replay {
  name: string;
  passed: number;
  deviations: Deviation[];
}

/** The names of all scenarios. */
export const listScenarios = (): string[] =>
  [...new Bun.Glob("*.json").scanSync(recordings)]
    .map((file) => file.replace(/\.json$/, ""))
    .sort();

/**
 * Replays recorded behaviour of the reference server, each scenario on a fresh server of its own
 * and several at a time. The servers run in this process, because what one has compiled serves all.
 * Answers by name how each went.
 */
export async function replayAll(names: readonly string[], atOnce = atOnceMax) {
  const replays = new Map<string, Replay>();
  const provisioned = mkdtempSync(join(scratchFolder(), "chatd-transcripts-"));
  provision(provisioned, command, { organization: cast });
  const waiting = [...names];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      replays.set(
        name,
        await replay(name, provisioned).catch((error: unknown) => unreplayed(name, error)),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  rmSync(provisioned, { recursive: true });
  return replays;
}

const unreplayed = (name: string, error: unknown): Replay => ({
  name,
  passed: 0,
  deviations: [{ step: -1, what: `could not be replayed: ${error}` }],
});

async function replay(name: string, provisioned: string): Promise<Replay> {
  const folder = mkdtempSync(join(scratchFolder(), "chatd-transcript-"));
  const data = join(folder, "data");
  try {
    await copyProvisioned(provisioned, data);
    const server = await startServer(data);
    try {
      const environment = join(folder, "environment.json");
      const credentials = readCredentials(credentialsIn(provisioned));
      writeFileSync(
        environment,
        JSON.stringify({ ...withPasswords(credentials), site: server.site }),
      );
      return readReport(name, await runKit(name, environment), server.log());
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A server on some data, in this process, with the configuration of `chatd serve`. */
async function startServer(data: string) {
  const flags = {
    host: "127.0.0.1",
    port: "0",
    data,
    heartbeat_seconds: heartbeatSeconds,
    // The reference server has no quota of files unless one is given.
    upload_quota_mib: "0",
    // The posts to its bots go to the replayer.
    outbound_networks_allowed: "127.0.0.1",
  };
  const config = loadConfig(flags, undefined, {});
  const logged: string[] = [];
  const exit = (code: number) => {
    throw new Error(`the server ended with ${code}`);
  };
  const log = makeLog(systemClock, "warn", (line) => logged.push(line));
  const app = await openApp(config, { log, exit });
  const http = await serve(app, { openPort: openPortWithSharedRoutes }).catch(async (error) => {
    await app.close();
    throw error;
  });
  takePort(config, http.port);
  const endBackground = app.startBackground();
  return {
    site: `http://localhost:${http.port}`,
    log: () => logged.join("\n"),
    async stop() {
      endBackground();
      app.events.close();
      await http.stop();
      await app.close();
    },
  };
}

const withPasswords = ({ users, ...rest }: ReturnType<typeof readCredentials>) => ({
  ...rest,
  users: users.map((user) => ({ ...user, password })),
});

async function runKit(name: string, environment: string): Promise<string> {
  const mode = name === "markdown" ? "replay-md" : "replay";
  const options = ["--env", environment, "--level", level, "--max", "6"];
  const command = [
    pythonPath(),
    join(import.meta.dir, "kit.py"),
    mode,
    ...options,
    join(recordings, `${name}.json`),
  ];
  const kit = spawn(command, {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: scenarioMilliseconds,
    killSignal: "SIGKILL",
  });
  const [report, complaints] = await Promise.all([
    new Response(kit.stdout).text(),
    new Response(kit.stderr).text(),
  ]);
  return report + complaints;
}

function readReport(name: string, report: string, log: string): Replay {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(report) ?? [];
  const failures = report.matchAll(
    /^FAIL \w+ #?(\d+) ([\s\S]*?)(?=\n(?:FAIL |INFO |\d+ passed))/gm,
  );
  const deviations = [...failures].map(([, step, what = ""]) => ({ step: Number(step), what }));
  if (deviations.length !== Number(failed))
    throw new Error(`${name} was not replayed: ${report}\n${log}`);
  return { name, passed: Number(passed), deviations };
}
