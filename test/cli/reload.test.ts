import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "bun";
import { Reloads } from "../../cli/serve-signals";
import { outcomeOf } from "../support/outcome";
import { command, freshFolder, serve, waitFor } from "./chatd";

/* SIGHUP reads the configuration anew; no other signal but those to stop ends a server. */

function configFile() {
  const path = join(freshFolder(), "chatd.toml");
  const write = (...lines: string[]) => writeFileSync(path, `${lines.join("\n")}\n`);
  return { path, write };
}

describe("a server that gets SIGHUP", () => {
  test("takes over what can change while it runs, and names what needs a restart", async () => {
    const { path, write } = configFile();
    const address = 'host = "127.0.0.1"';
    write(address, "requests_per_minute_per_address = 2");
    const server = await serve(["--ephemeral", "--config", path]);
    const asked = async () => (await fetch(`${server.site}/api/v1/server_settings`)).status;
    expect([await asked(), await asked(), await asked()]).toEqual([200, 200, 429]);

    write(address, "requests_per_minute_per_address = 600", 'log_level = "warn"');
    server.signal("SIGHUP");
    expect(await server.logged("configuration_taken")).toMatchObject({
      taken: ["log_level", "requests_per_minute_per_address"],
      need_restart: [],
    });
    expect([await asked(), await asked(), await asked()]).toEqual([200, 200, 200]);

    write(address, 'log_level = "info"', "heartbeat_seconds = 20", "gravatar_enabled = false");
    server.signal("SIGHUP");
    expect(await server.logged("configuration_taken", 1)).toMatchObject({
      taken: ["log_level"],
      need_restart: ["gravatar_enabled", "heartbeat_seconds"],
    });
    expect(await server.stop()).toBe(0);
  });

  test("keeps all of its configuration where the new one is wrong, and says where", async () => {
    const { path, write } = configFile();
    write("requests_per_minute_per_address = 1");
    const data = join(freshFolder(), "data");
    const server = await serve(["--data", data, "--config", path]);
    const asked = async () => (await fetch(`${server.site}/api/v1/server_settings`)).status;
    const wrong = [
      ["requests_per_minute_per_address = 600", "prot = 80"],
      ["requests_per_minute_per_address = 600", "queue_idle_seconds = 0"],
      ["requests_per_minute_per_address = 600", 'file_store = "s3"'],
      ["requests_per_minute_per_address = ="],
    ];
    const why = [
      `${path}:2:1: unknown key 'prot'. Did you mean port?`,
      `queue_idle_seconds in ${path} must be a whole number from 1`,
      "s3_endpoint",
      `${path}:1:`,
    ];
    for (const [index, lines] of wrong.entries()) {
      write(...lines);
      server.signal("SIGHUP");
      const { level, what } = await server.logged("reload_failed", index);
      expect([level, what]).toEqual(["error", expect.stringContaining(why[index] ?? "")]);
    }
    expect([await asked(), await asked()]).toEqual([200, 429]);
    expect(await server.stop()).toBe(0);
  });

  test("goes on after SIGUSR1 and SIGUSR2 as if nothing had been said", async () => {
    const server = await serve(["--ephemeral"]);
    for (const signal of ["SIGUSR1", "SIGUSR2", "SIGHUP"] as const) server.signal(signal);
    await server.logged("configuration_taken");
    expect((await fetch(`${server.site}/healthz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});

test("one that fails does not keep those that are asked for later from running", async () => {
  const reloads = new Reloads();
  let runs = 0;
  await reloads.begin(async () => {
    runs += 1;
    if (runs === 1) throw new Error("The service manager cannot be told.");
  });
  expect(await outcomeOf(reloads.ask())).toThrow("cannot be told");
  await reloads.ask();
  expect(runs).toBe(2);
});

test("a server that ends does not read its configuration any more", async () => {
  const server = await serve(["--ephemeral", "--drain-seconds", "1"]);
  const stopped = server.stop();
  await server.logged("stopping");
  server.signal("SIGHUP");
  expect(await stopped).toBe(0);
  expect(server.stderr()).not.toContain("configuration_taken");
});

test("a server whose terminal is closed ends in order", async () => {
  let seen = "";
  const child = spawn([...command, "serve", "--ephemeral", "--port", "0"], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: "xterm-256color" },
    terminal: { cols: 100, rows: 30, data: (_, chunk) => (seen += Buffer.from(chunk).toString()) },
  });
  await waitFor(() => (seen.includes("chatd is ready at") ? true : undefined), 15_000);
  child.terminal?.close();
  expect(await child.exited).toBe(0);
});
