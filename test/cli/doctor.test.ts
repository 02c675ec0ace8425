import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { type Check, checks, pages } from "../../cli/doctor/finding";
import { dropDatabase, freshDatabase } from "../support/databases/postgres";
import { lacking } from "../support/processes/tools";
import { root } from "../support/root";
import { makeCertificate } from "../support/servers/relay";
import { chatd, freshFolder, mustChatd, type Server, serve } from "./chatd";

/* `chatd admin doctor`: each problem is made, found, and gone after its remedy. */

const folder = freshFolder();
const data = join(folder, "data");
const database = join(data, "chatd.db");
let unit: string;

interface Found {
  check: Check;
  what: string;
  remedy: string;
  page: string;
}

/** Findings of the doctor: the checks that failed, with the texts for each. */
async function examined(env: Record<string, string> = {}, args: string[] = []): Promise<Found[]> {
  const command = ["admin", "doctor", "--json", "--data", data, "--unit", unit, ...args];
  const { code, stdout, stderr } = await chatd(command, { env });
  if (stdout === "") throw new Error(stderr);
  const { findings } = JSON.parse(stdout);
  expect(code).toBe(findings.length === 0 ? 0 : 1);
  for (const { check } of findings) caught.add(check);
  return findings;
}

const checksIn = (found: readonly Found[]) => [...new Set(found.map(({ check }) => check))];

/** Checks that found a problem in this file. */
const caught = new Set<Check>();

const strong = "f00dfeed12345678cafe90abcdef4567";

beforeAll(async () => {
  unit = join(folder, "chatd.service");
  copyFileSync(join(root, "deploy/chatd.service"), unit);
  const make = ["realm", "create", "--name", "Acme", "--host", "localhost"];
  await mustChatd(["admin", ...make, "--data", data]);
});

/** Makes a problem, sees that it is the only one, mends it, and sees that it is gone. */
async function seen(
  check: Check,
  what: string,
  {
    env = {},
    args = [],
    mended = {},
  }: { env?: Record<string, string>; args?: string[]; mended?: Record<string, string> },
  mend: () => unknown = () => undefined,
) {
  const found = await examined(env, args);
  expect(checksIn(found)).toEqual([check]);
  expect(found.map((one) => one.what).join("\n")).toContain(what);
  await mend();
  expect(await examined({ ...env, ...mended }, args)).toEqual([]);
}

test("A server in order is clean, and says so", async () => {
  const args = ["admin", "doctor", "--data", data, "--unit", unit];
  const { code, stdout, stderr } = await chatd(args);
  expect([code, stdout]).toEqual([0, "Nothing was found.\n"]);
  expect(stderr).toContain(
    "There is no configuration file, so the doctor checked flags and variables.",
  );
});

test("A data folder that is a file is called one", async () => {
  const file = join(freshFolder(), "data");
  writeFileSync(file, "");
  const { code, stdout } = await chatd(["admin", "doctor", "--offline", "--data", file]);
  expect(code).toBe(1);
  expect(stdout).toContain(`${file} is a file, not a folder.`);
});

test("The page of the documents has each check, and the page that each names is there", () => {
  const page = readFileSync(join(root, "docs/doctor.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? "");
  expect(rows.toSorted()).toEqual(checks.toSorted());
  for (const path of Object.values(pages)) expect(statSync(join(root, path)).isFile()).toBe(true);
});

test("What is found is said with its remedy and the page to read; what is meant so can be left out", async () => {
  const env = { CHATD_URL: "http://chat.example.com" };
  const args = ["admin", "doctor", "--offline", "--data", data, "--unit", unit];
  const { code, stdout, stderr } = await chatd(args, { env });
  expect([code, stderr]).toEqual([1, "chatd: 1 problem was found.\n"]);
  expect(stdout).toBe(
    "tls: Passwords and messages are sent unencrypted, because the public address is http://chat.example.com.\n" +
      "  Let chatd speak https (--https HOST), or put a proxy with https in front of it and set url to https://…. (docs/https.md)\n",
  );
  expect(await examined(env, ["--offline", "--except", "tls"])).toEqual([]);
});

describe("on the machine", () => {
  test("files that others may read", async () => {
    chmodSync(join(data, "secret"), 0o644);
    await seen("permissions", "Other accounts", {}, () => spawnSync(["chmod", "-R", "go=", data]));
  });

  test("a configuration file with a secret that others may read", async () => {
    const open = join(folder, "open");
    mkdirSync(open);
    chmodSync(folder, 0o755);
    const file = join(open, "chatd.toml");
    writeFileSync(file, 'smtp_relay_password = "hunter2"\n');
    for (const path of [open]) chmodSync(path, 0o755);
    chmodSync(file, 0o644);
    await seen("permissions", "smtp_relay_password", { args: ["--config", file] }, () =>
      chmodSync(file, 0o640),
    );
    chmodSync(folder, 0o700);
  });

  test("variables of the unit that others may read", async () => {
    const variables = join(folder, "environment");
    const part = join(`${unit}.d`, "variables.conf");
    mkdirSync(`${unit}.d`);
    writeFileSync(part, `[Service]\nEnvironmentFile=-${variables}\n`);
    expect(await examined()).toEqual([]);
    writeFileSync(variables, "CHATD_SMTP_RELAY_PASSWORD=hunter2\n");
    for (const path of [folder, variables]) chmodSync(path, 0o755);
    await seen("permissions", variables, {}, () => chmodSync(variables, 0o600));
    chmodSync(folder, 0o700);
    rmSync(`${unit}.d`, { recursive: true });
  });

  test("old copies", async () => {
    const kept = join(data, "chatd.db.before-schema-7-1700000000");
    const aside = join(data, "before-restore-1700000000");
    writeFileSync(kept, "x", { mode: 0o600 });
    mkdirSync(aside, { mode: 0o700 });
    // A link that leads nowhere is no reason to fail.
    symlinkSync("/nowhere/files", join(aside, "files"));
    for (const copy of [kept, aside]) utimesSync(copy, 1_700_000_000, 1_700_000_000);
    await seen("copies", "older than 30 days", {}, () => rmSync(aside, { recursive: true }));
    rmSync(kept);
  });

  test("old copies, but none where all of them are kept", async () => {
    const copies = [1, 2].map((second) =>
      join(data, `chatd.db.before-schema-7-170000000${second}`),
    );
    for (const copy of copies) {
      writeFileSync(copy, "x", { mode: 0o600 });
      utimesSync(copy, 1_700_000_000, 1_700_000_000);
    }
    const keeping = (count: number) => ({ CHATD_MIGRATION_COPIES_KEPT: `${count}` });
    const [one, all] = [await examined(keeping(1)), await examined(keeping(0))];
    expect([checksIn(one), all]).toEqual([["copies"], []]);
    expect(one[0]?.remedy).toEndWith(`rm -r ${copies[0]}`);
    for (const copy of copies) rmSync(copy);
  });

  test("a unit that forbids compiling, in a part of its own too", async () => {
    mkdirSync(`${unit}.d`);
    const part = join(`${unit}.d`, "hard.conf");
    writeFileSync(part, "[Service]\nMemoryDenyWriteExecute=yes\n");
    await seen("unit", "several times slower", {}, () => rmSync(part));
  });

  test("a log of SQLite that is not written back", async () => {
    const server = await serve(["--data", data]);
    truncateSync(`${database}-wal`, 300 * 1024 * 1024);
    await seen("wal", "300 MiB", {}, () => server.stop());
  });

  const mayMount = () =>
    spawnSync(["unshare", "-rm", "mount", "-t", "tmpfs", "none", folder]).exitCode === 0 ||
    lacking("no file system can be mounted");

  test.skipIf(!mayMount())("a package's unit, by the part that systemctl edit writes", () => {
    const [lib, etc] = ["/usr/lib/systemd/system", "/etc/systemd/system"];
    const place = [
      `mkdir -p ${lib} ${etc}`,
      `mount -t tmpfs none ${lib} && mount -t tmpfs none ${etc}`,
      `cp ${unit} ${lib}/chatd.service`,
      `mkdir ${lib}/chatd.service.d ${etc}/chatd.service.d`,
      `printf '[Service]\nMemoryDenyWriteExecute=%s\n' "$lib" > ${lib}/chatd.service.d/middle.conf`,
      `printf '[Service]\nMemoryDenyWriteExecute=%s\n' "$etc" > ${etc}/chatd.service.d/$name.conf`,
      'exec "$@"',
    ].join(" && ");
    const found = (parts: { lib: string; etc: string; name: string }) => {
      const args = [...commandOf(), "admin", "doctor", "--offline", "--data", data];
      const command = ["unshare", "-rm", "sh", "-c", place, "sh", ...args];
      return spawnSync(command, { env: { ...process.env, ...parts } }).stdout.toString();
    };
    const denied = `unit: The unit ${lib}/chatd.service does not let`;
    const clean = "Nothing was found.\n";
    expect(found({ lib: "no", etc: "yes", name: "override" })).toStartWith(denied);
    expect(found({ lib: "yes", etc: "no", name: "override" })).toBe(clean);
    expect(found({ lib: "yes", etc: "no", name: "middle" })).toBe(clean);
    expect(found({ lib: "yes", etc: "no", name: "a" })).toStartWith(denied);
  });

  test.skipIf(!mayMount())("a disk that is almost full", () => {
    const place = join(folder, "small");
    mkdirSync(place);
    const args = [
      ...commandOf(),
      "admin",
      "doctor",
      "--offline",
      "--data",
      join(place, "data"),
      "--unit",
      unit,
    ];
    const inside = (sizeMib: number) => {
      const mount = `mount -t tmpfs -o size=${sizeMib}m none ${place} && exec "$@"`;
      const { stdout } = spawnSync(["unshare", "-rm", "sh", "-c", mount, "sh", ...args]);
      return stdout.toString();
    };
    expect(inside(100)).toMatch(/^disk: The disk of \S+ has 100 MiB left/);
    expect(inside(400)).toBe("Nothing was found.\n");
  });
});

const commandOf = () => {
  const binary = process.env["CHATD_TEST_BINARY"];
  return binary ? [binary] : [process.execPath, "run", join(root, "cli/main.ts")];
};

describe("in the configuration", () => {
  test("a secret that can be guessed, which is said once", () =>
    seen("secret", "can be guessed", {
      env: { CHATD_SECRET: "secret" },
      mended: { CHATD_SECRET: readFileSync(join(data, "secret"), "utf8").trim() },
    }));

  test("a setting that has no effect", () =>
    seen("configuration", "access_log has no effect", {
      env: { CHATD_ACCESS_LOG: "true", CHATD_LOG_LEVEL: "error" },
      mended: { CHATD_LOG_LEVEL: "info" },
    }));

  const https = { CHATD_URL: "https://chat.example.com" };

  test("https without a trusted proxy", () =>
    seen("proxy", "no proxy is trusted", {
      env: https,
      args: ["--offline"],
      mended: { CHATD_TRUSTED_PROXIES: "127.0.0.1" },
    }));

  test("proxies that are the whole internet", () =>
    seen("proxy", "anybody can pretend to have any address", {
      env: { ...https, CHATD_TRUSTED_PROXIES: "0.0.0.0/0" },
      args: ["--offline"],
      mended: { CHATD_TRUSTED_PROXIES: "127.0.0.1" },
    }));

  test("mail without a public address", () =>
    seen("address", "no public address is set", {
      env: { CHATD_SMTP_RELAY_HOST: "127.0.0.1" },
      args: ["--offline"],
      mended: { ...https, CHATD_TRUSTED_PROXIES: "127.0.0.1" },
    }));

  test("what the start refuses, and config check says", () =>
    seen("mail", "smtp_port needs channel_email_domain", {
      env: { CHATD_SMTP_PORT: "0" },
      mended: { CHATD_CHANNEL_EMAIL_DOMAIN: "localhost" },
    }));

  test("a certificate that ends soon", async () => {
    const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3"];
    const files = ["-subj", "/CN=localhost", "-keyout", key, "-out", certificate];
    expect(spawnSync(["openssl", ...request, ...files]).exitCode).toBe(0);
    const env = { CHATD_SMTP_TLS_CERTIFICATE: certificate, CHATD_SMTP_TLS_KEY: key };
    await seen("tls", "ends in", { env }, () => {
      request.splice(-1, 1, "90");
      return spawnSync(["openssl", ...request, ...files]);
    });
  });

  test.skipIf(!process.env.CHATD_TEST_POSTGRES)(
    "PostgreSQL without a configured secret",
    async () => {
      const url = await freshDatabase();
      const env = { CHATD_DATABASE: url, CHATD_DATA: join(folder, "postgres") };
      const args = ["admin", "doctor", "--json", "--unit", unit];
      const found = JSON.parse((await chatd(args, { env })).stdout).findings;
      expect(checksIn(found)).toEqual(["secret"]);
      const mended = { ...env, CHATD_SECRET: strong };
      expect((await chatd(args, { env: mended })).code).toBe(0);
      await dropDatabase(url);
    },
  );
});

describe("among what it connects to", () => {
  test.each([
    ["database", { CHATD_DATABASE: "postgres://me@127.0.0.1:1/none", CHATD_SECRET: strong }],
    [
      "calls",
      { CHATD_BIG_BLUE_BUTTON_URL: "http://127.0.0.1:1", CHATD_BIG_BLUE_BUTTON_SECRET: "s" },
    ],
    ["push", { CHATD_PUSH_RELAY_URL: "http://127.0.0.1:1", CHATD_URL: "http://localhost:1" }],
    [
      "files",
      {
        CHATD_FILE_STORE: "s3",
        CHATD_S3_ENDPOINT: "http://127.0.0.1:1",
        CHATD_S3_BUCKET: "chat",
        CHATD_S3_ACCESS_KEY_ID: "id",
        CHATD_S3_SECRET_ACCESS_KEY: "key",
      },
    ],
  ] as const)("%s that does not answer", async (check, env) => {
    const args = ["--except", "address"];
    expect(checksIn(await examined(env, args))).toEqual([check]);
    const offline = await examined(env, [...args, "--offline"]);
    expect(checksIn(offline)).toEqual(check === "database" ? [check] : []);
  });

  test("a mail relay that refuses", async () => {
    const relay = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { open: (socket) => void socket.end("554 5.7.1 not you\r\n"), data: () => undefined },
    });
    const env = { CHATD_SMTP_RELAY_HOST: "127.0.0.1", CHATD_SMTP_RELAY_PORT: String(relay.port) };
    const found = await examined(env, ["--except", "address"]);
    relay.stop(true);
    expect(found).toMatchObject([{ check: "mail", what: expect.stringContaining("not you") }]);
  });

  test("a clock that differs from theirs", async () => {
    let shift = 3_600_000;
    const service = Bun.serve({
      port: 0,
      fetch: () =>
        new Response("", { headers: { date: new Date(Date.now() + shift).toUTCString() } }),
    });
    const env = {
      CHATD_PUSH_RELAY_URL: `http://127.0.0.1:${service.port}`,
      CHATD_PUSH_RELAY_ID: "kitchen",
      CHATD_PUSH_RELAY_KEY: "k",
    };
    await seen("clock", "This machine's clock says", { env, args: ["--except", "address"] }, () => {
      shift = 0;
    });
    await service.stop(true);
  });
});

describe("at the public address", () => {
  let server: Server;
  let behaviour: { host: string | undefined; passes: "nothing" | "id" | "address" };
  let proxy: ReturnType<typeof Bun.serve>;

  beforeAll(async () => {
    behaviour = { host: undefined, passes: "nothing" };
    proxy = Bun.serve({
      port: 0,
      async fetch(request) {
        const headers = new Headers({ host: behaviour.host ?? "localhost" });
        const id = request.headers.get("x-request-id");
        if (behaviour.passes === "id" && id) headers.set("x-request-id", id);
        const claimed = behaviour.passes === "address" && request.headers.get("x-forwarded-for");
        headers.set("x-forwarded-for", claimed || "198.51.100.7");
        const { pathname } = new URL(request.url);
        if (behaviour.host === "nobody") return new Response("welcome", { status: 404 });
        return fetch(`${server.site}${pathname}`, { headers });
      },
    });
    server = await serve(["--data", data, "--trusted-proxies", "127.0.0.1"]);
  });
  afterAll(async () => {
    await proxy.stop(true);
    await server.kill();
  });

  const env = () => ({ CHATD_URL: `http://localhost:${proxy.port}` });

  test("a proxy that passes on what clients say of their addresses", async () => {
    behaviour.passes = "address";
    await seen(
      "proxy",
      "passes on the address that a client claims to have",
      { env: env() },
      () => {
        behaviour.passes = "nothing";
      },
    );
  });

  test("the server itself, which trusts this machine as a proxy, is no problem", async () => {
    const url = server.site.replace("127.0.0.1", "localhost");
    const trusting = { CHATD_URL: url, CHATD_TRUSTED_PROXIES: "127.0.0.1" };
    expect(await examined(trusting)).toEqual([]);
  });

  test("a proxy that passes on ids that clients make up", async () => {
    behaviour.passes = "id";
    await seen("proxy", "X-Request-Id", { env: env() }, () => {
      behaviour.passes = "nothing";
    });
  });

  test("another server, and nobody", async () => {
    behaviour.host = "nobody";
    await seen("address", "is not chatd", { env: env() }, () => {
      behaviour.host = undefined;
    });
    const found = await examined({ CHATD_URL: "http://localhost:1" });
    expect(found).toMatchObject([
      { check: "address", what: expect.stringContaining("Nothing answers") },
    ]);
  });

  test("a certificate that nobody takes", async () => {
    const { key, cert } = makeCertificate();
    const secure = Bun.serve({ port: 0, tls: { key, cert }, fetch: () => new Response("") });
    const url = `https://localhost:${secure.port}`;
    const found = await examined({ CHATD_URL: url, CHATD_TRUSTED_PROXIES: "127.0.0.1" });
    await secure.stop(true);
    expect(checksIn(found)).toEqual(["tls"]);
  });
});

describe("in the data", () => {
  /** Changes rows past the server, as an accident does. */
  const change = (sql: string) => {
    const file = new Database(database);
    file.run(sql);
    file.close(true);
  };

  test("work that has failed for good", async () => {
    change(
      "INSERT INTO jobs (realm_id, name, payload, run_at, failed_at, created_at, last_error) SELECT id, 'mail', '{}', 1, 1, 1, 'no such host' FROM realms",
    );
    await seen("jobs", "no such host", {}, async () => {
      const { jobs } = (
        await mustChatd(["admin", "jobs", "list", "--json", "--data", data])
      ).json();
      await mustChatd(["admin", "jobs", "delete", String(jobs[0].id), "--yes", "--data", data]);
    });
  });

  test("an organization that anybody may join", async () => {
    const realm = (value: string) =>
      mustChatd(["admin", "realm", "update", `invite_required=${value}`, "--data", data]);
    await realm("false");
    const env = { CHATD_SMTP_RELAY_HOST: "127.0.0.1" };
    const args = ["--offline", "--except", "address"];
    await seen("signup", "without being invited", { env, args }, () => realm("true"));
  });

  test("a clock that is behind the data", async () => {
    const before = 10_000_000_000;
    change(`UPDATE event_log SET created_at = created_at + ${before}`);
    await seen("clock", "but this machine's clock says", {}, () =>
      change(`UPDATE event_log SET created_at = created_at - ${before}`),
    );
  });

  test("an address of no organization, where there are several", async () => {
    const make = ["realm", "create", "--name", "Other", "--host", "other.localhost"];
    await mustChatd(["admin", ...make, "--data", data]);
    await seen("address", "no organization has that host", {
      env: { CHATD_URL: "http://third.localhost" },
      args: ["--offline"],
      mended: { CHATD_URL: "http://other.localhost" },
    });
  });
});

test("No check of the documents is left whose problem was not made and found here", () => {
  // The disk is looked at in a mount of its own, by its words; statistics in
  // `doctor-nodes.test.ts`.
  expect([...caught, "disk", "statistics"].toSorted()).toEqual(checks.toSorted());
});
