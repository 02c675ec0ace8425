import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp, type RunningApp } from "../src/app";
import { type Config, loadConfig } from "../src/config";
import { systemClock } from "../src/core/clock";
import { describeError, type Log } from "../src/core/log";
import { notePort } from "../src/core/site";
import { type Applied, applyOrganization, type Declared, setPasswords } from "../src/organization/apply";
import { firstOrganization, isFirstStart } from "../src/organization/first";
import { serve as listen } from "../src/server";
import { type CredentialsFile, openCredentialsFile } from "./credentials-file";
import { flagsOf } from "./flags";
import { makeStderrLog } from "./operator";
import type { CommonOptions } from "./options";
import { readOrganizationFile } from "./organization-file";
import { printResult, UsageError } from "./output";

export type ServeOptions = CommonOptions & { apply?: string; credentials?: string; ephemeral?: boolean };

type HttpServer = Awaited<ReturnType<typeof listen>>;

/** How long requests that are under way may go on after the signal to stop. */
const stopMilliseconds = 10_000;
const exitSignalled = 130;

/** `chatd serve`: runs until SIGTERM or SIGINT, then ends in order; a second signal ends at once. */
export async function serve(options: ServeOptions) {
  requireUse(options);
  const stop = catchSignals();
  const declared = options.apply === undefined ? undefined : readOrganizationFile(options.apply);
  const file = options.credentials === undefined ? undefined : openCredentialsFile(options.credentials);
  try {
    const config = chooseConfig(options);
    const log = makeStderrLog(config.logLevel);
    logStrayErrors(log);
    const app = await openApp(config, { log, exit: (code) => process.exit(code) });
    await run(app, options, { declared, file, stop });
  } finally {
    file?.discard();
  }
}

function requireUse({ ephemeral, data, database, credentials, apply }: ServeOptions) {
  if (ephemeral && (data !== undefined || database !== undefined)) {
    throw new UsageError("--ephemeral uses a data folder of its own: leave out --data and --database.");
  }
  if (credentials !== undefined && apply === undefined && !ephemeral) {
    throw new UsageError("--credentials needs --apply: it lists those whom the organization's file declares.");
  }
}

/** Resolves at the first signal. From then on, a signal ends the process. */
function catchSignals(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(exitSignalled);
      isStopping = true;
      resolve();
    });
  }
  return promise;
}

function chooseConfig(options: ServeOptions): Config {
  const config = loadConfig(flagsOf(options), options.config);
  if (!options.ephemeral) return config;
  const data = mkdtempSync(join(tmpdir(), "chatd-"));
  process.on("exit", () => rmSync(data, { recursive: true, force: true }));
  return Object.freeze({ ...config, data, database: undefined });
}

/** An error in background work is a line in the log; the server goes on for everybody else. */
export function logStrayErrors(log: Log) {
  process.on("unhandledRejection", logFailure(log, "unhandled_rejection"));
  process.on("uncaughtException", logFailure(log, "uncaught_exception"));
}

const logFailure = (log: Log, event: string) => (error: unknown) => log.error(event, describeError(error));

interface Task {
  declared: Declared | undefined;
  file: CredentialsFile | undefined;
  stop: Promise<void>;
}

/** Listens before anything is provisioned: where a port is taken, no key is issued that nobody would get to see. */
async function run(app: RunningApp, options: ServeOptions, { declared, file, stop }: Task) {
  const endings: (() => unknown)[] = [() => app.close()];
  try {
    const server = await listenOn(app);
    endings.unshift(() => stopServing(app, server));
    const refusal = notePort(app.config, server.port);
    if (refusal) app.log.warn("port_not_noted", describeError(refusal));
    const mailPort = await receiveMail(app, endings);
    const isFirst = declared === undefined && (await isFirstStart(app));
    const organization = isFirst ? firstOrganization() : declared;
    const withCredentials = isFirst ? "added" : file && "all";
    const applied =
      organization && (await applyOrganization(app, organization, { withCredentials, passwordsLater: true }));
    const url = addressOf(app.config, server.port);
    if (applied) file?.write(siteOf(app.config, applied, server.port), applied);
    endings.unshift(app.startBackground());
    announce(options, { url, mailPort }, isFirst ? applied : undefined);
    let isStopping = false;
    void stop.then(() => {
      isStopping = true;
    });
    if (applied) void setPasswords(app, applied, () => isStopping).catch(logFailure(app.log, "passwords_failed"));
    await stop;
    app.log.info("stopping");
  } finally {
    for (const end of endings) await Promise.resolve(end()).catch(logFailure(app.log, "stop_failed"));
  }
}

async function listenOn(app: RunningApp): Promise<HttpServer> {
  try {
    return await listen(app);
  } catch (error) {
    const { host, port } = app.config;
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw isTaken ? new Error(`Port ${port} of ${host} is in use. Choose another one with --port.`) : error;
  }
}

/** Opens the door for mail, where there is one; answers its port. */
async function receiveMail(app: RunningApp, endings: (() => unknown)[]): Promise<number | undefined> {
  if (app.config.smtpPort === undefined) return undefined;
  const { startMailServer } = await import("../src/mail-in/server");
  const mail = await startMailServer(app);
  endings.unshift(() => mail.close());
  return mail.port;
}

async function stopServing(app: RunningApp, server: HttpServer) {
  app.events.close();
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const cancel = systemClock.after(stopMilliseconds, resolve);
  await Promise.race([server.stop(), timeIsUp]);
  cancel();
}

/** The address for somebody at this machine. */
function addressOf({ url, host }: Config, port: number): string {
  const name = ["0.0.0.0", "::", ""].includes(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return url ?? `http://${name}:${port}`;
}

/** The address for clients, which find the organization by its host. */
const siteOf = ({ url }: Config, { realm }: Applied, port: number) => url ?? `http://${realm.host}:${port}`;

interface Doors {
  url: string;
  /** Where mail to channels is received. */
  mailPort: number | undefined;
}

/** Says that the server is ready; at the first start also how to get in, which is never shown again. */
function announce(options: ServeOptions, { url, mailPort }: Doors, first: Applied | undefined) {
  const [owner] = first?.credentials ?? [];
  const mail = mailPort === undefined ? [] : [`Mail to channels is received on port ${mailPort}`];
  const ready = [`chatd is ready at ${url}`, ...mail];
  const doors = { url, ...(mailPort !== undefined && { smtp_port: mailPort }) };
  if (!owner) return printResult(options, doors, ready);
  const { email, api_key } = owner;
  printResult(options, { ...doors, email, api_key }, [
    ...ready,
    "",
    "This is the first start, so there is now an organization with an owner. The key is not shown again.",
    `  address: ${url}`,
    `  e-mail:  ${email}`,
    `  API key: ${api_key}`,
    "",
    "Send a first message:",
    `  curl -sS -u ${email}:${api_key} ${url}/api/v1/messages -d type=channel -d to=general -d topic=hello --data-urlencode 'content=Hello, world!'`,
  ]);
}
