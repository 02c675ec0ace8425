import { afterAll, afterEach, beforeAll, expect } from "bun:test";
import { copyFileSync, linkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { clientOf, freshFolder, readCredentials, waitFor } from "../cli/chatd";
import { buildBinary } from "../clients/binary";
import type { Client } from "../support/client";
import { freePort } from "../support/processes/free-port";
import { type ServerProcess, startServer } from "../support/processes/server-process";
import { hasBrowser, hearComplaints, launchBrowser, patienceMilliseconds } from "./browser";

const buildMilliseconds = 120_000;
/** A hundred people and 200 channels are declared in two seconds of a processor. */
const readyMilliseconds = 60_000;

/** Password of everybody who signs in. */
const password = "correct-horse-battery";

/** People who sign in; an organization may have others, who only are in it. */
const names = ["olga", "alice", "bob"] as const;
type Name = (typeof names)[number];

/** An organization as a file declares it: people who sign in, and what the test has besides. */
export interface Organization {
  readonly users?: readonly object[];
  readonly channels?: readonly object[];
}

/** People who are in the organization beside those who sign in. */
export const peopleBeside = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({
    email: `person${index}@example.com`,
    name: `Person ${index}`,
    role: "member",
  }));

/** Channels beside the one that all are in, with one person in each. */
export const channelsFor = (name: Name, count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `channel ${index}`,
    description: `What is said about ${index}`,
    subscribers: [`${name}@example.com`],
  }));

const generalChannel = { name: "general", description: "", default: true, subscribers: "all" };

const declared = ({ users = [], channels = [] }: Organization) => ({
  realm: { name: "Acme", host: "localhost" },
  users: [
    ...names.map((name) => ({
      email: `${name}@example.com`,
      name: name.replace(/^./, (first) => first.toUpperCase()),
      role: name === "olga" ? "owner" : "member",
      password,
    })),
    ...users,
  ],
  channels: [generalChannel, ...channels],
});

/**
 * The executable that is built, alone in a folder that was empty, and the browsers of people who
 * talk by it.
 */
export interface ExecutableStage {
  readonly site: string;
  readonly folder: string;
  readonly server: ServerProcess;
  /** Addresses that the pages have asked for, each as `GET http://localhost:1234/`. */
  readonly requests: readonly string[];
  /** Errors of pages; a test that expects some empties it. */
  readonly complaints: string[];
  /** A client for somebody, by key. */
  client(name: Name): Client;
  /**
   * Opens a fragment in somebody's browser. The first time they sign in there, through the form.
   */
  open(name: Name, fragment: string): Promise<Page>;
  /** An empty page in somebody's browser. */
  newPage(name: Name): Promise<Page>;
  /** Ends the server the way a power cut does. */
  kill(): Promise<void>;
  /** Starts the server again, on its data and at its address. */
  start(): Promise<void>;
  /** Puts another executable in the place of the one that was ended. */
  replace(file: string): void;
}

/** The fragment of a topic in the channel that all are in. */
export async function topicAt({ client }: ExecutableStage, topic: string): Promise<string> {
  const { body } = await client("olga").get("/get_stream_id", { stream: generalChannel.name });
  return `#narrow/channel/${body.stream_id}-general/topic/${topic}`;
}

/** Waits until the page is there with all of its parts. */
const whole = (page: Page) => page.locator(".shell[data-whole=true]").waitFor();

interface Running {
  folder: string;
  credentials: ReturnType<typeof readCredentials>;
  port: number;
  server: ServerProcess;
  browser: Browser;
}

/** Serves an organization by the executable for the tests of a file. */
export function executableStage(organization: Organization = {}): ExecutableStage {
  let running: Running | undefined;
  const now = (): Running => {
    if (!running) throw new Error("The executable is not started.");
    return running;
  };
  const site = () => `http://localhost:${now().port}`;
  const browsers = openBrowsers(() => ({ browser: now().browser, site: site() }));
  const { requests, complaints, open, newPage } = browsers;
  beforeAll(async () => {
    if (hasBrowser) running = await begin(organization);
  }, buildMilliseconds);
  afterEach(async () => {
    await browsers.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await running?.browser.close();
    await running?.server.kill();
  });
  return {
    get site() {
      return site();
    },
    get folder() {
      return now().folder;
    },
    get server() {
      return now().server;
    },
    requests,
    complaints,
    open,
    newPage,
    client: (name) => clientOf(site(), now().credentials, name),
    kill: () => now().server.kill(),
    async start() {
      const { folder, port } = now();
      now().server = await serve(folder, port, []);
    },
    replace(file) {
      const at = join(now().folder, "chatd");
      rmSync(at);
      placeAlone(file, at);
    },
  };
}

/** Browsers of people, each with cookies of its own, which last as long as the file. */
function openBrowsers(now: () => { browser: Browser; site: string }) {
  const contexts = new Map<Name, BrowserContext>();
  const cookies = new Map<Name, Awaited<ReturnType<BrowserContext["cookies"]>>>();
  const requests: string[] = [];
  const complaints: string[] = [];
  const contextOf = async (name: Name): Promise<BrowserContext> => {
    const opened = contexts.get(name);
    if (opened) return opened;
    const context = await now().browser.newContext();
    contexts.set(name, context);
    context.on("close", () => contexts.delete(name));
    context.setDefaultTimeout(patienceMilliseconds);
    await context.addCookies(cookies.get(name) ?? []);
    return context;
  };
  const newPage = async (name: Name) => {
    const page = await (await contextOf(name)).newPage();
    page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));
    hearComplaints(page, complaints);
    return page;
  };
  const open = async (name: Name, fragment: string) => {
    const page = await newPage(name);
    await page.goto(`${now().site}/${fragment}`);
    if (!cookies.has(name)) await signIn(page, name);
    await whole(page);
    cookies.set(name, await page.context().cookies());
    return page;
  };
  const close = () => Promise.all([...contexts.values()].map((context) => context.close()));
  return { requests, complaints, open, newPage, close };
}

async function signIn(page: Page, name: Name): Promise<void> {
  await page.getByLabel("E-mail address").fill(`${name}@example.com`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function begin(organization: Organization): Promise<Running> {
  const folder = freshFolder();
  const port = freePort();
  placeAlone(buildBinary(freshFolder()), join(folder, "chatd"));
  writeFileSync(join(folder, "organization.yaml"), JSON.stringify(declared(organization)));
  const files = ["--apply", "organization.yaml", "--credentials", "credentials.json"];
  const [server, browser] = await Promise.all([
    serve(folder, port, files),
    launchBrowser(["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost"]),
  ]);
  const site = `http://localhost:${port}`;
  // Passwords are hashed after the server is ready.
  const credentials = readCredentials(join(folder, "credentials.json"));
  const signer = clientOf(site, credentials, "bob");
  const account = { username: "bob@example.com", password };
  await waitFor(
    async () => (await signer.post("/fetch_api_key", account)).status === 200 || undefined,
    patienceMilliseconds,
  );
  return { folder, credentials, port, server, browser };
}

/** Puts a file where nothing else is; it is not copied where one disk holds both places. */
function placeAlone(file: string, at: string): void {
  try {
    linkSync(file, at);
  } catch {
    copyFileSync(file, at);
  }
}

const unlimited = ["user", "key", "address"].flatMap((one) => [
  `--requests-per-minute-per-${one}`,
  "0",
]);

/** Runs the executable in its folder, with nothing else of this machine: no programs, no home. */
function serve(folder: string, port: number, more: readonly string[]): Promise<ServerProcess> {
  const place = ["--data", "data", "--host", "127.0.0.1", "--port", String(port)];
  const command = [join(folder, "chatd"), "serve", ...place, ...unlimited, ...more];
  return startServer(command, { PATH: "", HOME: "/nonexistent" }, folder).ready(readyMilliseconds);
}
