import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, type Flags, loadConfig, options } from "../../src/config";
import { loadServerSecret } from "../../src/core/secrets";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chatd-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(toml: string): string {
  const path = join(folder, "chatd.toml");
  writeFileSync(path, toml);
  return path;
}

/** Refusal of a configuration. */
function refusal(flags: Flags, path?: string, environment: NodeJS.ProcessEnv = {}): string {
  try {
    loadConfig(flags, path, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("It was not refused.");
}

describe("the configuration", () => {
  test("has a value for everything, and cannot be changed", () => {
    const config = loadConfig({}, undefined, {});
    expect(config).toMatchObject({
      port: 8080,
      host: "0.0.0.0",
      data: "./data",
      logLevel: "info",
      heartbeatSeconds: 50,
    });
    expect(config.database).toBeUndefined();
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.keys(config)).toHaveLength(Object.keys(options).length);
  });

  test("takes flags before the environment, that before the file, and that before what is usual", () => {
    const path = file('port = 1001\nhost = "file"\ndata = "file"\n');
    const environment = { CHATD_PORT: "1002", CHATD_HOST: "environment" };
    const config = loadConfig({ port: "1003" }, path, environment);
    expect([config.port, config.host, config.data, config.logLevel]).toEqual([
      1003,
      "environment",
      "file",
      "info",
    ]);
    expect(loadConfig({}, undefined, { CHATD_CONFIG: path }).port).toBe(1001);
    expect(loadConfig({}, undefined, { CHATD_PORT: "" }).port).toBe(8080);
  });

  test("takes true and false, and what may be left out", () => {
    const usual = loadConfig({}, undefined, {});
    expect([usual.webPublicStreamsEnabled, usual.canAccessAllUsersGroupLimitsPresence]).toEqual([
      false,
      true,
    ]);
    expect([usual.jitsiServerUrl, usual.maxDeactivatedRealmDeletionDays]).toEqual([
      "https://meet.jit.si",
      undefined,
    ]);
    const path = file('web_public_streams_enabled = true\njitsi_server_url = "none"\n');
    const environment = { CHATD_CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: "TRUE" };
    const config = loadConfig({ max_deactivated_realm_deletion_days: "30" }, path, environment);
    expect([config.webPublicStreamsEnabled, config.canAccessAllUsersGroupLimitsPresence]).toEqual([
      true,
      true,
    ]);
    expect([config.jitsiServerUrl, config.maxDeactivatedRealmDeletionDays]).toEqual([
      undefined,
      30,
    ]);
    expect(refusal({ web_public_streams_enabled: "1" })).toBe(
      "--web-public-streams-enabled must be true or false.",
    );
  });

  test("refuses what it does not know or cannot use, and names the place", () => {
    expect(refusal({}, file("prot = 80\n"))).toMatch(/chatd\.toml has unknown keys: prot/);
    expect(refusal({}, file("port = [\n"))).toMatch(/not valid TOML/);
    expect(refusal({}, join(folder, "none.toml"))).toMatch(/does not exist/);
    expect(refusal({ port: "70000" })).toMatch(/^--port must be a whole number from 0 to 65535/);
    expect(refusal({ heartbeat_seconds: "90" })).toMatch(/^--heartbeat-seconds/);
    for (const port of ["-1", "1.5", "x", "1e3", " 80"])
      expect(refusal({ port })).toMatch(/^--port/);
    expect(refusal({}, undefined, { CHATD_LOG_LEVEL: "loud" })).toMatch(
      /^CHATD_LOG_LEVEL must be one of debug/,
    );
    expect(refusal({}, file("host = 1\n"))).toMatch(/^host in .*chatd\.toml must be a text/);
    expect(refusal({}, file("port = 1.5\n"))).toMatch(/^port in/);
  });

  test("drops the slash at the end of the public address", () => {
    expect(loadConfig({ url: "https://chat.example.com//" }, undefined, {}).url).toBe(
      "https://chat.example.com",
    );
  });
});

describe("I11: the server's secret", () => {
  test("is made from the system's random source, kept in a file for its owner alone, and stays", () => {
    const secret = loadServerSecret(undefined, folder);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(loadServerSecret(undefined, folder)).toBe(secret);
    expect(readFileSync(join(folder, "secret"), "utf8").trim()).toBe(secret);
    expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
    const other = mkdtempSync(join(folder, "other-"));
    expect(loadServerSecret(undefined, other)).not.toBe(secret);
  });

  test("is refused when it can be guessed, in the environment and in the file", () => {
    for (const weak of ["", "secret", "a".repeat(64), "0123456789abcde", "changeme".repeat(8)]) {
      expect(() => loadServerSecret(weak, folder)).toThrow(
        /CHATD_SECRET can be guessed.*openssl rand/,
      );
    }
    writeFileSync(join(folder, "secret"), "short\n");
    expect(() => loadServerSecret(undefined, folder)).toThrow(/can be guessed/);
    const strong = "f".repeat(16) + "0123456789abcdef0123456789";
    expect(loadServerSecret(strong, folder)).toBe(strong);
  });
});
