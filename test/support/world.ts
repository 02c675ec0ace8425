import type { Place } from "../../db/open";
import { openApp, type RunningApp } from "../../src/app";
import { loadConfig } from "../../src/config/config";
import type { PasswordCosts, RealmRow } from "../../src/core/context";
import { makeLog } from "../../src/core/log";
import { operatorContext } from "../../src/core/operator";
import type { AnyJob } from "../../src/jobs/define";
import { findRealmByHost } from "../../src/realm/queries";
import { serve } from "../../src/server";
import { failOnMismatches } from "./api/api-check";
import { type Account, assembleCast, type CastName, otherHost, worldHost } from "./cast";
import { Client } from "./client";
import { findSeed } from "./databases/seed";
import { type FreshPlace, freshPlace } from "./databases/storage";
import { type FakeClock, makeFakeClock } from "./fake-clock";
import { openPortWithSharedRoutes } from "./shared-routes";

export { worldHost } from "./cast";

export class Person extends Client {
  constructor(
    site: string,
    host: string,
    readonly id: number,
    readonly email: string,
    readonly fullName: string,
    apiKey?: string,
  ) {
    super(site, host, apiKey === undefined ? undefined : { email, apiKey });
  }

  /** Person as a client of another server on this data. */
  at({ site }: { site: string }): Person {
    const { id, email, fullName, host, credentials } = this;
    return new Person(site, host, id, email, fullName, credentials?.apiKey);
  }

  /** Sends to a channel's topic and answers the message's id. */
  async say(channel: string, topic: string, content: string): Promise<number> {
    const { status, body } = await this.post("/messages", {
      type: "channel",
      to: channel,
      topic,
      content,
    });
    if (status !== 200) throw new Error(`the message was refused: ${JSON.stringify(body)}`);
    return body.id;
  }

  /** Sends to people and answers the message's id. */
  async tell(people: { id: number }[], content: string): Promise<number> {
    const to = people.map(({ id }) => id);
    const { status, body } = await this.post("/messages", { type: "direct", to, content });
    if (status !== 200) throw new Error(`the message was refused: ${JSON.stringify(body)}`);
    return body.id;
  }
}

/** A server on the world's data; a world may have several. */
export interface Node {
  app: RunningApp;
  site: string;
  /** Ends the server as SIGTERM does: held polls are answered, queued writes finished. */
  close(): Promise<void>;
}

/**
 * A server with two organizations, running in this process on a fresh database, with a clock that
 * the test controls.
 */
export interface World extends Record<CastName, Person> {
  app: RunningApp;
  clock: FakeClock;
  realm: RealmRow;
  site: string;
  /** The owner of the other realm, `other.example.com`. */
  zoe: Person;
  anonymous: Client;
  /** Lines that the server has logged. */
  logged: string[];
  /**
   * Channel ids by name: general (all but otto and greta), secret (private, no shared history:
   * alice, bob), plans (private: alice).
   */
  channels: Record<"general" | "secret" | "plans", number>;
  operator: ReturnType<typeof operatorContext>;
  /**
   * Folder and address of the data, for tests that read it directly. No other world gets the
   * database once its address was read.
   */
  readonly place: Place;
  /** Starts another server on the data of this one. */
  startNode(): Promise<Node>;
  /** Advances the time, and waits for the background work that becomes due. */
  pass(seconds: number): Promise<void>;
  /**
   * Ends the server and starts it again, some time later, on its data and port: `app` and
   * `operator` are others then.
   */
  restart(downSeconds?: number): Promise<void>;
  close(): Promise<void>;
}

interface Surroundings {
  place: FreshPlace;
  clock: FakeClock;
  logged: string[];
  flags: Record<string, string>;
  jobs: readonly AnyJob[] | undefined;
  passwordCosts: PasswordCosts;
}

/**
 * No rate limits, because a test does in a moment what takes people an hour. Few connections to
 * PostgreSQL, because the first statement of each takes long. Every test is its own proxy: it says
 * in headers which address it comes from, and whether it speaks https.
 */
const usual = {
  channels_per_day_per_user: "0",
  user_groups_per_day_per_user: "0",
  database_connections_max: "5",
  trusted_proxies: "127.0.0.1",
  requests_per_minute_per_user: "0",
  requests_per_minute_per_key: "0",
  requests_per_minute_per_address: "0",
};

async function openNode(
  { place, clock, logged, flags, jobs, passwordCosts }: Surroundings,
  port = "0",
): Promise<Node> {
  const config = loadConfig(
    {
      host: "127.0.0.1",
      port,
      data: place.dataFolder,
      database: place.databaseUrl,
      ...usual,
      ...flags,
    },
    undefined,
    {},
  );
  const log = makeLog(clock, "debug", (line) => {
    logged.push(line);
    if (line.includes('"level":"error"') && !line.includes("on purpose")) console.error(line);
  });
  const app = await openApp(config, {
    log,
    clock,
    passwordCosts,
    ...(jobs === undefined ? {} : { jobs }),
    exit: (code) => {
      throw new Error(`the server ended with ${code}`);
    },
  });
  const http = await serve(app, { openPort: openPortWithSharedRoutes });
  const endBackground = app.startBackground();
  return {
    app,
    site: `http://127.0.0.1:${http.port}`,
    async close() {
      endBackground();
      app.events.close();
      await http.stop();
      await app.close();
    },
  };
}

/** A hash with the costs of the product would take most of the time of tests that sign in. */
const quickPasswordCosts: PasswordCosts = { memoryKib: 1_024, passes: 1 };

/**
 * Config values by name, as on the command line: `{ heartbeat_seconds: "20" }`; background work of
 * the test's own; and what a hash of a password costs, where the test is about that.
 */
export async function makeWorld(
  flags: Record<string, string> = {},
  jobs?: readonly AnyJob[],
  passwordCosts = quickPasswordCosts,
): Promise<World> {
  const seed = findSeed();
  const place = await freshPlace(seed);
  const [clock, logged] = [makeFakeClock(), [] as string[]];
  const surroundings: Surroundings = { place, clock, logged, flags, jobs, passwordCosts };
  let node = await openNode(surroundings);
  const { app, site } = node;
  const nodes: Node[] = [];
  const { people, zoe, channels } = seed?.cast ?? (await assembleCast(app));
  const realm = await loadRealmAt(app, worldHost);
  const operator = operatorContext(app, realm);
  const world: World = {
    ...mapValues(people, (account) => asPerson(site, worldHost, account)),
    app,
    clock,
    realm,
    site,
    logged,
    channels,
    operator,
    place: spoiltOnceAddressed(place),
    zoe: asPerson(site, otherHost, zoe),
    anonymous: new Client(site, worldHost),
    async startNode() {
      const another = await openNode(surroundings);
      nodes.push(another);
      return another;
    },
    async pass(seconds) {
      clock.advance(seconds);
      for (const one of [node, ...nodes]) await one.app.jobs.settled();
    },
    async restart(downSeconds = 0) {
      await node.close();
      clock.advance(downSeconds);
      node = await openNode(surroundings, new URL(site).port);
      world.app = node.app;
      world.operator = operatorContext(node.app, realm);
    },
    async close() {
      for (const one of [...nodes, node]) await one.close();
      await place.remove();
      failOnMismatches();
    },
  };
  return world;
}

const spoiltOnceAddressed = (place: FreshPlace): Place => ({
  dataFolder: place.dataFolder,
  migrationsFolder: place.migrationsFolder,
  get databaseUrl() {
    place.spoil();
    return place.databaseUrl;
  },
});

const asPerson = (site: string, host: string, { id, email, fullName, apiKey }: Account) =>
  new Person(site, host, id, email, fullName, apiKey);

const mapValues = <Key extends string, From, To>(
  record: Record<Key, From>,
  map: (value: From) => To,
) =>
  Object.fromEntries(
    Object.entries<From>(record).map(([key, value]) => [key, map(value)]),
  ) as Record<Key, To>;

async function loadRealmAt({ engine }: RunningApp, host: string): Promise<RealmRow> {
  const realm = await findRealmByHost(engine.reader, host);
  if (!realm) throw new Error(`there is no realm at ${host}`);
  return realm;
}
