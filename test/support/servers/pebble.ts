import { afterAll } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import { folderOfFile } from "../folder-of-file";
import { freePort } from "../processes/free-port";
import { type CertificateFiles, signedBy, signedByItself, textOf } from "./certificates";

/** A real certificate authority for tests (Let's Encrypt's Pebble), on this machine alone. */
export interface Authority {
  /** Address of its directory, for `acme_directory`. */
  directory: string;
  /** File that vouches for that address, for `acme_ca_file`. */
  caFile: string;
  /** The root of the certificates that it issues (PEM). */
  root(): Promise<string>;
  stop(): Promise<void>;
}

interface Setting {
  /** Port at which it asks servers by http. */
  httpPort: number;
  /** Port of its directory; any free one, if left out. */
  port?: number;
  lifeSeconds?: number;
  /** Whether every name leads to this machine, for it; else those that do so for all. */
  isEveryNameHere?: boolean;
}

/** All that a file of tests has started, because a test that fails stops nothing. */
const running = new Set<Subprocess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a program whose words nobody reads. */
function start(command: string[], env: Record<string, string> = {}): Subprocess {
  const silent = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  const child = spawn(command, { env: { ...process.env, ...env }, ...silent });
  running.add(child);
  return child;
}

const readyMilliseconds = 15_000;

let made: { root: CertificateFiles; own: CertificateFiles } | undefined;

/** The certificate of the authority's address and what vouches for it, made anew for each file. */
function certificates() {
  if (made && existsSync(made.own.key)) return made;
  const root = signedByItself("Root of the test");
  made = { root, own: signedBy(root, "localhost", ["localhost"]) };
  return made;
}

const monthsSeconds = 90 * 86_400;

/** A server of the DNS that leads every name to this machine. */
function startNames() {
  const port = freePort();
  const none = ["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", ""];
  const at = ["-dns01", `127.0.0.1:${port}`, "-management", `127.0.0.1:${freePort()}`];
  const child = start(["pebble-challtestsrv", ...none, ...at, "-defaultIPv4", "127.0.0.1"]);
  return { flags: ["-dnsserver", `127.0.0.1:${port}`], child };
}

/** Starts it; it asks names that lead to this machine, such as localhost. */
export async function startAuthority({
  httpPort,
  port = freePort(),
  lifeSeconds = monthsSeconds,
  isEveryNameHere = false,
}: Setting): Promise<Authority> {
  const names = isEveryNameHere ? startNames() : undefined;
  const managementPort = freePort();
  const { root, own } = certificates();
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate: own.certificate,
      privateKey: own.key,
      httpPort,
      tlsPort: freePort(),
      ocspResponderURL: "",
      externalAccountBindingRequired: false,
      certificateValidityPeriod: lifeSeconds,
    },
  };
  const file = join(folderOfFile("pebble"), "pebble.json");
  writeFileSync(file, JSON.stringify(config));
  const env = { PEBBLE_VA_NOSLEEP: "1", PEBBLE_AUTHZREUSE: "0" };
  const child = start(["pebble", "-config", file, ...(names?.flags ?? [])], env);
  const tls = { ca: textOf(root.certificate) };
  const directory = `https://localhost:${port}/dir`;
  const patience = AbortSignal.timeout(readyMilliseconds);
  for (;;) {
    const answer = await fetch(directory, { tls }).catch(() => undefined);
    if (answer?.ok) break;
    if (patience.aborted || child.exitCode !== null) throw new Error("Pebble does not start.");
    await Bun.sleep(20);
  }
  return {
    directory,
    caFile: root.certificate,
    root: async () => (await fetch(`https://localhost:${managementPort}/roots/0`, { tls })).text(),
    async stop() {
      child.kill();
      names?.child.kill();
      await Promise.all([child.exited, names?.child.exited]);
    },
  };
}

/** An answer in place of that of the authority; undefined to ask it. */
type Instead = (path: string) => Response | Promise<Response | undefined> | undefined;

/** A stand-in at an address of its own that asks the authority, except where it answers instead. */
export function standBefore({ directory, caFile }: Authority, instead: Instead) {
  const tls = { ca: textOf(caFile) };
  const { own } = certificates();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    development: false,
    tls: { cert: textOf(own.certificate), key: textOf(own.key) },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const answer = await instead(pathname);
      if (answer) return answer;
      const { method, headers } = request;
      const body = method === "POST" ? await request.text() : undefined;
      // The authority names its addresses by the host that it is asked at.
      const to = new URL(pathname, directory);
      return fetch(to, { method, headers, tls, redirect: "manual", ...(body && { body }) });
    },
  });
  return {
    directory: `https://localhost:${server.port}/dir`,
    caFile,
    stop: () => server.stop(true),
  };
}
