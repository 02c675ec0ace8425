import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import { freePort } from "../support/processes/free-port";
import { requireTool } from "../support/processes/tools";
import { root } from "../support/root";
import { makeCertificate } from "../support/servers/relay";
import { freshFolder, serve } from "./chatd";

/* The examples of `deploy/`, run by the real proxies: what a person and a client do behind them. */

const password = "correct-horse-battery";
const requestsPerMinute = 20;
const uploadBytes = 50 * 1024 * 1024;
const readyMilliseconds = 15_000;

const serverPort = freePort();
let alice: { email: string; api_key: string };

beforeAll(async () => {
  if (!Bun.which("nginx") && !Bun.which("caddy") && !Bun.which("haproxy")) return;
  const folder = freshFolder();
  const [file, credentials] = [join(folder, "org.yaml"), join(folder, "credentials.json")];
  const user = { email: "alice@example.com", name: "Alice", role: "owner", password };
  const channel = { name: "general", description: "", default: true, subscribers: "all" };
  const realm = { name: "Acme", host: "chat.example.com" };
  writeFileSync(file, JSON.stringify({ realm, users: [user], channels: [channel] }));
  const place = ["--url", "https://chat.example.com", "--trusted-proxies", "127.0.0.1"];
  const limits = ["--requests-per-minute-per-address", String(requestsPerMinute)];
  const declared = ["--ephemeral", "--apply", file, "--credentials", credentials];
  await serve(["--port", String(serverPort), ...place, ...limits, ...declared]);
  alice = JSON.parse(readFileSync(credentials, "utf8")).users[0];
});

interface Ports {
  http: number;
  https: number;
}

interface Proxy {
  program: string;
  /** First parts of two addresses of this machine that no other proxy is asked from. */
  addresses: readonly [string, string];
  /** Writes its configuration, made of the example, and answers the command that runs it. */
  prepare(folder: string, ports: Ports): string[];
}

/** An example of `deploy/` in which some words, each of which is there, are replaced. */
function example(name: string, replacements: Record<string, string>): string {
  let text = readFileSync(join(root, "deploy", name), "utf8");
  const site = { "127.0.0.1:8080": `127.0.0.1:${serverPort}` };
  for (const [before, after] of Object.entries({ ...replacements, ...site })) {
    if (!text.includes(before)) throw new Error(`deploy/${name} has no "${before}".`);
    text = text.replaceAll(before, after);
  }
  return text;
}

function writeCertificate(folder: string) {
  const { key, cert } = makeCertificate();
  const paths = { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") };
  writeFileSync(paths.key, key);
  writeFileSync(paths.cert, cert);
  const both = join(folder, "both.pem");
  writeFileSync(both, Buffer.concat([cert, key]));
  return { ...paths, both };
}

const nginx: Proxy = {
  program: "nginx",
  addresses: ["127.0.0.11", "127.0.0.12"],
  prepare(folder, { http, https }) {
    const { key, cert } = writeCertificate(folder);
    const site = example("nginx.conf", {
      "listen 80;": `listen 127.0.0.1:${http};`,
      "listen 443 ": `listen 127.0.0.1:${https} `,
      "/etc/ssl/chat.example.com.pem": cert,
      "/etc/ssl/chat.example.com.key": key,
    });
    const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const folders = own.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const file = join(folder, "nginx.conf");
    const main = `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}`;
    writeFileSync(file, `${main}\nhttp { access_log off; ${folders}\n${site}}\n`);
    return ["nginx", "-p", folder, "-c", file];
  },
};

const caddy: Proxy = {
  program: "caddy",
  addresses: ["127.0.0.21", "127.0.0.22"],
  prepare(folder, { http, https }) {
    const { key, cert } = writeCertificate(folder);
    const site = example("Caddyfile", {
      "chat.example.com {": `chat.example.com {\n\ttls ${cert} ${key}`,
    });
    const file = join(folder, "Caddyfile");
    const ports = `admin off\n\thttp_port ${http}\n\thttps_port ${https}`;
    writeFileSync(file, `{\n\t${ports}\n}\n${site}`);
    return ["caddy", "run", "--config", file, "--adapter", "caddyfile"];
  },
};

const haproxy: Proxy = {
  program: "haproxy",
  addresses: ["127.0.0.31", "127.0.0.32"],
  prepare(folder, { http, https }) {
    const { both } = writeCertificate(folder);
    const file = join(folder, "haproxy.cfg");
    const text = example("haproxy.cfg", {
      "bind :80": `bind 127.0.0.1:${http}`,
      "bind :443": `bind 127.0.0.1:${https}`,
      "/etc/haproxy/chat.example.com.pem": both,
    });
    writeFileSync(file, text);
    return ["haproxy", "-db", "-f", file];
  },
};

/** Has a second node, which takes no connection, as one that has just ended. */
const haproxyOfTwo: Proxy = {
  ...haproxy,
  prepare(folder, ports) {
    const command = haproxy.prepare(folder, ports);
    const node = `    server node2 127.0.0.1:${freePort()} check inter 2s\n`;
    appendFileSync(join(folder, "haproxy.cfg"), node);
    return command;
  },
};

const running = new Set<Subprocess>();
afterAll(async () => {
  for (const child of running) child.kill("SIGTERM");
  await Promise.all([...running].map(({ exited }) => exited));
});

/** Runs a proxy until the end of the file; answers its ports when it takes connections. */
async function start({ prepare }: Proxy): Promise<Ports> {
  const folder = freshFolder();
  const ports = { http: freePort(), https: freePort() };
  const child = spawn(prepare(folder, ports), {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(join(folder, "log")),
  });
  running.add(child);
  const patience = AbortSignal.timeout(readyMilliseconds);
  while (!(await isOpen(ports.https))) {
    if (patience.aborted || child.exitCode !== null)
      throw new Error(readFileSync(join(folder, "log"), "utf8"));
    await Bun.sleep(50);
  }
  return ports;
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** Output of curl for a request through a proxy to `https://chat.example.com`, or to `http://…`. */
async function ask({ http, https }: Ports, path: string, ...options: string[]): Promise<string> {
  const to = [`chat.example.com:443:127.0.0.1:${https}`, `chat.example.com:80:127.0.0.1:${http}`];
  const ways = to.flatMap((way) => ["--connect-to", way]);
  const url = path.startsWith("http") ? path : `https://chat.example.com${path}`;
  const child = spawn(["curl", "-sS", "-k", "-m", "50", ...ways, ...options, url], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(complaint);
  return printed;
}

const signed = () => ["-u", `${alice.email}:${alice.api_key}`];
const api = async (ports: Ports, path: string, ...options: string[]) =>
  JSON.parse(await ask(ports, `/api/v1${path}`, ...signed(), ...options));

for (const proxy of [nginx, caddy, haproxy]) {
  describe.skipIf(!requireTool(proxy.program))(`behind ${proxy.program}`, () => {
    let ports: Ports;
    beforeAll(async () => {
      ports = await start(proxy);
    });

    test("http leads to https", async () => {
      const printed = await ask(ports, "http://chat.example.com/login?next=%2F", "-i");
      expect(printed).toMatch(/^HTTP\/1.1 30[18] /);
      expect(printed).toMatch(/^location: https:\/\/chat\.example\.com\/login\?next=%2F\r$/im);
    });

    test("a person signs in, in a session that is bound to https and the host", async () => {
      const form = ["--data-urlencode", `email=${alice.email}`, "-d", `password=${password}`];
      const printed = await ask(ports, "/login", "-i", ...form);
      const [, cookie = ""] = /^set-cookie: (__Host-chatd_session=[^;]+)/im.exec(printed) ?? [];
      expect(printed).toMatch(/^HTTP\/[12.]+ 303/);
      expect(await ask(ports, "/", "-H", `Cookie: ${cookie}`)).toContain('id="snapshot"');
    });

    test("a client waits for an event, and hears of a message", async () => {
      const types = ["-d", 'event_types=["message"]'];
      const { queue_id: queueId } = await api(ports, "/register", ...types);
      const heard = api(ports, `/events?queue_id=${queueId}&last_event_id=-1`);
      const message = ["-d", "type=channel", "-d", 'to="general"', "-d", "topic=lunch"];
      await api(ports, "/messages", ...message, "-d", `content=Behind ${proxy.program}`);
      const { events } = await heard;
      expect(events[0].message.content).toContain(`Behind ${proxy.program}`);
    });

    test("a file of 50 MiB goes there and back", async () => {
      const folder = freshFolder();
      const [sent, received] = [join(folder, "sent.bin"), join(folder, "received.bin")];
      const bytes = randomBytes(uploadBytes);
      writeFileSync(sent, bytes);
      const { url } = await api(ports, "/user_uploads", "-F", `file=@${sent}`);
      await ask(ports, url, ...signed(), "-o", received);
      expect(Bun.hash(readFileSync(received))).toBe(Bun.hash(bytes));
    });

    test("an address may be long", async () => {
      const { result } = await api(ports, `/users/me?unused=${"x".repeat(20_000)}`);
      expect(result).toBe("success");
    });

    test("a request has an id of the proxy's, whatever its client says", async () => {
      const printed = await ask(ports, "/api/v1/server_settings", "-i", "-H", "X-Request-Id: mine");
      const [, id] = /^x-request-id: (\S+)\r$/im.exec(printed) ?? [];
      expect(id).toMatch(/^[0-9a-f-]{32,36}$/);
    });

    test("each client counts under its own address, whatever it says of it", async () => {
      const [one, other] = proxy.addresses;
      const statuses = (from: string, count: number) =>
        ask(ports, `/api/v1/server_settings?n=[1-${count}]`, "--interface", from, ...quiet);
      const said = ["-H", "X-Forwarded-For: 203.0.113.7"];
      const quiet = [...said, "-o", "/dev/null", "-w", "%{http_code} "];
      expect(await statuses(one, requestsPerMinute + 5)).toMatch(/^200 .*429 $/);
      expect(await statuses(other, 3)).toBe("200 200 200 ");
    });
  });
}

test.skipIf(!requireTool("haproxy"))(
  "haproxy gives the requests of a node that has ended to the next one",
  async () => {
    const ports = await start(haproxyOfTwo);
    const statuses = ["-o", "/dev/null", "-w", "%{http_code} "];
    const printed = await ask(ports, "/api/v1/users/me?n=[1-6]", ...signed(), ...statuses);
    expect(printed).toBe("200 200 200 200 200 200 ");
  },
);
