import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signedByItself } from "../support/servers/certificates";
import { chatd, freshFolder, mustChatd } from "./chatd";

interface Shown {
  name: string;
  value: unknown;
  source: string;
}

const strong = "f00dfeed12345678cafe90abcdef4567";

function writeToml(text: string): string {
  const path = join(freshFolder(), "chatd.toml");
  writeFileSync(path, text);
  return path;
}

describe("chatd admin config print", () => {
  test("shows each value with its source: flag, variable, file, default", async () => {
    const file = writeToml('host = "127.0.0.1"\nport = 1001\nlog_level = "warn"\n');
    const env = { CHATD_PORT: "1002", CHATD_LOG_LEVEL: "debug" };
    const args = ["admin", "config", "print", "--config", file, "--log-level", "error"];
    const { config } = (await mustChatd([...args, "--json"], { env })).json();
    const of = (name: string) => config.find((one: Shown) => one.name === name);
    expect(of("host")).toEqual({ name: "host", value: "127.0.0.1", source: `host in ${file}` });
    expect(of("port")).toEqual({ name: "port", value: 1002, source: "CHATD_PORT" });
    expect(of("log_level")).toEqual({ name: "log_level", value: "error", source: "--log-level" });
    expect(of("data")).toEqual({ name: "data", value: "./data", source: "default" });
    const { stdout } = await mustChatd(args, { env });
    expect(stdout).toMatch(/^KEY +VALUE +SOURCE\n/);
    expect(stdout).toMatch(/^port +1002 +CHATD_PORT$/m);
  });

  test("reads ./chatd.toml by itself, and names variables that have no effect", async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, "chatd.toml"), "port = 1001\n");
    const env = { CHATD_PROT: "80" };
    const args = ["admin", "config", "print", "--json"];
    const { stderr, json } = await mustChatd(args, { cwd, env });
    expect(json().config).toContainEqual({
      name: "port",
      value: 1001,
      source: "port in ./chatd.toml",
    });
    expect(stderr).toBe(
      "chatd: CHATD_PROT is no variable of chatd, and has no effect. Did you mean CHATD_PORT?\n",
    );
  });

  test("shows what follows from https: the usual ports, and the address where there is one host", async () => {
    const of = async (...args: string[]) => {
      const { json } = await mustChatd(["admin", "config", "print", "--json", ...args]);
      const shown: Shown[] = json().config;
      const value = (key: string) => shown.find(({ name }) => name === key)?.value;
      return [value("port"), value("http_port"), value("url")];
    };
    expect(await of()).toEqual([8080, null, null]);
    expect(await of("--https", "Chat.example.com")).toEqual([443, 80, "https://chat.example.com"]);
    expect(await of("--https", "a.example, b.example")).toEqual([443, 80, null]);
    expect(await of("--https", "a.example", "--port", "8443", "--http-port", "8080")).toEqual([
      8443,
      8080,
      "https://a.example:8443",
    ]);
    expect(await of("--tls-certificate", "a.pem", "--tls-key", "b.pem")).toEqual([443, null, null]);
  });

  test("I12: hides the secret and the database's password", async () => {
    const env = {
      CHATD_SECRET: strong,
      CHATD_DATABASE: "postgres://chatd:hunter2@db.example.com/chatd",
    };
    const outcomes = [
      await mustChatd(["admin", "config", "print"], { env }),
      await mustChatd(["admin", "config", "print", "--json"], { env }),
    ];
    for (const { stdout, stderr } of outcomes) {
      expect(stdout + stderr).not.toContain("hunter2");
      expect(stdout + stderr).not.toContain(strong);
      expect(stdout).toContain("postgres://chatd:(hidden)@db.example.com/chatd");
    }
  });
});

describe("chatd admin config check", () => {
  test("finds nothing wrong with what is usual, and makes no data folder", async () => {
    const data = join(freshFolder(), "data");
    const { stdout } = await mustChatd(["admin", "config", "check", "--data", data]);
    expect(stdout).toBe("The configuration is in order.\n");
    expect(existsSync(data)).toBe(false);
  });

  test("names all that is wrong at once, with exit code 2", async () => {
    const file = writeToml("port = 80000\n");
    const env = { CHATD_LOG_LEVEL: "loud" };
    const { code, stderr } = await chatd(["admin", "config", "check", "--config", file], { env });
    expect([code, stderr.trimEnd().split("\n")]).toEqual([
      2,
      [
        `chatd: port in ${file} must be a whole number from 0 to 65535.`,
        "chatd: CHATD_LOG_LEVEL must be one of debug, info, warn, error.",
      ],
    ]);
  });

  test.each([
    ["CHATD_SECRET", "short", "can be guessed"],
    ["CHATD_URL", "chat.example.com", "CHATD_URL must be like https://"],
    ["CHATD_URL", "https://example.com/chat", "CHATD_URL must be like https://"],
    ["CHATD_DATABASE", "mysql://db", "CHATD_DATABASE must be like postgres://"],
    ["CHATD_S3_ENDPOINT", "s3.example.com", "CHATD_S3_ENDPOINT must be like https://"],
    ["CHATD_PUSH_RELAY_URL", "push.example.com", "CHATD_PUSH_RELAY_URL must be like https://"],
    ["CHATD_JITSI_SERVER_URL", "meet.jit.si", "CHATD_JITSI_SERVER_URL must be like https://"],
    ["CHATD_DATABASE", "postgres://me:hunter2@127.0.0.1:1/none", "The database cannot be reached"],
    ["CHATD_TRACES", "http://me:hunter2@127.0.0.1:4318", "without a name and a password"],
    ["CHATD_DATA", "/dev/null/data", "cannot be used: /dev/null is a file, not a folder."],
    ["CHATD_DATA", "/dev/null", "cannot be used: /dev/null is a file, not a folder."],
    ["CHATD_CONFIG", "/dev/null/chatd.toml", "does not exist"],
  ])("looks at what the server will use: %s=%s", async (name, value, why) => {
    const { code, stderr } = await chatd(["admin", "config", "check"], { env: { [name]: value } });
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(stderr).not.toContain("hunter2");
  });
});

describe("what serve refuses", () => {
  const broken = {
    CHATD_SECRET: "hunter2",
    CHATD_FILE_STORE: "s3",
    CHATD_S3_ENDPOINT: "http://127.0.0.1:1",
    CHATD_SMTP_PORT: "0",
    CHATD_SMTP_RELAY_CA_FILE: "/none/ca.pem",
  };

  test("is what the check says, all of it at once, in the same words", async () => {
    const place = ["--data", join(freshFolder(), "data")];
    const [checked, served] = await Promise.all([
      chatd(["admin", "config", "check", "--offline", ...place], { env: broken }),
      chatd(["serve", "--port", "0", ...place], { env: broken }),
    ]);
    expect([checked.code, served.code]).toEqual([2, 2]);
    expect(checked.stderr.trimEnd().split("\n")).toEqual([
      expect.stringContaining("The secret in CHATD_SECRET can be guessed"),
      expect.stringContaining("lacks s3_bucket, s3_access_key_id, s3_secret_access_key"),
      expect.stringContaining("smtp_port needs channel_email_domain"),
      expect.stringContaining("smtp_relay_ca_file names /none/ca.pem, which does not exist"),
    ]);
    expect(served.stderr).toBe(checked.stderr);
    expect(served.stderr).not.toContain("hunter2");
  });

  test("is also a secret that is not the one of the data", async () => {
    const data = join(freshFolder(), "data");
    const make = ["realm", "create", "--name", "Acme", "--host", "localhost"];
    await mustChatd(["admin", ...make, "--data", data]);
    const env = { CHATD_SECRET: strong };
    const { code, stderr } = await chatd(["admin", "config", "check", "--data", data], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining("belongs to another secret")]);
  });
});

test("The check tries file store, mail relay and push relay by real connections, unless it is to stay offline", async () => {
  const relay = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: (socket) => void socket.end("554 5.7.1 not you\r\n"), data: () => undefined },
  });
  const env = {
    CHATD_DATA: join(freshFolder(), "data"),
    CHATD_FILE_STORE: "s3",
    CHATD_S3_ENDPOINT: "http://127.0.0.1:1",
    CHATD_S3_BUCKET: "chat",
    CHATD_S3_ACCESS_KEY_ID: "id",
    CHATD_S3_SECRET_ACCESS_KEY: "hunter2",
    CHATD_SMTP_RELAY_HOST: "127.0.0.1",
    CHATD_SMTP_RELAY_PORT: String(relay.port),
    CHATD_PUSH_RELAY_URL: "http://127.0.0.1:1",
    CHATD_BIG_BLUE_BUTTON_URL: "http://127.0.0.1:1",
  };
  const { code, stderr } = await chatd(["admin", "config", "check"], { env });
  relay.stop(true);
  expect([code, stderr.trimEnd().split("\n")]).toEqual([
    2,
    [
      "chatd: The file store at s3_endpoint cannot be reached: nobody listens there. Check s3_endpoint.",
      expect.stringContaining(`The mail relay 127.0.0.1:${relay.port} cannot be used`),
      "chatd: The push relay at push_relay_url cannot be reached: nobody listens there. Check push_relay_url.",
      expect.stringContaining("Video calls need big_blue_button_url and big_blue_button_secret"),
    ],
  ]);
  expect(stderr).not.toContain("hunter2");
  const offline = await mustChatd(["admin", "config", "check", "--offline"], { env });
  expect(offline.stdout).toBe("The configuration is in order.\n");
});

test("PostgreSQL without a secret of its own in the configuration is warned of", async () => {
  const env = { CHATD_DATABASE: "postgres://me@127.0.0.1:1/none" };
  const args = ["admin", "config", "check", "--offline", "--data", join(freshFolder(), "data")];
  const { stdout } = await mustChatd(args, { env });
  expect(stdout).toMatch(/^Warning: The secret is only in .*secret, .* Set CHATD_SECRET/);
  const both = await mustChatd(args, { env: { ...env, CHATD_SECRET: strong } });
  expect(both.stdout).toBe("The configuration is in order.\n");
});

describe("An address that only this machine reaches is warned of", () => {
  const warned = async (env: Record<string, string>): Promise<string> => {
    const { stdout } = await mustChatd(["admin", "config", "check", "--offline"], {
      env: { CHATD_DATA: join(freshFolder(), "data"), ...env },
    });
    return stdout;
  };
  const inOrder = "The configuration is in order.\n";
  const here = { CHATD_HOST: "127.0.0.1" };

  test("where https is meant for others", async () => {
    const https = { CHATD_HTTPS: "chat.example.com" };
    const only =
      "Warning: Only this machine can reach https, because host is 127.0.0.1: remove host";
    expect(await warned({ ...https, ...here })).toBe(`${only}.\n${inOrder}`);
    expect(await warned({ ...https, ...here, CHATD_PORT: "8080" })).toBe(
      `${only}. Also remove port, so that https is at port 443 and not at 8080.\n${inOrder}`,
    );
    expect(await warned(https)).toBe(inOrder);
    expect(await warned({ ...here, CHATD_HTTPS: "localhost" })).toBe(inOrder);
  });

  test("where mail of the internet is expected, unless an address for it is named", async () => {
    const mail = { CHATD_CHANNEL_EMAIL_DOMAIN: "chat.example.com", CHATD_SMTP_PORT: "25" };
    expect(await warned({ ...mail, ...here })).toBe(
      `Warning: Only this machine can send mail to channels, because host is 127.0.0.1: set smtp_host = "0.0.0.0", or smtp_host = "127.0.0.1" if that is meant.\n${inOrder}`,
    );
    expect(await warned(mail)).toBe(inOrder);
    expect(await warned({ ...mail, ...here, CHATD_SMTP_PORT: "2525" })).toBe(inOrder);
    expect(await warned({ ...mail, ...here, CHATD_SMTP_HOST: "0.0.0.0" })).toBe(inOrder);
  });

  test("where a certificate of one's own is for others, unless a proxy passes https on", async () => {
    const { certificate, key } = signedByItself("chat.example.com", ["chat.example.com"]);
    const own = {
      CHATD_URL: "https://chat.example.com",
      CHATD_TLS_CERTIFICATE: certificate,
      CHATD_TLS_KEY: key,
    };
    const only = "Only this machine can reach https, because host is ::1: remove host.";
    expect(await warned({ ...own, CHATD_HOST: "::1" })).toContain(only);
    expect(await warned(own)).not.toContain("Only this machine");
    expect(await warned({ ...own, CHATD_HOST: "::1", CHATD_PORT: "8443" })).not.toContain(
      "Only this machine",
    );
  });
});

test("A pooler between that refuses how chatd plans is named, with what to tell it", async () => {
  // Answer of PgBouncer 1.18: severity, code and message, each ended by a zero.
  const fields = "SERROR\0C08P01\0Munsupported startup parameter: jit\0\0";
  const refusal = Buffer.concat([Buffer.from("E"), Buffer.alloc(4), Buffer.from(fields)]);
  refusal.writeInt32BE(fields.length + 4, 1);
  const pooler = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.end(refusal) },
  });
  const env = { CHATD_DATABASE: `postgres://me:hunter2@127.0.0.1:${pooler.port}/chatd` };
  const { code, stderr } = await chatd(["admin", "config", "check"], { env });
  pooler.stop(true);
  expect(code).toBe(2);
  expect(stderr).toContain("unsupported startup parameter: jit");
  expect(stderr).toContain("Add jit, enable_seqscan to ignore_startup_parameters");
});

describe("I12: secrets", () => {
  test.each([
    [["serve", "--secret", strong], "unknown option '--secret'"],
    [["serve", "--secret", strong], "Set CHATD_SECRET, or CHATD_SECRET_FILE to the path of a file"],
    [
      ["admin", "doctor", "--smtp-relay-password=x"],
      "Set CHATD_SMTP_RELAY_PASSWORD, or CHATD_SMTP_RELAY_PASSWORD_FILE",
    ],
    [
      [
        "admin",
        "user",
        "add",
        "a@example.com",
        "--name",
        "A",
        "--role",
        "member",
        "--password",
        "x",
      ],
      "--password",
    ],
    [["serve", "--database", "postgres://me:hunter2@db/chatd"], "--database has a password in it"],
    [
      ["admin", "user", "list", "--database", "postgres://db/chatd?password=hunter2"],
      "--database has a password in it",
    ],
  ])("are not taken from the arguments, which others can read: %p", async (args, why) => {
    const { code, stdout, stderr } = await chatd(args);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(why)]);
  });
});

test("A file with settings or a secret is refused in another encoding than UTF-8: both would be mangled", async () => {
  const [settings, password] = ["chatd.toml", "password"].map((name) => join(freshFolder(), name));
  writeFileSync(
    settings ?? "",
    Buffer.from('port = 80\nsmtp_relay_password = "K\xe4se"\n', "latin1"),
  );
  writeFileSync(password ?? "", Buffer.from("K\xe4sebrot\n", "latin1"));
  const check = ["admin", "config", "check", "--offline"];
  const bySettings = await chatd([...check, "--config", settings ?? ""]);
  expect([bySettings.code, bySettings.stderr]).toEqual([
    2,
    expect.stringContaining(`${settings}:2:1: this line is not in UTF-8: save the file`),
  ]);
  const byPassword = await chatd(check, {
    env: { CHATD_SMTP_RELAY_PASSWORD_FILE: password ?? "", CHATD_SMTP_RELAY_HOST: "localhost" },
  });
  expect([byPassword.code, byPassword.stderr]).toEqual([
    2,
    expect.stringContaining(`CHATD_SMTP_RELAY_PASSWORD_FILE names ${password}, which is no text`),
  ]);
});
