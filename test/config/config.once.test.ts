import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ConfigError,
  describeConfig,
  type Flags,
  isSecret,
  keyOf,
  loadConfig,
  loadThrowawayConfig,
  namesLeftOut,
  optionNames,
  options,
  unknownVariables,
} from "../../src/config/config";
import { chooseConfigFile } from "../../src/config/file";
import type { Option } from "../../src/config/option";
import { loadServerSecret } from "../../src/core/secrets/secrets";

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

  test.each([
    ["prot = 80\n", ":1:1: unknown key 'prot'. Did you mean port?"],
    ['host = "::"\n  log_levl = "info"\n', ":2:3: unknown key 'log_levl'. Did you mean log_level?"],
    ['port = 80\n\n[s3]\nbucket = "x"\n', ":3:2: unknown key 's3'. All keys are listed by: "],
    ["port = [\n", ":1:8: this is not TOML: Unterminated array"],
    ["port = 80\n# a comment\nhost = = 2\ndata = 3\n", ":3:8: this is not TOML: Expected a value"],
    ['port = 80\nhost = "a\ndata = "b"\n', ":2:10: this is not TOML: Unterminated string"],
    ["port = 1\nhost = 'a'\nport = 2\n\n", ":3:8: this is not TOML: Cannot redefine key 'port'"],
    ["port = 08", ":1:9: this is not TOML: Leading zeros"],
    ["=", ":1:1: this is not TOML"],
  ])("names file, line and column of what is wrong in %j", (toml, why) => {
    const path = file(toml);
    expect(refusal({}, path)).toContain(`${path}${why}`);
  });

  test("names all that is wrong at once, in flags, environment and file", () => {
    const path = file("prot = 80\nheartbeat_seconds = 900\n");
    expect(refusal({ port: "x" }, path, { CHATD_LOG_LEVEL: "loud" }).split("\n")).toEqual([
      expect.stringContaining("unknown key 'prot'"),
      expect.stringContaining("--port must be"),
      expect.stringContaining("CHATD_LOG_LEVEL must be"),
      expect.stringContaining("heartbeat_seconds in"),
    ]);
  });

  test("names variables that have no effect, and the one that was meant", () => {
    const environment = {
      CHATD_PORT: "80",
      CHATD_CONFIG: "x",
      CHATD_SECRET_FILE: "y",
      CHATD_DATBASE: "postgres://db",
      CHATD_TEAPOT: "1",
      CHATTER: "1",
      CHATD_SERVICE_HOST: "10.0.0.1",
      CHATD_PORT_8080_TCP: "tcp://10.0.0.1:8080",
    };
    expect(unknownVariables(environment)).toEqual([
      "CHATD_DATBASE is no variable of chatd, and has no effect. Did you mean CHATD_DATABASE?",
      "CHATD_TEAPOT is no variable of chatd, and has no effect.",
    ]);
    expect(refusal({}, undefined, { CHATD_PORT: "tcp://10.0.0.1:8080" })).toContain(
      "enableServiceLinks: false",
    );
  });

  test("reads ./chatd.toml before /etc/chatd/chatd.toml, where no file is named", () => {
    const [here, machine] = [file("port = 1\n"), join(folder, "machine.toml")];
    writeFileSync(machine, "port = 2\n");
    expect(chooseConfigFile(undefined, {}, [here, machine])).toBe(here);
    expect(chooseConfigFile(undefined, {}, [join(folder, "none"), machine])).toBe(machine);
    expect(chooseConfigFile(undefined, {}, [join(folder, "none")])).toBeUndefined();
    expect(chooseConfigFile(undefined, { CHATD_CONFIG: "a.toml" }, [here])).toBe("a.toml");
    expect(chooseConfigFile("b.toml", { CHATD_CONFIG: "a.toml" }, [here])).toBe("b.toml");
  });

  test.skipIf(process.getuid?.() !== 0)(
    "does not read by itself what somebody else has put into a folder that everybody writes to",
    () => {
      const path = file("port = 1\n");
      chownSync(path, 4_711, 4_711);
      expect(chooseConfigFile(undefined, {}, [path])).toBe(path);
      chmodSync(folder, 0o777);
      expect(() => chooseConfigFile(undefined, {}, [path])).toThrow(/belongs to another account/);
      expect(chooseConfigFile(path, {}, [path])).toBe(path);
    },
  );

  test("drops the slash at the end of the public address", () => {
    expect(loadConfig({ url: "https://chat.example.com//" }, undefined, {}).url).toBe(
      "https://chat.example.com",
    );
  });
});

describe("a secret in a file that a variable names", () => {
  const strong = `${"f".repeat(16)}0123456789abcdef`;
  const kept = (text: string): string => {
    const path = join(folder, "kept");
    writeFileSync(path, text);
    return path;
  };

  test("is taken without the line break at its end, for every secret and the database", () => {
    const secrets = optionNames.filter(isSecret);
    expect(secrets.length).toBeGreaterThan(3);
    for (const name of secrets) {
      const environment = { [`CHATD_${name.toUpperCase()}_FILE`]: kept(`${strong}\n`) };
      expect(Reflect.get(loadConfig({}, undefined, environment), keyOf(name))).toBe(strong);
    }
    const environment = { CHATD_DATABASE_FILE: kept("postgres://me:hunter2@db/chatd\r\n") };
    expect(loadConfig({}, undefined, environment).database).toBe("postgres://me:hunter2@db/chatd");
    const shown = describeConfig({}, undefined, environment).settings;
    expect(shown.find(({ name }) => name === "database")).toEqual({
      name: "database",
      value: "postgres://me:(hidden)@db/chatd",
      source: "CHATD_DATABASE_FILE",
    });
  });

  test("is refused beside the variable itself, and where the file is empty or is not there", () => {
    const both = { CHATD_SECRET: strong, CHATD_SECRET_FILE: kept(strong) };
    expect(refusal({}, undefined, both)).toBe(
      "CHATD_SECRET and CHATD_SECRET_FILE are both set: leave one of them out.",
    );
    expect(refusal({}, undefined, { CHATD_SECRET_FILE: kept("\n") })).toContain("is empty");
    const missing = { CHATD_SMTP_RELAY_PASSWORD_FILE: join(folder, "none") };
    expect(refusal({}, undefined, missing)).toContain("none, which does not exist");
    expect(refusal({}, undefined, { CHATD_SECRET_FILE: folder })).toContain("it is a folder");
    expect(refusal({}, undefined, both)).not.toContain(strong);
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

describe("the configuration of a throwaway server", () => {
  test("takes nothing of the environment and the file that reaches outside of it", () => {
    const path = file(
      'url = "https://chat.example.com"\nfile_store = "s3"\nsmtp_relay_host = "mail"',
    );
    const environment = {
      CHATD_DATABASE: "postgres://db/chatd",
      CHATD_DATA: "/var/lib/chatd",
      CHATD_SECRET: "a secret",
      CHATD_JWT_SECRET: "0123456789abcdef".repeat(2),
      CHATD_PUSH_RELAY_URL: "https://push.example.com",
      CHATD_PUSH_RELAY_KEY: "key",
      CHATD_S3_BUCKET: "chat",
      CHATD_S3_SECRET_ACCESS_KEY: "key",
      CHATD_HEARTBEAT_SECONDS: "20",
      CHATD_PORT: "1002",
    };
    const untouched = loadConfig({}, undefined, {});
    const throwaway = loadThrowawayConfig({}, path, environment);
    expect(throwaway).toEqual({ ...untouched, heartbeatSeconds: 20, port: 1002 });
    expect(namesLeftOut({}, path, environment)).toEqual([
      "url",
      "data",
      "database",
      "secret",
      "smtp_relay_host",
      "push_relay_url",
      "push_relay_key",
      "file_store",
      "s3_bucket",
      "s3_secret_access_key",
      "jwt_secret",
    ]);
  });

  test("takes its flags, and the secrets that go with them", () => {
    const environment = { CHATD_S3_SECRET_ACCESS_KEY: "key", CHATD_SMTP_RELAY_PASSWORD: "hunter2" };
    const flags = { url: "https://chat.example.com", s3_bucket: "test" };
    const { url, s3Bucket, s3SecretAccessKey, smtpRelayPassword } = loadThrowawayConfig(
      flags,
      undefined,
      environment,
    );
    expect([url, s3Bucket, s3SecretAccessKey]).toEqual(["https://chat.example.com", "test", "key"]);
    expect(smtpRelayPassword).toBeUndefined();
  });

  test("leaves every secret out, unless a flag of its own names what it is for", () => {
    const secrets = optionNames.filter(isSecret);
    expect(secrets.filter((name) => options[name].throwawayTakesIt === true)).toEqual([]);
  });

  test("takes the options that go with another one with an option that there is", () => {
    const partners = optionNames.flatMap((name) => {
      const takesIt: Option["throwawayTakesIt"] = options[name].throwawayTakesIt;
      return typeof takesIt === "boolean" ? [] : [takesIt.with];
    });
    expect(partners.length).toBeGreaterThan(3);
    expect(partners.filter((name) => !Object.hasOwn(options, name))).toEqual([]);
  });
});
